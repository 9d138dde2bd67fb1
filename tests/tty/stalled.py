# SPDX-License-Identifier: GPL-3.0-or-later
"""Readers that stop reading: the recording beside them goes on, every ending signal is obeyed, and what was there is put back.
TAP on standard output. Nothing is judged by time: each step waits for what has to happen, which a program that hangs never does.
Each kind of reader is tried with one signal, which ROOFTOP_SEED chooses. ROOFTOP_STALLED=all tries each with every signal, and holds the
times that the manual gives: it is for a machine that does nothing else."""
import fcntl, json, os, pty, random, shutil, signal, socket, subprocess, sys, tempfile, termios, threading, time
from concurrent.futures import ThreadPoolExecutor

import terminal
from endings_lib import whole_recording
from procs import stat
from tap import ROOFTOP, finish, home, ok

SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
times = []
LIVE = ['-D', 'sim:hd620', '-d', '0.01', '-w', 'run.i915perf']
WHOLE = os.environ.get('ROOFTOP_STALLED') == 'all'
dice = random.Random(int(os.environ.get('ROOFTOP_SEED', 1)))
# How long an end may take where nobody reads, and what a test needs to see it.
END_S, SEEN_S = 1, 0.3
GROWN = 400000      # bytes of a recording: many times what a program that waits for its reader has written by then
F_SETPIPE_SZ = 1031


class Hung(Exception):
    pass


def wait(what, process, happened):
    end = time.monotonic() + terminal.PATIENCE
    while not happened():
        if process.poll() is not None:
            raise Hung(f'ended with {process.returncode} before: {what}')
        if time.monotonic() > end:
            raise Hung(what)
        time.sleep(0.01)


class Stalled:
    """A run in a folder of its own. write is the end for the program; read is ours, and nobody reads it."""

    def __init__(self):
        self.dir = tempfile.mkdtemp(dir=home)
        self.keep = []

    def pipe(self, size=4096):
        read, write = os.pipe()
        fcntl.fcntl(write, F_SETPIPE_SZ, size)
        self.keep.append(read)
        return write

    def socket(self, kind=socket.SOCK_STREAM):
        ours, theirs = socket.socketpair(socket.AF_UNIX, kind)
        self.keep.append(ours)
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        self.keep.append(theirs)
        return theirs.fileno()

    def tcp(self):
        server = socket.create_server(('127.0.0.1', 0))
        theirs = socket.create_connection(server.getsockname())
        self.keep += [server, theirs, server.accept()[0]]
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        return theirs.fileno()

    def pty(self):
        master, slave = pty.openpty()
        self.keep += [master]
        self.slave = slave
        return slave

    def stopped_pty(self):
        """As ^S stops it: it takes not even a byte."""
        slave = self.pty()
        termios.tcflow(slave, termios.TCOOFF)
        return slave

    def fifo(self, name='fifo'):
        path = os.path.join(self.dir, name)
        os.mkfifo(path)
        self.keep.append(os.open(path, os.O_RDWR | os.O_NONBLOCK))
        fcntl.fcntl(self.keep[-1], F_SETPIPE_SZ, 4096)
        return name

    def start(self, args, **files):
        files = {'stdin': subprocess.DEVNULL, 'stdout': subprocess.DEVNULL, 'stderr': open(self.dir + '/err', 'wb'), **files}
        env = {**os.environ, 'HOME': self.dir, 'TERM': 'xterm-256color', 'LC_ALL': 'C.UTF-8'}
        self.process = subprocess.Popen([ROOFTOP, *args], cwd=self.dir, env=env, restore_signals=True, start_new_session=True, **files)

    def size(self):
        try:
            return os.stat(self.dir + '/run.i915perf').st_size
        except FileNotFoundError:
            return 0

    def end(self, signo):
        """The status, and how long it took."""
        begin = time.monotonic()
        self.process.send_signal(signo)
        try:
            return self.process.wait(terminal.PATIENCE), time.monotonic() - begin
        except subprocess.TimeoutExpired:
            return None, terminal.PATIENCE

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for k in self.keep:
            k.close() if isinstance(k, socket.socket) else os.close(k)
        shutil.rmtree(self.dir)


