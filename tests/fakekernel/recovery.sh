# SPDX-License-Identifier: GPL-3.0-or-later
# A machine that changes while it is watched: each loss is told, and everything comes back by itself.
. "$top_srcdir/tests/fakekernel/lib.sh"
machine hd620,load=private.mad.sp.x1
export PYTHONUNBUFFERED=1 PYTHONPATH="$top_srcdir/tests/tty"
python3 -B "$top_srcdir/tests/fakekernel/recovery.py" "$top_srcdir/tests/fakekernel/maketree.sh" "$tmp" "$so" "$runtime" "$program" > "$tmp/points"
while read -r status name; do
	point "$status" "$name"
done < "$tmp/points"
is "$(wc -l < "$tmp/points")" 8 "all scenarios ran"
finish
