#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints every sentence that simulated devices give of their limits, numbers masked, each once: sentences.sh ROOFTOP RELAX TABLE
python3 - "$@" <<'END'
import json, re, subprocess, sys
sys.path.insert(0, sys.argv[3].rsplit("/", 1)[0])
import check
rooftop, relax, table = sys.argv[1:4]
specs = [row[0] for row in check.expectations(relax, list(check.specs_of(table)))]
sets = {"hd620": ["overview", "flops", "eumap", "stages", "fixed", "RenderBasic"], "dg2": ["overview", "fixed", "matrix"], "tgl": ["overview", "fixed"], "lnl": ["overview", "fixed", "stalls"]}
runs = [(s, []) for s in specs]
runs += [(f"{d},load={l}", ["-m", m]) for d, ms in sets.items() for m in ms for l in ("stream.sp.x4", "copy.sp.x4", "chase", "private.mad.sp.x4", "slm", "send", "idle")]
runs += [(f"{d},load=stream.sp.x4,{o}", []) for d in ("hd620", "tgl", "lnl") for o in ("flaw=slow-memory", "flaw=hot", "heat=300", "freq=walk", "setting=400")]
runs += [(f"{d}", []) for d in ("hd620", "dg2", "lnl", "g72", "g710", "h100", "rtx4090", "rx7900", "mi300x", "strix")]
runs += [(f"{d},load={l}", ["-m", m]) for d in ("hd620", "tgl", "dg2") for m in ("memory", "RenderBasic") for l in ("samples", "triangles", "stream.sp.x4,others=10", "chase,others=10")]
runs += [("hd620,load=stream.sp.x4", ["--rotate", "overview,memory"])]
lines = set()
for spec, options in runs:
    out = subprocess.run([rooftop, "-D", "sim:" + spec, "--speed", "max", "-J", "-n", "4", "-s", "200", *options], capture_output=True, text=True, check=False).stdout
    for line in out.splitlines():
        v = json.loads(line).get("verdict")
        if v:
            lines |= {("say", v["sentence"]), ("try", v["try"])} | {("because", b) for b in v["because"]}
print("\n".join(sorted({f"{kind:8}{re.sub(r'[0-9]+([.][0-9]+)?', '#', text)}" for kind, text in lines if text})))
END
