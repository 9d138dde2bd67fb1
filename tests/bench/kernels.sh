#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Stress kernels beside clpeak, in turns, on the device that OpenCL offers (PoCL's processor): the best of each by wall clock and
# their ratio. Then against the processor's own bounds. usage: kernels.sh path/to/bench-program path/to/rooftop-worker
set -eu
kernels=$1
worker=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
XDG_CACHE_HOME=$dir
XDG_STATE_HOME=$dir
export XDG_CACHE_HOME XDG_STATE_HOME
for round in 1 2 3; do
	"$kernels" fma >>"$dir/ours"
	if command -v clpeak >/dev/null; then
		clpeak --compute-sp --compute-dp >>"$dir/clpeak"
	fi
done
cat "$dir/ours"
[ ! -s "$dir/clpeak" ] || cat "$dir/clpeak" "$dir/ours" | awk '
/Single-precision/ { type = "sp" }
/Double-precision/ { type = "dp" }
/^ *(float|double)[0-9]* *:/ { if ($NF > theirs[type]) theirs[type] = $NF }
/^flops/ {
	split($1, name, ".")
	if ($(NF - 1) > ours[name[4]]) ours[name[4]] = $(NF - 1)
}
END {
	for (t in theirs)
		printf "%s: %.1f GFLOP/s, the best of clpeak %.1f: %.2f times\n", t, ours[t], theirs[t], ours[t] / theirs[t]
}'
"$kernels" triad
"$kernels" latency "$worker"
