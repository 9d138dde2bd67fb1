# SPDX-License-Identifier: GPL-3.0-or-later
# rooftop sweep on the simulated HD 620: the structure of the model gives figures 4.4, 4.6, 4.8 and 4.9 of H. Duarte's thesis (2018),
# the teeth of its figures 4.11, 4.12 and 4.17 and the peaks of its chapter 5; files, pictures, and going on after an interruption.
. "$top_srcdir/tests/tty/tap.sh"

sim="-D sim:hd620"
# value KERNEL GROUPS COLUMN: of the CSV in $tmp/csv
value()
{
	awk -F, -v k="$1" -v g="$2" -v c="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 == k && $at["groups"] == g { print $at[c] }' "$tmp/csv"
}

# best KERNEL COLUMN
best()
{
	awk -F, -v k="$1" -v c="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 == k && $at[c] > b { b = $at[c] } END { print b }' "$tmp/csv"
}

near()
{
	is "$(awk -v g="$1" -v w="$2" -v s="$3" 'BEGIN { print (g >= w * (1 - s) && g <= w * (1 + s)) ? "near" : g " is not " w }')" near "$4"
}

less()
{
	is "$(awk -v a="$1" -v b="$2" 'BEGIN { print (a < b) ? "less" : a " is not less than " b }')" less "$3"
}

gives 0 "all kernels of the figures" sweep $sim -o "$tmp/csv" --plot "$tmp/pic.svg" 'flops.private.mad.sp.*' \
	'flops.private.mad.dp.x1' 'flops.private.add.?p.x1' 'mem.copy.sp.*' 'power.mad.sp.x4'
is "$(wc -c < "$tmp/out") $(grep -vc ' was compiled for SIMD ' "$tmp/err")" "0 0" "is silent but for its files and the SIMD of wide types"
is "$(grep -c 'flops.private.mad.sp.x16 was compiled for SIMD 16, x1 for SIMD 32' "$tmp/err") $(grep -c 'sp.x4 was' "$tmp/err")" "1 0" "which is said once, where it is narrower"
is "$(value flops.private.mad.sp.x16 3 simd) $(value flops.private.mad.sp.x16 3 spill_bytes)" "16 " "and a column; what the model has not is empty"
# Chapter 5.
near "$(best flops.private.mad.sp.x1 gflops)" 399.0 0.01 "peak of mad in single precision"
near "$(best flops.private.mad.dp.x1 gflops)" 100.0 0.01 "in double precision"
near "$(best flops.private.add.sp.x1 gflops)" 200.0 0.01 "peak of add in single precision"
near "$(best flops.private.add.dp.x1 gflops)" 50.0 0.01 "in double precision"
near "$(best mem.copy.sp.x4 gbytes_per_s)" 192.0 0.02 "bandwidth of copies of vectors of 4"
less "$(best mem.copy.sp.x16 gbytes_per_s)" "$(best mem.copy.sp.x1 gbytes_per_s)" "vectors of 16 copy slower than scalars"
less "$(best mem.copy.sp.x8 gbytes_per_s)" "$(best mem.copy.sp.x4 gbytes_per_s)" "and those of 8 than those of 4"
near "$(best flops.private.mad.sp.x4 flop_per_cycle)" 380 0.02 "FLOP/cycle"
# Figure 4.4: peaks at multiples of three subslices.
for k in 3 6 9 12 15 18; do
	less "$(value flops.private.mad.sp.x16 $((k + 1)) gflops)" "$(value flops.private.mad.sp.x16 $k gflops)" "$k groups are faster than $((k + 1))"
	[ $k -lt 18 ] || break
done 2> /dev/null
near "$(awk -v a="$(value power.mad.sp.x4 4 gflops)" -v b="$(best power.mad.sp.x4 gflops)" 'BEGIN { print a / b }')" \
	"$(value power.mad.sp.x4 4 model)" 0.03 "4 groups are where the model line is, in launches that are long"