def loss(path):
    """Windows of a recording in which something was lost, or None when it is none."""
    played = subprocess.run([ROOFTOP, '-r', path, '--speed', 'max', '-c', '-d', '0.01'], capture_output=True, text=True)
    rows = [line.split(',') for line in played.stdout.splitlines() if line and not line.startswith('#')]
    if played.returncode or len(rows) < 10:
        return None
    lost = rows[0].index('lost')
    return sum(row[lost] not in ('', '0') for row in rows[1:])


# What writes to whom: arguments beside those of the recording, and files, of a run.
def to_stdout(make, *args):
    return lambda s: (list(args), {'stdout': make(s)})


def to_stderr(s):
    """The address of the endpoint is a message. The pipe is full from the start."""
    err = s.pipe()
    os.write(err, bytes(4096))
    return ['-J', '--export', 'prometheus:unix:socket'], {'stderr': err, 'stdout': s.pipe()}


def to_file(option, *args):
    return lambda s: ([option, s.fifo(), *args], {})


def to_pty_file(option):
    def make(s):
        return [option, os.ttyname(s.pty()), '-J'], {}
    return make


def to_both(s):
    both = s.pipe()
    return ['-J'], {'stdout': both, 'stderr': both}


def everywhere(s):
    return ['-J', '-o', s.fifo('a'), '--trace', s.fifo('b')], {'stdout': s.pipe(), 'stderr': s.pipe()}


def full_disk(*args):
    return lambda s: (list(args), {})


def endpoint(s, family=socket.AF_UNIX):
    """A client of the exporter that asks and never reads."""
    path = where = os.path.join(s.dir, 'socket')
    if family == socket.AF_INET:
        with socket.create_server(('127.0.0.1', 0)) as free:
            path, where = free.getsockname(), '127.0.0.1:%d' % free.getsockname()[1]

    def ask():
        end = time.monotonic() + terminal.PATIENCE
        while time.monotonic() < end:
            try:
                client = socket.socket(family)
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                client.connect(path)
                client.send(b'GET /metrics HTTP/1.0\r\n\r\n')
                s.keep.append(client)
                return
            except OSError:
                time.sleep(0.05)
    threading.Thread(target=ask, daemon=True).start()
    return ['-J', '--export', 'prometheus:' + ('unix:socket' if path == where else where)], {'stdout': s.pipe()}


def seqpacket(s):
    return s.socket(socket.SOCK_DGRAM)


KINDS = {
    'JSON to a pipe': to_stdout(Stalled.pipe, '-J'),
    'JSON to a large pipe': to_stdout(lambda s: s.pipe(65536), '-J'),
    'CSV to a pipe': to_stdout(Stalled.pipe, '-c'),
    'text to a pipe': to_stdout(Stalled.pipe, '-b'),
    'gpu_top to a pipe': to_stdout(Stalled.pipe, '--intel-gpu-top-json'),
    'maps to a pipe': to_stdout(Stalled.pipe, '-J', '-m', 'eumap'),
    'a list of contexts to a pipe': to_stdout(Stalled.pipe, '-b', '--context', 'list'),
    'JSON to a terminal': to_stdout(Stalled.pty, '-J'),
    'CSV to a terminal': to_stdout(Stalled.pty, '-c'),
    'text to a terminal': to_stdout(Stalled.pty, '-b'),
    'JSON to a socket': to_stdout(Stalled.socket, '-J'),
    'CSV to a socket': to_stdout(Stalled.socket, '-c'),
    'JSON over TCP': to_stdout(Stalled.tcp, '-J'),
    'text to a socket': to_stdout(Stalled.socket, '-b'),
    'JSON to a socket of datagrams': to_stdout(seqpacket, '-J'),
    'JSON to a terminal that ^S stops': to_stdout(Stalled.stopped_pty, '-J'),
    'CSV to a terminal that ^S stops': to_stdout(Stalled.stopped_pty, '-c'),
    'text to a terminal that ^S stops': to_stdout(Stalled.stopped_pty, '-b'),
    'messages to a terminal that ^S stops': lambda s: (['-J', '--export', 'prometheus:unix:socket'], {'stderr': s.stopped_pty()}),
    'messages and JSON to one pipe': to_both,
    'messages to a pipe of their own': to_stderr,
    'JSON to a FIFO': to_file('-o', '-J'),
    'CSV to a FIFO': to_file('-o', '-c'),
    'text to a FIFO': to_file('-o', '-b'),
    'a trace to a FIFO': to_file('--trace'),
    'a trace to a FIFO beside JSON': to_file('--trace', '-J'),
    'JSON to a terminal by its name': to_pty_file('-o'),
    'a trace to a terminal by its name': to_pty_file('--trace'),
    'everything to readers that stall': everywhere,
    'JSON to a full disk': full_disk('-J', '-o', '/dev/full'),
    'CSV to a full disk': full_disk('-c', '-o', '/dev/full'),
    'text to a full disk': full_disk('-b', '-o', '/dev/full'),
    'JSON to a full disk beside a trace that nobody reads': lambda s: (['-J', '-o', '/dev/full', '--trace', s.fifo()], {}),
    'metrics to a client that does not read': endpoint,
    'metrics to one over TCP': lambda s: endpoint(s, socket.AF_INET),
}


