# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs what README, the manual pages and doc/ show. TAP on standard output; the argument is the folder of the sources."""
import glob, os, re, shlex, subprocess, sys

import tap
from tap import finish, home, ok

SOURCES = os.path.abspath(sys.argv[1])
ROOFTOP = os.path.abspath(tap.ROOFTOP)
PAGES = ['README.md', 'HACKING.md', 'NEWS'] + [os.path.relpath(p, SOURCES)
    for p in sorted(glob.glob(SOURCES + '/doc/*.md') + glob.glob(SOURCES + '/man/*.[157]') + glob.glob(SOURCES + '/man/*.in'))]

# Lines that are not run here, and why. One that stands nowhere any more is told.
NOT_RUN = {
    'ssh host': 'needs another machine; tests/tty/endings.sh plays ssh',
    '--export prometheus': 'serves until it is ended; tests/tty/export.sh asks it',
    '--metrics-xml oa-': "Intel's file is not part of rooftop; tests/unit/intel reads its form",
    '--counter fp_ret_sse_avx_ops.all': 'needs counters of the processor',
    'run --task -- ': 'needs counters of the processor',
    'stress -D card0 -D cpu0': 'needs OpenCL for the processor; tests/kernels runs it',
    '--access mmio': 'needs registers; tests/fakekernel has them',
    'run --kernels -- ./program': 'needs OpenCL; tests/kernels counts its kernels',
    'rooftop doctor': 'its status is what this machine has',
    'run -r run.rec': 'plays what the line before it makes with kernels',
}
unused = set(NOT_RUN)
# The programs that the lines name.
PROGRAMS = ('program', 'stencil', 'load', 'solve')
SUBCOMMANDS = set('stress run sweep calibrate check metrics doctor diff explain roofline'.split())
# What needs no device of its own.
WITHOUT_DEVICE = {'diff', 'metrics', 'doctor'}


def shown(page):
    """Lines that are commands of their own, and commands within a sentence."""
    lines, words = [], []
    for line in open(os.path.join(SOURCES, page), encoding='utf-8'):
        if page.endswith(('.md', 'NEWS')):
            own = re.match(r'    (?:\$ )?(rooftop .*?)(?:  +# .*)?$', line)
            words += re.findall(r'`(rooftop [^`]+)`', line)
        else:
            own = re.match(r'\.(?:Dl|It Li) ((?:ssh .*)?rooftop .*)$', line)
            quoted = re.match(r'\.(?:Ql|Li|Cm) (rooftop .*?)(?: [.,;:)])*$', line)
            if quoted and ' Ar ' not in quoted[1] and ' Ns' not in quoted[1]:
                words.append(quoted[1])
        if own:
            lines.append(own[1].replace('\\e', '\\').replace('\\-', '-').strip())
    return lines, words


def split(command):
    words = shlex.split(command)[1:]
    rest = words.index('--') if '--' in words and words[:1] == ['run'] else len(words)
    return words[:rest], words[rest:]


def known(command):
    """The program knows the command and all of its options."""
    own, _ = split(command)
    own = own[:own.index('--')] if '--' in own else own
    own = [w for w in own if w not in ('KERNEL', 'METRIC')]
    run = subprocess.run([ROOFTOP, *own, '--help'], cwd=home, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return run.returncode == 0, run.stderr.split('\n')[0]


def on_device(command):
    """The same line for a simulated device, and for a terminal that plays a script."""
    own, program = split(command)
    name = own[0] if own and own[0] in SUBCOMMANDS else ''
    own = ['sim:hd620' if w in ('card0', 'cpu0') else w for w in own]
    if '-D' not in own and '-r' not in own and name not in WITHOUT_DEVICE:
        own[1 if name else 0:0] = ['-D', 'sim:hd620']
    if not name and not set(own) & {'-n', '-L', '-V', '--version', '--counter=help', 'sim:help', 'help'}:
        own += ['-n', '2', '--speed', 'max'] if set(own) & {'-b', '-c', '-J', '-w'} else ['--script', 'quit']
    return [ROOFTOP, *own, *program]


def runs(command):
    environment = dict(os.environ, PATH=f'{home}:{os.environ["PATH"]}', HOME=home, XDG_STATE_HOME=home + '/state')
    if re.search(r'[|]', command):
        return False, 'a pipe'
    run = subprocess.run(on_device(command), cwd=home, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return run.returncode == 0, f'{run.returncode}: {run.stderr.strip()[:200]}'


def examples(page):
    """Each literal block of the page of metric files, as a file of its own."""
    text = open(os.path.join(SOURCES, page), encoding='utf-8').read()
    blocks = re.findall(r'^\.Bd -literal.*\n((?:.*\n)*?)\.Ed$', text, re.M)
    head = 'include counters.metrics\nset example "Example"\n\ttext "What the page shows."\n\tplatforms kblgt2 sklgt2\n'
    for block in blocks:
        block = block.replace('\\e', '\\')
        yield block if block.startswith('include') else head + block


def prepare():
    for name in PROGRAMS:
        with open(os.path.join(home, name), 'w', encoding='utf-8') as f:
            f.write('#!/bin/sh\nexec sleep 0.3\n')
        os.chmod(os.path.join(home, name), 0o755)
    with open(os.path.join(home, 'quit'), 'w', encoding='utf-8') as f:
        f.write('wait 1\nquit\n')
    for name, load in (('a1', 'stream.sp.x4'), ('a2', 'stream.sp.x4'), ('a3', 'stream.sp.x4'), ('b1', 'idle'), ('b2', 'idle'), ('b3', 'idle')):
        subprocess.run([ROOFTOP, '-D', f'sim:hd620,load={load}', '-n', '3', '-b', '--speed', 'max', '-w', f'{home}/{name}.rec'],
            stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, check=True)
    for side in ('before', 'after'):
        subprocess.run([ROOFTOP, 'run', '-D', 'sim:hd620', '--repeat', '3', '-J', '-o', side, '--', './program'], cwd=home,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, check=True)
    for page in PAGES:
        if page.endswith('rooftop-metrics.5'):
            for i, text in enumerate(examples(page)):
                with open(os.path.join(home, f'example{i}.metrics'), 'w', encoding='utf-8') as f:
                    f.write(text)
                if 'set compute-only' in text:
                    for name in ('compute.metrics', 'FILE'):
                        with open(os.path.join(home, name), 'w', encoding='utf-8') as f:
                            f.write(text)


prepare()
count = run_count = 0
for page in PAGES:
    lines, words = shown(page)
    for command in dict.fromkeys(lines + words):
        why = next((k for k in NOT_RUN if k in command), None)
        count += 1
        if not command.startswith('ssh'):
            good, note = known(command)
            ok(good, f'{page}: known: {command}', note)
        if why:
            unused.discard(why)
        elif command in lines:
            run_count += 1
            good, note = runs(command)
            ok(good, f'{page}: runs: {command}', note)
ok(count >= 50 and run_count >= 20, f'{count} commands are shown, {run_count} of them were run')
ok(not unused, 'each exception stands in a page', ', '.join(sorted(unused)))
texts = [f for f in sorted(os.listdir(home)) if f.startswith('example')]
ok(len(texts) >= 4, f'the page of metric files has {len(texts)} examples')
for name in texts:
    check = subprocess.run([ROOFTOP, 'metrics', '--check', os.path.join(home, name)], capture_output=True, text=True)
    ok(check.returncode == 0 and 'problems 0' in check.stdout + check.stderr, f'{name} loads', (check.stdout + check.stderr).strip()[:200])
finish()
