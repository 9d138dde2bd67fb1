# SPDX-License-Identifier: GPL-3.0-or-later
# One card in both halves of the screen, and ways in that only one can have: see split.py.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/fakekernel/lib.sh"
machine hd620,load=private.mad.sp.x1
points_of 10 split.py "$rooftop" "$tmp" "$log"
is "$(registered)" 0 "no programming is left behind"
finish