is "$(value flops.private.mad.sp.x16 4 model)" 0.6666666666666666 "which is k / (S * ceil(k / S))"
# The launch itself tells which subslices have a group more, so that each dip has a name; all have as many at multiples of three.
is "$(value power.mad.sp.x4 4 busiest):$(value power.mad.sp.x4 5 busiest):$(value power.mad.sp.x4 6 busiest):$(value power.mad.sp.x4 7 busiest)" \
	"S0SS0:S0SS0 S0SS1::S0SS0" "each dip names the subslices that have more groups"
# Figures 4.9, 4.11 and 4.12, 4.17: bandwidth, power and efficiency have the same teeth.
less "$(value mem.copy.sp.x8 4 gbytes_per_s)" "$(value mem.copy.sp.x8 3 gbytes_per_s)" "bandwidth has the teeth as well"
less "$(value power.mad.sp.x4 7 package_w)" "$(value power.mad.sp.x4 6 package_w)" "power has"
less "$(value power.mad.sp.x4 7 gflops_per_w)" "$(value power.mad.sp.x4 6 gflops_per_w)" "efficiency has"
# Figures 4.4 and 4.6: wider types need fewer groups; 4.8: 256, 512, 768 items are one, two, three subslices.
less "$(value flops.private.mad.sp.x1 3 gflops)" "$(value flops.private.mad.sp.x16 3 gflops)" "wide vectors need fewer groups"
is "$(value flops.private.mad.sp.x4 3 items)" 768 "items are groups times their size"
near "$(awk -v a="$(value flops.private.mad.sp.x4 1 flop_per_cycle)" -v b="$(value flops.private.mad.sp.x4 3 flop_per_cycle)" 'BEGIN { print a / b }')" \
	0.3333 0.01 "256 items are a third"
# Figure 4.10: clocks of a launch.
for clock in timestamp cycles; do
	near "$(value flops.private.mad.sp.x1 18 ${clock}_us)" "$(value flops.private.mad.sp.x1 18 event_us)" 0.015 "events and $clock agree"
done
less "$(value flops.private.mad.sp.x1 18 event_us)" "$(value flops.private.mad.sp.x1 18 wall_us)" "the host's clock has the pauses between launches as well"
for f in gflops flop-per-cycle gbytes watts gflops-per-w timers; do
	is "$(grep -c '</svg>' "$tmp/pic-$f.svg")" 1 "a picture of $f"
done
if command -v python3 > /dev/null; then
	good "pictures are XML" python3 -c 'import sys, xml.dom.minidom
for f in sys.argv[1:]: xml.dom.minidom.parse(f)' "$tmp"/pic-*.svg
else
	skip 1 "no python3"
fi
is "$(grep -c 'stroke-dasharray' "$tmp/pic-gflops.svg" | awk '{ print ($1 > 0) }')" 1 "the model line is dotted"
is "$(grep -c SIMULATED "$tmp/pic-watts.svg")" 1 "pictures say that they are simulated"

