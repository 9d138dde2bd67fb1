#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""values.py FILE SECONDS TRY NAME=WANT...: the mean of a metric over the windows of a JSON output that have it, but the first, is WANT, with NAME=LOW..HIGH
it lies between two numbers, with NAME=why the last window has that reason instead. NAME/s: how fast it grows.

The fake counts at a fixed rate, so that only the ends of the whole time make a mean differ: what passes there between reading a counter
and the stamp of the window (2 ms), the step in which an energy counter changes (W and J; energy_update tells it), and the digits of WANT.
In real time a busy machine may take longer than 2 ms, so whoever asks measures again where a value is off. Where the first tries did not come out,
such a machine is taken for as late between counter and stamp as it was at the worst end of a window: TRY counts from 0."""
import json
import sys

LATE_MS = 2
PATIENT = 4     # tries
MOST = 0.05     # of a value: more is wrong on any machine
ENERGY = ('W', 'J')


def digits(text):
    """Half of the last digit of a number; without a point it is exact."""
    return 0.5 * 10.0 ** -len(text.partition('.')[2]) if '.' in text else 1e-9


head, *windows = [json.loads(line) for line in open(sys.argv[1])]
bad = []
asked_ms = 1000 * float(sys.argv[2])
late_ms = max(LATE_MS, max(abs(w['window_ms'] - asked_ms) for w in windows) if int(sys.argv[3]) >= PATIENT else 0)
steps = [w['metrics'].get('energy_update') or 1 for w in windows]
for word in sys.argv[4:]:
    name, want = word.split('=')
    metric, grows, _ = name.partition('/s')
    having = [w for w in windows if w['metrics'][metric] is not None]
    span_ms = sum(w['window_ms'] for w in having)
    if want[0].isalpha():
        got = windows[-1]['why'].get(metric)
        if got != want or windows[-1]['metrics'][metric] is not None:
            bad.append(f'{name}: {got} instead of {want}')
        continue
    if not having or windows[-1]['metrics'][metric] is None:
        bad.append(f'{name}: no value in the last window')
        continue
    if len(having) > 1:     # the first begins while counters are still opened
        span_ms -= having[0]['window_ms']
    if grows:
        # Windows that reports of the GPU make are longer and shorter than those of a counter beside them.
        grown_ms = (having[-1]['mono_ns'] - having[0]['mono_ns']) / 1e6
        got = (having[-1]['metrics'][metric] - having[0]['metrics'][metric]) / grown_ms * 1000
    else:
        got = sum(w['metrics'][metric] * w['window_ms'] for w in having[len(having) > 1:]) / span_ms
    low, dots, high = want.partition('..')
    step_ms = max(steps) if head['units'][metric] in ENERGY else 0
    late = max(LATE_MS / span_ms, min(late_ms / span_ms, MOST))
    slack = 0 if dots else abs(float(low)) * (late + step_ms / span_ms) + digits(low)
    if not float(low) - slack <= got <= float(high or low) + slack:
        bad.append(f'{name}: {got} instead of {want}, more than {slack:.3g} off')
print('\n'.join(bad))
sys.exit(bool(bad))
