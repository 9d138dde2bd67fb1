#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""run.py FOLDER [NUMBER...]: plants the faults of tests/mutation/table in a copy of the program, one after the other, and asks for each
one whether the test that the table names fails at the point that it names. It is not part of make check: it builds the program once for
each fault. FOLDER holds the copy and its build, and may be used again; numbers choose groups of the table. A line for each fault says what
the test said before and with it; the last lines name the folders without a fault, and count.

run.py --look only asks whether every row still has its place: make check does. Who changes such a line changes its row.

Status 1: without a fault a test fails, or with one it passes, or a line of the table is not in its file any more."""
import os, re, shutil, subprocess, sys

here = os.path.dirname(os.path.abspath(__file__))
top = os.path.dirname(os.path.dirname(here))


def table():
    """[{group, about, file, old, new, test, point}]"""
    rows, row, group = [], {}, ('', '')
    for line in open(os.path.join(here, 'table')):
        word, _, rest = line.rstrip('\n').partition(' ')
        if word == 'group':
            group = tuple(rest.split(' ', 1))
        elif word == 'file':
            row = {'group': group[0], 'about': group[1], 'file': rest, 'old': '', 'new': ''}
            rows.append(row)
        elif word in '-+' and word:
            row['old' if word == '-' else 'new'] += rest + '\n'
        elif word == 'fault':
            row['fault'] = rest
        elif word == 'fails':
            row['test'], _, row['point'] = rest.partition(' ')
        else:
            assert not word or word == '#', line
    return rows


def copy_to(source):
    """The files that git knows, and those that it does not ignore; what is the same stays untouched, so that little is built again."""
    names = subprocess.run(['git', '-C', top, 'ls-files', '-z', '-c', '-o', '--exclude-standard'], check=True, stdout=subprocess.PIPE)
    for name in names.stdout.decode().split('\0'):
        old, new = os.path.join(top, name), os.path.join(source, name)
        if not name or not os.path.exists(old):
            continue
        os.makedirs(os.path.dirname(new), exist_ok=True)
        if not os.path.exists(new) or open(old, 'rb').read() != open(new, 'rb').read():
            shutil.copy(old, new)


def make(build, *what):
    """Whether it could be made; its output."""
    run = subprocess.run(['make', '-s', '-j2', *what], cwd=build, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return run.returncode == 0, run.stdout.decode(errors='replace')


def failed_points(build, test):
    """The names of the points that fail, of how many; the test's own failure, such as a crash, is one, too."""
    # No other test and no fake is built anew: the fakes share models with the program, and stay as they should be.
    if test.endswith('.t') and not make(build, test)[0]:
        return ['%s cannot be built' % test], 0
    made, said = make(build, 'check-TESTS', 'check_PROGRAMS=', 'TESTS=' + test)
    log = os.path.join(build, re.sub(r'\.(t|sh)$', '.log', test))
    if not os.path.exists(log):
        return [said[-300:]], 0
    text = open(log, errors='replace').read()
    points = re.findall(r'^not ok \d+ - (.*)$', text, re.M)
    return points or ([] if made else ['the test ended early']), len(re.findall(r'^(?:not )?ok \d+', text, re.M))


def folders():
    """Those of the program's sources."""
    names = subprocess.run(['git', '-C', top, 'ls-files', 'base', 'core', 'data/metrics', 'ui', 'src', 'backends', 'kernels', 'helpers'],
                           check=True, stdout=subprocess.PIPE).stdout.decode().split()
    return {os.path.dirname(n) for n in names if n.endswith(('.c', '.metrics'))}


def look():
    """Rows whose text is not once in its file, or whose test is not there, as points of TAP."""
    rows = table()
    lost = []
    for row in rows:
        path, test = os.path.join(top, row['file']), os.path.join(top, re.sub(r'\.t$', '.c', row['test']))
        if not os.path.exists(path) or open(path).read().count(row['old']) != 1:
            lost.append('%s: %s: the lines are not once in the file' % (row['file'], row['fault']))
        elif not os.path.exists(test):
            lost.append('%s: %s: there is no %s' % (row['file'], row['fault'], row['test']))
    for text in lost:
        print('# ' + text)
    print('%sok 1 - each of %d planted faults has its place' % ('not ' if lost else '', len(rows)))
    print('1..1')
    return lost != []


def main():
    if sys.argv[1] == '--look':
        return look()
    folder, chosen = sys.argv[1], sys.argv[2:]
    source = os.path.join(folder, 'source')
    build = os.path.join(source, 'build')   # as in a clone, so that a cache of objects (ccache) knows them
    rows = [r for r in table() if not chosen or r['group'] in chosen]
    copy_to(source)
    os.makedirs(build, exist_ok=True)
    if not os.path.exists(os.path.join(build, 'Makefile')):
        subprocess.run(['autoreconf', '-i'], cwd=source, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        subprocess.run(['../configure', '-q'], cwd=build, check=True)    # a relative path, as everywhere
    made, said = make(build, 'check', 'TESTS=')
    assert made, said[-2000:]
    bad, before = 0, {}
    for row in rows:
        if row['test'] not in before:
            failed, n = before[row['test']] = failed_points(build, row['test'])
            if failed:
                print('without a fault %s fails: %s' % (row['test'], '; '.join(failed)), flush=True)
                bad += 1
    for row in rows:
        path = os.path.join(source, row['file'])
        text = open(path).read()
        made, said, points, n = False, 'this is not once in the file: ' + row['old'], [], 0
        if text.count(row['old']) == 1:
            try:
                with open(path, 'w') as f:
                    f.write(text.replace(row['old'], row['new']))
                made, said = make(build, 'all')
                points, n = failed_points(build, row['test']) if made else ([], 0)
            finally:
                with open(path, 'w') as f:
                    f.write(text)
        found = any(row['point'] in p for p in points)
        bad += not found
        failed, all_before = before[row['test']]
        print('%s\t%s: %s\t%s\tbefore %d of %d pass\twith it %s' % (
            row['group'], row['file'], row['fault'], row['test'], all_before - len(failed), all_before,
            'fails: ' + row['point'] if found else 'NOT FOUND: ' + (said[-300:] if not made else '; '.join(points))), flush=True)
    make(build, 'all')
    without = sorted(folders() - {os.path.dirname(row['file']) for row in rows})
    if without and not chosen:
        print('folders without a fault: ' + ' '.join(without))
        bad += 1
    print('%d faults, %d not as they should be' % (len(rows), bad))
    return bad > 0


sys.exit(main())
