# SPDX-License-Identifier: GPL-3.0-or-later
# A driver that holds a call for as long as it likes.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/fakekernel/lib.sh"
scenarios 35 blocked.py maketree.sh
finish
