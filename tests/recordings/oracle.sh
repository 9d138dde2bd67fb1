# SPDX-License-Identifier: GPL-3.0-or-later
# For tests on the oracle's recordings: $rooftop, $oracle, a folder $work that goes away; skips where there is no oracle.
set -u
LC_ALL=C
export LC_ALL
oracle=${ROOFTOP_ORACLE:-}
. "${top_srcdir:-.}/tests/tty/tap.sh"
work=$tmp

if ! [ -d "$oracle" ]; then
	echo "1..0 # SKIP there is no oracle: set ROOFTOP_ORACLE to its folder"
	exit 0
fi
