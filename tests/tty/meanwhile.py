# SPDX-License-Identifier: GPL-3.0-or-later
"""meanwhile.py RUN LAWS: what must hold between the windows of RUN, or of a device in it, and those of its recording REPLAY (both JSON). Lines of LAWS
are LAW|REPLAY|DEVICE|NAME, where DEVICE may be empty. Prints "0 NAME" or "1 NAME: REASON" for each.

turns: as whole, and how old each value is, and in which share of the time it was measured, are the same.
whole: the windows of RUN stand in REPLAY with the same values and the same verdict, and no time is missing in REPLAY.
part: those of REPLAY are some of RUN in a row, but for the last one, which may be shorter.
lengths: REPLAY is of a run that had windows of other lengths. They follow each other without a gap, and up to each moment at which both have the end of a
window, amounts are the same: those of them that the device counts at all."""
import json, re, sys
from datetime import datetime

# What is read once in a window depends on the window's length.
LOOKS = ('power', 'energy_p', 'energy_g', 'energy_d', 'energy_c', 'clock_', 'throttle', 'gflops_per_watt', 'temperature', 'memory_used', 'mig_', 'link_',
         'local_memory', 'shared_memory')


def windows(path, device=None):
    with open(path) as f:
        return [w for w in map(json.loads, f) if 'metrics' in w and (not device or w['device'] == device)]


def told(w):
    """What a window says, without how long the verdict has held: a reader may have begun later. What a run could count in another set, at
    which it does not look while one is recorded, has a column without a value there, and none in the recording. Names of users are in none."""
    verdict = {k: v for k, v in w['verdict'].items() if k != 'since_s'}
    users = w.get('clients')
    if users is not None:
        users = [(u['pid'], u['name'], u['busy'], u['resident_bytes']) for u in users]
    return {'window_ms': w['window_ms'], 'lost': w['lost'], 'metrics': {k: v for k, v in w['metrics'].items() if v is not None}, 'verdict': verdict,
            'clients': users, 'why': w.get('clients_why')}


def same(a, b):
    a, b = told(a), told(b)
    for name, value in a['metrics'].items():
        assert b['metrics'].get(name) == value, (name, value, b['metrics'].get(name))
    for part in a:
        assert a[part] == b[part], (part, str(a[part])[:300], str(b[part])[:300])


def end_ms(w):
    return round(datetime.fromisoformat(w['t'].replace('Z', '+00:00')).timestamp() * 1000)


def whole(run, replay):
    assert len(run) > 5, len(run)
    assert len(replay) >= len(run), 'windows are missing: %d of %d' % (len(replay), len(run))
    for a, b in zip(run, replay):
        same(a, b)


def turns(run, replay):
    """Several sets have had their turn, more than once."""
    whole(run, replay)
    assert any(m['age_ms'] for w in run for m in w['multiplexed'].values())
    for a, b in zip(run, replay):
        assert a['multiplexed'] == b['multiplexed'] and a['why'] == b['why'] and a.get('cells') == b.get('cells'), (a, b)


def part(run, replay):
    at = [i for i in range(len(run)) if told(run[i])['metrics'] == told(replay[0])['metrics'] and abs(end_ms(run[i]) - end_ms(replay[0])) < 300]
    assert len(replay) > 2 and len(at) == 1, (len(replay), at)
    for a, b in zip(run[at[0]:], replay[:-1]):
        same(a, b)
    last = run[min(at[0] + len(replay), len(run)) - 1]
    if at[0] + len(replay) <= len(run) and replay[-1]['window_ms'] >= last['window_ms']:
        same(last, replay[-1])


def lengths(run, replay):
    with open(sys.argv[1]) as f:
        units = json.loads(f.readline())['units']
    amounts = [k for k, unit in units.items() if re.fullmatch(r'[kMG]?(B|cycle|s|ms|J|FLOP|pixel|quad|thread|)', unit) and not k.startswith(LOOKS)]
    for a, b in zip(replay, replay[1:]):
        assert abs(end_ms(b) - end_ms(a) - b['window_ms']) < 2, (a['t'], b['t'], b['window_ms'])
    ends = [(end_ms(a), end_ms(b)) for a in run for b in replay if abs(end_ms(a) - end_ms(b)) < 12]  # within two reports
    assert len(ends) > 5, (len(ends), [w['t'] for w in run], [w['t'] for w in replay])
    compared = 0
    for end in ends[1:]:
        a, b = ([w for w in ws if first < end_ms(w) <= last] for ws, first, last in zip((run, replay), ends[0], end))
        for name in amounts:
            pairs = [[w['metrics'].get(name) for w in ws] for ws in (a, b)]
            if None in pairs[0] + pairs[1]:
                continue
            # What lies at hand (memory in use) is no sum.
            sums = list(map(sum, pairs))
            means = [sum(v * w['window_ms'] for v, w in zip(p, ws)) / sum(w['window_ms'] for w in ws) for p, ws in zip(pairs, (a, b))]
            assert any(abs(x - y) <= 0.025 * abs(x) + 1e-6 for x, y in (sums, means)), (name, end, sums, means)
            compared += 1
    assert compared > 5 or not amounts, amounts


with open(sys.argv[2]) as f:
    laws = [line.rstrip('\n').split('|', 3) for line in f]
for law, replay, device, name in laws:
    try:
        {'whole': whole, 'turns': turns, 'part': part, 'lengths': lengths}[law](windows(sys.argv[1], device), windows(replay))
        print('0', name)
    except Exception as e:
        print('1 %s: %s' % (name, ' '.join(repr(e).split())[:600]))
