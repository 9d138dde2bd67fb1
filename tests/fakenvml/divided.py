# SPDX-License-Identifier: GPL-3.0-or-later
"""divided.py ROOFTOP FOLDER LIST: a GPU is divided in another way while the screen shows it. LIST is the file of its instances. Prints
"0 NAME" or "1 NAME"."""
import os, sys
import terminal

rooftop, folder, path = sys.argv[1:4]
FIRST = '1:4:64:40448:20000:4g.40gb,2:2:32:20096:500:2g.20gb'


def point(good, name):
    print(0 if good else 1, name)


def divide(instances):
    """The library sees the old list or the new one."""
    with open(path + '.new', 'w') as f:
        f.write(instances)
    os.rename(path + '.new', path)


divide(FIRST)
t = terminal.Terminal(rooftop, ['-d', '0.3'], folder, cols=160, rows=50)
point(t.shows(b'GPU busy'), 'a divided card is shown')
t.send(b'2')
point(t.shows(b'4g.40gb') and t.shows(b'2g.20gb'), 'with its instances')
divide(FIRST + ',3:1:16:9984:13:1g.10gb')
point(t.shows(b'1g.10gb'), 'an instance that is made comes to them')
divide('5:7:112:80448:100:7g.80gb')
point(t.shows(b'7g.80gb'), 'one instance in the place of all')
divide('')
t.forget()
t.send(b'1')
point(t.shows(b'GPU busy'), 'the card is shown when it is not divided any more')
divide(FIRST)
t.send(b'2')
point(t.shows(b'4g.40gb'), 'and its instances when it is divided again')
t.send(b'q')
point(t.wait_end() == 0, 'q quits')
t.close()
