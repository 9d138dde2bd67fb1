# SPDX-License-Identifier: GPL-3.0-or-later
"""compare.py LIVE MODEL [METRIC...]: values of live windows and of the simulated device with the same load agree, but for those metrics.

The fake card counts exactly what the model counts, at another time. A load is launches that repeat, so that a window has more or less of
a launch at its ends, and nothing else makes a value differ. The tolerance of a metric is therefore its jitter in the model: what windows
of MODEL differ by, which are many and begin at different moments of a launch. A shorter window shows its ends more. What is treated in
another way is known by its unit."""
import json
import sys

# The fake card has no energy counters.
ENERGY = ('W', 'J', 'GFLOP/s/W', 'nJ/FLOP')
# Neither has it reasons for a lower clock.
REASONS = ('clock_throttled', 'throttled_', 'throttle_')
# A busy machine makes windows longer: these, most of them of Intel's own sets, are compared for each millisecond.
COUNTS = ('ms', 'Mcycle', 'ns', 'cycle', 'B', 'threads', 'pixels', 'texels', 'messages', 'events')
# Samples of stalls are read when the program has its turn, but a window ends with a report of the OA unit: 4 % of the mean, in which
# long windows count for more.
READ_APART = ('kevent/s',)
# Counters and time stamps have steps, and 0 may be the difference of two sums.
STEP, ZERO = 1e-4, 1e-6
# A tolerance below this finds an error of 2 %.
CLOSE = 0.01


def windows(path):
    """Those in which a report came: a busy machine may keep the program, or the one that recorded, from its turn for a whole window."""
    lines = [json.loads(line) for line in open(path)]
    return lines[0], [line for line in lines[1:] if line['why'].get('gpu_busy') != 'not_yet']


def value(window, name, unit):
    number = window['metrics'][name]
    is_time = unit == 'us' and name.endswith('_duration')     # Intel's sets of Haswell; other values in us are means
    is_amount = is_time or (unit in COUNTS and not name.endswith('_per_thread'))
    return number / window['window_ms'] if number is not None and is_amount else number


def agree(name, unit, live, model):
    """Returns the tolerance of a window as long as the model's, relative to the value."""
    want = [value(w, name, unit) for w in model]
    got = [value(w, name, unit) for w in live]
    assert None not in got, (name, live[-1]['why'].get(name))
    low, high = min(want), max(want)
    size = max(abs(low), abs(high))
    jitter, longest = high - low, max(w['window_ms'] for w in model)
    if unit in READ_APART:
        spans = [w['window_ms'] for w in live]
        got, jitter = [sum(v * ms for v, ms in zip(got, spans)) / sum(spans)], 0.04 * size
    for window, number in zip(live, got):
        # Steps of a time stamp count for more in a short window, such as the rest at the end of a recording.
        slack = (jitter + STEP * size) * max(1, longest / window['window_ms']) + ZERO
        assert low - slack <= number <= high + slack, \
            f'{name}: {number} {unit}, the model has {low} to {high} and a jitter of {jitter:g}'
    return (high - low + jitter + STEP * size) / size if size > ZERO else 0


head, live = windows(sys.argv[1])
model_head, model = windows(sys.argv[2])
assert live and len(model) >= 50, (len(live), len(model))
assert head['units'] == model_head['units'], 'the same metric set'
tolerances = {}
for name, unit in head['units'].items():
    if unit not in ENERGY and name not in sys.argv[3:] and not name.startswith(REASONS) and model[0]['metrics'][name] is not None:
        tolerances[name] = agree(name, unit, live, model)
moving = {name: t for name, t in tolerances.items() if any(w['metrics'][name] for w in model)}
close = [name for name, t in moving.items() if t < CLOSE]
print(len(tolerances), 'metrics agree,', len(moving), 'of them not 0,', len(close), 'to less than 1 %; tolerances, which are the jitter:')
print(*(f'{name} {100 * t:.2g} %' for name, t in sorted(moving.items(), key=lambda row: -row[1])), sep=', ')
assert len(tolerances) >= 12 and len(moving) >= 8 and len(close) >= 8, (len(tolerances), len(moving), len(close))
