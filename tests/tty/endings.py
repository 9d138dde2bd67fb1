# SPDX-License-Identifier: GPL-3.0-or-later
"""However a signal comes, the program ends in order: by that signal, with nothing left behind. TAP on standard output.
ROOFTOP_ROUNDS says how many endings are tried (with two signals each), ROOFTOP_SEED with which moments."""
import os, random, signal, subprocess, time
import terminal
from endings_lib import orphans, whole_recording, whole_trace
from tap import ROOFTOP, finish, folder, home, ok

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
ROUNDS = int(os.environ.get('ROOFTOP_ROUNDS', 80))
SIM = 'sim:hd620,load=private.mad.sp.x4'
dice = random.Random(int(os.environ.get('ROOFTOP_SEED', 1)))


def pair():
    """One signal or two, within a millisecond."""
    first = dice.choice(SIGNALS)
    return (first, dice.choice(SIGNALS)) if dice.random() < 0.6 else (first,)


def send(pid, signals):
    for s in signals:
        try:
            os.kill(pid, s)
        except ProcessLookupError:
            return
        time.sleep(dice.random() * 0.001)


def end_of(args, moment, signals, wait_for_line=None):
    """Status of the program when signals come `moment` seconds after its start, or after its first line."""
    p = subprocess.Popen([ROOFTOP, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                         env={**os.environ, 'HOME': home}, restore_signals=True)
    if wait_for_line:
        p.stdout.readline()
    time.sleep(moment)
    send(p.pid, signals)
    try:
        out, err = p.communicate(timeout=terminal.PATIENCE)
    except subprocess.TimeoutExpired:
        p.kill()
        out, err = p.communicate()
        return None, err
    return p.returncode, err


def by_signal(status, signals):
    return status in [-s for s in signals]


def judge(what, rounds, one):
    """Runs one() so many times; the point names the first that went wrong."""
    wrong = [why for why in (one() for _ in range(rounds)) if why]
    ok(not wrong, f'{what}: {rounds - len(wrong)} of {rounds} end in order', str(wrong[:2]))


def screen(moment):
    record, trace = os.path.join(home, 'screen.i915perf'), os.path.join(home, 'screen.json')
    for path in (record, trace):
        if os.path.exists(path):
            os.unlink(path)
    t = terminal.Terminal(ROOFTOP, ['-D', SIM, '-d', '0.1', '-w', record, '--trace', trace], home)
    signals = pair()
    if moment == 'early':
        while os.readlink(f'/proc/{t.pid}/exe') != os.path.realpath(ROOFTOP):
            time.sleep(0.001)
        time.sleep(dice.random() * 0.05)
    else:
        t.wait_for(b'Utilization')
    if moment == 'quitting':
        t.send(b'q')
        time.sleep(dice.random() * 0.003)
    send(t.pid, signals)
    status = t.wait_end()
    restored = b'\x1b[?1049h' not in t.data or t.restored()
    t.close()
    wanted = by_signal(status, signals) or (moment == 'quitting' and status == 0)
    left = orphans()
    if wanted and restored and not left and whole_recording(record) and whole_trace(trace):
        return None
    return (signals, status, restored, left, whole_recording(record), whole_trace(trace))


def batch(args, may_end=False, wait_for_line=True):
    def one():
        record = os.path.join(home, 'batch.i915perf')
        if os.path.exists(record):
            os.unlink(record)
        words = [w.replace('@RECORD@', record).replace('@HOME@', home) for w in args]
        signals = pair()
        early = dice.random() < 0.5
        status, err = end_of(words, dice.random() * 0.05, signals, wait_for_line and not early)
        left = orphans()
        if (by_signal(status, signals) or (may_end and status == 0)) and not left and whole_recording(record):
            return None
        return (signals, early, status, left, err[-300:])
    return one


n = max(ROUNDS // 10, 1)
judge('before the first frame', n, lambda: screen('early'))
judge('on the screen', n, lambda: screen('drawn'))
judge('while it quits', n, lambda: screen('quitting'))
judge('a recording', n, batch(['-D', SIM, '-d', '0.02', '-J', '-w', '@RECORD@']))
judge('an exporter', n, batch(['-D', SIM, '-d', '0.02', '--export', 'prometheus:unix:@HOME@/socket'], wait_for_line=False))
judge('a textfile and a trace', n, batch(['-D', SIM, '-d', '0.02', '-J', '--textfile', '@HOME@', '--trace', '@HOME@/t.json']))
judge('stress', n, batch(['stress', '-D', SIM, 'private.mad.sp.x4', '--time', '60'], True, False))
judge('a sweep', n, batch(['sweep', '-D', SIM], True, False))
judge('calibrate', n, batch(['calibrate', '-D', SIM], True, False))
judge('run', n, batch(['run', '-D', SIM, '--', 'sh', '-c', 'echo; exec sleep 1000'], False, True))

status, err = end_of(['run', '-D', SIM, '--', 'sh', '-c', 'trap "exit 7" TERM; echo; while :; do sleep 0.01; done'], 0.05, (signal.SIGTERM,), True)
ok(status == 7, 'a command that catches the signal gives its own status', str((status, err)))

# SIGKILL cannot be passed on: the command goes on, as with perf stat.
p = subprocess.Popen([ROOFTOP, 'run', '-D', SIM, '--', 'sh', '-c', 'echo $$; exec sleep 1000'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
child = int(p.stdout.readline())
p.kill()
p.wait()
try:
    os.kill(child, 0)
    lives = True
except ProcessLookupError:
    lives = False
ok(lives, 'a command outlives a rooftop that was killed')
if lives:
    os.kill(child, signal.SIGKILL)
ok(not orphans(), 'and nothing else is left')

def begun(prepare, *words):
    p = subprocess.run([ROOFTOP, 'run', *words], preexec_fn=prepare, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=terminal.PATIENCE)
    return p.returncode, p.stdout.decode()


def interrupt():
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    os.kill(os.getpid(), signal.SIGINT)


# What it was begun with.
for way in (['-D', SIM], ['--task']):
    got = begun(lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN), *way, '--', 'sh', '-c', 'exit 3')[0]
    ok(got == 3, 'run %s: where somebody ignored children, ours have a status' % way[0], str(got))
got = begun(interrupt, '-D', SIM, '--', 'echo', 'begun')
ok(got == (-signal.SIGINT, ''), 'a signal from before the command is for rooftop, and nothing is run', str(got))

# Signals of a terminal that the command does not get from there.
t = terminal.Terminal(ROOFTOP, ['run', '-D', SIM, '--', 'setsid', 'sh', '-c', 'echo begun; exec sleep 1000'], folder.name)
t.wait_for(b'begun')
t.send(b'\x03')
ok(t.wait_end() == -signal.SIGINT and not orphans(), '^C ends a command that has a group of its own', str(t.status))
t.close()
t = terminal.Terminal(ROOFTOP, ['run', '-D', SIM, '--', 'sh', '-c', 'echo begun; exec sleep 1000'], folder.name)
t.wait_for(b'begun')
t.close()
end = time.monotonic() + terminal.PATIENCE
gone = (0, 0)
while gone[0] == 0 and time.monotonic() < end:
    gone = os.waitpid(t.pid, os.WNOHANG)
    time.sleep(0.01)
ok(gone == (t.pid, signal.SIGHUP) and not orphans(), 'a terminal that goes away ends the command', str(gone))
if gone[0] == 0:
    os.kill(t.pid, signal.SIGKILL)

# nohup
p = subprocess.Popen(['nohup', ROOFTOP, '-D', SIM, '-d', '0.02', '-J'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
p.stdout.readline()
os.kill(p.pid, signal.SIGHUP)
for _ in range(5):
    p.stdout.readline()
ok(p.poll() is None, 'a signal that is ignored stays ignored')
p.terminate()
p.communicate()
ok(p.returncode == -signal.SIGTERM, 'and another one ends it', str(p.returncode))
folder.cleanup()
finish()
