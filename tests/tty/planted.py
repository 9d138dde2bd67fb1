# SPDX-License-Identifier: GPL-3.0-or-later
"""Links that another user plants in a folder that both may write to, before and while the program writes there: nothing behind them changes.
TAP on standard output. Needs root, whose file nobody wants to change."""
import glob, os, re, shutil, subprocess, sys, tempfile

from tap import ROOFTOP, finish, home, ok

NOBODY = 65534
RUNS = 8        # of each writer beside the one who plants
SIM = ['-D', 'sim:hd620', '--speed', 'max', '-d', '0.1', '-n', '40']
BYTES = b'{"victim": 1}\n' * 3

# What is written under which name, and by which words. Names that the program chooses are seen in the folder.
WRITERS = {
    'JSON': ('out.json', [*SIM, '-J', '-o', 'out.json']),
    'JSON that replaces': ('out.json', [*SIM, '-J', '--overwrite', '-o', 'out.json']),
    'a trace': ('out.trace', [*SIM, '-J', '--trace', 'out.trace']),
    'a trace that replaces': ('out.trace', [*SIM, '-J', '--overwrite', '--trace', 'out.trace']),
    'a recording': ('out.i915perf', [*SIM, '-b', '-w', 'out.i915perf']),
    'a recording that replaces': ('out.i915perf', [*SIM, '-b', '--overwrite', '-w', 'out.i915perf']),
    'a text file': ('rooftop.prom', [*SIM, '-b', '--textfile', '.']),
    'a plot': ('out.svg', ['roofline', '-D', 'sim:hd620', '--speed', 'max', '--plot', 'out.svg']),
    'a plot that replaces': ('out.svg', ['roofline', '-D', 'sim:hd620', '--speed', 'max', '--overwrite', '--plot', 'out.svg']),
    'a report': ('out.html', ['check', '-D', 'sim:hd620', '--html', 'out.html']),
    'a bundle': ('out.tar', ['doctor', '--bundle', 'out.tar', '--fsroot', '.']),
    'a report for CI': ('out.xml', ['check', '-D', 'sim:hd620', '--junit', 'out.xml']),
    'a dump': ('out.csv', ['stress', '-D', 'sim:hd620', 'private.mad.sp.x1', '--time', '0.1', '--dump', 'out.csv']),
    'a sweep': ('out.csv', ['sweep', '-D', 'sim:hd620', 'private.mad.sp.x1', '--time', '0.02', '--over', 'groups', '-o', 'out.csv']),
    'lines of a run': ('out.json', ['run', '-D', 'sim:hd620', '-J', '-o', 'out.json', '--', 'true']),
    'phases of a run': ('out.fifo', ['run', '-D', 'sim:hd620', '--markers', 'out.fifo', '--', 'true']),
    'an endpoint': ('out.socket', ['-D', 'sim:hd620', '-n', '2', '-d', '0.01', '-J', '--export', 'prometheus:unix:out.socket']),
    'kept roofs': ('rooftop', ['calibrate', '-D', 'sim:hd620', '--keep']),
}

PLANT = '''
import os, sys
folder, victim, name = sys.argv[1:]
os.setgid(65534); os.setuid(65534)
print(flush=True)
while True:
    for n in {name, *os.listdir(folder)}:
        path = os.path.join(folder, n)
        try:
            os.unlink(path)
        except OSError:
            pass
        try:
            os.symlink(victim, path)
        except OSError:
            pass
'''


def write(folder, words, before=()):
    env = {**os.environ, 'TMPDIR': folder, 'HOME': folder, 'XDG_CONFIG_HOME': folder, 'XDG_STATE_HOME': folder, 'XDG_CACHE_HOME': folder,
           'XDG_DATA_HOME': folder}
    return subprocess.run([*before, ROOFTOP, *words], cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=600)


def held(victim):
    st = os.stat(victim)
    return open(victim, 'rb').read() == BYTES and st.st_mode & 0o777 == 0o600 and st.st_uid == 0


def make(place):
    folder, victim = os.path.join(place, 'open'), os.path.join(place, 'victim')
    os.mkdir(folder)
    os.chmod(place, 0o755)
    os.chmod(folder, 0o777)
    with open(victim, 'wb') as f:
        f.write(BYTES)
    os.chmod(victim, 0o600)
    return folder, victim


def alone(words):
    """Without links it writes something there."""
    with tempfile.TemporaryDirectory(dir=home) as place:
        folder, _ = make(place)
        done = write(folder, words)
        # A text file, a FIFO and a socket go with the program.
        goes = {'--textfile', '--markers', '--export'} & set(words)
        return bool(os.listdir(folder)) or (goes and done.returncode == 0), done.stderr.decode()[-300:]


def before(name, words):
    with tempfile.TemporaryDirectory(dir=home) as place:
        folder, victim = make(place)
        link = os.path.join(folder, name)
        os.symlink(victim, link)
        os.lchown(link, NOBODY, NOBODY)
        done = write(folder, words)
        return held(victim) and done.returncode >= 0


