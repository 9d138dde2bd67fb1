# SPDX-License-Identifier: GPL-3.0-or-later
# Events that the user chooses: --counter, the parts --cc-i, --cc-c, --cc-f, recordings of them, cells in every output.
. "$top_srcdir/tests/tty/tap.sh"
sim="-D sim:hd620,load=flops.private.mad.sp.x4,groups=5,items=160"
fast="--speed max -n 2 -d 0.2"

gives 0 "--counter help" --counter help
is "$(grep -c -E '^  (fpu0|stall|row1|ternary|eu3|async_cs) +[0-9]+  [a-zA-Z]' "$tmp/out")" 6 "  ... lists events and filters"
gives 0 "events by name, number and part" $sim $fast -J --counter fpu0::ternary --counter 4:7:8 --cc-i send --cc-f send_start \
	--cc-i 8 -w "$tmp/c.i915perf"
cp "$tmp/out" "$tmp/live"
good "  ... are metrics" python3 -c '
import json, sys
head, *rows = [json.loads(l) for l in open(sys.argv[1])]
names = list(head["units"])[:4]
assert names == ["eu_fpu0_ternary", "eu_active_row0_eu1", "eu_send_send_start", "eu_occupancy"], names
assert [head["units"][n] for n in names] == ["%", "%", "Mmsg/s", "%"], head
m = rows[-1]["metrics"]
assert 10 < m["eu_fpu0_ternary"] < 100 and m["eu_active_row0_eu1"] > m["eu_fpu0_ternary"], m' "$tmp/live"
gives 0 "a recording of them" -r "$tmp/c.i915perf" -J --speed max -d 0.2
good "  ... plays with its meaning" python3 -c '
import json, sys
live, played = [[json.loads(l) for l in open(f)] for f in sys.argv[1:3]]
assert live[0]["units"] == played[0]["units"]
for n in list(live[0]["units"])[:4]:
    a, b = live[-1]["metrics"][n], played[1]["metrics"][n]
    assert abs(a - b) < 0.01 * abs(a) + 0.01, (n, a, b)' "$tmp/live" "$tmp/out"
is "$(wc -c < "$tmp/err")" 0 "  ... without a word"
sed 's/fpu0::ternary/fpu0::turnary/' "$tmp/c.i915perf" > "$tmp/bad.i915perf"
gives 0 "a recording with an unknown event" -r "$tmp/bad.i915perf" -J --speed max -d 0.2 -n 1
is "$(grep -c 'turnary' "$tmp/err")$(head -1 "$tmp/out" | grep -c eu_fpu0)" 10 "  ... says so and shows what is certain"
gives 0 "--explain" $sim --counter active:row0:eu1 explain eu_active_row0_eu1
good "  ... knows event and text" grep -q 'only EUs of row 0, EUs with number 1' "$tmp/out"
gives 0 "what the manual does not allow" $sim $fast -c --counter stall:ps
is "$(grep -c 'stall:ps.*manual' "$tmp/err")" 1 "  ... is said and counted"
gives 0 "what the manual calls the hardware's own manner" $sim $fast -J --counter fpu0::send_start --counter fpu0
is "$(grep -c 'fpu0::send_start.*manner' "$tmp/err")" 1 "  ... is said"
good "  ... and its numbers are estimates" python3 -c '
import json, sys
head, window = [json.loads(l) for l in open(sys.argv[1])][:2]
assert [n for n in list(head["units"])[:2] if n in window["estimated"]] == ["eu_fpu0_send_start"], window' "$tmp/out"
gives 0 "hybrid instructions on Cherryview" -D sim:chv $fast -c --counter fpu0::hybrid
is "$(grep -c 'fpu0::hybrid.*unreliable' "$tmp/err")" 1 "  ... are doubtful, which is said"
gives 0 "on Gen12" -D sim:tgl $fast -c --counter active::eu0 --counter active::eu1
gives 2 "an unknown event" $sim $fast --counter fpu9
is "$(grep -c 'fpu9.*unknown event' "$tmp/err")" 1 "  ... is named"
gives 2 "one event twice" $sim $fast --counter fpu0 --counter 0:0:0
gives 2 "an event that counts nothing" $sim $fast --counter off
gives 2 "fifteen events" $sim $fast $(for s in vs hs ds gs ps cs row0 row1; do echo "--counter fpu0:$s --counter fpu1:$s"; done)
gives 2 "a filter without an event" $sim $fast --cc-f 5
gives 2 "a filter twice" $sim $fast --cc-i 0 --cc-f 5 --cc-f 4
gives 2 "another set at the same time" $sim $fast --counter fpu0 -m overview
gives 0 "the set by its name" $sim $fast -c --counter fpu0 -m custom

# Xe2: any of its events, on a counter that sees it.
xe2="-D sim:lnl,load=private.mad.sp.x4,groups=64 --speed max -n 2 -d 0.2"
gives 0 "events of Xe2 by our names and Intel's" $xe2 -J --counter alu0:cs --counter xve_active --counter occupancy --counter L3_READ \
	--counter mem_bytes_read --counter 0x5a00 -w "$tmp/x.i915perf"
