# SPDX-License-Identifier: GPL-3.0-or-later
"""compare.py LIVE MODEL [METRIC...]: values of live windows and of the simulated device with the same load agree, but for those metrics.

A load is launches that repeat every few hundred microseconds, so windows that do not begin at the same moment of it differ a little;
counters of single launches (threads) differ by one launch in a window."""
import json
import sys

ENERGY = ('power_', 'energy_', 'gflops_per_watt', 'rc6', 'clock_', 'gpu_time', 'gpu_core_clocks')


def windows(path):
    """Those in which a report came: a busy machine may keep the program, or the one that recorded, from its turn for a whole window."""
    lines = [json.loads(line) for line in open(path)]
    return lines[0], [line['metrics'] for line in lines[1:] if line['why'].get('gpu_busy') != 'not_yet']


def mean(rows, name):
    values = [r[name] for r in rows]
    return None if None in values else sum(values) / len(values)


head, live = windows(sys.argv[1])
model_head, model = windows(sys.argv[2])
assert live and model, (len(live), len(model))
assert head['units'] == model_head['units'], 'the same metric set'
compared = moving = 0
for name in head['units']:
    a, b = mean(live, name), mean(model, name)
    if name.startswith(ENERGY) or name in sys.argv[3:] or b is None:
        continue
    assert a is not None, name
    least = 0.1 if head['units'][name] == '%' else 1e-6
    assert abs(a - b) <= 0.02 * abs(b) + least, (name, a, b)
    compared += 1
    moving += b != 0
print(compared, 'metrics agree,', moving, 'of them not 0')
assert compared >= 12 and moving >= 8, (compared, moving)
