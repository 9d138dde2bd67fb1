# SPDX-License-Identifier: GPL-3.0-or-later
"""compare.py WHAT LIBRARY.tsv ROOFTOP.json: metrics of the same name agree; amounts are compared for each nanosecond of GPU time.

The two have read one after the other, so that the ends of a load's launches differ: 3 % are allowed. What Intel has corrected since the XML
was published is named, with the factor."""
import json
import sys

CORRECTED = {'xveinstexecutedalu2allutilization': 2}
RATIOS = ('percent', 'MHz', 'GBpS', 'Hz')
SCALES = {('MHz', 'Hz'): 1e6}


def plain(name):
    return name.lower().replace('_', '')


rows = [line.rstrip('\n').split('\t') for line in open(sys.argv[2])]
theirs = {plain(r[0]): (r[1], float(r[2]), int(r[3])) for r in rows}
head, *windows = map(json.loads, open(sys.argv[3]))
ours = {plain(n): (head['units'][n], v, windows[-1]['why'].get(n)) for n, v in windows[-1]['metrics'].items()}
library_ns, our_ns = theirs['gputime'][1], ours['gputime'][1]
good = missing = 0
for name, (unit, total, reports) in theirs.items():
    if name not in ours:
        missing += 1
        continue
    our_unit, value, why = ours[name]
    if unit in RATIOS:
        want = total / reports * SCALES.get((unit, our_unit), 1)
    else:
        want = total / library_ns * our_ns
    if value is None:
        print(f'{sys.argv[1]}: {name} is missing: {why}; the library has {want:g}')
        continue
    if name in CORRECTED and want:
        want /= CORRECTED[name]
    if abs(value - want) <= 0.03 * abs(want) + 0.5 * (unit == 'percent') + 1e-9:
        good += 1
    else:
        print(f'{sys.argv[1]}: {name} is {value:g} {our_unit}, the library has {want:g} {unit}')
print(f'{sys.argv[1]}: {good} of {len(theirs) - missing} agree, {missing} are not in the XML')
sys.exit(good < len(theirs) - missing)
