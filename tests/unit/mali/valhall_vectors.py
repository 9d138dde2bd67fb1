#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""valhall_vectors.py TABLE [all] > tests/unit/mali/valhall_vectors.txt

Computes every counter of Arm's database for made-up blocks, with the words, shifts and equations as the database has them, so that
it knows nothing of the tables and the metric files of rooftop. tests/unit/mali/valhall.c makes the same blocks and compares. TABLE
holds the facts of libGPUCounters (specification/database, MIT licence), one a line:

    product LAYOUT ID NAME
    word LAYOUT BLOCK INDEX SHIFT WORDS_IN_A_BLOCK NAME
    counter NAME LAYOUT,... UNIT SOURCE,...
    counter NAME LAYOUT,... UNIT = EQUATION

Without "all" one product of each layout after Bifrost is computed, with it all products, and the words are written too."""
import re
import sys

BLOCKS = {'JM': 0, 'TI': 1, 'L2': 2, 'SC': 3}
# GPU_ID of the products that are committed, with their slices and cores; the bus has 128 bits.
MACHINES = {0x9000: (2, 3), 0x9001: (1, 2), 0x9002: (2, 4), 0xa002: (2, 3), 0xb002: (2, 3), 0xc000: (1, 3), 0xd000: (2, 3),
            0xe000: (2, 3)}
SPAN_S = 0.5


def made_up(block, instance, index):
    """The number in a word, the same as in tests/unit/mali/valhall.c."""
    return (block * 7919 + instance * 104729 + index * 1299709 + 17) * 31 % 1000003


def read_table(path):
    table = {'product': [], 'word': [], 'counter': []}
    for line in open(path):
        kind, *rest = line.split(maxsplit=4 if line.startswith('counter') else -1)
        if kind in table:
            table[kind].append(rest)
    return table


def compute(table, layout, slices, cores):
    instances = [1, 1, slices, cores]
    hardware = {name: sum(made_up(BLOCKS[b], i, int(index)) << int(shift) for i in range(instances[BLOCKS[b]]))
                for of, b, index, shift, _, name in table['word'] if of == layout}
    values = {'MALI_CONFIG_EXT_BUS_BYTE_SIZE': 16, 'MALI_CONFIG_L2_CACHE_COUNT': slices, 'MALI_CONFIG_SHADER_CORE_COUNT': cores,
              'MALI_CONFIG_TIME_SPAN': SPAN_S}
    equations = {}
    names = []
    for name, layouts, unit, rest in table['counter']:
        if layout not in layouts.split(','):
            continue
        rest = rest.strip()
        names.append(name)
        if rest.startswith('='):
            equations[name] = (rest[1:].strip(), unit == 'percent')
        else:
            values[name] = next(hardware[s] for s in rest.split(',') if s in hardware)
    while equations:
        for name, (equation, percent) in list(equations.items()):
            if not all(n in values for n in re.findall(r'[A-Za-z_]\w+', equation) if n not in ('min', 'max')):
                continue
            try:
                v = eval(equation, {'min': min, 'max': max}, values)
            except ZeroDivisionError:
                v = None
            values[name] = min(100, max(0, v)) if percent and v is not None else v
            del equations[name]
    return [(n, values[n]) for n in names]


def main():
    table = read_table(sys.argv[1])
    every = sys.argv[2:] == ['all']
    for layout, number, name in sorted(table['product'], key=lambda p: int(p[1], 16)):
        number = int(number, 16)
        if not every and number not in MACHINES:
            continue
        slices, cores = MACHINES.get(number, (2, 3))
        print(f'gpu {name} {number << 16:08x} {slices} {cores}')
        for of, block, index, shift, size, counter in table['word'] if every else ():
            if of == layout:
                print(f'word {BLOCKS[block]} {index} {shift} {size} {counter}')
        for counter, value in compute(table, layout, slices, cores):
            print(counter, '-' if value is None else f'{value:.12g}')


main()
