#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Scrapes a fleet of simulated hosts with the real Prometheus, looks for gaps, runs every query of the dashboard, and measures.

fleet.py [--hosts N] [--seconds S] [--interval S] ROOFTOP: one process of ROOFTOP for each host, each with one simulated device and a
port of its own. Needs prometheus, and prometheus-node-exporter for the textfile part, in PATH. Prints points as the Test Anything Protocol,
and what it measured as comments; with --table FILE also as a table in Markdown. Takes some minutes, so it is not part of make check.
"""
import argparse
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
RULES = SOURCE / "contrib/prometheus/rooftop.rules.yml"
DASHBOARD = SOURCE / "contrib/grafana/rooftop.json"
DEVICES = ["sim:hd620", "sim:tgl", "sim:dg2", "sim:h100", "sim:rtx4090", "sim:lnl", "sim:g72", "sim:h100,load=idle"]

points = failures = 0
table = []


def point(good, name):
    global points, failures
    points += 1
    failures += not good
    print(f"{'ok' if good else 'not ok'} {points} - {name}", flush=True)


def measured(name, value):
    table.append((name, value))
    print(f"# {name}: {value}", flush=True)


def free_ports(n):
    sockets = []
    for _ in range(n):
        s = socket.socket()
        s.bind(("127.0.0.1", 0))
        sockets.append(s)
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def get(port, path="/metrics", **headers):
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.read().decode()


def wait_for(what, condition, seconds):
    """The limit is against hanging only."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if condition():
                return True
        except OSError:
            pass
        time.sleep(1)
    print(f"# waited in vain for {what}", flush=True)
    return False


class Prometheus:
    def __init__(self, port):
        self.port = port

    def query(self, expression):
        text = get(self.port, "/api/v1/query?" + urllib.parse.urlencode({"query": expression}))
        return json.loads(text)["data"]["result"]

    def number(self, expression):
        result = self.query(expression)
        return float(result[0]["value"][1]) if result else float("nan")


def ended_by(processes):
    for p in processes:
        if p.poll() is None:
            p.send_signal(signal.SIGTERM)
    for p in processes:
        p.wait()


def configuration(folder, ports, own, node, interval):
    """Writes prometheus.yml. JSON is YAML."""
    jobs = [
        {"job_name": "rooftop", "static_configs": [{"targets": [f"127.0.0.1:{p}" for p in ports]}]},
        {"job_name": "prometheus", "static_configs": [{"targets": [f"127.0.0.1:{own}"]}]},
    ]
    if node:
        jobs.append({"job_name": "node", "static_configs": [{"targets": [f"127.0.0.1:{node}"]}]})
    path = folder / "prometheus.yml"
    path.write_text(json.dumps({
        "global": {"scrape_interval": f"{interval}s", "evaluation_interval": f"{interval}s"},
        "rule_files": [str(RULES)], "scrape_configs": jobs}))
    return path


def look_for_gaps(prometheus, hosts, interval, seconds):
    series = prometheus.query(f'up{{job="rooftop"}}[{seconds}s]')
    worst, missed, scrapes = 0.0, 0, 0
    for s in series:
        times = [float(t) for t, _ in s["values"]]
        scrapes += len(times)
        missed += sum(v != "1" for _, v in s["values"])
        worst = max([worst] + [b - a for a, b in zip(times, times[1:])])
    point(len(series) == hosts, f"each of {hosts} hosts was scraped")
    point(missed == 0, f"no scrape of {scrapes} failed ({missed} did)")
    point(worst < 1.5 * interval, f"no gap: the longest time between two scrapes of a host is {worst:.3f} s")
    windows = prometheus.query(f'rooftop_windows_total{{job="rooftop"}}[{seconds}s]')
    still = [s for s in windows if s["values"][0][1] == s["values"][-1][1]]
    point(len(windows) == hosts and not still, "each host's windows went on")


def look_at_dashboard(prometheus):
    board = json.loads(DASHBOARD.read_text())
    empty, n = [], 0
    for panel in board["panels"]:
        for target in panel["targets"]:
            expression = target["expr"].replace("$instance", ".*").replace("$device", ".*")
            n += 1
            if not prometheus.query(expression):
                empty.append(f'{panel["title"]}: {expression}')
    for line in empty:
        print("# no data:", line)
    point(n > 20 and not empty, f"each of the dashboard's {n} queries gives data")
    for variable in board["templating"]["list"]:
        if variable["type"] != "query":
            continue
        expression = variable["query"]["query"]
        metric, label = expression[len("label_values("):-1].rsplit(", ", 1)
        values = {r["metric"].get(label) for r in prometheus.query(metric.replace("$instance", ".*"))}
        point(len(values) > 1 and None not in values, f"the dashboard's choice {variable['name']} has {len(values)} values")


