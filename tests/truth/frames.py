#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds each drawn frame's answer against the health line and the panes of the same frame, while loads change and in the tour.

usage: frames.py ROOFTOP [SEED|all]

A virtual clock moves the screen. Without "all" it is a sample, which is always the same; a seed draws another one."""
import itertools
import os
import random
import re
import subprocess
import sys
import tempfile


CASES = 40
MOST_FRAMES = 60
WINDOWS_S = (0.05, 0.2, 1, 5)
TOUR_WINDOWS_S = (0.1, 0.2, 0.5, 1, 1.5, 2, 3, 5, 10)
CHANGES_S, TOUR_S = 10, 44      # the time that is looked at
INTEL = ("idle", "stream.sp.x4", "private.mad.sp.x4", "copy.sp.x4", "chase", "launch.wait", "power.mad.sp.x8")
LOADS = {
    "hd620": INTEL, "chv": INTEL, "tgl": INTEL, "dg2": INTEL, "lnl": INTEL, "mtl": INTEL, "hsw": INTEL,
    "g72": ("idle", "ui", "geometry", "memory", "compute", "turns"), "g710": ("idle", "filters", "blits", "fill", "vsync", "lookups"),
    "h100": ("idle", "stream", "fma", "gemm", "chase", "launches"), "rtx4090": ("idle", "fma", "gemm", "launches"),
    "rx7900": ("idle", "compute", "power", "hot", "launches"), "mi300x": ("idle", "compute", "power", "hot", "launches"),
    "strix": ("idle", "compute", "memory", "hot", "launches"),
}
# The instances of a divided card, and GPUs that do not exist: other units beside another memory, power limit and clock.
for divided in ("h100,mig=421", "h100,mig=11,watts=90", "h100,mig=421,id=0x20b0"):
    LOADS[divided] = ("idle", "stream", "fma", "chase", "launches")
OTHERS = {"hd620": (0x3e92, 0x5a84, 0x3ea6, 0x1912), "tgl": (0x9a60, 0x46d4, 0xa7a0, 0x4680), "dg2": (0x56a2, 0x5691, 0x56c2), "lnl": (0xe20b, 0x6420),
          "h100": (0x1db1, 0x20b0, 0x2335, 0x2901), "rtx4090": (0x1eb8, 0x2204, 0x26b9, 0x2b85)}
INVENTED = 36           # of them, where all are asked
WAITS = ("PARTLY IDLE", "HOST-BOUND")
HELD = ("HEAT-LIMITED", "POWER-LIMITED", "CURRENT-LIMITED", "CLOCK-LIMITED")
NOTHING = ("IDLE", "CHANGING", "MEASURING", "ASLEEP") + WAITS

ANSWER = re.compile(r"^▸([A-Z][A-Z? -]*[A-Z?])(?:  +|$)(.*)")
HEALTH = re.compile(r"^ busy +(\S+) % .*?clock +([\d.]+)[ /](?:of )?([\d.]+) ?MHz(?:.*?power +([\d.]+)/(\d+) ?W)?")
PANE = re.compile(r"│ ([A-Z][\w+<>./ -]*?) +~? *([\d.]+k?) /")


def number(text):
    return float(text[:-1]) * 1000 if text.endswith("k") else float(text)


def near(a, b, share=0.025, least=1.1):
    return abs(a - b) <= max(share * max(abs(a), abs(b)), least)


class Frame:
    def __init__(self, text):
        self.rows = text.split("\n")
        head = next((ANSWER.match(row) for row in self.rows if ANSWER.match(row)), None)
        self.kind, self.line = (head[1], head[2]) if head else (None, "")
        self.because = " ".join(row for row in self.rows if row.startswith((" because", " try ")))
        health = next((HEALTH.match(row) for row in self.rows if HEALTH.match(row)), None)
        self.busy = float(health[1]) if health and health[1] != "--" else None
        self.clock, self.highest = (float(health[2]), float(health[3])) if health else (None, None)
        self.watts = float(health[4]) if health and health[4] else None
        self.panes = {name.strip(): number(v) for name, v in PANE.findall(text)}
        self.stalled = next((float(v) for v in re.findall(r"stalled +(\d+)", text)), None)

    def refuted(self):
        """Yields what of the answer another number of this frame refutes."""
        said = self.line + " " + self.because
        if not self.kind:
            yield "there is no answer"
        if "##" in said or "nan" in said:
            yield "a number is cut"
        if self.kind == "CHANGING" and (self.because or re.search(r"headroom +~?[\d]|at most", self.line)):
            yield "what changes has reasons"
        if self.busy is not None:
            yield from self.refuted_by_busy(said)
        if self.clock is not None:
            yield from self.refuted_by_clock(said)
        for watts in re.findall(r"([\d.]+) of [\d.]+ W", said):
            if self.watts is not None and not near(float(watts), self.watts, 0.03, 0.15):
                yield f"{watts} W, and {self.watts} W"
        for name, value in re.findall(r"(\w[\w ]*?) ~?([\d.]+) of [\d.]+ [GM]B/s", self.line):
            if name in self.panes and not near(float(value), self.panes[name], 0.025, 0.06):
                yield f"{name} {value}, and {self.panes[name]}"
        for value, of in re.findall(r"the (?:EUs|XVEs) wait ([\d.]+) % of the (busy )?time", said):
            of_all = float(value) * (self.busy / 100 if of and self.busy is not None else 1)
            if self.stalled is not None and not near(of_all, self.stalled):
                yield f"waits for {of_all} %, and for {self.stalled} %"

    def refuted_by_busy(self, said):
        if self.kind == "IDLE" and self.busy >= 10:
            yield f"idle, and busy {self.busy} %"
        if self.kind in WAITS and self.busy >= 97:
            yield f"waits for work, and busy {self.busy} %"
        if self.kind not in NOTHING and self.kind and "BANDWIDTH" not in self.kind and self.busy < 60:
            yield f"it has work, and is busy {self.busy} %"
        for value in re.findall(r"(?<!: )\b(?:busy|there is work) ([\d.]+) %", self.line if self.kind in NOTHING else ""):
            if not near(float(value), self.busy):
                yield f"busy {value} %, and {self.busy} %"

    def refuted_by_clock(self, said):
        if self.kind in HELD and "at most" not in self.line and self.clock >= 0.985 * self.highest:
            yield "the clock is held, and is at its highest"
        if "the clock is at its maximum" in said and self.clock < 0.96 * self.highest:
            yield f"the clock is at its maximum, and at {self.clock:.0f} MHz"
        for value in re.findall(r"clock ([\d.]+) of [\d.]+ MHz", self.line):
            if not near(float(value), self.clock, 0.02, 2):
                yield f"clock {value} MHz, and {self.clock:.0f} MHz"


def invent(chance):
    """Returns a device that does not exist, and the loads of what it is made of."""
    name = chance.choice([*OTHERS, "rx7900", "mi300x", "strix"])
    words = [name, f"mhz={chance.randint(600, 2600)}", f"watts={chance.randint(12, 40) * (1 if name in ('hd620', 'tgl', 'lnl', 'strix') else 14)}",
             f"dram={chance.randint(20, 90) * {'hd620': 1, 'tgl': 1, 'lnl': 4, 'strix': 1}.get(name, 20)}"]
    if name in OTHERS:
        words += [f"id={chance.choice(OTHERS[name]):#x}", f"delivers={chance.randint(40, 95)}"]
    return ",".join(words), LOADS.get(name, LOADS["mi300x"])


def changes_of(chance, n):
    """Changes of load of devices that do not exist."""
    for _ in range(n):
        device, loads = invent(chance)
        first, second = chance.sample(loads, 2)
        yield f"sim:{device},load={first}>{second}@2s", chance.choice(WINDOWS_S), CHANGES_S


def cases_of(seed):
    changes = [(f"sim:{d},load={a}>{b}@2s", w, CHANGES_S) for d, loads in LOADS.items()
               for a, b in itertools.permutations(loads, 2) for w in WINDOWS_S]
    tours = [(f"sim:{d}", w, TOUR_S) for d in LOADS for w in TOUR_WINDOWS_S]
    if seed == "all":
        return changes + tours + list(changes_of(random.Random(0), INVENTED * len(WINDOWS_S)))
    chance = random.Random(int(seed))
    return chance.sample(changes, CASES // 2) + chance.sample(tours, CASES // 4) + list(changes_of(chance, CASES // 4))


def frames_of(rooftop, device, window_s, total_s):
    n = min(int(total_s / window_s), MOST_FRAMES)
    with tempfile.NamedTemporaryFile("w", suffix=".screen") as script:
        script.write("size 80x24\n" + f"wait {window_s}\nsave-screen -\n" * n)
        script.flush()
        out = subprocess.run([rooftop, "-D", device, "-d", str(window_s), "--script", script.name],
                             capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C.UTF-8"})
    pictures = re.split(r"(?m)^(?= (?:rooftop )? *SIM )", out.stdout)[1:]
    return [Frame(p) for p in pictures], out.stderr


def main():
    seed = sys.argv[2] if len(sys.argv) > 2 else "1"
    wrong = total = 0
    for device, window_s, total_s in cases_of(seed):
        frames, errors = frames_of(sys.argv[1], device, window_s, total_s)
        total += len(frames)
        if not frames:
            wrong += 1
            print(f"# {device} -d {window_s}: no frame: {errors.strip()}")
        for i, frame in enumerate(frames):
            for why in frame.refuted():
                wrong += 1
                print(f"# {device} -d {window_s}, frame {i}: {why}")
                print("\n".join("#   " + row for row in frame.rows[2:7]))
    print(f"# seed {seed}: {total} frames, {wrong} refuted")
    print(f"{'not ok' if wrong else 'ok'} 1 - no drawn answer is refuted by its frame")
    print("1..1")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
