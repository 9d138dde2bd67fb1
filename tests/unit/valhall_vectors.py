#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""valhall_vectors.py FOLDER > tests/unit/valhall_vectors.txt

Computes every counter of Arm's database for made-up blocks of each layout, with the equations as the database has them
(libGPUCounters, folder specification/database), so that it knows nothing of the metric files. tests/unit/valhall.c makes the
same blocks and compares."""
import glob
import re
import sys
import xml.etree.ElementTree as ET

BLOCKS = {'GPU Front-end': 0, 'Tiler': 1, 'Memory System': 2, 'Shader Core': 3}
# Layout, product (its platform in rooftop), GPU_ID, slices, cores; the bus has 128 bits.
MACHINES = [('Mali-G77', 'g77', 0x90000000, 2, 3), ('Mali-G77', 'g57', 0x90010000, 1, 2), ('Mali-G78', 'g78', 0x90020000, 2, 4),
            ('Mali-G710', 'g710', 0xa0020000, 2, 3), ('Mali-G715', 'g715', 0xb0020000, 2, 3),
            ('Mali-G720', 'g720', 0xc0000000, 1, 3), ('Mali-G725', 'g725', 0xd0000000, 2, 3),
            ('Mali G1', 'g1ultra', 0xe0000000, 2, 3)]
SPAN_S = 0.5


def word(block, instance, index):
    """The number in a word, the same as in tests/unit/valhall.c."""
    return (block * 7919 + instance * 104729 + index * 1299709 + 17) * 31 % 1000003


def text(node, tag):
    return re.sub(r'\s+', ' ', (node.findtext(tag) or '').strip())


def counters(folder, layout):
    """Name of a hardware counter -> its block and word."""
    found = {}
    for block in ET.parse(f'{folder}/hardwarelayout/{layout}.xml').getroot():
        for c in block:
            found[c.get('name')] = (BLOCKS[block.get('type')], int(c.get('index')))
    return found


def infos(folder, layout):
    for path in sorted(glob.glob(folder + '/counterinfo/*.xml')):
        for c in ET.parse(path).getroot():
            if c.tag == 'CounterInfo' and layout in [g.text.strip() for g in c.find('SupportedGPUs')]:
                yield c


def compute(folder, layout, slices, cores):
    instances = [1, 1, slices, cores]
    hardware = {name: sum(word(b, i, w) for i in range(instances[b])) for name, (b, w) in counters(folder, layout).items()}
    values = {'MALI_CONFIG_EXT_BUS_BYTE_SIZE': 16, 'MALI_CONFIG_L2_CACHE_COUNT': slices, 'MALI_CONFIG_SHADER_CORE_COUNT': cores,
              'MALI_CONFIG_TIME_SPAN': SPAN_S}
    equations = {}
    for c in infos(folder, layout):
        name = text(c, 'MachineName')
        if text(c, 'Equation'):
            equations[name] = (text(c, 'Equation'), text(c, 'Units') == 'percent')
        else:
            sources = [text(c, 'SourceName')] + [a.text.strip() for a in c.findall('SourceAlias')]
            values[name] = next(hardware[s] for s in sources if s in hardware)
    names = [n for n in values if n.startswith('Mali')] + list(equations)
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
    for layout, platform, gpu_id, slices, cores in MACHINES:
        print(f'gpu {platform} {gpu_id:08x} {slices} {cores}')
        for name, value in compute(sys.argv[1], layout, slices, cores):
            print(name, '-' if value is None else f'{value:.12g}')


main()
