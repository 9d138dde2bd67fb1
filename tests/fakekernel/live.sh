# SPDX-License-Identifier: GPL-3.0-or-later
# Live counters on the fake kernel: what the model counted arrives, through registers, stream, decoder and equations.
. "$top_srcdir/tests/fakekernel/lib.sh"
compare=$top_srcdir/tests/fakekernel/compare.py

# live MODEL SET: three windows of a live device against three of the simulated one
live()
{
	machine "$1"
	gives 0 "$1, $2: live" -J -n 3 -d 0.2 -m "$2"
	cp "$tmp/out" "$tmp/live"
	is "$(wc -c < "$tmp/err")" 0 "  ... without a word on standard error"
	"$program" -D "sim:$1" --speed max -J -n 3 -d 0.2 -m "$2" > "$tmp/model" 2> "$tmp/err"
	good "  ... gives what the model counted" python3 "$compare" "$tmp/live" "$tmp/model"
	is "$(registered)" 0 "  ... and leaves no programming behind"
}

live hd620,load=private.mad.sp.x1 memory
live hd620,load=private.mad.sp.x1 ComputeBasic
live hd620,load=copy.sp.x4 memory
live hsw,load=private.mad.sp.x1 overview
live hsw,load=copy.sp.x1 fixed
live chv,load=private.mad.sp.x1 memory
live chv,load=copy.sp.x1 ComputeBasic
live tgl,load=private.mad.sp.x4 overview
live tgl,load=copy.sp.x4 memory
live dg2,load=private.mad.sp.x4 overview
live dg2,load=copy.sp.x4 RenderBasic
live hd620,load=private.mad.sp.x1 flops
live tgl,load=private.mad.sp.x4 eumap

# One context: the model has one, and is idle outside it.
machine hd620,load=private.mad.sp.x1
gives 0 "the context of the load" -J -n 2 -d 0.1 --context 0x1d05
is "$(python3 -c 'import json,sys; print(abs(json.loads(open(sys.argv[1]).readlines()[-1])["metrics"]["flop_sp_per_cycle_eu"] - 16) < 0.5)' "$tmp/out")" \
	True "  ... has all that it counts"
gives 0 "another context" -J -n 1 -d 0.1 --context 7
is "$(python3 -c 'import json,sys; print(json.loads(open(sys.argv[1]).readlines()[-1])["why"]["eu_active"])' "$tmp/out")" other_context \
	"  ... has not run"
gives 2 "a process is no context" -J --context pid:1

# Sets in turns: the stream stays, its programming changes.
turns="-J -n 6 -d 0.2 --rotate overview,flops"
for model in hd620,load=private.mad.sp.x1 tgl,load=private.mad.sp.x4; do
	machine $model
	gives 0 "$model: sets in turns" $turns
	{ head -1 "$tmp/out"; tail -2 "$tmp/out"; } > "$tmp/live"
	is "$(wc -c < "$tmp/err")" 0 "  ... without a word on standard error"
	"$program" -D "sim:$model" --speed max $turns > "$tmp/all" 2> "$tmp/err"
	{ head -1 "$tmp/all"; tail -2 "$tmp/all"; } > "$tmp/model"
	good "  ... each counts what the model counted" python3 "$compare" "$tmp/live" "$tmp/model"
	is "$(registered)" 0 "  ... and no programming is left behind"
done

# Events that the user chose, live and recorded.
machine hd620,load=private.mad.sp.x1
gives 0 "chosen events" -J -n 3 -d 0.2 --counter fpu0::ternary --counter active:row1:eu3 --counter send --counter occupancy \
	--counter active -w "$tmp/custom.i915perf"
cp "$tmp/out" "$tmp/live"
"$program" -D sim:hd620,load=private.mad.sp.x1 --speed max -J -n 3 -d 0.2 --counter fpu0::ternary --counter active:row1:eu3 \
	--counter send --counter occupancy --counter active > "$tmp/model" 2> "$tmp/err"
good "  ... are what the model counted" python3 "$compare" "$tmp/live" "$tmp/model"
"$program" -r "$tmp/custom.i915perf" --speed max -d 0.2 -J > "$tmp/played" 2> "$tmp/err"
good "  ... and play with their meaning" python3 "$compare" "$tmp/played" "$tmp/model"

# The numbers of the device and the request to the kernel.
machine hd620,load=private.mad.sp.x1
gives 0 "windows of a second" -J -n 1 -d 1
cat > "$tmp/head.py" <<'END'
import json, sys
head, window = [json.loads(line) for line in open(sys.argv[1])]
assert (head['device'], head['driver'], head['source'], head['sim']) == ('card0', 'i915', 'i915 perf', False), head
assert 950 < window['window_ms'] < 1150, window['window_ms']
m = window['metrics']
assert m['clock_actual'] == 1050 and m['rc6'] == 0, m
assert m['power_package'] is None and window['why']['power_package'] == 'unsupported'
assert abs(m['flop_sp_per_cycle_eu'] - 16) < 0.5, m
END
good "  ... say where they come from, and 16 FLOP a cycle and EU" python3 "$tmp/head.py" "$tmp/out"
is "$(awk '$1 == "property" { printf "%s=%s ", $2, $4 }' "$log")" "2=1 3=2 4=10 5=15 8=100000000 " \
	"the stream: reports, set, format, a timer below 10 ms, ten wake-ups a second"
