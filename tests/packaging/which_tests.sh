# SPDX-License-Identifier: GPL-3.0-or-later
# HACKING says for each folder of the program which tests to run first: each folder with sources is in that table, and each test is there.
. "$top_srcdir/tests/tty/tap.sh"
sed -n '/^## Which test for which folder/,/^## What runs where/p' "$top_srcdir/HACKING.md" > "$tmp/table"
sed -n 's/^\* \*\*`\([a-z0-9/]*\)`\*\*: .*/\1/p' "$tmp/table" | sort > "$tmp/told"
(cd "$top_srcdir" && { echo data; find base core ui src backends kernels helpers -name '*.c' | sed 's,/[^/]*$,,'; }) | sort -u > "$tmp/folders"
is "$(diff "$tmp/told" "$tmp/folders")" "" "each of $(wc -l < "$tmp/folders") folders has one line in the table, and nothing else has"
for test in $(grep -o '`tests/[^`]*`' "$tmp/table" | tr -d '`' | sort -u); do
	case $test in
	tests/fuzz/*.t) source=tests/fuzz/fuzz_$(basename "$test" .t).c ;;
	*.t) source=${test%.t}.c ;;
	*) source=$test ;;
	esac
	[ -e "$top_srcdir/$source" ] || echo "$test"
done > "$tmp/gone"
is "$(cat "$tmp/gone")" "" "each of its tests is there"
finish
