# SPDX-License-Identifier: GPL-3.0-or-later
"""A maker of spans in Python, written from doc/SPANS.md alone:
maker.py honest|half|names|megabyte|lies|back, or runs PCI-ADDRESS, of a device that works all the time, by the clock of the fake kernel whose
machine $FAKEKERNEL_ROOT has a gate (clocks.c)."""
import fcntl
import mmap
import os
import socket
import struct
import sys
import time

HEAD, NAMES, QUEUES, RING, TEXT, SIZE = 0, 64, 32832, 59456, 2943040, 3991616
F_ADD_SEALS, F_SEAL_SHRINK = 1033, 2
fd = os.memfd_create("spans", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
os.ftruncate(fd, SIZE)
fcntl.fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK)
memory = mmap.mmap(fd, SIZE)
counts = {"names": 0, "text": 0, "queues": 0, "head": 0}


def put(at, form, *values):
    """At once: pack_into() writes zeros first, and a reader may see a number that is none."""
    packed = struct.pack("=" + form, *values)
    memory[at:at + len(packed)] = packed


def name(text):
    text = text.encode()[:1023]
    if counts["names"] == 4096 or counts["text"] + len(text) > 1 << 20:
        return 0
    memory[TEXT + counts["text"]:TEXT + counts["text"] + len(text)] = text
    put(NAMES + 8 * counts["names"], "II", counts["text"], len(text))
    counts["names"] += 1
    counts["text"] += len(text)
    put(HEAD + 32, "I", counts["names"])
    return counts["names"] - 1


def queue(device, flags=0):
    put(QUEUES + 104 * counts["queues"], "II16s64sQQ", flags, 0, " ".join(sys.argv[2:]).encode(), device.encode(), 0, 0)
    counts["queues"] += 1
    put(HEAD + 36, "I", counts["queues"])


def span(which, start, end, queue_number=1, kind=1, items=64, seen=None, whole=True, shift=5000000):
    n = counts["head"]
    at = RING + 88 * (n % 32768)
    put(HEAD + 40, "Q", n + 1)
    put(at, "Q", 0)
    put(at + 8, "QQQQQQQQIIII", start - 10 + shift, start + shift, end + shift, start - 20, start, seen or end + 100,
        items, n + 1, which, queue_number, kind, 0)
    if whole:
        put(at, "Q", n + 1)
    counts["head"] += 1


put(HEAD, "8sII16s", b"RTSPANS\0", 1, SIZE, b"by-the-book")
name("(others)")
queue("(others)")
queue("a device of nobody")
put(QUEUES + 104 + 88, "QQ", 1 << 20, 0)  # commands that are under way
for path in os.environ["ROOFTOP_SPANS"].split(":"):
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as s:
        try:
            s.connect(path)
        except OSError:
            continue
        socket.send_fds(s, [struct.pack("=8sII", b"RTSPANS\0", 1, SIZE)], [fd])

mode, t = sys.argv[1], time.monotonic_ns()
first, second = name("first"), name("second")


def run_always():
    """Each run is told before the reader's clock comes to it, so that none is late. At the end that clock stands behind the last run until
    this program is gone, so that the reader has seen the run end, and nothing else behind it."""
    with open(os.environ["FAKEKERNEL_ROOT"] + "/gate", "r+b") as f:
        gate = memoryview(mmap.mmap(f.fileno(), 16)).cast("q")
    patience = time.monotonic() + 300

    def come():
        while (gate[1] < 0 or gate[0] < gate[1]) and time.monotonic() < patience:
            time.sleep(0.001)

    come()
    t = gate[0] + 20000000
    span(second, t - 10 ** 10, t)
    while counts["head"] < 41:
        span(first, t, t + 20000000)
        gate[1], t = t, t + 20000000
        come()
    span(second, t, t + 10 ** 10)
    gate[1] = t + 200000000
    come()


if mode == "runs":
    run_always()
for i in range(100 if mode != "runs" else 0):
    span(first, t + i * 10000, t + i * 10000 + 4000)
    span(second, t + i * 10000 + 4000, t + i * 10000 + 5000, kind=1 + (i % 4 == 0))
if mode == "half":
    span(first, t + 2000000, t + 2010000, whole=False)
if mode == "names":
    for i in range(5000):
        span(name("kernel %d %s" % (i, "x" * 300)), t + 2000000 + i * 100, t + 2000050 + i * 100)
if mode == "megabyte":
    span(name("m" * (1 << 20)), t + 2000000, t + 2010000)
if mode == "lies":
    span(first, t + 3000000, t + 2000000)
    span(4000, t, t + 10)
    span(first, t, t + 10, queue_number=200)
    span(first, t, t + 10, kind=9)
    span(first, 1 << 63, (1 << 63) + 5)
    put(NAMES + 8 * counts["names"], "II", 0xfffffff0, 0xffffffff)
    put(HEAD + 32, "I", counts["names"] + 1)
    span(counts["names"], t + 2000000, t + 2010000)
if mode == "back":
    span(name("the last one"), t + 2000000, t + 2010000)
    patience = time.monotonic() + 300
    while b"the last one" not in open(os.environ["MADE"], "rb").read() and time.monotonic() < patience:
        time.sleep(0.01)
    put(HEAD + 40, "Q", 1)
put(QUEUES + 104 + 88, "QQ", counts["head"], counts["head"])
put(HEAD + 60, "I", 1 if mode != "half" else 0)
