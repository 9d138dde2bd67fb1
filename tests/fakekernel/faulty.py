# SPDX-License-Identifier: GPL-3.0-or-later
"""Drivers whose calls fail at random, GPUs that are reset and cards that fall off the bus meanwhile (calls.c, faults): no crash, no hang, no
false number, and a reason for each number that is missing. Arguments: FOLDER SHIM RUNTIME PROGRAM FIRST COUNT [MACHINE...]. Prints "0 NAME" or "1 NAME"
for each machine. The clock is virtual, so that a seed has the same faults each time (lib.sh)."""
import json, os, re, shutil, subprocess, sys

folder, shim, runtime, program = sys.argv[1:5]
first, count = int(sys.argv[5]), int(sys.argv[6])
here = os.path.dirname(os.path.abspath(__file__))
WINDOWS = 25
HANGS_S = 300
# A machine, what is asked, and how many calls of a thousand fail.
MACHINES = {
    'i915': (('maketree.sh', 'hd620,load=private.mad.sp.x4', 'i915'), ()),
    'i915 card': (('maketree.sh', 'dg2,load=private.mad.sp.x4', 'i915'), ()),
    'i915, Tiger Lake': (('maketree.sh', 'tgl,load=private.mad.sp.x4', 'i915'), ()),
    'i915, registers': (('maketree.sh', 'hd620,load=private.mad.sp.x4', 'i915'), ('--access', 'mmio')),
    'i915, batches': (('maketree.sh', 'hd620,load=private.mad.sp.x4', 'i915'), ('--access', 'rpc')),
    'xe': (('maketree.sh', 'lnl,load=private.mad.sp.x4', 'xe'), ()),
    'xe, stalls': (('maketree.sh', 'lnl,load=private.mad.sp.x4', 'xe'), ('-m', 'stalls')),
    'xe, Tiger Lake': (('maketree.sh', 'tgl,load=private.mad.sp.x4', 'xe'), ()),
    'kbase': (('malitree.sh', 'g72,load=memory', 'kbase'), ()),
    'panfrost': (('malitree.sh', 'g52,load=memory', 'panfrost'), ()),
    'v3d': (('boardtree.sh', 'pi5'), ()),
    'msm': (('boardtree.sh', 'a7xx'), ()),
    'xdna': (('boardtree.sh', 'xdna'), ('-D', 'accel0')),
}
PER_MILLE = (2, 10, 40, 120)
# How far a right number may be from those of a run without faults: windows begin elsewhere.
SLACK = 0.25
# Units of what is added up while a window lasts; a number without a unit may be one, too.
AMOUNT = re.compile('[kMG]?(B|cycle|s|ms|J|FLOP|pixel|quad|thread|)')
units = {}


def run(root, arguments, per_mille, seed, windows=WINDOWS, delay='0.1'):
    env = dict(os.environ, FAKEKERNEL_ROOT=root, FAKEKERNEL_LOG=root + '.log', LD_PRELOAD=(runtime + ' ' + shim).strip(),
               FAKEKERNEL_CLOCK='virtual')
    if per_mille:
        with open(os.path.join(root, 'calls'), 'w') as f:
            f.write('faults %d %d\n' % (seed, per_mille))
    try:
        p = subprocess.run([program, '-J', '-d', delay, '-n', str(windows), *arguments], env=env, stdin=subprocess.DEVNULL, capture_output=True,
                           timeout=HANGS_S, errors='replace')
    except subprocess.TimeoutExpired:
        return None, [], 'hangs'
    lines = [json.loads(line) for line in p.stdout.splitlines()]
    for line in lines:
        units.update(line.get('units', {}))
    return p.returncode, [w for w in lines if 'metrics' in w], p.stderr


def made(name, root):
    script, *words = MACHINES[name][0]
    subprocess.run(['sh', os.path.join(here, script), root, *words], check=True)


def is_amount(metric):
    return AMOUNT.fullmatch(units.get(metric, '')) is not None


def limits(windows):
    """What was found without faults: of an amount, how much came in a millisecond."""
    found = {}
    for w in windows:
        for metric, value in w['metrics'].items():
            if not isinstance(value, (int, float)) or is_amount(metric) and not w['window_ms']:
                continue
            if is_amount(metric):
                value /= w['window_ms']
            low, high = found.get(metric, (value, value))
            found[metric] = min(low, value), max(high, value)
    return found


def spans(windows):
    """For each window and metric, for how many milliseconds an amount may have come: since the last one that had a number, because what
    counts on while calls fail is told later, and a window more, because sources are read at moments of their own."""
    since, now = {}, 0
    for w in windows:
        begin, now = now, now + (w['window_ms'] or 0)
        yield w, {metric: now - since.get(metric, 0) + (w['window_ms'] or 0) for metric in w['metrics']}
        since.update({metric: begin for metric, value in w['metrics'].items() if value is not None})


def problems(status, windows, said, allowed):
    if status is None:
        yield said
    elif status < 0 or status > 4:
        yield 'status %s: %s' % (status, said.strip()[-300:])
    for w, span in spans(windows):
        for metric, value in w['metrics'].items():
            if value is None and metric not in w.get('why', {}):
                yield '%s is missing without a reason' % metric
            if not isinstance(value, (int, float)) or metric not in allowed:
                continue
            if metric == 'sampled_rate' and not value:      # that no sample came is so, whatever the GPU does
                continue
            unit = units.get(metric, '')
            low, high = allowed[metric]
            if is_amount(metric) and not span[metric]:
                continue
            if is_amount(metric):       # what was lost is missing
                low, high = min(low, 0), max(high, 0) * span[metric]
            # A count may be one more, also where it is Mali's BLOCK.COUNTER, a mean over cores; a share of few things is a rough one.
            room = SLACK * max(abs(low), abs(high)) + (2 if value == int(value) or unit == '%' or '.' in metric else 1e-9)
            if not low - room <= value <= high + room:
                yield '%s is %s, and %s to %s without faults' % (metric, value, low, high)


def judge(name):
    base = os.path.join(folder, 'faulty-' + name.replace(',', '').replace(' ', '-'))
    made(name, base)
    tree = base + '-run'
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(base, tree, symlinks=True)
    status, windows, said = run(tree, MACHINES[name][1], 0, 0)
    if status or not windows:
        return '%s: without faults: status %s, %s' % (name, status, said[-300:])
    # Short windows show what a part of a long one may hold.
    allowed, numbers = limits(windows + run(tree, MACHINES[name][1], 0, 0, 8 * WINDOWS, '0.01')[1]), 0
    for seed in range(first, first + count):
        shutil.rmtree(tree)
        shutil.copytree(base, tree, symlinks=True)
        status, windows, said = run(tree, MACHINES[name][1], PER_MILLE[seed % len(PER_MILLE)], seed)
        numbers += sum(v is not None for w in windows for v in w['metrics'].values())
        for what in problems(status, windows, said, allowed):
            return '%s: seed %d: %s' % (name, seed, what)
    shutil.rmtree(tree)
    return '' if numbers else '%s: no seed gave a number' % name


for name in sys.argv[7:] or MACHINES:
    wrong = judge(name)
    print(1 if wrong else 0, wrong or '%s: no crash, no hang, no false number' % name, flush=True)
