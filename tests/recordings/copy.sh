#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Recordings that are recorded again while they are replayed: i915-perf-reader must print the same values of the copy.
. "${top_srcdir:-.}/tests/recordings/oracle.sh"
if ! command -v i915-perf-reader >/dev/null; then
	echo "1..0 # SKIP i915-perf-reader is not installed"
	exit 0
fi

# All but the points of correlation, which the copy has at other places, and the last digits of the times between them.
show() {
	i915-perf-reader -r -c all "$1" | sed '/^Timestamp correlation/d; s/CPU=[0-9a-fx-]* //'
}

oracle_has recordings '*.i915perf'
for original in $oracle_files; do
	name=$(basename "$original" .i915perf)
	platform=${name#by-recorder-}
	show "$original" >"$work/want"
	for pace in "--speed max" "--speed max -d 0.01" --per-report; do
		rm -f "$work/copy"
		# shellcheck disable=SC2086
		"$rooftop" -r "$original" $pace -w "$work/copy" -c --metrics-xml "$oracle/xml/oa-$platform.xml.gz" \
			>/dev/null 2>"$work/errors" </dev/null
		status=$?
		sed 's/^/# /' "$work/errors"
		point "$status" "$name, $pace: recorded again, exit status $status"
		show "$work/copy" >"$work/got"
		cmp "$work/want" "$work/got" >"$work/difference" 2>&1
		point $? "$name, $pace: $(wc -l <"$work/want") lines of i915-perf-reader are the same $(cat "$work/difference")"
	done
done
finish
