# SPDX-License-Identifier: GPL-3.0-or-later
"""A driver that holds a call: the program says which one it waits for, and a signal ends it (scenarios.py)."""
import json, os, signal, subprocess

import terminal
from scenarios import PATIENCE_S, Machine, folder, program, run_all, wait

# What is called over and over: the clock for recordings, and the stream (i915_uapi.h, xe_uapi.h).
CLOCK = {'i915': ('ioctl', 'c0106471', 'ioctl DRM_IOCTL_I915_REG_READ on /dev/dri/renderD128'),
         'xe': ('ioctl', 'c0286440', 'ioctl XE_IOCTL_QUERY on /dev/dri/renderD128')}
STREAM = ('read', '0', 'read on anon_inode:')
MODELS = {'i915': ('hd620,load=private.mad.sp.x4',), 'xe': ('lnl,load=private.mad.sp.x4', 'xe')}


def counts(window):
    return (window['metrics']['eu_active'] or 0) > 90


def block(m, call, ms, how):
    m.write('block', '%s %s %d %s' % (*call[:2], ms, how))
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
    block(m, call, 1000000, 'hard')
    wait(lambda: call[2] in m.said() if call[0] == 'ioctl' else 'waiting for read on ' in m.said(), 'the call was not named')
    os.unlink(os.path.join(m.root, 'block'))
    seen = len(m.windows)
    m.wait(lambda w: len(m.windows) > seen and counts(w))
    m.stop()
    assert m.said().count('waiting for') >= 1, m.said()


def ended(driver, call, how, signo):
    """A signal is obeyed: a call that signals end is left, and one that they do not end is named. What was recorded stays."""
    recording = os.path.join(folder, 'ended-%s-%s-%s-%d.rec' % (driver, call[0], how, signo))
    m = begin(os.path.basename(recording)[:-4], driver, '-w', recording)
    block(m, call, 1000000, how)
    m.process.send_signal(signo)
    assert m.process.wait(PATIENCE_S) == -signo, m.process.returncode
    assert ('ended while waiting for' in m.said()) == (how == 'hard'), m.said()
    assert any(map(counts, replayed(recording))), recording


def on_screen(how, signo):
    """The last line of the screen says it; the terminal is given back."""
    m = Machine('screen-%s-%d' % (how, signo), *MODELS['i915'])
    t = terminal.Terminal(program, ['-d', '0.1'], folder, more_env=m.env)
    assert t.wait_for(b'PIPE FULL'), t.data[-2000:]
    block(m, STREAM, 1000000, 'hard')
    assert t.shows(b'waiting for read on'), t.data[-2000:]
    if signo:
        os.kill(t.pid, signo)
    else:
        os.unlink(os.path.join(m.root, 'block'))
        assert t.shows(b'PIPE FULL'), t.data[-2000:]
        t.send(b'q')
    assert t.wait_end() == -signo and t.restored(), t.status
    t.close()


run_all([
    *((named, '%s: %s is named, and counting goes on' % (driver, call[2]), driver, call) for driver in CLOCK for call in (CLOCK[driver], STREAM)),
    *((ended, '%s: signal %d ends a call that is %s to end' % (driver, signo, how), driver, CLOCK[driver], how, signo)
      for driver in CLOCK for how in ('soft', 'hard') for signo in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)),
    (on_screen, 'the screen names it in its last line, and draws again', 'hard', 0),
    (on_screen, '  ... and gives the terminal back when a signal ends it', 'hard', signal.SIGTERM),
])
