# SPDX-License-Identifier: GPL-3.0-or-later
"""Runtime power management of a card of plain files: each read of a file that the driver wakes for starts its delay anew, and after that the
card sleeps.

card_keeper.py FOLDER DELAY_S LOG: FOLDER is that of the card's device. LOG gets a line for each read, "sleeps" and "woken"."""
import ctypes
import os
import select
import struct
import sys
import time

IN_OPEN, IN_ACCESS = 0x20, 0x1
folder, delay_s, log = sys.argv[1], float(sys.argv[2]), open(sys.argv[3], 'a', buffering=1)
libc = ctypes.CDLL(None, use_errno=True)
notify = libc.inotify_init1(os.O_CLOEXEC)
watched = {}
# What the driver answers without the hardware wakes nothing.
files = [f'{folder}/{name}' for name in os.listdir(folder) if name in ('gpu_busy_percent', 'mem_busy_percent', 'gpu_metrics') or
         name.startswith('pp_dpm_')]
files += [f'{at}/{name}' for at, _, names in os.walk(f'{folder}/hwmon') for name in names if name.endswith(('_input', '_average'))]
for path in files:
    watched[libc.inotify_add_watch(notify, path.encode(), IN_ACCESS)] = os.path.basename(path)


def tell(state):
    with open(f'{folder}/power/runtime_status.new', 'w') as f:
        f.write(state + '\n')
    os.rename(f'{folder}/power/runtime_status.new', f'{folder}/power/runtime_status')


used, asleep = time.monotonic(), False
log.write('ready\n')
while os.getppid() != 1:
    if select.select([notify], [], [], 0.05)[0]:
        data = os.read(notify, 65536)
        while data:
            wd, _, _, length = struct.unpack_from('iIII', data)
            log.write(f'{"woken" if asleep else "read"} {watched[wd]}\n')
            data = data[16 + length:]
        used = time.monotonic()
        if asleep:
            tell('active')
        asleep = False
    elif not asleep and time.monotonic() - used > delay_s:
        tell('suspended')
        log.write('sleeps\n')
        asleep = True
