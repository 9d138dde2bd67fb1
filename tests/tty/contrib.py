# SPDX-License-Identifier: GPL-3.0-or-later
"""contrib.py FOLDER TEXT: each metric that rules, dashboard and examples in FOLDER name is a family of TEXT."""
import json
import pathlib
import re
import sys

folder, text = pathlib.Path(sys.argv[1]), open(sys.argv[2], encoding="utf-8").read()
known = set(re.findall(r"^# TYPE (\S+) ", text, re.M))
rules = (folder / "prometheus/rooftop.rules.yml").read_text(encoding="utf-8")
recorded = set(re.findall(r"record: (\S+)", rules))
board = json.loads((folder / "grafana/rooftop.json").read_text(encoding="utf-8"))
queries = [t["expr"] for p in board["panels"] for t in p["targets"]]
queries += [v["query"]["query"] for v in board["templating"]["list"] if v["type"] == "query"]
assert len(queries) > 20, len(queries)
assert len({p["id"] for p in board["panels"]}) == len(board["panels"]), "two panels have the same id"
expressions = re.findall(r"expr: (?:>-\n((?:          .*\n)+)|(.*))", rules)
assert len(expressions) > 8, len(expressions)
unknown, used = set(), set()
for expression in [a or b for a, b in expressions] + queries:
    for name in re.findall(r"(?<![\w:])(?:device:)?rooftop[\w:]*", re.sub(r'"[^"]*"', '""', expression)):
        if name not in known and name not in recorded:
            unknown.add(name)
        if name in known:
            used.add(name)
assert not unknown, unknown
# What FLEET.md tells to keep has all that rules and dashboard ask for.
kept = re.findall(r"regex: (\S+)\n +action: keep", (folder.parent / "doc/FLEET.md").read_text(encoding="utf-8"))
assert len(kept) == 1, kept
lost = {n for n in used if not re.fullmatch(kept[0], n)}
assert not lost, lost
for a in board["panels"]:
    box = a["gridPos"]
    assert box["x"] + box["w"] <= 24, a["title"]
    for b in board["panels"]:
        other = b["gridPos"]
        apart = (box["x"] + box["w"] <= other["x"] or other["x"] + other["w"] <= box["x"] or
                 box["y"] + box["h"] <= other["y"] or other["y"] + other["h"] <= box["y"])
        assert a is b or apart, (a["title"], b["title"])
