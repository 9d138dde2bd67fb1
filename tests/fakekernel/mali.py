# SPDX-License-Identifier: GPL-3.0-or-later
"""mali.py LIVE MODEL [CLOCK]: values of live windows of a Mali GPU and of the simulated one with the same load agree, cells too.

Counts are compared per millisecond of their window. A clock that the driver does not count (CLOCK is "read") is exact; one that it counts
depends on two time stamps that are not taken at once."""
import json
import sys

RATIO = ('%', 'GB/s', 'GFLOP/s', 'FLOP/B', 'B/cycle', 'MHz', 'Minstr/s', 'B/s')
PER_ITEM = ('fragments_per_pixel', 'SC.LSC_L2_BYTES_PER_ISSUE', 'SC.LSC_EXTERNAL_BYTES_PER_ISSUE', 'MaliSCBusTileWrBPerPx',
            'SC.COMPUTE_QUAD_CYCLES', 'SC.FRAG_QUAD_CYCLES', 'SC.TEX_CPI', 'MaliTexCPI', 'MaliGPUCyPerPix', 'MaliFragThroughputCy',
            'MaliNonFragThroughputCy', 'MaliGeomPosShadThreadPerPrim', 'MaliGeomVarShadThreadPerPrim', 'MaliFragOverdraw')

CONSTANT = ('MaliConfigExtBusBeatSize', 'MaliSCBusBeatSize', 'MaliConfigCoreCount', 'MaliConfigL2CacheCount', 'MaliFragQueueTaskSize', 'MaliGPUGeomTaskSize', 'MaliGPUMaxPixelStorage',
            'MaliGPUTileSize', 'MaliGPUWarpSize', 'MaliTexCyPerSample', 'MaliTexSamplePerCy', 'MaliVarSlotPerCy')


def load(path):
    lines = [json.loads(line) for line in open(path)]
    return lines[0], lines[1:]


def per_window(head, window, name, value):
    if value is None or head['units'][name] in RATIO or name in PER_ITEM or name in CONSTANT:
        return value
    return value / window['window_ms']


def agree(name, a, b):
    assert (a is None) == (b is None), (name, a, b)
    assert a is None or abs(a - b) <= 0.02 * abs(b) + 1e-3, (name, a, b)


head, live = load(sys.argv[1])
model_head, model = load(sys.argv[2])
assert live and model, (len(live), len(model))
assert head['units'] == model_head['units'], 'the same metric set'
want = model[-1]
compared = moving = cells = 0
for window in live:
    for name in head['units']:
        a = per_window(head, window, name, window['metrics'][name])
        b = per_window(head, want, name, want['metrics'][name])
        agree(name, a, b)
        compared += 1
        moving += bool(b)
    maps, want_maps = window.get('cells', []), want.get('cells', [])
    assert [m['names'] for m in maps] == [m['names'] for m in want_maps]
    for mine, theirs in zip(maps, want_maps):
        for name, values in mine['values'].items():
            for a, b in zip(values, theirs['values'][name]):
                agree(name, per_window(head, window, name, a), per_window(head, want, name, b))
                cells += 1
print(compared, 'values agree,', moving, 'of them not 0,', cells, 'of cells')
assert compared >= 30 and moving >= 20, (compared, moving)
