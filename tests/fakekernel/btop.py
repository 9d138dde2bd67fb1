# SPDX-License-Identifier: GPL-3.0-or-later
# btop.py NUMBER HOME PROGRAM...: what btop shows of its GPU with that number, in six lines: percent, MHz, degrees, GiB in all and taken, percent of the memory.
import os, re, sys, time
from terminal import Terminal, PATIENCE

number, home, program = sys.argv[1], sys.argv[2], sys.argv[3:]
os.makedirs(home + '/.config/btop', exist_ok=True)
with open(home + '/.config/btop/btop.conf', 'w') as f:
    f.write(f'shown_boxes = "gpu{number}"\nupdate_ms = 500\n')
btop = Terminal(program[0], program[1:] + ['--utf-force'], home)
wanted = [rb'GPU \S*\s+(\d+)%', rb'(\d+) Mhz', rb'(\d+)\xc2\xb0C', rb'Total:\s+([\d.]+) GiB', rb'Used:[^0-9]*([0-9.]+)[^0-9]{0,4}GiB',
          rb'Utilization:.*?(\d+)%']
end = time.monotonic() + PATIENCE
found = []
while time.monotonic() < end and not btop.ended():
    btop.read(0.1)
    # A place on the screen is a blank here, a colour is nothing.
    text = re.sub(rb'\x1b\[[\d;]*m', b'', btop.data)
    text = re.sub(rb'\x1b\[[\d;?]*[A-Za-z]', b' ', text)
    found = [re.search(w, text, re.S) for w in wanted]
    if all(found):
        break
btop.send(b'q')
btop.wait_end()
for w, m in zip(wanted, found):
    print(m.group(1).decode() if m else f'nothing like {w}')
