# SPDX-License-Identifier: GPL-3.0-or-later
"""Two devices on one screen, in a pseudo-terminal: who has the keys, what each half keeps for itself, and what is left behind however
it ends. TAP on standard output."""
import json, os, signal, socket, time
import procs, terminal
from tap import ROOFTOP, SANITIZED, finish, home, ok

WORKER = os.path.join(os.environ['top_builddir'], 'rooftop-worker')
CLEAR = b'\x1b[2J'
FIRST, SECOND = 'sim:hd620,load=private.mad.sp.x4', 'sim:tgl,load=copy.sp.x4'


def start(*more, devices=(FIRST, SECOND), begins=b'[o]', **kw):
    args = [a for d in devices for a in ('-D', d)] + ['-d', '0.05', *more]
    t = terminal.Terminal(ROOFTOP, args, home, **kw)
    ok(t.wait_for(begins), 'the screen is drawn', repr(t.data[-300:]))
    return t


def repaint(t):
    """The whole screen, row by row, as bytes: what comes from the clearing up to the words of the last line."""
    t.forget()
    t.send(b'\x0c')
    t.wait_for(CLEAR)
    t.data = t.data[t.data.index(CLEAR):] if CLEAR in t.data else b''
    t.wait_for(b'Close other')
    return t.data


def keys(t):
    """Whose they are, left or right: the half without them begins with [o] in the first row, which is painted first."""
    data = repaint(t)
    without, line = data.find(b'[o]'), data.find('│'.encode())
    return None if without < 0 or line < 0 else 'left' if line < without else 'right'


def wait_until(t, holds):
    """Whether it came to hold while the program ran."""
    end = time.monotonic() + terminal.PATIENCE
    while not holds() and time.monotonic() < end and not t.ended():
        t.read(0.05)
    return holds()


def recordings():
    return sorted(f for f in os.listdir(home) if f.endswith('.i915perf'))


def content(path):
    return open(path).read() if os.path.exists(path) else ''


def end(t, name):
    t.send(b'q')
    ok(t.wait_end() == 0 and t.restored(), name, repr(t.data[-200:]))
    t.close()


t = start()
ok(t.shows(b'PIPE FULL') and t.shows(b'-BOUND'), 'each has a verdict of its own')
ok(wait_until(t, lambda: keys(t) == 'left'), 'the first one has the keys')
t.send(b'o')
ok(wait_until(t, lambda: keys(t) == 'right'), 'o gives them to the other one')
t.send(b'\x1b[<0;20;10M\x1b[<0;20;10m')
ok(wait_until(t, lambda: keys(t) == 'left'), 'so does a click')
t.send(b'\x1b[<0;90;10M\x1b[<0;90;10m')
ok(wait_until(t, lambda: keys(t) == 'right'), 'on either side')
t.send(b'\x1b[<65;20;10M')
ok(wait_until(t, lambda: keys(t) == 'right'), 'but not the wheel')
# The words of the last line: "o Switch" stands in its columns 10 to 17.
t.send(b'\x1b[<0;12;40M\x1b[<0;12;40m')
ok(wait_until(t, lambda: keys(t) == 'left'), 'a click on the words of the last line does what they say')
end(t, 'q quits both')

# Two recordings begun in the same second, settings of both.
t = start()
t.send(b'WoW')
ok(t.wait_for(b'recording to'), 'both record')
ok(wait_until(t, lambda: sum(os.path.getsize(os.path.join(home, f)) >= 16384 for f in recordings()) == 2), 'into two files',
   str(recordings()))
ok(repaint(t).count(b'rec on') == 2, 'both halves say so', repr(t.data[:500]))
t.send(b'O')
ok(t.shows(b'recorded to'), 'closing one ends its recording, and says so')
ok(t.shows(b'rec on'), 'the other one goes on')
t.send(b'W')
ok(t.shows(b'rec off'), 'until it is told')
for name in recordings():
    r = os.popen(f"'{ROOFTOP}' -r '{os.path.join(home, name)}' -J -n 1 2>&1 | head -1").read()
    ok('"header":true' in r and '"sim":true' in r, 'it can be read', r)
end(t, 'q quits')

t = start()
t.send(b'mj\rs')
t.wait_for(b'settings saved')
t.send(b'omj\rs')
rc = os.path.join(home, '.config/rooftop/rooftoprc')
ok(wait_until(t, lambda: 'set.sim:tgl=' in content(rc)) and 'set.sim:hd620=' in content(rc), 'what one half saves does not lose what the other one saved',
   content(rc))
end(t, 'q quits')
os.remove(rc)


