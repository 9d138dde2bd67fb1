#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# analyze.sh [FILE...]: what gcc -fanalyzer and clang-tidy (bugprone, cert, concurrency) find in the program, without what analyze.except
# gives a reason for. It runs in a build folder, for some minutes; files are named as from the top of the sources. Status 1: there is
# something, or an exception that nothing needs any more. GCC and CLANG_TIDY name the tools.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
except=$top/tests/analyze.except
[ -e config.h ] || { echo "analyze.sh: $(pwd) is no build folder" >&2; exit 2; }
tidy=${CLANG_TIDY-$(command -v clang-tidy || command -v clang-tidy-14)}
[ -n "$tidy" ] || { echo "analyze.sh: no clang-tidy" >&2; exit 2; }
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
flags="-std=gnu11 -I$top/src -I$top -I. $(sed -n 's/^LIBDRM_CFLAGS = //p; s/^OPENCL_CFLAGS = //p' Makefile | tr '\n' ' ')"
flags="$flags -DLOCALEDIR=\"\" -DPKGLIBEXECDIR=\"\""
whole=
if [ $# -eq 0 ]; then
	whole=1
	set -- $(cd "$top" && find base core backends helpers kernels ui src -name '*.c' | sort)
fi
echo "$# files" >&2
for file; do
	"${GCC-gcc}" -fanalyzer -O1 $flags -c -o /dev/null "$top/$file" 2>&1
	"$tidy" --quiet --checks='-*,bugprone-*,cert-*,concurrency-*' "$top/$file" -- $flags 2> /dev/null
done > "$scratch/all"
# "FILE:LINE:COLUMN: warning: TEXT [CHECK]", of headers once. Of several names of a check each is looked for.
sed -n "s,^$top/,,; /: \\(warning\\|error\\): .*\\]\$/p; /: error: /p" "$scratch/all" | sort -u > "$scratch/found"
awk -v unused="$scratch/unused" '
	NR == FNR { if (/^[^#]/) { check[++n] = $1; place[n] = $2 }; next }
	{
		names = $0
		sub(/.*\[/, "", names)
		sub(/\]$/, "", names)
		sub(/,-warnings-as-errors/, "", names)
		excused = 0
		for (i = 1; i <= n; i++)
			if (index("," names ",", "," check[i] ",") && (place[i] == "*" || index($0, place[i]) == 1)) {
				excused = 1
				used[i] = 1
			}
		if (!excused)
			print
	}
	END { for (i = 1; i <= n; i++) if (!used[i]) print check[i], place[i] > unused }' "$except" "$scratch/found" > "$scratch/left"
cat "$scratch/left"
if [ -n "$whole" ] && [ -s "$scratch/unused" ]; then
	sed 's/^/nothing needs this exception any more: /' "$scratch/unused"
fi
echo "$(wc -l < "$scratch/found") warnings, $(wc -l < "$scratch/left") without a reason" >&2
[ ! -s "$scratch/left" ] && { [ -z "$whole" ] || [ ! -s "$scratch/unused" ]; }
