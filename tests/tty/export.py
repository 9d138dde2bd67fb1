# SPDX-License-Identifier: GPL-3.0-or-later
"""export.py WAY ARGUMENT...: looks at what rooftop exports; an exception is a failure.
get SOCKET [PATH [METHOD]]   prints status line and body; SOCKET is a path or HOST:PORT
plain SOCKET                 the body that a reader gets who asks for nothing in particular
label FILE FAMILY LABEL END  a sample of the family has this label, which ends so
unread SOCKET PID            readers that do not read do not make the program keep a text for each of them
lint FILE                    the older form: one family of a name, help and type before samples, no sample twice, names as linters want them
check FILE                   OpenMetrics text: families before their samples, names with units, no sample twice, the end
prometheus FILE              the same with Prometheus' own parser
trace FILE                   a trace: valid JSON, events in order of their counters, the device said to be simulated
slow SOCKET                  a client that says nothing, one that says too much, and one that closes at once do no harm
crowd SOCKET                 silent clients in all places lose them, however long a window is
thousand SOCKET PID NUMBER   so many clients at a time, of whom half say nothing or do not read, keep nobody out
overtaken SOCKET             a crowd of silent clients takes no place of one that came before it and has just not asked yet
drops SOCKET                 clients in all places that take their answer drop by drop give one to who comes
starve SOCKET PID            clients for whom a program has no descriptor left do not keep it busy, and it answers when they are gone
flood SOCKET [ANSWERS]       200 connections a second that come and say nothing keep nobody from an answer
host PORT NAME               prints the status line for a request that names this host"""
import json
import os
import re
import resource
import selectors
import socket
import sys
import threading
import time


def connect(where):
    if '/' in where:
        s = socket.socket(socket.AF_UNIX)
        s.connect(where)
    else:
        host, port = where.rsplit(':', 1)
        s = socket.create_connection((host, int(port)))
    s.settimeout(300)
    return s


OPENMETRICS = 'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1'


def get(where, path='/metrics', method='GET', accept=OPENMETRICS):
    """A reader that a busy machine keeps from reading for seconds loses its place (src/out/export/http.c), and asks again."""
    deadline = time.monotonic() + 300
    while True:
        asked = time.monotonic()
        try:
            return get_once(where, path, method, accept)
        except (AssertionError, ConnectionError):
            now = time.monotonic()
            if now < asked + 4 or now > deadline:
                raise


def get_once(where, path, method, accept):
    s = connect(where)
    s.sendall(f'{method} {path} HTTP/1.1\r\nHost: localhost\r\nAccept: {accept}\r\n\r\n'.encode())
    data = b''
    while True:
        more = s.recv(65536)
        if not more:
            break
        data += more
    head, body = data.split(b'\r\n\r\n', 1)
    length = int(re.search(rb'Content-Length: (\d+)', head).group(1))
    assert method == 'HEAD' or len(body) == length, (len(body), length)
    return head.decode(), body.decode()


def check(text, simulated=True):
    lines = text.split('\n')
    assert lines[-2:] == ['# EOF', ''], lines[-3:]
    kinds, seen, family = {}, set(), None
    for line in lines[:-2]:
        if line.startswith('# TYPE '):
            family, kind = line.split(' ')[2:]
            assert family not in kinds, family
            kinds[family] = kind
        elif line.startswith('# UNIT '):
            name, unit = line.split(' ')[2:]
            assert name == family and family.endswith('_' + unit), line
        elif line.startswith('# HELP '):
            assert line.split(' ')[2] == family, line
        else:
            m = re.fullmatch(r'([a-z_][a-z0-9_]*)(?:\{((?:[a-z_]+="(?:[^"\\]|\\.)*",?)*)\})? (-?[0-9.e+-]+)', line)
            assert m, line
            suffix = {'counter': '_total', 'info': '_info'}.get(kinds[family], '')
            assert m.group(1) == family + suffix, line
            assert m.group(1, 2) not in seen, line
            # What is of the program and of no device has no such label.
            labels = m.group(2) or ''
            assert not simulated or 'sim="true"' in labels or 'device=' not in labels, line
            seen.add(m.group(1, 2))
    return len(seen)


def lint(text):
    kinds, helped, seen, done, family = {}, set(), set(), set(), None
    assert text.endswith('\n') and not text.endswith('# EOF\n')
    for line in text.split('\n')[:-1]:
        if line.startswith('# TYPE '):
            done.add(family)
            family, kind = line.split(' ')[2:]
            assert family not in done and family not in kinds, family
            kinds[family] = kind
            assert kind in ('gauge', 'counter'), line
            assert (kind == 'counter') == family.endswith('_total'), line
            assert re.fullmatch(r'[a-z][a-z0-9_]*', family), line
            assert not family.endswith(('_count', '_sum', '_bucket')), line
        elif line.startswith('# HELP '):
            name, words = line.split(' ', 3)[2:]
            assert name == family and words.strip(), line
            helped.add(name)
        else:
            m = re.fullmatch(r'([a-z][a-z0-9_]*)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\[\\"n])*",?)*)\})? (-?[0-9.e+-]+)', line)
            assert m and m.group(1) == family, line
            assert m.group(1, 2) not in seen, line
            seen.add(m.group(1, 2))
    assert helped == set(kinds), helped ^ set(kinds)
    assert len(seen) > 20, len(seen)


