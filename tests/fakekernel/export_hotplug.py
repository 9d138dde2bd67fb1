# SPDX-License-Identifier: GPL-3.0-or-later
"""export_hotplug.py ROOFTOP FOLDER ROOT: cards that come and go while the endpoint serves the machine. FOLDER has a link
to the second card. Prints "0 NAME" or "1 NAME". The clock goes on for a few seconds for what is waited for, so that a program that the kernel tells does not
look again by itself."""
import atexit, os, re, signal, socket, subprocess, sys, time
import export
from gate import Gate

rooftop, folder, root = sys.argv[1:4]
drm, boxes, where = root + '/sys/class/drm', root + '/uevents', folder + '/hot.sock'
PASSES_S = 8


def point(good, name):
    print(0 if good else 1, name)


def tell(action):
    """As the kernel does, to all who listen."""
    for box in os.listdir(boxes):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as s:
            s.sendto(b'\0'.join([action + b'@/devices/x/drm/card1', b'ACTION=' + action, b'SUBSYSTEM=drm', b'']), boxes + '/' + box)


def plug(card):
    os.rename(folder + '/' + card, drm + '/' + card)
    tell(b'add')


def pull(card):
    os.rename(drm + '/' + card, folder + '/' + card)
    tell(b'remove')


def numbers(family, text):
    return {m[1]: float(m[2]) for m in re.finditer(family + r'\{device="([^"]*)"[^}]*\} (\S+)', text)}


def seen(text=None):
    """The cards that give values, all cards, and how many the text says there are beside other devices (the processor)."""
    text = text or export.get(where)[1]
    up = numbers('rooftop_device_up', text)
    cards = sorted(d for d in up if d.startswith('card'))
    n = float(re.search(r'^rooftop_devices (\S+)', text, re.M)[1])
    return [c for c in cards if up[c]], cards, n - (len(up) - len(cards))


def comes_to(want, look=seen):
    passed = 0
    while passed < PASSES_S:
        gate.wait()
        for _ in range(3):
            try:
                if look() == want:
                    return True
            except (OSError, TypeError):	# not there yet
                pass
            time.sleep(0.02)
        gate.go(0.2)
        passed += 0.2
    return False


def start(*options, **env):
    global gate
    gate = Gate(root, 0.5)
    p = subprocess.Popen([rooftop, '-d', '0.1', *options], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL, env={**os.environ, **env})
    atexit.register(p.kill)
    return p


def end(p):
    p.send_signal(signal.SIGTERM)
    status = p.wait()
    for box in os.listdir(boxes):	# nobody listens there any more
        os.unlink(boxes + '/' + box)
    return status


BOTH = (['card0', 'card1'], ['card0', 'card1'], 2)
FIRST = (['card0'], ['card0'], 1)
SECOND = (['card1'], ['card1'], 1)
ENDPOINT = ('--export', 'prometheus:unix:' + where)

os.mkdir(boxes)
p = start(*ENDPOINT)
point(comes_to(FIRST), 'a machine with one card')
plug('card1')
point(comes_to(BOTH), 'a card that comes is in the endpoint, with values')
export.check(export.get(where)[1], simulated=False)
point('51' in re.findall(r'rooftop_device_temperature_celsius\{device="card1".*\} (\S+)', export.get(where)[1]), 'which are its own')
pull('card1')
point(comes_to(FIRST), 'a card that goes leaves it')
plug('card1')
point(comes_to(BOTH), 'and comes back')
pull('card0')
point(comes_to(SECOND), 'the first one may go as well')
plug('card0')
point(comes_to(BOTH), 'and come back')
pull('card1')
point(comes_to(FIRST), 'several times')
# In another port it is another card by the same number.
pci = root + '/sys/devices/pci0000:00/0000:0'
os.rename(pci + '5:00.0', pci + '7:00.0')
for path in (folder + '/card1', pci + '7:00.0/drm/card1/device'):
    there = os.readlink(path).replace('0000:05', '0000:07')
    os.unlink(path)
    os.symlink(there, path)
plug('card1')
point(comes_to(BOTH), 'and in another port')
pull('card1')
point(comes_to(FIRST), 'which it leaves as well')
point(end(p) == -signal.SIGTERM, 'and the program ends as it should')

p = start('-D', 'card0', *ENDPOINT)
comes_to(FIRST)
plug('card1')
before = numbers('rooftop_windows_total', export.get(where)[1])['card0']
comes_to(True, lambda: numbers('rooftop_windows_total', export.get(where)[1])['card0'] > before + 30)
point(seen() == FIRST, 'who names a device gets no other')
# All places are taken, and a tenth of a second is over, but nobody's patience.
silent = [export.connect(where) for _ in range(64)]
asker = export.connect(where)
asker.send(b'GET /metrics HTTP/1.0\r\n\r\n')
time.sleep(0.1)
gate.go(0.5)
try:
    answer = asker.recv(65536)
except OSError as e:
    answer = str(e).encode()
point(answer.startswith(b'HTTP/1.0 200'), 'who asks has the place of the oldest silent client long before its patience ends')
for s in [asker, *silent]:
    s.close()
end(p)
pull('card1')

p = start(*ENDPOINT, FAKEKERNEL_FAIL='uevents=EPERM')
comes_to(FIRST)
plug('card1')
point(comes_to(BOTH), 'a card is found where the kernel tells nothing, too')
end(p)
pull('card1')


def in_file():
    with open(folder + '/rooftop.prom', encoding='utf-8') as f:
        return seen(f.read())


p = start('--textfile', folder)
comes_to(FIRST, in_file)
plug('card1')
point(comes_to(BOTH, in_file), "node_exporter's file follows as well")
pull('card1')
point(comes_to(FIRST, in_file), 'in both directions')
end(p)
