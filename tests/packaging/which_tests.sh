# SPDX-License-Identifier: GPL-3.0-or-later
# tests/folder_tests says for each folder of the program which tests to run first: each folder with sources has a line, and each test is there.
# So is each of those that sanitizers need not run.
. "$top_srcdir/tests/tty/tap.sh"
grep -v '^#' "$top_srcdir/tests/folder_tests" > "$tmp/table"
cut -d' ' -f1 "$tmp/table" | sort > "$tmp/told"
(cd "$top_srcdir" && { echo data; find base core ui src backends kernels helpers -name '*.c' | sed 's,/[^/]*$,,'; }) | sort -u > "$tmp/folders"
is "$(diff "$tmp/told" "$tmp/folders")" "" "each of $(wc -l < "$tmp/folders") folders has one line in the table, and nothing else has"
for test in $(tr ' ' '\n' < "$tmp/table" | grep '^tests/' | sort -u); do
	case $test in
	tests/fuzz/*.t) source=tests/fuzz/fuzz_$(basename "$test" .t).c ;;
	*.t) source=${test%.t}.c ;;
	*) source=$test ;;
	esac
	[ -e "$top_srcdir/$source" ] || echo "$test"
done > "$tmp/gone"
is "$(cat "$tmp/gone")" "" "each of its tests is there"
is "$(awk 'NF < 2' "$tmp/table")" "" "each folder has a test"
is "$(for test in $(grep -v '^#' "$top_srcdir/tests/spare"); do [ -e "$top_srcdir/$test" ] || echo "$test"; done)" "" \
	"each script of tests/spare is there"
finish
