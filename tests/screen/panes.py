# SPDX-License-Identifier: GPL-3.0-or-later
"""panes.py ROOFTOP FOLDER DEVICE...: the screens of each simulated device, as people see it. Prints "0 NAME" or "1 NAME" for each point.

What holds for every device and size:
- the four panes stand by name from 80x24 on, and the roofline from 100x30 on where the device has a roof;
- no row of a pane is without a number, and rows + "more" + "without data" + "need permission" are the metrics of the set;
- no word that says nothing to a user is on it;
- the best possible load has no red cell, and a throttle reason has one;
- on no screen and at no size a fifth of the cells is blank in one piece beside rows that "N more" hides, and no text is cut beside free cells;
- no number has more than four digits before its point or an exponent, but for what stays whole (clocks, process numbers, the times of fans);
- the steps of an axis are alike;
- after the map and any keys there, the set, the rows and the answer are as before."""
import json, os, random, re, subprocess, sys, zlib

SIZES = ('80x24', '100x30', '120x40', '200x60')
ROOM_SIZES = ('60x20', '80x24', '100x30', '120x40', '160x50', '200x60')
PANES = ('Utilization', 'FLOP/cycle', 'Bandwidth', 'Power')
# What to write in their place is said where they were mended: a roof is not near, FLOP/B, ~, needs permission, unavailable.
AVOIDED = ('latency?', 'AI ', 'DRAM at most', 'no right', 'may not read', 'no source', 'unsupported', 'is not known here', 'Rest ', 'Per W ',
           'RC6', 'degC', 'turns of the fan', 'clock rests', '0 counted', 'no divisor', 'points beside')
# Keys of the map: what they change is the map's own. Keys with a meaning for the whole program (units, pause, setup, quit) are not among them.
MAP_KEYS = ('Tab', 'S-Tab', 'Up', 'Down', 'Left', 'Right', 'PgUp', 'PgDn', 'Home', 'End', 'v', 'm', 'Enter', 'Esc', 'e', 'Esc')

rooftop, folder = sys.argv[1:3]
empty = os.path.join(folder, 'no-cards')
os.makedirs(empty, exist_ok=True)


def point(good, name, *more):
    print(0 if good else 1, name)
    for text in more if not good else ():
        print('#', text, file=sys.stderr)


def play(device, lines):
    """Returns the pictures of a script by their names."""
    script = os.path.join(folder, 'script')
    names = []
    with open(script, 'w', encoding='utf-8') as f:
        for line in lines:
            if line.startswith('save-screen '):
                names.append(line.split()[1])
                line = 'save-screen ' + os.path.join(folder, names[-1])
            f.write(line + '\n')
    run = subprocess.run([rooftop, '-D', device, '--fsroot', empty, '--config', '/dev/null', '--script', script], capture_output=True, text=True,
                         check=False)
    if run.returncode:
        sys.exit(f'{device}: {run.stderr}')
    pictures = {}
    for name in names:
        with open(os.path.join(folder, name), encoding='utf-8') as f:
            pictures[name] = f.read()
    return pictures


def boxes(picture):
    """Yields title, lower line and lines of each framed box."""
    lines = picture.split('\n')
    for y, line in enumerate(lines):
        for top in re.finditer('╭[^╭╮]*╮', line):
            x, end = top.span()
            inside = []
            for below in lines[y + 1:]:
                if below[x:x + 1] == '╰':
                    yield top[0], below[x:end], inside
                    break
                inside.append(below[x + 1:end - 1])


def panes(picture):
    """Returns rows and what the frame counts, for each pane."""
    found = {}
    for title, low, inside in boxes(picture):
        name = title.strip('╭╮─ ').split('  ')[0].split(' ')[0]
        if name in PANES:
            rows = [row for row in inside if row.strip() and not re.search(r'active +\d+ +stalled +\d+ +idle', row) and 'not counted' not in row]
            seen, counted = found.get(name, ([], 0))
            found[name] = seen + rows, counted + sum(int(n) for n in re.findall(r'(\d+) (?:more|without data|need permission)', low))
    return found


