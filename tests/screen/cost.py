#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""cost.py FOLDER: what a change costs in pictures. Adds a tab, a metric of the first screen's main pane and a word of the keys, one after the
other, to a copy of the program in FOLDER, and counts the pictures of tests/screen and tests/golden that are others then. It is not part of
make check, because it builds the program. The last line counts points; status 1: a change costs more than is allowed, or nothing, which would
mean that no picture shows it."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]


def files(source, pattern):
    """The copy's own, without those that its build makes."""
    return [f for f in source.glob(pattern) if f.is_file() and f.relative_to(source).parts[0] != "build"]


def one_file(source, pattern):
    """The source file with that text."""
    found = [f for f in files(source, "*/**/*.[ch]") if f.relative_to(source).parts[0] != "tests" and re.search(pattern, f.read_text(errors="replace"))]
    assert len(found) == 1, (pattern, found)
    return found[0]


def add_tab(source):
    """One more screen, which looks like the log, with a letter that no other has."""
    file = one_file(source, r"#define SCREEN_LIST\(")
    text = file.read_text()
    row = re.search(r"\tS\(P, LOG, log, .*\n", text)[0]
    new = row.replace("LOG, log", "FURTHER, log").replace('"log", "7", N_("Log")', '"further", "Y", N_("Ten")').replace("log: ", "further: ")
    assert new.count('"Y"') == 1 and text.count('"Y"') == 0, row
    file.write_text(text.replace(row, row + new))


def add_metric(source):
    """The second meter of the first pane, on all Intel GPUs."""
    file = source / "data/metrics/gpu.metrics"
    file.write_text(file.read_text() + '\nmetric lively\n\tlabel "Lively"\n\tunit %\n\tgroup utilization\n\tvalue A0 / GPU_TICKS\n'
                    '\tmax 100[%]\n\torigin "this test"\n\ttext "Says the same again."\n')
    panes = source / "data/metrics/panes.metrics"
    panes.write_text(panes.read_text().replace("order gpu_busy ", "order gpu_busy lively ", 1))


def add_word(source):
    """Another word for a key that all screens name."""
    file = one_file(source, r'N_\("Quit"\)')
    file.write_text(file.read_text().replace('N_("Quit")', 'N_("Leave")'))


NOT_OPTIMISED = "CFLAGS=-O0 -U_FORTIFY_SOURCE -Wno-format-truncation"
CHANGES = [(add_word, 3), (add_metric, 8), (add_tab, 6)]


def units():
    """The programs that draw pictures, wherever they lie."""
    return sorted(str(f.relative_to(TOP).with_suffix(".t")) for f in TOP.glob("tests/unit/**/*.c") if "UPDATE_GOLDEN" in f.read_text())


def make(build, *words):
    run = subprocess.run(["make", "-s", f"-j{os.cpu_count()}", *words], cwd=build, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    return run.returncode, run.stdout.decode(errors="replace")


def changed(build, *flags):
    """The names of the pictures that are not as they are kept, in what make builds with these flags."""
    log = build / "changed"
    env = {**os.environ, "ROOFTOP_PICTURES": str(log)}
    # Only what draws is built. What a change compiles anew is not optimised, as programs of tests: no picture depends on it, and half of the time does.
    status, said = make(build, "rooftop", *flags)
    assert status == 0, said[-3000:]
    status, said = make(build, NOT_OPTIMISED, *units())
    assert status == 0, said[-3000:]
    subprocess.run(["make", "-s", "check-TESTS", "check_PROGRAMS=", "TESTS=" + " ".join([*units(), "tests/screen/run.sh"])], cwd=build, env=env,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    names = log.read_text().splitlines()
    for unit in units():
        names += re.findall(r"^not ok \d+ - (.*)$", (build / unit).with_suffix(".log").read_text(errors="replace"), re.M)
    return names


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    # As deep in its sources as other builds are, so that a compiler with a cache finds their objects: .ci/run.
    source, build = folder, folder / "build/pictures"
    shutil.copytree(TOP, source, symlinks=True, ignore=lambda at, names: [n for n in names if n in (".git", "build", "autom4te.cache")])
    build.mkdir(parents=True)
    if not (source / "configure").exists():
        subprocess.run(["autoreconf", "-i"], cwd=source, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run([source / "configure", "-q", "--enable-werror", "RANLIB=:"], cwd=build, check=True, stdout=subprocess.DEVNULL)
    failed = len(changed(build))
    print(f"{'not ok' if failed else 'ok'} - without a change all pictures are as they are kept")
    for change, most in CHANGES:
        kept = {f: f.read_bytes() for f in [*files(source, "*/**/*.[ch]"), *files(source, "data/metrics/*")]}
        change(source)
        names = changed(build, NOT_OPTIMISED)
        good = 0 < len(names) <= most
        failed += not good
        print(f"{'ok' if good else 'not ok'} - {change.__name__}: {len(names)} pictures change, at most {most}")
        print("".join(f"# {name}\n" for name in names), end="", flush=True)
        for f, text in kept.items():
            if f.read_bytes() != text:
                f.write_bytes(text)
    print(f"{1 + len(CHANGES) - failed} passed, {failed} failed, 0 skipped")
    return failed > 0


sys.exit(main())