# An interrupted sweep: half of the rows and a torn one.
gives 0 "a small sweep" sweep $sim -o "$tmp/full" flops.private.mad.sp.x8
head -9 "$tmp/full" > "$tmp/part"
tail -1 "$tmp/full" | cut -c1-40 | tr -d '\n' >> "$tmp/part"
gives 0 "goes on" sweep $sim --resume -o "$tmp/part" flops.private.mad.sp.x8
cut -d, -f1,2 "$tmp/full" > "$tmp/keys"
good "to the same points" sh -c 'cut -d, -f1,2 "$2/part" | cmp - "$1"' sh "$tmp/keys" "$tmp"
good "keeping what was there" sh -c 'head -9 "$2" | cmp - "$1"' sh "$(head -9 "$tmp/full" > "$tmp/nine"; echo "$tmp/nine")" "$tmp/part"
cp "$tmp/part" "$tmp/before"
gives 0 "goes on with nothing left" sweep $sim --resume -o "$tmp/part" flops.private.mad.sp.x8
good "and changes nothing" cmp "$tmp/before" "$tmp/part"
gives 0 "--resume without a file begins" sweep $sim --resume -o "$tmp/new" flops.private.mad.sp.x8
good "with the same" cmp "$tmp/full" "$tmp/new"
echo "kernel,groups" > "$tmp/alien"
gives 1 "another file is not gone on with" sweep $sim --resume -o "$tmp/alien" flops.private.mad.sp.x8
is "$(cat "$tmp/alien")" "kernel,groups" "nor touched"
sed '3s/,2,/,x,/' "$tmp/full" > "$tmp/bad"
gives 1 "nor one with a wrong number" sweep $sim --resume -o "$tmp/bad" flops.private.mad.sp.x8
gives 2 "--resume without -o" sweep $sim --resume flops.private.mad.sp.x8
gives 2 "--blocks" sweep $sim --blocks 3 flops.private.mad.sp.x8
gives 0 "runs of the usual length" sweep $sim --over loop --repeat 10 -o "$tmp/usual" flops.private.mad.sp.x8
gives 2 "are no points of longer ones" sweep $sim --over loop --power-smoothing --resume -o "$tmp/usual" flops.private.mad.sp.x8
# What was asked for is compared whole, however long it is.
long=sim:hd620,dram=28,watts=14,l3=512,delivers=95,cores=3,seed=12345,span-offset=10,span-apart=12,span-drift=3,span-jitter=4,span-lost=10
gives 0 "a device with many words" sweep -D $long,heat=900 --over loop -o "$tmp/long" flops.private.mad.sp.x8
gives 2 "is no other one, whose last word differs" sweep -D $long,heat=500 --over loop --resume -o "$tmp/long" flops.private.mad.sp.x8
gives 2 "--resume with another command" stress $sim --resume private.mad.sp.x4
gives 1 "a picture that cannot be written" sweep $sim -o "$tmp/x" --plot /dev/null/pic.svg flops.private.mad.sp.x8

# Several runs of a point; those of the model are alike.
gives 0 "three runs of each point" sweep $sim -o "$tmp/csv" --repeat 3 --time 0.1 flops.private.mad.sp.x8
is "$(value flops.private.mad.sp.x8 3 runs) $(cut -d, -f1,2 "$tmp/csv" | sort | uniq -d | wc -l)" "3 0" "are one row"
near "$(value flops.private.mad.sp.x8 3 gflops_min)" "$(value flops.private.mad.sp.x8 3 gflops)" 0.01 "with the smallest"
near "$(value flops.private.mad.sp.x8 3 package_w_max)" "$(value flops.private.mad.sp.x8 3 package_w)" 0.01 "and the largest"
gives 0 "smoothed power" sweep $sim -o "$tmp/csv" --power-smoothing --power-plane duarte power.mad.sp.x8
is "$(value power.mad.sp.x8 3 runs) $(awk -v s="$(value power.mad.sp.x8 3 seconds)" 'BEGIN { print (s >= 1) }') $(value power.mad.sp.x8 3 power_plane)" \
	"10 1 duarte" "is of ten runs of a second"
is "$(grep -c 'upper bound' "$tmp/err")" 1 "and of a plane that is no more than an upper bound"
near "$(value power.mad.sp.x8 3 duarte_w_max)" "$(value power.mad.sp.x8 3 duarte_w)" 0.01 "whose name the columns have"
near "$(value power.mad.sp.x8 3 gflops_per_w)" "$(awk -v a="$(value power.mad.sp.x8 3 gflops)" -v w="$(value power.mad.sp.x8 3 duarte_w)" 'BEGIN { print a / w }')" \
	0.001 "and efficiency is by it"
gives 0 "another plane" sweep $sim -o "$tmp/csv" --time 0.1 --plot "$tmp/plane.svg" --power-plane gpu flops.private.mad.sp.x8
good "is in the title" grep -q 'Power over work-groups (GPU plane)' "$tmp/plane-watts.svg"
gives 1 "and does not go on with a file of a third" sweep $sim --resume -o "$tmp/csv" --time 0.1 flops.private.mad.sp.x8
gives 0 "JSON" sweep $sim -J flops.private.mad.sp.x8
is "$(grep -c '^{"v":1,"kernel":"flops.private.mad.sp.x8"' "$tmp/out")" "$(($(wc -l < "$tmp/full") - 1))" "has a line for each point"
finish