def metrics_of(device):
    """How many metrics exports have: all but those that only serve others."""
    out = subprocess.run([rooftop, '-D', device, '--fsroot', empty, '-J', '-n', '1', '--speed', 'max'], capture_output=True, text=True,
                         check=True).stdout
    return len(json.loads(out.splitlines()[0])['units'])


def has_any_roof(device):
    got = subprocess.run([rooftop, 'roofline', '-D', device, '-J'], capture_output=True, text=True)
    assert got.returncode == (0 if got.stdout else 3), got.stderr
    return any(json.loads(line)['what'] == 'roof' for line in got.stdout.splitlines())


def look(device):
    steps = [step for size in SIZES for step in (f'size {size}', 'wait 3' if size == SIZES[0] else 'wait 0.001', f'save-screen {size}')]
    pictures = play(device, steps)
    n_metrics, has_roofs = metrics_of(device), has_any_roof(device)
    for size, picture in pictures.items():
        found = panes(picture)
        missing = [name for name in PANES if name not in found]
        point(not missing, f'{device} at {size}: four panes by name', missing)
        blank = [row for rows, _ in found.values() for row in rows if re.search(r' -- ', row)]
        point(not blank, f'{device} at {size}: every row has a number', *blank)
        # The bar of time stands for three metrics: working, waiting, and without work.
        shown = sum(len(rows) + 2 * any(' time ' in row and '%' not in row and re.search('[━═]{3}', row) for row in rows) for rows, _ in
                    found.values())
        rest = sum(n for _, n in found.values())
        point(shown + rest == n_metrics, f'{device} at {size}: rows and what the frames count are all metrics',
              f'{shown} rows, {rest} counted, {n_metrics} metrics', picture)
        if size != SIZES[0]:
            point(('Roofline' in picture) == has_roofs, f'{device} at {size}: the roofline, where there is a roof')
        words = [word for word in AVOIDED if word in picture]
        point(not words, f'{device} at {size}: no word to avoid', words)



def largest_blank(lines, width, height):
    """Cells of the largest rectangle without a character."""
    heights, best = [0] * width, 0
    for line in [line.ljust(width) for line in lines] + [' ' * width] * (height - len(lines)):
        heights = [n + 1 if line[x] == ' ' else 0 for x, n in enumerate(heights)]
        open_at = []	# of rectangles that may still grow to the right: their first column and height
        for x, n in enumerate(heights + [0]):
            start = x
            while open_at and open_at[-1][1] > n:
                start, tall = open_at.pop()
                best = max(best, tall * (x - start))
            open_at.append((start, n))
    return best


WHOLE = re.compile(r'PID +\d+|\d+(?: of \d+| +\d+)? +(?:MHz|rpm)|/ +\d+ +MHz|MHz +\d+|\[?[0-9a-f]{4}:[0-9a-f]{4}|0x[0-9a-f]+|(?:^|[│▸ ]) *4194\d{3} ')


def long_numbers(picture):
    for line in picture.split('\n'):
        rest = WHOLE.sub(' ', line)
        if re.search(r'(?<![\w.:])\d{5,}', rest) or re.search(r'\d[eE][+-]?\d', re.sub(r'R\dE\d|\bE\d', '', rest)):
            yield line


def other_prefixes(picture):
    for number, prefix, roof, of_roof in re.findall(r'([\d.]+)([kMG]?) / +([\d.]+)([kMG])\b', picture):
        if float(number) * {'': 1, 'k': 1e3, 'M': 1e6, 'G': 1e9}[prefix] >= 5 and prefix != of_roof:
            yield f'{number}{prefix} / {roof}{of_roof}'


def uneven_axes(picture):
    """The marks of an axis, where they are not multiples by one number, or sums of one."""
    prefix = {'': 1, 'k': 1e3, 'M': 1e6, 'G': 1e9}
    for marks in (re.findall(r'([\d.]+)([kMG]?)┤', picture), re.findall(r'(?:^|(?<= ))([\d./]+)([kMG]?)(?= )', next(
            (line.split('│')[-2 if line.endswith('│') else -1] for line in picture.split('\n') if line.rstrip(' │').endswith(' FLOP/B') and '1/' in line), ''))):
        values = sorted(float(n.split('/')[0]) / float((n + '/1').split('/')[1]) * prefix[p] for n, p in marks)
        times = [b / a for a, b in zip(values, values[1:]) if a > 0]
        sums = [b - a for a, b in zip(values, values[1:])]
        if times and max(times) > 1.02 * min(times) and max(sums) > 1.02 * min(sums):
            yield f'{marks}'


