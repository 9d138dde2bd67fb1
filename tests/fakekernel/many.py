# SPDX-License-Identifier: GPL-3.0-or-later
"""many.py JSON CSV PROM TRACE DEVICE...: what a run of several devices wrote. Prints "0 NAME" or "1 NAME"."""
import csv, json, re, sys

lines = [json.loads(line) for line in open(sys.argv[1])]
rows = list(csv.reader(open(sys.argv[2], newline='')))
prom = open(sys.argv[3]).read()
trace = json.load(open(sys.argv[4]))
devices = sys.argv[5:]


def point(good, name):
    print(0 if good else 1, name)


heads, windows = lines[:len(devices)], lines[len(devices):]
units = {h['device']: set(h['units']) for h in heads if h.get('header')}
point(list(units) == devices, 'JSON begins with a line for each device')
point(sorted(w['device'] for w in windows) == sorted(2 * devices), 'each window says whose it is, and each device has as many')
point(all(set(w['metrics']) == units[w['device']] for w in windows), 'with the metrics of its device')

point(rows[0][0] == 'device' and len(set(rows[0])) == len(rows[0]), 'CSV has one row of names')
point(all(len(r) == len(rows[0]) for r in rows), 'and rows as long as it')
point(sorted(r[0] for r in rows[1:]) == sorted(2 * devices), 'each names its device')
shown = {d: {n for r in rows[1:] if r[0] == d for n, cell in zip(rows[0], r) if cell and '[' not in n} for d in devices}
extra = {d: shown[d] - units[d] - {'device', 't', 'mono_ns', 'window_ms', 'lost', 'sim', 'verdict', 'verdict_kept', 'bound', 'share', 'headroom'} for d in devices}
point(not any(extra.values()),
      'and has numbers below the names of that device only ' + str({d: n for d, n in extra.items() if n} or ''))

series = re.findall(r'^(\w+)\{(.*?)\} ', prom, re.M)
named = [(name, re.search('(?:^|,)device="(.*?)"', labels)) for name, labels in series]
point({m[1] for _, m in named if m} == set(devices), 'the file for node_exporter has all devices')
point(all(m or re.match('rooftop_(exporter|scrape|build)', name) for name, m in named), 'and what is of no device is of the exporter itself')
point(len(set(series)) == len(series), 'and each series once')
families = [name for i, (name, _) in enumerate(series) if i == 0 or series[i - 1][0] != name]
point(len(set(families)) == len(families), 'whose families stand together')
point(prom.count('# TYPE ') == len(re.findall('^# TYPE (\\S+) ', prom, re.M)) == len(set(re.findall('^# TYPE (\\S+) ', prom, re.M))),
      'with one head each')

names = {e['pid']: e['args']['name'] for e in trace if e['name'] == 'process_name'}
point(len(names) == len(devices) == len(set(names.values())), 'the trace has a process of its own name for each device')
point({e['pid'] for e in trace if e['ph'] == 'C'} == set(names), 'with counters of each')
