# SPDX-License-Identifier: GPL-3.0-or-later
# Compares what a device showed live with what its stream shows: every metric, every cell, the verdict. LIVE PLAYED [LEAST]
import json, sys

def windows(path):
    devices = {}
    for line in map(json.loads, open(path)):
        if 'metrics' in line:
            devices.setdefault(line.get('device', '').split('/')[-1], []).append(line)
    return devices

live, played = windows(sys.argv[1]), windows(sys.argv[2])
least = int(sys.argv[3]) if len(sys.argv) > 3 else 3
if len(live) == 1:
    played = {next(iter(live)): next(iter(played.values()))}
assert live.keys() == played.keys(), (live.keys(), played.keys())
values = 0
for device in live:
    assert len(live[device]) == len(played[device]) >= least, (device, len(live[device]), len(played[device]))
    for a, b in zip(live[device], played[device]):
        for w in a, b:
            w['verdict'].pop('since_s', None)
            for key in 't', 'device', 'status', 'mono_ns':
                w.pop(key, None)
        assert a.keys() == b.keys(), (a.keys(), b.keys())
        for name in a['metrics'].keys() | b['metrics'].keys():
            assert a['metrics'][name] == b['metrics'][name], (device, name, a['metrics'][name], b['metrics'][name])
            values += a['metrics'][name] is not None
        for key in a:
            assert a[key] == b[key], (device, key, a[key], b[key])
assert values > least, values
print(values, 'values are the same')