def trace(path):
    events = json.load(open(path))
    assert any(e['ph'] == 'M' and e['args']['name'].startswith('SIMULATED') for e in events)
    last = {}
    for e in events:
        if e['ph'] == 'C':
            (value,) = e['args'].values()
            assert isinstance(value, (int, float)), e
            assert e['ts'] > last.get(e['name'], -1), e
            last[e['name']] = e['ts']
    assert len(last) > 20, len(last)


def slow(where):
    silent = [connect(where) for _ in range(3)]
    loud = connect(where)
    try:
        loud.sendall(b'x' * 100000)
        loud.recv(10)
    except OSError:
        pass
    connect(where).close()
    assert long_header(where).startswith('HTTP/1.0 431')
    assert get(where)[0].startswith('HTTP/1.0 200')
    for s in silent:
        s.close()


def crowd(where):
    silent = [connect(where) for _ in range(64)]
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        try:
            if get(where)[0].startswith('HTTP/1.0 200'):
                break
        except (OSError, ValueError):
            pass
        time.sleep(0.2)
    else:
        sys.exit('silent clients kept all places')
    for s in silent:
        s.close()


def cpu_ticks(pid):
    return sum(map(int, open(f'/proc/{pid}/stat').read().rsplit(')', 1)[1].split()[11:13]))


def waits(pid):
    """How often it has waited so far."""
    return int(re.search(r'^voluntary_ctxt_switches:\s*(\d+)', open(f'/proc/{pid}/status').read(), re.M).group(1))


def starve(where, pid):
    silent = []
    for _ in range(60):
        s = socket.socket(socket.AF_UNIX)
        s.setblocking(False)
        try:
            s.connect(where)
        except BlockingIOError:
            break       # its queue is full: nobody takes clients from it any more
        silent.append(s)
    # A loop that spins never waits, so that it gives its processor away only where it has to.
    before, used, deadline = waits(pid), cpu_ticks(pid), time.monotonic() + 300
    while waits(pid) < before + 15:
        assert time.monotonic() < deadline, 'it spins'
        time.sleep(0.02)
    used = cpu_ticks(pid) - used
    assert used < 150, used
    # That the oldest silent one goes before its patience ends is seen by a clock that stands (export_hotplug.py).
    for _ in range(20):
        assert get(where)[0].startswith('HTTP/1.0 200')
    for s in silent:
        s.close()
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        try:
            if get(where)[0].startswith('HTTP/1.0 200'):
                return
        except (OSError, ValueError):
            pass
        time.sleep(0.2)
    sys.exit('no answer after descriptors had run out')


