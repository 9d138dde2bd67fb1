# SPDX-License-Identifier: GPL-3.0-or-later
# A device that sleeps when it is opened ends up equal to one that was awake, on every machine whose devices sleep: the same name, facts, limits,
# roofs, counters, values, reasons and verdict. See wakes.py.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/fakekernel/lib.sh"

# asleep_for US: all devices of the machine, from now on
asleep_for()
{
	find "$root/sys/devices" -name runtime_status | while read -r status; do
		echo "after $1 suspended active" > "${status%/*}/.runtime_status.moves"
	done
}

# sensors NAME: of the card, with its limits
sensors()
{
	hwmon=$root/sys/class/drm/card0/device/hwmon/hwmon3
	mkdir -p "$hwmon"
	echo "$1" > "$hwmon/name"
	for row in power1_max:190000000 power2_max:150000000 temp1_max:90000 temp1_input:60000 temp2_crit:100000 temp2_input:61000 temp2_label:pkg; do
		echo "${row#*:}" > "$hwmon/${row%:*}"
	done
}

answers=
# wakes WHAT [OPTION...]: on this machine
wakes()
{
	what=$1
	shift
	for us in 0 2500000; do
		asleep_for $us
		rm -f "$tmp/$us".*
		"$rooftop" -d 0.2 -n 45 -J -o "$tmp/$us.live" "$@" -w - > "$tmp/$us.stream" 2> "$tmp/$us.err" < /dev/null
	done
	good "$what that wakes equals one that was awake" python3 -B "$top_srcdir/tests/fakekernel/wakes.py" "$tmp/0" "$tmp/2500000" $answers
}

for kind in card apu; do
	sh "$top_srcdir/tests/fakekernel/amdtree.sh" "$root" $kind
	powered client
	wakes "an AMD $kind" -D card0
	wakes "  ... its units" -D card0 -m units
done
for machine in hd620 chv hsw tgl dg2; do
	machine $machine,load=copy.sp.x4
	[ $machine = hsw ] || powered client
	[ $machine != dg2 ] || sensors i915
	wakes "$machine of i915" -D card0
done
driver=xe
for machine in dg2 lnl; do
	machine $machine,load=copy.sp.x4
	[ $machine != dg2 ] || sensors xe
	wakes "$machine of xe" -D card0
done
driver=
board g710,load=memory panthor
wakes "a Mali of panthor" -D card0
for board in pi4 pi5 a6xx a7xx a8xx xdna ivpu ivpu-old; do
	sh "$top_srcdir/tests/fakekernel/boardtree.sh" "$root" $board
	# The drivers of these give counts of a device that sleeps, and nothing asks for more.
	case $board in a?xx | ivpu*) answers=answers ;; *) answers= ;; esac
	case $board in xdna | ivpu*) wakes "$board" -D accel0 ;; *) wakes "$board" -D card0 ;; esac
done
finish
