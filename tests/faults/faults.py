# SPDX-License-Identifier: GPL-3.0-or-later
"""faults.py PROGRAM FOLDER PRELOAD IS_SANITIZED ALL: lets calls of rooftop fail one by one (faults.c). Prints "0 NAME" or "1 NAME"."""
import json, os, random, signal, subprocess, sys

program, folder, preload = sys.argv[1:4]
is_sanitized, tries_all = int(sys.argv[4]), int(sys.argv[5])
MOST = 10 ** 9 if tries_all else 8
PATIENCE_S = 60
EINTR, EIO, ENOMEM, EAGAIN, EACCES, EMFILE, ENOSPC = 4, 5, 12, 11, 13, 24, 28
FAULTS = dict(read=(EINTR, EIO, 'short'), write=(EINTR, ENOSPC, 'short'), open=(EMFILE, EACCES), poll=(EINTR, ENOMEM), mmap=(ENOMEM,),
              malloc=(ENOMEM,))
HARMLESS = {('read', EINTR), ('read', 'short'), ('write', EINTR), ('write', 'short'), ('poll', EINTR)}


def run(arguments, **more):
    return subprocess.run([program, *arguments], env=dict(os.environ, LD_PRELOAD=preload, **more), stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=PATIENCE_S)


def calls_of(arguments):
    count = os.path.join(folder, 'count')
    run(arguments, FAULTS_COUNT=count)
    return {name: int(n) for name, n in (line.split() for line in open(count))}


def verdict(call, what, p):
    """'' or what is wrong with it."""
    said = p.stderr.decode(errors='replace').strip()
    if p.returncode == 0:
        return ''
    if (call, what) in HARMLESS:
        return f'status {p.returncode}: {said[-200:]}'
    if call == 'malloc' and p.returncode == -signal.SIGABRT and 'out of memory' in said:
        return ''
    return '' if p.returncode in (1, 3, 4) and said.startswith('rooftop: ') else f'status {p.returncode}: {said[-200:]}'


def sweep(name, arguments, is_whole):
    for call, total in calls_of(arguments).items():
        chosen = range(1, total + 1)
        if total > MOST:
            chosen = sorted(random.Random(total).sample(chosen, MOST))
        for what in FAULTS.get(call, ()):
            if not total or (call == 'malloc' and is_sanitized):
                continue
            bad = []
            for n in chosen:
                p = run(arguments, FAULTS=f'{call}:{what}:{n}')
                wrong = verdict(call, what, p) or (is_whole(p) if p.returncode == 0 else '')
                if wrong:
                    bad.append(f'call {n}: {wrong}')
            print(int(bool(bad)), f'{name}: {call} {what}, {len(chosen)} of {total}', '; '.join(bad)[:500].replace('\n', ' '), flush=True)


def all_windows(p):
    lines = p.stdout.decode().splitlines()
    return '' if len(lines) == 4 and all(json.loads(line) for line in lines) else 'windows are missing'


def playable(p):
    played = subprocess.run([program, '-r', recording, '--speed', 'max', '-n', '1', '-J'], capture_output=True, timeout=PATIENCE_S)
    return all_windows(p) or ('' if played.returncode == 0 else 'the recording does not play')


recording = os.path.join(folder, 'faults.i915perf')
sim = ['-D', 'sim:hd620', '--speed', 'max', '-n', '3', '-J']
sweep('recording', [*sim, '-w', recording, '--overwrite'], playable)
sweep('playing', ['-r', recording, '--speed', 'max', '-n', '3', '-J'], all_windows)
left = [f for f in os.listdir(folder) if f.startswith('faults.') and f != 'faults.i915perf']
print(int(bool(left)), 'nothing else is left', *left)
