# SPDX-License-Identifier: GPL-3.0-or-later
"""As errnos.py, for what other cards are asked: Linux 7.2's v3d_perfmon.c, v3d_drv.c and msm_perfcntr.c, 6.12's panfrost_perfcnt.c and amdgpu_kms.c,
Arm's mali_kbase_core_linux.c, mali_kbase_vinstr.c and mali_kbase_kinstr_prfcnt.c of r38p1. Run on the fake: errnos_cards.py CARD [MODE]"""
import ctypes, fcntl, os, struct, sys

from errnos_lib import BAD, ioctl, libc, read, result, row, tell

NODE = '/dev/dri/renderD128'
NO_IOCTL = 0xc008647f           # of DRM, beyond the last one of any driver
words = struct.pack


def node(path=NODE):
    return os.open(path, os.O_RDWR)


class Keep:
    """Memory that calls point to."""
    kept = []

    def __new__(cls, data, size=0):
        buffer = ctypes.create_string_buffer(data, max(len(data), size, 1))
        cls.kept.append(buffer)
        return ctypes.addressof(buffer)


def ask(fd, request, data):
    """The result, and what the argument is afterwards."""
    buffer = ctypes.create_string_buffer(data, len(data))
    return result(libc.ioctl(fd, ctypes.c_ulong(request), buffer)), buffer.raw


# --- v3d ---

PARAM, CREATE, VALUES, COUNTER, GLOBAL = 0xc0106444, 0xc0286448, 0xc010644a, 0xc168644c, 0x4008644d


def v3d(mode):
    fd, most = node(), 33
    counter = lambda n, reserved=b'': words('B352s7s', n, b'', reserved)
    create = lambda *counters, n=None: words('2I32B', 0, len(counters) if n is None else n, *counters, *[0] * (32 - len(counters)))
    row('an ioctl that is none', ioctl(fd, NO_IOCTL, bytes(8)), 'EINVAL', 'drm_ioctl')
    row('a parameter that is none', ioctl(fd, PARAM, words('2IQ', 99, 0, 0)), 'EINVAL', 'v3d_get_param_ioctl')
    row('padding', ioctl(fd, PARAM, words('2IQ', 13, 1, 0)), 'EINVAL', 'v3d_get_param_ioctl')
    row('a register with a value', ioctl(fd, PARAM, words('2IQ', 5, 0, 1)), 'EINVAL', 'v3d_get_param_ioctl')
    if mode == 'none':
        row('a counter of a GPU without', ioctl(fd, COUNTER, counter(0)), 'ENOTSUP', 'v3d_perfmon_get_counter_ioctl')
        return
    if mode == 'old':
        row('a counter of a kernel that names none', ioctl(fd, COUNTER, counter(0)), 'EINVAL', 'drm_ioctl')
        row('a global monitor before there was one', ioctl(fd, GLOBAL, words('2I', 0, 1)), 'EINVAL', 'drm_ioctl')
        return
    row('a counter', ioctl(fd, COUNTER, counter(0)), None, 'v3d_perfmon_get_counter_ioctl')
    row('a counter beyond the last', ioctl(fd, COUNTER, counter(255)), 'EINVAL', 'v3d_perfmon_get_counter_ioctl')
    row('a reserved byte', ioctl(fd, COUNTER, counter(0, b'x')), 'EINVAL', 'v3d_perfmon_get_counter_ioctl')
    row('a monitor of nothing', ioctl(fd, CREATE, create()), 'EINVAL', 'v3d_perfmon_create_ioctl')
    row('a monitor of too much', ioctl(fd, CREATE, create(n=most)), 'EINVAL', 'v3d_perfmon_create_ioctl')
    row('a monitor of what is not there', ioctl(fd, CREATE, create(255)), 'EINVAL', 'v3d_perfmon_create_ioctl')
    row('values of no monitor', ioctl(fd, VALUES, words('2IQ', 1, 0, Keep(b'', 256))), 'EINVAL', 'v3d_perfmon_get_values_ioctl')
    row('no monitor as the global one', ioctl(fd, GLOBAL, words('2I', 0, 1)), 'EINVAL', 'v3d_perfmon_set_global_ioctl')
    row('a monitor', ioctl(fd, CREATE, create(0, 1)), None, 'v3d_perfmon_create_ioctl')
    row('padding of values', ioctl(fd, VALUES, words('2IQ', 1, 1, Keep(b'', 256))), 'EINVAL', 'v3d_perfmon_get_values_ioctl')
    row('its values', ioctl(fd, VALUES, words('2IQ', 1, 0, Keep(b'', 256))), None, 'v3d_perfmon_get_values_ioctl')
    row('a flag that is none', ioctl(fd, GLOBAL, words('2I', 2, 1)), 'EINVAL', 'v3d_perfmon_set_global_ioctl')
    row('to clear a global one that is not set', ioctl(fd, GLOBAL, words('2I', 1, 1)), 'EINVAL', 'v3d_perfmon_set_global_ioctl')
    row('it as the global one', ioctl(fd, GLOBAL, words('2I', 0, 1)), None, 'v3d_perfmon_set_global_ioctl')
    row('a second global one', ioctl(fd, GLOBAL, words('2I', 0, 1)), 'EBUSY', 'v3d_perfmon_set_global_ioctl')
    other = node()
    ioctl(other, CREATE, create(0))
    row("another file's", ioctl(other, GLOBAL, words('2I', 0, 1)), 'EBUSY', 'v3d_perfmon_set_global_ioctl')
    row('to clear it', ioctl(fd, GLOBAL, words('2I', 1, 1)), None, 'v3d_perfmon_set_global_ioctl')
    row("another file's then", ioctl(other, GLOBAL, words('2I', 0, 1)), None, 'v3d_perfmon_set_global_ioctl')
    os.close(other)
    row('after that one was closed', ioctl(fd, GLOBAL, words('2I', 0, 1)), None, 'v3d_perfmon_close_file')


