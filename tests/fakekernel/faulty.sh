# SPDX-License-Identifier: GPL-3.0-or-later
# Drivers whose calls fail at random, with resets of the GPU and cards that fall off the bus between them: a few seeds of "make faults".
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/fakekernel/lib.sh"
points_of 13 faulty.py "$tmp" "$so" "$runtime" "$program" "${ROOFTOP_FAULT_FIRST:-1}" "${ROOFTOP_FAULT_SEEDS:-2}"
finish
