# SPDX-License-Identifier: GPL-3.0-or-later
"""submit.py: batches on the fake xe, with bare ioctls; "0 NAME" or "1 NAME" for each answer."""
import ctypes, errno, mmap, os, struct

libc = ctypes.CDLL(None, use_errno=True)
libc.ioctl.argtypes = [ctypes.c_int, ctypes.c_ulong, ctypes.c_void_p]
node = os.open('/dev/dri/renderD128', os.O_RDWR)
CREATE, OFFSET, VM, BIND, QUEUE, EXEC, WAIT = (0xc0386441, 0xc0286442, 0xc0206443, 0x40886445, 0xc0306446, 0x40386449, 0xc048644a)
SYNCOBJ, SYNCOBJ_WAIT = 0xc00864bf, 0xc02064c3
STORE, END = 0x10000002, 0x05000000
BATCH, USER = 0x100000, 0x200000


def ask(request, form, *numbers):
    """The numbers afterwards, or the negative errno."""
    argument = ctypes.create_string_buffer(struct.pack('<' + form, *numbers))
    if libc.ioctl(node, request, argument) < 0:
        return -ctypes.get_errno()
    return struct.unpack('<' + form, argument.raw[:struct.calcsize('<' + form)])


def point(name, good):
    print(0 if good else 1, name)


def create(size, caching):
    return ask(CREATE, 'QQIIIIHHHHQQ', 0, size, 1, 0, 0, 0, caching, 0, 0, 0, 0, 0)


def sync(kind, flags, handle_or_address, value=0):
    raw = ctypes.create_string_buffer(struct.pack('<QIIQQQQ', 0, kind, flags, handle_or_address, value, 0, 0))
    return raw, ctypes.addressof(raw)


def bind(obj, offset, address, op, syncs=0, n=0):
    return ask(BIND, 'QIIIIQIHHQQQIIIIQQQIIQQQ', 0, vm, 0, 0, 1, 0, obj, 0, 0, offset, 4096, address, op, 0, 0, 0, 0, 0, 0, 0, n, syncs, 0, 0)


def queue(of_vm):
    engine = ctypes.create_string_buffer(struct.pack('<HHHH', 0, 0, 0, 0))
    return ask(QUEUE, 'QHHIIIQQQ', 0, 1, 1, of_vm, 0, 0, ctypes.addressof(engine), 0, 0)


def submit(to, address, syncs=0, n=0):
    return ask(EXEC, 'QIIQQHHHHQQ', 0, to, n, syncs, address, 1, 0, 0, 0, 0, 0)


def wait(address, value, timeout_ns):
    return ask(WAIT, 'QQHHIQQqIIQQ', 0, address, 0, 0, 0, value, 2 ** 64 - 1, timeout_ns, 0, 0, 0, 0)


point('an object of half a page is refused', create(2048, 1) == -errno.EINVAL)
point('an object without caching, too', create(4096, 0) == -errno.EINVAL)
obj = create(4096, 1)[5]
offset = ask(OFFSET, 'QIIQQQ', 0, obj, 0, 0, 0, 0)[3]
batch = mmap.mmap(node, 4096, offset=offset)
user = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
user_at = ctypes.addressof(ctypes.c_char.from_buffer(user))
vm = ask(VM, 'QIIQQ', 0, 0, 0, 0, 0)[2]
handle = ask(SYNCOBJ, 'II', 0, 0)[0]
handles = ctypes.create_string_buffer(struct.pack('<I', handle))
point('waiting for what nobody submitted is refused',
      ask(SYNCOBJ_WAIT, 'QqIIII', ctypes.addressof(handles), 0, 1, 0, 0, 0) == -errno.EINVAL)
point('an object that is not there cannot be bound', bind(99, 0, BATCH, 0) == -errno.ENOENT)
done, done_at = sync(0, 1, handle)
point('an object and memory are bound', bind(obj, 0, BATCH, 0)[0] == 0 and bind(0, user_at, USER, 2, done_at, 1)[0] == 0)
point('a fence says when', ask(SYNCOBJ_WAIT, 'QqIIII', ctypes.addressof(handles), 0, 1, 0, 0, 0)[0] != 0)
point('a queue needs an address space', queue(vm + 1) == -errno.ENOENT)
first = queue(vm)[5]
batch[:20] = struct.pack('<IIIII', STORE, USER + 64, 0, 0xc0ffee, END)
fence, fence_at = sync(2, 1, USER + 128, 7)
point('a batch runs', submit(first, BATCH, fence_at, 1) == (0, first, 1, fence_at, BATCH, 1, 0, 0, 0, 0, 0))
point('  ... and has stored its word', struct.unpack('<I', user[64:68])[0] == 0xc0ffee)
point('  ... and its fence', not isinstance(wait(user_at + 128, 7, 0), int))
point('a fence that nobody signals ends at its time', wait(user_at + 128, 8, 1000000) == -errno.ETIME)
batch[:20] = struct.pack('<IIIII', STORE, 0x900000, 0, 1, END)
submit(first, BATCH)
point('a queue whose batch stores to no memory is banned', submit(first, BATCH) == -errno.ECANCELED)
batch[:4] = struct.pack('<I', END)
point('  ... and another one goes on', submit(queue(vm)[5], BATCH)[0] == 0)
bind(0, 0, BATCH, 1)
second = queue(vm)[5]
submit(second, BATCH)
point('what was unbound is no batch any more', submit(second, BATCH) == -errno.ECANCELED)