# --- msm ---

MSM_PARAM, CONFIG = 0xc0186440, 0x4020644e


def msm_group(name, countables=(0,), pad=0, pointer=None, n=None):
    list_at = Keep(words('%dI' % len(countables), *countables)) if pointer is None else pointer
    return words('16s2IQ', name, len(countables) if n is None else n, pad, list_at)


def msm_config(*groups, flags=1, period=10**7, shift=16, stride=32, n=None, pointer=None):
    at = Keep(b''.join(groups)) if pointer is None else pointer
    return words('2I2Q2I', flags, len(groups) if n is None else n, at, period, shift, stride)


def msm(mode):
    fd, good = node(), msm_group(b'CP')
    config = lambda *groups, **more: ioctl(fd, CONFIG, msm_config(*groups, **more))
    where = 'msm_ioctl_perfcntr_config'
    row('an ioctl that is none', ioctl(fd, NO_IOCTL, bytes(8)), 'EINVAL', 'drm_ioctl')
    row('a parameter of another pipe', ioctl(fd, MSM_PARAM, words('2IQ2I', 1, 3, 0, 0, 0)), 'EINVAL', 'msm_ioctl_get_param')
    for what, param in (('a parameter with a length', words('2IQ2I', 16, 3, 0, 8, 0)), ('a parameter that is none', words('2IQ2I', 16, 0xff, 0, 0, 0))):
        row(what, ioctl(fd, MSM_PARAM, param), 'ENXIO' if mode == 'no_gpu' else 'EINVAL', 'msm_ioctl_get_param')
    if mode in ('none', 'no_gpu'):
        row('a stream of a GPU without counters', config(good), 'ENXIO', where)
        return
    if mode == 'old':
        row('a stream before there was one', config(good), 'EINVAL', 'drm_ioctl')
        return
    row('a flag that is none', config(good, flags=5), 'EINVAL', where)
    row('no distance of groups', config(good, stride=0), 'EINVAL', where)
    row('groups nowhere', config(good, pointer=0), 'EINVAL', where)
    row('too many groups', config(good, n=200), 'EINVAL', where)
    if mode == 'unprivileged':
        row('a stream without a right, whatever its period', config(good, period=0), 'EPERM', where)
        return
    row('no groups', config(), 'EINVAL', where)
    row('no period', config(good, period=0), 'EINVAL', where)
    row('a buffer of 256 MiB', config(good, shift=28), 'EINVAL', where)
    row('padding', config(msm_group(b'CP', pad=1)), 'EINVAL', where)
    row('a group that is none', config(msm_group(b'XX')), 'EINVAL', where)
    row('a group twice', config(good, good), 'EINVAL', where)
    row('more counters than there are', config(msm_group(b'CP', range(99))), 'EINVAL', where)
    row('countables nowhere', config(msm_group(b'CP', pointer=0, n=1)), 'EINVAL', where)
    row('a buffer for half a sample', config(good, shift=4), 'EINVAL', where)
    if mode == 'reserved':
        taken = msm_group(b'SP', range(10))
        answer = Keep(taken + good)
        row('counters that others have', ioctl(fd, CONFIG, msm_config(flags=3, n=2, pointer=answer)), 'E2BIG', where)
        row('and how many are left', 4 - struct.unpack_from('I', ctypes.string_at(answer + 16, 4))[0], None, where)
        row('without a wish to know', ioctl(fd, CONFIG, msm_config(taken)), 'E2BIG', where)
        return
    stream = row('a stream', config(good, period=3600 * 10**9), None, where)     # no sample comes while the rows are asked
    row('a second one', config(good), 'EBUSY', where)
    row('a second one, whatever its group is', config(msm_group(b'XX')), 'EBUSY', where)
    fcntl.fcntl(stream, fcntl.F_SETFL, os.O_NONBLOCK)
    row('a read before a sample is there', read(stream, 4096), 'EAGAIN', 'msm_perfcntrs_stream_read')
    os.close(stream)
    row('one after that was closed', config(good), None, 'msm_perfcntrs_stream_release')