def try_one(name, signo):
    """Returns what was wrong, or None. SIGPIPE ends nothing: writes say what it says. Nor does SIGSTOP, after which it goes on."""
    s = Stalled()
    try:
        args, files = KINDS[name](s)
        s.start(LIVE + args, **files)
        wait('the recording grows', s.process, lambda: s.size() > GROWN)
        if signo == signal.SIGPIPE:
            s.process.send_signal(signo)
            size = s.size()
            wait('the recording grows after SIGPIPE', s.process, lambda: s.size() > size + GROWN)
            signo = signal.SIGTERM
        if signo == signal.SIGSTOP:
            s.process.send_signal(signo)
            wait('it is stopped', s.process, lambda: stat(s.process.pid)[2] == 'T')
            size = s.size()
            s.process.send_signal(signal.SIGCONT)
            wait('the recording grows again', s.process, lambda: s.size() > size + GROWN)
            signo = signal.SIGTERM
        status, seconds = s.end(signo)
        times.append((seconds, name, signo.name))
        if status != -signo or WHOLE and seconds > END_S + SEEN_S:
            return f'{name}, {signo.name}: status {status}, {seconds:.1f} s'
        lost = loss(s.dir + '/run.i915perf')
        return f'{name}, {signo.name}: {lost} windows of the recording lost something' if lost != 0 else None
    except Hung as hung:
        return f'{name}, {signo.name}: {hung}; {open(s.dir + "/err", errors="replace").read()[:300]}'
    finally:
        s.close()


def try_screen(signo, is_stopped):
    """A screen on a terminal that reads nothing, or that ^S stops after its first frame."""
    t = terminal.Terminal(ROOFTOP, ['-D', 'sim:hd620', '-d', '0.01', '-w', f'{home}/screen{signo}.i915perf', '--overwrite'], home, cols=200, rows=60)
    record = f'{home}/screen{signo}.i915perf'
    if is_stopped:
        t.wait_for(b'Utilization')
        termios.tcflow(t.slave, termios.TCOOFF)
    end = time.monotonic() + terminal.PATIENCE
    while (not os.path.exists(record) or os.stat(record).st_size < GROWN) and time.monotonic() < end:
        time.sleep(0.01)
    grown = os.stat(record).st_size >= GROWN
    os.kill(t.pid, signo)
    end = time.monotonic() + terminal.PATIENCE
    pid = 0
    while not pid and time.monotonic() < end:       # without reading
        pid, status = os.waitpid(t.pid, os.WNOHANG)
        time.sleep(0.01)
    if not pid:
        os.kill(t.pid, signal.SIGKILL)
        os.waitpid(t.pid, 0)
        return f'{signo.name}: does not end'
    t.status = status
    before = termios.tcgetattr(t.slave) == t.before
    termios.tcflow(t.slave, termios.TCOON)
    for _ in range(50):
        t.read(0)
    left = b'\x1b[?1049l' in t.data and b'\x1b[?1000l' in t.data
    t.close()
    wrong = [what for good, what in ((grown, 'the recording stood still'), (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signo, f'status {status}'),
             (before, 'modes'), (left, 'the alternate screen or the mouse'), (loss(record) == 0, 'the recording lost something')) if not good]
    return f'{signo.name}: {wrong}' if wrong else None


