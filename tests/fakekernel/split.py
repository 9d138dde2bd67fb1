# SPDX-License-Identifier: GPL-3.0-or-later
"""split.py ROOFTOP FOLDER LOG: the same card beside itself. Prints "0 NAME" or "1 NAME"."""
import sys
import terminal

rooftop, folder, log = sys.argv[1:4]


def point(good, name):
    print(0 if good else 1, name)


def opened():
    return sum(line.startswith('PERF_OPEN') for line in open(log)), sum(line.startswith('CLOSE stream') for line in open(log))


t = terminal.Terminal(rooftop, ['-D', 'card0', '-D', 'card0', '-d', '0.2'], folder, cols=160)
point(t.wait_for(b'[o]') and t.shows(b'PIPE FULL'), 'the first half of a card beside itself counts')
point(t.shows(b'open in the other half'), 'the second one says that the first has its counters')
t.send(b'O')
point(t.shows(b'PIPE FULL') and not t.ended(), 'the first goes on when the second is closed')
t.send(b'6b')
point(t.shows(b'[o]') and t.shows(b'open in the other half'), 'b on the devices screen opens it again, as far as the kernel allows')
point(opened()[1] == 0, 'and the first stream was never closed')
# The first is closed: what was refused comes by itself.
t.send(b'O')
point(t.shows(b'PIPE FULL'), 'the second one counts as soon as the first is closed')
t.send(b'q')
point(t.wait_end() == 0 and t.restored(), 'q quits')
t.close()

t = terminal.Terminal(rooftop, ['-D', 'card0', '-D', 'card0', '--access', 'mmio'], folder)
point(t.wait_end() == 2 and b'one card can be open' in t.data, 'registers are for one card at a time')
t.close()

t = terminal.Terminal(rooftop, ['-D', 'card0', '-D', 'cpu0', '-d', '0.2'], folder, cols=160)
point(t.wait_for(b'[o]') and t.shows(b'PIPE FULL') and t.shows(b'CPU'), 'a card and the processor')
t.send(b'q')
point(t.wait_end() == 0, 'q quits them')
t.close()