cp "$tmp/out" "$tmp/live"
good "  ... are metrics" python3 -c '
import json, sys
head, *rows = [json.loads(l) for l in open(sys.argv[1])]
m, why = rows[-1]["metrics"], rows[-1]["why"]
names = list(head["units"])[:6]
assert names == ["event_" + n for n in ("alu0_cs", "xve_active", "occupancy", "l3_reads", "mem_bytes_read", "gpu_busy")], names
assert [head["units"][n] for n in names] == ["%", "%", "%", "GB/s", "GB/s", "%"], head
assert m["event_xve_active"] >= m["event_alu0_cs"] > 50 and m["event_occupancy"] > 50, m
assert m["event_gpu_busy"] > 99 and m["event_l3_reads"] is None, m' "$tmp/live"
gives 0 "a recording of them" -r "$tmp/x.i915perf" -J --speed max -d 0.2
good "  ... plays with its meaning" python3 -c '
import json, sys
live, played = [[json.loads(l) for l in open(f)] for f in sys.argv[1:3]]
assert list(live[0]["units"])[:6] == list(played[0]["units"])[:6]
for n in ("event_alu0_cs", "event_xve_active", "event_occupancy", "event_gpu_busy"):
    a, b = live[-1]["metrics"][n], played[1]["metrics"][n]
    assert abs(a - b) < 0.02 * abs(a) + 0.01, (n, a, b)' "$tmp/live" "$tmp/out"
gives 0 "--counter help" --counter help
sed -n 's/^  \([a-z0-9_]*\) *0x[0-9a-f]*  .*/\1/p' "$tmp/out" > "$tmp/events"
is "$(wc -l < "$tmp/events")" 225 "  ... lists the events of Xe2"
grep -v -E '^(rt_quad_leaf_stoc_ray_count|rt_stoc_hit_opaque|rt_stoc_hit_transparent|host_reads|host_writes|sysmem_reads|sysmem_writes)$' \
	"$tmp/events" | xargs -n 14 > "$tmp/rows"
bad=0
while read -r events; do
	"$rooftop" $xe2 -J $(printf -- '--counter %s ' $events) > "$tmp/row" 2> "$tmp/row.err" < /dev/null && [ ! -s "$tmp/row.err" ] ||
		{ bad=$((bad + 1)); sed 's/^/#   /' "$tmp/row.err"; }
done < "$tmp/rows"
is "$bad" 0 "  ... and each can be chosen on Lunar Lake"
gives 2 "an event of other parts" $xe2 --counter host_reads
is "$(grep -c "does not have the event 'host_reads'" "$tmp/err")" 1 "  ... is named"
gives 2 "a filter on an event that has none" $xe2 --counter fp32:ps
is "$(grep -c "the event 'fp32:ps' has no filter" "$tmp/err")" 1 "  ... is refused"
gives 2 "an event of Xe2 twice" $xe2 --counter xve_active --counter EU_ACTIVE_CYCLES
printf 'include counters.metrics\ninclude counters-xe2.metrics\nset own\n\tplatforms lnl\n\tprogram P8 fp32:ps\n' > "$tmp/own.metrics"
gives 1 "the same in a file" $xe2 --metrics "$tmp/own.metrics" -m own
is "$(grep -c "fp32:ps' has no filter" "$tmp/err")" 1 "  ... is refused, too"

gives 0 "cells as JSON" $sim $fast -J -m eumap
good "  ... with names, times and values" python3 -c '
import json, sys
head, *rows = [json.loads(l) for l in open(sys.argv[1])]
(cells,) = rows[-1]["cells"]
assert cells["scope"] == "EU" and cells["cell"] == "sums of all subslices", cells
assert cells["names"] == ["R%dE%d" % (r, e) for r in (0, 1) for e in range(4)], cells
assert cells["t_ns"] == [rows[-1]["mono_ns"]] * 8, cells
v = cells["values"]["eu_position_active"]
# Five groups of five threads: two subslices have two groups, whose threads meet at the first two positions,
# and one subslice has one group, which leaves its last three positions empty.
assert len(v) == 8 and v[0] == v[1] > v[2] == v[4] > v[5] == v[7] > 0 and cells["why"] == {}, cells
assert abs(v[2] / v[5] - 3 / 2) < 1e-6, v
assert abs(sum(v) / 8 - rows[-1]["metrics"]["eu_position_active"]) < 1e-6
assert abs(sum(cells["values"]["eus_active_here"]) / 24 - rows[-1]["metrics"]["eu_active"] / 100) < 1e-6' "$tmp/out"
gives 0 "cells as CSV" $sim $fast -c -m eumap
good "  ... a column for each" python3 -c '
import csv, sys
head, *rows = list(csv.reader(open(sys.argv[1])))
assert "eu_position_active[R1E3]" in head and "eus_active_here[R0E0]" in head, head
assert all(len(r) == len(head) for r in rows)
assert float(rows[-1][head.index("eu_position_active[R1E3]")]) > 0' "$tmp/out"
COLUMNS=60
export COLUMNS
gives 0 "cells as text" $sim $fast -b -m eumap
is "$(grep -c '^SIM   EU  EU active %: R0E0 .*\.\.\.$' "$tmp/out")" 2 "  ... a line for each metric, cut where the line ends"
unset COLUMNS

gives 0 "--explain of a metric with cells" $sim -m eumap explain eu_position_active
good "  ... tells their counters" grep -q 'R0E0: A7, R0E1: A8' "$tmp/out"
finish
