# SPDX-License-Identifier: GPL-3.0-or-later
"""A load of a real device, started and ended on the screen: it is asked about once. Prints "0 NAME" or "1 NAME"."""
import os, sys
sys.path.insert(0, os.path.join(os.environ['top_srcdir'], 'tests/tty'))
import terminal

t = terminal.Terminal(os.path.join(os.environ['top_builddir'], 'rooftop'), ['-D', 'cpu0', '-d', '0.2', '--config', '/dev/null'],
                      os.environ['HOME'], more_env=dict(LINES='', COLUMNS=''))
STATE = b' of 10 s'     # behind "running", "stopped" and others of a load that there is or was


def say(good, name):
    print(int(not good), name, flush=True)


t.wait_for(b'Utilization')
t.send(b'4')
t.shows(b'flops.')
t.send(b'\r')
say(t.shows(b'Start flops') and STATE not in t.data, 'a load is asked about')
t.send(b'\x1b')
say(t.shows(b'Launch') and STATE not in t.data, '  ... and none begins with Esc')
t.send(b'\r')
t.shows(b'Start flops')
t.send(b'y')
say(t.shows(STATE) and b'Start flops' not in t.data, '  ... but with y')
t.send(b'\r')
say(t.shows(b'stopped'), 'Enter ends it')
t.send(b'\r')
while t.shows(STATE) and b'stopped' in t.data:
    pass
say(STATE in t.data and b'Start flops' not in t.data, '  ... and begins the next one without a question')
t.send(b'q')
say(t.wait_end() == 0 and t.restored(), 'q ends both')
t.close()
