# SPDX-License-Identifier: GPL-3.0-or-later
# One card in both halves of the screen, and ways in that only one can have: see split.py.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/fakekernel/lib.sh"
machine hd620,load=private.mad.sp.x1
export PYTHONUNBUFFERED=1 PYTHONPATH="$top_srcdir/tests/tty"
python3 -B "$top_srcdir/tests/fakekernel/split.py" "$rooftop" "$tmp" "$log" > "$tmp/points"
while read -r status name; do
	point "$status" "$name"
done < "$tmp/points"
is "$(wc -l < "$tmp/points")" 10 "all scenarios ran"
is "$(registered)" 0 "no programming is left behind"
finish
