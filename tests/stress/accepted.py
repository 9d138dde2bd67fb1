#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each option with each job: it changes what the job writes, or it is refused.

The options and the jobs come from the program's own tables, so that a new one fails here until it has a row. Prints "0 NAME" or "1 NAME"
for each point. Jobs are tried by processes of their own, side by side, each in its folder: most of their time they wait for a window.
With words, which are jobs, only these are tried."""
import glob
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tty"))
from share import in_share, share
from terminal import Terminal

program, source, tmp = sys.argv[1:4]
only = sys.argv[4:]     # jobs; without them all
DEVICE = ["-D", "sim:hd620"]
MAX = ["--speed", "max"]
KERNEL = "flops.private.mad.sp.x8"


def headers(pattern):
    """The texts of the program's headers in which tables of options and commands stand."""
    return "\n".join(open(name).read() for name in sorted(glob.glob(os.path.join(source, pattern))))


tables = headers("src/cli/common_options.h") + headers("src/cmd/*/*_options.h")
options = re.findall(r'\tX\("([a-z-]+)", (?:0|\'.\'), (NULL|"[^"]*"), (?:ONCE|MANY), ', tables)
jobs = [job for job in re.findall(r'X\("([^"]+)", (?:NULL|[a-z_]+), [A-Z"]', tables) if job != "the monitor"]


def path(name):
    return os.path.join(tmp, name)


def made(name, text):
    with open(path(name), "w") as f:
        f.write(text)
    return path(name)


# Words before the options of the test, and behind them.
windows = DEVICE + MAX + ["-n", "3"]
JOBS = {
    "--script": (["--script", made("script", "size 120x40\nwait 3\n" + "".join("key %d\nsave-screen -\n" % i for i in range(9)))] + DEVICE, []),
    "-b, -J, -c": (windows, []),
    "--intel-gpu-top-json": (windows + ["--intel-gpu-top-json"], []),
    "exports": (windows + ["--trace", os.path.join(tmp, "made.trace")], []),
    "stress": (["stress", "-c"] + DEVICE, [KERNEL]),
    "stress of two devices": (["stress", "-c"] + DEVICE + ["-D", "sim:tgl"], [KERNEL]),
    "stress help": (["stress", "help"] + DEVICE, ["flops.private.mad.dp.x8"]),      # which not every device runs
    "stress --dump-kernel": (["stress", "--dump-kernel"] + DEVICE, [KERNEL]),
    "stress --where": (["stress", "--where"] + DEVICE, [KERNEL]),
    "sweep": (["sweep", "-c"] + DEVICE, [KERNEL]),
    "sweep --figures": (["sweep", "--figures", "duarte2018", "-o", path("made.figures.csv")] + DEVICE, ["4.10"]),  # the one of the fewest runs
    "check": (["check"] + DEVICE, []),
    "calibrate": (["calibrate", "-c"] + DEVICE, ["sp.mad"]),
    "roofline": (["roofline", "-c"] + DEVICE, []),
    "explain limit": (["explain", "limit"] + DEVICE, []),
    "run": (["run", "-c"] + DEVICE, ["sleep", "0.1"]),
    "run of a recording": (["run", "-c", "-D", "file:" + path("kept.run")], []),
    "run --task": (["run", "--task"], ["true"]),
    "diff": (["diff"], [path("kept.a"), path("kept.b")]),
    "metrics": (["metrics"] + DEVICE, []),
    "metrics --check": (["metrics", "--check", made("good.metrics", "set good\nplatforms kblgt2\n")], []),
    "doctor": (["doctor"], []),
    "doctor --bundle": (["doctor", "-d", "0.05", "-n", "1", "--bundle", path("made.bundle")], []),
    "-L": (["-L"], []),
    "-m help": (["-m", "help"] + DEVICE, []),
    "--counter help": (["--counter", "help"], []),
    "explain": (["explain"] + DEVICE, ["eu_active"]),
}


