# SPDX-License-Identifier: GPL-3.0-or-later
# rooftop diff: what moved between recordings, runs and results, by answers that are known before.
. "$top_srcdir/tests/tty/tap.sh"

memory="sim:hd620,load=mem.copy.sp.x1"
pipes="sim:hd620,load=private.mad.sp.x4"
# record FILE DEVICE WINDOWS
record()
{
	"$rooftop" -D "$2" -b -n "$3" -d 0.05 --speed max -w "$tmp/$1" > /dev/null 2>&1 || echo "no recording $1"
}
# compared ARGUMENT...: the JSON of a comparison in $tmp/json
compared()
{
	"$rooftop" diff -J -o "$tmp/json" "$@" > /dev/null 2> "$tmp/err"
}
# head KEY..., field METRIC KEY: of $tmp/json
head_of()
{
	python3 -c 'import json, sys
v = json.loads(open(sys.argv[1]).readline())
for k in sys.argv[2:]: v = v[k]
print(v)' "$tmp/json" "$@"
}
field()
{
	python3 -c 'import json, sys
print([d for d in map(json.loads, open(sys.argv[1])) if d.get("metric") == sys.argv[2]][0][sys.argv[3]])' "$tmp/json" "$1" "$2"
}
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }

# --- recordings ---
record a.rec $memory 12
record b.rec $pipes 12
gives 0 "two recordings" diff "$tmp/a.rec" "$tmp/b.rec"
is "$(grep -c 'BANDWIDTH-BOUND: L3' "$tmp/out") $(grep -c 'PIPE FULL' "$tmp/out") $(grep -c '^before  SIM\|^after   SIM' "$tmp/out")" "1 1 2" \
	"have a verdict each, and are simulated"
is "$(grep -c 'one run on a side allows no test' "$tmp/out") $(grep -c 'Welch' "$tmp/out")" "1 0" "one run each is no statement about chance"
compared "$tmp/a.rec" "$tmp/b.rec"
is "$(head_of test) $(field gflops_sp p) $(field gflops_sp moved)" "None None yes" "so there is no p, but what moved"
is "$(python3 -c 'print(abs('"$(field gflops_sp after)"' - 400) < 4, abs('"$(field l3_shader_throughput before)"' - 169.7) < 2, '"$(field eu_stall change_pct)"' < -99)')" \
	"True True True" "by as much as the loads say"
is "$(head_of before kind) $(head_of before bound) $(head_of after kind)" "bandwidth l3 pipe" "and the limits in JSON"
# Seven groups on three subslices: the EUs rest too little for too few groups, were it not that the cells of the map tell who rests.
"$rooftop" -D sim:hd620,load=private.mad.sp.x4,groups=7,items=256 -m dispatch --speed max -b -n 4 -d 0.5 -w "$tmp/uneven.rec" > /dev/null 2>&1
compared "$tmp/uneven.rec" "$tmp/b.rec"
is "$(head_of before kind) $(head_of before bound)" "parallelism groups" "joined windows have cells, which uneven subslices are told by"
# The spread of windows, by another road: the same recording as JSON, with Python's statistics. tests/stress/sums.sh has the values.
"$rooftop" -r "$tmp/a.rec" --speed max -d 0.05 -J > "$tmp/windows"
compared -d 0.05 "$tmp/a.rec" "$tmp/b.rec"
is "$(python3 -c '
import json, statistics, sys
rows = {d["metric"]: d for d in map(json.loads, open(sys.argv[1])) if "metric" in d}
seen = [d["metrics"] for d in map(json.loads, open(sys.argv[2])) if "metrics" in d and d["window_ms"] >= 25]
bad = []
for m, row in rows.items():
    v = [s[m] for s in seen if s.get(m) is not None]
    mean = statistics.fmean(v)
    # the spread is relative to the value, and never less than the deviation but for the factor of n
    sd = statistics.pstdev(v) * abs(row["before"] / mean) if mean else 0
    if row["before_spread"] is not None and row["before_spread"] < sd * (1 - 1e-9) - 1e-12:
        bad.append((m, sd, row["before_spread"]))
print(bad or len(rows) > 50)' "$tmp/json" "$tmp/windows")" True "spreads are those of the windows"
compared "$tmp/a.rec" "$tmp/a.rec"
is "$(head_of moved) $(head_of unknown)" "0 0" "the same recording twice: nothing moved"
compared -d 0.05 "$tmp/windows" "$tmp/a.rec"
is "$(head_of moved)" 0 "nor from its windows as JSON"

