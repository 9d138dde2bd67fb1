# SPDX-License-Identifier: GPL-3.0-or-later
"""fuzz.py PROGRAM FOLDER FIRST_SEED SEEDS EVENTS [ARGUMENT...]: the monitor under random keys, mouse events, sizes and signals.

Each seed is a session of its own; the same seed sends the same events. Prints "0 NAME" or "1 NAME" for each: it ended as it was told to, the
terminal is as before, no process and no temporary file is left. An environment FUZZ_TREE names a fake machine that is changed meanwhile."""
import os, random, re, signal, sys, time

import procs, terminal

program, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
first_seed, seeds, n_events = map(int, sys.argv[3:6])
arguments = sys.argv[6:]
tree = os.environ.get('FUZZ_TREE')

ESCAPES = [b'\x1b[%d~' % n for n in (2, 3, 5, 6, 11, 12, 13, 14, 15, 17, 18, 19, 23, 24, 99)] + [
    b'\x1b[A', b'\x1b[B', b'\x1b[C', b'\x1b[D', b'\x1b[H', b'\x1b[F', b'\x1bOA', b'\x1bOB', b'\x1bOP', b'\x1bOQ', b'\x1bOR', b'\x1bOS',
    b'\x1b[Z', b'\x1b', b'\x1b\x1b', b'\x1b[', b'\x1b[1;5C', b'\x1b[200~']
# q, ^C, ^\\ and F10 end it, ^D does behind ^Z; a fake machine's processes are rooftop's own, and not to be signalled (K, F9).
KEYS = [bytes([c]) for c in range(1, 127) if chr(c) not in 'q\x03\x04\x1b\x1c' and not (tree and chr(c) == 'K')]
WORDS = [b'eu', b'gpu', b'30\r', b'\r', b'0', b'1e9', b'99999999999999999999', 'ä漢字'.encode(), b'\xff\xfe', b'%s%n', b'-5\r']
COMMON = [b'1', b'2', b'3', b'4', b'5', b'6', b'7', b'\t', b'\r', b' ', b'm', b'M', b'[', b']', b'+', b'-', b'j', b'k', b'h', b'S', b'e',
          b'W', b'b', b'D', b'/', b'\\', b'n', b'u', b'A', b'C', b'x', b'z', b't', b'y', b'p', b'v', b'w',
          b'o', b'O', b'6b', b'6jjb']
sent = []
CARD = 'sys/devices/pci0000:00/0000:00:02.0'


def mouse(r):
    button, x, y = r.choice((0, 1, 2, 3, 32, 35, 64, 65, 66, 128, 255)), r.randrange(0, 320), r.randrange(0, 130)
    if r.random() < 0.8:
        return b'\x1b[<%d;%d;%d%s' % (button, x, y, r.choice((b'M', b'm')))
    return b'\x1b[M' + bytes(32 + r.randrange(0, 95) for _ in range(3)).replace(b'q', b'r')


def write(path, text):
    path = os.path.join(tree, path)
    if os.path.isdir(os.path.dirname(path)):
        with open(path + '.new', 'w') as f:
            f.write(text + '\n')
        os.rename(path + '.new', path)


def change_machine(r):
    """Unplugged or not, asleep or not, the machine slept, the GPU hangs or not, rights come and go."""
    what = r.randrange(6)
    if what == 0:
        write('unplugged', r.choice('01'))
    elif what == 1:
        write(CARD + '/power/runtime_status', r.choice(('active', 'suspended', 'suspending', 'error', '')))
    elif what == 2:
        write('suspended_ns', str(r.randrange(10) * 10 ** r.randrange(6, 14)))
    elif what == 3:
        write('mali/hung', r.choice('01'))
    elif what == 4:
        write('proc/sys/dev/i915/perf_stream_paranoid', r.choice('01'))
    else:
        card = os.path.join(tree, 'sys/class/drm/card0')
        if os.path.lexists(card):
            os.rename(card, os.path.join(tree, 'hidden'))
        elif os.path.lexists(os.path.join(tree, 'hidden')):
            os.rename(os.path.join(tree, 'hidden'), card)


