#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Packs text files into one C table of struct packed_file: pack.sh TABLE FILE... Short ones stay as they are: to unpack them takes more
# time than they save room.
set -eu
table=$1
shift
# REUSE-IgnoreStart
printf '%s\n' '/* SPDX-License-Identifier: GPL-3.0-or-later */' '/* Made by build-aux/pack.sh; do not edit. */' \
	'#include "config.h"' '' '#include "data/data.h"'
# REUSE-IgnoreEnd
n=0
for file; do
	n=$((n + 1))
	printf '\nstatic const unsigned char packed_%d[] = {\n' "$n"
	[ "$(wc -c < "$file")" -lt 4096 ] && way='cat' || way='gzip -9nc'
	$way < "$file" | od -An -v -tu1 | sed 's/  */,/g; s/^,/\t/; s/$/,/'
	echo '0};'
done
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
