# SPDX-License-Identifier: GPL-3.0-or-later
# rooftop calibrate and rooftop roofline: theory, measurement, the file between them, pictures.
. "$top_srcdir/tests/tty/tap.sh"

XDG_STATE_HOME="$tmp/state"
export XDG_STATE_HOME
sim="-D sim:hd620,load=private.mad.sp.x4"
file="$tmp/state/rooftop/roofs-sim_hd620-Intel_HD_Graphics_620"

# value NAME COLUMN: of the CSV of rooftop roofline in $tmp/out
value()
{
	awk -F, -v n="$1" -v c="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $2 == n { print $at[c]; exit }' "$tmp/out"
}

# measured NAME COLUMN: of the CSV of rooftop calibrate in $tmp/cal
measured()
{
	awk -F, -v n="$1" -v c="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 == n { print $at[c]; exit }' "$tmp/cal"
}

near()
{
	is "$(awk -v g="$1" -v w="$2" -v s="$3" 'BEGIN { print (g >= w * (1 - s) && g <= w * (1 + s)) ? "near" : g " is not " w }')" near "$4"
}

gives 3 "a card whose driver counts neither FLOP nor bytes" roofline -D sim:rx7900
is "$(wc -c < "$tmp/out") $(grep -c "metric set overview of 'sim:rx7900' has no roofs" "$tmp/err")" "0 1" "  ... has no table, and a reason"
gives 0 "theory" roofline $sim -c
is "$(value sp.mad theory) $(value dp.mad theory) $(value sp.mad measured)" "403.2 100.8 " "is theory, nothing is measured yet"
near "$(value L3 theory)" 201.6 0.001 "bandwidth of the L3"
is "$(value DRAM theory)" 34.1 "of the memory"
# Points stand after the roofs of the same name.
point=$(grep '^point,GTI,' "$tmp/out")
near "$(echo "$point" | cut -d, -f14)" 400.9 0.01 "the point is where the counters are"
is "$(echo "$point" | cut -d, -f12)" 4 "the ridge is peak over bandwidth"
# Where lines lie, by the picture's own axes: a bandwidth is so many GFLOP/s for each FLOP/B, and a performance is flat.
if command -v python3 > /dev/null; then
	gives 0 "a picture of theory" roofline $sim --plot "$tmp/theory.svg"
	python3 - "$tmp/theory.svg" > "$tmp/points" <<'END'
import math, re, sys
svg = open(sys.argv[1]).read()
ticks = [(float(x), float(y), anchor, float(v)) for x, y, anchor, v in re.findall(r'<text x="([\d.]+)" y="([\d.]+)" text-anchor="(middle|end)">([\d.]+)</text>', svg)]
xs, ys = [(x, v) for x, y, a, v in ticks if a == 'middle'], [(y - 4, v) for x, y, a, v in ticks if a == 'end']
def value(axis, at):
    (p, v), (q, w) = axis[0], axis[-1]
    return v * (w / v) ** ((at - p) / (q - p))
# In the legend a line stands before its text; in the picture it has the same colour.
legend = re.findall(r'stroke="(#\w+)"[^\n]* d="M649[^\n]*\n<text[^>]*>(.*) ([\d.]+) (GB/s|GFLOP/s)</text>', svg)
for colour, name, number, unit in legend:
    d = re.search(r'stroke="%s"[^\n]* d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"' % colour, svg)
    x0, y0, x1, y1 = map(float, d.groups())
    left, right = (value(xs, x0), value(ys, y0)), (value(xs, x1), value(ys, y1))
    got = [y / x for x, y in (left, right)] if unit == 'GB/s' else [left[1], right[1]]
    print(int(x1 <= x0 or any(abs(math.log(g / float(number))) > 0.03 for g in got)), name, 'is', number, unit, 'all along:', *('%.4g' % g for g in got))
print(int(len(legend) < 8), len(legend), 'roofs are drawn')
END
	relay "$tmp/points"
else
	skip 10 "no python3"
