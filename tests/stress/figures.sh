# SPDX-License-Identifier: GPL-3.0-or-later
# rooftop sweep --figures: every figure of H. Duarte's thesis has its curves, and the numbers of its text come out on the simulated HD 620.
. "$top_srcdir/tests/tty/tap.sh"

sim="-D sim:hd620"
dir=$tmp/figures
mkdir "$dir"
# curves FILE: labels in the legend, which the tests below know. Texts begin with x or have no digit.
curves()
{
	sed -n 's/^<text x="[0-9.]*" y="[0-9.]*" >\(.*\)<\/text>$/\1/p' "$dir/$1" | grep -v published | tr '\n' ' '
}

gives 0 "the figures of the thesis" sweep $sim --figures duarte2018 -o "$dir/all.csv"
cp "$tmp/out" "$tmp/table"
is "$(cd "$dir" && echo fig-*.svg | tr ' ' '\n' | sed 's/fig-//; s/.svg//' | tr '\n' ' ')" \
	"4.04-n1024 4.04 4.05 4.06 4.07-dp 4.07-sp 4.08-dp 4.08-sp 4.09 4.10-apart 4.10 4.11 4.12 4.13 4.14 4.15 4.16 4.17-dp 4.17-sp " "is 4.4 to 4.17"
widths="x1 x2 x4 x8 x16 "
for f in 4.04 4.04-n1024 4.06 4.09 4.11 4.12 4.17-sp 4.17-dp; do
	is "$(curves fig-$f.svg)" "$widths" "figure $f has the five widths"
done
for p in sp dp; do
	is "$(curves fig-4.07-$p.svg)" "add x1 add x2 add x4 add x8 add x16 mad x1 mad x2 mad x4 mad x8 mad x16 " "figure 4.7 has both operations, $p"
	is "$(curves fig-4.08-$p.svg)" "add mad " "figure 4.8 has one curve for each, $p"
	is "$(grep -c "private.*[.]$p" "$dir/fig-4.07-$p.svg")" 1 "and one precision, $p"
done
is "$(curves fig-4.05.svg)" "power.mad.sp.x4 " "figure 4.5 has one curve"
is "$(curves fig-4.10.svg)" "events of OpenCL the machine's clock TIMESTAMP of the GPU GPU clocks over the clock rate " "figure 4.10 has four clocks"
is "$(curves fig-4.10-apart.svg)" "events of OpenCL the machine's clock GPU clocks over the clock rate " "and what they differ by"
# Curves can be told apart: ten colours, and lines that others lie on are wider.
colours()
{
	grep -v dasharray "$dir/$1" | sed -n "s/^<path fill=\"none\" stroke=\"\([^\"]*\)\".*/\1/p" | sort | uniq -c | awk '{ print $1 }' | sort | uniq -c | tr -d '\n'
}
is "$(colours fig-4.07-sp.svg)" "     10 2" "figure 4.7 has ten colours, each of a curve and its key"
is "$(sed -n 's/^<path fill="none" .* stroke-width="\([0-9.]*\)".*/\1/p' "$dir/fig-4.10.svg" | sort -n | uniq -c | tr -s ' ' | tr -d '\n')" \
	" 2 1.6 2 3.2 2 4.8 2 6.4" "four clocks that agree have four widths"
is "$(grep -v dasharray "$dir/fig-4.04.svg" | sed -n 's/^<path fill="none" .* stroke-width="\([0-9.]*\)".*/\1/p' | sort -u)" 1.6 "and curves apart have one"
for f in 4.13 4.14 4.15 4.16; do
	is "$(grep -c '^<rect .*fill="#1f5fa8"' "$dir/fig-$f.svg")" 5 "figure $f has five bars"
done
is "$(grep -lE 'title.*package less cores less DRAM' "$dir"/fig-*.svg | wc -l)" 8 "every figure of watts names their plane"
is "$(grep -L SIMULATED "$dir"/fig-*.svg | wc -l)" 0 "all say that they are simulated"
is "$(sed -n 's/.*>\(published [0-9.]*, [a-z]*\)<.*/\1/p' "$dir/fig-4.04.svg" "$dir/fig-4.09.svg" "$dir/fig-4.12.svg" "$dir/fig-4.13.svg" | tr '\n' ';')" \
	"published 399.02, largest;published 191.99, largest;published 11.72, mean;published 11.45, mean;" "what the paper prints stands beside what was measured"
