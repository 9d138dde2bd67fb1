# SPDX-License-Identifier: GPL-3.0-or-later
# A machine that changes while it is watched: each loss is told, and everything comes back by itself.
. "$top_srcdir/tests/fakekernel/lib.sh"
scenarios 22 recovery.py maketree.sh
finish