# --- panfrost ---

GET_PARAM, ENABLE, DUMP = 0xc0106444, 0x40086446, 0x40086447


def panfrost(mode):
    fd = node()
    enable = lambda on, counters=0, at=fd: ioctl(at, ENABLE, words('2I', on, counters))
    dump = lambda at=fd: ioctl(at, DUMP, words('Q', Keep(b'', 65536)))
    on, off = 'panfrost_perfcnt_enable_locked', 'panfrost_perfcnt_disable_locked'
    row('an ioctl that is none', ioctl(fd, NO_IOCTL, bytes(8)), 'EINVAL', 'drm_ioctl')
    row('a parameter that is none', ioctl(fd, GET_PARAM, words('2IQ', 999, 0, 0)), 'EINVAL', 'panfrost_ioctl_get_param')
    row('padding', ioctl(fd, GET_PARAM, words('2IQ', 0, 1, 0)), 'EINVAL', 'panfrost_ioctl_get_param')
    if mode == 'stable':
        row('counters that are switched off', enable(1), 'ENOSYS', 'panfrost_unstable_ioctl_check')
        row('whatever set it is', enable(1, 7), 'ENOSYS', 'panfrost_unstable_ioctl_check')
        row('a dump of them', dump(), 'ENOSYS', 'panfrost_unstable_ioctl_check')
        return
    row('a third set', enable(1, 2), 'EINVAL', 'panfrost_ioctl_perfcnt_enable')
    row('a dump before they are on', dump(), 'EINVAL', 'panfrost_ioctl_perfcnt_dump')
    row('to switch off what is not on', enable(0), 'EINVAL', off)
    row('counters', enable(1), None, on)
    row('counters again', enable(1), None, on)
    row('a dump', dump(), None, 'panfrost_perfcnt_dump_locked')
    other = node()
    row("another file's", enable(1, at=other), 'EBUSY', on)
    row("another file's dump", dump(other), 'EINVAL', 'panfrost_ioctl_perfcnt_dump')
    row('another file that switches them off', enable(0, at=other), 'EINVAL', off)
    os.close(fd)
    row('after that one was closed', enable(1, at=other), None, 'panfrost_perfcnt_close')


