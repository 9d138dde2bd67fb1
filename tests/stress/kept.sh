# SPDX-License-Identifier: GPL-3.0-or-later
# What run, stress and sweep have counted can be kept: a replay of a run has its numbers and phases, on every kind of device.
. "$top_srcdir/tests/tty/tap.sh"

# Lines of JSON without what the recording of a device is called.
plain()
{
	sed 's/"device":"[^"]*"/"device":""/' "$1"
}

phases='for p in one two; do echo $p > "$ROOFTOP_MARKERS"; sleep 0.25; done; echo > "$ROOFTOP_MARKERS"; exit 3'
for device in hd620 tgl lnl g52 h100 hsw; do
	gives 3 "$device: a run is kept" run -D "sim:$device" -d 0.05 -J -w "$tmp/$device.rec" --trace "$tmp/$device.trace" -o "$tmp/live" --overwrite \
		--markers "$tmp/fifo" -- sh -c "$phases"
	gives 0 "  ... and read again" run -r "$tmp/$device.rec" -J -o "$tmp/again" --overwrite
	plain "$tmp/live" > "$tmp/1"
	plain "$tmp/again" > "$tmp/2"
	is "$(grep -c '"phase":"' "$tmp/1")" 2 "  ... has both phases"
	is "$(diff "$tmp/1" "$tmp/2" | head -c 2000)" "" "  ... and every number of the run, of its phases and of its metrics"
	is "$(grep -c '"ph":"C"' "$tmp/$device.trace" | awk '{ print ($1 > 10) }')" 1 "  ... the trace has its counters"
done
gives 0 "several runs" run -D sim:hd620 -d 0.05 --repeat 3 -J -w "$tmp/many.rec" -o "$tmp/live" --overwrite -- sleep 0.2
gives 0 "  ... are read again" run -r "$tmp/many.rec" -J -o "$tmp/again" --overwrite
plain "$tmp/live" > "$tmp/1"
plain "$tmp/again" > "$tmp/2"
is "$(diff "$tmp/1" "$tmp/2" | head -c 2000)" "" "  ... with the numbers of each of them"
gives 0 "text of a replay" run -r "$tmp/hd620.rec"
is "$(grep -c "^SIM rooftop: sh -c for p" "$tmp/err")" 1 "names the command"
# The log of the screen has the phases of the recording.
printf "size 100x30\nkey 7\nwait 1\nwait 1\nwait 1\nsave-screen $tmp/log\nquit\n" > "$tmp/script"
"$rooftop" -r "$tmp/hd620.rec" -d 0.3 --script "$tmp/script" > "$tmp/out" 2> "$tmp/err" || sed 's/^/# /' "$tmp/err"
grep -q 'phase one begins' "$tmp/log"
point $? "the screen's log says where phases begin"

# Kernels that were told are derived anew: of the simulated device by its reports as well. Reports are placed in time by
# correlations of the file, so that shares of pairs differ in the ninth digit.
for load in private.mad.sp.x4,n=4096,pause=5000 private.mad.sp.x4/stream.sp.x4,n=512,pause=1000 private.mad.sp.x4,n=512,pause=1000,span-lost=10; do
	gives 0 "kernels of $load" run --kernels -J -D "sim:hd620,spans,load=$load" -p 100us -w "$tmp/spans.rec" -o "$tmp/live" --overwrite -- sleep 0.6
	gives 0 "  ... are read again" run --kernels -J -r "$tmp/spans.rec" -o "$tmp/again" --overwrite
	for file in live again; do
		grep -e '"kernel":' -e '"kernels":' "$tmp/$file" > "$tmp/$file.kernels"
	done
	is "$(grep -c '"command":"kernel"' "$tmp/live.kernels" | awk '{ print ($1 >= 1) }')" 1 "  ... there are some"
	# A busy machine reads spans behind the reports that they belong to: then the live run calls a kernel "time" that the replay counts.
	is "$(python3 - "$tmp/live.kernels" "$tmp/again.kernels" <<'END'
import json, math, sys


def alike(a, b):
	numbers = isinstance(a, float) and isinstance(b, float)
	return math.isclose(a, b, rel_tol=1e-6) if numbers else a == b


live, again = ([json.loads(line) for line in open(path)] for path in sys.argv[1:])
same = [a.get('grade') == b.get('grade') and a.get('why') == b.get('why') and a.get('late') == b.get('late') for a, b in zip(live, again)]
names = ('kernel', 'command', 'items', 'calls', 'time_s', 'mean_s', 'min_s', 'max_s', 'spans', 'lost', 'nonsense')
for a, b, whole in zip(live, again, same):
	bad = [name for name in (a if whole else names) if not alike(a.get(name), b.get(name))]
	if bad or len(live) != len(again) or (not whole and a.get('grade') == 'counted'):
		print(len(live), len(again), bad, json.dumps(a)[:300], json.dumps(b)[:300])
END
)" "" "  ... and the table is the same"
done
gives 0 "a recording without kernels" run --kernels -r "$tmp/hd620.rec"
is "$(grep -c '^kernels: none was seen' "$tmp/err")" 1 "  ... says that there are none"

# A recording that was cut has what came before.
head -c 60000 "$tmp/hd620.rec" > "$tmp/cut.rec"
gives 0 "a recording that was cut is read" run -r "$tmp/cut.rec" -J -o "$tmp/again" --overwrite
is "$(grep -c 'ends before the command did' "$tmp/err")" 1 "  ... and that is said"
gives 0 "a recording of the monitor" -D sim:hd620 -b -n 3 -d 0.05 -w "$tmp/plain.rec"
gives 2 "  ... is none of a run" run -r "$tmp/plain.rec"
gives 2 "what is kept has no place on standard output" run -D sim:hd620 -w - -- true
gives 2 "  ... nor has a trace" run -D sim:hd620 --trace - -- true
gives 2 "a file that is there is not replaced" run -D sim:hd620 -w "$tmp/plain.rec" -- true
gives 1 "a disk that is full is told" stress -D sim:hd620 flops.private.mad.sp.x4 --time 0.2 --trace /dev/full

gives 0 "stress is kept" stress -D sim:hd620 flops.private.mad.sp.x4 mem.copy.sp.x4 --time 0.5 -c -w "$tmp/stress.rec" --trace "$tmp/stress.trace" -o "$tmp/rows" --overwrite
is "$(grep -c '"ph":"X".*"name":"\(flops\|mem\)[.]' "$tmp/stress.trace")" 2 "  ... and its trace has both kernels"
gives 0 "sweep is kept" sweep -D sim:hd620 flops.private.mad.sp.x4 --over tpb --time 0.1 -w "$tmp/sweep.rec" --trace "$tmp/sweep.trace" -o "$tmp/sweep.csv" --overwrite
for kind in stress sweep; do
	"$rooftop" -r "$tmp/$kind.rec" -c -k gflops_sp --speed max > "$tmp/out" 2> "$tmp/err"
	is "$? $(awk -F, 'NR > 1 && $6 > 100 { n++ } END { print (n >= 1) }' "$tmp/out")" "0 1" "the recording of $kind has the work of its kernels"
done
finish
