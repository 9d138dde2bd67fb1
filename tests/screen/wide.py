#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""usage: wide.py make IN.mo OUT.mo    every message in letters of twice the width, directives as they are
       wide.py check WxH PLAIN GOT   GOT has such letters, its lines and frames have their columns, and the numbers are those of PLAIN"""
import re, struct, sys, unicodedata

DIRECTIVE = re.compile(r'(%[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|j|z|t)?[diouxXeEfgGcsp%])')
HEADER = b'Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n'


def read_mo(path):
    data = open(path, 'rb').read()
    magic, _, n, ids, texts = struct.unpack('<5I', data[:20])
    assert magic == 0x950412de
    for i in range(n):
        (id_len, id_at), (len_, at) = struct.unpack_from('<2I', data, ids + 8 * i), struct.unpack_from('<2I', data, texts + 8 * i)
        yield data[id_at:id_at + id_len], data[at:at + len_]


def write_mo(path, rows):
    n, blob, tables = len(rows), b'', [[], []]
    start = 28 + 16 * n
    for table, column in zip(tables, (0, 1)):
        for row in rows:
            table.append((len(row[column]), start + len(blob)))
            blob += row[column] + b'\0'
    head = struct.pack('<7I', 0x950412de, 0, n, 28, 28 + 8 * n, 0, 28 + 16 * n)
    open(path, 'wb').write(head + b''.join(struct.pack('<2I', *pair) for table in tables for pair in table) + blob)


def widen(text):
    parts = DIRECTIVE.split(text)
    return ''.join(part if i % 2 else re.sub('[A-Za-z]', lambda m: chr(ord(m.group()) + 0xfee0), part) for i, part in enumerate(parts))


def make(source, target):
    rows = []
    for key, text in read_mo(source):
        text = b'\0'.join(widen(piece.decode()).encode() for piece in text.split(b'\0')) if key else HEADER
        # A plural needs as many forms as the header says.
        rows.append((key, text if b'\0' not in key or b'\0' in text else text + b'\0' + text))
    write_mo(target, sorted(rows))


def cells(line):
    """One entry a column; the right half of a wide letter is ''."""
    out = []
    for ch in line:
        if unicodedata.combining(ch):
            continue
        out += [ch, ''] if unicodedata.east_asian_width(ch) in 'WF' else [ch]
    return out


def frame_faults(grid, top, left):
    right = next((x for x in range(left + 1, len(grid[top])) if grid[top][x] == '╮'), None)
    if right is None:
        yield f'line {top + 1}: the frame at column {left + 1} has no corner on the right'
        return
    for y in range(top + 1, len(grid)):
        row = grid[y] + [' '] * (right + 1)
        pair = row[left] + row[right]
        if pair == '╰╯':
            return
        if pair != '││':
            yield f'line {y + 1}: {pair!r} where the frame has its sides, columns {left + 1} and {right + 1}'
            return
    yield f'line {top + 1}: the frame at column {left + 1} has no lower line'


def check(size, plain, got):
    w, h = map(int, size.split('x'))
    plain, lines = open(plain).read(), open(got).read().splitlines()
    grid = [cells(line) for line in lines]
    faults = [f'line {i + 1} has {len(row)} columns' for i, row in enumerate(grid) if len(row) > w]
    if len(lines) > h:
        faults.append(f'{len(lines)} lines')
    if not any('' in row for row in grid):
        faults.append('no letter is wide: the catalogue was not used')
    if re.search(r'\b(nan|inf)\b', '\n'.join(lines)):
        faults.append('a number that is none')
    for y, row in enumerate(grid):
        for x, ch in enumerate(row):
            if ch == '╭':
                faults += frame_faults(grid, y, x)
    # Sentences may end early, and a name may lose its generation (gen12.7); what stands in frames may not lose its numbers. Help scrolls.
    framed = '\n'.join(line for line in plain.splitlines() if line.startswith('│') and '0.5 0.2' not in line)
    wanted, shown = (set(re.findall(r'(?<![a-z\d.])\d+\.\d+', text)) for text in (framed, '\n'.join(lines)))
    if wanted - shown:
        faults.append('numbers that are cut: ' + ' '.join(sorted(wanted - shown)))
    print('\n'.join(faults + (lines if faults else [])))
    return 1 if faults else 0


sys.exit(make(*sys.argv[2:]) if sys.argv[1] == 'make' else check(*sys.argv[2:]))
