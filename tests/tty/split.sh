# SPDX-License-Identifier: GPL-3.0-or-later
# Two devices in a pseudo-terminal: keys, mouse, files, exports, and every way to the end.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
PYTHONPATH="$top_srcdir/tests/tty" exec python3 -B "$top_srcdir/tests/tty/split.py"
