# SPDX-License-Identifier: GPL-3.0-or-later
"""The program beside each error that a driver has for what is asked of it: the rows below are the answers of errnos_cards.py (and of Linux'
amdgpu_pm.c and amdkfd's kfd_topology.c and kfd_process.c) that a program which asks rightly can meet. Each is given for ever, and one of each call
(ROOFTOP_ALL_FAULTS=1: each) for the first time alone, and once while the program runs. Whatever comes, it goes on or ends with a status of its own, says once which device and why,
has no number without a source and no gap without a reason, and has its numbers again soon after the driver has changed its mind.
Arguments: FOLDER SHIM RUNTIME PROGRAM [MACHINE...]. Prints "0 NAME" or "1 NAME" for each machine."""
import errno, json, os, re, shutil, subprocess, sys
from concurrent.futures import ThreadPoolExecutor

folder, shim, runtime, program = sys.argv[1:5]
here = os.path.dirname(os.path.abspath(__file__))
HANGS_S = 300
ANSWERS = 1 << 30
DRM = 'renderD128'
# Of a machine: its tree, the words, the device, a number that needs what is refused, and rows: a call, its request, the file, the errors, and
# what the sentence has to say where that is not the error's own text.
MACHINES = {
    'v3d': (('boardtree.sh', 'pi4'), (), 'card0', 'qpu_working', (
        ('open', 0, DRM, 'ENODEV EACCES EMFILE ENOMEM', {'EACCES': 'this process may not open'}),
        ('ioctl', 0xc168644c, DRM, 'EINVAL EOPNOTSUPP', {'EOPNOTSUPP': 'knows no counters'}),
        ('ioctl', 0xc0286448, DRM, 'EINVAL ENOMEM', {}),
        ('ioctl', 0x4008644d, DRM, 'EINVAL EBUSY', {'EBUSY': 'another program'}),
        ('ioctl', 0xc010644a, DRM, 'EINVAL EFAULT ENODEV', {}))),
    'msm': (('boardtree.sh', 'a7xx'), (), 'card0', 'alu_working', (
        ('open', 0, DRM, 'ENODEV ENXIO ENOMEM', {}),
        ('ioctl', 0xc0186440, DRM, 'EINVAL ENXIO', {}),
        ('ioctl', 0x4020644e, DRM, 'EINVAL ENXIO EPERM EBUSY E2BIG ENOMEM EFAULT EMFILE',
         {'ENXIO': 'knows no counters', 'EPERM': 'need CAP_PERFMON', 'EBUSY': 'another program', 'E2BIG': 'not enough counters'}),
        ('read', 0, 'timerfd', 'EFAULT EIO', {}))),
    'panfrost': (('malitree.sh', 'g72,load=memory', 'panfrost'), (), 'card0', 'JM.JS0_UTILIZATION', (
        ('ioctl', 0xc0106444, DRM, 'EINVAL ENODEV', {}),
        ('ioctl', 0x40086446, DRM, 'ENOSYS EBUSY EINVAL ETIMEDOUT ENODEV ENOMEM',
         {'ENOSYS': 'unstable_ioctls', 'EBUSY': 'another program', 'EINVAL': 'has no counters for this GPU'}),
        ('ioctl', 0x40086447, DRM, 'EINVAL ETIMEDOUT ENODEV EFAULT',
         {'EINVAL': 'were switched off', 'ETIMEDOUT': 'within a second'}))),
    'kbase vinstr': (('malitree.sh', 'g72,load=memory', 'kbase', '11.13'), (), 'mali0', 'JM.JS0_UTILIZATION', (
        ('open', 0, 'mali0', 'ENODEV EACCES ENOMEM', {'EACCES': 'this process may not open'}),
        ('ioctl', 0xc0048000, '*', 'EPERM EFAULT', {'EPERM': 'agrees on no interface', 'EFAULT': 'agrees on no interface'}),
        ('ioctl', 0x40048001, '*', 'ENOMEM ENODEV', {}),
        ('ioctl', 0x40108003, '*', 'EPERM EINVAL EFAULT', {}),
        ('ioctl', 0x40148008, '*', 'EINVAL EBUSY EPERM', {'EBUSY': 'another program'}),
        ('ioctl', 0x4004be10, '*', 'EBUSY EIO EINVAL ENODEV', {'EBUSY': 'another program'}),
        ('ioctl', 0x8020be20, '*', 'EAGAIN EBUSY EFAULT', {'EBUSY': 'another program'}),
        ('ioctl', 0x4020be21, '*', 'EPERM EINVAL EFAULT', {}),
        ('ioctl', 0x8004be01, '*', 'EFAULT', {}), ('ioctl', 0x4004be11, '*', 'EIO', {}), ('mmap', 0, '*', 'ENOMEM EAGAIN', {}))),
    'kbase kinstr_prfcnt': (('malitree.sh', 'g72,load=memory', 'kbase', '11.40'), (), 'mali0', 'JM.JS0_UTILIZATION', (
        ('ioctl', 0xc0108038, '*', 'EINVAL ENOMEM EFAULT', {}),
        ('ioctl', 0xc0108039, '*', 'EINVAL ENOMEM EMFILE', {}),
        ('ioctl', 0x4010bf00, '*', 'EINVAL EBUSY EIO', {'EBUSY': 'another program'}),
        ('ioctl', 0x8010bf01, '*', 'EINVAL EBUSY', {'EBUSY': 'another program'}),
        ('ioctl', 0x4010bf10, '*', 'EINVAL', {}), ('mmap', 0, '*', 'ENOMEM EAGAIN', {}))),
    'amdgpu, its table': (('amdtree.sh', 'card'), (), 'card0', 'power_socket', (
        ('read', 0, '/gpu_metrics', 'EPERM EIO ETIME EREMOTEIO EBUSY EINVAL ENODEV', {}),)),
    'amdgpu, its registers': (('amdtree.sh', 'card'), ('-m', 'units'), 'card0', 'units_gui', (
        ('open', 0, DRM, 'EHWPOISON ENODEV EACCES ENOMEM', {'EHWPOISON': 'hardware error', 'EACCES': 'this process may not open'}),
        ('ioctl', 0x40206445, DRM, 'EFAULT EINVAL ENOMEM EACCES ENODEV', {}))),
    'kfd': (('amdtree.sh', 'card'), ('--clients',), 'card0', None, (
        ('read', 0, '/topology/nodes/', 'EPERM EINVAL', None),
        ('read', 0, '/kfd/proc/', 'EINVAL ENODEV ENOMEM', None))),
}
# What is asked once, to know what a device is, stays as it was answered: a card without counters, of which the list says why.
LISTED = {('msm', 'open', 0), ('msm', 'ioctl', 0xc0186440)}
WINDOWS = 16


