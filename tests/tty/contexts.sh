#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Hardware contexts and the clocks of windows, from the program's output: sums against the whole, a chosen context against its row,
# recordings against what i915-perf-reader prints of them and what stands in their bytes.
. "$top_srcdir/tests/tty/tap.sh"

cat > "$tmp/check.py" <<'END'
import gzip, json, math, re, struct, sys

def windows(path):
    lines = [json.loads(line) for line in open(path)]
    return lines[1:]

def near(a, b, part=1e-9):
    return math.isclose(a, b, rel_tol=part, abs_tol=1e-12)

def sums(path):
    """Shares make one; what is counted per clock, weighted by the clocks, is the whole's."""
    n = 0
    for w in windows(path):
        c = w['contexts']
        assert near(sum(r['share'] for r in c), 1), c
        assert near(sum(r['ran_ms'] for r in c), w['window_ms'], 1e-6), c
        assert sum(r['reports'] for r in c) > 0 and all(r['whole'] for r in c), c
        for name in c[0]['metrics']:
            if not all(name in r['metrics'] for r in c) or w['metrics'][name] is None:
                continue
            if name in ('eu_active', 'eu_stall', 'gpu_busy', 'fpu0_active'):
                whole = sum(r['share'] * r['metrics'][name] for r in c)
            elif name in ('gti_throughput', 'gti_read_throughput', 'l3_shader_throughput'):
                whole = sum(r['ran_ms'] * r['metrics'][name] for r in c) / w['window_ms']
            else:
                continue
            n += 1
            assert near(whole, w['metrics'][name], 1e-6), (name, whole, w['metrics'][name])
    assert n > 0

def chosen(listed, alone, context):
    """--context ID counts what the context's row says."""
    n = 0
    for w, own in zip(windows(listed), windows(alone)):
        row = [r for r in w['contexts'] if r['context'] == context][0]
        assert near(row['ran_ms'], own['window_ms'])
        for name, v in row['metrics'].items():
            n += 1
            assert near(v, own['metrics'][name]), (name, v, own['metrics'][name])
    assert n > 20, n

def clocks(path, want):
    """The mean lies between the lowest and the highest, of which reports name steps of 50/3 MHz."""
    changed = 0
    for w in windows(path):
        c, mean = w['clock_mhz'], w['metrics']['avg_gpu_core_frequency']
        assert c['told'] and c['changed'] == (c['lowest'] != c['highest']), c
        assert c['lowest'] - 0.1 <= mean <= c['highest'] + 16.7, (c, mean)
        changed += c['changed']
    assert changed == int(want), changed

def samples(path):
    d = open(path, 'rb').read()
    p = 0
    while p + 8 <= len(d):
        kind, _, size = struct.unpack_from('<IHH', d, p)
        if kind == 1:
            yield struct.unpack_from('<III', d, p + 8)
        p += size

def recorded_clocks(path, recording):
    ratios = [i & 0x1ff for i, _, _ in samples(recording) if i & 0x1ff]
    w = windows(path)
    got = [w[0]['clock_mhz'][k] for k in ('lowest', 'highest')]
    assert len(w) == 1, len(w)
    if not ratios:
        assert got == [None, None], got
        return
    want = [min(ratios) * 50 / 3, max(ratios) * 50 / 3]
    assert all(abs(a - b) < 0.01 for a, b in zip(got, want)), (got, want)

def per_report(path, listing):
    """The column of contexts is i915-perf-reader's timeline."""
    want, now = [], None
    for line in gzip.open(listing, 'rt'):
        if line.startswith('hw_id='):
            now = line.split()[0][6:].replace('0xffffffff', 'idle')
        elif re.match(r' report\d+ ', line):
            want.append(now)
    rows = [line.rstrip('\n').split(',') for line in open(path)]
    at = rows[0].index('context')
    # A pair around a loss of reports has no context of its own; the reader takes that of the first report.
    lost = rows[0].index('lost')
    assert all(r[at] == 'others' for r in rows[1:] if r[lost] != '0')
    got = [w if r[lost] != '0' else r[at] for r, w in zip(rows[1:], want)]
    assert len(rows) - 1 == len(want) and got == want, (len(got), len(want), [(i, a, b) for i, (a, b) in enumerate(zip(got, want)) if a != b][:5])

