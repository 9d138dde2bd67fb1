# SPDX-License-Identifier: GPL-3.0-or-later
# What is asked of an AMD card's node: roofs from what the card is, and which units work, only for the set that reads it.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/fakekernel/lib.sh"

# card KIND: a machine, without a log
card()
{
	sh "$top_srcdir/tests/fakekernel/amdtree.sh" "$root" "$1"
	: > "$log"
}

card card
gives 0 "a card" -J -n 3 -d 0.2
is "$(grep -c 'info 0x15' "$log")" 0 "  ... no register is read without being asked for"
gives 0 "  ... as text" -b -n 2 -d 0.2 -k gpu_busy,clock_actual
is "$(grep -o 'awake' "$tmp/out" | wc -l)" 1 "  ... has one share of the time awake, which is not the clock"
gives 0 "  ... with the set of units" -J -m units -n 2 -d 1
[ "$(grep -c 'info 0x15' "$log")" -gt 20 ]
point $? "  ... they are"
# The fake spreads each bit evenly, so that a share is off by one look of those in a window, which are about a hundred.
windows "all(abs(w['metrics']['units_' + u] - p) < 6 for w in windows for u, p in (('gui', 83), ('cp', 81), ('spi', 50), ('ta', 60), ('sx', 20),
	('pa', 25), ('sc', 40), ('db', 30), ('cb', 0), ('ge', 0)))" > "$tmp/good.out"
is "$(cat "$tmp/good.out")" True "  ... and are the shares that the register had"
is "$(window "sorted(set(n for n in w['estimated'] if n.startswith('units_')))[:2]")" "['units_cb', 'units_cp']" "  ... marked as estimates"
is "$(window "w['verdict']['kind']")" partly_idle "  ... the verdict says what can be said"
gives 0 "doctor" doctor
is "$(grep -c "memory roof  *ok  224.0 GB/s: driver: 875 MHz x 128 bits x 16" "$tmp/out")" 1 "  ... has the memory's roof from clock, width and type"
is "$(grep -c "^card0 .*EU 28 .*-2491 MHz" "$tmp/out")" 1 "  ... units and clock"

echo suspended > "$root/sys/devices/pci0000:00/0000:03:00.0/power/runtime_status"
: > "$log"
gives 0 "a card that sleeps" -J -m units -n 2 -d 0.2
is "$(grep -c 'woken\|info' "$log")" 0 "  ... is left asleep"
card card
export FAKEKERNEL_FAIL=info=EACCES
gives 0 "a driver that answers nothing" doctor -m units
is "$(grep -c "^  node  *NO .*does not say what the card is" "$tmp/out")" 1 "  ... costs what it would have said"
unset FAKEKERNEL_FAIL
card apu
gives 0 "an APU" -J -n 2 -d 0.2
is "$(window "m['power_socket'], m['power_gfx'], m['clock_gfx'], m['temperature_soc']")" "31 11 2044 59" "  ... powers, clock and heat"
# Its memory is the machine's, whose controllers count.
mkdir -p "$root/proc"
printf 'processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 116\nmodel name\t: Example\n\n' > "$root/proc/cpuinfo"
pmus amd_umc_0 amd_umc_1
values "memory controllers of Zen 4" dram_read=6.4 dram_write=2.56 -- -D card0
printf 'processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 23\nmodel\t\t: 96\nmodel name\t: Example\n\n' > "$root/proc/cpuinfo"
rm -rf "$root/sys/bus/event_source"
pmus amd_df
values "the data fabric of Zen 2" dram_total=0.512 dram_read=unsupported -- -D card0
finish
