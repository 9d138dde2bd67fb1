# SPDX-License-Identifier: GPL-3.0-or-later
"""monkey.py PROGRAM FOLDER SEED COUNT SECONDS: the screen under random keys, by virtual clock.

Each seed is a script: a device or two, a card that is pulled out and comes back, or a recording, a size, keys, clicks, and pictures between them. Every picture is as large as the screen, has no byte
that was never written, no nan, inf or ###, and closed boxes; a pause changes nothing, and of two keys that undo each other nothing is left. Prints
"0 NAME" or "1 NAME" for each seed, and the script of one that fails stays in FOLDER. MONKEY_WRAPPER is put before the program, for instance
"valgrind -q --error-exitcode=9"."""
import os, random, re, subprocess, sys, threading, time, unicodedata

program, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
first, count, seconds = int(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5])
wrapper = os.environ.get('MONKEY_WRAPPER', '').split()
DEVICES = ['sim:hd620', 'sim:chv', 'sim:tgl,lost=5,late=30', 'sim:dg2,load=desktop,rc6', 'sim:lnl', 'sim:mtl', 'sim:hsw', 'sim:g72', 'sim:g52', 'sim:g710',
           'sim:h100', 'sim:h100,load=hp', 'sim:rtx4090', 'sim:hd620,load=idle']
RECORDED = ['hd620', 'hsw', 'dg2', 'g72', 'h100']
# q, F10 and ^C end it, K and F9 signal processes, ^Z stops it.
KEYS = list('123456789') + list('aAbBCdDeEfFgGhHiIjJkLlmMnNoOpPrRsStTuUvVwWxXyzZ/\\+-,.{}[]<>?=|*') + [
    'Enter', 'Esc', 'Tab', 'S-Tab', 'Space', 'Up', 'Down', 'Left', 'Right', 'PgUp', 'PgDn', 'Home', 'End', 'F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'F7', 'F8', '^L']
COMMON = ['1', '2', '3', '4', '8', '9', 'Down', 'Up', 'Tab', 'Enter', 'Esc', 'm', 'S', 'Space', 'Left', 'N']
# What is pressed and pressed back. Esc leaves what a key has opened, but for e, which leads to the list of counters where nothing is explained.
PAIRS = ['A A', 'I I', 'h Esc', 'S Esc', 'm Esc', 'v Esc', '> Esc', 'g Esc', 'Tab S-Tab', 'W W', '^L', '/ e Esc', '8 1', '3 1', '5 1']
BAD = re.compile(r'(?<![\w.])-?(nan|inf)\s+[A-Za-z%/]|(?<![\w.])-?nan(?!\w)|###|\(null\)|%[-+.0-9]*[dsuxf]\b|[\x00-\x09\x0b-\x1f\x7f\ufffd]')

BAD_ASCII = re.compile(BAD.pattern.replace('|###', ''))  # bars are of #


def columns(line):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in 'WF' else 1 for c in line)


def look(picture, w, h, ascii_only):
    """What is wrong with a picture, '' when nothing is."""
    lines = picture.split('\n')
    if lines and lines[-1] == '':
        lines.pop()
    if len(lines) != h:
        return '%d lines instead of %d' % (len(lines), h)
    for y, line in enumerate(lines):
        if columns(line) > w:
            return 'line %d has %d columns instead of %d' % (y, columns(line), w)
        bad = (BAD_ASCII if ascii_only else BAD).search(line)
        if bad:
            return 'line %d: %r in %r' % (y, bad.group(0), line.strip())
    return ''


def open_box(picture):
    """Boxes that nothing lies over: each upper or lower edge has both corners."""
    for y, line in enumerate(picture.split('\n')):
        for left, right in ('╭╮', '╰╯'):
            if line.count(left) != line.count(right):
                return 'line %d: an edge is not closed: %r' % (y, line)
    return ''


def body(picture):
    """The picture without messages and clocks: the state of the header and the last lines."""
    lines = picture.split('\n')
    return '\n'.join(lines[2:-4])


