# SPDX-License-Identifier: GPL-3.0-or-later
# Reports that are refused, do not come, or end: a sentence, a way out, and no wrong number.
. "$top_srcdir/tests/fakekernel/lib.sh"

# fails WORDS: the machine as new, with that scenario
fails()
{
	machine hd620,load=private.mad.sp.x1
	export FAKEKERNEL_FAIL="$1"
}

# refused NAME TEXT WHY: reports are refused, and clocks remain
refused()
{
	gives 0 "$1" --access rpc -J -n 2 -d 0.05
	said "$2" "  ... has its sentence"
	is "$(python3 -c 'import json,sys; w = json.loads(open(sys.argv[1]).readlines()[-1]); print(w["metrics"]["clock_actual"], w["metrics"]["eu_active"], w["why"]["eu_active"])' "$tmp/out")" \
		"1050 None $3" "  ... and leaves the clocks"
}

fails ''
export FAKEKERNEL_PERFMON=0
refused "no right to OA counters" "card0: dev.i915.perf_stream_paranoid is 1 and this process has no CAP_PERFMON" permission
unset FAKEKERNEL_PERFMON
fails open=EBUSY
refused "a unit in use" "card0: another program holds its OA unit" busy

# died NAME TEXT: reports end under way
died()
{
	gives 1 "$1" --access rpc -J -n 60 -d 0.05
	said "$2" "  ... has one sentence"
	is "$(tail -1 "$tmp/out" | python3 -c 'import json,sys; w = json.load(sys.stdin); print(w["metrics"]["eu_active"], w["why"]["eu_active"])')" \
		"None stale" "  ... and no number"
}

fails exec=EIO@20
died "a GPU that was given up" "card0: the GPU takes no more commands: its driver has given it up (Input/output error)"
fails exec=ENODEV@20
died "a GPU that goes away" "card0: the GPU is gone (No such device)"
fails drop@20
gives 0 "a report that is not written" --access rpc -J -n 90 -d 0.05
said "card0: the command streamer wrote no report: the OA unit is off" "  ... has its sentence"
is "$(tail -1 "$tmp/out" | python3 -c 'import json,sys; print(abs(json.load(sys.stdin)["metrics"]["flop_sp_per_cycle_eu"] - 16) < 0.5)')" True \
	"  ... and the source comes back by itself"
fails wait=ETIME@20
gives 0 "a GPU that is busy with something long" --access rpc -J -n 12 -d 0.05
is "$(tail -1 "$tmp/out" | python3 -c 'import json,sys; w = json.load(sys.stdin); print(w["metrics"]["eu_active"], w["why"]["eu_active"])')" \
	"None not_yet" "  ... is waited for, without a number"
fails mmap=EINVAL
gives 0 "objects that are mapped by offset" --access rpc -J -n 1 -d 0.1
is "$(wc -c < "$tmp/err")" 0 "  ... serve as well"
unset FAKEKERNEL_FAIL
finish
