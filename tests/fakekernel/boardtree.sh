#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# boardtree.sh ROOT BOARD: the plain files of a machine: pi4, pi5 (v3d), a6xx, a7xx, a8xx (msm), ivpu, ivpu-old, xdna.
set -eu
root=$1
board=$2
here=${0%/*}
. "$here/tree_lib.sh"
once "$board"
folders /dev

# platform_card PATH DRIVER COMPATIBLE
platform_card()
{
	node=${1##*/}
	folders "$1/power" "/sys/bus/platform/drivers/$2"
	file "$1/uevent" "DRIVER=$2
OF_NAME=gpu
OF_FULLNAME=/soc/${node#*.}@${node%%.*}
OF_COMPATIBLE_0=$3
OF_COMPATIBLE_N=1"
	file "/sys/bus/platform/drivers/$2/bind" ''
	link "$1/driver" "../../../../bus/platform/drivers/$2"
	link "$1/subsystem" ../../../../bus/platform
	file "$1/power/runtime_status" active
	file "$1/power/runtime_suspended_time" 0
	drm_nodes "$1"
}

# accel DRIVER: an NPU on PCI
accel()
{
	pci=/sys/devices/pci0000:00/0000:00:0b.0
	folders $pci/power $pci/accel/accel0 "/sys/bus/pci/drivers/$1" /sys/class/accel /dev/accel
	file "$pci/vendor" "$2"
	file "$pci/device" "$3"
	file "$pci/power/runtime_status" active
	file "/sys/bus/pci/drivers/$1/bind" ''
	link "$pci/driver" "../../../bus/pci/drivers/$1"
	file "$pci/accel/accel0/dev" 261:0
	link "$pci/accel/accel0/device" ../../../0000:00:0b.0
	link /sys/class/accel/accel0 "../../devices/pci0000:00/0000:00:0b.0/accel/accel0"
	: > "$root/dev/accel/accel0"
}

case $board in
pi4 | pi5)
	[ "$board" = pi4 ] && part=2711 || part=2712
	platform_card /sys/devices/platform/soc/fec00000.v3d v3d "brcm,$part-v3d"
	file /v3d/job_us 2000
	# Slices in bits 4 to 7, QPUs of each in bits 8 to 11.
	[ "$board" = pi4 ] && file /v3d/ident1 $((2 << 4 | 4 << 8)) || file /v3d/ident1 $((3 << 4 | 4 << 8))
	cp "$here/v3d_$board.txt" "$root/v3d/counters"
	file /v3d/queues 'bin 150 60
render 600 60
tfu 10 30
csd 250 20
cache_clean 5 60
cpu 0 0'
	file /sys/class/thermal/thermal_zone0/type cpu-thermal
	file /sys/class/thermal/thermal_zone0/temp 61234
	file /sys/class/hwmon/hwmon1/name rpi_volt
	file /sys/class/hwmon/hwmon1/in0_lcrit_alarm 0
	: > "$root/dev/vcio"
	file /v3d/firmware '30004 5 5 500000000
30047 5 5 480000000
30006 0 0 71500
30046 0 0 0'
	;;
a6xx | a7xx | a8xx)
	platform_card /sys/devices/platform/soc/ae00000.display-subsystem msm qcom,mdss
	file /msm/max_hz 700000000
	# The GPU is a device beside the display's. Its tree names the chip (Linux Documentation/devicetree/bindings/display/msm/gpu.yaml).
	case $board in
	a6xx) chip=06030001 compatible=qcom,adreno-630.1 ;;
	a7xx) chip=43050a01 compatible=qcom,adreno-43050a01 ;;
	a8xx) chip=44050001 compatible=qcom,adreno-44050001 ;;
	esac
	file /msm/chip $chip
	gpu=/sys/devices/platform/soc/5000000.gpu
	file $gpu/uevent "DRIVER=adreno
OF_NAME=gpu
OF_COMPATIBLE_0=$compatible
OF_COMPATIBLE_1=qcom,adreno
OF_COMPATIBLE_N=2"
	file $gpu/power/runtime_status active
	file /sys/bus/platform/drivers/adreno/bind ''
	link /sys/bus/platform/drivers/adreno/5000000.gpu ../../../../devices/platform/soc/5000000.gpu
	file /msm/groups 'CP 14 1
RBBM 4 0
SP 24 1
TP 12 0
UCHE 12 0'
	cp "$here/msm_$board.txt" "$root/msm/rates"
	;;
ivpu | ivpu-old)
	accel intel_vpu 0x8086 0x643e
	file $pci/.npu_busy_time_us.moves '1000000 400000 1000000000000 1000'
	file $pci/npu_busy_time_us 0
	if [ "$board" = ivpu ]; then
		file $pci/npu_memory_utilization 104857600
		file $pci/freq/current_freq 1850
		file $pci/freq/hw_max_freq 1950
	else
		file $pci/npu_current_frequency_mhz 1400
		file $pci/npu_max_frequency_mhz 1600
	fi
	;;
xdna)
	accel amdxdna 0x1022 0x17f0
	file /xdna/columns 8
	file /xdna/clocks '800 1267'
	file /xdna/sensors '0 -3 1850 mW
1 0 30 %
1 0 50 %'
	file /xdna/contexts '1 0 4 1234 50 1
2 2 4 1235 10 0'
	;;
*)
	echo "boardtree.sh: no such board: $board" >&2
	exit 2
	;;
esac
