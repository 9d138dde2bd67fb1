# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls into the driver that do not return, and ends of all kinds (scenarios.py). The driver hangs until the test lets it go."""
import os, signal

import terminal
from procs import children, is_alive
from scenarios import PATIENCE_S, Machine, folder, program, run_all, wait

PROFILING = 'sys/class/drm/card0/device/profiling'


class Board(Machine):
    def __init__(self, name, driver, version=None, **env):
        super().__init__(name, 'g72,load=memory', driver, **env)
        if version:
            self.write('mali/version', version)

    def hang(self):
        self.write('mali/hung', '1')

    def hang_now(self):
        """A window is stale where the machine is late, too: the process that counts has met the driver that hangs."""
        self.hang()
        wait(lambda: 'mali hangs' in self.log(), 'it does not count')

    def let_go(self):
        os.remove(os.path.join(self.root, 'mali/hung'))

    def counter(self):
        """The process that reads the counters."""
        (child,) = children(self.process.pid, 'rooftop-counter')
        return child


def counts(window):
    """The load reads and writes memory all the time."""
    value = window['metrics']['JM.JS0_UTILIZATION']
    return value is not None and 0 < value <= 100.5


def because(reason):
    return lambda window: window['why'].get('JM.JS0_UTILIZATION') == reason


def hung(driver, version=None):
    b = Board(f'hung-{driver}{version}', driver, version)
    b.start()
    b.wait(counts)
    b.hang_now()
    for _ in range(3):
        w = b.wait(because('stale'))
        assert driver == 'kbase' or w['metrics']['gpu_clock'] == 746, w
    b.let_go()
    b.wait(counts)
    b.process.terminate()
    b.process.wait()
    err = b.said()
    card = 'card0' if driver == 'panfrost' else 'mali0'
    # A busy machine may have been late before, too.
    said, late = (err.count(text) for text in (f'{card}: the GPU has not handed over its counters yet', 'sudo dmesg | grep -e panfrost -e mali'))
    is_stale = [because('stale')(w) for w in b.windows]
    assert 1 <= said == late <= sum(now and not before for before, now in zip([False] + is_stale, is_stale)), err


def hung_at_start():
    b = Board('start', 'panfrost')
    b.hang()
    b.start()
    b.wait(because('no_source'))
    b.let_go()
    b.wait(counts)
    b.process.terminate()
    b.process.wait()
    err = b.said()
    assert err.count('card0: the GPU does not answer') == 1 and err.count('sudo dmesg | grep -e panfrost -e mali') == 1, err


def refused_late(driver, version=None):
    """What it says after a while is that another program counts; and then it counts, too."""
    fail = 'enable' if driver == 'panfrost' else 'reader'
    b = Board(f'late-{driver}{version}', driver, version, FAKEKERNEL_FAIL=f'{fail}=EBUSY@1-1')
    b.hang()
    b.start()
    b.wait(because('no_source'))
    b.let_go()
    b.wait(because('busy'))
    b.wait(counts)
    b.process.terminate()
    b.process.wait()
    err = b.said()
    for text in ('the GPU does not answer', 'another program holds its counters'):
        assert err.count(text) == 1, err


def hung_at_end():
    b = Board('end', 'panfrost')
    b.start()
    b.wait(counts)
    child = b.counter()
    b.hang_now()
    b.wait(because('stale'))
    b.process.terminate()
    assert b.process.wait(PATIENCE_S) == -signal.SIGTERM
    assert is_alive(child) and b.read(PROFILING) == '1'
    b.let_go()
    wait(lambda: not is_alive(child), 'the counting process stays')
    assert b.read(PROFILING) == '0'


def targets(pid):
    """What its descriptors point to."""
    folder = f'/proc/{pid}/fd'
    return [os.readlink(os.path.join(folder, fd)) for fd in os.listdir(folder)]


def killed(name, fail=''):
    b = Board(f'killed-{name}', 'panfrost', FAKEKERNEL_FAIL=fail)
    b.start()
    b.wait(counts)
    child = b.counter()
    assert b.read(PROFILING) == '1'
    held = targets(child)
    assert b.out not in held and b.err not in held and sum(t.startswith('socket:') for t in held) == 1, held
    b.process.kill()
    b.process.wait()
    wait(lambda: not is_alive(child), 'the counting process stays')
    assert b.read(PROFILING) == '0'


