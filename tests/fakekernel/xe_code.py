# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges the places of stall samples in JSON: law FILE, same FILE FILE (shares), equal FILE FILE (window by window)."""
import json
import sys

NAMES = ("active", "tdr", "other", "control", "pipe", "send", "dist_acc", "sbid", "sync", "fetch")


def windows(path):
    return [w for w in map(json.loads, open(path)) if not w.get("header")]


def total(code, name):
    return sum(p.get(name, 0) for p in code["places"]) + code["rest"].get(name, 0)


def law(path):
    """Shares by the metrics, which the counters alone make, are those of all places and their rest together."""
    some = [w for w in windows(path) if w.get("code")]
    assert some, "no window has places"
    for w in some:
        code, samples = w["code"], total(w["code"], "samples")
        fullest = [p["samples"] for p in code["places"]]
        assert 0 < len(fullest) <= 64 and samples > 1000, (len(fullest), samples)
        assert fullest == sorted(fullest, reverse=True), "the fullest come first"
        assert len({p["address"] for p in code["places"]}) == len(fullest), "an address stands twice"
        for row in code["places"] + [code["rest"]]:
            assert row["samples"] == sum(row.get(n, 0) for n in NAMES), row
        for n in NAMES:
            share = w["metrics"]["sampled_" + n]
            assert abs(share - 100 * total(code, n) / samples) < 1e-6, (n, share, total(code, n), samples)
    # What is read late moves into the next window.
    rate = sum(w["metrics"]["sampled_rate"] * w["window_ms"] for w in some) / sum(total(w["code"], "samples") for w in some)
    assert abs(rate - 1) < 0.1, rate


def shares(path):
    sums, samples = {}, 0
    for w in windows(path):
        for p in w["code"]["places"]:
            sums[p["address"]] = sums.get(p["address"], 0) + p["samples"]
        samples += total(w["code"], "samples")
    return {a: n / samples for a, n in sums.items()}


def same(one, other):
    a, b = shares(one), shares(other)
    assert len(a) >= 64
    for address in sorted(set(a) | set(b)):
        assert abs(a.get(address, 0) - b.get(address, 0)) < 0.002, (address, a.get(address), b.get(address))


def equal(one, other):
    a, b = ([w["code"] for w in windows(p) if w.get("code")] for p in (one, other))
    assert a and b and b[-1] in a, "the last window is another one"
    at = a.index(b[0])
    assert len(b) >= len(a) - 1 and a[at:at + len(b)] == b, (len(a), len(b))


globals()[sys.argv[1]](*sys.argv[2:])
