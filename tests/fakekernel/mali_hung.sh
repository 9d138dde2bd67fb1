# SPDX-License-Identifier: GPL-3.0-or-later
# A Mali GPU that does not answer, and a rooftop that is killed while it counts: see mali_hung.py.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/fakekernel/lib.sh"
scenarios 15 mali_hung.py malitree.sh
finish