XML = """<?xml version="1.0"?>
<metrics>
  <set name="Own" chipset="KBLGT2" symbol_name="OwnXml" underscore_name="own_xml" mdapi_supported_apis="VK"
   hw_config_guid="11111111-2222-3333-4444-555555555555">
    <counter name="GPU Core Clocks" symbol_name="GpuCoreClocks" underscore_name="gpu_core_clocks" description="clocks" data_type="uint64"
     units="cycles" semantic_type="EVENT" equation="GPU_CLOCK 0 READ" mdapi_group="GPU" mdapi_usage_flags="Tier1"
     mdapi_supported_apis="VK"/>
  </set>
</metrics>
"""
OWN = ["--metrics", made("own.metrics", "counter A7 cycle \"busy\"\nset owned\nplatforms kblgt2\nmetric a\nunit cycle\nvalue A7\n")]
DISPATCH = ["-m", "dispatch"]
os.mkdir(path("empty"))
# Words that have to be there already, and what is added to them. "=" stands for the device of this option.
ROWS = {
    "delay": ([], ["0.02"]),
    "delay-ms": ([], ["20"]),
    "iterations": ([], ["7"]),
    "columns": ([], ["gpu_busy,dram"]),
    "units": (["-c"], []),
    "output": ([], [path("made.out")]),
    "export": ([], ["prometheus:unix:" + path("missing/socket")]),
    "textfile": ([], [path("missing")]),
    "trace": ([], [path("made.json")]),
    "device": (["="], ["sim:tgl"]),
    "replay": (["="], [path("kept.recording")]),
    "speed": ([], ["50"]),
    "per-report": (["=", "-D", "file:" + path("kept.recording")], []),
    "record": ([], [path("made.recording")]),
    "overwrite": (["-w", path("kept.old")], []),
    "oa-period": ([], ["300ms"]),
    "context": (["=", "-D", "sim:hd620,load=desktop"], ["list"]),
    "access": ([], ["perf"]),
    "power": ([], ["none"]),
    "fsroot": (["=", "-D", "card9"], [path("empty")]),      # nobody has it; what is said names the devices that there are
    "set": ([], ["flops"]),
    "explain": ([], ["gpu_busy"]),
    "rotate": ([], ["overview,flops"]),
    "rotate-every": (["-m", "overview,flops"], ["2"]),
    "counter": ([], ["fpu0"]),
    "eu-events-in": (["--counter", "active"], ["0.1"]),
    "boolean": (DISPATCH, ["B6=any(L13)"]),
    "report-every": (DISPATCH, ["5:L13"]),
    "start-when": (DISPATCH, ["60000:L13"]),
    "markers": ([], [path("missing/fifo")]),
    "need-counters": (["=", "-D", "card9"], []),
    "cc-i": ([], ["fpu0"]),
    "cc-c": (["--cc-i", "fpu0"], ["row0"]),
    "cc-f": (["--cc-i", "fpu0"], ["ternary"]),
    "metrics": (["-m", "owned"], OWN[1:]),
    "metrics-xml": (["-m", "OwnXml"], [made("oa-own.xml", XML)]),
    "bundle": ([], [path("made.bundle")]),
    "check": ([], [path("good.metrics")]),
    "screen": ([], ["3"]),
    "tour": (["="], []),
    "script": ([], [path("script")]),
    "config": ([], [made("rc", "delay=0.25\nset=flops\n")]),
    "blocks": ([], ["3"]),
    "tpb": ([], ["64"]),
    "loop": ([], ["512"]),
    "launches": ([], ["7"]),
    "time": ([], ["0.35"]),
    "repeat": ([], ["3"]),
    "power-plane": ([], ["gpu"]),
    "cl-device": ([], ["0:0"]),
    "dump-binary": ([], [path("made.binaries")]),
    "dump": ([], [path("made.dump")]),
    "plot": ([], [path("made.svg")]),
    "over": ([], ["tpb"]),
    "figures": ([], ["duarte2018"]),
    "with": (["--plot", path("made.svg")], [path("kept.csv")]),
    "beside": ([], ["lat.chase.1m"]),
    "resume": (["-o", path("made.points")], []),
    "level": ([], ["2"]),
    "against": ([], [path("kept.check")]),
    "junit": ([], [path("made.junit")]),
    "html": ([], [path("made.html")]),
}
# Where a row needs more words in one job.
MORE = {
    ("stress", "delay"): ["--dump", path("made.windows")],
    ("stress", "delay-ms"): ["--dump", path("made.windows")],
    ("stress", "oa-period"): ["--dump", path("made.windows")],
    # Text is rounded.
    ("explain limit", "oa-period"): ["-J"],
    ("--script", "report-every"): ["-w", path("made.recording")],
    ("check", "time"): ["--level", "3"],
    ("check", "against"): ["-c", "--level", "2"],
    ("explain", "boolean"): ["b6_any_l13"],
    ("explain", "cc-c"): ["eu_fpu0_row0"],
    ("explain", "cc-f"): ["eu_fpu0_ternary"],
}
# In these the first form is not the one that the option asks for, or there is none.
NO_FORM = {("run", "all"), ("run of a recording", "all")}
# Options that say which job it is.
NAMES = {"list-devices", "explain", "script", "task", "check", "figures", "dump-kernel", "list", "where", "intel-gpu-top-json"}
# Simulated devices have no way of access, no OpenCL and no processes: options.sh, opencl.sh, batch.sh and eu_place.sh
# have these.
ELSEWHERE = {"access", "intel-gpu-top-classes", "validate", "tune", "cl-device", "eu-events-in"}
# What makes no difference to see: -b asks for what some jobs write anyway, and --speed only for how long it takes.
UNSEEN = {"batch", "speed"}
UNSEEN_IN = {("sweep", "csv"), ("doctor", "access"), ("--intel-gpu-top-json", "intel-gpu-top-classes")}
ANSWERS = {"help", "version"}


