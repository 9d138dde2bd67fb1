# SPDX-License-Identifier: GPL-3.0-or-later
# What is remembered is what was meant, and what is compared can be compared: roofs, points of sweeps, results that are put together, marks of a
# command.
. "$top_srcdir/tests/tty/tap.sh"
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }

# --- roofs ---
for option in --loop --tpb --blocks --launches; do
	gives 2 "calibrate takes no $option, because a roof is what the best shape reaches" calibrate -D sim:hd620 DRAM $option 8
done
gives 2 "each word names a roof" calibrate -D sim:hd620 DRAM nonsense
is "$(grep -c "no roof is called 'nonsense'" "$tmp/err")" 1 "  ... or is named"

# Each roof is kept from runs that could have been the best, or says what kept them back.
while read -r machine kept; do
	rm -rf "$tmp/state"
	XDG_STATE_HOME=$tmp/state "$rooftop" calibrate -D "$machine" sp.mad L3 DRAM --keep --csv > "$tmp/out" 2> "$tmp/err"
	is "$? $(python3 -c 'import csv, sys
print(*[r["roof"] for r in csv.DictReader(open(sys.argv[1])) if r["measured"]])' "$tmp/out")" "0 $kept" "calibrate of $machine keeps $kept"
	is "$(cat "$tmp"/state/rooftop/* | grep -c 'DRAM')" "$(echo "$kept" | grep -c DRAM)" "  ... and no other"
done <<'END'
sim:hd620 sp.mad L3 DRAM
sim:hd620,heat=600 sp.mad L3
sim:hd620,current=600 sp.mad L3
sim:hd620,setting=500 sp.mad L3
END
is "$(grep -c 'DRAM.*clock held by setting' "$tmp/out")" 1 "  ... whose note says why"
# A roof is that of the part, also where a simulated one is chosen by its PCI id.
XDG_STATE_HOME=$tmp/state "$rooftop" calibrate -D sim:dg2,id=0x56a5 sp.mad --keep --quiet
is "$(for part in dg2,id=0x56a5 dg2; do XDG_STATE_HOME=$tmp/state "$rooftop" roofline -D sim:$part | grep -c 'measured on'; done | tr '\n' ' ')" "1 0 " \
	"what a part reaches is no roof of another one"

# Each word that changes what a simulated device is makes it another one; what it runs does not.
kept() { XDG_STATE_HOME=$tmp/state "$rooftop" roofline -D "$1" | grep -c 'measured on 20'; }
rm -rf "$tmp/state"
words="mhz=900 watts=8 dram=20 l3=64 delivers=50 heat=600 current=600 setting=600 cores=5 others=5 rc6"
for word in $words; do
	device=sim:hd620,$word
	XDG_STATE_HOME=$tmp/state "$rooftop" calibrate -D "$device" sp.mad --keep --quiet > "$tmp/out" 2>&1
	is "$(kept "$device") $(kept "${device%%,*}") $(kept "${device%%,*},load=idle,$word")" "1 0 1" "a roof of $device is its own"
done

is "$(kept sim:hd620,mhz=900,watts=8) $(XDG_STATE_HOME=$tmp/state "$rooftop" calibrate -D sim:hd620,watts=8,mhz=900 sp.mad --keep --quiet > "$tmp/out" 2>&1
	kept sim:hd620,mhz=900,watts=8)" "0 1" "  ... wherever its words stand"

rm -rf "$tmp/state"
XDG_STATE_HOME=$tmp/state gives 2 "roofs of a device with a flaw" calibrate -D sim:hd620,flaw=hot sp.mad --keep
is "$(grep -c 'with a flaw would be those of one without' "$tmp/err") $(ls "$tmp/state" 2> /dev/null)" "1 " "  ... are not kept, as is said"