def metrics(path):
    try:
        with socket.socket(socket.AF_UNIX) as s:
            s.settimeout(300)
            s.connect(path)
            s.sendall(b'GET /metrics HTTP/1.0\r\n\r\n')
            data = b''
            while chunk := s.recv(65536):
                data += chunk
            return data
    except OSError:
        return b''


def exported(t, path, word):
    def holds():
        data = metrics(path)
        return word in data and b'rooftop_gpu_busy' in data
    return wait_until(t, holds)


path = os.path.join(home, 'metrics.sock')
prom = os.path.join(home, 'rooftop.prom')
trace = os.path.join(home, 'trace.json')
t = start('--export', 'prometheus:unix:' + path, '--textfile', home, '--trace', trace)
ok(exported(t, path, b'HD Graphics 620') and b'Iris' in metrics(path), 'both devices are exported')
ok(open(trace).read().count('process_name') == 2, 'the trace has both')
t.send(b'oO')
ok(wait_until(t, lambda: b'Iris' in (m := metrics(path)) and b'HD Graphics' not in m), 'the other one goes on when the first is closed')
ok(wait_until(t, lambda: 'Iris' in content(prom) and 'HD Graphics' not in content(prom)), 'in the file for node_exporter, too')
t.send(b'6/g72\rb')
ok(exported(t, path, b'Mali') and wait_until(t, lambda: open(trace).read().count('process_name') == 3), 'one that b opens is exported')
end(t, 'q quits')
events = json.load(open(trace))
processes = [e['args']['name'] for e in events if e['name'] == 'process_name']
ok(len(processes) == 3 and 'HD Graphics 620' in processes[0] and 'Iris' in processes[1] and 'Mali' in processes[2], 'and in the trace, as processes of their own',
   str(processes))
ok({e['pid'] for e in events if e['ph'] == 'C'} >= {1, 2}, 'with counters', str(events[-3:]))
ok(not os.path.exists(path) and not os.path.exists(prom), 'and nothing of it is left')

t = terminal.Terminal(ROOFTOP, ['-D', FIRST, '-D', 'card77'], home)
ok(t.wait_end() == 3 and b"no device 'card77'" in t.data and b'1049h' not in t.data, 'a second device that is not there is told before anything is drawn',
   repr(t.data[-300:]))
t.close()

# An option before the first -D is for both, one behind a -D for that device.
t = terminal.Terminal(ROOFTOP, ['-m', 'flops', '-D', FIRST, '-D', 'sim:dg2'], home)
ok(t.wait_end() == 2 and b"no metric set 'flops' for " in t.data and b'1049h' not in t.data, 'a set before the first -D is asked of both',
   repr(t.data[-300:]))
t.close()
t = terminal.Terminal(ROOFTOP, ['-D', FIRST, '-m', 'flops', '-D', 'sim:dg2'], home)
ok(t.wait_for(b'[o]'), 'behind a -D it is asked of that device', repr(t.data[-300:]))
end(t, 'q quits')
recording = 'file:' + os.path.join(home, recordings()[0])
t = terminal.Terminal(ROOFTOP, ['-D', recording, '--speed', '2', '-D', SECOND], home)
ok(t.wait_for(b'[o]'), 'so is the speed of a recording', repr(t.data[-300:]))
end(t, 'q quits')
t = terminal.Terminal(ROOFTOP, ['--speed', '2', '-D', recording, '-D', SECOND], home)
ok(t.wait_end() == 2 and b'--speed 2 needs a recording' in t.data and b'behind a -D' in t.data, 'a device that cannot follow says so, and how it is meant for one',
   repr(t.data[-300:]))
t.close()
t = terminal.Terminal(ROOFTOP, ['-D', FIRST, '-m', 'flops'], home)
t.wait_for(b'Utilization')
t.send(b'6/dg2\rb')
ok(t.shows(b'[o]'), 'nor is a set of one that b opens', repr(t.data[-300:]))
end(t, 'q quits')

# Problems of the settings file are told once, though both halves have its settings.
os.makedirs(os.path.dirname(rc), exist_ok=True)
with open(rc, 'w') as f:
    f.write('no setting\nunits=share\n')
t = start()
told = t.data
ok(told.split(b'\x1b[?1049h')[0].count(b'not of the form') == 1, 'a problem of the settings file is told once', repr(told[:300]))
end(t, 'q quits')
os.remove(rc)


def windows():
    """How many of each device are in the trace. Behind the last one all its rows are brought to 0."""
    at = {(e['pid'], e['ts']) for e in json.load(open(trace)) if e['ph'] == 'C' and any(e['args'].values())}
    return [sum(pid == p for p, _ in at) for pid in (1, 2)]


