# SPDX-License-Identifier: GPL-3.0-or-later
"""Machines that change under a running rooftop (scenarios.py)."""
import json, os, socket, subprocess, time

import terminal
from procs import cpu_s
from scenarios import PATIENCE_S, Machine as Any, folder, program, run_all, wait

CARD = 'sys/devices/pci0000:00/0000:00:02.0'


class Machine(Any):
    def __init__(self, name, *words, **env):
        super().__init__(name, *(words or ('hd620,load=private.mad.sp.x1',)), **env)
        os.mkdir(self.root + '/uevents')

    def unplug(self):
        self.write('unplugged', '1')
        os.rename(self.root + '/sys/class/drm/card0', self.root + '/card0')
        self.tell('remove')

    def plug(self):
        os.rename(self.root + '/card0', self.root + '/sys/class/drm/card0')
        self.write('unplugged', '0')
        self.tell('add')

    def tell(self, action, *words):
        """As the kernel does, to all who listen: a program that can listen looks by itself but every two minutes."""
        path = '/devices/pci0000:00/0000:00:02.0/drm/card0'
        said = ['%s@%s' % (action, path), 'ACTION=' + action, 'DEVPATH=' + path, 'SUBSYSTEM=drm', *words]
        for box in os.listdir(self.root + '/uevents'):
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as s:
                s.sendto(b''.join(word.encode() + b'\0' for word in said), self.root + '/uevents/' + box)


def counts(window):
    """The load is 16 FLOP a cycle and EU, which takes counters, the clock and the number of EUs."""
    value = window['metrics']['flop_sp_per_cycle_eu']
    return value is not None and abs(value - 16) < 0.5


def because(reason):
    return because_of('eu_active', reason)


def because_of(metric, reason):
    return lambda window: window['why'].get(metric) == reason


def asleep():
    m = Machine('asleep')
    m.write(CARD + '/power/runtime_status', 'suspended')
    m.start()
    w = m.wait(because('asleep'))
    assert w['why']['clock_actual'] == 'asleep', w
    assert m.log() == '', m.log()
    m.write(CARD + '/power/runtime_status', 'active')
    m.wait(counts)
    m.stop()


def allowed():
    m = Machine('allowed', FAKEKERNEL_PERFMON='0')
    m.start()
    m.wait(because('permission'))
    m.write('proc/sys/dev/i915/perf_stream_paranoid', '0')
    m.wait(counts)
    m.stop()


def node():
    """Without the node not even the number of EUs is known."""
    m = Machine('node')
    os.rename(m.root + '/dev/dri/renderD128', m.root + '/hidden')
    m.start()
    m.wait(because('no_source'))
    os.rename(m.root + '/hidden', m.root + '/dev/dri/renderD128')
    m.wait(counts)
    m.stop()


def busy():
    m = Machine('busy')
    m.start()
    m.wait(counts)
    second = m.beside()
    second.start()
    second.wait(because('busy'))
    m.stop()
    second.wait(counts)
    second.stop()


def unplugged():
    m = Machine('unplugged')
    m.start()
    m.wait(counts)
    m.unplug()
    m.wait(because('gone'))
    m.plug()
    w = m.wait(counts)
    assert 0 <= w['metrics']['rc6'] <= 100, w
    m.stop()


def stopped():
    """The recording has what was counted before and after, and a gap in between."""
    m = Machine('stopped', FAKEKERNEL_FAIL='read=EIO@400-401')
    recording = m.root + '.i915perf'
    m.start('-w', recording)
    m.wait(counts)
    m.wait(because('stale'))
    m.wait(counts)
    m.wait(counts)
    m.stop()
    assert 'recording' not in m.said(), m.said()
    played = subprocess.run([program, '-r', recording, '--speed', 'max', '-d', '0.1', '-J'], capture_output=True, check=True, text=True)
    windows = [json.loads(line) for line in played.stdout.splitlines()[1:]]
    gap = [i for i, w in enumerate(windows) if w['lost']]
    assert sum(w['lost'] for w in windows) == 2, gap    # the first stream that is opened again stops at once
    assert sum(map(counts, windows[:gap[0]])) >= gap[0] - 1 and gap[0] > 1, windows[:gap[0]]
    assert any(map(counts, windows[gap[-1] + 1:])), windows[gap[0]:]


