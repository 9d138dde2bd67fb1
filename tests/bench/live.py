#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cost of live counters: rooftop on the fake kernel with at least a report every millisecond and windows of half a second.

usage: live.py SOURCE-FOLDER BUILD-FOLDER [--seconds 8]
CPU time contains the fake kernel, which runs in the process. Callgrind tells the instructions of the program alone: those of a window are
(those of 14 windows - those of 4) / 10, those of a report what windows with ten times as many reports have more. Nothing is judged.
"""
import argparse, math, os, re, shutil, signal, subprocess, tempfile, time

MACHINES = [
    # name, model, driver, rate of OA time stamps, bits of the OA unit's capabilities (xe): 8, a number of reports wakes a reader
    ('i915 perf', 'hd620,load=private.mad.sp.x1', 'i915', 12e6, None),
    ('xe, woken by reports', 'lnl,load=private.mad.sp.x4', 'xe', 19.2e6, 11),
    ('xe, by a timer', 'lnl,load=private.mad.sp.x4', 'xe', 19.2e6, 3),
]
WINDOW_S = 0.5
WINDOWS = 4, 14


def status(pid):
    switches = re.search(r'^voluntary_ctxt_switches:\s*(\d+)', open(f'/proc/{pid}/status').read(), re.M)
    return int(switches.group(1)), int(open(f'/proc/{pid}/schedstat').read().split()[0])


def run_for(seconds, argv, env):
    """Wake-ups a second, CPU in percent of a core."""
    with subprocess.Popen(argv, env=env, stdout=subprocess.DEVNULL) as process:
        time.sleep(2)
        start, (wakes, ns) = time.monotonic(), status(process.pid)
        time.sleep(seconds)
        span, (wakes_end, ns_end) = time.monotonic() - start, status(process.pid)
        process.send_signal(signal.SIGTERM)
    return (wakes_end - wakes) / span, (ns_end - ns) / span / 1e7


def instructions(argv, env, folder):
    """Those of the program and those of all."""
    out = os.path.join(folder, 'callgrind')
    subprocess.run(['valgrind', '-q', '--tool=callgrind', '--callgrind-out-file=' + out, *argv], env=env, check=True, stdout=subprocess.DEVNULL)
    text = subprocess.run(['callgrind_annotate', '--threshold=100', '--show-percs=no', out], stdout=subprocess.PIPE, check=True, text=True).stdout
    own = whole = 0
    for count, place in re.findall(r'^\s*([\d,]+)\s+\S+:.*\[(.*)\]$', text, re.M):
        whole += int(count.replace(',', ''))
        own += int(count.replace(',', '')) if os.path.basename(place) == 'rooftop' else 0
    return own, whole


def of_window(argv, env, folder):
    few, many = (instructions([*argv, '-n', str(n)], env, folder) for n in WINDOWS)
    return [(b - a) / (WINDOWS[1] - WINDOWS[0]) for a, b in zip(few, many)]


def reports(period_s, hz):
    """The longest period that is a power of two of ticks and not above what was asked for."""
    return WINDOW_S * hz / 2 ** int(math.log2(period_s * hz))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--seconds', type=float, default=8)
    parser.add_argument('source')
    parser.add_argument('build')
    args = parser.parse_args()
    build = os.path.abspath(args.build)
    print(f'{"":22}{"wake-ups/s":>12}{"CPU %":>8}{"reports/window":>16}{"instructions/window":>21}{"/report":>9}{"% of all":>10}')
    for name, model, driver, hz, capabilities in MACHINES:
        with tempfile.TemporaryDirectory() as folder:
            root = os.path.join(folder, 'machine')
            subprocess.run(['sh', os.path.join(args.source, 'tests/fakekernel/maketree.sh'), root, model, driver], check=True)
            if capabilities is not None:
                with open(os.path.join(root, 'i915/oa_capabilities'), 'w') as f:
                    print(capabilities, file=f)
            env = dict(os.environ, FAKEKERNEL_ROOT=root, LD_PRELOAD=os.path.join(build, 'tests/fakekernel/fakekernel.so'))
            argv = [os.path.join(build, 'rooftop'), '-J', '-d', str(WINDOW_S), '--oa-period']
            wakes, cpu = run_for(args.seconds, [*argv, '1ms'], env)
            print(f'{name:22}{wakes:12.1f}{cpu:8.2f}{reports(1e-3, hz):16.0f}', end='', flush=True)
            if not shutil.which('valgrind'):
                print('   no valgrind')
                continue
            own, whole = of_window([*argv, '1ms'], env, folder)
            slow, _ = of_window([*argv, '10ms'], env, folder)
            each = (own - slow) / (reports(1e-3, hz) - reports(1e-2, hz))
            print(f'{own:21.0f}{each:9.0f}{100 * own / whole:10.1f}')


main()