is "$(grep -lE "class=\"note\">clock 1050 MHz; rooftop [0-9.]+, $(date +%Y)-[0-9]{2}-[0-9]{2}" "$dir"/fig-*.svg | wc -l)" 19 "all say clock, version and date"
is "$(sed -n 's/.*>\(W, axis from [0-9.]*\)<.*/\1/p' "$dir/fig-4.12.svg") $(grep -c 'axis from 11' "$dir/fig-4.14.svg")" "W, axis from 4 1" "values that differ little have an axis that shows it"
is "$(sed -n 's/^<rect .* height="\([0-9.]*\)" fill="#1f5fa8".*/\1/p' "$dir/fig-4.14.svg" | sort -u)" 4.0 "bars that do not begin at 0 have no length that could be compared"
# What the axes show: a linear x from 0.
is "$(sed -n 's/.*text-anchor="middle">\([0-9]*\)<.*/\1/p' "$dir/fig-4.04.svg" | tr '\n' ' ')" "0 5 10 15 20 25 " "axes are linear"

is "$(grep -cE ' (inside|same)( |$)' "$tmp/table") $(grep -cE ' (outside|other)( |$)' "$tmp/table")" "29 0" "all numbers of the text come out"
is "$(grep -c 'SIMULATED\|(simulated)' "$tmp/table")" 1 "on what is said"
is "$(tail -1 "$tmp/table")" "The device is simulated: that it agrees with duarte2018 is no independent evidence." "a model says that it is one"
is "$(tail -2 "$tmp/table" | head -1)" "Fastest are vectors of 2, 4 and 8 (400.6 GFLOP/s, at whatever number of work-groups). Least energy take vectors of 4 (35.3 GFLOP/s per W of package less \
cores less DRAM). Work-groups are best in multiples of 3." "and what they come to"
gives 0 "as CSV" sweep $sim --figures duarte2018 -o "$dir/all.csv" --resume -c
is "$(head -1 "$tmp/out")" "check,where,published,here,ratio,within_pct,result,unit,why" "has a head"
is "$(awk -F, 'NR > 1 && $(NF - 4) != "" && $0 !~ /,> 1,/ { r = $(NF - 4); if (r < 0.95 || r > 1.05) print }' "$tmp/out")" "" "and ratios near 1"
gives 0 "as JSON" sweep $sim --figures duarte2018 4.09 -o "$dir/json.csv" -J
is "$(grep -c '^{"v":1,"check":"' "$tmp/out")" 29 "a line each"

# The checks can fail: another GPU has other numbers, and one without double precision has none.
mkdir "$tmp/tgl"
gives 0 "Tiger Lake" sweep -D sim:tgl --figures duarte2018 -o "$tmp/tgl/all.csv"
is "$(grep -c ' outside ' "$tmp/out") $(grep -c 'fig-4.07-dp.svg: nothing to draw, because none of its kernels ran' "$tmp/out")" "5 1" "is another machine, without double precision"
is "$(tail -2 "$tmp/out" | grep -c 'multiples of 6')" 1 "with six subslices"
gives 0 "two devices in one picture" sweep -D sim:tgl --figures duarte2018 4.04 -o "$tmp/tgl/two.csv" --with "$dir/all.csv"
is "$(grep -c '>x4, Intel' "$tmp/tgl/fig-4.04.svg")" 2 "have a curve each"

# Some figures, and other planes.
mkdir "$tmp/some"
gives 0 "some figures" sweep $sim --figures duarte2018 4.09 '4.1[35]' -o "$tmp/some/s.csv" --power-plane package
is "$(cd "$tmp/some" && echo *)" "fig-4.09.svg fig-4.13.svg fig-4.15.svg s.csv" "are drawn alone"
is "$(grep -c '(package)' "$tmp/some/fig-4.13.svg")" 1 "with the plane that was asked for"
is "$(grep -c ' watts of another plane$' "$tmp/out") $(grep -c ' W .*\(inside\|outside\)' "$tmp/out")" "14 0" "whose watts are not compared with the paper's"
is "$(grep -c '^mad, single precision .* -- .* not run here$' "$tmp/out")" 1 "and what did not run says so"
cut -d, -f1 "$tmp/some/s.csv" | sort -u > "$tmp/kernels"
is "$(wc -l < "$tmp/kernels")" 11 "and nothing else runs"
is "$(cd "$tmp/some" && "$rooftop" sweep $sim --figures duarte2018 4.05 > /dev/null 2>&1; echo $? *)" \
	"0 duarte2018.csv fig-4.05.svg fig-4.09.svg fig-4.13.svg fig-4.15.svg s.csv" "the file is called after the paper"