def slept():
    m = Machine('slept')
    m.start()
    m.wait(counts)
    opened = m.log().count('PERF_OPEN')
    m.write('suspended_ns', str(3600 * 10 ** 9))
    until = time.monotonic() + PATIENCE_S
    while m.log().count('PERF_OPEN') == opened:
        assert time.monotonic() < until, 'the stream was not opened again'
        time.sleep(0.05)
    m.wait(counts)
    for w in m.windows:
        assert w['window_ms'] < 60000, w
    m.stop()


def reset(*words):
    """Registers of the unit are cleared while its stream is open: it is silent, and nobody tells. It is opened again, and that is said."""
    m = Machine('reset-' + words[0].split(',')[0], *words)
    m.start()
    m.wait(lambda w: w['metrics']['eu_active'])
    for n in (1, 2):
        m.write('gt_resets', str(n))
        m.wait(because('stale'))
        w = m.wait(lambda w: w['metrics']['eu_active'])
        assert w['metrics']['eu_active'] > 90, w['metrics']['eu_active']
    m.stop()
    assert 'the GPU was reset' in m.said(), m.said()
    assert m.log().count('RESET') == 2, m.log()


def stalls_reset(told):
    """EU stall sampling ends with a reset, whether the kernel sees that or reads old samples again and then none."""
    m = Machine('stalls-' + told, 'lnl,load=stream.sp.x4', 'xe')
    m.write('i915/stall_resets_are_told', told)
    sampled = lambda w: (w['metrics']['sampled_sbid'] or 0) > 90 and w['metrics']['eu_stall'] is not None
    m.start('-m', 'stalls')
    m.wait(sampled)
    m.write('gt_resets', '1')
    m.wait(because_of('sampled_sbid', 'stale'))
    for _ in range(5):
        m.wait(sampled)
    # What rings held long ago is no sample of any window.
    shares = [w['metrics']['sampled_sbid'] for w in m.windows]
    assert all(share is None or share > 90 for share in shares), shares
    m.stop()
    assert 'RESET stalls' in m.log() and m.log().count('STALL_OPEN') > 1, m.log()
    assert 'reset' in m.said(), m.said()


def told_reset(*words):
    """The kernel tells of a reset before the unit has been silent for long: it is opened again at once."""
    m = Machine('told-' + words[0].split(',')[0], *words)
    m.start()
    m.wait(lambda w: w['metrics']['eu_active'])
    opened = m.log().count('_OPEN')
    m.tell('change', 'ERROR=1')
    m.tell('change', 'RESET=1')
    m.tell('change', 'ERROR=0')
    wait(lambda: m.log().count('_OPEN') > opened)
    m.wait(lambda w: w['metrics']['eu_active'] is None)
    m.wait(lambda w: w['metrics']['eu_active'])
    m.tell('change', 'HOTPLUG=1')
    m.tell('change', 'WEDGED=rebind,bus-reset')
    wait(lambda: 'given the GPU up' in m.said())
    m.stop()
    said = m.said()
    assert all(said.count(words) == 1 for words in ('tells of an error', 'was reset', 'given the GPU up', 'rebind,bus-reset')), said
    assert m.log().count('_OPEN') == opened + 1, m.log()


def other_reset():
    """The reset of another card is none of ours, nor is what another program sends."""
    m = Machine('other')
    m.start()
    m.wait(counts)
    for box in os.listdir(m.root + '/uevents'):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as s:
            for words in (b'change@/x\0ACTION=change\0DEVPATH=/devices/x/drm/card1\0SUBSYSTEM=drm\0ERROR=0\0',
                          b'!change@/x\0ACTION=change\0DEVPATH=/devices/x/drm/card0\0SUBSYSTEM=drm\0ERROR=0\0'):
                s.sendto(words, m.root + '/uevents/' + box)
    for _ in range(5):
        m.wait(counts)
    m.stop()
    assert m.said() == '' and m.log().count('PERF_OPEN') == 1, (m.said(), m.log())


