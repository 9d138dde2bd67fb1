# SPDX-License-Identifier: GPL-3.0-or-later
# What the documents show is tried: each command line runs on a simulated device, and each example of a metric file loads.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
exec python3 -B "$top_srcdir/tests/tty/shown.py" "$top_srcdir"
