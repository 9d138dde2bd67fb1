# SPDX-License-Identifier: GPL-3.0-or-later
# For tests on the oracle's recordings: $rooftop, $oracle, a folder $work that goes away; skips where there are none.
set -u
LC_ALL=C
export LC_ALL
oracle=${ROOFTOP_ORACLE:-}
. "${top_srcdir:-.}/tests/tty/tap.sh"
work=$tmp

if ! [ -d "$oracle/recordings" ]; then
	echo "1..0 # SKIP no oracle recordings (ROOFTOP_ORACLE)"
	exit 0
fi
