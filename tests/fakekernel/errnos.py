# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks the fake kernel what the real one refuses, and for which reason: a row is a call, its answer, and the function of Linux that gives it
(i915_perf.c, xe_oa.c, xe_eu_stall.c, i915_pmu.c, xe_pmu.c, kernel/events/core.c). Prints the rows that are answered otherwise, and how many
there are. Run on the fake: errnos.py i915|xe|stall|perf [unprivileged|without_metrics]"""
import ctypes, fcntl, os, struct, sys

from errnos_lib import BAD, ioctl, iow, libc, read, result, row, tell, wait_for_reports

NODE = '/dev/dri/renderD128'
UUID = b'01234567-0123-0123-0123-0123456789ab'
PERF_EVENT_OPEN = {('x86_64', 8): 298, ('x86_64', 4): 336, ('i686', 4): 336, ('armv7l', 4): 364}.get((os.uname().machine, struct.calcsize('P')), 241)


# --- i915 ---

CTX, SAMPLE, SET, FORMAT, EXPONENT, HOLD, SSEU, POLL, CLASS, INSTANCE = range(1, 11)
A32U40 = 10


class I915:
    def __init__(self):
        self.fd = os.open(NODE, os.O_RDWR)

    def open(self, pairs, flags=3, n=None, pointer=None):
        data = struct.pack('%dQ' % (2 * len(pairs)), *(x for pair in pairs for x in pair))
        self.keep = ctypes.create_string_buffer(data, max(len(data), 1))
        param = struct.pack('IIQ', flags, len(pairs) if n is None else n, ctypes.addressof(self.keep) if pointer is None else pointer)
        return ioctl(self.fd, iow(0x76, 16), param)

    def add(self, uuid=UUID, mux=((0x9888, 0),), boolean=(), flex=(), n_mux=None, pointer=None):
        lists = [ctypes.create_string_buffer(struct.pack('%dI' % (2 * len(p)), *(x for r in p for x in r)), 8 * len(p) + 1) for p in (mux, boolean, flex)]
        self.lists = lists
        pointers = [ctypes.addressof(p) for p in lists]
        if pointer is not None:
            pointers[0] = pointer
        return ioctl(self.fd, iow(0x77, 72), struct.pack('36s3I3Q', uuid, len(mux) if n_mux is None else n_mux, len(boolean), len(flex), *pointers))

    def remove(self, number):
        return ioctl(self.fd, iow(0x78, 8), struct.pack('Q', number))


def i915(mode):
    k = I915()
    properties, opening, init, configs = 'read_properties_unlocked', 'i915_perf_open_ioctl_locked', 'i915_oa_stream_init', 'i915_perf_add_config_ioctl'
    if mode == 'without_metrics':
        row('a programming without metrics/', k.add(), 'EINVAL', configs)
        row('a stream without metrics/', k.open([(SAMPLE, 1), (SET, 1), (FORMAT, A32U40), (EXPONENT, 16)]), 'EINVAL', init)
        return
    unprivileged = mode == 'unprivileged'
    number = 1 if unprivileged else row('a programming', k.add(), None, configs)
    good = [(SAMPLE, 1), (SET, number), (FORMAT, int(os.environ.get('FORMAT', A32U40))), (EXPONENT, 16)]
    without = lambda prop: [p for p in good if p[0] != prop]
    for what, pairs, want, where in (
            ('no properties', [], 'EINVAL', properties), ('property 0', good + [(0, 1)], 'EINVAL', properties),
            ('property 99', good + [(99, 1)], 'EINVAL', properties), ('set 0', [(SET, 0)], 'EINVAL', properties),
            ('format 0', [(FORMAT, 0)], 'EINVAL', properties), ('format 99', [(FORMAT, 99)], 'EINVAL', properties),
            ('exponent 32', [(EXPONENT, 32)], 'EINVAL', properties), ('a short poll period', good + [(POLL, 99999)], 'EINVAL', properties),
            ('a class alone', good + [(CLASS, 0)], 'EINVAL', properties), ('an instance alone', good + [(INSTANCE, 0)], 'EINVAL', properties),
            ('the copy engine', good + [(CLASS, 1), (INSTANCE, 0)], 'EINVAL', properties),
            ('an engine that is not there', good + [(CLASS, 0), (INSTANCE, 7)], 'EINVAL', properties),
            ('a context that is none, before a property that is none', [(CTX, 99), (99, 1)], 'EINVAL', properties),
            ('a context that is none', good + [(CTX, 99)], 'ENOENT', opening)):
        row(what, k.open(pairs), want, where)
    row('unknown flags', k.open(good, flags=8), 'EINVAL', 'i915_perf_open_ioctl')
    row('properties nowhere', k.open(good, pointer=BAD), 'EFAULT', properties)
    row('too many properties', k.open(good, n=99), 'EINVAL', properties)
    sseu = 'ENODEV' if os.environ.get('FORMAT') else 'EFAULT'
    row('EUs nowhere', k.open(good + [(SSEU, BAD)]), sseu, properties)
    row('to hold a context that is not named', k.open(good + [(HOLD, 1)]), 'EINVAL', opening)
    if unprivileged:
        row('a stream without a right', k.open(good), 'EACCES', opening)
        row('a programming without a right', k.add(), 'EACCES', configs)
        row('to remove one without a right', k.remove(1), 'EACCES', 'i915_perf_remove_config_ioctl')
        return
    row('no reports', k.open(without(SAMPLE)), 'EINVAL', init)
    row('no format', k.open(without(FORMAT)), 'EINVAL', init)
    row('a set that is not there', k.open([(SAMPLE, 1), (SET, 99), *good[2:]]), 'EINVAL', init)
    i915_stream(k, good, number)
    for what, args, want in (
            ('no registers', {'mux': ()}, 'EINVAL'), ('a name that is none', {'uuid': b'x' * 36}, 'EINVAL'), ('the same name', {}, 'EADDRINUSE'),
            ('registers nowhere', {'uuid': UUID[:-1] + b'0', 'pointer': BAD}, 'EFAULT'),
            ('a register of another unit', {'mux': ((0x1234, 0),)}, 'EINVAL'), ('a flexible one that is none', {'flex': ((0x9888, 0),)}, 'EINVAL')):
        row(what, k.add(**args), want, configs)
    row('to remove it', k.remove(number), None, 'i915_perf_remove_config_ioctl')
    row('to remove it again', k.remove(number), 'ENOENT', 'i915_perf_remove_config_ioctl')


def i915_stream(k, good, number):
    fd = row('a stream', k.open(good), None, 'i915_perf_open_ioctl')
    row('a second one', k.open(good), 'EBUSY', 'i915_oa_stream_init')
    row('a second one without a format', k.open([p for p in good if p[0] != FORMAT]), 'EBUSY', 'i915_oa_stream_init')
    row('an ioctl that is none', ioctl(fd, iow(0x66, 0, 'i', 0), 0), 'EINVAL', 'i915_perf_ioctl_locked')
    row('another set that is not there', ioctl(fd, iow(2, 0, 'i', 0), 99), 'EINVAL', 'i915_perf_config_locked')
    wait_for_reports(fd)
    row('a read that is too small', read(fd, 100), 'ENOSPC', 'append_oa_sample')
    row('a read to nowhere', read(fd, 4096, ctypes.c_void_p(BAD)), 'EFAULT', 'append_oa_sample')
    row('to switch it off', ioctl(fd, iow(1, 0, 'i', 0), 0), None, 'i915_perf_disable_locked')
    row('a read when it is off', read(fd, 4096), 'EIO', 'i915_perf_read')
    os.close(fd)
    fd = row('one that begins switched off', k.open(good, flags=7), None, 'i915_perf_open_ioctl')
    row('a read of it', read(fd, 4096), 'EIO', 'i915_perf_read')
    os.close(fd)


# --- xe ---

UNIT, X_SAMPLE, X_SET, X_FORMAT, X_EXPONENT, OFF, QUEUE, X_INSTANCE, NO_PREEMPT, N_SYNCS, SYNCS, SIZE, WAIT = range(1, 14)


class Xe:
    def __init__(self):
        self.fd = os.open(NODE, os.O_RDWR)

    def observe(self, kind, op, param, extensions=0):
        return ioctl(self.fd, iow(0x4b, 32), struct.pack('4Q', extensions, kind, op, param))

    def chain(self, pairs, end=0, name=0, pad=0):
        self.keep = [ctypes.create_string_buffer(48) for _ in pairs]
        for i, (prop, value) in enumerate(pairs):
            following = ctypes.addressof(self.keep[i + 1]) if i + 1 < len(pairs) else end
            self.keep[i].raw = struct.pack('QIIIIQ2Q', following, name, pad, prop, 0, value, 0, 0)
        return ctypes.addressof(self.keep[0])

    def open(self, pairs, kind=0, **more):
        return self.observe(kind, 0, self.chain(pairs, **more))

    def add(self, uuid=UUID, regs=((0xd900, 0),), pointer=None, n=None, extensions=0):
        self.regs = ctypes.create_string_buffer(struct.pack('%dI' % (2 * len(regs)), *(x for r in regs for x in r)), 8 * len(regs) + 1)
        self.config = ctypes.create_string_buffer(struct.pack('Q36sIQ', extensions, uuid, len(regs) if n is None else n,
                                                              ctypes.addressof(self.regs) if pointer is None else pointer))
        return self.observe(0, 1, ctypes.addressof(self.config))

    def remove(self, number):
        self.number = ctypes.c_uint64(number)
        return self.observe(0, 2, ctypes.addressof(self.number))


def xe(mode):
    k = Xe()
    unprivileged = mode == 'unprivileged'
    opening, extension, configs = 'xe_oa_stream_open_ioctl', 'xe_oa_user_extensions', 'xe_oa_add_config_ioctl'
    number = 1 if unprivileged else row('a programming', k.add(), None, configs)
    good = [(X_SAMPLE, 1), (X_SET, number), (X_FORMAT, int(os.environ['XE_FORMAT'], 0)), (X_EXPONENT, 16)]
    without = lambda prop: [p for p in good if p[0] != prop]
    for what, pairs, more, want, where in (
            ('a unit that is not there', good + [(UNIT, 9)], {}, 'EINVAL', 'xe_oa_set_prop_oa_unit_id'),
            ('exponent 32', good + [(X_EXPONENT, 32)], {}, 'EINVAL', 'xe_oa_set_prop_oa_exponent'),
            ('a format that is none', good + [(X_FORMAT, 0xffff)], {}, 'EINVAL', 'decode_oa_format'),
            ('a buffer that is no power of two', good + [(SIZE, 3 << 20)], {}, 'EINVAL', 'xe_oa_set_prop_oa_buffer_size'),
            ('a buffer that is too small', good + [(SIZE, 64 << 10)], {}, 'EINVAL', 'xe_oa_set_prop_oa_buffer_size'),
            ('to wait for no report', good + [(WAIT, 0)], {}, 'EINVAL', 'xe_oa_set_prop_wait_num_reports'),
            ('to wait for more than fit', good + [(SIZE, 128 << 10), (WAIT, 100000)], {}, 'EACCES' if unprivileged else 'EINVAL', opening),
            ('property 0', [(0, 1)], {}, 'EINVAL', extension), ('property 99', [(99, 1)], {}, 'EINVAL', extension),
            ('another extension', good, {'name': 1}, 'EINVAL', extension), ('padding', good, {'pad': 1}, 'EINVAL', extension),
            ('17 properties', good * 4 + [(X_SAMPLE, 1)], {}, 'E2BIG', extension), ('a chain to nowhere', good, {'end': BAD}, 'EFAULT', extension),
            ('a queue that is none', good + [(QUEUE, 99)], {}, 'ENOENT', opening),
            ('a queue on a unit of media engines', good + [(UNIT, 1 - int(os.environ['XE_UNIT'])), (QUEUE, 99)], {}, 'EINVAL', opening),
            ('to hold a queue that is not named', good + [(NO_PREEMPT, 1)], {}, 'EINVAL', opening)):
        row(what, k.open(pairs, **more), want, where)
    row('an operation that is none', k.observe(0, 7, 0), 'EINVAL', 'xe_oa_ioctl')
    row('a kind that is none', k.observe(7, 0, 0), 'EINVAL', 'xe_observation_ioctl')
    row('an extension of the call', k.observe(0, 0, 0, extensions=BAD), 'EINVAL', 'xe_observation_ioctl')
    if unprivileged:
        row('a stream without a right', k.open(good), 'EACCES', opening)
        row('a programming without a right', k.add(), 'EACCES', configs)
        row('to remove one without a right', k.remove(1), 'EACCES', 'xe_oa_remove_config_ioctl')
        return
    row('neither reports nor a queue', k.open(without(X_SAMPLE)), 'EINVAL', opening)
    row('no format', k.open(without(X_FORMAT)), 'EINVAL', opening)
    row('a format of media units', k.open(without(X_FORMAT) + [(UNIT, 1 - int(os.environ['XE_UNIT'])), good[2]]), 'EINVAL', opening)
    row('a set that is not there', k.open([(X_SAMPLE, 1), (X_SET, 99), *good[2:]]), 'EINVAL', 'xe_oa_stream_init')
    xe_stream(k, good)
    for what, args, want in (
            ('no registers', {'regs': ()}, 'EINVAL'), ('no list', {'pointer': 0}, 'EINVAL'), ('a name that is none', {'uuid': b'x' * 36}, 'EINVAL'),
            ('an extension of it', {'extensions': 1}, 'EINVAL'), ('registers nowhere', {'uuid': UUID[:-1] + b'0', 'pointer': BAD}, 'EFAULT'),
            ('a register of another unit', {'regs': ((0x1234, 0),)}, 'EINVAL'), ('the same name', {}, 'EADDRINUSE')):
        row(what, k.add(**args), want, configs)
    row('a programming nowhere', k.observe(0, 1, BAD), 'EFAULT', configs)
    row('to remove one nowhere', k.observe(0, 2, BAD), 'EFAULT', 'xe_oa_remove_config_ioctl')
    row('to remove it', k.remove(number), None, 'xe_oa_remove_config_ioctl')
    row('to remove it again', k.remove(number), 'ENOENT', 'xe_oa_remove_config_ioctl')


def xe_stream(k, good):
    fd = row('a stream', k.open(good), None, 'xe_oa_stream_open_ioctl_locked')
    fcntl.fcntl(fd, fcntl.F_SETFL, os.O_NONBLOCK)
    row('a second one', k.open(good), 'EBUSY', 'xe_oa_stream_open_ioctl_locked')
    row('an ioctl that is none', ioctl(fd, iow(0x66, 0, 'i', 0), 0), 'EINVAL', 'xe_oa_ioctl_locked')
    change = lambda pairs: ioctl(fd, iow(2, 0, 'i', 0), k.chain(pairs))
    row('another set that is not there', change([(X_SET, 99)]), 'ENODEV', 'xe_oa_config_locked')
    for prop, value in ((UNIT, 0), (X_SAMPLE, 1), (X_FORMAT, good[2][1]), (X_EXPONENT, 16), (OFF, 0), (QUEUE, 0), (SIZE, 16 << 20), (WAIT, 1)):
        row(f'a change of property {prop}', change([good[1], (prop, value)]), 'EINVAL', 'xe_oa_set_prop_ret_inval')
    wait_for_reports(fd)
    row('a read that is too small', read(fd, 100), 'ENOSPC', 'xe_oa_append_report')
    row('a read to nowhere', read(fd, 4096, ctypes.c_void_p(BAD)), 'EFAULT', 'xe_oa_append_report')
    os.close(fd)


def stall(mode):
    k = Xe()
    gt, rate, wait = 1, 2, 3
    opening, init = 'xe_eu_stall_stream_open', 'xe_eu_stall_stream_init'
    good = [(gt, 0), (rate, 251 * 4)]
    if os.environ.get('NO_STALLS'):
        row('a GPU without them', k.open(good, kind=1), 'ENODEV', opening)
        return
    if mode == 'unprivileged':
        row('a stream without a right, and property 99', k.open([(99, 1)], kind=1), 'EACCES', opening)
        return
    for what, pairs, more, want, where in (
            ('no GT', [(rate, 251)], {}, 'EINVAL', opening), ('a GT that is not there', [(gt, 9)], {}, 'EINVAL', 'set_prop_eu_stall_gt_id'),
            ('a rate that is too high', good + [(rate, 250)], {}, 'EINVAL', 'set_prop_eu_stall_sampling_rate'),
            ('a rate that is too low', good + [(rate, 251 * 8)], {}, 'EINVAL', 'set_prop_eu_stall_sampling_rate'),
            ('to wait for none', good + [(wait, 0)], {}, 'EINVAL', init), ('to wait for more than fit', good + [(wait, 1 << 31)], {}, 'EINVAL', init),
            ('property 99', good + [(99, 0)], {}, 'EINVAL', 'xe_eu_stall_user_ext_set_property'),
            ('six properties', good * 3, {}, 'E2BIG', 'xe_eu_stall_user_extensions'), ('a chain to nowhere', good, {'end': BAD}, 'EFAULT', 'xe_eu_stall_user_extensions')):
        row(what, k.open(pairs, kind=1, **more), want, where)
    for op in (1, 2):
        row(f'operation {op}', k.observe(1, op, 0), 'EINVAL', 'xe_eu_stall_ioctl')
    fd = row('a stream', k.open(good, kind=1), None, opening)
    fcntl.fcntl(fd, fcntl.F_SETFL, os.O_NONBLOCK)
    row('a second one', k.open(good, kind=1), 'EBUSY', 'xe_eu_stall_stream_open_locked')
    row('a read before it is switched on', read(fd, 4096), 'EINVAL', 'xe_eu_stall_stream_read')
    row('to switch it on', ioctl(fd, iow(0, 0, 'i', 0), 0), None, 'xe_eu_stall_enable_locked')
    row('a read that is too small', read(fd, 32), 'EINVAL', 'xe_eu_stall_stream_read')
    row('an ioctl that is none', ioctl(fd, iow(3, 0, 'i', 0), 0), 'EINVAL', 'xe_eu_stall_stream_ioctl_locked')
    os.close(fd)


# --- perf events ---

def perf_event(type, config, pid=-1, cpu=0, group=-1, flags=8, size=112, period=0, read_format=0, bits=0, tail=0, attr=None):
    data = struct.pack('IIQQQQQ', type, size, config, period, 0, read_format, bits).ljust(max(size, 112), b'\0')
    if tail:
        data = data[:-1] + b'\1'
    buffer = ctypes.create_string_buffer(data, len(data))
    return result(libc.syscall(ctypes.c_long(PERF_EVENT_OPEN), attr or buffer, ctypes.c_long(pid), ctypes.c_long(cpu), ctypes.c_long(group), ctypes.c_long(flags)))


def perf(mode):
    i915_type, xe_type, core, imc = 18, 19, 4, 22
    syscall, other = 'perf_event_open', 1 << 20
    exclude_kernel = 1 << 5
    if mode == 'unprivileged':
        # kernel.perf_event_paranoid is 1
        row('an event of a CPU', perf_event(core, 0xc0), 'EACCES', 'find_get_context')
        row('one that is not there', perf_event(i915_type, other + 99), 'ENOENT', 'i915_pmu_event_init')
        row('an event of a task', perf_event(core, 0xc0, pid=0, cpu=-1), None, syscall)
        return
    if mode == 'paranoid':
        row('one that is not there', perf_event(i915_type, other + 99), 'EACCES', 'perf_allow_kernel')
        row('an event of a task, with the kernel', perf_event(core, 0xc0, pid=0, cpu=-1), 'EACCES', 'perf_allow_kernel')
        row('an event of a task', perf_event(core, 0xc0, pid=0, cpu=-1, bits=exclude_kernel), None, syscall)
        return
    for what, got, want, where in (
            ('flags that are none', perf_event(core, 0xc0, flags=1 << 20), 'EINVAL', syscall),
            ('attributes nowhere', perf_event(core, 0xc0, attr=ctypes.c_void_p(BAD)), 'EFAULT', 'perf_copy_attr'),
            ('attributes that are too short', perf_event(core, 0xc0, size=32), 'E2BIG', 'perf_copy_attr'),
            ('attributes of a later kernel', perf_event(core, 0xc0, size=512, tail=1), 'E2BIG', 'perf_copy_attr'),
            ('a PMU that is not there', perf_event(99, 0), 'ENOENT', 'perf_init_event'),
            ('neither a task nor a CPU', perf_event(core, 0xc0, cpu=-1), 'EINVAL', 'perf_event_alloc'),
            ('a task that is not there', perf_event(core, 0xc0, pid=99999999, cpu=-1), 'ESRCH', 'find_lively_task_by_vpid'),
            ('a group that is none', perf_event(core, 0xc0, group=0), 'EBADF', 'perf_fget_light'),
            ('a group that is closed', perf_event(core, 0xc0, group=999), 'EBADF', 'perf_fget_light'),
            ('a group of children', perf_event(core, 0xc0, pid=0, cpu=-1, bits=2, read_format=8), 'EINVAL', 'perf_event_alloc'),
            ('samples of i915', perf_event(i915_type, other, period=1000), 'EINVAL', 'i915_pmu_event_init'),
            ('a task of i915', perf_event(i915_type, other, pid=0, cpu=-1), 'EINVAL', 'i915_pmu_event_init'),
            ('a counter that i915 has not', perf_event(i915_type, other + 99), 'ENOENT', 'config_status'),
            ('an engine that i915 has not', perf_event(i915_type, 0x7000), 'ENODEV', 'engine_event_init'),
            ('a sample of an engine that is none', perf_event(i915_type, 0xf), 'ENOENT', 'engine_event_status'),
            ('a counter that xe has not', perf_event(xe_type, 0x99), 'ENOENT', 'xe_pmu_event_init'),
            ('an engine that xe has not', perf_event(xe_type, 2 | 9 << 12), 'ENOENT', 'event_param_valid'),
            ('a GT that xe has not', perf_event(xe_type, 2 | 9 << 60), 'ENOENT', 'event_param_valid'),
            ('a task of xe', perf_event(xe_type, 2, pid=0, cpu=-1), 'EINVAL', 'xe_pmu_event_init'),
            ('a counter that a controller has not', perf_event(imc, 0x77), 'EINVAL', 'snb_uncore_imc_event_init')):
        row(what, got, want, where)
    leader = row('a leader', perf_event(core, 0xc0, read_format=8), None, syscall)
    member = row('a member', perf_event(core, 0xc0, group=leader, read_format=8), None, syscall)
    row('a member of a member', perf_event(core, 0xc0, group=member), 'EINVAL', syscall)
    row('a member on another CPU', perf_event(core, 0xc0, cpu=1, group=leader), 'EINVAL', syscall)
    row('a member of another PMU', perf_event(imc, 1, group=leader), 'EINVAL', syscall)
    row('a group that is too large', [perf_event(core, 0x1c7, group=leader) for _ in range(8)][-1], 'EINVAL', 'validate_group')
    row('a read that is too small', read(leader, 8), 'ENOSPC', '__perf_read')
    row('an ioctl that is none', ioctl(leader, iow(99, 0, '$', 0), 0), 'ENOTTY', '_perf_ioctl')


{'i915': i915, 'xe': xe, 'stall': stall, 'perf': perf}[sys.argv[1]](*sys.argv[2:3] or [''])
tell()
