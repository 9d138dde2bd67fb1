# SPDX-License-Identifier: GPL-3.0-or-later
# Two programs take turns on the fake GPU: live windows name both contexts, and so do recordings, in which i915-perf-reader finds the
# same ones.
. "$top_srcdir/tests/fakekernel/lib.sh"

cat > "$tmp/contexts.py" <<'END'
import json, re, sys

def windows(path):
    return [w for w in map(json.loads, open(path)) if 'contexts' in w]

def live(path, *names):
    """Each window has both contexts, whose shares make one."""
    n = 0
    for w in windows(path):
        c = {r['context']: r for r in w['contexts']}
        assert set(names) <= set(c), (names, list(c))
        assert abs(sum(r['share'] for r in c.values()) - 1) < 1e-9, c
        assert all(r['switches_per_s'] > 10 for k, r in c.items() if k in names), c
        n += 1
    assert n > 0

def replayed(path, listing):
    """The contexts of reports are those of the listing; a replay begins with the first whole window."""
    want, now = [], None
    for line in open(listing):
        if line.startswith('hw_id='):
            now = line.split()[0][6:].replace('0xffffffff', 'idle')
        elif re.match(r' report\d+ ', line):
            want.append(now)
    rows = [line.rstrip('\n').split(',') for line in open(path)]
    at = rows[0].index('context')
    got = [r[at] for r in rows[1:]]
    assert len(set(got)) > 1 and len(got) > 0.5 * len(want), (len(got), len(want))
    assert got == want[-len(got):], [(i, a, b) for i, (a, b) in enumerate(zip(got, want[-len(got):])) if a != b][:5]

def others(path):
    """Time stamps of the timer alone do not tell contexts that change in between."""
    for w in windows(path):
        c = {r['context']: r for r in w['contexts']}
        assert c['others']['share'] > 0.5 and abs(sum(r['share'] for r in c.values()) - 1) < 1e-9, c

globals()[sys.argv[1]](*sys.argv[2:])
END

# shows NAME CONTEXT...: of the last run
shows()
{
	what=$1
	shift
	good "$what" python3 "$tmp/contexts.py" live "$tmp/out" "$@"
}

load=load=stream.sp.x4/private.mad.sp.x4,n=64
for gpu in hd620 chv tgl; do
	machine $gpu,$load
	gives 0 "two contexts on $gpu" -J -n 3 -d 0.2 -p 1ms -m ComputeBasic -w "$tmp/live.i915perf" --overwrite
	shows "  ... are told apart" 0x1d05 0x1d85
	gives 0 "  ... one of them alone" -J -n 3 -d 0.2 -p 1ms -m ComputeBasic --context 0x1d85
	is "$(windows "all(w['window_ms'] < 0.2 * 200 for w in windows)")" True "  ... runs for a part of the time"
	if command -v i915-perf-reader > /dev/null; then
		i915-perf-reader -r -c GpuCoreClocks "$tmp/live.i915perf" > "$tmp/listing" 2>&1
		gives 0 "  ... and recorded" -r "$tmp/live.i915perf" --per-report -c
		good "  ... with the contexts that i915-perf-reader finds" python3 "$tmp/contexts.py" replayed "$tmp/out" "$tmp/listing"
	else
		skip 2 "no i915-perf-reader"
	fi
done
driver=xe
for gpu in tgl dg2; do
	machine $gpu,$load
	gives 0 "two contexts on $gpu with xe" -J -n 3 -d 0.2 -p 1ms
	case $gpu in
	tgl) shows "  ... are told apart" 0x1d05 0x1d85 ;;
	*) shows "  ... are told apart" 0x1d00 0x1d80 ;;
	esac
done
machine lnl,$load
gives 0 "on lnl, where only timer reports are whole" -J -n 3 -d 0.2 -p 1ms
good "  ... the rest is with the others" python3 "$tmp/contexts.py" others "$tmp/out"
driver=
machine hd620,$load
gives 0 "registers name no context" -J -n 1 -d 0.2 --access mmio

is "$(grep -c '"contexts":null,"contexts_why":"unsupported"' "$tmp/out")" 1 "  ... and say so"

# From Gen12.55 on only a report of a switch tells; xe replaces no numbers. What is steady has its context, and what is idle has none.
# rows NAME WANT: the contexts of all windows of the last run, with the largest share of each that is no idle GPU
rows()
{
	is "$(python3 -c '
import json, sys
w = [w for w in map(json.loads, open(sys.argv[1])) if "contexts" in w][1:]
print(sorted({(r["context"], round(r["share"], 1)) for d in w for r in d["contexts"]}))' "$tmp/out")" "$2" "$1"
}
while read -r model driver context; do
	machine "$model,load=private.mad.sp.x4" "$driver"
	gives 0 "a steady load on $model under $driver" -J -n 3 -d 0.1
	rows "  ... is that of its context" "[('$context', 1)]"
	gives 0 "  ... alone" -J -n 3 -d 0.1 --context "$context"
	is "$(windows "all(w['metrics']['eu_active'] > 90 for w in windows[1:])")" True "  ... has numbers"
	machine "$model,load=idle" "$driver"
	gives 0 "nothing on $model under $driver" -J -n 3 -d 0.1
	rows "  ... is no context's" "[('idle', 1)]"
	machine "$model,load=desktop" "$driver"
	gives 0 "a load with pauses on $model under $driver" -J -n 4 -d 0.2 -p 1ms
	is "$(windows "all(any(r['context'] == 'idle' and r['share'] > 0.8 for r in w['contexts']) for w in windows[1:])")" True "  ... has its pauses"
done <<END
dg2 i915 0x1d00
mtl i915 0x1d00
lnl xe 0x1d00
bmg xe 0x1d00
tgl xe 0x1d05
tgl i915 0x1d05
END
finish
