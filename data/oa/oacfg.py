#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the register lists of metric sets that show single subslices, or whether the queue to the memory is full, from Intel's XML.

    data/oa/oacfg.py XML-FOLDER data/oa

XML-FOLDER has the files oa-PLATFORM.xml of igt-gpu-tools, perhaps compressed (.gz). A list that several platforms share
is written once, with the name of the first of them; the table that the program prints says which platform uses which.
The registers of EU events are left out: rooftop's sets choose their events themselves.
"""
import gzip
import os
import sys
import xml.etree.ElementTree as ElementTree

GEN8_TO_12 = ("TDL_1", "TDL_2", "TDL_3", "HDCAndSF")
# Gen11 and Meteor Lake have the queues to the memory in HDCAndSF, Gen12 in a set of its own.
GEN12 = GEN8_TO_12 + ("RasterizerAndPixelBackend",)
MTL = ("HDCAndSF", "HDCAndSF1", "HDCAndSF2", "Ext604")

# Platforms whose lists others share come first.
SETS = [
    ("kblgt2", GEN8_TO_12), ("kblgt3", GEN8_TO_12), ("cflgt2", GEN8_TO_12), ("cflgt3", GEN8_TO_12),
    ("sklgt2", GEN8_TO_12), ("sklgt3", GEN8_TO_12), ("sklgt4", GEN8_TO_12),
    ("bdw", GEN8_TO_12), ("chv", GEN8_TO_12), ("bxt", GEN8_TO_12), ("glk", GEN8_TO_12), ("cnl", GEN8_TO_12),
    ("icl", ("TDL_2", "TDL_3", "HDCAndSF")), ("ehl", ("TDL_2", "TDL_3", "HDCAndSF")),
    ("tglgt2", GEN12), ("tglgt1", GEN12), ("rkl", GEN12), ("adl", GEN12), ("dg1", GEN12),
    ("mtlgt2", MTL + tuple(f"Ext{n}" for n in (104, 105, 106, 107, 508, 509, 510, 511))),
    ("mtlgt3", MTL + tuple(f"Ext{n}" for n in (*range(104, 112), *range(508, 516)))),
]
PER_LINE = 9


def read_sets(folder, platform):
    path = os.path.join(folder, f"oa-{platform}.xml")
    if os.path.exists(path):
        return ElementTree.parse(path).getroot().findall("set")
    with gzip.open(path + ".gz") as file:
        return ElementTree.parse(file).getroot().findall("set")


def registers(metric_set):
    """All NOA and OA writes in the order of the file; a list that is for some devices only is refused."""
    out = []
    for config in metric_set.findall("register_config"):
        if config.get("type") == "FLEX":
            continue
        if config.get("availability"):
            sys.exit(f"{metric_set.get('symbol_name')}: a list with a condition")
        for r in config.findall("register"):
            out.append((config.get("type"), int(r.get("address"), 16), int(r.get("value"), 16)))
    return tuple(out)


def lines(regs):
    """Consecutive writes to one address share lines."""
    at = 0
    while at < len(regs):
        kind, address, _ = regs[at]
        values = []
        while at < len(regs) and regs[at][:2] == (kind, address) and len(values) < PER_LINE:
            values.append(f"{regs[at][2]:08X}")
            at += 1
        yield f"{kind} {address:04X} {' '.join(values)}"


def main():
    folder, out = sys.argv[1:3]
    written = {}
    for platform, wanted in SETS:
        for s in read_sets(folder, platform):
            symbol = s.get("symbol_name")
            if symbol not in wanted:
                continue
            regs = registers(s)
            name = written.get(regs)
            if not name:
                name = written[regs] = f"{platform}-{symbol.lower().replace('_', '')}"
                with open(os.path.join(out, name + ".oacfg"), "w", encoding="utf-8") as file:
                    what = "Queues to the memory" if symbol in GEN12[-1:] else "Signals of single subslices"
                    # REUSE-IgnoreStart
                    file.write("# SPDX-License-Identifier: GPL-3.0-or-later AND MIT\n"
                               "# SPDX-FileCopyrightText: 2026 rooftop developers, Intel Corporation (igt-gpu-tools)\n"
                               f"# {what} in Intel's metric set {symbol} of {platform}.\n"
                               f"# Register values: oa-{platform}.xml of igt-gpu-tools, guid {s.get('hw_config_guid')}.\n")
                    # REUSE-IgnoreEnd
                    file.writelines(line + "\n" for line in lines(regs))
            print(platform, symbol, s.get("hw_config_guid"), name)


main()
