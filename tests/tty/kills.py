# SPDX-License-Identifier: GPL-3.0-or-later
"""SIGKILL at any moment: no process stays, what was written can be read, and the next start removes what lies about. TAP on standard
output. ROOFTOP_KILLS says how many programs are killed, ROOFTOP_SEED at which moments."""
import glob, os, random, signal, subprocess, time
from endings_lib import orphans, whole_recording, whole_trace
from tap import ROOFTOP, finish, folder, home, ok

KILLS = int(os.environ.get('ROOFTOP_KILLS', 60))
dice = random.Random(int(os.environ.get('ROOFTOP_SEED', 1)))
SIM = 'sim:hd620,load=private.mad.sp.x4'
ENV = {**os.environ, 'HOME': home, 'XDG_CONFIG_HOME': home + '/config', 'XDG_STATE_HOME': home + '/state', 'XDG_CACHE_HOME': home + '/cache'}
RC, PROM, RECORD, TRACE, SCRIPT = (os.path.join(home, name) for name in ('rc', 'prom', 'r.i915perf', 't.json', 's.script'))
os.mkdir(PROM)
open(RC, 'w').close()
with open(SCRIPT, 'w') as f:
    f.write('size 80x24\n' + 'key F12\n' * 500)
KINDS = (
    (['-D', SIM, '-d', '0.01', '-J', '-w', RECORD, '--trace', TRACE, '--textfile', PROM], 'windows'),
    (['-D', SIM, '--config', RC, '--script', SCRIPT], 'settings'),
    (['calibrate', '-D', SIM, '-c', 'sp.mad'], 'roofs'),
    (['stress', '-D', SIM, 'private.mad.sp.x4', '--time', '60'], 'stress'),
)
last = {'stage': 0, 'leftovers': 0}


def start(args):
    """What the next start says and whether it is good."""
    p = subprocess.run([ROOFTOP, *args], capture_output=True, text=True, env=ENV, stdin=subprocess.DEVNULL)
    return '' if p.returncode == 0 and not p.stderr else f'status {p.returncode}: {p.stderr[-200:]}'


def leftovers():
    return glob.glob(home + '/**/*.rooftop-*', recursive=True) + glob.glob(home + '/*.rooftop-*')


def kill_one(args):
    for path in (RECORD, TRACE):
        if os.path.exists(path):
            os.unlink(path)
    p = subprocess.Popen([ROOFTOP, *args], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=ENV)
    if dice.random() < 0.6 and 'windows' in (kind for words, kind in KINDS if words is args):
        p.stdout.readline()
    time.sleep(dice.random() ** 2 * 0.2)
    p.kill()
    p.communicate()
    if p.returncode not in (-signal.SIGKILL, 0):
        return f'status {p.returncode}'
    left = orphans()
    if left:
        return f'processes: {left}'
    if not whole_recording(RECORD):
        return 'the recording cannot be read'
    if not whole_trace(TRACE, killed=True):
        return 'the trace cannot be read'
    for path in glob.glob(PROM + '/*.prom'):
        text = open(path).read()
        if not text.endswith('\n') or 'rooftop_device_info' not in text:
            return 'half a file for node_exporter'
    if leftovers():
        last['leftovers'] += 1
        for path in leftovers():
            os.utime(path, (0, 0))
        said = start(['-D', 'sim:hd620', '--speed', 'max', '-b', '-n', '1', '--config', RC, '--textfile', PROM])
        if said or leftovers():
            return f'{said} leftovers {leftovers()}'
    return None


for args, name in KINDS:
    rounds = max(KILLS // len(KINDS), 1)
    wrong = [why for why in (kill_one(args) for _ in range(rounds)) if why]
    said = start(['roofline', '-D', 'sim:hd620']) or start(['-D', 'sim:hd620', '--speed', 'max', '-b', '-n', '1', '--config', RC])
    ok(not wrong and not said, f'{name}: {rounds - len(wrong)} of {rounds} kills leave nothing wrong', f'{wrong[:3]} {said}')
print(f'# {last["leftovers"]} kills left a temporary file, which the next start removed')
folder.cleanup()
finish()