# --- kbase ---

OLD_CHECK, CHECK, STREAM_CHECK, FLAGS, PROPS, SETUP = 0xc0108000, 0xc0048000, 0xc0048034, 0x40048001, 0x40108003, 0x40148008
BUFFER_SIZE, V_DUMP, CLEAR, GET, PUT = 0x8004be01, 0x4004be10, 0x4004be11, 0x8020be20, 0x4020be21
ENUM, K_SETUP, COMMAND, K_GET, K_PUT = 0xc0108038, 0xc0108039, 0x4010bf00, 0x8010bf01, 0x4010bf10


def kbase(mode):
    fd = node('/dev/mali0')
    check, other_check = (STREAM_CHECK, CHECK) if mode == 'streams' else (CHECK, STREAM_CHECK)
    props = lambda size=0, flags=0: ioctl(fd, PROPS, words('Q2I', Keep(b'', 4096), size, flags))
    row('an ioctl before the handshake', ioctl(fd, 0x40048077, bytes(4)), 'EPERM', 'kbase_ioctl')
    row('flags before the handshake', ioctl(fd, FLAGS, words('I', 2)), 'EPERM', 'kbase_file_create_kctx')
    row('the handshake of before r21', ioctl(fd, OLD_CHECK, bytes(16)), 'EPERM', 'kbase_ioctl')
    row("the other kind's handshake", ioctl(fd, other_check, bytes(4)), 'EPERM', 'kbase_api_handshake_dummy')
    row('a handshake', ioctl(fd, check, bytes(4)), None, 'kbase_api_handshake')
    row('a second one', ioctl(fd, check, bytes(4)), 'EPERM', 'kbase_file_set_api_version')
    row('a reader before the flags', ioctl(fd, SETUP, words('5I', 4, 1, 1, 1, 1)), 'EPERM', 'kbase_ioctl')
    row('flags that are none', ioctl(fd, FLAGS, words('I', 1 << 30)), 'EINVAL', 'kbase_api_set_flags')
    row('flags', ioctl(fd, FLAGS, words('I', 2)), None, 'kbase_api_set_flags')
    row('flags again', ioctl(fd, FLAGS, words('I', 2)), 'EPERM', 'kbase_file_create_kctx')
    row('an ioctl that is none', ioctl(fd, 0x40048077, bytes(4)), 'ENOTTY', 'kbase_ioctl')
    row('how long the properties are', props(), None, 'kbase_api_get_gpuprops')
    row('properties that do not fit', props(8), 'EINVAL', 'kbase_api_get_gpuprops')
    row('properties with flags', props(4096, 1), 'EINVAL', 'kbase_api_get_gpuprops')
    row('properties', props(4096), None, 'kbase_api_get_gpuprops')
    vinstr(fd) if mode == 'vinstr' else kinstr(fd)


