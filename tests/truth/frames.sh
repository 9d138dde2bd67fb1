# SPDX-License-Identifier: GPL-3.0-or-later
# No drawn answer is refuted by its own frame (doc/TRUTH.md, law 3).
. "$top_srcdir/tests/tty/tap.sh"
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
python3 -B "$top_srcdir/tests/truth/frames.py" "$rooftop"
