# SPDX-License-Identifier: GPL-3.0-or-later
"""past.py PROGRAM FOLDER SEEDS DEVICE...: the past has times. Stretches of random windows, pauses, visits of the map, other sets and sizes follow each
other, by virtual clock. Then each moment that was measured is found where it is by "g", and each that was marked where the mark was made: what the screen
says to be so many seconds ago was then, by the clock of the script."""
import os, random, re, subprocess, sys

program, folder, seeds, devices = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]
STEPS = [1000, 500, 250, 100]    # lengths of windows, which + makes shorter


def script(seed, path):
    """Returns what each picture has to say: (seconds ago, tolerance)."""
    r = random.Random(seed)
    lines, now, step, measured, marks = ['size %s' % r.choice(['120x30', '80x24', '150x50']), 'wait 3'], 3.0, 0, [], []
    begun = now

    def measure(seconds):
        nonlocal now
        measured.append((now, now + seconds, STEPS[step] / 1000))
        lines.append('wait %g' % seconds)
        now += seconds

    measure(r.uniform(8, 20) // 1)
    for _ in range(r.randrange(3, 9)):
        kind = r.choice(['pause', 'shorter', 'longer', 'map', 'set', 'mark', 'mark', 'size', 'past'])
        if kind == 'pause':
            lines.append('key Space')
            gap = r.choice([5, 60, 600])
            lines.append('wait %d' % gap)
            now += gap
            lines.append('key Space')
        elif kind == 'shorter' and step < len(STEPS) - 1:
            step += 1
            lines.append('key +')
        elif kind == 'longer' and step > 0:
            step -= 1
            lines.append('key -')
        elif kind == 'map':
            lines.append('key 2')
            lines.append('wait 4')
            now += 4
            lines.append('key 1')
        elif kind == 'set':
            lines.append('key m %s Enter' % r.choice(['Up', 'Down']))
            measured, marks = [], []
        elif kind == 'mark':
            lines.append('key M')
            marks.append((now, STEPS[step] / 1000))
        elif kind == 'size':
            lines.append('size %s' % r.choice(['120x30', '80x24', '150x50']))
        elif kind == 'past':    # a pause, too
            lines.extend(['key Left Left', 'wait 3', 'key N'])
            now += 3
        measure(r.uniform(5, 12) // 1)
    wants = []

    def save(keys, ago, tolerance):
        lines.append('key ' + keys)
        lines.append('save-screen %s.%d' % (path, len(wants)))
        lines.append('key Esc N')
        wants.append((ago, tolerance))

    for begin, end, length in measured:
        at = (begin + end) / 2
        ago = round(now - at)
        if ago > 0 and begin + length < now - ago < end - length and end - begin > 4 * length:
            save('g - %s Enter' % ' '.join(str(ago)), ago, 1.6 * length)
    for i, (at, length) in enumerate(reversed(marks)):
        if now - at > 2:
            save(' '.join(['['] * (i + 1)), now - at, 1.6 * length)
    with open(path, 'w') as f:
        f.write('\n'.join(lines) + '\n')
    assert begun < now
    return wants


checked = 0
for seed in range(seeds):
    device = devices[seed % len(devices)]
    path = os.path.join(folder, 'past.%d' % seed)
    wants = script(seed, path)
    p = subprocess.run([program, '-D', device, '--script', path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert p.returncode == 0, (seed, p.stdout)
    for i, (ago, tolerance) in enumerate(wants):
        with open('%s.%d' % (path, i), encoding='utf-8') as f:
            said = re.search(r'([\d.]+) s AGO', f.read())
        assert said and abs(float(said.group(1)) - ago) <= tolerance + 0.06, (seed, device, i, ago, tolerance, said and said.group(0))
        checked += 1
assert checked > 2 * seeds, (checked, seeds)
print(checked)
