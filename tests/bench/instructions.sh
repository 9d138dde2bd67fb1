#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Instructions per frame by callgrind, with a virtual clock: (Ir of 250 frames - Ir of 50 frames) / 200. Each is a window of the model,
# its decoding, metrics, drawing and the dump of the cells as text; the terminal is not in it. Repeats to parts per million, so that a
# regression shows where seconds would drown it. Compare with the number in doc/BENCHMARKS.md.
# usage: instructions.sh path/to/rooftop [COLUMNSxROWS]
set -eu
rooftop=$1
size=${2-120x40}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
count() {
	awk -v n="$1" -v size="$size" 'BEGIN { print "size " size; while (n--) print "wait 1\nsave-screen -" }' > "$dir/script"
	valgrind --tool=callgrind --callgrind-out-file="$dir/out" "$rooftop" -D sim:hd620,load=tour -d 1 --script "$dir/script" \
		> /dev/null 2> "$dir/log" || { cat "$dir/log" >&2; exit 1; }
	awk '/^summary:|^totals:/ { n = $2 } END { print n }' "$dir/out"
}
few=$(count 50)
many=$(count 250)
awk -v a="$few" -v b="$many" -v size="$size" 'BEGIN { printf "%s: %.0f instructions a frame (sampling, metrics, drawing, dump)\n", size, (b - a) / 200 }'
