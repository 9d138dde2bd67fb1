# SPDX-License-Identifier: GPL-3.0-or-later
# The truth table of simulated devices (doc/TRUTH.md).
. "$top_srcdir/tests/tty/tap.sh"
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
python3 -B "$top_srcdir/tests/truth/check.py" "$rooftop" "$top_builddir/tests/truth/relax" "$top_srcdir/tests/truth/table"