# --- what is not the same on both sides is said ---
record t.rec sim:tgl,load=$(echo $memory | sed 's/.*load=//') 6
"$rooftop" -D sim:chv -m overview -b -n 6 -d 0.05 --speed max -w "$tmp/x.rec" > /dev/null
gives 0 "two devices" diff "$tmp/a.rec" "$tmp/t.rec"
is "$(grep -c 'the devices differ: Intel HD Graphics 620 before' "$tmp/out")" 1 "are named"
a=$("$rooftop" diff "$tmp/a.rec" "$tmp/t.rec" -- "$tmp/a.rec" | grep '^the devices differ')
is "$("$rooftop" diff "$tmp/t.rec" "$tmp/a.rec" -- "$tmp/a.rec" | grep '^the devices differ: .*620, .*Xe.* before, Intel HD Graphics 620 after')" "$a" "  ... all of a side, in whatever order"
# Three of a side, in each order: the names stand in one.
named=$(for order in "a t x" "a x t" "t a x" "t x a" "x a t" "x t a"; do
	# shellcheck disable=SC2046
	"$rooftop" diff $(for f in $order; do echo "$tmp/$f.rec"; done) -- "$tmp/a.rec" | grep '^the devices differ'
done | sort -u)
is "$(echo "$named" | wc -l) $(echo "$named" | grep -c 'Intel Graphics.*Intel HD Graphics 620.*Intel Iris')" "1 1" "  ... also of three"
"$rooftop" -D $memory -m overview -b -n 6 -d 0.05 --speed max -w "$tmp/o.rec" > /dev/null
gives 0 "two sets" diff "$tmp/a.rec" "$tmp/o.rec"
is "$(grep -c 'the metric sets differ: memory before, overview after' "$tmp/out") $(grep -c 'only before' "$tmp/out")" "1 1" "are named, and what only one has is counted"
"$rooftop" -D $memory -b -n 6 -d 0.4 --speed max -w "$tmp/long.rec" > /dev/null
gives 0 "two lengths of windows" diff "$tmp/a.rec" "$tmp/long.rec"
is "$(grep -c 'the windows differ: 0.[01]' "$tmp/out")" 1 "are named"

# --- results of run, several runs, and a test by its name ---
# One run has a spread where it has several windows, of which a busy machine leaves some out.
for i in 1 2 3; do
	"$rooftop" run -D $memory -d 0.02 -J -o "$tmp/m$i" -- sleep 0.5
	"$rooftop" run -D $pipes -d 0.02 -J -o "$tmp/p$i" -- sleep 0.5
done
gives 0 "three runs on each side" diff "$tmp/m1" "$tmp/m2" "$tmp/m3" -- "$tmp/p1" "$tmp/p2" "$tmp/p3"
is "$(grep -c "Welch's t test" "$tmp/out") $(grep -c ', runs: 3' "$tmp/out")" "1 2" "have a test with a name and a number of runs"
compared "$tmp/m1" "$tmp/m2" "$tmp/m3" -- "$tmp/p1" "$tmp/p2" "$tmp/p3"
is "$(python3 -c '
import json, math, statistics, sys
def p_of(a, b):
    # Welch, with the deviation of which less than a thousandth is not believed, and p by integration of the density
    m = [statistics.fmean(a), statistics.fmean(b)]
    floor = 1e-3 * max(map(abs, m))
    v = [max(statistics.variance(x), floor * floor) / len(x) for x in (a, b)]
    if min(a + b) == max(a + b): return None
    t = abs(m[1] - m[0]) / math.sqrt(sum(v))
    n = sum(v) ** 2 / (v[0] ** 2 / (len(a) - 1) + v[1] ** 2 / (len(b) - 1))
    # the tail beyond t, by x = tan(u)
    steps = 20000
    lo = math.atan(t); h = (math.pi / 2 - lo) / steps
    c = math.exp(math.lgamma((n + 1) / 2) - math.lgamma(n / 2)) / math.sqrt(n * math.pi)
    return 2 * c * h * sum((1 + math.tan(lo + (i + 0.5) * h) ** 2 / n) ** (-(n + 1) / 2) / math.cos(lo + (i + 0.5) * h) ** 2 for i in range(steps))
