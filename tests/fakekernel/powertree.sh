#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# powertree.sh ROOT WHAT...: power counters of a machine, added to a tree of the fake kernel. WHAT:
# client (an Intel laptop's powercap zones with a twin and psys as zone 1), amd (one package, a core zone that is one core),
# braswell (32 uJ units), two (two packages), hwmon (a discrete i915 card as card0), slow (zones that change every 50 ms).
set -eu
root=$1
shift
update_us=1000

. "$(dirname "$0")/tree_lib.sh"

# counter PATH START WATTS RANGE: reads in uJ
counter()
{
	rm -f "$root$1"	# its mode may forbid writing
	file "$1" "$2"
	file "${1%/*}/.${1##*/}.moves" "$2 $(awk "BEGIN { printf \"%.0f\", $3 * 1000000 }") $4 $update_us"
}

# zone NAME TITLE START WATTS [RANGE]; 2^32 units of 2^-14 J, cut to whole uJ as the kernel does
zone()
{
	range=${5:-262143328850}
	counter /sys/class/powercap/$1/energy_uj "$3" "$4" $((range + 1))
	chmod 400 "$root/sys/class/powercap/$1/energy_uj"
	file /sys/class/powercap/$1/name "$2"
	file /sys/class/powercap/$1/max_energy_range_uj $range
	file /sys/class/powercap/$1/enabled 1
}

limit()
{
	file /sys/class/powercap/$1/constraint_0_name long_term
	file /sys/class/powercap/$1/constraint_0_power_limit_uw $2
}

for what; do
	case $what in
	slow) update_us=50000 ;;
	client)
		mkdir -p "$root/sys/class/powercap/intel-rapl"
		zone intel-rapl:0 package-0 262143300000 15	# wraps after 2 ms
		limit intel-rapl:0 15000000
		zone intel-rapl:0:0 core 400000 6
		zone intel-rapl:0:1 uncore 300000 5
		zone intel-rapl:0:2 dram 150000 1.5
		zone intel-rapl:1 psys 2000000 20
		zone intel-rapl-mmio:0 package-0 262143300000 15
		;;
	amd)
		zone intel-rapl:0 package-0 1000 65 65532610987
		zone intel-rapl:0:0 core 1000 4 65532610987
		;;
	braswell)
		zone intel-rapl:0 package-0 137438953000 4 137438953440
		zone intel-rapl:0:0 core 0 1 137438953440
		;;
	two)
		zone intel-rapl:0 package-0 5000 50
		zone intel-rapl:0:0 dram 5000 3
		zone intel-rapl:1 package-1 262143328000 70
		zone intel-rapl:1:0 dram 5000 4
		;;
	hwmon)
		hwmon=/sys/devices/pci0000:00/0000:00:02.0/hwmon/hwmon3
		file $hwmon/name i915
		counter $hwmon/energy1_input 1000000 30 0
		;;
	*) echo "powertree.sh: no such machine: $what" >&2; exit 2 ;;
	esac
done