def vinstr(fd):
    setup = lambda n: ioctl(fd, SETUP, words('5I', n, *[0xffffffff] * 4))
    for n in (0, 3, 64):
        row(f'{n} buffers', setup(n), 'EINVAL', 'kbase_vinstr_hwcnt_reader_setup')
    row('more buffers than memory', setup(32), 'ENOMEM', 'kbasep_vinstr_client_create')
    reader = row('a reader', setup(2), None, 'kbase_vinstr_hwcnt_reader_setup')
    buffer = lambda: ask(reader, GET, bytes(32))
    row('an ioctl that is none', ioctl(reader, 0x4004be77, bytes(4)), 'EINVAL', 'kbasep_vinstr_hwcnt_reader_ioctl')
    row('a buffer before a dump', buffer()[0], 'EAGAIN', 'kbasep_vinstr_hwcnt_reader_ioctl_get_buffer')
    row('one given back that nobody took', ioctl(reader, PUT, bytes(32)), 'EPERM', 'kbasep_vinstr_hwcnt_reader_ioctl_put_buffer')
    for what, want in (('a dump', None), ('a second one', None), ('one for which there is no buffer', 'EBUSY')):
        row(what, ioctl(reader, V_DUMP, 0), want, 'kbasep_vinstr_client_dump')
    got, answer = buffer()
    row('a buffer', got, None, 'kbasep_vinstr_hwcnt_reader_ioctl_get_buffer')
    row('the next one before it is given back', buffer()[0], 'EBUSY', 'kbasep_vinstr_hwcnt_reader_ioctl_get_buffer')
    row('another one given back', ioctl(reader, PUT, answer[:12] + words('I', 1) + answer[16:]), 'EINVAL', 'kbasep_vinstr_hwcnt_reader_ioctl_put_buffer')
    row('it given back', ioctl(reader, PUT, answer), None, 'kbasep_vinstr_hwcnt_reader_ioctl_put_buffer')
    row('the next one', buffer()[0], None, 'kbasep_vinstr_hwcnt_reader_ioctl_get_buffer')


def request(kind, *more, version=0):
    return words('2H4x', kind, version) + words('8B2Q', *(list(more) + [0] * 8)[:8], 2**64 - 1 if kind == 0x1001 else 0, 0)


def kinstr(fd):
    mode, end, blocks = request(0x1000), request(0), [request(0x1001, kind) for kind in range(4)]
    setup = lambda *items, n=None, size=32, pointer=None: ask(
        fd, K_SETUP, words('2IQ', len(items) if n is None else n, size, Keep(b''.join(items)) if pointer is None else pointer))[0]
    got, answer = ask(fd, ENUM, bytes(16))
    row('how long the list is', got, None, 'kbasep_kinstr_prfcnt_enum_info_count')
    size, n = struct.unpack_from('2I', answer)
    row('a list of another length', ioctl(fd, ENUM, words('2IQ', size, n + 1, Keep(b'', 4096))), 'EINVAL', 'kbasep_kinstr_prfcnt_enum_info_list')
    row('a list of items of no length', ioctl(fd, ENUM, words('2IQ', 0, n, Keep(b'', 4096))), 'EINVAL', 'kbasep_kinstr_prfcnt_enum_info_list')
    row('the list', ioctl(fd, ENUM, words('2IQ', size, n, Keep(b'', 4096))), None, 'kbasep_kinstr_prfcnt_enum_info_list')
    for what, args, more in (('no requests', (), {'pointer': 0, 'n': 3}), ('one request', (end,), {}), ('items of no length', (mode, *blocks, end), {'size': 0}),
                             ('a thousand requests', (mode, end), {'n': 1000})):
        row(what, setup(*args, **more), 'EINVAL', 'kbase_kinstr_prfcnt_setup')
    for what, items in (('no end', (mode, *blocks)), ('no mode', (*blocks, end)), ('no blocks', (mode, end)), ('a request that is none', (mode, request(0x1009), end)),
                        ('a block that is none', (mode, request(0x1001, 9), end)), ('another set', (mode, request(0x1001, 0, 1), end)),
                        ('a later version', (request(0x1000, version=2), *blocks, end))):
        row(what, setup(*items), 'EINVAL', 'kbasep_kinstr_prfcnt_parse_setup')
    session = row('a session', setup(mode, *blocks, end), None, 'kbase_kinstr_prfcnt_setup')
    command = lambda code: ioctl(session, COMMAND, words('4HQ', code, 0, 0, 0, 0))
    sample = lambda: ask(session, K_GET, bytes(16))
    row('an ioctl that is none', ioctl(session, 0x4004bf77, bytes(4)), 'EINVAL', 'kbasep_kinstr_prfcnt_hwcnt_reader_ioctl')
    for what, code, want in (('a command that is none', 99, 'EINVAL'), ('a sample before the start', 3, 'EINVAL'), ('a stop before the start', 2, 'EINVAL'),
                             ('a start', 1, None), ('a start again', 1, None)):
        row(what, command(code), want, 'kbasep_kinstr_prfcnt_cmd')
    row('a sample that is not there', sample()[0], 'EINVAL', 'kbasep_kinstr_prfcnt_get_sample')
    row('one given back that is not there', ioctl(session, K_PUT, bytes(16)), 'EINVAL', 'kbasep_kinstr_prfcnt_put_sample')
    row('two samples', command(3) or command(3), None, 'kbasep_kinstr_prfcnt_client_sync_dump')
    got, answer = sample()
    row('the first', got, None, 'kbasep_kinstr_prfcnt_get_sample')
    row('the second before that is given back', sample()[0], 'EBUSY', 'kbasep_kinstr_prfcnt_get_sample')
    first, offset = struct.unpack('2Q', answer)
    row('another one given back', ioctl(session, K_PUT, words('2Q', first + 1, offset)), 'EINVAL', 'kbasep_kinstr_prfcnt_put_sample')
    row('one from another place', ioctl(session, K_PUT, words('2Q', first, offset + 8)), 'EINVAL', 'kbasep_kinstr_prfcnt_put_sample')
    row('it given back', ioctl(session, K_PUT, answer), None, 'kbasep_kinstr_prfcnt_put_sample')
    row('what is left thrown away', command(5), None, 'kbasep_kinstr_prfcnt_client_discard')
    row('a sample then', sample()[0], 'EINVAL', 'kbasep_kinstr_prfcnt_get_sample')
    full = [command(3) for _ in range(40)]
    row('samples until there is no room', full[-1], 'EBUSY', 'kbasep_kinstr_prfcnt_client_dump')