def beside(name, words):
    with tempfile.TemporaryDirectory(dir=home) as place:
        folder, victim = make(place)
        planter = subprocess.Popen([sys.executable, '-c', PLANT, folder, victim, name], stdout=subprocess.PIPE)
        planter.stdout.readline()
        try:
            codes = [write(folder, words).returncode for _ in range(RUNS)]
        finally:
            planter.kill()
            planter.wait()
        return held(victim) and min(codes) >= 0


def on_the_way(name, words):
    """The name that is planted is that of a folder on the way, and leads to one of root's."""
    with tempfile.TemporaryDirectory(dir=home) as place:
        folder, victim = make(place)
        private = os.path.join(place, 'private')
        os.mkdir(private, 0o700)
        victim = os.rename(victim, os.path.join(private, name)) or os.path.join(private, name)
        words = ['sub/' + w if w == name else 'sub' if w == '.' and '--textfile' in words else w for w in words]
        link = os.path.join(folder, 'sub')
        os.symlink(private, link)
        os.lchown(link, NOBODY, NOBODY)
        refused = write(folder, words).returncode != 0 or '--textfile' in words
        planter = subprocess.Popen([sys.executable, '-c', PLANT, folder, private, 'sub'], stdout=subprocess.PIPE)
        planter.stdout.readline()
        try:
            for _ in range(RUNS):
                write(folder, words)
        finally:
            planter.kill()
            planter.wait()
        return refused and held(victim) and os.listdir(private) == [name]


CALLS = 'open,openat,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,mknod,mknodat,link,linkat,symlink,symlinkat,truncate,bind'
LINE = re.compile(r'(?:\[pid +\d+\] |\d+ +)?(\w+)\((.*)\) += (-?\d+)')


def unsafe(folder, words):
    """The calls of a writer by which a link of somebody else could lead it elsewhere: whatever is made or changed is reached by way of a
    folder that is held (/proc/self/fd/N/), and is new or no link."""
    log = os.path.join(os.path.dirname(folder), 'calls')
    with open(log, 'w'):
        write(folder, words, ('strace', '-f', '-qq', '-o', log, '-e', 'trace=' + CALLS))
    found, seen = [], 0
    for line in open(log, errors='replace'):
        m = LINE.match(line)
        paths = re.findall(r'"([^"]*)"', m[2]) if m else []
        if not m or not paths:
            continue
        flags = set(re.findall(r'\bO_\w+', m[2]))
        is_open = m[1] in ('open', 'openat', 'creat')
        if is_open and not flags & {'O_WRONLY', 'O_RDWR', 'O_CREAT'} and m[1] != 'creat':
            continue
        where = paths[-1] if m[1] in ('symlink', 'symlinkat') else paths[0]
        if where.startswith(('/dev/', '/proc/self/')) and 'O_CREAT' not in flags and '/fd/' not in where:
            continue
        seen += 1
        held_folder = re.match(r'/proc/self/fd/\d+(/|$)', where) or re.match(r'\d+, "[^/]*"', m[2])
        # O_EXCL follows no link; what is open already is the kernel's own.
        is_new = 'O_EXCL' in flags if 'O_CREAT' in flags else 'O_NOFOLLOW' in flags or re.fullmatch(r'/proc/self/fd(/\d+){1,2}', where)
        if not held_folder or is_open and not is_new:
            found.append(line.strip())
    return found, seen


def by_calls(what, words):
    with tempfile.TemporaryDirectory(dir=home) as place:
        found, seen = unsafe(make(place)[0], words)
        return not found and seen, f'{what}: by no call that could follow one', '; '.join(found[:4]) or 'no call was seen'


def own():
    """A link of one's own is followed, also there, and that of the folder's owner."""
    with tempfile.TemporaryDirectory(dir=home) as place:
        folder, victim = make(place)
        os.symlink(victim, os.path.join(folder, 'out.json'))
        return write(folder, [*SIM, '-J', '--overwrite', '-o', 'out.json']).returncode == 0 and not held(victim)


if os.geteuid() != 0:
    print('1..0 # SKIP not root')
    sys.exit(0)
os.chmod(home, 0o755)
with tempfile.TemporaryDirectory(dir=home) as place:
    there, _ = make(place)
    write(there, ['doctor', '--tap'])
    ok(not os.listdir(there), 'the self-test writes no file')
ok(own(), 'a link of one\'s own is followed')
SHORT = {'output': '-o'}
tables = [open(p).read() for p in glob.glob(os.environ['top_srcdir'] + '/src/**/*_options.h', recursive=True)]
options = {SHORT.get(o, '--' + o) for text in tables for o in re.findall(r'X\("([\w-]+)",[^\n]*\.writes = ', text)}
left = options - {word for _, words in WRITERS.values() for word in words}
ok(len(options) > 5 and not left, 'each option that writes a file is tried', str(left or options))
can_trace = shutil.which('strace') and not subprocess.run(['strace', '-o', '/dev/null', 'true'], capture_output=True).returncode
for what, (name, words) in WRITERS.items():
    there, note = alone(words)
    ok(there, f'{what} is written', note)
    ok(before(name, words), f'{what}: a link that was there leads nowhere')
    ok(beside(name, words), f'{what}: nor do links that come while it is written')
    if can_trace:
        ok(*by_calls(what, words))
    if name in words or '--textfile' in words:
        ok(on_the_way(name, words), f'{what}: nor do links in the place of a folder on the way')
finish()