TIMES = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z|\d\d:\d\d:\d\d(\.\d+)?", re.ASCII)


def go(words):
    """Status, all that was written, and the standard output. Where no device is named it is a simulated one: nothing of this computer is
    measured."""
    shutil.rmtree(path("home"), ignore_errors=True)
    if os.path.exists(path("kept.points")):
        with open(path("made.points"), "w") as f:
            f.write(open(path("kept.points")).read().replace(",simulated,", ",remembered,"))
    run = subprocess.run([program] + words, stdin=subprocess.DEVNULL, capture_output=True, timeout=300, text=True, errors="replace",
                         env={**os.environ, "HOME": path("home"), "ROOFTOP_DEVICE": DEVICE[1]})
    made_files = ""
    for name in sorted(os.listdir(tmp)):
        if name.startswith("made"):
            made_files += name
            if os.path.isfile(path(name)):
                made_files += open(path(name), errors="replace").read()
                os.remove(path(name))
            else:
                shutil.rmtree(path(name))
    # Days, hours and what only this run took.
    text = TIMES.sub("TIME", run.stdout + run.stderr + made_files)
    if words[0] == "run":
        text = re.sub(r"\d+", "N", text)
    return run.returncode, text, run.stdout


def line(job, words, option, formless):
    before, behind = JOBS[job]
    if "=" in words:
        at = before.index("-D") if "-D" in before else None
        if at is not None:
            before = before[:at] + before[at + 2:]
        words = [w for w in words if w != "="]
    if formless:
        before = [w for w in before if w != "-c"]
    return before + words + option + behind


def point(name, wrong):
    print(int(bool(wrong)), name + (": " + " ".join(wrong) if wrong else ""), flush=True)


names = [name for name, _ in options]
seen = set()