sed -i 's/.*/4/' "$root/i915/perf_revision"
: > "$log"
gives 0 "revision 4" -J -n 1 -d 0.1
is "$(grep -c 'property 8' "$log")" 0 "  ... is not asked for a poll period"
gives 2 "a script needs a time that it can move" -D card0 --script /dev/null
gives 0 "--fsroot: the tree by its own name" --fsroot "$root" -J -n 1 -d 0.1
gives 0 "-L" -L
is "$(grep -c '^card0 .* i915 .* ready$' "$tmp/out")" 1 "  ... lists the card"
gives 0 "doctor" doctor
is "$(grep -c -E '^  i915 (perf|clock files) +ok' "$tmp/out")" 2 "  ... tries its sources"
is "$(grep -c -E '^  OA self-test +ok ' "$tmp/out")" 2 "  ... and runs the OA self-test on the card and on the model"
is "$(grep -c '^result: .* usable; a device of this machine can be read.  exit status 0$' "$tmp/out")" 1 "  ... with a result"
gives 0 "doctor --tap" doctor --tap

# Gen11 would switch half of its subslices off while a stream is open.
machine icl,load=private.mad.sp.x1
for set in overview memory; do
	: > "$log"
	gives 0 "Ice Lake, $set" -J -n 1 -d 0.1 -m $set
	is "$(awk '$2 == 7' "$log" | wc -l)" 1 "  ... is asked to leave all of it on"
	is "$(python3 -c 'import json,sys; print(json.loads(open(sys.argv[1]).readlines()[1])["metrics"]["gpu_busy"])' "$tmp/out")" 100 \
		"  ... and counts"
done
machine hd620,load=private.mad.sp.x1

# A rate above the limit for ordinary processes.
printf '0\n' > "$root/proc/sys/dev/i915/perf_stream_paranoid"
: > "$log"
export FAKEKERNEL_PERFMON=0
gives 0 "a rate that this process may not have" -J -n 1 -d 0.1 --oa-period 6us
is "$(awk '$2 == 5 { printf "%s ", $4 }' "$log")" "5 6 " "  ... is lowered to what it may"
unset FAKEKERNEL_PERFMON
: > "$log"
gives 0 "a privileged process" -J -n 1 -d 0.1 --oa-period 6us
is "$(awk '$2 == 5 { printf "%s ", $4 }' "$log")" "5 " "  ... gets what it wants"

# Sets in turns: the stream stays open, the kernel is told what to count next.
: > "$log"
gives 0 "sets in turns" -J -n 4 -d 0.1 --rotate overview,memory
is "$(grep -c PERF_OPEN "$log") $([ "$(grep -c ADD_CONFIG "$log")" -ge 4 ] && echo many)" "1 many" "  ... take one stream and many programmings"
is "$(registered)" 0 "  ... none of which stays"

# A programming that is registered already is used and left alone.
machine hd620,load=private.mad.sp.x1
export FAKEKERNEL_FAIL=remove
gives 0 "a programming that cannot be taken away" -J -n 1 -d 0.1
unset FAKEKERNEL_FAIL
is "$(registered)" 1 "  ... stays"
gives 0 "  ... serves again" -J -n 2 -d 0.1
is "$(registered)" 1 "  ... and is not ours to remove"

# Killed at any moment: the kernel closes the stream, and nothing else was left.
machine hd620,load=private.mad.sp.x1
"$rooftop" -J -d 0.05 -o "$tmp/killed" &
wait_for "$tmp/killed" 5000 $!
is "$(registered)" 0 "no programming is registered while a stream runs"
kill -KILL $!
wait $! 2> /dev/null
gives 0 "the unit is free after SIGKILL" -J -n 1 -d 0.1

# Recording.
gives 0 "recording" -J -n 5 -d 0.1 -m ComputeBasic -w "$tmp/live.i915perf"
cp "$tmp/out" "$tmp/live"
"$program" -D sim:hd620,load=private.mad.sp.x1 --speed max -J -n 3 -d 0.1 -m ComputeBasic > "$tmp/model" 2> "$tmp/err"
"$program" -r "$tmp/live.i915perf" --speed max -d 0.1 -J > "$tmp/played" 2> "$tmp/err"
good "  ... plays with the same values" python3 "$compare" "$tmp/played" "$tmp/model"
if command -v i915-perf-reader > /dev/null; then
	good "  ... and i915-perf-reader reads it" i915-perf-reader -c all "$tmp/live.i915perf"
	is "$(grep -c 'Metric used : ComputeBasic' "$tmp/good.out")" 1 "  ... with its metric set"
else
	skip 2 "no i915-perf-reader"
fi
finish