# --- amdgpu ---

INFO = 0x40206445
ACCEL_WORKING, READ_MMR_REG, DEV_INFO, SENSOR = 0x00, 0x15, 0x16, 0x1d
GRBM_STATUS = 0x2004
EVERY_UNIT = 0xffffffff


def amdgpu(mode):
    fd, where = node(), 'amdgpu_info_ioctl'
    info = lambda query, *more, size=4, at=None: ioctl(fd, INFO, words('Q2I4I', Keep(b'', 1024) if at is None else at, size, query, *(list(more) + [0] * 4)[:4]))
    row('an ioctl that is none', ioctl(fd, NO_IOCTL, bytes(8)), 'EINVAL', 'drm_ioctl')
    row('a question that is none', info(0x7777), 'EINVAL', where)
    row('an answer to nowhere', info(ACCEL_WORKING, at=0), 'EINVAL', where)
    row('an answer of no length', info(ACCEL_WORKING, size=0), 'EINVAL', where)
    row('whether it works', info(ACCEL_WORKING), None, where)
    row('what the card is, in 8 bytes', info(DEV_INFO, size=8), None, where)
    row('a sensor that is none', info(SENSOR, 99), 'ENOENT' if mode == 'no_dpm' else 'EINVAL', where)
    row('a sensor', info(SENSOR, 3), 'ENOENT' if mode == 'no_dpm' else None, where)
    row('a register', info(READ_MMR_REG, GRBM_STATUS, 1, EVERY_UNIT), None, where)
    row('129 registers', info(READ_MMR_REG, GRBM_STATUS, 129, EVERY_UNIT), 'EINVAL', where)
    row('a register that may not be read', info(READ_MMR_REG, 0x1234, 1, EVERY_UNIT), 'EFAULT', where)
    row('one of an engine that is none', info(READ_MMR_REG, GRBM_STATUS, 1, 0xffffff20), 'EINVAL', where)
    row('one of an array that is none', info(READ_MMR_REG, GRBM_STATUS, 1, 0xffff20ff), 'EINVAL', where)


{'v3d': v3d, 'msm': msm, 'panfrost': panfrost, 'kbase': kbase, 'amdgpu': amdgpu}[sys.argv[1]](*sys.argv[2:3] or [''])
tell()
