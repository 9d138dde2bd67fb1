# SPDX-License-Identifier: GPL-3.0-or-later
"""gauges.py PROGRAM ROOT NAME OPTION...: a file of a machine that changes while the program runs ends up as one that was so from the start.

For each file below ROOT/sys with a whole number: where another number changes what the program says when it starts, the same number coming in
the middle changes it as well, each metric and the verdict. FIXED are facts of the hardware, which no user, driver or firmware changes.
A file that nothing is read from, or whose number does not show, is passed over. Prints "0 NAME" or "1 NAME" for each file that matters."""
import json, os, re, subprocess, sys, tempfile

# What a part is: its ids, its units, what its silicon can do at most, what the bus allows at most.
FIXED = re.compile(r'/(vendor|device|subsystem_\w+|revision|class|numa_node|max_link_\w+|\w*RP[0n1]\w*|rp[0n1]_freq\w*|physical_package_id|core_id|die_id|'
                   r'type|max_energy_range_uj|event_source/.*|timer_tick|dev|uevent|possible|present|cpuinfo_\w+|metrics/.*|oa_\w+|unique_id|'
                   r'mem_info_\w+_total|tile\d+/physical_vram_size_bytes|topology/.*|cache/.*)$')
program, root, name, *options = sys.argv[1:]


def run():
    p = subprocess.run([program, '-J', '-d', '0.25', '-n', '14', *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.DEVNULL, text=True)
    windows = [w for w in map(json.loads, p.stdout.splitlines()) if 'metrics' in w]
    return windows[-1] if len(windows) == 14 else None


def told(w):
    """Numbers, or why there is none; and what limits."""
    out = {k: w['why'].get(k) if v is None else v for k, v in w['metrics'].items()}
    out['verdict'] = (w['verdict']['kind'], w['verdict'].get('bound'))
    out['roof'] = w['verdict'].get('roof')
    return out


def near(a, b):
    """Equal to a tenth, and to a hundredth of a unit: a share of 0.007 % is the noise of what is left over."""
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return abs(a - b) <= 0.1 * max(abs(a), abs(b)) + 0.01
    return a == b


def write(path, text):
    with open(path, 'w') as f:
        f.write(text + '\n')


def moves(path):
    """The file that tells how a file or a link moves (moving.c)."""
    return os.path.join(os.path.dirname(path), '.%s.moves' % os.path.basename(path))


def asked_for():
    """The files that the program reads, which it lists itself."""
    with tempfile.TemporaryDirectory() as folder:
        p = subprocess.run([program, 'doctor', '--bundle', folder + '/b.tar', '-n', '8', '-d', '0.25'], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True)
    return {line.split()[1] for line in p.stdout.splitlines() if re.match(r' *\d+  root/', line)}


def files():
    """Each file with a number that the program reads, by all its names."""
    read = asked_for()
    every = [os.path.join(folder, each) for folder, _, names in sorted(os.walk(root + '/sys')) for each in sorted(names)]
    aliases = {}
    for path in every:
        aliases.setdefault(os.path.realpath(path), []).append(path)
    for path, names in aliases.items():
        if not os.path.isfile(path) or 'root' + path[len(os.path.realpath(root)):] not in read or any(os.path.basename(n).startswith('.') or os.path.exists(moves(n)) or FIXED.search(n) for n in names):
            continue
        with open(path, 'rb') as f:
            text = f.read(32)
        if re.fullmatch(rb'[1-9][0-9]*\s*', text):
            yield path, names, text.decode().strip()


first, again = told(run()), told(run())
first = {k: v for k, v in first.items() if near(v, again.get(k))}   # what is the same each time
matters = 0
for path, names, number in files():
    other = str(int(number) // 2 + 1 if int(number) > 2 else 3 - int(number))
    write(path, other)
    then = run()
    write(path, number)
    if not then:
        continue    # the device does not open
    then = told(then)
    differ = [k for k in first.keys() & then.keys() if not near(first[k], then[k])]
    if not differ:
        continue
    matters += 1
    for each in names:
        write(moves(each), 'after 1500000 %s %s' % (number, other))
    late = told(run())
    for each in names:
        os.remove(moves(each))
    off = {k: (first[k], then[k], late.get(k)) for k in differ if not near(late.get(k), then[k])}
    said = 'from, to, late: %s' % off if off else 'read again for ' + ' '.join(sorted(differ))[:100]
    print(int(bool(off)), '%s: %s: %s' % (name, path[len(root):], said), flush=True)
print(int(matters < 1), '%s: files that matter: %d' % (name, matters))
