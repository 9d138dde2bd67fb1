# SPDX-License-Identifier: GPL-3.0-or-later
# Recordings that older releases made are read, and give the values that those releases printed of them (-r X.rec -c --speed max -d 0.1 >
# X.csv). A release adds a folder for itself with recordings of simulated devices.
. "$top_srcdir/tests/tty/tap.sh"

# differences OLD NEW: each value of the old CSV that the new one lacks or has otherwise, by the names of their columns. The order of a sum
# may be another one, which the last digits of a double show.
differences()
{
	awk -F, '
		function same(a, b) { return a == b || (a + 0 && (a - b) ^ 2 < (1e-13 * a) ^ 2) }
		FNR == 1 && NR > 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		FNR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; columns = NF; next }
		FILENAME == ARGV[1] { rows++; for (i = 1; i <= columns; i++) old[rows, i] = $i; next }
		{
			row++
			for (i = 1; i <= columns; i++)
				if (!(name[i] in at))
					print name[i] ": no such column"
				else if (!same($at[name[i]], old[row, i]))
					print name[i] ": " $at[name[i]] ", it was " old[row, i]
		}
		END { if (row != rows || rows < 2) print row + 0 " windows, there were " rows + 0 }' "$1" "$2"
}

for recording in "$top_srcdir"/tests/recordings/of-*/*.rec; do
	of=${recording#"$top_srcdir"/tests/recordings/of-}
	gives 0 "a recording of $of" -r "$recording" -c --speed max -d 0.1
	is "$(differences "${recording%.rec}.csv" "$tmp/out" | head -5)" "" "  ... has the values that it had"
done
is "$points" $((2 * $(ls "$top_srcdir"/tests/recordings/of-*/*.rec | wc -l))) "all of them were read"
finish