def runs(names):
    out = {}
    for n in names:
        for d in map(json.loads, open(n)):
            if "metric" in d and d["mean"] is not None: out.setdefault(d["metric"], []).append(d["mean"])
            if d.get("header"): out.setdefault("seconds", []).append(d["seconds"])
    return out
a, b = runs(sys.argv[2:5]), runs(sys.argv[5:8])
bad = []; n = 0
for d in map(json.loads, open(sys.argv[1])):
    if "metric" not in d or d["metric"] not in a: continue
    want = p_of(a[d["metric"]], b[d["metric"]]); n += 1
    if want is None or d["p"] is None:
        if want is not d["p"]: bad.append((d["metric"], want, d["p"]))
        continue
    if abs(want - d["p"]) > 1e-4 * max(want, 1e-6): bad.append((d["metric"], want, d["p"]))
print(bad or n > 50)' "$tmp/json" "$tmp/m1" "$tmp/m2" "$tmp/m3" "$tmp/p1" "$tmp/p2" "$tmp/p3")" True "whose p is that of a program of its own"
is "$(head_of test) $(head_of correction) $(field gflops_sp moved) $(field gflops_sp runs_before)" "Welch's t test Benjamini-Hochberg yes 3" "in JSON as well"
"$rooftop" run -D $memory -J --repeat 3 -o "$tmp/r1" -- sleep 0.1
"$rooftop" run -D $pipes -J --repeat 3 -o "$tmp/r2" -- sleep 0.1
compared "$tmp/r1" "$tmp/r2"
is "$(head_of before runs) $(head_of test) $(field gflops_sp moved) $(field power_package.total unit)" "3 Welch's t test yes J" "--repeat has its runs in one file"
"$rooftop" run -D $memory --repeat 3 -w "$tmp/r.rec" -J -o "$tmp/r3" -- sleep 0.1
compared "$tmp/r.rec" "$tmp/r3"
is "$(head_of before runs) $(head_of moved) $(field eu_active runs_before) $(head_of notes)" "3 0 3 []" "  ... or in one recording"
"$rooftop" -D $memory -J -n 2 -d 0.05 --speed max > "$tmp/windows"
cat "$tmp/m1" "$tmp/windows" > "$tmp/both"
compared "$tmp/both" "$tmp/windows"
is "$(head_of before runs) $(head_of after runs)" "2 1" "  ... also one of a command and one of windows"
compared "$tmp/m1" "$tmp/p1"
is "$(field seconds moved | sed 's/^no$/unknown/') $(field gpu_time moved | sed 's/^no$/unknown/') $(field gflops_sp moved)" "unknown unknown yes" "one run has no spread of its time"
"$rooftop" diff "$tmp/m1" "$tmp/p1" > "$tmp/text"
is "$(grep -c "^[0-9]* moved, [0-9]* did not; $(head_of unknown) are unknown: too few windows or runs for a spread" "$tmp/text")" 1 "  ... and the text says how many"
compared "$tmp/m1" "$tmp/m2" "$tmp/m3" -- "$tmp/p1"
is "$(head_of test) $(field gflops_sp moved)" "None yes" "nor has one run beside three a p"

