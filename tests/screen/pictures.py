# SPDX-License-Identifier: GPL-3.0-or-later
# Runs scripts with pictures for run.sh: pictures.py ROOFTOP SOURCES FOLDER [SCRIPT...] prints "0 NAME" or "1 NAME" for each point.
# A picture shows one thing. Of a screen its middle is saved: header, tabs, the answer and the keys, which many screens have, are in
# tests/golden/frame.txt and answer.txt, and "shows" looks for what of them matters here. ROOFTOP_PICTURES=FILE gets the names of pictures
# that changed.
import os
import pathlib
import re
import subprocess
import sys

HEADER = re.compile(r"\d\d:\d\d(:\d\d)? *$| \d\d:\d\d(:\d\d)? *[│|]")
TABS = re.compile(r"[ \[]1 .*[ \[]2 .*[ \[]3 .*[ \[]7 ")
VERDICT = re.compile(r"[ >▸](?:[A-Z]{2,}[A-Z -]*)(?:  .*)?\bheadroom +\S+")	# the first line of an answer without a box
VERDICT_LINE = re.compile(r" [A-Z]{2,}[A-Z -]*: ")	# the answer on other screens than the first
SIGNS = re.compile(r"[ |│]+(busy|clock|power|asleep|EU|SP) ")
TOP_LEFT, BOTTOM_LEFT, TOP_RIGHT = "╭+", "╰+", "╮+"


class Fault(Exception):
    pass


def answer_rows(rows, first):
    """How many rows from the given one are an answer: in a box, or three lines without one."""
    if re.match(r"(╭─|\+-) What limit(s|ed) it", rows[first]):
        last = first + 1
        while last < len(rows) and rows[last][0] not in BOTTOM_LEFT:
            last += 1
        return last + 1 - first
    if not VERDICT.match(rows[first]):
        return 0
    last = first + 1
    while last < min(first + 3, len(rows)) and not SIGNS.match(rows[last]) and rows[last][:1] not in list("╭+"):
        last += 1
    return last - first


def middle(rows, width):
    """The rows between tabs and keys without the answer. Halves that stand one above the other have two headers."""
    height = len(rows)
    if width < 20 or height < 4:
        return rows, []
    kept, cut = [], []
    end = height - (height >= 6)
    i = 0
    while i < end:
        head = i == 0 or (i > 2 and HEADER.search(rows[i]) and re.match(r"( rooftop|[12]/2| *\[o\]|  ?SIM) ", rows[i]))
        tabs = TABS.match(rows[i]) or (i == 1 and height >= 14 and rows[1].startswith((" 1 ", "[1 ")))	# a box may cover most of it
        if head or tabs or (i == end - 1 and VERDICT_LINE.match(rows[i])):
            n = 1
        else:
            n = answer_rows(rows, i)
        (cut if n else kept).extend(rows[i:i + max(n, 1)])
        i += max(n, 1)
    return kept, cut + rows[end:]


def box(rows, title):
    """The box whose title begins with the given words."""
    for y, row in enumerate(rows):
        for found in re.finditer(r"(╭─|\+-) " + re.escape(title), row):
            left = found.start()
            right = next((x for x in range(left + 1, len(row)) if row[x] in TOP_RIGHT), None)
            bottom = next((b for b in range(y + 1, len(rows)) if len(rows[b]) > left and rows[b][left] in BOTTOM_LEFT), None)
            if right and bottom:
                return [r[left:right + 1].rstrip() for r in rows[y:bottom + 1]]
    raise Fault(f"no box has the title '{title}'")


def part(rows, width, words):
    """The rows that a picture shows, and those in which "shows" looks."""
    if words[:1] == ["box"]:
        return box(rows, " ".join(words[1:])), rows
    if words[:1] == ["top"]:
        return middle(rows, width)[0][:int(words[1])], rows
    if words == ["nothing"]:
        return [], rows
    if words:
        raise Fault(f"no part of a screen is called '{' '.join(words)}'")
    kept, cut = middle(rows, width)
    return kept, cut


