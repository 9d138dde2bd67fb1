# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tables of refusals share (errnos.py, errnos_cards.py): a row is a call, its answer, and the function of Linux that gives it."""
import ctypes, errno, os, select

libc = ctypes.CDLL(None, use_errno=True)
BAD = 8                         # no memory is there
wrong, count = [], 0


def iow(nr, size, kind='d', direction=1):
    return direction << 30 | size << 16 | ord(kind) << 8 | nr


def result(value):
    return value if value >= 0 else errno.errorcode.get(ctypes.get_errno(), ctypes.get_errno())


def ioctl(fd, request, data):
    """The result, or the name of the error."""
    arg = data if isinstance(data, int) else ctypes.create_string_buffer(data, len(data))
    return result(libc.ioctl(fd, ctypes.c_ulong(request), ctypes.c_long(arg) if isinstance(arg, int) else arg))


def read(fd, size, into=None):
    buffer = into or ctypes.create_string_buffer(size)
    return result(libc.read(fd, buffer, ctypes.c_size_t(size)))


def row(what, got, want, where):
    """want: the name of an error; None: none."""
    global count
    count += 1
    if (got if isinstance(got, str) else None) != want:
        wrong.append(f'{what}: {got} instead of {want} ({where})')
    return got


def wait_for_reports(fd):
    select.select([fd], [], [], 10)


def tell():
    """Prints the rows that are answered otherwise, and how many there are."""
    print('\n'.join(wrong + [f'{count} rows']))