# --- points of a sweep ---
sweep="sweep --over loop private.mad.sp.x4 --launches 20 --csv"
# shellcheck disable=SC2086
{
gives 0 "a sweep" $sweep -D sim:hd620 -o "$tmp/a.csv"
cp "$tmp/a.csv" "$tmp/kept.csv"
gives 2 "points of another device are not resumed" $sweep -D sim:tgl -o "$tmp/a.csv" --resume
gives 2 "  ... nor with another kernel beside" $sweep -D sim:hd620 --beside mem.read.sp.x4 -o "$tmp/a.csv" --resume
gives 2 "  ... nor with more runs" $sweep -D sim:hd620 --repeat 3 -o "$tmp/a.csv" --resume
gives 2 "  ... nor with other launches" $sweep -D sim:hd620 --launches 30 -o "$tmp/a.csv" --resume
gives 2 "  ... nor with another length" sweep --over loop private.mad.sp.x4 --csv -D sim:hd620 --time 0.2 -o "$tmp/a.csv" --resume
gives 1 "  ... nor of another plane" $sweep -D sim:hd620 --power-plane gpu -o "$tmp/a.csv" --resume
is "$(grep -c 'another --power-plane' "$tmp/err")" 1 "  ... as is said"
good "  ... and the file stays" cmp "$tmp/a.csv" "$tmp/kept.csv"
head -8 "$tmp/a.csv" > "$tmp/half.csv"
for other in "-D sim:hd620,dram=20" "-D sim:hd620 --tpb 8" "-D sim:hd620 --blocks 7"; do
	gives 2 "half a curve is not gone on with by $other" $sweep $other -o "$tmp/half.csv" --resume
	is "$(grep -c "of another sweep: loop launches=20 sim:hd620$" "$tmp/err")" 1 "  ... as is said"
done
$rooftop $sweep -D sim:hd620 --tpb 8 -o "$tmp/narrow.csv" 2> "$tmp/err"
gives 2 "  ... nor without what the first half had" $sweep -D sim:hd620 -o "$tmp/narrow.csv" --resume
sed '2,$s/,[0-9.]*$/,500/' "$tmp/half.csv" > "$tmp/slow.csv"
gives 2 "  ... nor at another clock" $sweep -D sim:hd620 -o "$tmp/slow.csv" --resume
is "$(grep -c 'another highest clock' "$tmp/err")" 1 "  ... as is said"
gives 0 "  ... but at its own" $sweep -D sim:hd620 -o "$tmp/half.csv" --resume
is "$(wc -l < "$tmp/half.csv")" "$(wc -l < "$tmp/kept.csv")" "  ... to its end"
gives 0 "the same sweep goes on" $sweep -D sim:hd620 -o "$tmp/a.csv" --resume
gives 5 "wrong results" $sweep -D sim:hd620,flaw=bitflip -o "$tmp/wrong.csv"
gives 5 "  ... stay wrong when the sweep is resumed" $sweep -D sim:hd620,flaw=bitflip -o "$tmp/wrong.csv" --resume
}
gives 0 "a sweep over groups" sweep private.mad.sp.x4 -D sim:hd620 --launches 20 --csv -o "$tmp/g.csv"
gives 0 "  ... is resumed for its pictures" sweep private.mad.sp.x4 -D sim:hd620 --launches 20 --csv -o "$tmp/g.csv" --resume --plot "$tmp/g.svg"
is "$(grep -L SIMULATED "$tmp"/g-*.svg | wc -l) $([ -e "$tmp/g-gflops.svg" ] && echo drawn)" "0 drawn" "  ... which say that they are simulated"

# --- comparisons ---
compared() { "$rooftop" diff -J -o "$tmp/json" "$@" > /dev/null 2> "$tmp/err"; }
told()
{
	python3 -c 'import json, sys
lines = [json.loads(l) for l in open(sys.argv[1])]
rows = [d for d in lines[1:] if d["metric"].endswith(" gflops")] or lines[1:]
print(lines[0]["before"]["runs"], len(rows), len([d for d in rows if d["moved"] == "no"]))' "$tmp/json"
}
python3 - "$tmp/a.csv" "$tmp/slow.csv" <<'END'
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
for at in (i for i, name in enumerate(rows[0]) if name.startswith('gflops')):
    for row in rows[1:]:
        row[at] = str(float(row[at]) * 0.6) if row[at] else ''
