# SPDX-License-Identifier: GPL-3.0-or-later
"""drawn.py RUN PLAYED: traces of a run and of its recording. In each window of the run that the recording has, too, they draw the same values and the
same limit; most windows are such."""
import bisect, json, sys

NEAR_US = 3000  # windows of sources beside each other end with their own clocks


def read(path):
    tracks, limits = {}, []
    with open(path) as f:
        for e in json.load(f):
            if e['ph'] == 'C':
                tracks.setdefault(e['name'], []).append((e['ts'], *e['args'].values()))
            elif e['ph'] == 'X' and e['tid'] == 2:
                limits.append((e['ts'], e['dur'], e['name']))
    return tracks, limits


def drawn(tracks, us):
    """What stands at that time; 0 is nothing."""
    at = {name: bisect.bisect_right([e[0] for e in events], us) for name, events in tracks.items()}
    return {name: tracks[name][n - 1][1] for name, n in at.items() if n and tracks[name][n - 1][1]}


(run, windows), (played, others) = read(sys.argv[1]), read(sys.argv[2])
shift = sum(windows[0][:2]) - sum(others[0][:2])
same = 0
for start, length, name in windows:
    other = min(others, key=lambda o: abs(sum(o[:2]) + shift - start - length))
    if abs(sum(other[:2]) + shift - start - length) > NEAR_US or abs(other[1] - length) > NEAR_US:
        continue
    a, b = drawn(run, start + length / 2), drawn(played, other[0] + other[1] / 2)
    assert name == other[2] and a.keys() == b.keys(), (start, name, other[2], a.keys() ^ b.keys())
    for k in a:
        assert abs(a[k] - b[k]) <= 1e-9 * abs(a[k]), (start, k, a[k], b[k])
    same += bool(a)
assert same >= 0.6 * len(windows) and same > 5, (same, len(windows), len(others))
