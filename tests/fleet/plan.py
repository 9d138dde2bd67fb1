#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Works out what a large fleet costs from two tables that fleet.py --table has written: plan.py FEW MANY

The tables are of runs with few and with many hosts; what Prometheus' memory grows by from one to the other is what a series costs. Prints
a table in Markdown, at one scrape in 15 s, for hosts with one device and with eight.
"""
import sys

INTERVAL_S = 15
DAYS = 15


def read(path):
    rows = {}
    for line in open(path, encoding="utf-8"):
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if len(cells) == 2:
            rows[cells[0]] = cells[1]
    return rows


def number(rows, name):
    return float(rows[name])


def main():
    few, many = read(sys.argv[1]), read(sys.argv[2])
    memory, head = "Prometheus: resident memory, MB", "Prometheus: series in its head"
    per_series = 1e6 * (number(many, memory) - number(few, memory)) / (number(many, head) - number(few, head))
    series = number(many, "series of a host, mean")
    text_bytes = number(many, "bytes of a scrape, mean")
    sample_bytes = number(many, "Prometheus: bytes of a sample in a block, without its index")
    print(f"A series costs Prometheus {per_series / 1e3:.1f} kB of memory.\n")
    print(f"| hosts, devices of each | series | samples/s | received, MB/s | memory of Prometheus, GB | {DAYS} days on its disk, GB |")
    print("|---|---|---|---|---|---|")
    for hosts, devices in ((100, 1), (1000, 1), (1000, 8), (10000, 1), (10000, 8)):
        n = hosts * devices * series
        rate = n / INTERVAL_S
        print(f"| {hosts} x {devices} | {n:,.0f} | {rate:,.0f} | {hosts * devices * text_bytes / INTERVAL_S / 1e6:.2f} | "
              f"{n * per_series / 1e9:.2f} | {rate * 86400 * DAYS * sample_bytes / 1e9:.1f} |")


if __name__ == "__main__":
    main()
