# SPDX-License-Identifier: GPL-3.0-or-later
"""The monitor in a pseudo-terminal: it draws, obeys, and gives the terminal back however it ends. TAP on standard output."""
import json, os, re, signal, termios, time
import terminal
from tap import ROOFTOP, SANITIZED, finish, home, ok


def Terminal(args, **kw):
    return terminal.Terminal(ROOFTOP, args, home, **kw)


def start(args=('-D', 'sim:hd620,load=private.mad.sp.x4', '-d', '0.1'), **kw):
    t = Terminal(list(args), **kw)
    drawn = t.wait_for(b'Utilization')
    return t, drawn


t, drawn = start()
ok(drawn, 'the overview is drawn')
ok(t.wait_for(b'SIM'), 'it says that the device is simulated')
ok(t.wait_for(b'headroom'), 'an answer follows the first window')
t.send(b'6')
ok(t.wait_for(b'sim:strix'), 'simulated devices that no option names are listed when somebody looks at the list')
t.send(b'q')
ok(t.wait_end() == 0, 'q quits')
ok(t.restored(), 'q restores the terminal', repr(t.data[-200:]))
t.close()

t, drawn = start()
t.send(b'\x03')
ok(t.wait_end() in (0, -signal.SIGINT), '^C ends it')
ok(t.restored(), '^C restores the terminal')
t.close()

for s in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
    t, drawn = start()
    os.kill(t.pid, s)
    ok(t.wait_end() == -s, f'{s.name} stays {s.name}', str(t.status))
    ok(t.restored(), f'{s.name} restores the terminal', repr(t.data[-200:]))
    t.close()
for s in (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGABRT, signal.SIGILL, signal.SIGTRAP,
          signal.SIGSYS, signal.SIGXCPU, signal.SIGALRM, signal.SIGUSR2):
    if SANITIZED:
        ok(True, f'{s.name} # SKIP the sanitizer has its own handlers')
        continue
    t, drawn = start()
    os.kill(t.pid, s)
    ok(t.wait_end() == -s, f'{s.name} stays {s.name}', str(t.status))
    ok(t.restored(), f'{s.name} restores the terminal', repr(t.data[-200:]))
    t.close()

t, drawn = start()
t.send(b'h')
ok(t.wait_for(b'refresh faster'), 'h opens the help')
t.send(b'\x1b')
ok(t.shows(b'Utilization'), 'Esc closes the box')
t.send(b'q')
ok(t.wait_end() == 0, 'then q quits')
t.close()

t, drawn = start(('-D', 'sim:hd620', '-d', '3600'))
t.send(b'h')
ok(t.wait_for(b'refresh faster'), 'a key is answered though the window ends in an hour')
t.send(b'qq')
ok(t.wait_end() == 0, 'q, too, which first closes the help')
t.close()

t, drawn = start()
t.send(b'qW')
ok(t.wait_end() == 0 and not [f for f in os.listdir(home) if f.endswith('.i915perf')], 'keys behind q are not obeyed', str(os.listdir(home)))
t.close()

t, drawn = start()
t.send(b'\x1b[<0;5')
ok(t.shows(b'Utilization'), 'a mouse report without an end does not stop it')
os.kill(t.pid, signal.SIGTERM)
ok(t.wait_end() == -signal.SIGTERM and t.restored(), 'nor signals')
t.close()

t, drawn = start(cols=65535, rows=65535)
ok(drawn, 'a terminal that claims four thousand million cells is drawn on')
resident = int(open(f'/proc/{t.pid}/statm').read().split()[1]) * os.sysconf('SC_PAGESIZE')
ok(resident < (2000 if SANITIZED else 200) << 20, 'with the memory of a few of them', str(resident))
os.kill(t.pid, signal.SIGTERM)
ok(t.wait_end() == -signal.SIGTERM and t.restored(), 'and signals are obeyed')
t.close()

t, drawn = start(cols=80, rows=24)
t.forget()
t.resize(120, 40)
ok(t.wait_for(b'Threads'), 'a bigger window is filled')
t.forget()
t.resize(1, 1)
t.resize(200, 60)
ok(t.wait_for(b'Utilization'), 'so is one that was 1x1 in between')
t.send(b'q')
ok(t.wait_end() == 0, 'and it ends well')
t.close()

t, drawn = start(as_job=True)
t.send(b'\x1a')
ok(t.wait_for(terminal.STOPPED), '^Z stops it')
ok(termios.tcgetattr(t.slave) == t.before, 'with the terminal as it was')
t.forget()
t.go_on()
ok(t.wait_for(b'Utilization'), 'SIGCONT brings the screen back')
# A stop that the program does not see coming: the shell takes the terminal as it likes it.
os.killpg(os.tcgetpgrp(t.master), signal.SIGSTOP)
ok(t.wait_for(terminal.STOPPED), 'SIGSTOP stops it')
termios.tcsetattr(t.slave, termios.TCSANOW, t.before)
t.forget()
t.go_on()
ok(t.wait_for(b'Utilization'), 'SIGCONT brings the screen back once more')
t.send(b'q')
ok(t.wait_end() == 0 and t.restored(), 'and q quits as before')
t.close()

