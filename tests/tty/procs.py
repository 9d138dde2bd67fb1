# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes of this machine, as /proc has them."""
import os


def pids():
    return [int(entry) for entry in os.listdir('/proc') if entry.isdigit()]


def stat(pid):
    """Name, parent and state; one that is gone is a zombie of nobody."""
    try:
        name, rest = open(f'/proc/{pid}/stat').read().split('(', 1)[1].rsplit(')', 1)
        return name, int(rest.split()[1]), rest.split()[0]
    except (OSError, IndexError):
        return '', 0, 'Z'


def is_alive(pid):
    """A zombie whose parent is gone is not ours to wait for."""
    return stat(pid)[2] != 'Z'


def children(pid, name):
    """Those of a process that have this name."""
    return {p for p in pids() if stat(p)[:2] == (name, pid)}


def cpu_s(pid):
    """Seconds of a processor that it has had."""
    words = open(f'/proc/{pid}/stat').read().rsplit(')', 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf('SC_CLK_TCK')
