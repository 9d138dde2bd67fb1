# SPDX-License-Identifier: GPL-3.0-or-later
# What each driver may refuse, and the program beside it (refused.py).
. "$top_srcdir/tests/fakekernel/lib.sh"
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
points_of 8 refused.py "$tmp" "$so" "$runtime" "$program"
finish