def group_ended():
    """Signals to all of rooftop's processes at once, as a terminal sends them, do not reach it."""
    b = Board('group', 'panfrost')
    b.start()
    b.wait(counts)
    child = b.counter()
    for s in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        os.kill(child, s)
    assert os.getpgid(child) == child
    seen = b.seen
    b.wait(lambda w: b.seen > seen + 2 and counts(w))
    b.process.terminate()
    b.process.wait()
    wait(lambda: not is_alive(child))
    assert b.read(PROFILING) == '0'


def counter_killed():
    b = Board('counter', 'panfrost')
    b.start()
    b.wait(counts)
    first = b.counter()
    os.kill(first, signal.SIGKILL)
    # Windows that nobody has looked at yet may be stale, too, where the machine is late.
    wait(lambda: children(b.process.pid, 'rooftop-counter') - {first}, 'it is not started again')
    b.wait(because('stale'))
    b.wait(counts)
    child = b.counter()
    b.stop()
    err = b.said()
    assert err.count('card0: the process that reads its counters has ended') == 1, err
    assert err.count('it is started again by itself') == 1, err
    wait(lambda: not is_alive(child), 'the counting process stays')     # which rooftop does not wait for where it is late
    assert b.read(PROFILING) == '0', b.read(PROFILING)


def keys():
    b = Board('keys', 'panfrost')
    t = terminal.Terminal(program, ['-d', '0.1'], folder, more_env=b.env)
    assert t.wait_for(b'headroom'), t.data[-2000:]
    b.hang()
    assert t.shows(b'has not handed over'), t.data[-2000:]
    t.send(b'h')
    assert t.wait_for(b'refresh faster'), t.data[-2000:]
    t.send(b'\x1b')
    assert t.shows(b'Fragment'), t.data[-2000:]
    t.send(b'q')
    assert t.wait_end() == 0 and t.restored()
    t.close()
    b.let_go()


def closed_while_it_hangs():
    """Beside the processor. The process that hangs is left to itself, and is no zombie once the device was opened again."""
    b = Board('closed', 'panfrost')
    t = terminal.Terminal(program, ['-D', 'card0', '-D', 'cpu0', '-d', '0.1'], folder, cols=160, more_env=b.env)
    b.process = t
    assert t.wait_for(b'[o]') and t.shows(b'Fragment'), t.data[-2000:]
    child = b.counter()
    b.hang_now()
    assert t.shows(b'has not handed over'), t.data[-2000:]
    t.send(b'oO')
    assert t.shows(b'card0 is closed'), t.data[-2000:]
    assert is_alive(child) and b.read(PROFILING) == '1'
    b.let_go()
    wait(lambda: not is_alive(child), 'the counting process stays')
    assert b.read(PROFILING) == '0'
    t.send(b'6/card0\rb')
    assert t.shows(b'Fragment'), t.data[-2000:]
    assert b.read(PROFILING) == '1'
    assert b.counter() != child     # one alone
    t.send(b'q')
    assert t.wait_end() == 0 and t.restored()
    t.close()


run_all([
    (hung, 'panfrost: windows go on while the GPU hangs, and numbers come back', 'panfrost'),
    (hung, 'kbase vinstr: the same', 'kbase', '11.13'),
    (hung, 'kbase kinstr_prfcnt: the same', 'kbase', '11.40'),
    (hung_at_start, 'a GPU that hangs when it is opened counts when it answers'),
    (refused_late, 'panfrost: what is refused late is tried again, and counts', 'panfrost'),
    (refused_late, 'kbase vinstr: the same', 'kbase', '11.13'),
    (refused_late, 'kbase kinstr_prfcnt: the same', 'kbase', '11.40'),
    (hung_at_end, 'it can be left while it hangs, and gets everything back when it answers'),
    (closed_while_it_hangs, 'it can be closed beside another device while it hangs, and opened again'),
    (killed, 'after SIGKILL the times of clients are switched off again', 'new'),
    (killed, 'after SIGKILL they are switched off on a kernel without close_range() as well', 'old', 'close_range=ENOSYS'),
    (killed, 'after SIGKILL they are switched off where /proc does not list descriptors, either', 'bare', 'close_range=ENOSYS fds=ENOENT'),
    (group_ended, 'signals to all processes do not end the one that counts first'),
    (counter_killed, 'the process that counts is started again'),
    (keys, 'keys are answered while the GPU hangs'),
])