# --- kernels ---
"$rooftop" stress -D sim:hd620 mem.copy.sp.x1 private.mad.sp.x1 --time 0.05 --repeat 3 -c -o "$tmp/s.csv"
"$rooftop" stress -D sim:hd620 mem.copy.sp.x1 private.mad.sp.x1 --time 0.05 --repeat 3 -J -o "$tmp/s.json"
compared "$tmp/s.csv" "$tmp/s.json"
is "$(head_of moved) $(head_of before runs) $(field 'mem.copy.sp.x1 gbytes_per_s' moved)" "0 3 no" "stress: CSV and JSON of the same kernels are the same"
"$rooftop" stress -D sim:hd620,setting=525 mem.copy.sp.x1 private.mad.sp.x1 --time 0.05 --repeat 3 -c -o "$tmp/half.csv"
compared "$tmp/s.csv" "$tmp/half.csv"
is "$(field 'flops.private.mad.sp.x1 gflops' moved)" yes "a smaller device moves them"
"$rooftop" stress -D sim:hd620,flaw=bitflip private.mad.sp.x1 --time 0.05 --power-plane gpu -c -o "$tmp/bad.csv" 2> "$tmp/err"
compared "$tmp/s.csv" "$tmp/bad.csv"
is "$(head_of notes | grep -o 'kernels were wrong') $(grep -c per_w "$tmp/json") $(field 'flops.private.mad.sp.x1 gpu_w' moved)" "kernels were wrong 0 no" "wrong results are told, and a plane is no other value of another one"
"$rooftop" sweep -D sim:hd620 mem.copy.sp.x1 --time 0.02 -c -o "$tmp/w.csv"
compared "$tmp/w.csv" "$tmp/w.csv"
is "$(head_of moved) $(sed -n 's/.*"metric":"mem.copy.sp.x1 groups=2 group_size=256 loop=[0-9]* gbytes_per_s".*"moved":"\([a-z]*\)".*/\1/p' "$tmp/json")" "0 no" "a sweep by its points"
for items in 64 128; do echo "{\"v\":1,\"kernel\":\"k\",\"command\":\"kernel\",\"items\":$items,\"calls\":1,\"time_s\":$items,\"mean_s\":$items}"; done > "$tmp/own"
compared "$tmp/own" "$tmp/own"
is "$(head_of before runs) $(field 'k items=64 mean_s' before) $(field 'k items=128 time_s' after)" "1 64 128" "kernels of a command by their sizes, of which only the time may be known"
# A roof is one whatever kernel reaches it.
for device in hd620 hd620,flaw=slow-memory tgl; do
	"$rooftop" calibrate -D sim:$device --repeat 3 DRAM sp.mad --quiet -c -o "$tmp/roofs.$device"
	"$rooftop" run -D sim:$device,load=mem.copy.sp.x1 -c -o "$tmp/run.$device" -- sleep 0.1
done
compared "$tmp/roofs.hd620" "$tmp/roofs.hd620,flaw=slow-memory"
is "$(field 'DRAM measured' moved) $(field 'DRAM measured' unit) $(field 'sp.mad measured' moved)" "yes GB/s no" "calibrate by its roofs"
is "$(for f in roofs run; do "$rooftop" diff "$tmp/$f.hd620" "$tmp/$f.tgl" | grep -c '^the devices differ: Intel HD Graphics 620.* before, Intel Iris Xe'; done | tr '\n' ' ')" "1 1 " \
	"  ... and CSV of calibrate and run has the name of the device"
sed 's/$/\r/' "$tmp/run.tgl" > "$tmp/crlf"
is "$("$rooftop" diff "$tmp/run.hd620" "$tmp/crlf" | grep -c '^the devices differ: .* before, Intel Iris Xe Graphics after')" 1 "  ... also where lines end as on Windows"

# --- noise: recordings of the same load that varies by a fifth, each with its own seed ---
seed=1
moved=0
told=0
while [ $seed -le ${ROOFTOP_SEEDS:-24} ]; do
	for side in x y; do
		"$rooftop" -D sim:hd620,load=private.mad.sp.x4,jitter=20,seed=$seed -b -n 15 -d 0.02 --speed max -w "$tmp/$side.rec" --overwrite > /dev/null
		seed=$((seed + 1))
	done
	compared "$tmp/x.rec" "$tmp/y.rec"
	moved=$((moved + $(head_of moved)))
	told=$((told + $(head_of moved) + $(head_of stayed)))
done
echo "# $moved of $told figures of noise are told to have moved"
is "$((told > 300 && moved * 100 < told * 5))" 1 "fewer than one in twenty figures of noise moves"

# A pipe can be read only once.
"$rooftop" -D $memory -J -n 3 -d 0.05 --speed max -o "$tmp/w.json" > "$tmp/out" 2>&1
mkfifo "$tmp/pipe"
cat "$tmp/w.json" > "$tmp/pipe" &
gives 0 "windows out of a pipe" diff "$tmp/pipe" "$tmp/w.json"
wait
# Limits of kernels stand in whichever file: each that changed is told, and two that are as usual are told alike.
for k in flops.private.mad.sp.x4 mem.copy.sp.x4; do
	"$rooftop" stress -D sim:hd620 -J --time 0.1 -o "$tmp/$k.1" $k
	sed 's/"verdict":"[a-z_]*"/"verdict":"idle"/' "$tmp/$k.1" > "$tmp/$k.2"
