# SPDX-License-Identifier: GPL-3.0-or-later
"""What is looked for after the program has ended: its processes, and whether its files can be read."""
import ctypes, json, os, subprocess, time
import terminal
from tap import ROOFTOP

PR_SET_CHILD_SUBREAPER = 36
# Orphans of the program become children of this one, so that each of them is found.
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def orphans():
    """Waits until no process is left; gives the number of those that stayed."""
    end = time.monotonic() + terminal.PATIENCE
    while time.monotonic() < end:
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(0.01)
        except ChildProcessError:
            return 0
    return subprocess.run(['ps', '-o', 'args', '--ppid', str(os.getpid())], capture_output=True, text=True).stdout


def whole_recording(path):
    if not os.path.exists(path):
        return True
    played = subprocess.run([ROOFTOP, '-r', path, '--speed', 'max', '-J'], capture_output=True, text=True)
    # What ended before its second report says that there are too few, and a kill before the first write that there is nothing.
    return played.returncode == 0 or 'values need at least two' in played.stderr or os.path.getsize(path) == 0


def whole_trace(path, killed=False):
    """The array of a trace may lack its end: readers of traces take it so. A line may do so only where Linux cuts the write of a program
    that is killed: between two pages of the file."""
    if not os.path.exists(path):
        return True
    text = open(path, 'rb').read()
    if killed and len(text) % os.sysconf('SC_PAGE_SIZE') == 0:
        text = text[:text.rfind(b'\n') + 1]
    text = text.rstrip().rstrip(b',')
    if not text:
        return True
    for tail in (b'', b']', b'[]'):
        try:
            json.loads(text + tail)
            return True
        except ValueError:
            pass
    return False
