#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# values.py FILE SECONDS NAME=WANT...: the mean of a metric over the windows that have it in a JSON output, within 10 % (energy counters
# change in steps), with NAME=LOW..HIGH between two numbers, or with NAME=why the reason of the last window. NAME/s: how fast it grows.
# The exit status is 1 where one is off, 2 where one is off and a window is not as long as was asked for.
import json
import sys

head, *windows = [json.loads(line) for line in open(sys.argv[1])]
bad = []
for word in sys.argv[3:]:
    name, want = word.split('=')
    if name.endswith('/s'):
        first, *rest = windows
        grown = windows[-1]['metrics'][name[:-2]] - first['metrics'][name[:-2]]
        values = [grown / sum(w['window_ms'] for w in rest) * 1000]
    else:
        values = [w['metrics'][name] for w in windows]
    if want[0].isalpha():
        got = windows[-1]['why'].get(name)
        good = values[-1] is None and got == want
    else:
        numbers = [v for v in values if v is not None]
        got = sum(numbers) / len(numbers) if numbers and values[-1] is not None else None
        low, dots, high = want.partition('..')
        spread = 0 if dots else 0.1 * abs(float(low)) + 1e-9
        good = got is not None and float(low) - spread <= got <= float(high or low) + spread
    if not good:
        bad.append(f'{name}: {got} instead of {want}')
print('\n'.join(bad))
asked_ms = 1000 * float(sys.argv[2])
# An undisturbed window ends with an OA report, and these come every 5.5 ms.
disturbed = any(abs(w['window_ms'] - asked_ms) > max(0.1 * asked_ms, 8) for w in windows)
sys.exit((2 if disturbed else 1) if bad else 0)
