# SPDX-License-Identifier: GPL-3.0-or-later
# Metric sets in turns: values as of each set alone, ages, shares of time, and who may not take turns.
. "$top_srcdir/tests/tty/tap.sh"
sim="-D sim:hd620,load=flops.private.mad.sp.x4,groups=5,items=160"

gives 0 "three sets in turns" $sim -m overview,flops,eumap -J -n 7 -d 0.2 --speed max
cp "$tmp/out" "$tmp/turns"
# Bandwidth of the L3 and of local memory stands in the same line, so the level that is missing has its name.
gives 0 "the same in text, while memory limits" -D sim:hd620,load=stream.sp.x4 -m overview,flops,eumap -b -n 2 -d 0.2 --speed max
is "$(grep -c 'NOT COUNTED: .* does not count DRAM' "$tmp/out")" 2 "  ... says which memory no set counts"
for set in overview flops eumap; do
	"$rooftop" $sim -m $set -J -n 2 -d 0.2 --speed max > "$tmp/$set" 2> "$tmp/err"
done
cat > "$tmp/turns.py" <<'END'
import json, sys
head, *rows = [json.loads(l) for l in open(sys.argv[1])]
alone = {}
for path in sys.argv[2:]:
    lines = [json.loads(l) for l in open(path)]
    for name, v in lines[-1]['metrics'].items():
        alone.setdefault(name, []).append(v)
m = rows[-1]['metrics']
assert set(m) == set(alone) == set(head['units']), set(m) ^ set(alone)
for name, values in alone.items():
    if None in values or name.startswith(('power', 'energy', 'gflops_per', 'clock', 'gpu_core', 'gpu_time')):
        continue
    lo, hi = min(values), max(values)
    assert lo - 0.02 * abs(lo) - 0.02 <= m[name] <= hi + 0.02 * abs(hi) + 0.02, (name, m[name], values)
mux = rows[-1]['multiplexed']
assert set(mux) == {n for n, v in alone.items() if len(v) < 3}, mux
# Seven windows: overview had three of them, flops and eumap two; each turn but the first costs a short window that nobody sees.
assert mux['eu_map_coverage']['age_ms'] == 300 and mux['fpu0_ternary']['age_ms'] == 600, mux
# Windows end with reports, and reports come every 5.5 ms: a share is of what both windows of flops really had.
counted = sum(rows[i]['window_ms'] for i in (1, 4)) / ((rows[-1]['mono_ns'] - rows[0]['mono_ns']) / 1e6 + rows[0]['window_ms'])
assert abs(mux['fpu0_ternary']['share'] - counted) < 1e-6, (mux['fpu0_ternary'], counted)
assert mux['mix_ternary']['share'] > mux['fpu0_ternary']['share'], mux
for i, row in enumerate(rows):
    assert 190 < row['window_ms'] < 215, row['window_ms']
    assert (row['metrics']['eu_map_coverage'] is None) == (i < 2), i
    assert (row['why'].get('eu_map_coverage') == 'not_yet') == (i < 2), i
assert rows[-1]['cells'][0]['t_ns'][0] == rows[5]['mono_ns']
END
good "  ... give what each gives alone, with age and share" python3 "$tmp/turns.py" "$tmp/turns" "$tmp/overview" "$tmp/flops" "$tmp/eumap"
gives 0 "-m A,B is the same" $sim -m overview,flops -c -n 3 -d 0.2 --speed max
good "  ... and rows hold what their window measured" python3 -c '
import csv, sys
head, *rows = list(csv.reader(open(sys.argv[1])))
own = head.index("fpu0_ternary")
common = head.index("gpu_busy")
assert [r[own] != "" for r in rows] == [False, True, False], rows
assert all(r[common] != "" for r in rows)' "$tmp/out"
gives 0 "turns of a second" $sim -m overview,flops --rotate-every 1 -J -n 12 -d 0.2 --speed max
good "  ... last several windows" python3 -c '
import json, sys
head, *rows = [json.loads(l) for l in open(sys.argv[1])]
ages = [r["multiplexed"]["fpu0_ternary"]["age_ms"] for r in rows]
assert ages[:5] == [None] * 5 and ages[5:10] == [0] * 5 and ages[10] > 0, ages' "$tmp/out"
COLUMNS=400
export COLUMNS
gives 0 "as text" $sim -m overview,flops -b -n 2 -d 0.2 --speed max
is "$(tail -2 "$tmp/out" | head -1 | grep -c '[0-9]\*')" 1 "  ... kept values have a mark"
unset COLUMNS
gives 0 "with chosen events" $sim -m overview,custom --counter fpu0::ternary -J -n 2 -d 0.2 --speed max
is "$(grep -c '"eu_fpu0_ternary":[1-9]' "$tmp/out")" 1 "  ... in their turn"
gives 0 "for a recording" $sim -m overview -J -n 2 -d 0.2 --speed max -w "$tmp/a.i915perf"
gives 2 "  ... there is but one set" -r "$tmp/a.i915perf" -m overview,flops -J --speed max
gives 0 "turns with chosen events are recorded" $sim -m overview,custom --counter fpu0::ternary -J -n 6 -d 0.2 --speed max -w "$tmp/b.rooftop"
cp "$tmp/out" "$tmp/run"
gives 0 "  ... and replayed" -r "$tmp/b.rooftop" -J --speed max
echo "turns|$tmp/out||  ... as they ran" > "$tmp/laws"
judge_replays
gives 2 "one set alone takes no turns" $sim -m overview, -J -n 1 --speed max
gives 2 "a set twice" $sim -m overview,overview -J -n 1 --speed max
gives 2 "an unknown set" $sim -m overview,nonsense -J -n 1 --speed max
gives 2 "-m and --set" $sim -m overview,flops -m eumap -J -n 1 --speed max
gives 2 "--rotate-every alone" $sim --rotate-every 1 -J -n 1 --speed max
gives 2 "a command that needs one set" metrics $sim -m overview,flops
finish
