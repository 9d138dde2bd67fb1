#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cost of the screen: time to the first frame, bytes and CPU time per frame, resident memory; programs are measured in turn.

usage: screen.py [--size 120x40] [--seconds 8] [--rounds 3] [--json] ROOFTOP [PEER-COMMAND ...]
       screen.py --screens [--size 120x40] [--seconds 8] [--rounds 3] [--json] ROOFTOP
Each PEER-COMMAND is one string (htop: "htop -d 10"). --screens: ROOFTOP on each of its screens and boxes instead. Medians over the
rounds; nothing is judged.
"""
import argparse, fcntl, json, os, pty, select, shlex, signal, statistics, struct, sys, termios, time

IDLE_S = 0.04   # silence that ends a burst: one burst is one frame
SETUP_BYTES = 400   # what prepares a terminal is shorter, and no frame: htop waits 0.1 s after it


# What --screens shows, and the keys that lead there from the overview.
SCREENS = {'overview': b'', 'map': b'2M', 'roofline': b'3', 'stress': b'4', 'processes': b'5', 'devices': b'6', 'log': b'7',
           'help': b'h', 'setup': b'S', 'explain': b'e'}


def cpu_clock(pid):
    return time.clock_gettime((~pid) << 3 | 2)


def measure(argv, cols, rows, seconds, keys=b''):
    start = time.monotonic()
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(TERM='xterm-256color', LC_ALL='C.UTF-8', LINES=str(rows), COLUMNS=str(cols))
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', rows, cols, 0, 0))
        for key in ('LINES', 'COLUMNS', 'NO_COLOR'):
            os.environ.pop(key, None)
        try:
            os.execvp(argv[0], argv)
        except OSError:
            os._exit(127)
    warm_s = 2.5
    first = settled = None
    written = total = bursts = 0
    last = 0.0
    base_cpu = base_time = None
    pending = False
    while True:
        now = time.monotonic() - start
        if now > warm_s + seconds:
            break
        ready, _, _ = select.select([fd], [], [], 0.01)
        now = time.monotonic() - start
        if ready:
            try:
                data = os.read(fd, 65536)
            except OSError:
                return None
            if first is None:
                first = now
            last = now
            pending = True
            written += len(data)
            if base_cpu is not None:
                total += len(data)
        elif pending and now - last > IDLE_S:
            pending = False
            if settled is None and written >= SETUP_BYTES:
                settled = last
            if base_cpu is not None:
                bursts += 1
        if keys and now > 1:
            os.write(fd, keys)
            keys = b''
        if base_cpu is None and now > warm_s:
            base_cpu, base_time = cpu_clock(pid), now
    cpu = cpu_clock(pid) - base_cpu
    span = time.monotonic() - start - base_time
    status = dict(line.split(':', 1) for line in open(f'/proc/{pid}/status') if ':' in line)
    rss = int(status['VmRSS'].split()[0])
    os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + 2
    while time.monotonic() < deadline:
        if os.waitpid(pid, os.WNOHANG)[0]:
            break
        if select.select([fd], [], [], 0.01)[0]:
            try:
                os.read(fd, 65536)
            except OSError:
                pass
    else:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    os.close(fd)
    frames = max(bursts, 1)
    return {'first_output_ms': first * 1e3, 'first_frame_ms': settled * 1e3, 'bytes_per_frame': total / frames,
            'cpu_ms_per_frame': cpu * 1e3 / frames, 'cpu_pct': cpu / span * 100, 'rss_kb': rss, 'frames': bursts}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--size', default='120x40')
    parser.add_argument('--seconds', type=float, default=8)
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--screens', action='store_true')
    parser.add_argument('--json', action='store_true')
    parser.add_argument('command', nargs='+', help='one string each; the first is rooftop')
    args = parser.parse_args()
    cols, rows = map(int, args.size.split('x'))
    runs = {name: (args.command[0], keys) for name, keys in SCREENS.items()} if args.screens else {c: (c, b'') for c in args.command}
    results = {name: [] for name in runs}
    for _ in range(args.rounds):
        for name, (command, keys) in runs.items():
            result = measure(shlex.split(command), cols, rows, args.seconds, keys)
            if result is None:
                print(f'# {name}: ended early', file=sys.stderr)
            else:
                results[name].append(result)
    medians = {}
    for command, rows_ in results.items():
        if rows_:
            medians[command] = {key: statistics.median(row[key] for row in rows_) for key in rows_[0]}
    if args.json:
        print(json.dumps(medians, indent=1))
        return
    print(f'# {args.size}, {args.rounds} rounds of {args.seconds:g} s in turn, medians; load average {os.getloadavg()[0]:.2f}')
    names = ('first_output_ms', 'first_frame_ms', 'bytes_per_frame', 'cpu_ms_per_frame', 'cpu_pct', 'rss_kb', 'frames')
    print('%-34s' % ('screen' if args.screens else 'command'), *('%17s' % name for name in names))
    for command, row in medians.items():
        print('%-34s' % command[-34:], *('%17.2f' % row[name] for name in names))
    first = next(iter(medians))
    for command in [] if args.screens else list(medians)[1:]:
        print('%-34s' % ('ratio to ' + command)[:34], *('%17.2f' % (medians[first][n] / medians[command][n]) if medians[command][n] else '%17s' % '-'
                                                     for n in names))


main()