def thousand(where, pid, wanted):
    """A thousand clients at a time: some say nothing, some do not read, and all the others are answered."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    held = len(os.listdir(f'/proc/{pid}/fd'))
    asking, others, selector = {}, [], selectors.DefaultSelector()

    def ask():
        """A client that is late with its request may have lost its place, and asks again."""
        while True:
            s = connect(where)
            try:
                s.send(b'GET /metrics HTTP/1.0\r\n\r\n')
                return s
            except OSError:
                s.close()

    def wait_for_answer(s):
        asking[s] = b''
        selector.register(s, selectors.EVENT_READ)

    for i in range(min(int(wanted), hard - 50)):
        s = ask() if i % 4 else connect(where)
        if i % 4 > 1:
            wait_for_answer(s)
        else:
            others.append(s)
    deadline = time.monotonic() + 300
    while asking:
        assert time.monotonic() < deadline, len(asking)
        for s in [key.fileobj for key, _ in selector.select(1)]:
            try:
                data = s.recv(65536)
            except ConnectionError:
                data = b''
            asking[s] += data
            if not data:
                selector.unregister(s)
                s.close()
                if not asking.pop(s).startswith(b'HTTP/1.0 200'):
                    wait_for_answer(ask())
    for s in others:
        s.close()
    while len(os.listdir(f'/proc/{pid}/fd')) > held:
        assert time.monotonic() < deadline, os.listdir(f'/proc/{pid}/fd')
        time.sleep(0.05)


def overtaken(where):
    """A client behind which a crowd of silent ones comes before it has said anything; the time that it is given is not over (export_hotplug.sh)."""
    first = connect(where)
    crowd = [connect(where) for _ in range(200)]
    time.sleep(0.03)
    first.send(b'GET /metrics HTTP/1.0\r\n\r\n')
    assert first.recv(65536).startswith(b'HTTP/1.0 200')
    for s in [first, *crowd]:
        s.close()


def flood(where, wanted=4):
    deadline = time.monotonic() + 300
    silent = []

    def connections():
        for _ in range(400):
            silent.append(connect(where))
            time.sleep(0.002)

    thread = threading.Thread(target=connections)
    thread.start()
    answers = 0
    while thread.is_alive() or answers < wanted:
        answers += get(where)[0].startswith('HTTP/1.0 200')
        assert time.monotonic() < deadline, answers
    thread.join()
    assert answers >= wanted, answers


def label(path, family, name, end):
    found = re.findall(family + r'\{.*?' + name + r'="((?:[^"\\\n]|\\.)*)"', open(path, encoding='utf-8').read())
    values = [re.sub(r'\\(.)', lambda m: {'n': '\n'}.get(m.group(1), m.group(1)), v) for v in found]
    wanted = end.encode('utf-8', 'surrogateescape').decode('utf-8', 'replace')
    assert any(v.endswith(wanted) for v in values), (values, wanted)


def resident(pid):
    return int(open(f'/proc/{pid}/statm').read().split()[1]) * 4096


def unread(where, pid):
    length = len(get(where)[1])
    assert length > 1000000, length
    before, most, silent = resident(pid), 0, []
    for _ in range(30):
        s = connect(where)
        s.sendall(b'GET /metrics HTTP/1.0\r\n\r\n')
        silent.append(s)
        # The head of an answer is here when the text was written; a text is new after a tenth of a second.
        s.recv(10)
        time.sleep(0.15)
        most = max(most, resident(pid))
    assert get(where)[0].startswith('HTTP/1.0 200')
    # Address sanitizers keep what was freed for a while.
    if b'libasan' not in open(f'/proc/{pid}/maps', 'rb').read() and b'__asan' not in open(f'/proc/{pid}/exe', 'rb').read():
        assert most - before < 8 * length, (before, most, length)


def all_drop(where):
    """Some 300 kB of a long text in each second, so that none of them ever stands still for one."""
    slow, stop = [], threading.Event()
    for _ in range(64):
        s = connect(where)
        s.sendall(b'GET /metrics HTTP/1.0\r\n\r\n')
        slow.append(s)
    for s in slow:
        s.recv(20000)

    def take(s, most):
        """Whether the other end is closed."""
        while most > 0:
            try:
                data = s.recv(min(most, 20000), socket.MSG_DONTWAIT)
            except BlockingIOError:
                return False
            except ConnectionError:
                return True
            if not data:
                return True
            most -= len(data)
        return False

    def drip():
        while not stop.wait(0.1):
            for s in slow:
                take(s, 30000)
    thread = threading.Thread(target=drip)
    thread.start()
    try:
        status = get(where)[0]
    finally:
        stop.set()
        thread.join()
    assert status.startswith('HTTP/1.0 200'), status
    left = sum(not take(s, 250000) for s in slow)
    for s in slow:
        s.close()
    return left


def drops(where):
    """Those that had not come to the end of their own time are still there when somebody has got a text. A busy machine is given four tries."""
    for _ in range(4):
        left = all_drop(where)
        if left > 32:
            return
    raise AssertionError(left)


def host(port, name):
    s = connect('127.0.0.1:' + port)
    s.sendall(f'GET /metrics HTTP/1.1\r\nAccept: */*\r\nHost: {name}\r\n\r\n'.encode())
    print(s.recv(100).decode().split('\r\n')[0])


def long_header(where):
    s = connect(where)
    s.sendall(b'GET /metrics HTTP/1.1\r\nCookie: ' + b'x' * 4100)
    return s.recv(100).decode()


def main():
    way, arguments = sys.argv[1], sys.argv[2:]
    if way == 'get':
        head, body = get(*arguments)
        print(head.split('\r\n')[0])
        print(body, end='')
    elif way == 'plain':
        head, body = get(*arguments, accept='*/*')
        assert 'Content-Type: text/plain; version=0.0.4' in head, head
        print(body, end='')
    elif way == 'lint':
        lint(open(arguments[0], encoding='utf-8').read())
    elif way == 'check':
        print(check(open(arguments[0]).read()))
    elif way == 'prometheus':
        from prometheus_client.openmetrics.parser import text_string_to_metric_families
        families = list(text_string_to_metric_families(open(arguments[0]).read()))
        assert len(families) > 20, len(families)
    elif way == 'trace':
        trace(arguments[0])
    elif way == 'slow':
        slow(arguments[0])
    elif way == 'crowd':
        crowd(arguments[0])
    elif way == 'thousand':
        thousand(*arguments)
    elif way == 'overtaken':
        overtaken(*arguments)
    elif way == 'starve':
        starve(*arguments)
    elif way == 'flood':
        flood(arguments[0], *map(int, arguments[1:]))
    elif way == 'label':
        label(*arguments)
    elif way == 'unread':
        unread(*arguments)
    elif way == 'drops':
        drops(*arguments)
    elif way == 'host':
        host(*arguments)


if __name__ == '__main__':
    main()
