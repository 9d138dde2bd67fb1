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
	# Clocks are matched at other moments, so that single pairs at the ends of runs may count here and not there.
	is "$(python3 - "$tmp/live.kernels" "$tmp/again.kernels" <<'END'
import json, math, re, sys

COUNTED = {'gflops': 0.01, 'gbytes_per_s': 0.01, 'flop_per_byte': 0.02, 'headroom': 0.01, 'counted_time': 0.05, 'counted_calls': 0.05, 'pairs': 0.05}


def alike(name, a, b, row):
	# The reason names the mean distance of reports.
	if name == 'why':
		return re.sub('[0-9.]+', '', a) == re.sub('[0-9.]+', '', b)
	if not isinstance(a, (int, float)) or not isinstance(b, (int, float)):
		return a == b
	if row.get('command') in ('not ours', 'idle') and name in ('time_s', 'share'):
		return math.isclose(a, b, abs_tol=0.001 if name == 'time_s' else 0.2)
	return math.isclose(a, b, rel_tol=COUNTED.get(name, 1e-6))


live, again = ([json.loads(line) for line in open(path)] for path in sys.argv[1:])
for a, b in zip(live, again):
	bad = [name for name in a if not alike(name, a[name], b.get(name), a)]
	if bad:
		print(bad, json.dumps(a)[:300], json.dumps(b)[:300])
if len(live) != len(again):
	print(len(live), 'rows live,', len(again), 'again')
END
)" "" "  ... and the table is the same"
done
gives 0 "all runs of --repeat are one table" run --kernels -J -D sim:hd620,spans,load=private.mad.sp.x4,n=4096,pause=5000 -p 100us --repeat 3 \
	-w "$tmp/spans.rec" --trace "$tmp/spans.trace" -o "$tmp/live" --overwrite -- sleep 0.4
# What is under way at the end of a run is in no line: a launch and a pause of 5 ms at most, of each.
is "$(python3 -c 'import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
runs = [row["seconds"] for row in rows if "run" in row]
table = next(row["seconds"] for row in rows if row.get("kernels") is True)
late = next(row["late"] for row in rows if row.get("kernels") is True)
print(len(runs), sum(runs) - 0.03 < table < 1.5 * sum(runs), late)' "$tmp/live")" "3 True 0" "  ... of the time of three times 0.4 s, whatever ran between"
is "$(python3 - "$tmp/live" "$tmp/spans.trace" <<'END'
import json, sys

row = next(r for r in map(json.loads, open(sys.argv[1])) if r.get("command") == "kernel")
slices = [e for e in json.load(open(sys.argv[2])) if e["ph"] == "X" and e.get("cat") == "kernel"]
ends = {}
for e in slices:
	assert e["ts"] >= ends.get(e["tid"], 0), e
	ends[e["tid"]] = e["ts"] + e["dur"] - 0.01
print(len(slices) >= row["calls"], all(e["name"] == row["kernel"] for e in slices))
END
)" "True True" "  ... and each call is a slice of the trace, of which none overlap"
# i915-perf-reader knows five types, asserts the size of losses, steps over all others by their size, and asserts that no report lies behind the
# last correlation, by the low 32 bits.
is "$(python3 - "$tmp/spans.rec" <<'END'
import struct, sys

data, at, reports, points, others = open(sys.argv[1], "rb").read(), 0, [], [], set()
while at < len(data):
	kind, _, size = struct.unpack_from("<IHH", data, at)
	assert size >= 8 and at + size <= len(data), (at, kind, size)
	if kind == 1:
		reports.append(struct.unpack_from("<I", data, at + 12)[0])
	elif kind in (2, 3):
		assert size == 8, size
	elif kind == 65539:
		points.append(struct.unpack_from("<QQ", data, at + 8)[1] & 0xffffffff)
	elif kind >= 65536:
		others.add(kind)
	else:
		raise ValueError(kind)
	at += size
print(len(reports) > 1000, max(reports) < points[-1], {0x5254000c, 0x5254000d, 0x5254000e} <= others)
END
)" "True True True" "  ... i915-perf-reader passes over records of spans"
"$rooftop" -b -n 9 -r "$tmp/spans.rec" --speed max --trace "$tmp/again.trace" > /dev/null
is "$(grep -c '"cat":"kernel"' "$tmp/again.trace" | awk '{ print ($1 > 10) }')" 1 "  ... also of that of its recording"
printf 'size 100x12\nwait 9\nkey 9\nsave-screen %s\n' "$tmp/table" > "$tmp/script"
gives 0 "the recording on the screen" -r "$tmp/spans.rec" --script "$tmp/script"
is "$(grep -c 'private.mad.sp.x4 .* counted ' "$tmp/table")" 1 "  ... has the table of kernels"

