# SPDX-License-Identifier: GPL-3.0-or-later
"""What scripts of scenarios share: machines, each watched by a rooftop of its own, that change while they are watched, all at a time.
Their arguments are TREE FOLDER SHIM RUNTIME PROGRAM (lib.sh, scenarios). Nothing is judged by time."""
import json, os, signal, subprocess, sys, threading, time, traceback

tree, folder, shim, runtime, program = sys.argv[1:6]
PATIENCE_S = 300
lock = threading.Lock()
started = []


def wait(what, note=''):
    until = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < until, note
        time.sleep(0.02)


class Machine:
    """A tree, made with these words, and a rooftop that watches it. Its windows are JSON lines."""

    def __init__(self, name, *words, **env):
        self.root = os.path.join(folder, name)
        subprocess.run(['sh', tree, self.root, *words], check=True)
        self.env = dict(FAKEKERNEL_ROOT=self.root, FAKEKERNEL_LOG=self.root + '.log', LD_PRELOAD=(runtime + ' ' + shim).strip(), **env)
        self.watch('.out')

    def watch(self, suffix):
        self.out, self.err = self.root + suffix, self.root + suffix + '.err'
        self.windows, self.seen, self.at, self.head = [], 0, 0, None

    def beside(self):
        """Another rooftop on the same machine."""
        other = object.__new__(type(self))
        other.root, other.env = self.root, self.env
        other.watch('.beside')
        return other

    def start(self, *arguments):
        with open(self.err, 'w') as err:
            self.process = subprocess.Popen([program, '-J', '-d', '0.1', '-o', self.out, *arguments], env=dict(os.environ, **self.env),
                                            stdin=subprocess.DEVNULL, stderr=err)
        started.append(self.process)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()

    def write(self, path, text):
        path = os.path.join(self.root, path)
        with open(path + '.new', 'w') as f:
            f.write(text + '\n')
        os.rename(path + '.new', path)

    def read(self, path):
        return open(os.path.join(self.root, path)).read().strip()

    def log(self):
        return open(self.root + '.log').read() if os.path.exists(self.root + '.log') else ''

    def said(self):
        return open(self.err).read()

    def take(self):
        """The windows that have come since the last time."""
        if not os.path.exists(self.out):
            return
        with open(self.out, 'rb') as f:
            f.seek(self.at)
            text = f.read()
        text = text[:text.rfind(b'\n') + 1]
        self.at += len(text)
        for line in text.splitlines():
            if self.head:
                self.windows.append(json.loads(line))
            else:
                self.head = json.loads(line)

    def wait(self, what):
        """Until a window after the last one looked at is so. AssertionError when none comes."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            self.take()
            while self.seen < len(self.windows):
                self.seen += 1
                if what(self.windows[self.seen - 1]):
                    return self.windows[self.seen - 1]
            assert self.process.poll() is None, self.said()
            time.sleep(0.02)
        raise AssertionError('last window: %s' % self.windows[-1:])


def run(scenario, text, *args):
    try:
        scenario(*args)
        status, note = 0, ''
    except Exception as e:
        line = traceback.extract_tb(e.__traceback__)[:2][-1]
        status, note = 1, ': %s %s in "%s"' % (type(e).__name__, str(e).replace('\n', ' ')[:600], line.line)
    with lock:
        print(status, text + note, flush=True)


def run_all(scenarios):
    """Rows of function, name, arguments. Prints "0 NAME" or "1 NAME" for each."""
    threads = [threading.Thread(target=run, args=s) for s in scenarios]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for process in started:     # of scenarios that failed
        if process.poll() is None:
            process.kill()
