# SPDX-License-Identifier: GPL-3.0-or-later
# For tests on the oracle's recordings: $rooftop, $oracle, a folder $work that goes away; skips where there are none.
set -u
LC_ALL=C
export LC_ALL
rooftop=${top_builddir:-.}/rooftop
oracle=${ROOFTOP_ORACLE:-}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

if ! [ -d "$oracle/recordings" ]; then
	echo "1..0 # SKIP no oracle recordings (ROOFTOP_ORACLE)"
	exit 0
fi