# The picture of the roofline has a dot for each counted kernel, whose size goes with its time; the legend has the same again.
program=$(cd "$(dirname "$rooftop")" && pwd)/$(basename "$rooftop")
printf 'size 120x40\nwait 6\nkey 9\nwait 1\nkey 3\nwait 1\nkey v End Enter\n' > "$tmp/script"
(cd "$tmp" && "$program" -D sim:hd620,spans,load=stream.sp.x4/stream.sp.x4,sizes,n=8192,pause=400 -p 500us --script script)
is "$(grep -c '>stream.sp.x4 (DRAM)<' "$tmp"/rooftop-roofline-*.svg) $(grep -o 'scale([0-9.]*)' "$tmp"/rooftop-roofline-*.svg | sort | uniq -c | awk '{ print $1 }' | paste -sd' ')" \
	"2 6 2 2" "a picture has a larger dot for the kernel that takes the time"

# Who else may have had the device: engines for copies, and where reports name no context other clients.
for row in "hd620 , counted" "hd620 ,span-clock=reports, counted" "hd620 ,span-copy=20, copy.or.video" "hd620 ,span-others=20, counted" "hsw , counted" "hsw ,span-others=20, others.used"; do
	# shellcheck disable=SC2086
	set -- $row
	gives 0 "kernels of $1 with '$2'" run --kernels -J -D "sim:$1,spans,load=private.mad.sp.x4,n=262144,pause=1000${2%,}" -p 100us -d 0.2 -w "$tmp/spans.rec" -o "$tmp/live" --overwrite -- sleep 0.7
	"$rooftop" run --kernels -J -r "$tmp/spans.rec" -o "$tmp/again" --overwrite
	is "$(for file in live again; do grep '"command":"kernel"' "$tmp/$file" | grep -c "\"grade\":\"$3\"\|\"why\":\"$3"; done | paste -sd' ')" "1 1" "  ... $3, live and again"
done

printf 'size 100x12\nwait 1\nkey 9 {\nwait 400ms\nsave-screen %s\n' "$tmp/table" > "$tmp/script"
gives 0 "  ... goes back" -r "$tmp/spans.rec" -d 0.2 --script "$tmp/script"
is "$(sed -n 's/.* Kernels \([0-9.]*\) s .*/\1/p' "$tmp/table" | awk '{ print ($1 < 0.7) }')" 1 "  ... and has no time of what lies ahead"

# What programs tell while the screen pauses is written all the same, and not kept.
is "$(python3 - "$rooftop" "$tmp" <<'END'
import os, resource, subprocess, sys

rooftop, tmp = sys.argv[1:]
kept, written = [], []
for seconds in (1, 40):
	open(f"{tmp}/script", "w").write(f"size 80x24\nwait 2\nkey 9 Space\nwait {seconds}\n")
	subprocess.run([rooftop, "-D", "sim:hd620,spans,load=private.mad.sp.x4,n=1,pause=50", "--trace", f"{tmp}/paused.trace",
		"--overwrite", "--script", f"{tmp}/script"], check=True)
	kept.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)
	written.append(os.path.getsize(f"{tmp}/paused.trace") >> 20)
os.remove(f"{tmp}/paused.trace")
# A sanitizer keeps what was freed for a while.
is_sanitized = b"__asan_init" in open(rooftop, "rb").read()
print(written[1] - written[0] >= 40, kept[1] - kept[0] < 40 or is_sanitized)
END
)" "True True" "a trace of a screen that pauses takes room in the file alone"

gives 0 "a recording without kernels" run --kernels -r "$tmp/hd620.rec"
is "$(grep -c '^kernels: none was seen' "$tmp/err")" 1 "  ... says that there are none"

# A recording that was cut has what came before.
head -c 60000 "$tmp/hd620.rec" > "$tmp/cut.rec"
gives 0 "a recording that was cut is read" run -r "$tmp/cut.rec" -J -o "$tmp/again" --overwrite
is "$(grep -c 'ends before the command did' "$tmp/err")" 1 "  ... and that is said"
# The first mark is that of the begin.
python3 -c 'import struct, sys
d = open(sys.argv[1], "rb").read(); at = kind = 0
while kind != 0x5254000b: kind, _, size = struct.unpack_from("<IHH", d, at); at += size
open(sys.argv[2], "wb").write(d[:at])' "$tmp/hd620.rec" "$tmp/cut.rec"
gives 0 "  ... also right behind the begin" run -r "$tmp/cut.rec" -J -o "$tmp/again" --overwrite
is "$(head -1 "$tmp/again" | grep -o '"seconds":[^,]*')" '"seconds":0' "  ... where no time has passed"
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
