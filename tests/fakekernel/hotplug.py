# SPDX-License-Identifier: GPL-3.0-or-later
"""hotplug.py ROOFTOP FOLDER ROOT: a card that comes while the devices screen is open. Prints "0 NAME" or "1 NAME".
The clock stands where the kernel tells, so that nobody looks by himself, and goes on for a few seconds where it does not."""
import glob, os, socket, sys, time
import terminal
from gate import Gate

rooftop, folder, root = sys.argv[1:4]
drm, away, boxes = root + '/sys/class/drm', root + '/drm.away', root + '/uevents'
TELLS = b'the kernel tells that a device'


def point(good, name):
    print(0 if good else 1, name)


def send(*words):
    """As the kernel does, to all who listen."""
    for box in os.listdir(boxes):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as s:
            s.sendto(b'\0'.join(w.encode() for w in words) + b'\0', boxes + '/' + box)


def start(**env):
    global gate
    os.rename(drm, away)
    gate = Gate(root, 1)
    t = terminal.Terminal(rooftop, ['-D', 'sim:tgl', '-d', '0.1'], folder, cols=160, rows=70, more_env=env.items())
    point(t.shows(b'GPU busy') and b'card0' not in t.data, 'a machine without a card')
    t.send(b'6')
    point(t.shows(b'Devices'), 'the list of devices is open')
    gate.wait()
    return t


def end(t):
    t.send(b'q')
    point(t.wait_end() == 0, 'q quits')
    t.close()


os.mkdir(boxes)
os.chdir(folder)
t = start()
while not os.listdir(boxes):
    time.sleep(0.02)
send('add@/devices/x/block/sda', 'ACTION=add', 'SUBSYSTEM=block')
os.rename(away, drm)
send('add@/devices/pci0000:00/0000:00:02.0/drm/card0', 'ACTION=add', 'SUBSYSTEM=drm')
point(t.shows(b'card0'), 'the card is listed when the kernel tells of it')
# It stands where it would have stood from the start, before what is simulated.
t.send(b'w')
point(t.wait_for(b'screen written'), 'the screen is written to a file')
with open(glob.glob('rooftop-screen*.txt')[0], encoding='utf-8') as f:
    lines = f.read().split('\n')
card, sim = ([n for n, line in enumerate(lines) if name in line] for name in ('card0 ', 'sim:hd620 '))
point(card and sim and card[0] < sim[0], 'where real cards come before simulated ones')
t.send(b'7')
point(t.shows(TELLS), 'and the log says so')
end(t)

# Without such a socket somebody has to look.
t = start(FAKEKERNEL_FAIL='uevents=EPERM')
os.rename(away, drm)
gate.go(10)
gate.wait()
point(t.shows(b'card0'), 'the card is listed where the socket is refused, too')
t.send(b'7')
point(t.shows(b'Log') and TELLS not in t.data, 'of which nobody told')
end(t)
