#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what exports say of limits with the verdicts of JSON: export_verdict.py families JSON TEXT, or slices JSON TRACE."""
import json
import math
import re
import sys


def verdicts(path):
    """Returns the windows of each device, in order."""
    devices = {}
    for line in open(path, encoding="utf-8"):
        row = json.loads(line)
        if "verdict" in row:
            devices.setdefault(row.get("device", ""), []).append(row)
    assert devices, "no window has a verdict"
    return devices


def samples(text, family):
    """Returns the samples of a family as pairs of labels and value."""
    for line in text.splitlines():
        m = re.match(re.escape(family) + r"\{(.*)\} (\S+)$", line)
        if m:
            yield dict(re.findall(r'(\w+)="([^"]*)"', m.group(1))), float(m.group(2))


def families(path, got):
    text = open(got, encoding="utf-8").read()
    info = {labels["device"]: labels for labels, value in samples(text, "rooftop_bound_info") if value == 1}
    headroom = {labels["device"]: value for labels, value in samples(text, "rooftop_headroom_ratio")}
    devices = verdicts(path)
    assert len(devices) == 4 and info.keys() == devices.keys(), (info.keys(), devices.keys())
    kinds = set()
    for name, rows in devices.items():
        v = rows[-1]["verdict"]
        kinds.add(v["kind"])
        assert info[name]["kind"] == v["kind"] and info[name]["bound"] == (v["bound"] or ""), (info[name], v)
        # A device without headroom has no sample: 0 would be a number.
        assert (name in headroom) == (v["headroom"] is not None), (name, v)
        if name in headroom:
            assert math.isclose(headroom[name], v["headroom"], rel_tol=1e-3), (name, headroom[name], v)
    assert kinds == {"pipe", "bandwidth", "idle"}, kinds


def slices(path, trace):
    events = json.load(open(trace, encoding="utf-8"))
    devices = verdicts(path)
    tracks = {}
    for e in events:
        if e["ph"] == "X" and "kind" in e.get("args", {}):
            tracks.setdefault(e["pid"], []).append(e)
    assert len(tracks) == len(devices), (tracks.keys(), devices.keys())
    for rows, slices_ in zip(devices.values(), tracks.values()):
        assert len(rows) == len(slices_), (len(rows), len(slices_))
        end = 0
        for row, e in zip(rows, slices_):
            v = row["verdict"]
            for member in ("kind", "bound", "sentence"):
                assert (e["args"].get(member) or None) == (v[member] or None), (member, e, v)
            if v["headroom"] is not None:
                assert math.isclose(e["args"]["headroom"], v["headroom"], rel_tol=1e-9), (e, v)
            assert e["args"]["kept"] is False, (e, v)
            assert v["sentence"].startswith(e["name"]), (e, v)
            assert e["ts"] >= end - 1 and abs(e["dur"] / 1000 - row["window_ms"]) < 0.02 * row["window_ms"], (end, e, row["window_ms"])
            end = e["ts"] + e["dur"]


if __name__ == "__main__":
    {"families": families, "slices": slices}[sys.argv[1]](*sys.argv[2:])
