# SPDX-License-Identifier: GPL-3.0-or-later
"""meanwhile.py RUN REPLAY: the windows of RUN (JSON) stand in REPLAY with the same values and the same verdict, and no time is missing in REPLAY."""
import json, sys


def windows(path):
    with open(path) as f:
        return [w for w in map(json.loads, f) if 'metrics' in w]


def told(w):
    """What a window says, without how long the verdict has held: a reader may have begun later. What a run could count in another set, at
    which it does not look while one is recorded, has a column without a value there, and none in the recording."""
    verdict = {k: v for k, v in w['verdict'].items() if k != 'since_s'}
    return {'window_ms': w['window_ms'], 'lost': w['lost'], 'metrics': {k: v for k, v in w['metrics'].items() if v is not None}, 'verdict': verdict}


run, replay = (windows(path) for path in sys.argv[1:3])
assert len(run) > 5, len(run)
assert len(replay) >= len(run), 'windows are missing: %d of %d' % (len(replay), len(run))
for a, b in zip(run, replay):
    a, b = told(a), told(b)
    for name, value in a['metrics'].items():
        assert b['metrics'].get(name) == value, (name, value, b['metrics'].get(name))
    for part in a:
        assert a[part] == b[part], (part, str(a[part])[:300], str(b[part])[:300])
