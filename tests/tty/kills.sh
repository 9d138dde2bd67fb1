# SPDX-License-Identifier: GPL-3.0-or-later
# What SIGKILL leaves. ROOFTOP_KILLS=2000 tries longer.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
exec python3 -B "$top_srcdir/tests/tty/kills.py"
