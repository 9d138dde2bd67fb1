#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what rooftop says of simulated devices with what tests/truth/relax works out from the model.

usage: check.py ROOFTOP RELAX TABLE [SPEC...]
       check.py --window FILE RELAX SPEC

Each row is a test. Rows that disagree are printed with their evidence. With specs only these are tried. --window judges the last window
of a file, of a machine whose GPU does what the spec says."""
import itertools
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tty"))
from share import in_share

WINDOWS = 4             # a short window that says another kind than the one before waits for the next
WINDOW_MS = 200

# The tour: memory, FPUs, FPUs beside busy cores, nothing, for five seconds each. Windows of one and a half, by number: the kind that
# is right, and whether the window holds two loads.
PHASE_DEVICES = ("hd620", "chv", "tgl", "lnl")
PHASE_S = 1.5
PHASES = ((1, "bandwidth", False), (5, "pipe", False), (8, "power", False), (12, "idle", False))


def specs_of(table):
    for line in open(table, encoding="utf-8"):
        line = line.split("#")[0].strip()
        if not line:
            continue
        devices, loads, options = (part.split() for part in line.split("|"))
        for device, load, option in itertools.product(devices, loads, options):
            yield f"{device},load={load}" + ("" if option == "-" else "," + option)


def expectations(relax, specs):
    """Returns rows of spec, kinds, bounds, least, most, why, causes; loads that a device cannot run have none. A load that no device knows is a
    mistake of the table."""
    text = subprocess.run([relax], input="\n".join(specs) + "\n", capture_output=True, text=True, check=False)
    for line in text.stderr.splitlines():
        if "which this GPU does not have" not in line:
            sys.exit(f"no row: {line}")
    return [line.split("\t") for line in text.stdout.splitlines()]


def last_verdict(text, otherwise="no verdict was printed"):
    verdicts = [json.loads(line)["verdict"] for line in text.splitlines() if '"verdict"' in line]
    if not verdicts:
        return {"kind": "", "bound": None, "because": [otherwise]}
    # A load that is near a border may be asked once more in the last window.
    return next((v for v in reversed(verdicts) if v["kind"] != "measuring"), verdicts[-1])


def verdict_of(rooftop, spec):
    out = subprocess.run([rooftop, "-D", "sim:" + spec, "--speed", "max", "-J", "-n", str(WINDOWS), "-s", str(WINDOW_MS)],
                         capture_output=True, text=True, check=False)
    return last_verdict(out.stdout, out.stderr.strip())


def disagreement(row, verdict):
    """Returns a word for what is wrong, or None."""
    _, kinds, bounds, least, most, _, causes = row
    if verdict["kind"] not in kinds.split("|"):
        return "kind"
    if bounds != "*" and verdict["bound"] not in bounds.split("|"):
        return "bound"
    if causes != "-" and not set(causes.split("|")) & set(verdict["causes"]):
        return "cause"
    headroom = verdict.get("headroom")
    if least == "-" or (headroom is None and "unknown" in kinds):
        return None
    if headroom is None or not float(least) <= headroom <= float(most):
        return "headroom"
    return None


def evidence(row, verdict, wrong):
    _, kinds, bounds, least, most, why, causes = row
    print(f"#   {wrong}: wanted {kinds} {bounds}, headroom {least} to {most}, causes {causes}; got {verdict.get('headroom')}")
    print(f"#   the model: {why}")
    print("#   rooftop:", json.dumps({k: v for k, v in verdict.items() if k != "try"}))


def phases(rooftop):
    """Yields what disagrees, or None, with a name."""
    for device in PHASE_DEVICES:
        out = subprocess.run([rooftop, "-D", "sim:" + device, "--speed", "max", "-J", "-n", "13", "-d", str(PHASE_S)],
                             capture_output=True, text=True, check=False)
        verdicts = [json.loads(line)["verdict"] for line in out.stdout.splitlines() if '"verdict"' in line]
        for window, kind, mixed in PHASES:
            got = verdicts[window]
            good = got["kind"] == kind and ("mixed" in got["flags"]) == mixed
            name = f"{device},load=tour after {PHASE_S * window} s: {kind}{', two loads' if mixed else ''}"
            yield name, None if good else (got["kind"], got["flags"])


def judge(path, relax, spec):
    row = expectations(relax, [spec])[0]
    with open(path, encoding="utf-8") as f:
        verdict = last_verdict(f.read())
    wrong = disagreement(row, verdict)
    if wrong:
        evidence(row, verdict, wrong)
    return wrong is not None


def main():
    if sys.argv[1] == "--window":
        return judge(*sys.argv[2:])
    rooftop, relax, table = sys.argv[1:4]
    rows = expectations(relax, sys.argv[4:] or [spec for spec in specs_of(table) if in_share()])
    with ThreadPoolExecutor(2) as pool:
        verdicts = list(pool.map(lambda row: verdict_of(rooftop, row[0]), rows))
    wrong = [disagreement(row, verdict) for row, verdict in zip(rows, verdicts)]
    failed = sum(1 for w in wrong if w)
    for n, (row, verdict, w) in enumerate(zip(rows, verdicts, wrong), 1):
        print(f"{'not ok' if w else 'ok'} {n} - {row[0]}: {verdict['kind']} {verdict['bound']}")
        if w:
            evidence(row, verdict, w)
    n = len(rows)
    for name, got in phases(rooftop) if len(sys.argv) == 4 else ():
        n += 1
        print(f"{'not ok' if got else 'ok'} {n} - {name}")
        if got:
            print(f"#   got: {got}")
            failed += 1
    print(f"# {n - failed} of {n} rows agree; {sum('|' not in row[1] for row in rows)} have one kind that is right")
    print(f"1..{n}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