t, drawn = start()
t.send(b'W')
ok(t.wait_for(b'recording to'), 'W records')
ok(t.wait_for(b'headroom'), 'beside the screen')
# Its head alone is no recording: there must be reports.
while not t.ended() and not any(os.path.getsize(os.path.join(home, f)) > 32768 for f in os.listdir(home) if f.endswith('.i915perf')):
    t.read(0.05)
t.send(b'W')
t.forget()
t.send(b'\x0c')
ok(t.wait_for(b'recorded to'), 'W again stops')
files = [f for f in os.listdir(home) if f.startswith('rooftop-') and f.endswith('.i915perf')]
ok(len(files) == 1 and os.path.getsize(os.path.join(home, files[0])) > 400, 'the file is there', str(files))
ok(not os.path.exists(os.path.join(home, '.config')), 'settings are not written by themselves')
t.send(b's')
ok(t.wait_for(b'settings saved'), 'w saves them')
rc = os.path.join(home, '.config/rooftop/rooftoprc')
ok('delay=100ms' in open(rc).read() if os.path.exists(rc) else False, 'in rooftoprc')
t.send(b'q')
t.wait_end()
t.close()
os.remove(rc)

t = Terminal(['-r', os.path.join(home, files[0]), '-d', '0.1'])
ok(t.wait_for(b'simulated recording'), 'the recording plays')
ok(t.wait_for(b'SIM'), 'and says that it was simulated')
ok(t.shows(b'end of the recording'), 'to its end, and stays')
t.send(b'q')
ok(t.wait_end() == 0, 'until q')
t.close()

t = Terminal(['--fsroot', home])
ok(t.wait_for(b'no GPU was found'), 'without a GPU it says why it simulates')
ok(t.wait_for(b'SIM'), 'and that it does')
t.send(b'q')
t.wait_end()
t.close()

t, drawn = start(args=('-D', 'sim:hd620', '-n', '3', '-d', '0.05'))
ok(t.wait_end() == 0 and t.restored(), '-n ends the monitor')
t.close()

t = Terminal(['-D', 'sim:hd620'], stdin='/dev/null')
ok(t.wait_for(b'standard input has ended') and t.wait_end() == 0, 'end of file on standard input means quit, and it says so')
ok(termios.tcgetattr(t.slave) == t.before, 'and restores the terminal')
t.close()

t, drawn = start()
os.close(t.master)
t.read = lambda seconds: time.sleep(seconds / 10)
t.ended = lambda: Terminal_dead(t)


def Terminal_dead(t):
    if t.status is None:
        pid, status = os.waitpid(t.pid, os.WNOHANG)
        if pid:
            t.status = status
    return t.status is not None


ok(t.wait_end() is not None, 'a terminal that goes away ends it', str(t.status))
os.close(t.slave)

for term in ('dumb', 'no-such-terminal'):
    t = Terminal(['-D', 'sim:hd620'], term=term)
    ok(t.wait_end() == 1, f'TERM={term} is refused')
    ok(term.encode() in t.data and b'-b' in t.data, 'with its name and the way out', repr(t.data[-300:]))
    ok(termios.tcgetattr(t.slave) == t.before, 'and nothing changed')
    t.close()
for term in ('xterm', 'screen-256color', 'linux', 'vt100'):
    if os.system(f'TERM={term} tput cup 0 0 > /dev/null 2>&1'):
        ok(True, f'TERM={term} # SKIP no such terminfo entry')
        continue
    t, drawn = start(term=term)
    t.send(b'q')
    ok(drawn and t.wait_end() == 0 and termios.tcgetattr(t.slave) == t.before, f'TERM={term} works', repr(t.data[-1500:]))
    t.close()

for args in (['-C'], ['-U'], ['-M'], ['-C', '-U', '-M']):
    t, drawn = start(args=['-D', 'sim:hd620', '-d', '0.1'] + args)
    ok(t.wait_for(b'asleep'), 'the whole screen with ' + ' '.join(args))
    if '-C' in args:
        ok(not re.search(rb'\x1b\[([0-9]*;)*(3[0-8]|4[0-8])(;[0-9]+)*m', t.data), 'no colour with ' + ' '.join(args), repr(t.data[:400]))
    if '-U' in args:
        ok(all(c < 128 for c in t.data), 'only ASCII with ' + ' '.join(args))
    if '-M' in args:
        ok(b'\x1b[?1000h' not in t.data, 'no mouse with ' + ' '.join(args))
    t.send(b'q')
    t.wait_end()
    t.close()

# What was counted under a device stays its own when another one is opened.
trace = os.path.join(home, 'switch.json')
t, drawn = start(('-D', 'sim:hd620', '-d', '0.1', '--trace', trace))
t.send(b'6/cpu0\r\r')
until = time.monotonic() + terminal.PATIENCE
while time.monotonic() < until and open(trace).read().count('"pid":2') < 4 and not t.ended():
    t.read(0.1)
t.send(b'q')
ok(t.wait_end() == 0, 'another device is opened while a trace is written')
t.close()
events = json.load(open(trace))
names = {e['pid']: e['args']['name'] for e in events if e['name'] == 'process_name'}
ok(sorted(names) == [1, 2] and names[1].startswith('SIMULATED ') and not names[2].startswith('SIMULATED'), 'the trace names both', str(names))
ok(any('cpu_busy' in e['args'] for e in events if e['pid'] == 2) and not any('cpu_busy' in e['args'] for e in events if e['pid'] == 1),
   'each value stands under its own')

finish()
