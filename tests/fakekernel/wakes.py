# SPDX-License-Identifier: GPL-3.0-or-later
"""wakes.py AWAKE WOKEN: the last window of AWAKE.live and WOKEN.live, and what AWAKE.stream and WOKEN.stream say last of the device (doc/RECORDINGS.md),
are equal; and WOKEN really slept, unless it "answers" in its sleep, too. What a fake moves at random may differ a little."""
import json, struct, sys

CONSTS, ROOFS, FEED, DEVICE = 0x52540002, 0x52540003, 0x52540004, 0x52540008


def text(b):
    return b.split(b'\0')[0].decode()


def told(path):
    """Lines of the device, its constants and counters of its sources: the last that the stream says."""
    data, at, out = open(path, 'rb').read(), 0, {}
    while at + 8 <= len(data):
        kind, _, size = struct.unpack_from('<IHH', data, at)
        body = data[at + 8:at + size]
        at += size
        if kind not in (CONSTS, ROOFS, FEED, DEVICE):
            continue
        _, device, number, n, head, row, _ = struct.unpack_from('<6HI', body)
        rows = [body[16 + head + i * row:16 + head + (i + 1) * row] for i in range(n)]
        if kind == CONSTS:
            out['constants'] = {text(r[:40]): struct.unpack_from('<dd4B', r, 40)[:5] for r in rows}
        elif kind == FEED:
            out['source ' + text(body[16:32])] = [text(r[:48]) for r in rows]
        elif kind == ROOFS:
            out['roofs'] = n
        else:
            lines = body[16 + head + n * row:].rstrip(b'\0').decode().split('\n')
            out['device'] = {l.split('=')[0]: l for l in lines if not l.startswith('recorded_epoch_ns')}
    return out


def windows(path):
    return [w for w in map(json.loads, open(path)) if 'metrics' in w]


def near(a, b, name=''):
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        # Shares of samples have the noise of as many as a busy machine took.
        return abs(a - b) <= 0.25 * max(abs(a), abs(b)) + (20 if name.startswith('units_') else 1e-9)
    return a == b


awake, woken = sys.argv[1:3]
a, b = windows(awake + '.live'), windows(woken + '.live')
assert len(a) == len(b) == 45, (len(a), len(b))
assert sys.argv[3:] == ['answers'] or 'asleep' in json.dumps(b[0]) and a[0]["why"] != b[0]["why"], 'it did not sleep: %s' % b[0]["why"]
a, b = a[-1], b[-1]
off = {}
for name in a['metrics'].keys() | b['metrics'].keys():
    of = [(w['metrics'].get(name), w['why'].get(name)) for w in (a, b)]
    if of[0][1] != of[1][1] or not near(of[0][0], of[1][0], name):
        off[name] = of
for key in 'kind', 'bound', 'roof':
    one, other = (w['verdict'].get(key) for w in (a, b))
    if not near(one, other):
        off['verdict ' + key] = one, other
one, other = told(awake + '.stream'), told(woken + '.stream')
for key in one.keys() | other.keys():
    x, y = one.get(key), other.get(key)
    if x != y:
        off[key] = (x, y) if not isinstance(x, dict) or not isinstance(y, dict) else {k: (x.get(k), y.get(k)) for k in x.keys() | y.keys() if x.get(k) != y.get(k)}
assert not off, off
