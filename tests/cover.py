#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""cover.py BUILD COUNTERS: which long scripts are worth a sanitizer's time in each run. It prints tests/spare anew, the others. The stage
counters of .ci/run runs it, behind all tests of the stage clang.

COUNTERS has a folder for each test, named by its path below tests/ with + for /, with what clang's counters of regions have counted there
(tests/timed.sh). The test's log in BUILD ends with its cost. Programs of tests, scripts of less than a second, and those that try something
else each time always run. Of the others, the one comes next that runs most regions which nobody before has run, by its cost, until KEPT of all
regions that any test runs are run."""
import glob, os, re, subprocess, sys

CHEAP_S = 1.0
KEPT = 0.985
RANDOM = ['tests/faults/faults.sh', 'tests/fakekernel/faulty.sh', 'tests/fakekernel/fuzz.sh', 'tests/recordings/random.sh', 'tests/screen/monkey.sh',
          'tests/tty/fuzz.sh']


def regions(folder):
    """{(function, number)} of the regions that ran; None when a program was killed before its counters could be read."""
    files = glob.glob(os.path.join(folder, '*.profraw'))
    if not files:
        return set()
    merged = os.path.join(folder, 'merged')
    if subprocess.run(['llvm-profdata-14', 'merge', '-sparse', '-o', merged, *files], stderr=subprocess.DEVNULL).returncode != 0:
        return None
    shown = subprocess.run(['llvm-profdata-14', 'show', '--all-functions', '--counts', merged], check=True, stdout=subprocess.PIPE)
    ran, name = set(), None
    for line in shown.stdout.decode(errors='replace').splitlines():
        word, _, rest = line.strip().partition(': ')
        if line.startswith('  ') and not line.startswith('   ') and line.endswith(':'):
            name = line.strip()[:-1]
        elif word == 'Function count' and rest != '0':
            ran.add((name, 0))
        elif word == 'Block counts':
            ran.update((name, i + 1) for i, n in enumerate(rest.strip('[]').split(', ')) if n not in ('', '0'))
    return ran


def cost_s(log):
    """Seconds of processors, of a test that came to its end."""
    return float(re.findall(r'^# ([0-9.]+) s of processors$', open(log, errors='replace').read(), re.M)[-1])


def read(build, counters):
    """{test: its regions}, {test: its cost}"""
    ran, cost = {}, {}
    for folder in sorted(os.listdir(counters)):
        name = folder.replace('+', '/')
        test = 'tests/%s' % (name if name.endswith('.t') else name + '.sh')
        ran[test] = regions(os.path.join(counters, folder))
        cost[test] = cost_s(os.path.join(build, 'tests', re.sub('[.]t$', '', name) + '.log'))
    return ran, cost


def every(ran):
    return set().union(*(regions or () for regions in ran.values()))


def always(ran, cost):
    """The tests that run each time, and their regions."""
    chosen = [t for t in ran if t.endswith('.t') or cost[t] < CHEAP_S or t in RANDOM or ran[t] is None]
    covered = set().union(*(ran[t] or () for t in chosen))
    enough = KEPT * len(every(ran))
    while len(covered) < enough:
        chosen.append(max((t for t in ran if t not in chosen), key=lambda t: len(ran[t] - covered) / cost[t]))
        covered |= ran[chosen[-1]]
    return chosen, covered


def main():
    ran, cost = read(*sys.argv[1:])
    chosen, covered = always(ran, cost)
    left = sorted((t for t in ran if t not in chosen), key=cost.get, reverse=True)
    print('# SPDX-License-Identifier: GPL-3.0-or-later')
    print('# What sanitizers run at random: long scripts whose C others run nearly all of. tests/cover.py made this list.')
    print('# %d tests run %d regions in %d s of processors; without these %d they are %.2f %% in %d s.' % (
        len(ran), len(every(ran)), sum(cost.values()), len(left), 100 * len(covered) / len(every(ran)), sum(cost[t] for t in chosen)))
    for test in left:
        print(test)


main()