class Script:
    def __init__(self, path):
        self.path, self.name = path, path.stem
        self.before, self.options, self.lines, self.pictures = None, "", [], []
        size, inside = 80, False
        for line in path.read_text().split("\n")[:-1]:
            word, _, rest = line.partition(" ")
            if inside:
                inside = line != "end"
                if inside:
                    self.pictures[-1]["want"].append(line)
            elif line == "picture":
                inside = True
            elif word in ("options", "before"):
                setattr(self, word, rest)
            elif word == "shows":
                self.pictures[-1]["shows"].append(rest)
            elif word == "save-screen" and rest.split()[:1] == ["-"]:
                self.pictures.append({"width": size, "part": rest.split()[1:], "want": [], "shows": []})
                self.lines.append(f"save-screen all.{len(self.pictures)}")
            else:
                size = int(rest.split("x")[0]) if word == "size" else size
                self.lines.append(line)

    def run(self, rooftop, sources, tmp):
        case = tmp / "case"
        for old in case.glob("*"):
            old.unlink()
        case.mkdir(exist_ok=True)
        words = {"@EMPTY@": tmp / "empty", "@ROOT@": sources / "tests/screen/root", "@TMP@": tmp, "@SCREEN@": sources / "tests/screen"}
        fill = lambda text: [re.sub("@[A-Z]+@", lambda m: str(words[m[0]]), word)
                             for word in text.replace("@SIX@", "--metrics @SCREEN@/six.metrics -m six").split()]
        (case / "script").write_text("\n".join(line.replace(" all.", f" {case}/all.") for line in self.lines) + "\n")
        # What is recorded before has the day and the hour of the scripts' clock.
        if self.before:
            subprocess.run([rooftop, *fill(self.before)], cwd=case, env={**os.environ, "SOURCE_DATE_EPOCH": "1795356202"},
                           stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        done = subprocess.run([rooftop, *fill(self.options), "--script", case / "script"], cwd=case, capture_output=True,
                              stdin=subprocess.DEVNULL)
        for n, picture in enumerate(self.pictures, 1):
            picture["got"], picture["looks"], picture["fault"] = [], [], ""
            try:
                rows = (case / f"all.{n}").read_text().split("\n")[:-1]
                picture["got"], picture["looks"] = part(rows, picture["width"], picture["part"])
            except (Fault, OSError) as fault:
                picture["fault"] = str(fault)
        return done

    def rewrite(self):
        out, inside, n = [], False, 0
        for line in self.path.read_text().split("\n")[:-1]:
            if line == "picture":
                inside = True
            elif inside:
                inside = line != "end"
            else:
                out.append(line)
                if line.startswith("save-screen - ") or line == "save-screen -":
                    out += ["picture", *self.pictures[n]["got"], "end"]
                    n += 1
        self.path.write_text("\n".join(out) + "\n")


def main():
    rooftop, sources, tmp = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    folder = sources / "tests/screen"
    changed = []
    (tmp / "empty").mkdir(exist_ok=True)
    (tmp / "setup-rc").write_text("")	# a named settings file has to be there
    for path in [folder / f"{name}.screen" for name in sys.argv[4:]] or sorted(folder.glob("*.screen")):
        script = Script(path)
        done = script.run(rooftop, sources, tmp)
        print(int(done.returncode != 0), f"{script.name} runs")
        sys.stderr.write((done.stdout + done.stderr).decode(errors="replace"))
        if os.environ.get("UPDATE_GOLDEN") and done.returncode == 0:
            script.rewrite()
            for picture in script.pictures:
                picture["want"] = picture["got"]
        for n, picture in enumerate(script.pictures, 1):
            name = f"{script.name}, picture {n}"
            same = picture["want"] == picture["got"] and not picture["fault"]
            print(int(not same), name)
            if not same:
                changed.append(name)
                sys.stderr.write(f"{name}: {picture['fault']}\n")
                for want, got in zip(picture["want"] + [None] * 60, picture["got"] + [None] * 60):
                    if want != got:
                        sys.stderr.write("".join(f"{sign}{line}\n" for sign, line in (("-", want), ("+", got)) if line is not None))
            for text in picture["shows"]:
                missing = not any(text in row for row in picture["looks"])
                print(int(missing), f"{name}: the lines around it have '{text}'")
                changed += [f"{name}, without '{text}'"] * missing
    if os.environ.get("ROOFTOP_PICTURES"):
        pathlib.Path(os.environ["ROOFTOP_PICTURES"]).write_text("".join(name + "\n" for name in changed))


main()