def run(root, words, line='', is_list=False):
    env = dict(os.environ, FAKEKERNEL_ROOT=root, LD_PRELOAD=(runtime + ' ' + shim).strip(), FAKEKERNEL_CLOCK='virtual')
    how = ['-L'] if is_list else ['-J', '-d', '0.5', '-n', str(WINDOWS), *words]
    calls = os.path.join(root, 'calls')
    if os.path.exists(calls):
        os.unlink(calls)
    if line:
        with open(calls, 'w') as f:
            f.write(line + '\n')
    try:
        p = subprocess.run([program, *how], env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=HANGS_S, errors='replace', text=True)
    except subprocess.TimeoutExpired:
        return None, [], 'hangs'
    if is_list:
        return p.returncode, [], p.stdout
    return p.returncode, [w for w in map(json.loads, p.stdout.splitlines()) if 'metrics' in w], p.stderr


def made(name, root):
    script, *words = MACHINES[name][0]
    subprocess.run(['sh', os.path.join(here, script), root, *words[:3 if script == 'amdtree.sh' else 2]], check=True)
    if len(words) > 2:
        with open(os.path.join(root, 'mali/version'), 'w') as f:
            f.write(words[2] + '\n')
    if name == 'kfd':
        proc = os.path.join(root, 'sys/class/kfd/kfd/proc', str(os.getpid()))
        os.makedirs(proc + '/stats_34953')
        for file, text in (('vram_34953', '1000000'), ('sdma_34953', '5'), ('stats_34953/cu_occupancy', '4')):
            with open(os.path.join(proc, file), 'w') as f:
                f.write(text + '\n')


