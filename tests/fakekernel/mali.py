# SPDX-License-Identifier: GPL-3.0-or-later
"""mali.py LIVE MODEL: values of live windows of a Mali GPU and of the simulated one with the same load agree, cells too.

Counts follow the length of the window, which both sides measure a little differently when the machine is busy: they are compared for each
active clock of the GPU. What is divided by time may be off by as much as the active clocks are."""
import json
import re
import sys

ACTIVE = ('JM.GPU_ACTIVE', 'MaliGPUActiveCy')
COUNTS = ('', '1', 'Mcycle', 'cycle', 'Mpixel', 'pixel', 'MB', 'B', 'instr', 'thread')
TIMED = ('GB/s', 'GFLOP/s', 'Mevent/s', 'Minstr/s', 'B/s', 'MHz')
TIMED_NAMES = ('JM.GPU_UTILIZATION',)
# Counts of counts, and what never changes.
PLAIN = ('fragments_per_pixel', 'SC.LSC_L2_BYTES_PER_ISSUE', 'SC.LSC_EXTERNAL_BYTES_PER_ISSUE', 'SC.COMPUTE_QUAD_CYCLES',
         'SC.FRAG_QUAD_CYCLES', 'SC.TEX_CPI', 'MaliSCBusTileWrBPerPx', 'MaliTexCPI', 'MaliGPUCyPerPix', 'MaliFragThroughputCy',
         'MaliNonFragThroughputCy', 'MaliGeomPosShadThreadPerPrim', 'MaliGeomVarShadThreadPerPrim', 'MaliFragOverdraw',
         'MaliConfigExtBusBeatSize', 'MaliSCBusBeatSize', 'MaliConfigCoreCount', 'MaliConfigL2CacheCount', 'MaliFragQueueTaskSize',
         'MaliGPUGeomTaskSize', 'MaliGPUMaxPixelStorage', 'MaliGPUTileSize', 'MaliGPUWarpSize', 'MaliTexCyPerSample',
         'MaliTexSamplePerCy', 'MaliVarSlotPerCy')


def active(window):
    return next(window['metrics'][name] for name in ACTIVE if name in window['metrics'])


def load(path):
    head, *windows = [json.loads(line) for line in open(path)]
    assert all(active(w) is not None for w in windows), 'each window has a dump'
    return head, windows


def near(a, b, least=1e-3):
    return abs(a - b) <= max(0.01 * abs(b) + 1e-3, least)


def agree(units, name, a, b, longer, faster):
    """longer: active clocks of the live window over those of the model's; faster: the same for each millisecond."""
    assert (a is None) == (b is None), (name, a, b)
    if a is None:
        return
    if name in TIMED_NAMES or units[name] in TIMED:
        assert near(a, b) or near(a / faster, b), (name, a, b, faster)
    elif units[name] in COUNTS and name not in PLAIN and not re.search('^Mali.*Per[A-Z]', name):
        # Events that are counted one by one are there at an end of the window or not, on either side.
        assert near(a / longer, b, 1 + 1 / longer if units[name] in ('', '1') else 0), (name, a, b, longer)
    else:
        assert near(a, b), (name, a, b)


head, live = load(sys.argv[1])
model_head, model = load(sys.argv[2])
assert live and model, (len(live), len(model))
assert head['units'] == model_head['units'], 'the same metric set'
want = model[-1]
compared = moving = cells = 0
for window in live:
    longer = active(window) / active(want)
    faster = longer * want['window_ms'] / window['window_ms']
    for name in head['units']:
        agree(head['units'], name, window['metrics'][name], want['metrics'][name], longer, faster)
        compared += 1
        moving += bool(want['metrics'][name])
    maps, want_maps = window.get('cells', []), want.get('cells', [])
    assert [m['names'] for m in maps] == [m['names'] for m in want_maps]
    for mine, theirs in zip(maps, want_maps):
        for name, values in mine['values'].items():
            for a, b in zip(values, theirs['values'][name]):
                agree(head['units'], name, a, b, longer, faster)
                cells += 1
print(compared, 'values agree,', moving, 'of them not 0,', cells, 'of cells')
assert compared >= 30 and moving >= 20, (compared, moving)