csv.writer(open(sys.argv[2], 'w'), lineterminator='\n').writerows(rows)
END
compared "$tmp/a.csv" "$tmp/slow.csv"
is "$(told)" "1 15 0" "the points of a sweep are no runs: each of the fifteen is told, and none stayed"
cat "$tmp/a.csv" > "$tmp/twice.csv"; tail -n +2 "$tmp/a.csv" >> "$tmp/twice.csv"
gives 3 "a point that stands twice is a mistake" diff "$tmp/twice.csv" "$tmp/a.csv"
head -c -1 "$tmp/a.csv" > "$tmp/cut.csv"
compared "$tmp/cut.csv" "$tmp/a.csv"
is "$(told)" "1 15 15" "a last line without its end counts"
for form in J c; do
	: > "$tmp/all"
	for i in 1 2 3; do
		"$rooftop" run -$form -D sim:g72,load=memory -o "$tmp/one.$i" -- sleep 0.1$i
		cat "$tmp/one.$i" >> "$tmp/all"
	done
	compared "$tmp/all" "$tmp/all"
	is "$(told | cut -d' ' -f1)" 3 "three results in one file are three runs, as -$form"
done
# As if one run's windows did not tell how far they move.
sed 's/"half":[0-9.e-]*/"half":null/' "$tmp/one.1" > "$tmp/blind.csv"
for i in 1 2 3; do "$rooftop" run -J -D sim:g72,load=memory,seed=$i -o "$tmp/n.$i" -- sleep 0.1$i; done
sed 's/"half":[0-9.e-]*/"half":null/' "$tmp/n.1" > "$tmp/n.0"
compared "$tmp/n.0" "$tmp/n.2" -- "$tmp/n.3"; sed 1d "$tmp/json" | grep -o '"metric":"[^"]*"\|"moved":"[a-z]*"' > "$tmp/one"
compared "$tmp/n.2" "$tmp/n.0" -- "$tmp/n.3"; sed 1d "$tmp/json" | grep -o '"metric":"[^"]*"\|"moved":"[a-z]*"' > "$tmp/other"
good "the order of files changes nothing" cmp "$tmp/one" "$tmp/other"
compared "$tmp/n.1" "$tmp/n.2"
is "$(python3 -c '
import json, sys
rows = [d for d in map(json.loads, open(sys.argv[1])) if "metric" in d]
print([d["metric"] for d in rows if d["moved"] == "yes" and d["metric"] != "seconds"])' "$tmp/json")" "[]" "nothing moved between two runs of the same load, which took longer"
printf 'metric,label,mean,unit,runs\nx,X,1,W,1\n' > "$tmp/x.csv"
printf 'metric,label,mean,unit,runs\ny,Y,1,W,1\n' > "$tmp/y.csv"
gives 3 "a comparison that compared nothing fails" diff "$tmp/x.csv" "$tmp/y.csv"
python3 - "$tmp" <<'END'
# Three runs on each side: one figure moves, and forty constants beside it are no tests.
import sys
for side, base in ('b', (10.03, 10.06, 10.00)), ('a', (11.27, 11.30, 11.21)):
    for i, v in enumerate(base):
        with open('%s/%s%d.csv' % (sys.argv[1], side, i), 'w') as f:
            f.write('metric,label,mean,unit,runs\nm,M,%g,W,1\n' % v)
            f.writelines('c%d,C,7,W,1\n' % k for k in range(40))
END
compared "$tmp/b0.csv" "$tmp/b1.csv" "$tmp/b2.csv" -- "$tmp/a0.csv" "$tmp/a1.csv" "$tmp/a2.csv"
is "$(python3 -c '
import json, sys
rows = {d["metric"]: d for d in map(json.loads, open(sys.argv[1])) if "metric" in d}
print(rows["m"]["moved"], rows["m"]["p"] == rows["m"]["p_adjusted"], rows["c7"]["p"], rows["c7"]["moved"])' "$tmp/json")" "yes True None no" "what cannot move is no test"
"$rooftop" -D sim:hd620 --speed max -d 0.1 -n 10 -b -w "$tmp/w.rec" > /dev/null
"$rooftop" -D sim:dg2 --speed max -d 0.1 -n 10 -J > "$tmp/w.json"
gives 0 "a recording and windows in JSON of another device" diff "$tmp/w.rec" "$tmp/w.json"
is "$(grep -c 'the devices differ: Intel HD Graphics 620 before' "$tmp/out")$(grep -c 'quotients' "$tmp/out")" 11 "  ... are told apart by their names, and quotients are left out"
"$rooftop" -D sim:hd620 -D sim:dg2 --speed max -d 0.1 -n 10 -J > "$tmp/two.json"
"$rooftop" -D sim:hd620 --speed max -m memory,euload -d 0.5 -n 9 -J > "$tmp/turns.json" 2> /dev/null
compared "$tmp/turns.json" "$tmp/turns.json"
is "$(python3 -c '
import json, sys
head, *windows = map(json.loads, open(sys.argv[1]))
rows = {d["metric"]: d for d in map(json.loads, open(sys.argv[2])) if "metric" in d}
whole = [w["metrics"]["eu_looks"] for w in windows if w["multiplexed"]["eu_looks"]["age_ms"] == 0]
moves = [n for n in head["no_means"] if len({w["metrics"][n] for w in windows}) > 1]
print(2 < len(whole) < 9, rows["eu_looks"]["before"] == sum(whole), "roof_reachable" in head["no_means"], len(moves) > 1, set(moves) & set(rows))' "$tmp/turns.json" "$tmp/json")" \
	"True True True True set()" "amounts of turns add up, and what has no mean has no row"