def prepare():
    for words in (["-D", "sim:tgl", "-b", "-n", "3"] + MAX + ["-w", path("kept.recording")],
                  ["-D", "sim:hd620", "-b", "-n", "1"] + MAX + ["-w", path("kept.old")],
                  ["-D", "sim:hd620", "-b", "-n", "3"] + MAX + ["-w", path("kept.a")],
                  ["-D", "sim:hd620,load=copy.sp.x4", "-b", "-n", "3"] + MAX + ["-w", path("kept.b")],
                  ["run"] + DEVICE + ["-w", path("kept.run"), "--", "sleep", "0.1"],
                  ["sweep"] + DEVICE + ["mem.copy.sp.x4", "-o", path("kept.csv")],
                  ["sweep"] + DEVICE + [KERNEL, "-o", path("kept.points")],
                  ["check"] + DEVICE + ["--level", "2", "-c", "-o", path("kept.check")]):
        go(words)


def try_options(job):
    base = {}
    same = []
    for name in names:
        if name in ANSWERS or not in_share():
            continue
        words, value = ROWS.get(name, ([], []))
        if "--" + name in JOBS[job][0] or (name, job) == ("list-devices", "-L"):
            continue
        words = MORE.get((job, name), []) + words
        formless = name in ("batch", "json", "csv") or (job, name) in NO_FORM
        new = go(line(job, words, ["--" + name] + value, formless))
        if new[0] == 2 and not new[2]:
            continue
        plain = line(job, words, [], formless)
        if str(plain) not in base:
            base[str(plain)] = go(plain)
        old = base[str(plain)]
        if new[:2] != old[:2]:
            seen.add(name)
        elif name not in UNSEEN and (job, name) not in UNSEEN_IN and not (job == "run --task" and old[0] != 0):
            same.append(name)
    point("%s: every option changes what is written, or is refused" % job.lower(), same)


def try_jobs(some):
    prepare()
    for job in some:
        try_options(job)
    with open(path("seen"), "w") as f:
        f.write(" ".join(seen))


def side_by_side(n_parts):
    """Tries all jobs in so many processes, and takes over what they print and what their options have changed."""
    parts = []
    for i in range(n_parts):
        folder = path("part%d" % i)
        os.mkdir(folder)
        parts.append((folder, subprocess.Popen([sys.executable, "-B", __file__, program, source, folder] + jobs[i::n_parts])))
    for folder, part in parts:
        if part.wait() != 0:
            sys.exit("the jobs of %s were not all tried" % folder)
        seen.update(open(os.path.join(folder, "seen")).read().split())


if only:
    try_jobs(only)
    sys.exit()
point("every option of the table has a row in this test", [n for n, arg in options if arg != "NULL" and n not in ROWS])
point("every job of the table has a line in this test", [j for j in jobs if j not in JOBS])
side_by_side(3)


def on_screen(words):
    """What the terminal was sent: colours, the mouse, characters beyond ASCII, and the tab that is open."""
    os.makedirs(path("home"), exist_ok=True)
    screen = Terminal(program, DEVICE + words, path("home"))
    screen.wait_for(b"Roof")
    screen.send(b"q")
    screen.wait_end()
    screen.close()
    data = screen.data
    return [bool(re.search(rb"\x1b\[[0-9;]*\b[34][0-8][0-9;]*m", data)), bool(re.search(rb"\x1b\[\?[0-9;]*100[0-9][0-9;]*h", data)), any(c > 127 for c in data), b"[3 Roof" in data]


# The windows of the monitor are those of a script; here is what scripts do not use.
plain = on_screen([])
for words in (["--no-color"], ["--no-mouse"], ["--no-unicode"], ["--screen", "3"]):
    seen.add(words[0][2:])
    point("screen: %s changes what the terminal is sent" % words[0], [] if on_screen(words) != plain else ["same"])
never = [n for n in names if n not in seen | UNSEEN | ANSWERS | NAMES | ELSEWHERE]
if share == 1:
    point("each option changes something somewhere", never)
