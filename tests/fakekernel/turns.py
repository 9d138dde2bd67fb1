# SPDX-License-Identifier: GPL-3.0-or-later
"""turns.py SHORT LONG STREAM: what can turn over is read in time. Windows of half a minute, LONG, say of a steady load what those of a moment, SHORT, say,
for each rate and share; and each counter of STREAM that has fewer than 64 bits stands below. Prints how many of each
were looked at."""
import json, re, struct, sys

# A counter's platform, feed, name and bits; its most increments in a second; the longest time between two looks at it, which is less than its turn takes.
# No GPU has 4 GHz, and no more than 96 EUs where 40 bits hold the sum of all.
GHZ = 4e9
COUNTERS = [
    ('hsw', 'oa', 'A.*', 32, 40 * 1.35e9, 0.04),    # sums of all EUs; oa_longest_period_ns() is half a turn, here as below
    ('(?!hsw).*', 'oa', '.*', 32, GHZ, 0.54),
    ('hsw', 'oa', '[^A].*', 32, GHZ, 0.04),
    ('.*', 'oa', 'A.*', 40, 96 * GHZ, 1.4),
    ('.*', 'oa', 'TIMESTAMP', 56, GHZ, 3600),       # a window is an hour at most
    ('.*', 'metrics', 'amd_.*', 32, 1e3, 3600),     # the firmware looks each millisecond
]
FEED, CUMULATIVE = 0x52540004, 0


def windows(path):
    with open(path) as f:
        head, *rows = [json.loads(line) for line in f]
    return head['units'], rows


def narrow(path):
    data, at = open(path, 'rb').read(), 0
    platform = re.search(rb'platform=(\w+)', data).group(1).decode()
    while at + 8 <= len(data):
        kind, _, size = struct.unpack_from('<IHH', data, at)
        if kind == FEED:
            _, _, _, count, head, row, _ = struct.unpack_from('<6HI', data, at + 8)
            feed = data[at + 24:at + 40].split(b'\0')[0].decode()
            for i in range(count):
                place = at + 24 + head + i * row
                bits, what = struct.unpack_from('<BB', data, place + 64)
                name = data[place:place + 48].split(b'\0')[0].decode()
                if bits < 64 and what == CUMULATIVE and name:
                    yield platform, feed, name, bits
        at += size


units, short = windows(sys.argv[1])
_, long = windows(sys.argv[2])
assert long[-1]['window_ms'] > 25e3, long[-1]['window_ms']
a, b = short[-1]['metrics'], long[-1]['metrics']
compared, off = 0, {}
for name, unit in units.items():
    if not (unit.endswith('/s') or unit in ('%', 'W', 'MHz') or 'cycle' in unit and '/' in unit):
        continue
    if a[name] is None or 'looks' in name:
        continue
    compared += 1
    if b[name] is None or abs(a[name] - b[name]) > 0.03 * abs(a[name]) + 0.2:
        off[name] = (a[name], b[name], long[-1]['why'].get(name))
assert compared > 1 and not off, (compared, off)
found = sorted(set(narrow(sys.argv[3])))
for *names, bits in found:
    rows = [r for r in COUNTERS if all(map(re.fullmatch, r, names)) and r[3] == bits]
    assert rows, 'no row says how often %s, of %d bits, is read' % (names, bits)
    assert all(2 ** bits / most > longest_s for *_, most, longest_s in rows), rows
print(compared, len(found))
