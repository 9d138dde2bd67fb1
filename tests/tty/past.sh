# SPDX-License-Identifier: GPL-3.0-or-later
# The past has times, whatever was done meanwhile: see past.py.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/tty/tap.sh"
good "moments and marks are found where they were" python3 -B "$top_srcdir/tests/tty/past.py" "$rooftop" "$tmp" 24 sim:hd620 sim:g72 sim:h100 sim:rx7900
finish
