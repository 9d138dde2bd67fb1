# SPDX-License-Identifier: GPL-3.0-or-later
"""intel_xml.py ROOFTOP MACHINE XML SLICES SUBSLICES REVISION: every set of Intel's file on a live card, whose masks and revision these are.

Which counters and registers the card should get is worked out here from the file alone, by another reader of its tests than rooftop's.
Prints "0 NAME" or "1 NAME" for each point, and tells on standard error what is wrong."""
import gzip, json, os, re, shutil, struct, subprocess, sys, tempfile
import xml.etree.ElementTree as tree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tty'))
from share import in_share

rooftop, machine, path = sys.argv[1:4]
slices, subslices, revision = (int(word, 0) for word in sys.argv[4:7])
SLICES = ('$SliceMask', '$GtSliceMask')
SUBSLICES = ('$SubsliceMask', '$DualSubsliceMask', '$GtDualSubsliceMask', '$XeCoreMask', '$GtXeCoreMask')
OPERATORS = {
    'AND': lambda a, b: a & b, '&&': lambda a, b: bool(a) and bool(b), '||': lambda a, b: bool(a) or bool(b), '==': lambda a, b: a == b,
    'ULT': lambda a, b: a < b, 'UGTE': lambda a, b: a >= b, 'UGT': lambda a, b: a > b, '<': lambda a, b: a < b, '>=': lambda a, b: a >= b,
    '>': lambda a, b: a > b, 'OR': lambda a, b: a | b, 'UMUL': lambda a, b: a * b, '<<': lambda a, b: a << b}


def variable(name):
    if name in SLICES:
        return slices
    if name in SUBSLICES:
        return subslices
    if name == '$SkuRevisionId':
        return revision
    if name == '$QueryMode':
        return 0
    slice_of = re.fullmatch(r'\$GtSlice(\d+)', name)
    if slice_of:
        return subslices >> 4 * int(slice_of[1]) & 15 != 0
    part = re.fullmatch(r'\$GtSlice(\d+)(?:XeCore|DualSubslice)(\d+)', name)
    if part:
        return subslices >> (4 * int(part[1]) + int(part[2])) & 1
    return subslices >> int(re.fullmatch(r'\$GtXeCore(\d+)', name)[1]) & 1


def passes(element):
    stack = []
    for word in element.get('availability', 'true').split():
        if word in OPERATORS:
            b, a = stack.pop(), stack.pop()
            stack.append(OPERATORS[word](a, b))
        elif word == '!':
            stack.append(not stack.pop())
        elif word in ('true', 'false'):
            stack.append(word == 'true')
        else:
            stack.append(variable(word) if word[0] == '$' else int(word, 0))
    return bool(stack.pop())


def plain(name):
    return name.lower().replace('_', '')


def without_units(name):
    """A plain name without the words and digits that may name a unit."""
    return re.sub('(xecore|dualsubslice|subslice|slice)?[0-9]', '', name)


def wanted_registers(metrics):
    """None where the set has blocks of a kind, and none of them is for this card."""
    out = []
    for kind in ('NOA', 'OA', 'FLEX'):
        blocks = [b for b in metrics.findall('register_config') if b.get('type') == kind]
        fitting = [b for b in blocks if passes(b)]
        if blocks and not fitting:
            return None
        for block in fitting:
            out += [(int(r.get('address'), 16), int(r.get('value'), 16)) for r in block.findall('register')]
    return out


def registered():
    """What the fake kernel holds, and no longer."""
    out, configs, metrics = [], machine + '/i915/configs', machine + '/sys/class/drm/card0/metrics'
    for name in os.listdir(configs):
        data = open(f'{configs}/{name}', 'rb').read()
        out.append([struct.unpack_from('<III', data, at)[1:] for at in range(0, len(data), 12)])
        os.unlink(f'{configs}/{name}')
    for name in os.listdir(metrics):
        shutil.rmtree(f'{metrics}/{name}')
    return out


bad = {'counters': 0, 'constants': 0, 'registers': 0, 'refused': 0}
# The media units have reports of their own, which rooftop does not read.
root = tree.parse(gzip.open(path)).getroot()
sets = [s for s in root.findall('set') if 'MPEC' not in s.get('oa_format', '') and in_share()]
# The first set is taken from Intel's file. The others are read from files that have nothing else, which takes a tenth of the time.
folder = tempfile.mkdtemp()
alone = os.path.join(folder, os.path.basename(path).removesuffix('.gz'))
n_refused = n_registers = n_counters = n_conditional = 0
for metrics in sets:
    name, want = metrics.get('symbol_name'), wanted_registers(metrics)
    if metrics is not sets[0]:
        part = tree.Element(root.tag, root.attrib)
        part.append(metrics)
        tree.ElementTree(part).write(alone)
    run = subprocess.run([rooftop, '-J', '-n', '1', '-d', '0.01', '--metrics-xml', path if metrics is sets[0] else alone, '-m', name],
                         text=True, capture_output=True, env=dict(os.environ, FAKEKERNEL_FAIL='remove'))
    got = registered()
    if want is None:
        n_refused += 1
        good = run.returncode == 2 and f'set {name} has registers of kind' in run.stderr and not got
        bad['refused'] += not good
        if not good:
            print(f'{name}: {run.returncode} {run.stderr}', file=sys.stderr)
        continue
    counters = [c for c in metrics.findall('counter') if passes(c)]
    n_conditional += sum('availability' in c.attrib for c in counters)
    n_counters += len(counters)
    n_registers += len(want)
    shown = json.loads(run.stdout.splitlines()[0])['units'] if run.stdout else {}
    # What differs only in the digits of units is one more metric, with a cell for each unit.
    names = {plain(n) for n in shown}
    wanted = {plain(c.get('symbol_name')) for c in counters}
    merged = {without_units(n) for n in wanted}
    if not wanted <= names or any(without_units(n) not in merged for n in names - wanted):
        bad['counters'] += 1
        print(f'{name}: {len(shown)} counters of {len(counters)} {run.stderr}', file=sys.stderr)
    window = json.loads(run.stdout.splitlines()[1]) if run.stdout else {'why': {}}
    unknown = [n for n, why in window['why'].items() if why == 'unknown_const']
    if unknown or not run.stdout:
        bad['constants'] += 1
        print(f'{name}: {unknown} need a constant that is not known', file=sys.stderr)
    if got != [want]:
        bad['registers'] += 1
        print(f'{name}: {[len(g) for g in got]} registers, not {len(want)}', file=sys.stderr)
shutil.rmtree(folder)
what = os.path.basename(path)
print(int(bad['counters'] > 0), f'{what}: {n_counters} counters of {len(sets)} sets, {n_conditional} of them not on every device')
print(int(bad['constants'] > 0), f'{what}: the card tells every constant that they need')
print(int(bad['registers'] > 0), f'{what}: {n_registers} registers arrive, and no others')
print(int(bad['refused'] > 0), f'{what}: {n_refused} sets are for other devices, and say so')
