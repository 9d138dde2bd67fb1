# SPDX-License-Identifier: GPL-3.0-or-later
"""The virtual clock of a rooftop on the fake kernel, for the program that started it (clocks.c, gate)."""
import mmap, struct, time

PATIENCE_S = 300        # against hanging only


class Gate:
    """The next rooftop on that machine goes so far after its start, and stands there."""

    def __init__(self, root, seconds):
        with open(root + '/gate', 'wb') as f:
            f.write(struct.pack('=qq', 0, -int(seconds * 1e9)))
        with open(root + '/gate', 'r+b') as f:
            self.words = memoryview(mmap.mmap(f.fileno(), 16)).cast('q')

    def stands(self):
        """Whether it has come that far."""
        return 0 < self.words[1] <= self.words[0]

    def wait(self):
        until = time.monotonic() + PATIENCE_S
        while not self.stands() and time.monotonic() < until:
            time.sleep(0.01)

    def go(self, seconds):
        """So much further, and no more."""
        self.wait()
        self.words[1] += int(seconds * 1e9)
