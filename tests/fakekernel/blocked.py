# SPDX-License-Identifier: GPL-3.0-or-later
"""A driver that holds a call: the program says which one it waits for, and a signal ends it (scenarios.py)."""
import json, os, re, shutil, signal, subprocess, threading

import terminal
from scenarios import PATIENCE_S, Machine, folder, program, run_all, runtime, shim, wait

# What is called over and over: the clock for recordings, and the stream (i915_uapi.h, xe_uapi.h).
CLOCK = {'i915': ('ioctl', 'c0106471', 'ioctl DRM_IOCTL_I915_REG_READ on /dev/dri/renderD128'),
         'xe': ('ioctl', 'c0286440', 'ioctl XE_IOCTL_QUERY on /dev/dri/renderD128')}
STREAM = ('read', '0', 'read on anon_inode:')
MODELS = {'i915': ('hd620,load=private.mad.sp.x4',), 'xe': ('lnl,load=private.mad.sp.x4', 'xe')}


def counts(window):
    return (window['metrics']['eu_active'] or 0) > 90


def block(m, call, how):
    m.write('calls', 'block %s %s %s *' % (*call[:2], how))
    wait(lambda: 'blocked' in m.log(), 'the call was not made')


def begin(name, driver, *arguments):
    m = Machine(name, *MODELS[driver])
    m.start(*arguments)
    m.wait(counts)
    return m


def replayed(recording):
    played = subprocess.run([program, '-r', recording, '--speed', 'max', '-d', '0.1', '-J'], capture_output=True, check=True, text=True)
    return [json.loads(line) for line in played.stdout.splitlines()[1:]]


def named(driver, call):
    """It is named while it waits, and the program goes on when it returns."""
    m = begin('named-%s-%s' % (driver, call[0]), driver, '-w', os.path.join(folder, '%s-%s.rec' % (driver, call[0])))
    block(m, call, 'hard')
    wait(lambda: call[2] in m.said() if call[0] == 'ioctl' else 'waiting for read on ' in m.said(), 'the call was not named')
    os.unlink(os.path.join(m.root, 'calls'))
    seen = len(m.windows)
    m.wait(lambda w: len(m.windows) > seen and counts(w))
    m.stop()
    assert m.said().count('waiting for') >= 1, m.said()


def ended(driver, call, how, signo):
    """A signal is obeyed: a call that signals end is left, and one that they do not end is named. What was recorded stays."""
    recording = os.path.join(folder, 'ended-%s-%s-%s-%d.rec' % (driver, call[0], how, signo))
    m = begin(os.path.basename(recording)[:-4], driver, '-w', recording)
    block(m, call, how)
    m.process.send_signal(signo)
    assert m.process.wait(PATIENCE_S) == -signo, m.process.returncode
    # On the way out all calls share a second, which a busy machine may need for those that return, too.
    assert ('interrupted' in m.log()) == (how == 'soft') and (how == 'soft' or 'ended while waiting for' in m.said()), m.said()
    assert any(map(counts, replayed(recording))), recording


def on_screen(how, signo):
    """The last line of the screen says it; the terminal is given back."""
    m = Machine('screen-%s-%d' % (how, signo), *MODELS['i915'])
    t = terminal.Terminal(program, ['-d', '0.1'], folder, more_env=m.env)
    assert t.wait_for(b'PIPE FULL'), t.data[-2000:]
    block(m, STREAM, 'hard')
    assert t.shows(b'waiting for read on'), t.data[-2000:]
    if signo:
        os.kill(t.pid, signo)
    else:
        os.unlink(os.path.join(m.root, 'calls'))
        assert t.shows(b'PIPE FULL'), t.data[-2000:]
        t.send(b'q')
    assert t.wait_end() == -signo and t.restored(), t.status
    t.close()