def replay_unread(windows=3000):
    """A replay whose lines nobody reads, once it waits: its queue is full, or with few windows its work is done."""
    args = [ROOFTOP, '-D', 'sim:hd620', '--speed', 'max', '-J', '-n', str(windows), '-d', '0.01']
    p = subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.read(p.stdout.fileno(), 1)
    # Until it waits, look after look, and computes nothing in between: what only waits for a processor is R.
    looks = []
    while len(looks) < 5 or set(looks[-5:]) != {('S', looks[-1][1])}:
        state, *numbers = open(f'/proc/{p.pid}/stat').read().rsplit(')', 1)[1].split()
        looks.append((state, numbers[10]))
        time.sleep(0.02)
    return p


def waits_for_reader():
    """What has time waits: no line of a replay is lost, however slowly it is read."""
    p = replay_unread()
    out, err = p.communicate(timeout=terminal.PATIENCE)
    return p.returncode == 0 and out.count(b'\n') == 3001 and not err, (p.returncode, out.count(b'\n'), err)


def waits_for_nobody(windows):
    """A reader that goes away while it is waited for has seen enough."""
    p = replay_unread(windows)
    p.stdout.close()
    try:
        p.wait(timeout=terminal.PATIENCE)
        err = p.stderr.read()
        return p.returncode == 0 and not err, (p.returncode, err)
    except subprocess.TimeoutExpired:
        p.kill()
        p.wait()
        return False, 'it waits for a reader that is gone'
    finally:
        p.stderr.close()


def hung_up(*args):
    """The other end of the program's own terminal is closed: the kernel tells it by SIGHUP."""
    record = f'{home}/hung{args}.i915perf'
    t = terminal.Terminal(ROOFTOP, ['-D', 'sim:hd620', '-d', '0.01', '-w', record, '--overwrite', *args], home)
    end = time.monotonic() + terminal.PATIENCE
    while not (os.path.exists(record) and os.stat(record).st_size > GROWN) and time.monotonic() < end:
        t.read(0.01)
    os.close(t.master)
    pid = 0
    while not pid and time.monotonic() < end:
        pid, status = os.waitpid(t.pid, os.WNOHANG)
        time.sleep(0.01)
    os.close(t.slave)
    if not pid:
        os.kill(t.pid, signal.SIGKILL)
        os.waitpid(t.pid, 0)
        return False, 'it goes on'
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGHUP and loss(record) == 0, (status, loss(record))


def comes_back(seconds):
    """A reader that reads on after a while has whole lines in their order, up to the end; the recording beside it has all windows."""
    s = Stalled()
    read, write = os.pipe()
    s.start(LIVE + ['-J'], stdout=write)
    os.close(write)
    data, begin = [], time.monotonic()
    try:
        wait('the recording grows', s.process, lambda: s.size() > 2 * GROWN and time.monotonic() > begin + seconds)
        came_back_ns = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        reader = threading.Thread(target=lambda: data.extend(os.fdopen(read, 'rb')), daemon=True)
        reader.start()
        size = s.size()
        wait('the recording grows on', s.process, lambda: s.size() > size + GROWN)
        status = s.end(signal.SIGTERM)[0]
        reader.join(terminal.PATIENCE)
        times = [json.loads(line)['mono_ns'] for line in data[1:]]
        good = status == -signal.SIGTERM and times == sorted(set(times)) and times[-1] > came_back_ns and loss(s.dir + '/run.i915perf') == 0
        return good, (status, len(times), loss(s.dir + '/run.i915perf'))
    except Hung as hung:
        return False, str(hung)
    finally:
        s.close()


