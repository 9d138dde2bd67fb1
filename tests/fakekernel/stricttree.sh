#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# stricttree.sh ROOT BOARD KERNEL: the files of a machine with strict fakes (strict.h) on the kernel of that version ("6.12"): v3d33,
# v3d41, v3d42, v3d71, a6xx, a7xx, a8xx, ivpu, xdna.
set -eu
root=$1
board=$2
kernel=$3
here=${0%/*}
. "$here/tree_lib.sh"

# since VERSION: whether the kernel is as new
since()
{
	[ "$((${kernel%.*} * 1000 + ${kernel#*.}))" -ge "$((${1%.*} * 1000 + ${1#*.}))" ]
}

once "$board $kernel"
case $board in
v3d71) sh "$here/boardtree.sh" "$root" pi5 ;;
v3d*) sh "$here/boardtree.sh" "$root" pi4 ;;
*) sh "$here/boardtree.sh" "$root" "$board" ;;
esac
rm -rf "$root/v3d" "$root/msm" "$root/xdna" "$root/dev/vcio"
file /strict/on 1
file /strict/kernel "$kernel"

case $board in
v3d*)
	file /strict/version "${board#v3d}"
	case $board in
	v3d71) cp "$here/v3d_pi5.txt" "$root/strict/counters" ;;
	*) cp "$here/v3d_pi4.txt" "$root/strict/counters" ;;
	esac
	# The head of gpu_stats lies there so that the file is found; it is made when it is opened.
	! since 6.8 || file /sys/devices/platform/soc/fec00000.v3d/gpu_stats made
	since 6.8 || rm -f "$root/sys/devices/platform/soc/fec00000.v3d/gpu_stats"
	# Slices in bits 4 to 7, QPUs of each in bits 8 to 11.
	file /strict/ident5 $((2 << 4 | 4 << 8))
	file /strict/queues 'bin 100 50
render 550 50
csd 200 20
cache_clean 5 50'
	# Eight QPUs at 500 MHz.
	file /strict/rates 'cycle-count 500e6
QPU-total-idle-clk-cycles 1200e6
QPU-total-clk-cycles-executing-valid-instr 2000e6
QPU-total-clk-cycles-waiting-vertex-coord-shading 200e6
QPU-total-clk-cycles-waiting-fragment-shading 600e6
QPU-total-clk-cycles-waiting-TMU 400e6
L2T-total-cache-hit 90e6
L2T-total-cache-miss 30e6
AXI-read-bytes-seen-watch-0 1500e6
AXI-write-bytes-seen-watch-0 500e6
AXI-read-bytes-seen-watch-1 0
AXI-write-bytes-seen-watch-1 0'
	;;
a6xx | a7xx | a8xx)
	# Linux drivers/gpu/drm/msm/registers/adreno/*_perfcntrs.json: counters of each group without those that the kernel keeps, and
	# how many of them another program has reserved for itself.
	case $board in
	a6xx) groups='CP 13 CCU 5 TSE 4 RAS 4 LRZ 4 CMP 4 HLSQ 6 PC 8 RB 8 SP 23 TP 12 UCHE 12 VFD 8 VPC 6 VSC 2' ;;
	a7xx | a8xx)
		groups='CP 13 RBBM 4 PC 8 VFD 8 HLSQ 6 VPC 6 TSE 4 RAS 4 UCHE 12 TP 12 SP 24 RB 8 VSC 2 CCU 5 LRZ 4 CMP 4 UFC 4 BV_CP 7
			BV_PC 8 BV_VFD 8 BV_VPC 6 BV_TP 6 BV_SP 12 BV_UFC 2 BV_TSE 4 BV_RAS 4 BV_LRZ 4 BV_HLSQ 6'
		[ "$board" = a7xx ] || groups=$(echo "$groups" | sed 's/UCHE 12/UCHE 24/; s/BV_TP 6/BV_TP 8/')
		;;
	esac
	printf '%s %s 0\n' $groups > "$root/strict/msm_groups"
	file /strict/max_hz 800000000
	# From a7xx on the number above 32 bits is the speed bin.
	case $board in
	a6xx) file /strict/chip 06030001 ;;
	a7xx) file /strict/chip 743050a01 ;;
	a8xx) file /strict/chip 344050001 ;;
	esac
	# 500 MHz, busy for three quarters of the time.
	case $board in
	a8xx)
		file /strict/msm_rates 'CP 1 500e6
CP 3 375e6
SP 1 375e6
SP 2 250e6
SP 151 25e6
RBBM 3 375e6'
		reads='32 33'
		writes='34 35'
		;;
	*)
		file /strict/msm_rates 'CP 0 500e6
CP 2 375e6
SP 0 375e6
SP 1 250e6
SP 2 25e6
RBBM 6 375e6'
		reads='27 28'
		writes='52 53'
		;;
	esac
	printf 'SP %s %s\n' 4 50e6 5 25e6 109 20e6 111 10e6 113 5e6 110 4e6 112 2e6 114 1e6 >> "$root/strict/msm_rates"
	printf 'UCHE %s %s\n' ${reads% *} 60e6 ${reads#* } 40e6 ${writes% *} 20e6 ${writes#* } 5e6 >> "$root/strict/msm_rates"
	;;
ivpu)
	pci=/sys/devices/pci0000:00/0000:00:0b.0
	rm -rf "$root$pci"/npu_* "$root$pci"/.npu_* "$root$pci/freq"
	file /strict/npu '100 40'
	file /strict/npu_mhz 1300
	file /strict/npu_bytes 3145728
	file $pci/npu_busy_time_us made
	! since 6.15 || file $pci/npu_memory_utilization made
	! since 6.16 || file $pci/npu_current_frequency_mhz made
	! since 6.16 || file $pci/npu_max_frequency_mhz 1400
	! since 7.1 || file $pci/freq/current_freq made
	! since 7.1 || file $pci/freq/hw_max_freq 1400
	;;
xdna)
	file /strict/columns 8
	file /strict/clocks '792 1267'
	! since 7.0 || file /strict/power_mw 1850
	! since 7.1 || file /strict/column_busy '30
50
0
40
0
0
0
0'
	# Two processes with a context 1 each, and two contexts that share columns.
	file /strict/contexts '1234 1 0 4 50 10 0 1e9
1234 2 0 4 10 20 0 1e9
1235 1 4 2 7 30 0 1e9'
	;;
esac
: > "$root/strict/begin"