t = start('-n', '4', '--trace', trace)
ok(t.wait_end() == 0 and t.restored(), '-n ends it')
ok(windows()[0] == 4, 'after so many windows of the first', str(windows()))
t.close()
t = start('-n', '15', '--trace', trace)
t.send(b'oO')
ok(t.wait_end() == 0 and t.restored(), 'also when the first is closed meanwhile')
ok(sum(windows()) >= 15 and windows()[1] > 0, 'the one that stays going on', str(windows()))
t.close()

# More than fits side by side begin with a line each; all of them count, and any of them can be opened.
t = start('--textfile', home, devices=(FIRST, SECOND, 'sim:g72', 'sim:dg2'), begins=b'Enter opens one')
ok(wait_until(t, lambda: 'Mali' in content(prom) and 'Arc' in content(prom)), 'all are exported')
t.send(b'/g72\r\r')
ok(t.shows(b'now using sim:g72'), 'Enter opens one of them', repr(t.data[-300:]))
t.send(b'0/hd620\rb')
ok(t.shows(b'[o]') and t.shows(b'now using sim:hd620'), 'b opens another one beside it', repr(t.data[-300:]))
before = content(prom)
ok(wait_until(t, lambda: content(prom) != before and 'Mali' in content(prom) and 'Arc' in content(prom)), 'all go on')
end(t, 'q quits')

# Every way to the end, with both halves busy and keys underway.
fatal = [] if SANITIZED else [signal.SIGSEGV, signal.SIGABRT]
for s in [signal.SIGTERM, signal.SIGHUP, signal.SIGINT] + fatal:
    t = start()
    t.send(b'o4')
    os.kill(t.pid, s)
    ok(t.wait_end() == -s and t.restored(), f'{s.name} ends it and gives the terminal back', repr(t.data[-200:]))
    t.close()

# Sizes without room for two, and back. Each waits for a word that only that size paints.
t = start(cols=80, rows=24)
for cols, rows, word in ((20, 4, b'1/2'), (19, 3, b'PIPE FULL'), (1, 1, b''), (20, 9, b'[o]'), (120, 40, b'Close other'), (80, 24, b'[o]')):
    t.forget()
    t.resize(cols, rows)
    ok(t.wait_for(word), f'{cols}x{rows}')
t.send(b'o')
t.resize(20, 4)
ok(t.shows(b'2/2'), '20x4 with the keys in the other half')
end(t, 'q quits')

# Opening and closing again and again, with everything between that needs a device.
t = start(devices=(FIRST,) * 2)
for i in range(12):
    t.send(b'O' if i % 2 else b'oO')
    t.send(b'6/tgl\rb' if i % 3 else b'6/g72\rb')
    t.send(b'123745m+-'[i % 9:] + b'1')
t.forget()
t.send(b'\x0c')
ok(t.wait_for(b'[o]'), 'after twelve times there are two')
end(t, 'q quits')


def all_gone(pids):
    until = time.monotonic() + terminal.PATIENCE
    while any(map(procs.is_alive, pids)) and time.monotonic() < until:
        time.sleep(0.02)
    return not any(map(procs.is_alive, pids))


# The stress screen of a processor asks the worker what it can run, and lets it go then. Each half has one; none outlives rooftop.
for how in ('O', 'q', 'SIGKILL') if os.path.exists(WORKER) and os.path.exists('/proc/stat') else ():
    # A worker is gone after its answer, so that a busy machine may look for it too late: then it is asked again.
    both, until = set(), time.monotonic() + terminal.PATIENCE
    while True:
        t = terminal.Terminal(ROOFTOP, ['-D', 'cpu0', '-D', 'cpu0', '-d', '0.2'], home)
        t.wait_for(b'[o]')
        t.send(b'4o4')
        again = time.monotonic() + 10
        while len(both) < 2 and time.monotonic() < again and not t.ended():
            t.read(0.01)
            both |= procs.children(t.pid, 'rooftop-worker')
        if len(both) == 2 or time.monotonic() > until:
            break
        t.send(b'q')
        t.wait_end()
        t.close()
        both = set()
    ok(len(both) == 2, 'each half asks a worker', str(both))
    if how == 'SIGKILL':
        os.kill(t.pid, signal.SIGKILL)
    else:
        t.send({'O': b'Oq', 'q': b'q'}[how])
    t.wait_end()
    ok(all_gone(both), f'after {how} none is left')
    t.close()
if not os.path.exists(WORKER):
    ok(True, 'workers # SKIP built without OpenCL')

finish()