def disk_fills(record, out):
    """A disk that is full in truth. What is written elsewhere goes on: the output, or the recording."""
    disk = tempfile.mkdtemp(dir=home)
    if subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=300k', 'tmpfs', disk], capture_output=True).returncode:
        return None, 'no tmpfs can be mounted'
    s = Stalled()
    names = {'full': disk + '/file', 'free': s.dir + '/file'}
    try:
        s.start(['-D', 'sim:hd620', '-d', '0.01', '-w', names[record], '-J', '-o', names[out]])
        wait('it says that the disk is full', s.process, lambda: 'No space left' in open(s.dir + '/err').read())
        grown = lambda: os.stat(names['free']).st_size
        size = grown()
        wait('the other file grows on', s.process, lambda: grown() > size + GROWN)
        status = s.end(signal.SIGTERM)[0]
        whole = whole_recording(names[record]) and (record == 'full' or loss(names[record]) == 0)
        lines = open(names[out]).read().splitlines()
        return status == -signal.SIGTERM and whole and all(json.loads(line) for line in lines[:-1]), (status, whole, len(lines))
    except Hung as hung:
        return False, f'{hung}: {open(s.dir + "/err").read()}'
    finally:
        s.close()
        subprocess.run(['umount', disk])


def says_how_many():
    """Live windows that find no room are counted, and told of once and at the end."""
    s = Stalled()
    read, write = os.pipe()
    s.start(['-D', 'sim:hd620', '-D', 'sim:tgl', '-D', 'sim:dg2', '-D', 'sim:lnl', '-d', '0.01', '-J'], stdout=write)
    os.close(write)
    said = lambda: open(s.dir + '/err').read()
    try:
        wait('windows are left out', s.process, lambda: 'windows are left out and counted' in said())
        s.process.terminate()
        with os.fdopen(read, 'rb') as f:
            data = f.read()
        s.process.wait()
        whole = all(line.startswith(b'{') and line.endswith(b'}') for line in data.splitlines())
        return whole and said().count('windows are left out') == 1 and 'left out\n' in said(), said()[:300]
    except Hung as hung:
        return False, str(hung)
    finally:
        s.close()


def no_reader(option, *args):
    """A FIFO that nobody has opened is an error at once."""
    path = os.path.join(home, 'nobody')
    if not os.path.exists(path):
        os.mkfifo(path)
    p = subprocess.run([ROOFTOP, '-D', 'sim:hd620', '-n', '1', '-d', '0.01', option, path, *args], capture_output=True, text=True, timeout=terminal.PATIENCE)
    return p.returncode == 1 and 'nobody reads' in p.stderr, (p.returncode, p.stderr)


def full_backlog():
    """Somebody's socket that takes no more clients is no reason to wait: it is taken by a living program."""
    path = os.path.join(home, 'busy')
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    server.listen(0)
    clients = []
    for _ in range(4):
        c = socket.socket(socket.AF_UNIX)
        c.setblocking(False)
        clients.append(c)
        try:
            c.connect(path)
        except BlockingIOError:
            break
    p = subprocess.run([ROOFTOP, '-D', 'sim:hd620', '-n', '1', '-d', '0.01', '-J', '--export', 'prometheus:unix:' + path], capture_output=True, text=True, timeout=terminal.PATIENCE)
    return p.returncode != 0 and 'another program answers there' in p.stderr and os.path.exists(path), (p.returncode, p.stderr)


