# SPDX-License-Identifier: GPL-3.0-or-later
# The table of planted faults against the sources: what stands where it was is found by run.py, and a moved line takes its row with it.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
exec python3 -B "$top_srcdir/tests/mutation/run.py" --look
