# SPDX-License-Identifier: GPL-3.0-or-later
"""sums.py LONG SHORT...: the values of comparisons (diff -J) of one recording, each with windows of another length, equal those of LONG, its replay as
one window, for every metric, and so do those of a second recording. Amounts are whole in every one; a state that a source repeats or reads at moments may differ by its rounding."""
import json, sys


def close(a, b):
    return abs(a - b) <= 2e-6 * max(abs(a), abs(b), 1e-9)


with open(sys.argv[1]) as f:
    lines = [json.loads(line) for line in f]
windows = [w for w in lines if 'metrics' in w]
whole = windows[-1]['metrics']
units = lines[0]['units']
seen, bad = 0, []
for path in sys.argv[2:]:
    with open(path) as f:
        rows = {d['metric']: d for d in map(json.loads, f) if 'metric' in d}
    for name, row in rows.items():
        want = whole.get(name)
        seen += want is not None
        # A stream replays in the windows in which it was recorded: there an amount is their sum, and a quotient lies between theirs.
        each = [w['metrics'][name] for w in windows if w['metrics'].get(name) is not None]
        # A rate is the mean of theirs by time; only a roof is not.
        if each and units.get(name, '').endswith(('/s', 'W')) and '/W' not in units[name] and not name.startswith('roof'):
            ms = [w['window_ms'] for w in windows if w['metrics'].get(name) is not None]
            mean = sum(v * t for v, t in zip(each, ms)) / sum(ms)
            if abs(mean - row['before']) > 2e-3 * abs(mean) + 1e-9:
                bad.append((path.split('.')[-1], name, mean, row['before'], units[name]))
        if not each or not (min(each) <= row['before'] <= max(each) or any(close(v, row['before']) for v in (min(each), max(each), sum(each)))):
            bad.append((path.split('.')[-1], name, want, row['before'], units.get(name)))
        # Of these there are so many in each window, however long it is.
        if name not in ('eu_looks', 'eu_loaded_share') and not close(row['before'], row['after']):
            bad.append((path.split('.')[-1], name, row['before'], row['after'], units.get(name)))
    assert seen > 5, (path, seen)
assert not bad, (len(bad), bad[:6])
