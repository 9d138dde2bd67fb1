# SPDX-License-Identifier: GPL-3.0-or-later
"""config.py STATE: changes the flexible counters of an open i915 stream on Gen9, whose load's context is STATE (busy, idle or new), with bare
ioctls. Prints "0 NAME" or "1 NAME"."""
import ctypes, os, select, sys

libc = ctypes.CDLL(None, use_errno=True)
libc.ioctl.argtypes = [ctypes.c_int, ctypes.c_ulong, ctypes.c_void_p]
OPEN, ADD, CONFIG = 0x40106476, 0x40486477, 0x6902
FPU0, NOTHING = 0x000, 0x00f        # increments of A7: what the first FPU does, and none
HEADER, REPORT, A7 = 8, 256, 16 + 4 * 7


def register(fd, digit, event):
    flex = (ctypes.c_uint32 * 2)(0xe458, event)
    raw = bytearray(72)
    raw[:36] = ('%08d-0000-4000-8000-000000000000' % digit).encode()
    raw[44:48] = (1).to_bytes(4, 'little')
    raw[64:72] = ctypes.addressof(flex).to_bytes(8, 'little')
    held = (ctypes.c_char * 72)(*raw)
    return libc.ioctl(fd, ADD, ctypes.cast(held, ctypes.c_void_p))


def counted(stream, reports):
    """What A7 counts from report to report, on average over so many that come from now on. It turns over every 16 of them."""
    last, total, n = None, 0, 0
    while n < reports:
        select.select([stream], [], [], 0.1)
        try:
            data = os.read(stream, 1 << 20)
        except BlockingIOError:
            continue
        for at in range(0, len(data), HEADER + REPORT):
            value = int.from_bytes(data[at + HEADER + A7:at + HEADER + A7 + 4], 'little')
            if last is not None:
                total += (value - last) & 0xffffffff
                n += 1
            last = value
    return total / n


def drain(stream):
    """Reads what has come before now."""
    try:
        while os.read(stream, 1 << 20):
            pass
    except BlockingIOError:
        pass


node = os.open('/dev/dri/renderD128', os.O_RDWR)
some, none = register(node, 1, FPU0), register(node, 2, NOTHING)
properties = (ctypes.c_uint64 * 8)(2, 1, 3, some, 4, 10, 5, 16)
stream = libc.ioctl(node, OPEN, (ctypes.c_uint64 * 2)(2 | 4 << 32, ctypes.addressof(properties)))
before = counted(stream, 20)
print(int(before <= 0), f'{sys.argv[1]}: A7 counts what its register says')
libc.ioctl(stream, CONFIG, ctypes.c_void_p(none))
drain(stream)
counted(stream, 50)                  # the batch of CONFIG has run
after = counted(stream, 20)
busy = sys.argv[1] == 'busy'
right = after > before * 0.9 if busy else after == 0
print(int(not right), '  ... and %s CONFIG' % ('goes on after' if busy else 'stops by'), '' if right else f'{before} and then {after}')
