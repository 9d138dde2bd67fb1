#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# static.py PROGRAM TERM: draws the first screen on a terminal of that kind in a folder that has nothing but the program, and quits.
import os
import pty
import shutil
import sys
import tempfile

program, term = sys.argv[1:]
root = tempfile.mkdtemp()
shutil.copy(program, root + '/rooftop')
pid, fd = pty.fork()
if pid == 0:
    os.chroot(root)
    os.chdir('/')
    os.execve('/rooftop', ['/rooftop', '-D', 'sim:hd620'], {'TERM': term, 'LINES': '40', 'COLUMNS': '120'})
text = b''
asked = False
while True:
    try:
        data = os.read(fd, 65536)
    except OSError:
        data = b''
    if not data:
        break
    text += data
    if b'FLOP/cycle' in text and not asked:
        os.write(fd, b'q')
        asked = True
status = os.waitpid(pid, 0)[1]
doctor = os.fork()
if doctor == 0:
    os.chroot(root)
    os.chdir('/')
    os.execve('/rooftop', ['/rooftop', 'doctor'], {})
# There is no GPU, and nothing has failed.
found = os.waitstatus_to_exitcode(os.waitpid(doctor, 0)[1])
shutil.rmtree(root)
if found != 3:
    sys.exit(f'doctor ended with {found}')
if not asked:
    sys.exit('no screen on %s: %r' % (term, text[-300:]))
sys.exit(os.waitstatus_to_exitcode(status))
