# SPDX-License-Identifier: GPL-3.0-or-later
# What no kernel grants: the fake refuses it as the real one does.
. "$top_srcdir/tests/fakekernel/lib.sh"

for driver in i915 xe; do
	machine tgl,load=private.mad.sp.x4
	"$on_fake" python3 "$top_srcdir/tests/fakekernel/unkind.py" $driver > "$tmp/points" 2> "$tmp/err"
	relay "$tmp/points"
	is "$(wc -l < "$tmp/points") $(wc -c < "$tmp/err")" "8 0" "$driver: all were asked"
done
finish