def look_at_rules(prometheus):
    groups = json.loads(get(prometheus.port, "/api/v1/rules"))["data"]["groups"]
    rules = [r for g in groups for r in g["rules"]]
    bad = [r["name"] for r in rules if r["health"] != "ok"]
    point(len(rules) >= 10 and not bad, f"all {len(rules)} rules are evaluated without an error {bad}")
    for name in ("device:rooftop_busy:avg5m", "device:rooftop_headroom:avg1h", "device:rooftop_power_watts:avg5m",
                 "device:rooftop_memory_used:ratio"):
        point(bool(prometheus.query(name)), f"{name} is recorded")


def shared_memory(pids):
    """Returns the mean proportional set size in kB, where pages that processes share are divided among them."""
    total = 0
    for pid in pids:
        for line in open(f"/proc/{pid}/smaps_rollup", encoding="ascii"):
            if line.startswith("Pss:"):
                total += int(line.split()[1])
    return total / len(pids)


def cpu_seconds(pids):
    ticks = 0
    for pid in pids:
        ticks += sum(map(int, open(f"/proc/{pid}/stat", encoding="ascii").read().rsplit(")", 1)[1].split()[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def folder_bytes(path):
    return sum(f.stat().st_size for f in path.rglob("*") if f.is_file())


def measure(prometheus, hosts, server, folder, took, cpu):
    """took: seconds between the two readings of CPU time in cpu."""
    job = '{job="rooftop"}'
    measured("hosts", len(hosts))
    measured("series of a host, mean", round(prometheus.number(f"avg(scrape_samples_scraped{job})")))
    measured("series of a host, fewest and most", f'{prometheus.number(f"min(scrape_samples_scraped{job})"):.0f} to '
             f'{prometheus.number(f"max(scrape_samples_scraped{job})"):.0f}')
    for name, selector in (("metrics of the device", '__name__!~"rooftop_(device|window|process|exporter|scrape|missing|bound|cell).*"'),
                           ("rooftop_missing", '__name__="rooftop_missing"'), ("rooftop_device_*", '__name__=~"rooftop_device_.*"'),
                           ("rooftop_process*", '__name__=~"rooftop_process.*"'), ("rooftop_cell_*", '__name__=~"rooftop_cell_.*"')):
        total = prometheus.number(f'count({{job="rooftop",{selector}}})')
        measured(f"  of these, {name}", round(total / len(hosts), 1))
    openmetrics = {"Accept": "application/openmetrics-text"}
    measured("bytes of a scrape, mean", round(sum(len(get(p, **openmetrics)) for p in hosts) / len(hosts)))
    measured("time of a scrape as Prometheus sees it, mean and longest, ms",
             f'{1000 * prometheus.number(f"avg(scrape_duration_seconds{job})"):.1f}, '
             f'{1000 * prometheus.number(f"max(scrape_duration_seconds{job})"):.1f}')
    measured("time to make a text, mean, ms", round(1000 * prometheus.number(f"avg(rooftop_scrape_duration_seconds{job})"), 2))
    pids = [p.pid for p in hosts.values()]
    measured("CPU of a host's exporter, % of a core", round(100 * (cpu[1][0] - cpu[0][0]) / took / len(hosts), 3))
    measured("memory of a host's exporter, resident, MB", round(prometheus.number(f"avg(rooftop_exporter_resident_memory_bytes{job})") / 1e6, 2))
    measured("the same with shared pages divided, MB", round(shared_memory(pids) * 1024 / 1e6, 2))
    measured("Prometheus: CPU, % of a core", round(100 * (cpu[1][1] - cpu[0][1]) / took, 1))
    head = prometheus.number("prometheus_tsdb_head_series")
    resident = prometheus.number('process_resident_memory_bytes{job="prometheus"}')
    measured("Prometheus: series in its head", round(head))
    measured("Prometheus: resident memory, MB", round(resident / 1e6))
    measured("Prometheus: resident memory of a series, kB", round(resident / head / 1e3, 2))
    snapshot(prometheus, server, folder)


def snapshot(prometheus, server, folder):
    """A snapshot makes a block of what is in memory, as it will be kept on the disk."""
    samples = prometheus.number("prometheus_tsdb_head_samples_appended_total")
    request = urllib.request.Request(f"http://127.0.0.1:{prometheus.port}/api/v1/admin/tsdb/snapshot", method="POST")
    with urllib.request.urlopen(request, timeout=120) as answer:
        name = json.load(answer)["data"]["name"]
    block = folder / "data/snapshots" / name
    chunks = sum(f.stat().st_size for f in block.rglob("chunks/*"))
    index = sum(f.stat().st_size for f in block.rglob("index"))
    measured("Prometheus: samples taken", round(samples))
    measured("Prometheus: bytes of a sample in a block, without its index", round(chunks / samples, 2))
    measured("Prometheus: bytes of a series in a block's index", round(index / prometheus.number("prometheus_tsdb_head_series")))


def node_exporter(folder, rooftop):
    """Starts rooftop --textfile and the exporter that reads it. Returns processes and port."""
    program = shutil.which("prometheus-node-exporter") or shutil.which("node_exporter")
    if not program:
        return [], None
    textfiles = folder / "textfile"
    textfiles.mkdir()
    (port,) = free_ports(1)
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return [subprocess.Popen([rooftop, "-D", "sim:hd620", "-D", "sim:h100", "-d", "1", "--clients", "--textfile", textfiles], **quiet),
            subprocess.Popen([program, "--collector.disable-defaults", "--collector.textfile", f"--collector.textfile.directory={textfiles}",
                              f"--web.listen-address=127.0.0.1:{port}"], **quiet)], port


def look_at_node(prometheus, node):
    if not node:
        point(True, "the text file through node_exporter # SKIP prometheus-node-exporter is not installed")
        return
    good = wait_for("node_exporter", lambda: prometheus.number('count(rooftop_device_up{job="node"} == 1)') == 2, 120)
    point(good, "the text file comes through node_exporter")
    point(prometheus.number('node_textfile_scrape_error{job="node"}') == 0, "and it finds no fault in it")
    for name in ("rooftop_energy_card_joules_total", "rooftop_process_busy_ratio", "rooftop_bound_info", "rooftop_device_temperature_celsius"):
        point(bool(prometheus.query(name + '{job="node"}')), f"  ... with {name}")


def run(o, folder):
    ports = free_ports(o.hosts)
    own, = free_ports(1)
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    hosts, others = {}, []
    try:
        others, node = node_exporter(folder, o.rooftop)
        for i, port in enumerate(ports):
            hosts[port] = subprocess.Popen([o.rooftop, "-D", DEVICES[i % len(DEVICES)], "-d", str(o.interval), "--clients",
                                            "--export", f"prometheus:{port}"], **quiet)
        good = all(wait_for(f"port {p}", lambda p=p: "rooftop_bound_info{" in get(p), 120) for p in ports)
        point(good, f"{o.hosts} hosts serve windows")
        server = subprocess.Popen(["prometheus", f"--config.file={configuration(folder, ports, own, node, o.interval)}",
                                   f"--storage.tsdb.path={folder / 'data'}", f"--web.listen-address=127.0.0.1:{own}",
                                   "--web.enable-admin-api"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=open(folder / "prometheus.log", "w", encoding="utf-8"))
        others.append(server)
        prometheus = Prometheus(own)
        up = 'count(up{job="rooftop"} == 1)'
        point(wait_for("Prometheus", lambda: prometheus.number(up) == o.hosts, 120), "Prometheus scrapes them")
        pids = [p.pid for p in hosts.values()]
        before, began = (cpu_seconds(pids), cpu_seconds([server.pid])), time.monotonic()
        wanted = o.seconds // o.interval
        enough = f'min(count_over_time(up{{job="rooftop"}}[1h])) >= {wanted}'
        point(wait_for("scrapes", lambda: bool(prometheus.query(enough)), 3 * o.seconds + 60), f"each host has {wanted} scrapes")
        after, took = (cpu_seconds(pids), cpu_seconds([server.pid])), time.monotonic() - began
        look_for_gaps(prometheus, o.hosts, o.interval, o.seconds)
        wait_for("recording rules", lambda: prometheus.query("device:rooftop_headroom:avg1h"), 120)
        look_at_rules(prometheus)
        look_at_dashboard(prometheus)
        look_at_node(prometheus, node)
        measure(prometheus, hosts, server, folder, took, (before, after))
    finally:
        ended_by(list(hosts.values()) + others)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rooftop")
    parser.add_argument("--hosts", type=int, default=100)
    parser.add_argument("--seconds", type=int, default=180)
    parser.add_argument("--interval", type=int, default=5)
    parser.add_argument("--table", help="write what was measured to this file")
    o = parser.parse_args()
    if not shutil.which("prometheus"):
        print("1..0 # SKIP prometheus is not installed")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        run(o, pathlib.Path(folder))
    if o.table:
        rows = "".join(f"| {name} | {value} |\n" for name, value in table)
        pathlib.Path(o.table).write_text("| what | value |\n|---|---|\n" + rows, encoding="utf-8")
    print(f"1..{points}")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