class Unrest(threading.Thread):
    """The card of a machine of plain files sleeps, wakes, is pulled out and comes back, from the first picture on until it is left in peace. Its clock is
    the real one."""

    def __init__(self, root, seed, begun):
        super().__init__()
        self.begun = begun
        self.root, self.r, self.over = root, random.Random(seed), threading.Event()
        tree = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../fakekernel/amdtree.sh')
        subprocess.run(['sh', tree, root], check=True)

    def run(self):
        while not os.path.exists(self.begun) and not self.over.wait(0.02):
            pass
        drm, state = self.root + '/sys/class/drm', self.root + '/sys/devices/pci0000:00/0000:03:00.0/power/runtime_status'
        while not self.over.wait(self.r.choice([0.02, 0.1, 0.3])):
            with open(state, 'w') as f:
                f.write(self.r.choice(['active', 'active', 'suspended']) + '\n')
            if self.r.random() < 0.4:
                here, there = drm + '/card0', self.root + '/card0.pulled'
                os.rename(here if os.path.lexists(here) else there, there if os.path.lexists(here) else here)

    def end(self):
        self.over.set()
        self.join()


class Script:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.lines, self.looks, self.n = [], [], 0
        self.folder = os.path.join(folder, str(seed))
        self.w, self.h = 80, 24
        # Key b opens another device beside the first.
        self.halves = self.r.random() < 0.45
        self.card = self.r.random() < 0.07

    def add(self, line):
        self.lines.append(line)

    def keys(self, text):
        self.add('key ' + text)

    def size(self):
        r = self.r
        self.w, self.h = r.choice([(80, 24), (80, 24), (120, 40), (100, 30), (60, 20), (r.randrange(20, 250), r.randrange(5, 70))])
        self.add('size %dx%d' % (self.w, self.h))

    def save(self, why, boxes=False):
        name = os.path.join(self.folder, 'p%d' % self.n)
        self.n += 1
        self.add('save-screen ' + name)
        self.looks.append((name, self.w, self.h, why, boxes))
        return name

    def step(self):
        r = self.r
        kind = r.random()
        if kind < 0.60:
            keys = [r.choice(COMMON if r.random() < 0.4 else KEYS) for _ in range(r.randrange(1, 6))]
            self.keys(' '.join(k for k in keys if self.halves or k != 'b') or 'Esc')
            self.save('keys')
        elif kind < 0.64:
            for _ in range(r.randrange(1, 5)):
                # The last line has keys, of which one signals processes: those of a machine of files are none of this one.
                y = r.choice([0, 1, 2, r.randrange(self.h - 1)] if self.card else [0, 1, self.h - 1, r.randrange(self.h + 1)])
                self.add('mouse %d %d%s' % (r.randrange(self.w + 1), y, r.choice(['', '', '', ' up', ' down'])))
            self.save('mouse')
        elif kind < 0.70:
            self.add('wait %s' % r.choice(['0.1', '0.5', '1'] if self.card else ['0.1', '0.5', '1', '2.5', '12']))
            self.save('time')
        elif kind < 0.76:
            self.size()
            self.save('size')
        elif kind < 0.90:
            # To a screen, and a pause there: then what is pressed and pressed back, and time.
            self.keys('Esc Esc Esc N Esc ' + r.choice('12358'))
            self.add('wait 1.1')
            self.keys('Space')
            a = self.save('pause', True)
            self.add('wait %s' % ('0.3' if self.card else r.choice(['1.3', '7.7', '31'])))
            b = self.save('pause', True)
            self.looks.append((a, b, 'a pause changes nothing'))
            self.keys('Space')
        else:
            self.keys('Esc Esc Esc N Esc 1')
            self.add('wait 1.1')
            self.keys('Space')
            a = self.save('pair', True)
            pair = r.choice(PAIRS)
            self.keys(pair)
            b = self.save('pair', True)
            self.looks.append((a, b, 'nothing is left of ' + pair))
            w, h = self.w, self.h
            self.size()
            self.w, self.h = w, h
            self.add('size %dx%d' % (w, h))
            c = self.save('pair', True)
            self.looks.append((a, c, 'another size and back is the same after ' + pair))
            self.keys('Space')

    def run(self):
        r = self.r
        os.makedirs(self.folder, exist_ok=True)
        what = r.random()
        root = os.path.join(folder, 'empty')
        if self.card:
            root = os.path.join(self.folder, 'machine')
            begun = os.path.join(self.folder, 'begun')
            unrest = Unrest(root, r.random(), begun)
            arguments = ['-D', 'card0', '-d', '0.1'] + (['-D', r.choice(DEVICES)] if self.halves else [])
        elif what < 0.3:
            arguments = ['-r', os.path.join(folder, r.choice(RECORDED) + '.rec')]
        elif self.halves and what < 0.7:
            arguments = ['-D', r.choice(DEVICES), '-D', r.choice(DEVICES)]
        else:
            arguments = ['-D', r.choice(DEVICES)]
        if r.random() < 0.2:
            arguments.append('-U')
        self.size()
        if self.card:
            self.add('save-screen ' + begun)
        for _ in range(r.randrange(5, 12) if self.card else r.randrange(15, 40)):
            self.step()
        script = os.path.join(self.folder, 'script')
        with open(script, 'w') as f:
            f.write('\n'.join(self.lines) + '\n')
        if self.card:
            unrest.start()
        try:
            p = subprocess.run(wrapper + [program] + arguments + ['--fsroot', root, '--script', script], cwd=self.folder,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
        finally:
            if self.card:
                unrest.end()
        command = ' '.join(arguments)
        if p.returncode:
            return '%s: status %d: %s' % (command, p.returncode, p.stdout.decode(errors='replace').strip()[-200:])
        for what in self.looks:
            if len(what) == 5:
                name, w, h, why, boxes = what
                if not os.path.exists(name) and any(line.startswith('mouse') for line in self.lines):
                    break  # a click on the key that ends it
                with open(name, encoding='utf-8', errors='replace') as f:
                    picture = f.read()
                wrong = look(picture, w, h, not re.search('[─│╭█]', picture)) or (boxes and open_box(picture))
                if wrong:
                    return '%s: %s: %s' % (command, os.path.basename(name), wrong)
                continue
            a, b, why = what
            with open(a, encoding='utf-8', errors='replace') as f, open(b, encoding='utf-8', errors='replace') as g:
                one, two = f.read(), g.read()
            # Of two halves, which a click may have made, one goes on, and a card does what it likes.
            # The first W ends what is recorded, and with it the map's set, which has counted on for that alone: the other set is shown, with
            # the last that it had. Narrow heads do not name the map.
            if why.endswith(' W W') and 'rec on' in one and ('(map: ' in one or columns(one.split('\n')[0]) < 80):
                continue
            if self.halves or self.card or len(re.findall(r'\d\d:\d\d(?::\d\d)?$', one, re.M)) > 1:
                continue
            if 'PAUSED' in one and 'PAUSED' in two and body(one) != body(two):
                return '%s: %s, %s: not so: %s' % (command, os.path.basename(a), os.path.basename(b), why)
        for name in os.listdir(self.folder):
            if re.fullmatch(r'p\d+', name):
                os.remove(os.path.join(self.folder, name))
        return ''


os.makedirs(os.path.join(folder, 'empty'), exist_ok=True)
for device in RECORDED:
    path = os.path.join(folder, device + '.rec')
    if not os.path.exists(path):
        subprocess.run([program, '-D', 'sim:' + device, '-d', '1', '-n', '40', '--speed', 'max', '-J', '-w', path], stdout=subprocess.DEVNULL, check=True)
end = time.monotonic() + seconds if seconds > 0 else None
seed = first
while seed < first + count or (end and time.monotonic() < end):
    wrong = Script(seed).run()
    print('%d seed %d%s' % (bool(wrong), seed, ': ' + wrong if wrong else ''), flush=True)
    seed += 1