"$rooftop" sweep $sim --figures duarte2018 9.9 > "$tmp/out" 2> "$tmp/err"
is "$? $(grep -c "'9.9' is no figure" "$tmp/err")" "2 1" "a figure that does not exist"
"$rooftop" sweep $sim --figures thesis > "$tmp/out" 2> "$tmp/err"
is "$? $(grep -c 'papers: duarte2018' "$tmp/err")" "2 1" "nor a paper"
gives 0 "papers are listed" sweep --figures help
is "$(grep -c '^duarte2018 ' "$tmp/out")" 1 "with their titles"
for bad in "--over tpb" "--blocks 3" "--tpb 64" "--loop 9" "--plot $tmp/x.svg" "-o -"; do
	gives 2 "--figures with $bad" sweep $sim --figures duarte2018 $bad
done
gives 2 "--figures with another command" stress $sim --figures duarte2018 mem.copy.sp.x4
gives 1 "a folder that does not exist" sweep $sim --figures duarte2018 4.05 -o "$tmp/none/x.csv"

# A file of one's own, and what may be wrong in it.
cat > "$tmp/mine.figures" << END
paper mine "My paper"
figure 1 "One figure" # a comment
kernels mem.copy.sp.x4
x groups
y gbytes_per_s
log x
check "a number" "p. 1"
value 190 GB/s 5
take max gbytes_per_s mem.copy.*
END
gives 0 "a paper of one's own" sweep $sim --figures "$tmp/mine.figures" -o "$tmp/mine.csv"
is "$(grep -c '^a number .* inside ' "$tmp/out") $(ls "$tmp/fig-1.svg")" "1 $tmp/fig-1.svg" "is reproduced too"
# However many kernels there are: the largest number is that of all rows, every kernel has its curve, and each curve a name of its own.
sed 's/^kernels .*/kernels *.x8 *.x16/; s/^y .*/y gflops gbytes_per_s/; s/^take .*/take max gflops */' "$tmp/mine.figures" > "$tmp/many.figures"
gives 0 "a paper with many kernels" sweep $sim --figures "$tmp/many.figures" --launches 1 -o "$tmp/many.csv"
good "  ... leaves none out" python3 -c '
import csv, re, sys
rows, said, picture = list(csv.DictReader(open(sys.argv[1]))), open(sys.argv[2]).read(), open(sys.argv[3]).read()
curves = {(r["kernel"], y) for r in rows for y in ("gflops", "gbytes_per_s") if r[y]}
here = max(float(r["gflops"]) for r in rows if r["gflops"])
assert float(re.search(r"^a number +p. 1 +190 +([0-9.e]+)", said, re.M)[1]) == float("%.4g" % here), (said, here)
labels = re.findall(r">([^<]*, (?:gflops|gbytes_per_s))</text>", picture)
assert len(set(labels)) == len(labels) == len(curves) > 200 and "%d curves" % len(curves) in said, (len(labels), len(set(labels)), len(curves))
' "$tmp/many.csv" "$tmp/out" "$tmp/fig-1.svg"
for wrong in 's/^figure 1/figur 1/:2' 's/"One figure"/"One figure/:2' 's/^value 190/value x/:8' 's/^take max/take most/:9' 's/^kernels .*/kernels/:3' \
	's/^y .*/y a b c d e/:5' 's/^log x/log z/:6' 's/figure 1/figure a\/b/:2'; do
	sed "${wrong%:*}" "$tmp/mine.figures" > "$tmp/bad.figures"
	"$rooftop" sweep $sim --figures "$tmp/bad.figures" -o "$tmp/bad.csv" > "$tmp/out" 2> "$tmp/err"
	is "$? $(grep -c "bad.figures:${wrong##*:}: " "$tmp/err")" "1 1" "line ${wrong##*:} is named: ${wrong%:*}"
done
sed '/^take/d' "$tmp/mine.figures" > "$tmp/bad.figures"
gives 1 "a check that takes nothing" sweep $sim --figures "$tmp/bad.figures" -o "$tmp/bad.csv"
: > "$tmp/bad.figures"
gives 1 "an empty file" sweep $sim --figures "$tmp/bad.figures" -o "$tmp/bad.csv"
gives 1 "no file" sweep $sim --figures "$tmp/none.figures" -o "$tmp/bad.csv"
gives 1 "--with no file" sweep $sim --figures "$tmp/mine.figures" -o "$tmp/mine.csv" --with "$tmp/none.csv"
gives 2 "--with without a picture" sweep $sim --with "$tmp/mine.csv" mem.copy.sp.x4
finish
