# SPDX-License-Identifier: GPL-3.0-or-later
# Tables of the backends and of the fakes against those that scripts made of public headers and databases (second_sources.py).
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
exec python3 -B "$top_srcdir/tests/tty/second_sources.py" "$top_srcdir" "${ROOFTOP_ORACLE:-none}"