fi
gives 0 "clocks" roofline -D sim:hd620,load=idle -c
is "$(value sp.mad theory) $(value sp.mad clock_mhz) $(value sp.mad nominal)" "115.2 300 0" "roofs follow the clock of the window"
is "$(grep -c '^point,GTI,.*nothing to divide by' "$tmp/out")" 1 "an idle device has no point, and a reason"

gives 0 "calibration of a simulated device" calibrate -D sim:hd620 -c DRAM --plot "$tmp/cal.svg"
is "$(grep -c '^DRAM,GB/s,[0-9]' "$tmp/out") $(grep -c -e --keep "$tmp/err") $(find "$tmp/state" -name 'roofs-*' 2> /dev/null | wc -l)" "1 1 0" "prints its roofs, keeps nothing, and says so"
gives 0 "the next start" roofline $sim -c
is "$(value DRAM measured)" "" "takes nothing for measured"
gives 0 "calibration" calibrate -D sim:hd620 -c --keep --plot "$tmp/cal.svg"
is "$(grep -c -e --keep "$tmp/err")" 0 "is kept when that is asked for"
cp "$tmp/out" "$tmp/cal"
is "$(grep -c '^sp.mad,GFLOP/s,' "$tmp/cal") $(grep -c '^SLM,GB/s,[0-9]' "$tmp/cal") $(grep -c '^hp.mad,GFLOP/s,,' "$tmp/cal")" "1 1 1" "has a row for each roof, measured or not"
is "$(measured sp.mad sim)" 1 "says that it is simulated"
is "$(measured sp.mad runs) $(measured sp.mad power_plane) $(awk -v w="$(measured sp.mad package_w)" 'BEGIN { print (w > 5) }')" "1 package 1" "how often it ran, and its power"
is "$(head -1 "$file") $(stat -c %a "$tmp/state/rooftop")" "rooftop-roofs 1 700" "is kept, privately"
gives 0 "roofs again" roofline $sim -c --plot "$tmp/roof.svg"
near "$(value sp.mad measured)" 401.8 0.01 "now measured as well"
near "$(value DRAM measured)" 29 0.01 "memory too"
is "$(value GTI measured)" "" "what was not measured is not"
is "$(value sp.mad kernel | sed "s/x[0-9]*$/x/")" flops.private.mad.sp.x "and with what"
is "$(value sp.mad measured_at | cut -c5)" - "and when"
gives 0 "clocks again" roofline -D sim:hd620,load=idle -c
near "$(value sp.mad measured)" "$(awk 'BEGIN { print 401.8 * 300 / 1050 }')" 0.01 "measured roofs follow the clock too"
near "$(value DRAM measured)" 29 0.01 "memory does not"
kept=$(grep -c '^roof ' "$file")
gives 0 "some roofs" calibrate -D sim:hd620 --keep -c 'dp.*'
is "$(tail -n +2 "$tmp/out" | cut -d, -f1 | tr '\n' ' ') $(grep -c '^roof ' "$file")" "dp.mad dp.add  $kept" "only these are measured, others stay"
for f in cal roof; do
	is "$(grep -c SIMULATED "$tmp/$f.svg") $(grep -c '</svg>' "$tmp/$f.svg")" "1 1" "a picture, $f.svg"