def passed_on():
    """A signal that "run" has passed on to its command ends no call of ours, however long the command lives on."""
    m = Machine('passed-on', *MODELS['i915'])
    began, got, end, report = (os.path.join(folder, 'passed-' + name) for name in ('began', 'got', 'end', 'report'))
    command = 'trap ": >%s" TERM; touch %s; while [ ! -e %s ]; do sleep 0.1; done' % (got, began, end)
    p = subprocess.Popen([program, 'run', '-D', 'card0', '-d', '0.1', '--json', '-o', report, '--', 'sh', '-c', command],
                         env=dict(os.environ, **m.env), stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait(lambda: os.path.exists(began), 'no command')
    p.send_signal(signal.SIGTERM)
    wait(lambda: os.path.exists(got), 'it was not passed on')
    block(m, STREAM, 'hard')
    try:
        p.wait(2)   # twice what is left to a call where the signal is ours
    except subprocess.TimeoutExpired:
        pass
    os.unlink(os.path.join(m.root, 'calls'))
    open(end, 'w').close()
    assert p.wait(PATIENCE_S) == 0 and '"eu_active"' in open(report).read(), p.returncode


def not_left():
    """A signal that comes during a call ends the command, too, to which nobody can pass it on then."""
    m = Machine('not-left', *MODELS['i915'])
    began = os.path.join(folder, 'left-began')
    p = subprocess.Popen([program, 'run', '-D', 'card0', '-d', '0.1', '--', 'sh', '-c', 'echo $$ > %s; exec sleep 1000' % began],
                         env=dict(os.environ, **m.env), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    wait(lambda: os.path.exists(began) and open(began).read().endswith('\n'), 'no command')
    block(m, STREAM, 'hard')
    assert b'waiting for' in p.stderr.readline()
    p.send_signal(signal.SIGTERM)
    assert p.wait(PATIENCE_S) == -signal.SIGTERM, p.returncode
    state = ['ps', '-o', 'stat=', '-p', open(began).read().strip()]
    wait(lambda: subprocess.run(state, stdout=subprocess.PIPE).stdout.strip()[:1] in (b'', b'Z'), 'it lives')


# Machines that together have every way to counters, and what rooftop is asked on them.
here = os.path.dirname(os.path.abspath(__file__))
MACHINES = {
    'i915': ('maketree.sh', 'hd620,load=private.mad.sp.x4', 'i915'),
    'i915-registers': ('maketree.sh', 'hd620,load=private.mad.sp.x4', 'i915', '--access', 'mmio'),
    'i915-batches': ('maketree.sh', 'hd620,load=private.mad.sp.x4', 'i915', '--access', 'rpc'),
    'xe': ('maketree.sh', 'lnl,load=private.mad.sp.x4', 'xe'),
    'xe-stalls': ('maketree.sh', 'lnl,load=private.mad.sp.x4', 'xe', '-m', 'stalls'),
    'kbase': ('malitree.sh', 'g72,load=memory', 'kbase'),
    'kbase-streams': ('malitree.sh', 'g710,load=memory', 'kbase'),
    'panfrost': ('malitree.sh', 'g52,load=memory', 'panfrost'),
    'v3d': ('boardtree.sh', 'pi5'),
    'msm': ('boardtree.sh', 'a7xx'),
    'xdna': ('boardtree.sh', 'xdna', '-D', 'accel0'),
}


def made(name, at):
    script, model, *rest = MACHINES[name]
    root = os.path.join(folder, at)
    n = 1 if script != 'boardtree.sh' else 0
    subprocess.run(['sh', os.path.join(here, script), root, model, *rest[:n]], check=True)
    if name == 'i915':
        subprocess.run([os.path.join(os.path.dirname(shim), 'perftree'), root, 'i915', 'uncore_imc'], check=True)
    return root, rest[n:]


def begun(root, arguments):
    env = dict(os.environ, FAKEKERNEL_ROOT=root, FAKEKERNEL_LOG=root + '.log', LD_PRELOAD=(runtime + ' ' + shim).strip())
    with open(root + '.err', 'w') as err:
        return subprocess.Popen([program, '-J', '-d', '0.1', '-n', '3', *arguments], env=env, stdin=subprocess.DEVNULL, stdout=err, stderr=err)


def kinds(name):
    """Each kind of call that the program makes into drivers there: call, request, and where it has one, the file."""
    root, arguments = made(name, 'kinds-' + name)
    with open(root + '/calls', 'w') as f:
        f.write('told\n')
    begun(root, arguments).wait(PATIENCE_S)
    found = {}
    for line in open(root + '.log', errors='replace'):
        word = line.split(' ', 3)
        # Where a process of its own asks the driver, the program waits for that one, and for no driver.
        if word[0] == 'call' and (word[1] != 'poll' or MACHINES[name][0] != 'malitree.sh'):
            file = re.sub('[0-9]+', '', word[3].strip())
            found.setdefault((word[1], word[2], '/sys' if file.startswith('/sys') else file), word[3].strip())
    return root, arguments, found


turns = threading.Semaphore(12)     # as many programs at a time


def each_kind(name):
    """The law: whatever call a driver holds, in a sleep that no signal ends, TERM ends the program, and the call is named."""
    root, arguments, found = kinds(name)
    wrong = []

    def hold(number, call, request, file):
        copy = '%s-%d' % (root, number)
        shutil.copytree(root, copy, symlinks=True)
        with open(copy + '/calls', 'w') as f:
            f.write('block %s %s hard %s\n' % (call, request, file or '*'))
        log = lambda: open(copy + '.log').read() if os.path.exists(copy + '.log') else ''
        p = begun(copy, arguments)
        wait(lambda: 'blocked' in log() or p.poll() is not None)
        if 'blocked' not in log():
            return wrong.append('%s %s %s: was not made' % (call, request, file))
        p.send_signal(signal.SIGTERM)
        try:
            status = p.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            p.kill()
            status = 'hangs'
        said = open(copy + '.err').read()
        # A process or a thread that was started for such calls holds up nobody, and libpciaccess closes what it maps.
        is_first = 'blocked %s %d %d\n' % (call, p.pid, p.pid) in log()
        if call == 'close' and file.endswith('resource0'):
            call = 'mmap'
        if status not in ([-signal.SIGTERM] if is_first else [-signal.SIGTERM, 0, 1]) or is_first and 'ended while waiting for ' + call not in said:
            wrong.append('%s %s %s: %s %s' % (call, request, file, status, said.strip().split('\n')[-1][:200]))
        shutil.rmtree(copy, ignore_errors=True)     # the program may be about to leave its files

    def in_turn(*args):
        with turns:
            hold(*args)

    threads = [threading.Thread(target=in_turn, args=(i, call, request, 'anon' if file.startswith('anon') else example))
               for i, ((call, request, file), example) in enumerate(sorted(found.items()))]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert found and not wrong, '%d of %d kinds: %s' % (len(wrong), len(found), '; '.join(wrong))


run_all([
    *((named, '%s: %s is named, and counting goes on' % (driver, call[2]), driver, call) for driver in CLOCK for call in (CLOCK[driver], STREAM)),
    *((ended, '%s: signal %d ends a call that is %s to end' % (driver, signo, how), driver, CLOCK[driver], how, signo)
      for driver in CLOCK for how in ('soft', 'hard') for signo in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)),
    (on_screen, 'the screen names it in its last line, and draws again', 'hard', 0),
    (on_screen, '  ... and gives the terminal back when a signal ends it', 'hard', signal.SIGTERM),
    (not_left, 'run: a call that ends with the program leaves no command'),
    (passed_on, 'run: a signal that is its command\'s ends no call'),
])
run_all([(each_kind, '%s: whichever call is held, TERM ends the program and the call is named' % name, name) for name in MACHINES])
