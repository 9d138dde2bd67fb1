# SPDX-License-Identifier: GPL-3.0-or-later
"""faults.py PROGRAM FOLDER PRELOAD IS_SANITIZED MOST: lets calls of rooftop fail one by one (faults.c), at most MOST of a kind in each
scenario. Prints "0 NAME" or "1 NAME", and how many faults there were."""
import csv, io, json, os, random, signal, socket, subprocess, sys, threading, time

program, folder, preload = sys.argv[1:4]
is_sanitized, MOST = int(sys.argv[4]), int(sys.argv[5])
PATIENCE_S = 300
EINTR, EIO, ENOMEM, EAGAIN, EACCES, EMFILE, ENOSPC = 4, 5, 12, 11, 13, 24, 28
FAULTS = dict(read=(EINTR, EIO, 'short'), write=(EINTR, ENOSPC, 'short'), open=(EMFILE, EACCES), poll=(EINTR, ENOMEM), mmap=(ENOMEM,),
              malloc=(ENOMEM,), socket=(EMFILE,), spawn=(EAGAIN, ENOMEM), rename=(EIO,))
HARMLESS = {('read', EINTR), ('read', 'short'), ('write', EINTR), ('write', 'short'), ('poll', EINTR)}
injected = 0


def run(arguments, meanwhile=None, **more):
    p = subprocess.Popen([program, *arguments], env=dict(os.environ, LD_PRELOAD=preload, **more), stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    reader = threading.Thread(target=meanwhile, args=(p,)) if meanwhile else None
    if reader:
        reader.start()
    try:
        out, errors = p.communicate(timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        p.kill()
        out, errors = p.communicate()
        errors += b'\nit hung'
    if reader:
        reader.join()
    return subprocess.CompletedProcess(arguments, p.returncode, out, errors)


def calls_of(arguments, meanwhile):
    count = os.path.join(folder, 'count')
    p = run(arguments, meanwhile, FAULTS_COUNT=count)
    return p, {name: int(n) for name, n in (line.split() for line in open(count))}


def verdict(call, what, p, has_strangers):
    """'' or what is wrong with it. Strangers are libraries that may take a harmless fault for a bad one."""
    said = p.stderr.decode(errors='replace').strip()
    if p.returncode == 0:
        return ''
    if (call, what) in HARMLESS and not has_strangers:
        return f'status {p.returncode}: {said[-200:]}'
    if call == 'malloc' and p.returncode == -signal.SIGABRT and 'out of memory' in said:
        return ''
    # The write that fails may be that of the sentence: then the status alone tells.
    if call == 'write' and p.returncode in (1, 3, 4) and not said:
        return ''
    return '' if p.returncode in (1, 3, 4) and 'rooftop: ' in said else f'status {p.returncode}: {said[-200:]}'


def sweep(name, arguments, is_whole, meanwhile=None, calls=FAULTS, has_strangers=False):
    """Where the scenario does not work without faults it is skipped, and says so."""
    global injected
    p, totals = calls_of(arguments, meanwhile)
    if p.returncode:
        print(0, f'{name} is not possible here: {p.stderr.decode(errors="replace").strip()[-100:]}'.replace('\n', ' '), flush=True)
        return
    wrong = is_whole(p)
    print(int(bool(wrong)), f'{name}: without a fault', wrong, flush=True)
    for call, total in totals.items():
        chosen = range(1, total + 1)
        if total > MOST:
            chosen = sorted(random.Random(total).sample(chosen, MOST))
        for what in calls.get(call, ()):
            if not total or (call == 'malloc' and is_sanitized):
                continue
            bad = []
            for n in chosen:
                p = run(arguments, meanwhile, FAULTS=f'{call}:{what}:{n}')
                injected += 1
                wrong = verdict(call, what, p, has_strangers) or (is_whole(p) if p.returncode == 0 else '')
                if wrong:
                    bad.append(f'call {n}: {wrong}')
            print(int(bool(bad)), f'{name}: {call} {what}, {len(chosen)} of {total}', '; '.join(bad)[:500].replace('\n', ' '), flush=True)


def windows(count):
    def is_whole(p):
        lines = p.stdout.decode().splitlines()
        return '' if len(lines) == count and all(json.loads(line) for line in lines) else 'windows are missing'
    return is_whole


def playable(p):
    played = subprocess.run([program, '-r', recording, '--speed', 'max', '-n', '1', '-J'], capture_output=True, timeout=PATIENCE_S)
    return windows(4)(p) or ('' if played.returncode == 0 else 'the recording does not play')


def measured(p):
    rows = [row for row in csv.DictReader(io.StringIO(p.stdout.decode())) if row['kernel']]
    return '' if len(rows) == 1 and float(rows[0]['gflops']) > 0 else f'{len(rows)} rows'


def scrape(p):
    """Asks for the metrics, again and again, until the program has ended."""
    while p.poll() is None:
        time.sleep(0.005)
        try:
            with socket.socket(socket.AF_UNIX) as s:
                s.settimeout(1)
                s.connect(listens)
                s.sendall(b'GET /metrics HTTP/1.0\r\n\r\n')
                answers.append(s.recv(9)[:9])
        except OSError:
            pass


def exported(p):
    """Its windows, answers that begin as answers do, and whole files."""
    strange = [a for a in answers if not b'HTTP/1.0 '.startswith(a)]
    answers.clear()
    with open(os.path.join(folder, 'trace.json')) as f:
        json.load(f)
    files = [f for f in os.listdir(folder) if f.startswith('rooftop.prom') and f != 'rooftop.prom']
    return windows(9)(p) or (f'an answer {strange[0]}' if strange else '') or (f'{files} is left' if files else '')


recording = os.path.join(folder, 'faults.i915perf')
listens = os.path.join(folder, 'listens')
answers = []
sim = ['-D', 'sim:hd620', '--speed', 'max', '-n', '3', '-J']
sweep('recording', [*sim, '-w', recording, '--overwrite'], playable)
sweep('playing', ['-r', recording, '--speed', 'max', '-n', '3', '-J'], windows(4))
sweep('two devices', ['-D', 'sim:hd620', '-D', 'sim:tgl', '-d', '0.02', '-n', '3', '-J'], windows(8))
sweep('exporting', ['-D', 'sim:hd620', '-d', '0.02', '-n', '8', '-J', '--export', f'prometheus:unix:{listens}', '--textfile', folder,
                    '--trace', os.path.join(folder, 'trace.json')], exported, scrape)
sweep('stress', ['stress', '-D', 'sim:hd620', '--speed', 'max', '--time', '0.5', '-c', 'flops.private.mad.sp.x4'], measured)
sweep('stress on OpenCL', ['stress', '-D', 'cpu0', '--time', '0.1', '-c', 'flops.private.mad.sp.x4'], measured,
      calls={call: FAULTS[call] for call in FAULTS if call not in ('malloc', 'mmap')}, has_strangers=True)
left = [f for f in os.listdir(folder) if f.startswith(('faults.', 'trace.')) and f not in ('faults.i915perf', 'trace.json')]
print(int(bool(left)), 'nothing else is left', *left)
print(int(injected < 10), f'{injected} faults were injected')