def room(device):
    steps = ['size 120x40', 'wait 4']
    for key in '123456780':
        steps += [f'key {key}', 'wait 2.5' if key == '2' else 'wait 0.3']
        steps += [step for size in ROOM_SIZES for step in (f'size {size}', 'wait 0.001', f'save-screen {key}-{size}')] + ['key Esc']
    wasteful, cut, long, uneven = [], [], [], []
    for name, picture in play(device, steps).items():
        width, height = map(int, name.split('-')[1].split('x'))
        if re.search(r'\d more\b', picture) and largest_blank(picture.split('\n')[:height], width, height) > width * height / 5:
            wasteful += [name, picture]
        cut += [f'{name}: {line}' for line in picture.split('\n') if re.search('… {3,}[^ ]', line)]
        long += [f'{name}: {text}, in another prefix than its roof' for text in other_prefixes(picture)]
        long += [f'{name}: {line}' for line in long_numbers(picture)]
        uneven += [f'{name}: {marks}' for marks in uneven_axes(picture)]
    point(not wasteful, f'{device}: no fifth of a screen is blank beside hidden rows', *wasteful)
    point(not long, f'{device}: numbers have a prefix, and few digits', *long)
    point(not uneven, f'{device}: steps of axes are alike', *uneven)
    point(not cut, f'{device}: no text is cut beside free cells', *cut)


def red_cells(device):
    """Returns how many runs of cells have the colour of a loss, and the picture as text."""
    pictures = play(device, ['size 120x40', 'wait 3', 'save-screen red.svg', 'save-screen red.txt'])
    red = re.findall(r'\.(r\d+)\{fill:#f07178', pictures['red.svg'])
    return sum(len(re.findall(rf'class="[^"]*\b{role}\b', pictures['red.svg'])) for role in red), pictures['red.txt']


def colours():
    for device in 'sim:hd620,load=private.mad.sp.x4', 'sim:hd620,load=stream.sp.x4', 'sim:h100,load=stream', 'sim:g72,load=memory':
        red, _ = red_cells(device)
        point(red == 0, f'{device}: the best possible load has no red cell', red)
    for device in 'sim:hd620,load=private.mad.sp.x4,heat=600', 'sim:tgl,load=private.mad.sp.x4,cores=11', 'sim:h100,load=gemm':
        red, text = red_cells(device)
        point(red > 0 and '!' in text, f'{device}: a throttle reason has, and a sign beside it', text)


def summary(picture):
    """Set, kind and resource of the answer, and the label of each row."""
    lines = picture.split('\n')
    chosen = re.search(r'set (\w+)', lines[0])
    answer = next((line for line in lines if re.search('MEMORY-BOUND|PIPE FULL|BANDWIDTH', line)), 'no answer')
    words = answer.strip('│ ').split('  ')
    return chosen and chosen[1], words[0], words[-1], {name: [row[:12] for row in rows] for name, (rows, _) in panes(picture).items()}


def after_the_map(device):
    dice = random.Random(zlib.crc32(device.encode()))
    for turn in range(4):
        keys = [dice.choice(MAP_KEYS) for _ in range(12)] + ['Esc', 'Esc']
        pictures = play(device, ['size 120x40', 'wait 4', 'save-screen before', 'key 2', 'wait 2', 'key ' + ' '.join(keys), 'wait 3',
                                 'save-screen map', 'key 1', 'wait 3', 'save-screen after'])
        before, after = summary(pictures['before']), summary(pictures['after'])
        point('[2 Map]' in pictures['map'] and before == after, f'{device}: as before after the map and keys ({turn})', ' '.join(keys), before,
              after, pictures['map'][:300])


for spec in sys.argv[3:]:
    look(spec)
    room(spec)
colours()
for spec in 'sim:hd620,load=private.mad.sp.x4', 'sim:tgl,load=stream.sp.x4', 'sim:g72,load=memory', 'sim:h100,load=stream':
    after_the_map(spec)