def off_the_bus(*words):
    """Registers read ~0, and the folder of the card stays. Windows go on, without numbers, and a signal is obeyed."""
    m = Machine('off-' + words[0].split(',')[0], *words)
    m.start()
    m.wait(lambda w: w['metrics']['eu_active'])
    m.write('unplugged', '1')
    m.wait(because('stale'))
    seen, used_s = len(m.windows), cpu_s(m.process.pid)
    for _ in range(3):
        m.wait(lambda w: w['metrics']['eu_active'] is None)
    used_s = cpu_s(m.process.pid) - used_s
    assert used_s < 1 + len(m.windows) - seen, (used_s, len(m.windows) - seen)     # a turn of reading ends in time
    m.process.terminate()
    assert m.process.wait(PATIENCE_S) == -15
    late = [w['metrics']['eu_active'] for w in m.windows[seen:]]
    assert not any(late), late


def taken_away():
    """Memory of a card that was removed ends an access in SIGBUS: it reads as all ones, and the program goes on."""
    m = Machine('taken')
    m.start('--access', 'mmio')
    m.wait(lambda w: w['metrics']['eu_active'])
    m.write('vanished', '1')
    for _ in range(3):
        m.wait(because('stale'))
    assert 'VANISHED' in m.log() and 'the GPU is gone: its registers do not answer' in m.said(), m.said()
    m.stop()


def takes(t, keys):
    """Keys are taken in their order: the screen behind them is shown when they all were."""
    t.send(keys + b'2')
    assert t.shows(b'[2 '), t.data[-2000:]
    t.send(b'1')
    assert t.shows(b'[1 Overview]'), t.data[-2000:]


def key_while_gone():
    """Another set means opening the card again, which is not there. A trace has a hole meanwhile."""
    m = Machine('key')
    trace = m.root + '.trace'
    t = terminal.Terminal(program, ['-d', '0.1', '--trace', trace], folder, more_env=m.env)
    assert t.wait_for(b'PIPE FULL'), t.data[-2000:]
    m.unplug()
    t.send(b'mj\r')
    assert t.shows(b'GPU is gone'), t.data[-2000:]
    takes(t, b'mj\r')
    assert t.shows(b'DEVICE LOST'), t.data[-2000:]
    m.plug()
    assert t.shows(b'PIPE FULL'), t.data[-2000:]
    t.send(b'q')
    assert t.wait_end() == 0 and t.restored(), t.status
    t.close()
    events = json.load(open(trace))
    assert sum(e['name'] == 'process_name' for e in events) == 1 and any(e['ph'] == 'C' for e in events), events[-5:]


def chosen_comes_back(key, name, *more):
    """What a card was counted with, chosen by a key or named at the start, is what it is counted with when it is back."""
    m = Machine('chosen' + name)
    t = terminal.Terminal(program, ['-D', 'card0', '-d', '0.1', *more], folder, cols=140, more_env=m.env)
    assert t.wait_for(b'[1 Overview]'), t.data[-2000:]
    t.send(key)
    assert t.shows(name.encode()), t.data[-2000:]
    m.unplug()
    assert t.shows(b'GPU is gone'), t.data[-2000:]
    # Another one cannot be opened now.
    takes(t, b'mk\r')
    assert t.shows(b'DEVICE LOST'), t.data[-2000:]
    m.plug()
    assert t.shows(b'lost 0'), t.data[-2000:]
    assert t.shows(name.encode()), t.data[-2000:]
    t.send(b'q')
    assert t.wait_end() == 0 and t.restored(), t.status
    t.close()