def repair_machine():
    for path, text in (('unplugged', '0'), (CARD + '/power/runtime_status', 'active'), ('mali/hung', '0')):
        write(path, text)
    if os.path.lexists(os.path.join(tree, 'hidden')):
        os.rename(os.path.join(tree, 'hidden'), os.path.join(tree, 'sys/class/drm/card0'))


def event(r, t):
    what = r.random()
    if what < 0.85:
        data = r.choice(COMMON) if what < 0.45 else r.choice(KEYS) if what < 0.6 else r.choice(ESCAPES) if what < 0.7 else \
            mouse(r) if what < 0.8 else r.choice(WORDS)
        sent.append(data)
        t.send(data)
    elif what < 0.93:
        t.resize(r.choice((0, 1, 2, 19, 20, 40, 80, 120, 200, 300, 1000, r.randrange(1, 250))), r.choice((0, 1, 3, 4, 10, 24, 40, 60, 200, r.randrange(1, 90))))
    elif what < 0.97:
        os.kill(t.pid, r.choice((signal.SIGCONT, signal.SIGWINCH, signal.SIGPIPE, signal.SIGCHLD, signal.SIGURG)))
    elif tree:
        change_machine(r)


def processes(mark):
    found = []
    for pid in procs.pids():
        try:
            if mark in open(f'/proc/{pid}/environ', 'rb').read() and procs.is_alive(pid):
                found.append(procs.stat(pid)[0])
        except OSError:
            pass
    return found


def tail(t):
    """What was sent last, and the end of what came."""
    return sent[-12:], re.sub(rb'\x1b(\[[0-9;?]*[a-zA-Z]|\([B0])', b' ', t.data)[-1500:]


def press_end(t):
    """curses drops keys that come in one go with bytes that are no letters: then once more."""
    for _ in range(50):
        t.send(b'\x1b\x03')
        for _ in range(20):
            if t.ended():
                return
            t.read(0.05)


def session(seed):
    r = random.Random(seed)
    sent.clear()
    home = os.path.join(folder, f'home{seed}')
    os.mkdir(home)
    mark = f'ROOFTOP_FUZZ=seed{seed}.{os.getpid()}'
    more = dict([mark.split('=')], TMPDIR=home)
    t = terminal.Terminal(program, arguments, home, more_env=more, cols=r.choice((20, 80, 120)), rows=r.choice((4, 24, 40)))
    assert t.wait_for(b'\x1b[?1049h'), t.data[-500:]
    for _ in range(n_events):
        if t.ended():
            break
        event(r, t)
        for _ in range(r.choice((0, 0, 1, 3))):
            t.read(0.01)
    assert not t.ended(), f'ended by itself: {t.status} {tail(t)}'
    end = r.choice((signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, None))
    if end:
        os.kill(t.pid, end)
    else:
        press_end(t)
    status = t.wait_end()
    assert status == (-end if end else status) and status in (0, -2, -1, -3, -15), f'status {status}: {tail(t)}'
    assert t.restored(), f'the terminal is not restored: {t.data[-300:]}'
    t.close()
    if tree:
        repair_machine()
    until = time.monotonic() + terminal.PATIENCE
    while processes(mark.encode()):
        assert time.monotonic() < until, f'processes are left: {processes(mark.encode())}'
        time.sleep(0.02)
    left = [f for d, _, files in os.walk(home) for f in files if '/.cache/pocl' not in d and not f.startswith(('rooftop-', 'rooftoprc', 'roofs')) and not f.endswith('.svg')]
    assert not left, f'files are left: {left}'


for seed in range(first_seed, first_seed + seeds):
    try:
        session(seed)
        print(0, f'seed {seed} of {" ".join(arguments)}', flush=True)
    except Exception as e:
        print(1, f'seed {seed} of {" ".join(arguments)}: {type(e).__name__} {str(e)[:4000]}'.replace('\n', ' '), flush=True)
