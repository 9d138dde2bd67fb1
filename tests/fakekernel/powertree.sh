#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# powertree.sh ROOT WHAT...: power counters of a machine, added to a tree of the fake kernel. WHAT:
# client (an Intel laptop's powercap zones with a twin and psys as zone 1), amd (one package, a core zone that is one core), dies (the package of two dies),
# braswell (32 uJ units), two (two packages), hwmon (a discrete i915 card as card0), slow (zones that change every 50 ms); sensors of boards:
# grace (two sockets, meters of ACPI), jetson (INA3221, an AGX Orin), xgene, odroid (INA231 without names), juno (SCMI, counters beside watts), ina226 (one with a name, one
# without), foreign (chips that are no parts of the machine), broken (files that hold no watts).
set -eu
root=$1
shift
update_us=1000

. "${0%/*}/tree_lib.sh"

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

# meter NUMBER NAME WATTS: of ACPI, whose files were in the folder of the device until Linux 6.18
meter()
{
	file /sys/class/hwmon/hwmon$1/device/name power_meter
	file /sys/class/hwmon/hwmon$1/device/power1_oem_info "$2"
	file /sys/class/hwmon/hwmon$1/device/power1_average_interval 50
	file /sys/class/hwmon/hwmon$1/device/power1_average $(($3 * 1000000))
}

# rail CHIP CHANNEL NAME MILLIVOLTS MILLIAMPERES
rail()
{
	file /sys/class/hwmon/$1/name ina3221
	file /sys/class/hwmon/$1/in$2_label "$3"
	file /sys/class/hwmon/$1/in$2_input $4
	file /sys/class/hwmon/$1/curr$2_input $5
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
	dies)
		for die in 0 1; do
			zone intel-rapl:$die package-0-die-$die 1000 65 65532610987
		done
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
	grace)
		for socket in 0 1; do
			meter ${socket}0 "Module Power Socket $socket" 400
			meter ${socket}1 "Grace Power Socket $socket" 150
			meter ${socket}2 "CPU Power Socket $socket" 90
			meter ${socket}3 "SysIO Power Socket $socket" 12
		done
		;;
	jetson)
		rail hwmon1 1 VDD_GPU_SOC 19000 1000
		rail hwmon1 2 VDD_CPU_CV 19000 500
		rail hwmon1 3 VIN_SYS_5V0 5000 700
		file /sys/class/hwmon/hwmon1/in7_label 'sum of shunt voltages'
		file /sys/class/hwmon/hwmon1/curr4_input 2200
		rail hwmon2 1 NC 0 0
		rail hwmon2 2 VDDQ_VDD2_1V8AO 1800 1000
		# What has no name of its own has the chip's, but the fourth current is the sum of the others.
		file /sys/class/hwmon/hwmon2/label VDDQ
		file /sys/class/hwmon/hwmon2/in4_input 1000
		file /sys/class/hwmon/hwmon2/curr4_input 1000
		;;
	juno)
		file /sys/class/hwmon/hwmon1/name scmi_sensors
		n=1
		for part in BIG:3 LITTLE:1 GPU:5; do
			counter /sys/class/hwmon/hwmon1/energy${n}_input $((n * 1000000)) ${part#*:} 0
			file /sys/class/hwmon/hwmon1/energy${n}_label ${part%:*}_ENM
			file /sys/class/hwmon/hwmon1/power${n}_input ${part#*:}000000
			file /sys/class/hwmon/hwmon1/power${n}_label ${part%:*}_POW
			n=$((n + 1))
		done
		;;
	ina226)
		file /sys/class/hwmon/hwmon1/name ina226
		file /sys/class/hwmon/hwmon1/label vdd_ddr
		file /sys/class/hwmon/hwmon1/update_interval 35
		file /sys/class/hwmon/hwmon1/power1_input 1500000
		file /sys/class/hwmon/hwmon2/name ina226
		file /sys/class/hwmon/hwmon2/power1_input 7000000
		;;
	xgene)
		file /sys/class/hwmon/hwmon1/name apm_xgene
		file /sys/class/hwmon/hwmon1/power1_label 'CPU power'
		file /sys/class/hwmon/hwmon1/power1_input 31000000
		file /sys/class/hwmon/hwmon1/power2_label 'IO power'
		file /sys/class/hwmon/hwmon1/power2_input 17000000
		;;
	odroid)
		mkdir -p "$root/sys/firmware/devicetree/base"
		printf 'hardkernel,odroid-xu3\0samsung,exynos5800\0samsung,exynos5\0' > "$root/sys/firmware/devicetree/base/compatible"
		n=1
		for sensor in 0040:4000000 0041:500000 0044:2000000 0045:1000000 0046:9000000; do
			file /sys/class/hwmon/hwmon$n/name ina231
			file /sys/class/hwmon/hwmon$n/power1_input ${sensor#*:}
			ln -sfn ../../../0-${sensor%:*} "$root/sys/class/hwmon/hwmon$n/device"
			n=$((n + 1))
		done
		;;
	foreign)
		file /sys/class/hwmon/hwmon5/name BAT0
		file /sys/class/hwmon/hwmon5/power1_input 9000000
		file /sys/class/hwmon/hwmon6/name amdgpu
		file /sys/class/hwmon/hwmon6/power1_average 99000000
		file /sys/class/hwmon/hwmon6/power1_label cpu
		;;
	broken)
		meter 1 "$(head -c 300 /dev/zero | tr '\0' x)" 50
		meter 2 'CPU Power Socket 0' 90
		file /sys/class/hwmon/hwmon2/device/power1_average none
		meter 3 'Grace Power Socket 0' 150
		file /sys/class/hwmon/hwmon3/device/power1_average 1e300
		meter 4 "$(printf 'DRAM \033[31m\377')" 6
		file /sys/class/hwmon/hwmon4/device/power1_average_interval 1e300
		meter 5 'Module Power Socket 0' 20
		file /sys/class/hwmon/hwmon5/device/power1_average -5000000
		mkdir -p "$root/sys/class/hwmon/hwmon6/device/name" "$root/sys/class/hwmon/hwmon7"
		;;
	*) echo "powertree.sh: no such machine: $what" >&2; exit 2 ;;
	esac
done