def broken_terminal():
    """Its other end is gone: writes fail (EIO), while the keyboard, another terminal, is still there."""
    s = Stalled()
    record = s.dir + '/run.i915perf'
    master, slave = pty.openpty()
    s.start(LIVE, stdin=s.pty(), stdout=slave)
    os.close(slave)
    os.read(master, 1)
    os.close(master)
    try:
        status = s.process.wait(terminal.PATIENCE)
        err = open(s.dir + '/err').read()
        return status == 1 and 'cannot draw on the terminal: Input/output error' in err and whole_recording(record), (status, err)
    except subprocess.TimeoutExpired:
        return False, 'it goes on'
    finally:
        s.close()


def added_to():
    path = os.path.join(home, 'added')
    with open(path, 'w') as f:
        f.write('before\n')
    codes = [subprocess.run([ROOFTOP, '-D', 'sim:hd620', '--speed', 'max', '-n', '1', '-J', '-o', '/dev/stdout', *more],
                            stdout=open(path, 'a')).returncode for more in ((), ('--overwrite',))]
    text = open(path).read().splitlines()
    return codes == [0, 0] and len(text) == 5 and text[0] == 'before', (codes, text[:1])


def after_the_work(*args):
    """Results that nobody takes: a signal ends the wait for it."""
    s = Stalled()
    s.start([*args], stdout=s.pipe())
    try:
        wait('results come', s.process, lambda: int.from_bytes(fcntl.ioctl(s.keep[0], termios.FIONREAD, b'\0' * 4), sys.byteorder) >= 4096)
        return s.end(signal.SIGTERM)[0] == -signal.SIGTERM, args
    except Hung as hung:
        return False, str(hung)
    finally:
        s.close()


def chosen(kinds, signals):
    """Which signals each is tried with. Every signal has its turn."""
    first = dice.randrange(len(signals))
    return {kind: signals if WHOLE else (signals[(first + i) % len(signals)],) for i, kind in enumerate(kinds)}


with ThreadPoolExecutor(4 if WHOLE else 8) as pool:
    jobs = {name: [pool.submit(try_one, name, signo) for signo in signals] for name, signals in chosen(KINDS, (*SIGNALS, signal.SIGPIPE, signal.SIGSTOP)).items()}
    for name, tries in jobs.items():
        wrong = [w for w in (t.result() for t in tries) if w]
        ok(not wrong, f'{name}: recorded without a loss, and ended by a signal', '; '.join(wrong))
for is_stopped, signals in chosen((False, True), SIGNALS).items():
    wrong = [w for w in (try_screen(signo, is_stopped) for signo in signals) if w]
    ok(not wrong, 'a screen on a terminal that %s: recorded, ended by a signal, and the terminal has its modes back'
       % ('^S stops' if is_stopped else 'reads nothing'), '; '.join(wrong))
if WHOLE:
    print('# %d ends; the slowest: %s' % (len(times), '; '.join('%.2f s %s, %s' % t for t in sorted(times)[-3:])))
for name, (good, why) in {
        'a run that has time waits for its reader, and loses nothing': waits_for_reader(),
        '  ... and ends when that one goes away': waits_for_nobody(3000),
        '  ... and at its end, too': waits_for_nobody(300),
        'one that has none leaves whole windows out, and says how many': says_how_many(),
        'a reader that comes back has whole lines up to the end': comes_back(10 if WHOLE else 0),
        'a screen whose terminal hangs up': hung_up(),
        'lines whose terminal hangs up': hung_up('-J'),
        'text whose terminal hangs up': hung_up('-b'),
        'a disk that is full ends an output, and the recording goes on': disk_fills('free', 'full'),
        'one under the recording ends that, and the output goes on': disk_fills('full', 'free'),
        '-o to a FIFO without a reader is refused': no_reader('-o', '-J'),
        '--trace to one, too': no_reader('--trace', '-J'),
        'a socket whose queue is full holds nobody up': full_backlog(),
        'a terminal that can be drawn on no more ends the screen, by status 1': broken_terminal(),
        '-o /dev/stdout adds to the file that the shell opened': added_to(),
        'kernels that were run, and nobody wants to know': after_the_work('stress', '-D', 'sim:hd620', '--list', '-J'),
}.items():
    ok(good is not False, name if good is not None else f'{name} # SKIP {why}', str(why))
finish()
