#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Packs text files into one C table of struct packed_file: pack.sh TABLE FILE... Short ones stay as they are: to unpack them takes more
# time than they save room. One process prints the bytes of all, and one parts them.
set -eu
table=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wc -c "$@" > "$work/sizes"
n=0
while [ $n -lt $# ] && read -r size file; do
	n=$((n + 1))
	[ "$size" -lt 4096 ] || { gzip -9nc < "$file" > "$work/$n" && file=$work/$n; }
	echo "$file"
done < "$work/sizes" > "$work/files"
# REUSE-IgnoreStart
printf '%s\n' '/* SPDX-License-Identifier: GPL-3.0-or-later */' '/* Made by build-aux/pack.sh; do not edit. */' \
	'#include "config.h"' '' '#include "data/data.h"'
# REUSE-IgnoreEnd
# shellcheck disable=SC2046
wc -c $(cat "$work/files") > "$work/sizes"
# A byte is "\ooo", and an array a string: a compiler reads that in a third of the time of numbers.
# shellcheck disable=SC2046
cat $(cat "$work/files") | od -An -v -to1 | sed 's/  */\\/g' | ${AWK:-awk} -v n="$n" '
function begin() {
	printf "\nstatic const unsigned char packed_%d[] =\n", ++i
	left = 4 * size[i]
}
NR == FNR {
	size[FNR] = $1
	next
}
FNR == 1 {
	begin()
}
{
	while (i < n && length($0) >= left) {
		print "\"" substr($0, 1, left) "\";"
		$0 = substr($0, left + 1)
		begin()
	}
	if ($0 != "")
		print "\"" $0 "\""
	left -= length($0)
}
END {
	print ";"
}' "$work/sizes" -
printf '\nconst struct packed_file %s[] = {\n' "$table"
${AWK:-awk} '
FNR == 1 {
	names[++n] = FILENAME
	sub(/.*\//, "", names[n])
}
$1 == "platforms" {
	for (i = 2; i <= NF; i++)
		if (index(platforms[n] " ", " " $i " ") == 0)
			platforms[n] = platforms[n] " " $i
}
END {
	for (i = 1; i <= n; i++)
		printf "\t{ \"%s\", packed_%d, sizeof(packed_%d) - 1, %s },\n", names[i], i, i, platforms[i] != "" ? "\"" platforms[i] " \"" : "NULL"
	print "\t{ NULL, NULL, 0, NULL },\n};"
}' "$@"
