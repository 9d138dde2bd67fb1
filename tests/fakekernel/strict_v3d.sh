# SPDX-License-Identifier: GPL-3.0-or-later
# Raspberry Pi on a strict fake (strict.h): kernels of several versions, and what they do late, partly or not at all.
. "$top_srcdir/tests/fakekernel/strict_lib.sh"

# Up to 7.2 a reading stops the monitor until the next job; later ones count on.
for kernel in 7.2 7.3; do
	strict v3d42 $kernel
	gives 0 "V3D 4.2 on Linux $kernel" -J -n 3 -d 0.2
	is "$(every "near('qpu_working', 50) and near('qpu_empty', 30) and near('wait_tmu', 10) and near('l2_hit_rate', 75) and near_share('bus_read', 'bus_write', 3)")" "" \
		"  ... gives shares of what was counted"
	is "$(windows "sum(bool(w['metrics']['bus_read']) for w in windows) > 0")" True "  ... and bytes"
done
strict v3d71 7.2
gives 0 "V3D 7.1" -J -n 2 -d 0.2
is "$(every "near('l2_hit_rate', 75)")" "" "  ... gives what was counted"

# What is refused, each for its own reason.
strict v3d33 7.2
gives 0 "a GPU of which the driver lists no counters" -J -n 1 -d 0.1
said 'card0: the driver knows no counters of this GPU' "  ... says so"
is "$(grep -c 'since version' "$tmp/err")" 0 "  ... and recommends no other kernel"
strict v3d42 6.10
gives 0 "a kernel that names no counters" -J -n 1 -d 0.1
said 'since version 6.11' "  ... says since when others do"
strict v3d42 6.12
gives 0 "a kernel without a global monitor" -J -n 1 -d 0.1
said 'since version 6.14' "  ... says since when others have it"
strict v3d42 7.2
hold strict/global.lock
gives 0 "a monitor that another program has" -J -n 1 -d 0.1
is "$(window "why['qpu_working']")" busy "  ... is the reason of its numbers"
release

# Registers have 32 bits: eight idle QPUs at 600 MHz turn one over in 0.89 s. A machine that lets the program wait as long gives no number.
strict v3d42 7.2
told rates 'cycle-count 600e6
QPU-total-idle-clk-cycles 4800e6
QPU-total-clk-cycles-executing-valid-instr 1
QPU-total-clk-cycles-waiting-vertex-coord-shading 1
QPU-total-clk-cycles-waiting-fragment-shading 1'
gives 0 "a window in which a register turns over" -J -n 1 -d 1
is "$(every "near('qpu_empty', 100)")" "" "  ... gives what was counted"

# Sleep takes the registers up to 7.2, and the monitor counts nothing until it is read.
strict v3d42 7.2
told asleep '750 1300
1700 1740'
gives 0 "a GPU that sleeps, on Linux 7.2" -J -n 5 -d 0.4
is "$(every "why['bus_read'] == 'asleep' if m['bus_read'] is None else m['bus_read'] > 0 and near('qpu_working', 50)")" "" \
	"  ... is never told to have done nothing"
is "$(windows "sum(w['metrics']['bus_read'] is None for w in windows) in range(1, 5)")" True "  ... and counts again when it is awake"
# Later kernels take what was counted, and nothing is lost.
strict v3d42 7.3
told asleep '750 1300
1700 1740'
gives 0 "  ... and on Linux 7.3" -J -n 5 -d 0.4
is "$(every "m['asleep'] > 60 or m['bus_read'] and near('qpu_working', 50)")" "" "  ... has a number for the time in which it was awake"
finish
