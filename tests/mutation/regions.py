#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which scripts run no code that others do not run, and what each costs. It is not part of make check: a build and a run of all tests come
before, in a folder of their own:

    ../configure CC=clang CFLAGS='-O1 -fprofile-instr-generate -fcoverage-mapping' && make
    make -k check SH_LOG_COMPILER='python3 ../tests/mutation/regions.py run FOLDER timeout' T_LOG_COMPILER=the same
    python3 ../tests/mutation/regions.py tell FOLDER

The first form keeps counts of a test below FOLDER, by its name, and its seconds of processors. The second prints, from the longest on, each
script whose regions (parts of functions between branches) are all run by tests that stay: `.ci/run` leaves those that are worth it out of
the stage with sanitizers. What a fake kernel runs in a program is not counted."""
import glob
import os
import re
import resource
import subprocess
import sys
from collections import Counter


def run(folder, command):
    """The test's name is the last word of its command."""
    name = re.sub(r'^.*?(tests/(?!tests/))', r'\1', command[-1])
    here = os.path.join(folder, name)
    os.makedirs(here, exist_ok=True)
    os.chmod(here, 0o1777)      # some tests start programs as nobody
    status = subprocess.run(command, env=dict(os.environ, LLVM_PROFILE_FILE=here + '/%m.profraw')).returncode
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(here + '/seconds', 'w') as f:
        f.write('%.2f\n' % (used.ru_utime + used.ru_stime))
    return status if status >= 0 else 128 - status


def regions(profile):
    """Those that were run, as (function, its hash, number)."""
    out = subprocess.run([os.environ.get('LLVM_PROFDATA', 'llvm-profdata'), 'show', '--all-functions', '--counts', profile],
                         stdout=subprocess.PIPE, check=False).stdout.decode()
    found, name, code = set(), '', ''
    for line in out.splitlines():
        if re.match('  [^ ]', line):
            name = line.strip().rstrip(':')
            if name.startswith('interpose.c:'):
                return set()
        elif 'Hash:' in line:
            code = line.split()[-1]
        elif 'Function count:' in line and int(line.split()[-1]):
            found.add((name, code, -1))
        elif 'Block counts:' in line:
            counts = re.findall(r'\d+', line.partition('[')[2])
            found |= {(name, code, i) for i, n in enumerate(counts) if int(n)}
    return found


def tell(folder):
    tests, seconds = {}, {}
    for path in glob.glob(folder + '/tests/**/seconds', recursive=True):
        name = os.path.relpath(os.path.dirname(path), folder)
        seconds[name] = float(open(path).read())
        tests[name] = set().union(*(regions(p) for p in glob.glob(os.path.dirname(path) + '/*.profraw')))
    scripts = sorted((n for n in tests if n.endswith('.sh')), key=lambda n: -seconds[n])
    of_program = {function for n in scripts for function, _, _ in tests[n]}     # not those of the tests of units
    times = Counter(r for n in tests for r in tests[n] if r[0] in of_program)
    for n in scripts:
        mine = {r for r in tests[n] if r in times}
        if all(times[r] > 1 for r in mine):
            times.subtract(mine)
            print('%7.2f s  %s' % (seconds[n], n))
    print('%d tests, %d regions' % (len(tests), len(times)))


sys.exit(run(sys.argv[2], sys.argv[3:]) if sys.argv[1] == 'run' else tell(sys.argv[2]))
