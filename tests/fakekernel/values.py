#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""values.py FILE SECONDS NAME=WANT...: the mean of a metric over the windows of a JSON output that have it, but the first, is WANT, with NAME=LOW..HIGH
it lies between two numbers, with NAME=why the last window has that reason instead. NAME/s: how fast it grows.

The fake counts at a fixed rate, so that only the ends of the whole time make a mean differ: what passes there between reading a counter
and the stamp of the window (2 ms), the step in which an energy counter changes (W and J; energy_update tells it), and the digits of WANT.
A busy machine may take longer than 2 ms: the exit status is 1 where a value is off, 2 where such a machine may be why, because
the value is off by less than 10 % or a window is not as long as was asked for."""
import json
import sys

LATE_MS = 2
ENERGY = ('W', 'J')


def digits(text):
    """Half of the last digit of a number; without a point it is exact."""
    return 0.5 * 10.0 ** -len(text.partition('.')[2]) if '.' in text else 1e-9


head, *windows = [json.loads(line) for line in open(sys.argv[1])]
bad, little = [], True
steps = [w['metrics'].get('energy_update') or 1 for w in windows]
for word in sys.argv[3:]:
    name, want = word.split('=')
    metric, grows, _ = name.partition('/s')
    having = [w for w in windows if w['metrics'][metric] is not None]
    span_ms = sum(w['window_ms'] for w in having)
    if want[0].isalpha():
        got = windows[-1]['why'].get(metric)
        if got != want or windows[-1]['metrics'][metric] is not None:
            bad.append(f'{name}: {got} instead of {want}')
            little = False
        continue
    if not having or windows[-1]['metrics'][metric] is None:
        bad.append(f'{name}: no value in the last window')
        little = False
        continue
    if len(having) > 1:     # the first begins while counters are still opened
        span_ms -= having[0]['window_ms']
    if grows:
        got = (having[-1]['metrics'][metric] - having[0]['metrics'][metric]) / span_ms * 1000
    else:
        got = sum(w['metrics'][metric] * w['window_ms'] for w in having[len(having) > 1:]) / span_ms
    low, dots, high = want.partition('..')
    ends = LATE_MS + (max(steps) if head['units'][metric] in ENERGY else 0)
    slack = 0 if dots else abs(float(low)) * ends / span_ms + digits(low)
    if not float(low) - slack <= got <= float(high or low) + slack:
        bad.append(f'{name}: {got} instead of {want}, more than {slack:.3g} off')
        little &= not dots and abs(got - float(low)) <= 0.1 * abs(float(low))
print('\n'.join(bad))
asked_ms = 1000 * float(sys.argv[2])
# An undisturbed window ends with an OA report, and these come every 5.5 ms.
disturbed = any(abs(w['window_ms'] - asked_ms) > max(0.1 * asked_ms, 8) for w in windows)
sys.exit((2 if disturbed or little else 1) if bad else 0)
