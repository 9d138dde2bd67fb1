#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Holds the sources against tests/layers.conf: includes go downwards, libraries stay at their address, files start as they should. All are in
# the archive.
set -u

conf=$top_srcdir/tests/layers.conf
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
n=0
failed=0

ok() {	# ok CONDITION-STATUS NAME [FILE WITH WHAT TO SHOW]
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
		return
	fi
	failed=1
	echo "not ok $n - $2"
	[ -z "${3-}" ] || sed 's/^/#   /' "$3"
}

# All C files below folder $1, without those that a build makes: the folders of builds have a config.status.
sources() {
	(cd "$1" && find . -type d \( -name '.?*' -o -exec test -e '{}/config.status' \; \) -prune -o -name '*.[ch]' ! -name 'embedded_*.c' -print |
		sed 's,^\./,,; /^config\.h$/d' | sort)
}

# faults FOLDER CONF: one line "RULE FILE:LINE: what" for each fault below the folder
faults() {
	(cd "$1" && sources . | xargs awk -v conf="$2" '
function fault(rule, what) { print rule " " FILENAME ":" FNR ": " what }
function starts(s, prefix) { return substr(s, 1, length(prefix)) == prefix }
function holds(f, path) {
	if (f ~ /\/$/)
		return starts(path, f) && index(substr(path, length(f) + 1), "/") == 0
	return starts(path, f "/")
}
function layer_of(path,   l, best) {
	for (l in folder)
		if (holds(folder[l], path) && (best == "" || length(folder[l]) > length(folder[best])))
			best = l
	return best
}
function exists(path,   line, there) {
	there = (getline line < path) >= 0
	close(path)
	return there
}
# Headers of the program are named without src/.
function target_layer(name) {
	return layer_of(name) == "" && exists("src/" name) ? layer_of("src/" name) : layer_of(name)
}
function check_ours(name,   mine, other) {
	if (name == "config.h")
		return
	mine = layer_of(FILENAME)
	other = target_layer(name)
	if (name ~ /\.\./ || (other == "" && mine != "tests"))
		fault("layer", "\"" name "\" does not say its layer")
	else if (other == "" || (mine, other) in may || (mine, "*") in may)
		return
	else if ((FILENAME, other) in still)
		needed[FILENAME, other] = 1
	else if (mine != "")
		fault("layer", mine " may not include " other " (\"" name "\")")
}
function check_library(name,   p, i, k, places, good) {
	for (p in address) {
		if (!starts(name, p))
			continue
		good = 0
		k = split(address[p], places, " ")
		for (i = 1; i <= k; i++)
			good = good || starts(FILENAME, places[i])
		if (!good)
			fault("library", "<" name "> belongs to" address[p])
	}
}
function allow(mine, other,   i, k, some) {
	k = other in group ? split(group[other], some, " ") : 0
	for (i = 1; i <= k; i++)
		may[mine, some[i]] = 1
	if (!k)
		may[mine, other] = 1
}
function finish_file() {
	if (last == "")
		return
	if (lines > 1000)
		print "length " last ":" lines ": more than 1000 lines"
	if (last ~ /\.c$/ && !includes)
		print "config " last ":1: config.h is not included"
}
BEGIN {
	while ((getline line < conf) > 0) {
		k = split(line, f, /[ \t]+/)
		if (f[1] == "layer") {
			folder[f[2]] = f[3]
			for (i = 4; i <= k; i++)
				allow(f[2], f[i])
		} else if (f[1] == "group") {
			for (i = 3; i <= k; i++)
				group[f[2]] = group[f[2]] " " f[i]
		} else if (f[1] == "lib") {
			for (i = 3; i <= k; i++)
				address[f[2]] = address[f[2]] " " f[i]
		} else if (f[1] == "blind") {
			for (i = 2; i <= k; i++)
				blind[f[i]] = 1
		} else if (f[1] == "stranger") {
			for (i = 2; i <= k; i++)
				names = names (names == "" ? "" : "|") f[i]
		} else if (f[1] == "native") {
			native[f[2]] = 1
		} else if (f[1] == "still") {
			still[f[2], f[3]] = line
		}
	}
}
FNR == 1 {
	sees = 1
	for (p in blind)
		if (starts(FILENAME, p))
			sees = 0
	finish_file()
	last = FILENAME
	includes = 0
	if (layer_of(FILENAME) == "")
		fault("room", "no layer holds this file")
	# REUSE-IgnoreStart
	if ($0 !~ /SPDX-License-Identifier: GPL-3\.0-or-later/)
		fault("licence", "the first line is not the SPDX line")
	# REUSE-IgnoreEnd
}
{ lines = FNR }
# A counter of a vendor is a name in capitals with a number.
!sees && !/^[ \t]*\/?\*/ && names != "" && ($0 ~ "cmp\\(.*\"(" names ")\"" || /0x(8086|1002|10de)/ || /cmp\(.*"[A-Z]+[0-9]+"/) {
	fault("stranger", "it asks whose a device is")
}
/^[ \t]*#[ \t]*include[ \t]*["<]/ {
	name = $0
	sub(/^[^"<]*["<]/, "", name)
	sub(/[">].*/, "", name)
	includes++
	if (FILENAME in native) {
		if ($0 ~ /"config\.h"/)
			fault("config", "a program for the machine that builds includes config.h")
	} else if (includes == 1 && FILENAME ~ /\.c$/ && $0 !~ /"config\.h"/)
		fault("config", "the first include is not config.h")
	if ($0 ~ /include[ \t]*"/)
		check_ours(name)
	else
		check_library(name)
}
END {
	finish_file()
	for (s in still)
		if (!(s in needed))
			print "still " conf ": nothing needs the line \"" still[s] "\""
}
')
}

rule() {	# rule NAME SENTENCE: no fault of that name in the list of the real tree
	grep "^$1 " "$scratch/real" | sed "s/^$1 //" >"$scratch/some"
	test ! -s "$scratch/some"
	ok $? "$2" "$scratch/some"
}

put() {		# put FILE LINE...: a file of the bad tree
	mkdir -p "$scratch/tree/$(dirname "$1")"
	file=$scratch/tree/$1
	shift
	printf '%s\n' "$@" >"$file"
}

found() {	# found PATTERN SENTENCE
	grep -q "$1" "$scratch/made"
	ok $? "$2" "$scratch/made"
}

faults "$top_srcdir" "$conf" >"$scratch/real"
test "$(sources "$top_srcdir" | wc -l)" -gt 50
ok $? "there are sources to look at"
rule room "each file is in a folder of a layer"
rule layer "includes go downwards"
rule still "each exception is needed"
rule library "each library is included at its address only"
rule licence "every file starts with its licence"
rule stranger "the middle asks what a device is, and not whose"
rule config "config.h comes first in every .c file"
rule length "no file has more than 1000 lines"

# A checkout tells which files there are; .ci/run looks into the archive itself. Folders go there as a whole, and po/ has a list of its own.
printf 'include Makefile\nfiles-of-archive:\n\t$(foreach f,$(DISTFILES),$(info $(f:$(srcdir)/%%=%%)))@:\n' >"$scratch/files.mk"
if git -C "$top_srcdir" ls-files >"$scratch/tracked" 2>/dev/null; then
	MAKEFLAGS= make -s -C "$top_builddir" -f "$scratch/files.mk" files-of-archive >"$scratch/archive"
	awk 'NR == FNR { there[$0]; next }
	{ for (path = $0; !(path in there) && sub("/[^/]*$", "", path);) ; if (!(path in there)) print }' \
		"$scratch/archive" "$scratch/tracked" | grep -v '^po/\|^\.gitignore$' >"$scratch/some"
	test -s "$scratch/archive" -a ! -s "$scratch/some"
	ok $? "each file is in the archive: EXTRA_DIST" "$scratch/some"
fi

# The same check over a tree that breaks each rule once.
# REUSE-IgnoreStart
spdx='/* SPDX-License-Identifier: GPL-3.0-or-later */'
# REUSE-IgnoreEnd
put core/value/up.c "$spdx" '#include "config.h"' '#include "ui/frame/view.h"' '#include "base/err.h"'
put base/up.c "$spdx" '#include "config.h"' '#include "core/value/value.h"'
put ui/draw/side.c "$spdx" '#include "config.h"' '#include "backends/common/backend.h"' '  #  include <ncurses.h>'
put ui/draw/term.c "$spdx" '#include "config.h"' '#include <term.h>' '#include <papi.h>'
put ui/draw/plain.h "$spdx" '#include "view.h"'
put backends/common/late.c "$spdx" '#include <stdio.h>' '#include "config.h"'
put backends/common/none.c "$spdx" 'int none;'
put src/cmd/tell/all.c "$spdx" '#include "config.h"' '#include "ui/frame/view.h"' '#include "backends/common/backend.h"' '#include "core/value/value.h"'
put src/cli/options.h "$spdx"
put src/session/open.h "$spdx" '#include "cli/options.h"' '#include "out/lines/rows.h"'
put src/out/lines/rows.h "$spdx" '#include "session/open.h"' '#include "backends/intel/xe/xe_node.h"'
put src/screen/keys.c "$spdx" '#include "config.h"' '#include "cmd/tell/list.h"' '#include "cmd/tell/list.h"'
put src/screen/owed.c "$spdx" '#include "config.h"' '#include "cmd/tell/list.h"'
put src/cmd/tell/list.h "$spdx" '#include "screen/none.h"'
put src/main.c "$spdx" '#include "config.h"' '#include "tasks.h"' '#include "cmd/tell/list.h"' '#include "options.h"'
put src/tasks.h "$spdx"
put src/man_tables.c "$spdx" '#include <stdio.h>' '#include "config.h"'
put src/cmd/tell/whose.c "$spdx" '#include "config.h"' 'int a = !strcmp(driver, "i915");' 'int b = id == 0x8086;' \
	'int c = !strcmp(name, "A0");' '/* strcmp(driver, "i915") */' 'int d = !strcmp(driver, "i915x");'
put backends/intel/whose.c "$spdx" '#include "config.h"' 'int a = !strcmp(driver, "i915");'
put src/attic/old.c "$spdx" '#include "config.h"' '#include "core/value/value.h"'
put src/cmd/tell/uses.h "$spdx" '#include "attic/old.h"'
put vendors/new.c "$spdx" '#include "config.h"'
put build/config.status
put build/made.c
put tests/any.c 'int licence;' '#include "config.h"' '#include "ui/frame/view.h"' '#include "tap.h"'
put ui/draw/long.h "$spdx"
awk 'BEGIN { for (i = 0; i < 1000; i++) print "" }' >>"$scratch/tree/ui/draw/long.h"
sed '/^still/d' "$conf" >"$scratch/conf"
printf '%s\n' 'still src/screen/owed.c tell' 'still src/screen/paid.c tell' >>"$scratch/conf"
faults "$scratch/tree" "$scratch/conf" >"$scratch/made"
found '^layer core/value/up.c:3: value may not include frame' "core including ui is found"
found '^layer base/up.c:3: base may not include value' "base including core is found"
found '^layer ui/draw/side.c:3: draw may not include common' "ui including a backend is found"
found '^layer ui/draw/plain.h:2: ' "an include without its layer is found"
found '^layer src/session/open.h:3: session may not include lines' "a room including one above it is found"
found '^layer src/out/lines/rows.h:3: lines may not include intel' "a room including what is not its own is found"
found '^layer src/screen/keys.c:4: screen may not include tell' "... each time"
found '^layer src/cmd/tell/list.h:2: "screen/none.h" does not' "a header that is not there is found"
found '^layer src/main.c:5: "options.h" does not' "a header without its room is found"
found '^layer src/cmd/tell/uses.h:2: "attic/old.h" does not' "a header of a room that is in no layer is found"
found '^room src/attic/old.c:1: no layer' "a room that is in no layer is found"
found '^room vendors/new.c:1: no layer' "a folder that is in no layer is found"
found '^still .*paid' "an exception that nothing needs is found"
test "$(grep -c '^stranger ' "$scratch/made") $(grep -c '^stranger src/cmd/tell/whose.c:[345]: ' "$scratch/made")" = "3 3"
ok $? "a vendor's name, number and counter are found in the middle alone" "$scratch/made"
found '^library ui/draw/side.c:4: <ncurses.h>' "curses outside its address is found"
found '^library ui/draw/term.c:4: <papi.h>' "PAPI outside its address is found"
found '^config backends/common/late.c:2: ' "a late config.h is found"
found '^config backends/common/none.c:1: ' "a missing config.h is found"
found '^config src/man_tables.c:3: ' "a config.h of the wrong machine is found"
found '^licence tests/any.c:1: ' "a missing licence is found"
found '^length ui/draw/long.h:1001: ' "a long file is found"
test "$(wc -l <"$scratch/made")" -eq 24
ok $? "nothing else is found" "$scratch/made"

echo "1..$n"
exit $failed
