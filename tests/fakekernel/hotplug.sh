# SPDX-License-Identifier: GPL-3.0-or-later
# A card that comes while the screen is open, told by the kernel or found: see hotplug.py.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/fakekernel/lib.sh"
machine hd620,load=private.mad.sp.x1
points_of 10 hotplug.py "$rooftop" "$tmp" "$root"
finish
