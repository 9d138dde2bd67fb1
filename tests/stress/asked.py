# SPDX-License-Identifier: GPL-3.0-or-later
"""A load of a real device, started and ended on the screen: it is asked about once. Prints "0 NAME" or "1 NAME", and ends at the first 1, with status 1."""
import os, pathlib, re, sys, time
sys.path.insert(0, os.path.join(os.environ['top_srcdir'], 'tests/tty'))
import terminal

CLEAR = b'\x1b[H\x1b[2J'
QUESTION = 'Start flops'
STATE = r'(starting|building|running|stopping|stopped|done|failed) +[0-9.]+ of 3600 s'
t = terminal.Terminal(os.path.join(os.environ['top_builddir'], 'rooftop'), ['-D', 'cpu0', '-d', '0.2', '--config', '/dev/null'], os.environ['HOME'])


def frame():
    """The text of the screen, painted anew down to its last line, which has the keys or the answers to a question."""
    t.forget()
    t.send(b'\x0c')
    end = time.monotonic() + terminal.PATIENCE
    while time.monotonic() < end and not t.ended():
        t.read(0.05)
        painted = t.data[t.data.rfind(CLEAR):] if CLEAR in t.data else b''
        if b'Quit' in painted or b'cancel' in painted:
            break
    return re.sub(rb'\x1b(\[[0-9;?]*[A-Za-z]|\(B)', b'', t.data).decode(errors='replace')


def say(good, name):
    print(int(not good), name, flush=True)
    if not good:
        os.kill(t.pid, 9)
        sys.exit(1)


def comes(name, has, lacks):
    """A point: the first frame that has one pattern lacks the other one."""
    end = time.monotonic() + terminal.PATIENCE
    text = frame()
    while not re.search(has, text) and time.monotonic() < end and not t.ended():
        text = frame()
    say(re.search(has, text) and not re.search(lacks, text), name)


def lives(pid):
    """Not so a zombie that somebody else waits for."""
    try:
        return pathlib.Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[0] not in 'ZX'
    except OSError:
        return False


t.wait_for(b'Utilization')
t.send(b'4')
comes('a real device has kernels on the screen', r'▸ flops\.', STATE)
t.send(b'\t\t\t\t3600 s\r\r')
comes('  ... and a load is asked about', QUESTION, STATE)
t.send(b'\x1b')
comes('  ... and does not begin with Esc', 'Quit', f'{QUESTION}|{STATE}')
t.send(b'\r')
comes('  ... is asked about again', QUESTION, STATE)
t.send(b'y')
comes('  ... and begins with y', STATE, QUESTION)
t.send(b'\r')
comes('Enter ends it', '(stopped|failed) +[0-9.]+ of', QUESTION)
t.send(b'\r')
comes('  ... and begins the next one without a question', f'(starting|building|running) +[0-9.]+ of|{QUESTION}', QUESTION)
load = pathlib.Path(f'/proc/{t.pid}/task/{t.pid}/children').read_text().split()
say(load, 'which is a process of its own')
t.send(b'q')
say(t.wait_end() == 0 and t.restored(), '  ... which q does not wait for')
end = time.monotonic() + terminal.PATIENCE
while any(map(lives, load)) and time.monotonic() < end:
    time.sleep(0.02)
say(not any(map(lives, load)), '  ... and which ends with it')
t.close()