done
gives 0 "text" roofline $sim
is "$(grep -c 'measured on 20' "$tmp/out")" "$kept" "labels what was measured"
is "$(tail -n +2 "$tmp/out" | grep -vc SIMULATED)" 0 "and every line with what it is"
is "$(awk '$1 == "roof" && $6 != "--" { print $6 }' "$tmp/out" | sort -u)" 1050 "clocks are whole"
is "$(awk '$1 == "roof" { print $4; print $7 }' "$tmp/out" | grep -c "[0-9.]\{6,\}")" 0 "numbers have at most four digits"
"$rooftop" roofline -D sim:h100 > "$tmp/out"
is "$(awk '$2 == "tensor.mad" { print $4, $3 }' "$tmp/out")" "1071 TFLOP/s" "  ... and the prefix that this needs"
gives 0 "the list of kernels" stress -D sim:hd620 --list flops.private.mad.sp.x8
is "$(awk '$1 ~ /^flops/ && $2 ~ /^[0-9]+$/' "$tmp/out" | wc -l)" 1 "what is counted has no decimals"
for device in dg2:19660.8:GTI lnl:3993.6:DRAM; do
	name=${device%%:*}
	rest=${device#*:}
	gives 0 "$name has a roofline" roofline -D "sim:$name,load=private.mad.sp.x4" -c $([ "$name" = lnl ] || echo -m memory)
	near "$(value sp.mad theory)" "${rest%%:*}" 1e-6 "of its own peak"
	is "$(value sp.mad sim)" 1 "simulated"
	near "$(grep "^point,${rest#*:}," "$tmp/out" | cut -d, -f14)" "${rest%%:*}" 0.03 "and a point near it"
done
gives 0 "Haswell" roofline -D sim:hsw -c
is "$(value sp.mad nominal) $(grep -c '^point,GTI,.*not count it' "$tmp/out")" "0 1" "has roofs, and says why there is no point"
gives 0 "JSON" roofline $sim -J
if command -v python3 > /dev/null; then
	good "is JSON" python3 -c 'import json,sys
[json.loads(l) for l in open(sys.argv[1])]' "$tmp/out"
else
	skip 1 "no python3"
fi
gives 0 "other sets and devices" roofline -D sim:tgl -m overview -c
is "$(value dp.mad theory)" "" "a device without double precision has no such roof"
gives 0 "a recording" -D sim:hd620,load=stream.sp.x4 --speed max -m memory -b -n 3 -d 0.1 -w "$tmp/rec"
gives 0 "has a roofline" roofline -r "$tmp/rec" -m memory -c
is "$(grep -c '^point,GTI,' "$tmp/out")" 1 "and a point"

# Whoever says what limits a load compares it with the same roof: a window, a command's run and its phases, recordings side by side.
load="-D sim:hd620,load=mem.triad.sp.x8"
answer='MEMORY-BOUND: DRAM ~29.0 of 29.0 GB/s, 100 % (measured), headroom ~1.00x'
gives 0 "windows" $load --speed max -b -n 3 -d 0.1 -w "$tmp/triad"
is "$(grep -cF "$answer" "$tmp/out")" 3 "  ... are compared with what was measured"
gives 0 "a command" run $load -d 0.1 --markers "$tmp/marks" -- sh -c 'echo only > "$ROOFTOP_MARKERS"; sleep 0.3'
is "$(grep -cF "$answer" "$tmp/err")" 2 "  ... and its phase as well"
gives 0 "a command in JSON" run $load -J -o "$tmp/report" -- sleep 0.3
is "$(head -1 "$tmp/report" | grep -c '"roof":28984878720,"source":"measured"')" 1 "  ... which names the source"
gives 0 "two recordings" diff "$tmp/triad" "$tmp/triad"
is "$(grep -cF "$answer" "$tmp/out")" 2 "  ... on both sides"
gives 0 "of two recordings in JSON" diff -J "$tmp/triad" "$tmp/triad"
is "$(head -1 "$tmp/out" | grep -o '"headroom":1[,}]' | wc -l)" 2 "  ... nothing is to be gained"

echo x >> "$file"
gives 0 "a damaged file" roofline $sim -c
is "$(value sp.mad measured) $(grep -c 'checksum is wrong' "$tmp/err") $(grep -c 'rooftop calibrate' "$tmp/err")" " 1 1" "is reported, not trusted"
gives 0 "calibration over it" calibrate -D sim:hd620 --keep -c sp.mad
is "$(grep -c 'checksum is wrong' "$tmp/err") $(grep -c '^roof ' "$file")" "1 1" "says so and replaces it"
"$rooftop" calibrate -D sim:hd620 -c 'no*' > "$tmp/out" 2> "$tmp/err"
is "$? $(grep -c 'roofs: sp.mad' "$tmp/err")" "2 1" "an unknown roof is refused with those that there are"
XDG_STATE_HOME=/dev/null gives 1 "a state folder that is none" calibrate -D sim:hd620 --keep -c sp.mad
gives 2 "a recording cannot be measured" calibrate -r "$tmp/rec"
gives 1 "a picture that cannot be written" roofline $sim --plot /dev/null/x.svg
gives 3 "no device" roofline -D card77
finish