gives 0 "  ... " diff "$tmp/turns.json" "$tmp/turns.json"
said "amounts are of the windows of their sets: at least 44 % of the time before" "  ... which says of how much of the time they are"
gives 3 "windows of two devices are no side" diff "$tmp/two.json" "$tmp/w.json"

# --- checks ---
gives 2 "one device that is not there" check sim:hd620 sim:hd62O sim:lnl --level 1 --csv
is "$(cut -d, -f1 "$tmp/out" | sort -u | grep -c 'sim:hd620\|sim:lnl')" 2 "  ... takes no report of another with it"
gives 0 "a file of level 1" check -D sim:hd620 --level 1 --csv -o "$tmp/l1.csv"
gives 5 "  ... has nothing that level 2 measures" check -D sim:hd620 --level 2 --against "$tmp/l1.csv" --csv
is "$(grep -c ',against,.*,failed,.*nothing was compared\|,against,.*nothing was compared.*' "$tmp/out")" 1 "  ... as is said"
gives 0 "a file of level 2" check -D sim:hd620 --level 2 --csv -o "$tmp/l2.csv"
# A card that failed, before a sound one of its kind.
python3 - "$tmp/l2.csv" "$tmp/fleet.csv" <<'END'
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
head = rows[0]
bad = [row[:] for row in rows[1:]]
for row in bad:
    if row[head.index('check')] == 'roof.DRAM':
        row[head.index('value')] = '7'
        row[head.index('verdict')] = 'failed'
csv.writer(open(sys.argv[2], 'w'), lineterminator='\n').writerows([head] + bad + rows[1:])
END
gives 0 "what has failed there is not what is expected here" check -D sim:hd620 --level 2 --against "$tmp/fleet.csv" --csv
is "$(python3 -c '
import csv, sys
rows = [r for r in csv.DictReader(open(sys.argv[1])) if r["check"] == "roof.DRAM" and r["against"] == "file"]
print(len(rows), float(rows[0]["reference"]) > 20 if rows else "")' "$tmp/out")" "1 True" "  ... but the roof of the sound one"

# --- marks of a command ---
cd "$tmp" || exit 1
mkdir -p "$tmp/elsewhere"
marks() { python3 -c 'import json, sys
print(" ".join(d["phase"] for d in map(json.loads, open(sys.argv[1])) if "phase" in d))' "$tmp/marked"; }
"$rooftop" run -J -o "$tmp/marked" --markers m.fifo -D sim:hd620 -- sh -c 'cd elsewhere; for i in 1 2 3; do echo p$i > "$ROOFTOP_MARKERS"; sleep 0.05; done'
is "$(marks) $(ls "$tmp/elsewhere")" "p1 p2 p3 " "the FIFO has its whole path, wherever the command goes"
"$rooftop" run -J -o "$tmp/marked" --markers m.fifo -D sim:hd620 -- python3 -c 'import os
f = open(os.environ["ROOFTOP_MARKERS"], "w", buffering=1)
for i in range(300): print("p%d" % i, file=f)'
is "$(marks | wc -w)" 300 "as many phases as there are marks"
"$rooftop" run -J -o "$tmp/marked" --repeat 2 --markers m.fifo -D sim:hd620 -- sh -c 'echo a > "$ROOFTOP_MARKERS"; sleep 0.05; printf tail > "$ROOFTOP_MARKERS"'
is "$(marks)" "a a" "what one run leaves is nothing of the next"
finish