def problems(what, metric, device, wanted, result, allowed, n):
    status, windows, said = result
    if status not in (0, 1, 3, 4):
        yield f'status {status}: {said[-300:]}'
        return
    if status == 0 and len(windows) != n:
        yield f'{len(windows)} windows'
    for w in windows:
        for other, value in w['metrics'].items():
            if value is None and other not in w.get('why', {}):
                yield f'{other} is missing without a reason'
        value = metric and w['metrics'].get(metric)
        if value is not None and metric and not allowed[0] * 0.7 - 1 <= value <= allowed[1] * 1.3 + 1:
            yield f'{metric} is {value}, and {allowed} without errors'
    if wanted is None:
        if said:
            yield f'it says {said!r}'
        return
    about = [line for line in said.splitlines() if wanted in line and device in line]
    if what == 'for ever' and len(about) != 1 or what != 'for ever' and len(about) > 1:
        yield f'{len(about)} lines say {wanted!r} of {device}: {said!r}'


def tree(name, n):
    """One for each of those that run beside each other."""
    return os.path.join(folder, 'refused-%s-%d' % (re.sub('[ ,]+', '-', name), n))


def try_one(name, row, error, what, free):
    _, words, device, metric, _ = MACHINES[name]
    call, request, file, _, own = row
    first, last = {'for ever': (1, ANSWERS), 'at first': (1, 1), 'once': (4, 4)}[what]
    line = f'fail {call} {request:x} {error} {first} {last} {file}'
    wanted = None if own is None else own.get(error) or os.strerror(getattr(errno, error))
    is_listed = (name, call, request) in LISTED
    root = free.pop()
    try:
        result = run(root, words, line)
        if is_listed:
            wrong = list(problems(what, None, device, None, result, None, WINDOWS))
            if what == 'for ever' and wanted not in run(root, words, line, is_list=True)[2]:
                wrong.append(f'the list does not say {wanted!r}')
        else:
            wrong = list(problems(what, metric, device, wanted, result, limits[name], WINDOWS))
    finally:
        free.append(root)
    if is_listed or not metric or not result[1]:
        return f'{line}: {wrong[0]}' if wrong else None
    have_it = [w['metrics'].get(metric) is not None for w in result[1]]
    if what == 'for ever' and any(have_it):
        wrong.append('there is a number all the same')
    if what != 'for ever' and not have_it[-1]:
        wrong.append(f'{metric} does not come back: {result[2]!r}')
    return f'{line}: {wrong[0]}' if wrong else None


limits = {}


def judge(name, n_trees):
    _, words, _, metric, rows = MACHINES[name]
    free = [tree(name, n) for n in range(n_trees)]
    made(name, free[0])
    for root in free[1:]:
        shutil.copytree(free[0], root, symlinks=True)
    status, windows, said = run(free[0], words)
    values = [w['metrics'].get(metric) for w in windows if metric and w['metrics'].get(metric) is not None]
    if status or not windows or metric and not values:
        return f'without errors: status {status}, {said[-300:]}', 0
    limits[name] = (min(values), max(values)) if values else None
    tries = [(row, error, what) for row in rows for i, error in enumerate(row[3].split()) for what in ('for ever', 'at first', 'once')
             if os.environ.get('ROOFTOP_ALL_FAULTS') or what == 'for ever' or i == 0]
    with ThreadPoolExecutor(n_trees) as pool:
        wrong = [w for w in pool.map(lambda t: try_one(name, *t, free), tries) if w]
    for root in free:
        shutil.rmtree(root)
    return '; '.join(wrong[:3]), len(tries)


for name in sys.argv[5:] or MACHINES:
    wrong, tries = judge(name, 2)
    print(1 if wrong else 0, f'{name}: {wrong}' if wrong else f'{name}: each of its errors, and one of each call at first and once: {tries} runs', flush=True)