globals()[sys.argv[1]](*sys.argv[2:])
END

check()
{
	what=$1
	shift
	good "$what" python3 "$tmp/check.py" "$@"
}

for gpu in hd620 tgl chv dg2; do
	gives 0 "two contexts on $gpu" -D "sim:$gpu,load=stream.sp.x4/private.mad.sp.x4,n=64,jitter=10,wrap" --context help --speed max -n 3 -J
	check "  ... are together the whole" sums "$tmp/out"
done
export SOURCE_DATE_EPOCH=1795269802
two=sim:hd620,load=stream.sp.x4/private.mad.sp.x4,n=64
gives 0 "all contexts" -D $two --context help --speed max -n 3 -J
cp "$tmp/out" "$tmp/listed"
for context in 0x1d05 0x1d85; do
	gives 0 "context $context alone" -D $two --context $context --speed max -n 3 -J
	check "  ... counts what its row says" chosen "$tmp/listed" "$tmp/out" $context
	is "$(tail -1 "$tmp/out" | grep -c '"gflops_per_watt_package":null.*"gflops_per_watt_package":"not_by_context"')" 1 \
		"  ... and nothing for each watt of everybody"
done
gives 0 "a context that never runs" -D $two --context 0x77 --speed max -n 3 -J
is "$(grep -c "context 0x77 has not run; those that have: 0x1d.5, 0x1d.5" "$tmp/err")" 1 "  ... is named, beside those that do"
is "$(grep -c '"other_context"' "$tmp/out")" 3 "  ... and leaves no number"
gives 0 "contexts in text" -D $two --context help --speed max -n 1 -b
is "$(grep -c '^SIM   context *0x1d' "$tmp/out")" 2 "  ... are lines"

gives 0 "a clock that walks" -D sim:hd620,load=private.mad.sp.x4,freq=walk --speed max -n 6 -J
check "  ... is told by lowest and highest" clocks "$tmp/out" 6
gives 0 "a clock that stays" -D sim:hd620,load=private.mad.sp.x4 --speed max -n 3 -J
check "  ... has one value" clocks "$tmp/out" 0
for gpu in hsw chv; do
	gives 0 "the clock on $gpu" -D sim:$gpu,freq=walk --speed max -n 1 -J
	is "$(grep -c '"clock_mhz":{"lowest":null,"highest":null,"told":false' "$tmp/out")" 1 "  ... is not in its reports"
done
is "$("$rooftop" -D sim:hsw -n 1 -J | grep -c '"contexts":null,"contexts_why":"unsupported"')" 1 "Haswell does not tell contexts"

if [ ! -d "${ROOFTOP_ORACLE:-}/recordings" ]; then
	skip 1 "there is no oracle: set ROOFTOP_ORACLE to its folder"
else
	for recording in bdw chv glk icl kblgt2 tglgt1 tglgt2; do
		file=$ROOFTOP_ORACLE/recordings/$recording
		gives 0 "$recording, report by report" -r "$file.i915perf" --per-report -c
		check "  ... names the contexts that i915-perf-reader names" per_report "$tmp/out" "$file.reader-all-reports.txt.gz"
		gives 0 "$recording" -r "$file.i915perf" --speed max -d 3600 -J
		case $recording in
		bdw|chv) is "$(grep -c '"told":false' "$tmp/out")" 1 "  ... has no clocks in its reports" ;;
		*) check "  ... has the clocks of its reports" recorded_clocks "$tmp/out" "$file.i915perf" ;;
		esac
	done
fi
finish
