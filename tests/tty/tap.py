# SPDX-License-Identifier: GPL-3.0-or-later
"""TAP for tests in a pseudo-terminal: the program, a home folder that goes away, points."""
import os, sys, tempfile

ROOFTOP = os.path.join(os.environ['top_builddir'], 'rooftop')
SANITIZED = 'LSAN_OPTIONS' in os.environ and b'__asan_init' in open(ROOFTOP, 'rb').read()
folder = tempfile.TemporaryDirectory()      # gone when this program ends
home = folder.name
points = failures = 0


def ok(good, name, note=''):
    global points, failures
    points += 1
    failures += not good
    print(('ok' if good else 'not ok'), points, '-', name, flush=True)
    if not good and note:
        print('#  ', note, flush=True)


def finish():
    print(f'1..{points}')
    sys.exit(failures > 0)