done 2> "$tmp/err"
set -- "$tmp/flops.private.mad.sp.x4" "$tmp/mem.copy.sp.x4"
is "$("$rooftop" diff "$1.1" "$2.1" -- "$1.2" "$2.2" | grep -c ': limited by')" 2 "kernels of several files have their limits told"
is "$("$rooftop" diff "$1.1" "$1.2" -- "$1.2" | grep ': limited by')" "$("$rooftop" diff "$1.2" "$1.1" -- "$1.2" | grep ': limited by')" "in whatever order"

# What files say commands no terminal, and elements of arrays have no names.
printf '%s\n' '{"metric":"m\u001b[31m","label":"l\u009b31m","mean":1,"unit":"u\n"}' > "$tmp/odd"
gives 0 "signs that command a terminal" diff --all "$tmp/odd" "$tmp/odd"
is "$(grep -c 'l??31m  *1.000  *1.000 u?' "$tmp/out")" 1 "  ... are not written"
echo '{"t":"x","window_ms":1,"metrics":[1],"multiplexed":{"a":{"age_ms":1}}}' > "$tmp/odd"
gives 3 "windows whose metrics are an array" diff "$tmp/odd" "$tmp/odd"

# --- what cannot be compared ---
"$rooftop" -D $memory -D $pipes -J -n 2 -d 0.05 --speed max -o "$tmp/two.json" > "$tmp/out" 2>&1
gives 3 "windows of several devices" diff "$tmp/two.json" "$tmp/two.json"
is "$(grep -c 'a file for each device can be compared' "$tmp/err")" 1 "  ... and what helps"
"$rooftop" -w - -D $memory -D "sim:tgl,load=private.mad.sp.x4" -n 2 -d 0.05 --speed max > "$tmp/two.rec" 2> "$tmp/err"
gives 3 "nor a recording of several" diff "$tmp/two.rec" "$tmp/two.rec"
compared "$(sed -n 's/^rooftop: \(.*\) is one of them.*/\1/p' "$tmp/err")" "$tmp/two.rec/sim:tgl"
is "$(head_of before bound) $(head_of after bound)" "l3 alu0" "  ... of which one is named by its file"
for task in "explain limit" roofline run metrics; do
	gives 3 "  ... nor $task of it" $task -r "$tmp/two.rec"
done
gives 2 "one file is none too many" diff "$tmp/a.rec"
gives 2 "three need --" diff "$tmp/a.rec" "$tmp/a.rec" "$tmp/a.rec"
gives 2 "no device" diff -D sim:hd620 "$tmp/a.rec" "$tmp/b.rec"
gives 1 "a file that is not there" diff "$tmp/a.rec" "$tmp/nowhere"
echo hello > "$tmp/text"
gives 1 "no results" diff "$tmp/text" "$tmp/a.rec"
printf '{"metric":"x"' > "$tmp/cut"
cp "$tmp/w.json" "$tmp/kept.json"
ln -s w.json "$tmp/link"
gives 2 "a report in the place of what is compared" diff "$tmp/link" "$tmp/a.rec" -o "$tmp/w.json" --overwrite
is "$(cmp "$tmp/w.json" "$tmp/kept.json")" "" "  ... is not written"
gives 1 "half a line of JSON" diff "$tmp/cut" "$tmp/a.rec"
head -c 5000 "$tmp/a.rec" > "$tmp/half.rec"
"$rooftop" diff "$tmp/half.rec" "$tmp/a.rec" > "$tmp/out" 2>&1
good "half a recording ends with an answer or a sentence" sh -c "[ $? -le 3 ] && [ -s '$tmp/out' ]"
# What limits windows alike is told without the numbers of one of them.
"$rooftop" -D sim:hd620,load=stream.sp.x4 --speed max -n 3 -d 0.3 -J > "$tmp/alike.json"
sed '2s/DRAM ~[0-9.]*/DRAM ~11.0/; 2s/"headroom":[0-9.]*/"headroom":3.1/' "$tmp/alike.json" > "$tmp/numbers.json"
gives 0 "windows with other numbers" diff "$tmp/alike.json" "$tmp/numbers.json" -J
is "$(grep -o '"bound":"dram","sentence":"[^"]*","headroom":[^}]*' "$tmp/out" | sed 's/~[^"]*"/..."/; s/:1[.]1.*/:1.1/')" '"bound":"dram","sentence":"MEMORY-BOUND: DRAM ...","headroom":1.1
"bound":"dram","sentence":"MEMORY-BOUND: DRAM","headroom":null' "  ... have no numbers of their limit"
finish
