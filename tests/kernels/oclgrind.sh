#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The kernels on a device that watches them (oclgrind): no race, no access out of bounds, and as many operations and bytes as the
# catalogue says, by its own count.
set -u

variants=$top_builddir/tests/kernels/variants
if ! command -v oclgrind >/dev/null; then
	echo "1..0 # SKIP oclgrind is not installed"
	exit 0
fi
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
if [ ! -x "$variants" ]; then
	echo "1..0 # SKIP this build has no OpenCL"
	exit 0
fi
# Its plug-in cannot be loaded into a program with the address sanitizer.
if ! oclgrind --log "$scratch/try" true >"$scratch/out" 2>&1 || grep -q __asan_init "$variants"; then
	echo "1..0 # SKIP oclgrind does not run this build"
	exit 0
fi

oclgrind --data-races --inst-counts --log "$scratch/log" "$variants" --count >"$scratch/out" 2>"$scratch/err"
status=$?

awk -v status=$status -v log_file="$scratch/log" '
function point(good, name) {
	n++
	printf "%s %d - %s\n", good ? "ok" : "not ok", n, name
	failed = failed || !good
}
function bytes(line) {
	sub(/.*\(/, "", line)
	return line + 0
}
/^Instructions executed for kernel/ {
	split($0, quoted, "\047")
	counting = quoted[2] != "rt_fill" && quoted[2] != "rt_digest"
	if (counting)
		flop = reads = writes = near = atomics = 0
	next
}
/^KERNEL / {
	wrong = ""
	if (flop * $8 != $3) wrong = wrong " FLOP " flop * $8 " not " $3
	# Counters are read and written by operations of their own.
	if ($9 == 0) {
		if (reads != $4) wrong = wrong " bytes read " reads " not " $4
		if (writes != $5) wrong = wrong " bytes written " writes " not " $5
		if (near != $6) wrong = wrong " local bytes " near " not " $6
	} else if (atomics != $7) {
		wrong = wrong " operations " atomics " not " $7
	}
	point(wrong == "", $2 " does what the catalogue says" wrong)
	kernels++
	next
}
/^FAILED/ { point(0, $0) }
!counting { next }
/ - call .*(fma|fmuladd|mad)/ { flop += 2 * $1 }
/ - f(add|sub|mul|div)$/ { flop += $1 }
/ - load global/ { reads += bytes($0) }
/ - store global/ { writes += bytes($0) }
/ - (load|store) local/ { near += bytes($0) }
/ - call .*atomic_inc/ { atomics += $1 }
END {
	point(status == 0 && kernels > 40, "all kernels were launched (" kernels + 0 ")")
	while ((getline line < log_file) > 0)
		complaints = complaints "# " line "\n"
	point(complaints == "", "no race and no access out of bounds")
	printf "%s", complaints
	print "1.." n
	exit failed
}' "$scratch/out"
