#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the metrics with the names and equations of Arm's libGPUCounters, from the table arm.table beside this program.

    data/metrics/arm.py data/metrics

A line "file NAME on WHERE" begins NAME.metrics; each other line is a metric: its name without "Mali", unit and group, equation, what the text says
where it comes from, and what it is. The fourth column is "constant"; or the block of the counter, with its word where all GPUs of the file have it
there; or nothing, where the equation is one of libGPUCounters; or "says", where the last column is the whole text. A share (a unit with a group) is
kept between 0 and 100 %. '"' in the last column repeats what was said of that name first. Edit the table, run this, and commit both.
"""
import pathlib
import re
import sys
import textwrap

HEAD = """# SPDX-License-Identifier: GPL-3.0-or-later AND MIT
# SPDX-FileCopyrightText: 2026 rooftop developers, 2021-2026 Arm Limited (libGPUCounters)
# Arm's libGPUCounters: its names and equations (specification/database, MIT licence), on {}.
"""
ORIGIN = "libGPUCounters 2.4, specification/database"
ADDED_UP = ("L2 slices", "shader cores")
WIDTH = 108	# of a line of text


def text(equation, share, where, said):
    if where == "says":
        return said
    if where == "constant":
        return f"A constant: {said}."
    if not where:
        return f"{said}, as libGPUCounters computes it: of sums over cores and slices" + (", kept between 0 and 100 %." if share else ".")
    block, word = re.fullmatch(r"(.+?)(?: (\d+(?: or \d+)?))?", where).groups()
    return (f"{said}: counter {equation.split()[0]}" + (f", word {word}" if word else "") + f" of the {block}"
            + (", added up." if block in ADDED_UP else "."))


def metric(row, said_before):
    name, unit, equation, where, said = (column.strip() for column in row.split("|"))
    said = said_before[name] if said == '"' else said
    said_before.setdefault(name, said)
    unit, _, group = unit.partition(" ")
    lines = [f"metric Mali{name}", f'\tlabel "{name}"', f"\tunit {unit}"]
    if group:
        lines += [f"\tgroup {group}", f"\tvalue max(0, min(1, {equation}))", "\tmax 100[%]"]
    else:
        lines += [f"\tvalue {equation}"]
    lines += [f'\torigin "{ORIGIN}"']
    lines += [f'\ttext "{line}"' for line in textwrap.wrap(text(equation, bool(group), where, said), WIDTH, break_long_words=False, break_on_hyphens=False)]
    return "\n".join(lines) + "\n"


def main():
    table = pathlib.Path(__file__).with_name("arm.table").read_text().splitlines()
    folder, files, said_before = pathlib.Path(sys.argv[1]), {}, {}
    for row in table:
        if row.startswith("file "):
            name, _, where = row[5:].partition(" on ")
            metrics = files.setdefault(name, [HEAD.format(where)])
        elif row and not row.startswith("#"):
            metrics.append(metric(row, said_before))
    for name, metrics in files.items():
        (folder / f"{name}.metrics").write_text(metrics[0] + "\n".join(metrics[1:]))


main()