def listed():
    """The devices screen follows cards that are not in use; one that is in use says that it is gone."""
    m = Machine('listed')
    m.unplug()
    t = terminal.Terminal(program, ['-D', 'sim:hd620', '-d', '0.1'], folder, rows=70, more_env=m.env)
    assert t.wait_for(b'HD Graphics 620'), t.data[-2000:]
    t.send(b'6')
    assert t.shows(b'in use'), t.data[-2000:]
    assert b'[8086:5916] gen9.5 GT2                i915' not in t.data and b'card0' not in t.data, t.data[-2000:]
    m.plug()
    assert t.shows(b'card0'), t.data[-2000:]
    t.send(b'/card0\r\r1')
    assert t.shows(b'now using card0'), t.data[-2000:]
    m.unplug()
    assert t.shows(b'card0: the GPU is gone'), t.data[-2000:]
    assert b'cannot open' not in t.data and b'cannot read' not in t.data, t.data[-3000:]
    t.send(b'q')
    assert t.wait_end() == 0 and t.restored(), t.status
    t.close()


def beside_while_gone():
    """A card that is away cannot be used, though it is the one that the other half shows already."""
    m = Machine('beside')
    t = terminal.Terminal(program, ['-D', 'sim:hd620', '-D', 'card0', '-d', '0.1'], folder, more_env=m.env)
    assert t.wait_for(b'[o]'), t.data[-2000:]
    m.unplug()
    t.send(b'omj\r')
    assert t.shows(b'GPU is gone'), t.data[-2000:]
    t.send(b'mj\r')
    assert t.shows(b'DEVICE LOST'), t.data[-2000:]
    t.send(b'o6/card0\rb5')
    assert t.shows(b'PID'), t.data[-2000:]
    assert b'now using' not in t.data, t.data[-2000:]
    m.plug()
    t.send(b'6/card0\rb')
    assert t.shows(b'now using card0'), t.data[-2000:]
    t.send(b'q')
    assert t.wait_end() == 0 and t.restored(), t.status
    t.close()


run_all([
    (asleep, 'a card that sleeps is not opened, and counts when it wakes'),
    (allowed, 'a sysctl fills the panes'),
    (node, 'a node that appears fills them, device constants too'),
    (busy, 'the next monitor gets the OA unit when the first one ends'),
    (unplugged, 'a card that was unplugged comes back with its name'),
    (stopped, 'a stream that a reset has stopped is opened again'),
    (reset, 'i915: a unit that a reset has silenced is opened again', 'hd620,load=private.mad.sp.x4'),
    (reset, 'xe: a unit that a reset has silenced is opened again', 'lnl,load=private.mad.sp.x4', 'xe'),
    (stalls_reset, 'stall sampling that a reset has silenced is opened again', '0'),
    (stalls_reset, '  ... and so is one whose kernel tells', '1'),
    (told_reset, 'i915: a reset that the kernel tells of is obeyed at once, and a card that was given up is named', 'hd620,load=private.mad.sp.x4'),
    (told_reset, 'xe: a reset that the kernel tells of is obeyed at once, and a card that was given up is named', 'lnl,load=private.mad.sp.x4', 'xe'),
    (other_reset, 'a reset of another card is passed over'),
    (off_the_bus, 'i915: a card that falls off the bus holds nobody up', 'dg2,load=private.mad.sp.x4'),
    (off_the_bus, 'xe: a card that falls off the bus holds nobody up', 'lnl,load=private.mad.sp.x4', 'xe'),
    (taken_away, 'memory that vanishes with its card is read as all ones'),
    (key_while_gone, 'a key that opens a card which is away does not end the monitor, and the card comes back'),
    (chosen_comes_back, 'sets in turns that a key has chosen come back with their card', b'm' + b'j' * 30 + b'k\r', 'set dispatch+ready'),
    (chosen_comes_back, '  ... and so do those that were named at the start', b'', 'set overview+flops', '-m', 'overview,flops'),
    (beside_while_gone, 'one that is away in the other half is opened there only when it is back'),
    (listed, 'cards that come and go are listed, and one in use says that it is gone'),
    (slept, 'after a suspend counting begins again'),
])
