#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""moving.py SECONDS FRAME.svg... > PICTURE.svg: pictures of the screen one after the other, as one SVG that moves by itself.

The frames are those that save-screen writes: a root with a size, one <style>, and what is drawn. Class names mean another colour in
each frame, so each frame's get its number. Lines that frames share are written once."""
import re
import sys

seconds = float(sys.argv[1])
frames = []
for path in sys.argv[2:]:
    text = open(path, encoding="utf-8").read()
    root, style, body = re.fullmatch(r"(<svg [^>]*>)\s*<style>(.*?)</style>\s*(.*?)</svg>\s*", text, re.S).groups()
    frames.append((root, style, body))
assert len(frames) > 1 and len({f[0] for f in frames}) == 1, "frames of one size"

# Rules of fixed classes stay, those of colours (.r0 to .rN) become one list of all frames.
rules, names = [], {}
common = re.sub(r"\.r\d+\{[^}]*\}", "", frames[0][1])
bodies = []
for _, style, body in frames:
    own = {}
    for number, rule in re.findall(r"\.r(\d+)\{([^}]*)\}", style):
        if rule not in names:
            names[rule] = f"r{len(names)}"
            rules.append(f".{names[rule]}{{{rule}}}")
        own["r" + number] = names[rule]
    bodies.append(re.sub(r'class="([^"]*)"', lambda m: 'class="%s"' % " ".join(own.get(c, c) for c in m[1].split()), body).splitlines())

total = seconds * len(frames)
share = 100 / len(frames)
print(frames[0][0])
print("<style>" + common + "".join(rules))
print(f"@keyframes turn{{0%{{visibility:visible}}{share:.3f}%{{visibility:hidden}}100%{{visibility:hidden}}}}")
print(f".frame{{visibility:hidden;animation:turn {total:g}s step-end infinite}}")
for i in range(len(frames)):
    print(f".t{i}{{animation-delay:{i * seconds:g}s}}")
# Who wants nothing that moves, and what cannot move pictures, has the first frame.
print(".t0{visibility:visible}@media (prefers-reduced-motion:reduce){.frame{animation:none}}</style>")
same = set(bodies[0]).intersection(*bodies[1:])
first = [line for line in bodies[0] if line in same and line.startswith("<rect")]
print("\n".join(first))
for i, body in enumerate(bodies):
    print(f'<g class="frame t{i}">')
    print("\n".join(line for line in body if line not in first))
    print("</g>")
print("</svg>")
