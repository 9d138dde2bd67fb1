# SPDX-License-Identifier: GPL-3.0-or-later
"""mali_hung.py MALITREE FOLDER SHIM RUNTIME PROGRAM: calls into the driver that do not return, and ends of all kinds. Prints "0 NAME" or
"1 NAME". Nothing is judged by time: the driver hangs until the test lets it go."""
import json, os, signal, subprocess, sys, threading, time

import terminal

malitree, folder, shim, runtime, program = sys.argv[1:6]
PATIENCE_S = 60
PROFILING = 'sys/class/drm/card0/device/profiling'
lock = threading.Lock()


def wait(what, note=''):
    until = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < until, note
        time.sleep(0.02)


def stat(pid):
    """Name, parent and state of a process."""
    try:
        name, rest = open(f'/proc/{pid}/stat').read().split('(', 1)[1].rsplit(')', 1)
        return name, int(rest.split()[1]), rest.split()[0]
    except OSError:
        return '', 0, 'Z'


def is_alive(pid):
    """A zombie whose parent is gone is not ours to wait for."""
    return stat(pid)[2] != 'Z'


class Board:
    def __init__(self, name, driver, version=None):
        self.root = os.path.join(folder, name)
        subprocess.run(['sh', malitree, self.root, 'g72,load=memory', driver], check=True)
        if version:
            self.write('mali/version', version)
        self.out = self.root + '.out'
        self.env = dict(FAKEKERNEL_ROOT=self.root, FAKEKERNEL_LOG=self.root + '.log', LD_PRELOAD=(runtime + ' ' + shim).strip())
        self.seen = 0

    def start(self):
        with open(self.root + '.err', 'w') as err:
            self.process = subprocess.Popen([program, '-J', '-d', '0.1', '-o', self.out], env=dict(os.environ, **self.env),
                                            stdin=subprocess.DEVNULL, stderr=err)

    def write(self, path, text):
        path = os.path.join(self.root, path)
        with open(path + '.new', 'w') as f:
            f.write(text + '\n')
        os.rename(path + '.new', path)

    def read(self, path):
        return open(os.path.join(self.root, path)).read().strip()

    def hang(self):
        self.write('mali/hung', '1')

    def let_go(self):
        os.remove(os.path.join(self.root, 'mali/hung'))

    def windows(self):
        lines = open(self.out).read().split('\n')[:-1] if os.path.exists(self.out) else []
        return [json.loads(line) for line in lines][1:]

    def wait(self, what):
        """Until a window after the last one looked at is so."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            windows = self.windows()
            while self.seen < len(windows):
                self.seen += 1
                if what(windows[self.seen - 1]):
                    return windows[self.seen - 1]
            assert self.process.poll() is None, open(self.root + '.err').read()
            time.sleep(0.02)
        raise AssertionError('last window: %s' % windows[-1:])

    def counter(self):
        """The process that reads the counters."""
        (child,) = [int(p) for p in os.listdir('/proc') if p.isdigit() and stat(p)[:2] == ('rooftop-counter', self.process.pid)]
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
    b.hang()
    for _ in range(3):
        w = b.wait(because('stale'))
        assert driver == 'kbase' or w['metrics']['gpu_clock'] == 746, w
    b.let_go()
    b.wait(counts)
    b.process.terminate()
    b.process.wait()
    err = open(b.root + '.err').read()
    assert err.count('has not handed over its counters yet') == 1, err


def hung_at_start():
    b = Board('start', 'panfrost')
    b.hang()
    b.start()
    b.wait(because('no_source'))
    b.let_go()
    b.wait(counts)
    b.process.terminate()
    b.process.wait()


def hung_at_end():
    b = Board('end', 'panfrost')
    b.start()
    b.wait(counts)
    child = b.counter()
    b.hang()
    b.wait(because('stale'))
    b.process.terminate()
    assert b.process.wait(PATIENCE_S) == -signal.SIGTERM
    assert is_alive(child) and b.read(PROFILING) == '1'
    b.let_go()
    wait(lambda: not is_alive(child), 'the counting process stays')
    assert b.read(PROFILING) == '0'


def killed():
    b = Board('killed', 'panfrost')
    b.start()
    b.wait(counts)
    child = b.counter()
    assert b.read(PROFILING) == '1'
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
    os.kill(b.counter(), signal.SIGKILL)
    b.wait(because('stale'))
    b.wait(counts)
    b.process.terminate()
    b.process.wait()
    err = open(b.root + '.err').read()
    assert err.count('the process that reads the counters has ended') == 1, err
    assert b.read(PROFILING) == '0'


def keys():
    b = Board('keys', 'panfrost')
    t = terminal.Terminal(program, ['-d', '0.1'], folder, more_env=b.env)
    assert t.wait_for(b'bound by'), t.data[-2000:]
    b.hang()
    assert t.wait_to_show(b'has not handed over'), t.data[-2000:]
    t.send(b'h')
    assert t.wait_for(b'refresh faster'), t.data[-2000:]
    t.send(b'\x1b')
    assert t.wait_to_show(b'Fragment'), t.data[-2000:]
    t.send(b'q')
    assert t.wait_end() == 0 and t.restored()
    t.close()
    b.let_go()


def run(scenario, text, *args):
    try:
        scenario(*args)
        status, note = 0, ''
    except Exception as e:
        status, note = 1, ': %s %s' % (type(e).__name__, str(e).replace('\n', ' ')[:600])
    with lock:
        print(status, text + note)


scenarios = [
    (hung, 'panfrost: windows go on while the GPU hangs, and numbers come back', 'panfrost'),
    (hung, 'kbase vinstr: the same', 'kbase', '11.13'),
    (hung, 'kbase kinstr_prfcnt: the same', 'kbase', '11.40'),
    (hung_at_start, 'a GPU that hangs when it is opened counts when it answers'),
    (hung_at_end, 'it can be left while it hangs, and gets everything back when it answers'),
    (killed, 'after SIGKILL the times of clients are switched off again'),
    (group_ended, 'signals to all processes do not end the one that counts first'),
    (counter_killed, 'the process that counts is started again'),
    (keys, 'keys are answered while the GPU hangs'),
]
threads = [threading.Thread(target=run, args=s) for s in scenarios]
for t in threads:
    t.start()
for t in threads:
    t.join()
