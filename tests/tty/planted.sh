# SPDX-License-Identifier: GPL-3.0-or-later
# Links that another user plants where the program writes.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
exec python3 -B "$top_srcdir/tests/tty/planted.py"
