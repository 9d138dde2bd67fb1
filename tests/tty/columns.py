#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What --columns promises, for every metric of every simulated device's usual set: its name and its label mean it, the columns come in the
order that was asked for with the values that they have without it, and nothing else of JSON changes. Prints "0 NAME" or "1 NAME" for each
point."""
import csv
import io
import json
import re
import subprocess
import sys

program = sys.argv[1]
HEAD, TAIL = ["t", "mono_ns", "window_ms", "lost", "sim"], ["verdict", "bound", "share", "headroom", "verdict_kept"]
SHORT = ["dram", "power", "clock", "temperature", "flops"]
# What no file, counter or sensor of the simulated machine tells.
LACKS = {"dram": {"rtx4090", "rx7900", "mi300x"}, "power": {"g72", "g52", "g710"}, "clock": set(), "flops": {"hsw", "rtx4090", "rx7900", "mi300x", "strix"},
         "temperature": {"hd620", "chv", "tgl", "dg2", "lnl", "mtl", "hsw", "g72", "g52", "g710"}}
# Without -m a glance at a second set makes a union of both, which no set alone has.
ONE_SET = {"mtl": ["-m", "memory"]}
# In turns a word means the metric of any of the sets; the glance at a second one is such a turn.
TURNS = {"hd620": ["-m", "overview,flops,eumap"], "mtl": []}


def run(device, *words, sets=None):
    sets = ONE_SET.get(device, []) if sets is None else sets
    done = subprocess.run([program, "-D", "sim:" + device, "--speed", "max", "-n", "2", *sets, *words], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


def point(name, wrong):
    print(int(bool(wrong)), name + (": " + " ".join(map(str, wrong)) if wrong else ""), flush=True)


def table(text):
    rows = list(csv.reader(io.StringIO(text)))
    return rows[0], rows[1:]


help_text = subprocess.run([program, "-D", "sim:help"], capture_output=True, text=True).stdout
devices = [name for part in re.findall(r"Names:\n(.*?)\n\n", help_text + "\n\n", re.S) for name in re.findall(r"^  ([a-z0-9]+)  ", part, re.M)]
point("the simulated devices can be listed", [] if len(devices) >= 12 else devices)
for device in devices:
    head, rows = table(run(device, "-c")[1])
    names = [n for n in head if n not in HEAD + TAIL and "[" not in n]
    wrong = []
    # All of them, from behind.
    asked = list(reversed(names))
    status, out, _ = run(device, "-c", "-k", ",".join(asked))
    new_head, new_rows = table(out)
    if status or [n for n in new_head if "[" not in n] != HEAD + asked + TAIL:
        wrong.append("order")
    old, new = [dict(zip(head, r)) for r in rows], [dict(zip(new_head, r)) for r in new_rows]
    wrong += [n for n in names if [r[n] for r in old] != [r.get(n) for r in new]]
    point(device + ": every name is a column with its values, in the order asked for", wrong[:5])
    # Labels.
    listed = subprocess.run([program, "-D", "sim:" + device, *ONE_SET.get(device, []), "metrics", "-J"], capture_output=True, text=True).stdout
    metrics = [json.loads(line) for line in listed.splitlines()]
    shown = [m for m in metrics if not m["hidden"] and m["name"] in names]
    labels = {m["name"]: m["label"] for m in shown}
    every = sorted({m["label"] for m in shown if m["label"] and "," not in m["label"] and m["label"].lower() not in SHORT})
    status, out, err = run(device, "-c", "-k", ",".join(every))
    found = [n for n in table(out)[0] if n in labels] if out else []
    # A label that is also a name means that name.
    wrong = [lab for lab in every if lab not in names and lab.lower() not in {labels[n].lower() for n in found}]
    point(device + ": every label means a metric that has it", ([status] if status else []) + wrong[:5])
    double = {lab for lab in every if sum(m["label"].lower() == lab.lower() for m in shown) > 1 and lab not in names}
    point(device + ": of two metrics with one label the other is named", [lab for lab in double if "'%s' is " % lab not in err][:5])
    # Short words.
    wrong = []
    for word in SHORT:
        lacks = device in LACKS[word]
        for form in "-b", "-c", "-J":
            status, out, err = run(device, form, "-k", word)
            if status or ("has no number: not offered by this device's sources" in err) != (lacks and form != "-J"):
                wrong.append((word, form, err))
            elif form == "-b":
                told = [line.split() for line in out.splitlines() if re.match(r"SIM \d", line)]
                wrong += [(word, form, t) for t in told if len(t) != 4 or (lacks and t[3] != "--")]
            elif form == "-c":
                head, rows = table(out)
                wrong += [(word, form, r) for r in rows if len([n for n in head if "[" not in n]) != len(HEAD + TAIL) + 1 or (lacks and r[5])]
            else:
                windows = [json.loads(line) for line in out.splitlines()[1:]]
                whys = [list(x["why"].values()) for x in windows]
                wrong += [(word, form, y) for x, y in zip(windows, whys) if len(x["metrics"]) != 1 or ("no_source" in y) != lacks]
            status, _, err = run(device, form, "-k", word, sets=TURNS[device]) if device in TURNS else (0, "", "")
            wrong += [(word, form, err)] if status else []
    point(device + ": short words mean what the device counts of it, or have no number and a reason", wrong)
    # JSON: what is filtered, and nothing else.
    two = [n for n in ("gpu_busy",) if n in names] + names[-1:]
    plain, less = ([json.loads(line) for line in run(device, "-J", *more)[1].splitlines()] for more in ((), ("-k", ",".join(two))))
    wrong = []
    for a, b in zip(plain, less):
        for window in (a, b):
            window.pop("t", None)
        for member in ("metrics", "why"):
            if member in a:
                a[member] = {k: v for k, v in a[member].items() if k in two}
        if "estimated" in a:
            a["estimated"] = [n for n in a["estimated"] if n in two]
        wrong += [k for k in a if a[k] != b.get(k)] + [k for k in b if k not in a]
    point(device + ": JSON has fewer metrics, reasons and estimates, and all else as before", wrong)
    # Units.
    units = plain[0]["units"]
    out = run(device, "-c", "--units")[1]
    rows = list(csv.reader(io.StringIO(out)))
    wrong = [n for n, u in zip(rows[0], rows[1]) if n in units and u != units[n]]
    point(device + ": the line of units is that of JSON's head", wrong[:5] + (["length"] if len(rows[0]) != len(rows[1]) else []))
