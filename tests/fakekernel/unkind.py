# SPDX-License-Identifier: GPL-3.0-or-later
"""unkind.py DRIVER: asks the node of the machine for what no kernel grants, with bare ioctls; "0 NAME" or "1 NAME" for each answer."""
import ctypes, errno, mmap, os, resource, signal, sys, time

libc = ctypes.CDLL(None, use_errno=True)
libc.ioctl.argtypes = [ctypes.c_int, ctypes.c_ulong, ctypes.c_void_p]
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.mmap.restype = ctypes.c_void_p
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
BAD = 8     # no address of anybody
U64 = ctypes.c_uint64


def ask(fd, request, argument):
    """What it returns, or the negative errno."""
    got = libc.ioctl(fd, request, argument)
    return got if got >= 0 else -ctypes.get_errno()


def point(name, got, *wants):
    print(int(got not in wants), name, '' if got in wants else 'got %d' % got)


def words(*numbers):
    return (U64 * len(numbers))(*numbers)


def reading(fd):
    try:
        return len(os.read(fd, 65536))
    except OSError as e:
        return -e.errno


def uuid(digit):
    return ('%08d-0000-4000-8000-000000000000' % digit).encode()


FLEX = (ctypes.c_uint32 * 2)(0xe458, 0)


def i915(fd):
    OPEN, ADD, QUERY = 0x40106476, 0x40486477, 0xc0106479

    def add(digit, pointer):
        raw = bytearray(72)
        raw[:36] = uuid(digit)
        raw[44:48] = (1).to_bytes(4, 'little')
        raw[64:72] = pointer.to_bytes(8, 'little')
        return ask(fd, ADD, ctypes.cast((ctypes.c_char * 72)(*raw), ctypes.c_void_p))

    def open_stream(flags, config):
        properties = words(2, 1, 3, config, 4, 10, 5, 16)
        return ask(fd, OPEN, words(flags | 4 << 32, ctypes.addressof(properties)))

    point('a request at no address', ask(fd, OPEN, BAD), -errno.EFAULT)
    point('properties at no address', ask(fd, OPEN, words(2 | 4 << 32, BAD)), -errno.EFAULT)
    point('registers at no address', add(1, BAD), -errno.EFAULT)
    point('a query whose items are at no address', ask(fd, QUERY, words(1, BAD)), -errno.EFAULT)
    item = words(1, 4096, BAD)
    ask(fd, QUERY, words(1, ctypes.addressof(item)))
    point('an item whose data are', ctypes.c_int32(item[1] & 0xffffffff).value, -errno.EFAULT)
    config = add(2, ctypes.addressof(FLEX))
    stream = open_stream(2 | 4, config)
    point('a stream that is not enabled opens', stream, *range(3, 1000))
    point('  ... and cannot be read', reading(stream), -errno.EIO)
    os.close(stream)
    return lambda: open_stream(2, config)


OA_BUFFER_BYTES = 16 << 20


def mapped(stream, size=OA_BUFFER_BYTES, protection=mmap.PROT_READ, kind=mmap.MAP_PRIVATE):
    """The address, or the negative errno."""
    at = libc.mmap(None, size, protection, kind, stream, 0)
    return -ctypes.get_errno() if at == ctypes.c_void_p(-1).value else at


def fills(at, report_bytes=256):
    """Whether reports come into the buffer while this program only sleeps."""
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        if all(int.from_bytes(ctypes.string_at(at + i * report_bytes + 4, 4), 'little') for i in range(3)):
            return 1
        time.sleep(0.01)
    return 0


def child_reads(at):
    """The signal that ends a child which reads there; 0: it reads something."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        ctypes.string_at(at, 4)
        os._exit(0)
    return os.WTERMSIG(os.waitpid(child, 0)[1])


def mapping(stream):
    point('a buffer that the program would write', mapped(stream, protection=mmap.PROT_READ | mmap.PROT_WRITE), -errno.EINVAL)
    point('  ... or run', mapped(stream, protection=mmap.PROT_READ | mmap.PROT_EXEC), -errno.EINVAL)
    point('  ... or share', mapped(stream, kind=mmap.MAP_SHARED), -errno.EINVAL)
    point('half a buffer', mapped(stream, OA_BUFFER_BYTES // 2), -errno.EINVAL)
    point('more than a buffer', mapped(stream, OA_BUFFER_BYTES + 1), -errno.EINVAL)
    at = mapped(stream)
    if at < 0:
        return point('a whole buffer to read', at, 1)
    point('a whole buffer to read is filled', fills(at), 1)
    point('  ... and cannot be made one to write', libc.mprotect(at, 4096, mmap.PROT_READ | mmap.PROT_WRITE), -1)
    point('  ... and a child does not have it', child_reads(at), signal.SIGSEGV)
    libc.munmap(at, OA_BUFFER_BYTES)


def xe(fd):
    QUERY, OBSERVE = 0xc0286440, 0x4020644b

    def add(digit, pointer):
        raw = bytearray(56)
        raw[8:44] = uuid(digit)
        raw[44:48] = (1).to_bytes(4, 'little')
        raw[48:56] = pointer.to_bytes(8, 'little')
        held = (ctypes.c_char * 56)(*raw)
        return ask(fd, OBSERVE, words(0, 0, 1, ctypes.addressof(held)))

    def chain(*pairs):
        first, held = 0, []
        for name, value in reversed(pairs):
            held.append(words(first, 0, name, value, 0, 0))
            first = ctypes.addressof(held[-1])
        return first, held

    def open_stream(*more):
        first, held = chain((1, 0), (2, 1), (3, config), (4, 0x500), (5, 16), *more)
        return ask(fd, OBSERVE, words(0, 0, 0, first))

    point('a request at no address', ask(fd, OBSERVE, BAD), -errno.EFAULT)
    point('properties at no address', ask(fd, OBSERVE, words(0, 0, 0, BAD)), -errno.EFAULT)
    point('registers at no address', add(1, BAD), -errno.EFAULT)
    query = words(0, 3, 0, 0, 0)
    ask(fd, QUERY, query)
    query[2] = BAD
    point('an answer at no address', ask(fd, QUERY, query), -errno.EFAULT)
    hwconfig = words(0, 4, 0, 0, 0)
    point('the firmware\'s table, which this part does not have', ask(fd, QUERY, hwconfig), 0)
    config = add(2, ctypes.addressof(FLEX))
    stream = open_stream((6, 1))
    point('a stream that is not enabled opens', stream, *range(3, 1000))
    point('  ... and cannot be read', reading(stream), -errno.EINVAL)
    os.close(stream)
    stream = open_stream()
    mapping(stream)

    def without_rights():
        at = mapped(stream)
        os.close(stream)
        return at if at != -errno.EACCES else open_stream()
    return without_rights


node = os.open('/dev/dri/renderD128', os.O_RDWR)
again = {'i915': i915, 'xe': xe}[sys.argv[1]](node)
if os.geteuid() == 0:
    os.seteuid(65534)
    point('rights that were given up', again(), -errno.EACCES)
else:
    print('0 rights that were given up # SKIP not root')
