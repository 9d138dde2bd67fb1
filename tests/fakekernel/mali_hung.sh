# SPDX-License-Identifier: GPL-3.0-or-later
# A Mali GPU that does not answer, and a rooftop that is killed while it counts: see mali_hung.py.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/fakekernel/lib.sh"
export PYTHONUNBUFFERED=1 PYTHONPATH="$top_srcdir/tests/tty"
python3 -B "$top_srcdir/tests/fakekernel/mali_hung.py" "$top_srcdir/tests/fakekernel/malitree.sh" "$tmp" "$so" "$runtime" "$program" \
	> "$tmp/points"
while read -r status name; do
	point "$status" "$name"
done < "$tmp/points"
is "$(wc -l < "$tmp/points")" 9 "all scenarios ran"
finish
