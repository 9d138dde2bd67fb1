#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The program's CSV of recordings, report by report, against what i915-perf-reader printed of them.
. "${top_srcdir:-.}/tests/recordings/oracle.sh"

# Reads the reader's text (r) and the CSV (c); names are compared without case and underscores. Prints "compared differ missing".
# The reader prints shares above 100 % of counters that its recordings made up; rooftop has no number for these.
cat >"$work/compare.awk" <<'EOF'
function plain(name) { gsub(/_/, "", name); return tolower(name) }
function differs(name, want, got,    d)
{
	if (name ~ /(Active|Stall|Busy|Bottleneck)$/ && want > 100)
		return want > 101 ? got != "" : got != 100
	if (got == "")
		return 1
	d = want - got
	d = d < 0 ? -d : d
	return d > (want ~ /\./ ? 0.5000001e-6 : 0) + 1e-12 * (want < 0 ? -want : want)
}
FNR == 1 { file++ }
file == 1 && /^Time: / { inside = 0 }
file == 1 && /^ report/ { inside = 1; row++ }
file == 1 && inside && /^   / {
	sub(/^ +/, "")
	split($0, part, ": ")
	symbols[row] = symbols[row] " " part[1]
	printed[row, part[1]] = part[2]
}
file == 2 && FNR == 1 {
	n = split($0, head, ",")
	for (i = 1; i <= n; i++)
		column[plain(head[i])] = i
}
file == 2 && FNR > 1 {
	line++
	split($0, cell, ",")
	n = split(symbols[line], symbol, " ")
	for (i = 1; i <= n; i++) {
		compared++
		if (!(plain(symbol[i]) in column))
			missing++
		else if (differs(symbol[i], printed[line, symbol[i]], cell[column[plain(symbol[i])]]) && differ++ < 5)
			printf "# report %d: %s is %s, want %s\n", line - 1, symbol[i], cell[column[plain(symbol[i])]],
				printed[line, symbol[i]] >"/dev/stderr"
	}
}
END { print compared + 0, differ + 0, missing + 0, row - line }
EOF

total=0
oracle_has recordings '*.reader-all-reports.txt.gz'
for text in $oracle_files; do
	name=$(basename "$text" .reader-all-reports.txt.gz)
	platform=${name#by-recorder-}
	gzip -dc "$text" >"$work/text"
	"$rooftop" -r "$oracle/recordings/$name.i915perf" --per-report -c --metrics-xml "$oracle/xml/oa-$platform.xml.gz" \
		>"$work/csv" 2>"$work/errors" </dev/null
	status=$?
	point "$status" "$name: exit status $status"
	sed 's/^/# /' "$work/errors"
	set -- $(awk -f "$work/compare.awk" "$work/text" "$work/csv" 2>"$work/details")
	cat "$work/details"
	total=$((total + $1))
	[ "$1" -gt 0 ] && [ "$2$3$4" = 000 ]
	point $? "$name: $1 values compared, $2 differ, $3 missing, $4 rows missing"
done
[ "$total" -gt 0 ]
point $? "$total values of i915-perf-reader compared in all"
finish
