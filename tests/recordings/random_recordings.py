#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings whose counters are random, of all sets of subslices on all of their platforms: a percentage far below 0 or beyond its
ceiling is no number.

random_recordings.py PROGRAM SOURCE FOLDER ROUNDS. The words of a report that say which one it is are sound; counters, and some topologies, are not.
Prints "0 NAME" or "1 NAME" for each point."""
import glob
import json
import os
import random
import re
import struct
import subprocess
import sys

program, source, folder, rounds = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
HZ, PERIOD, REPORTS = 12000000, 120000, 6
SAMPLE, VERSION, INFO, TOPOLOGY, CORRELATION = 1, 65536, 65537, 65538, 65539
OA_FORMAT, OAG_FORMAT = 10, 12      # of DRM_I915_PERF_PROP_OA_FORMAT as recordings have it: up to Gen12.0, and from Gen12.5 on
SHARES = {}                         # "platform set": its metrics that have 100 % as ceiling


def parts():
    """[(platform, set, guid)] of the files of metrics."""
    found = []
    for path in sorted(glob.glob(os.path.join(source, "data/metrics/subslices-*.metrics"))):
        platforms, name = [], None
        for line in open(path):
            words = line.split()
            if words[:1] == ["set"]:
                name = words[1]
            elif words[:1] == ["platforms"]:
                platforms = words[1:]
            elif words[:1] == ["guid"]:
                found += [(p, name, words[1]) for p in platforms]
    return found


def cards():
    """Platform to its cards: [(PCI id, slices, subslices of each, EUs of each)]."""
    rows = {}
    for row in re.findall(r'\{ (0x[0-9a-f]+), "([a-z0-9]+)", .*?, (\d+), (\d+), (\d+) \}',
                          open(os.path.join(source, "backends/intel/platform/pci_ids.c")).read()):
        if row[4] != "0":
            rows.setdefault(row[1], []).append((int(row[0], 16),) + tuple(map(int, row[2:])))
    return rows


def record(kind, body):
    body += bytes(-len(body) % 8)
    return struct.pack("<IHH", kind, 0, 8 + len(body)) + body


def topology(rng, slices, subslices, eus):
    """As DRM_I915_QUERY_TOPOLOGY_INFO gives it; one in five has masks that contradict the card."""
    odd = rng.random() < 0.2
    stride, eu_stride = (subslices + 7) // 8, (eus + 7) // 8
    eu_offset = 1 + slices * stride
    head = struct.pack("<8H", 0, slices, subslices, eus, 1, stride, eu_offset, eu_stride)
    body = bytes([(1 << slices) - 1 if not odd else rng.randrange(256)])
    for _ in range(slices):
        mask = (1 << subslices) - 1
        if odd:
            mask = rng.randrange(1 << 8 * stride)
        elif rng.random() < 0.3:
            mask &= ~(1 << rng.randrange(subslices)) or mask
        body += mask.to_bytes(stride, "little")
    for _ in range(slices * subslices):
        mask = rng.randrange(1 << 8 * eu_stride) if odd else (1 << eus) - 1
        body += mask.to_bytes(eu_stride, "little")
    return head + body


def report(rng, at, ticks):
    """Time stamp and clock go on, the rest is as it comes: anything, or hardly more than before."""
    words = [rng.getrandbits(32) for _ in range(64)]
    if rng.random() < 0.3:
        words = [(at * rng.randrange(1 << 20)) & 0xffffffff for _ in range(64)]
    words[0:4] = [1 << 19 | 1 << 16 | 54, ticks & 0xffffffff, 0x1234, (at * rng.randrange(1, 20000000)) & 0xffffffff]
    return struct.pack("<64I", *words)


def write(rng, path, card, name, guid, xe):
    info = struct.pack("<Q7I256s40sI", HZ, card[0], 2, 300000000, 1050000000, 0, 0, OAG_FORMAT if xe else OA_FORMAT, name.encode(),
                       guid.encode(), 0)
    start = 0x40001000
    with open(path, "wb") as f:
        f.write(record(VERSION, struct.pack("<2I", 1, 0)) + record(INFO, info) + record(TOPOLOGY, topology(rng, *card[1:])))
        f.write(record(CORRELATION, struct.pack("<2Q", 10 ** 12, start)))
        for i in range(REPORTS):
            f.write(record(SAMPLE, report(rng, i, start + PERIOD * i)))
        f.write(record(CORRELATION, struct.pack("<2Q", 10 ** 12 + REPORTS * 10 ** 7, start + PERIOD * REPORTS)))


def go(words):
    run = subprocess.run([program] + words, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=300)
    return run.returncode, [json.loads(line) for line in run.stdout.splitlines()], run.stderr


def shares(path, platform, name):
    """Metrics of the set that have 100 % as ceiling."""
    key = platform + " " + name
    if key not in SHARES:
        SHARES[key] = {m["name"] for m in go(["metrics", "-r", path, "-m", name, "-J"])[1] if (m["max"] or "").startswith("100")}
    return SHARES[key]


def beyond(window, names):
    """What is printed as a number and is none of 0 to 100. A little below 0 is possible, because counters are not read in one clock."""
    told = [(k, v) for k, v in window.get("metrics", {}).items() if k in names]
    for cells in window.get("cells", []):
        for k, values in cells["values"].items():
            if k in names:
                told += [(k, v) for v in values]
    return [(k, v) for k, v in told if v is not None and not -1 <= v <= 100], len(told)


files = windows = numbers = reasons = refused = 0
wrong, without, unread = [], set(), []
known = cards()
for turn in range(rounds):
    for platform, name, guid in parts():
        rng = random.Random("%d %s %s" % (turn, platform, name))
        if platform not in known:
            without.add(platform)
            continue
        path = os.path.join(folder, "random.i915perf")
        write(rng, path, rng.choice(known[platform]), name, guid, platform.startswith("mtl"))
        status, lines, err = go(["-r", path, "-m", name, "--per-report", "-J"])
        files += 1
        if status == 1 and "topology has no EU" in err:
            refused += 1
            continue
        if status != 0:
            unread.append("%s %s %d: %s %s" % (platform, name, turn, status, err.splitlines()[:1]))
            continue
        for window in lines:
            if "metrics" in window:
                bad, n = beyond(window, shares(path, platform, name))
                windows += 1
                numbers += n
                reasons += sum(why == "out_of_range" for c in window.get("cells", []) for whys in c["why"].values() for why in whys)
                wrong += ["%s %s %d: %s %s" % (platform, name, turn, k, v) for k, v in bad]


def point(good, name, told=()):
    print(int(not good), name)
    for line in list(told)[:20]:
        print("# " + line, file=sys.stderr)


point(not without, "every platform of the sets has a card", sorted(without))
point(not unread, "%d recordings of random counters are played, or refused where no EU is left" % files, unread)
point(files >= rounds * 40 and windows > 3 * files and numbers > 10 * files, "in %d windows with %d shares" % (windows, numbers))
point(0 < refused < files / 10, "%d without an EU are refused" % refused)
point(not wrong, "no share beyond its ceiling is a number", wrong)
point(reasons > files, "%d cells say that they are out of range" % reasons)
