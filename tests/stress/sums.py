# SPDX-License-Identifier: GPL-3.0-or-later
"""sums.py FOLDER: for each folder in it, whose file "name" says what it is, the values of comparisons (diff -J) of one recording, each with windows of
another length, equal those of "one", its replay as one window, for every metric, and so do those of a second recording. Amounts are whole in every
one; a state that a source repeats or reads at moments may differ by its rounding. Prints "0 NAME" or "1 NAME: REASON" for each."""
import json, os, sys


def close(a, b):
    return abs(a - b) <= 2e-6 * max(abs(a), abs(b), 1e-9)


def lines_of(path):
    with open(path) as f:
        return [json.loads(line) for line in f]


def wrong(folder):
    """What is not as it should be, or nothing."""
    lines = lines_of(os.path.join(folder, 'one'))
    windows = [w for w in lines if 'metrics' in w]
    whole = windows[-1]['metrics']
    units = lines[0]['units']
    seen, bad = 0, []
    for length in ('0.1', '1', 'long'):
        rows = {d['metric']: d for d in lines_of(os.path.join(folder, 'diff.' + length)) if 'metric' in d}
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
                    bad.append((length, name, mean, row['before'], units[name]))
            if not each or not (min(each) <= row['before'] <= max(each) or any(close(v, row['before']) for v in (min(each), max(each), sum(each)))):
                bad.append((length, name, want, row['before'], units.get(name)))
            # Of these there are so many in each window, however long it is.
            if name not in ('eu_looks', 'eu_loaded_share') and not close(row['before'], row['after']):
                bad.append((length, name, row['before'], row['after'], units.get(name)))
        if seen <= 5:
            return length, seen
    return (len(bad), bad[:6]) if bad else None


for folder in sorted(os.scandir(sys.argv[1]), key=lambda f: int(f.name)):
    with open(os.path.join(folder, 'name')) as f:
        name = f.read().strip()
    try:
        why = wrong(folder)
    except (OSError, ValueError, LookupError) as e:
        with open(os.path.join(folder, 'said'), errors='replace') as f:
            why = e, f.read()[-300:]
    print('1 %s: %s' % (name, ' '.join(str(why).split())) if why else '0 ' + name)
