#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# maketree.sh ROOT MODEL [DRIVER]: the plain files of a machine whose GPU is the simulated device of that spec
# ("hd620,load=copy.sp.x4"), under i915 or xe.
set -eu
root=$1
model=$2
driver=${3:-i915}
chipset=
case ${model%%,*} in
icl | skl)	# no simulated device: its identity, the load of another one
	case $model in icl*) device=8a52 ;; *) device=1912 ;; esac
	min=300 max=1050 revision=5
	chipset=$device
	model=hd620${model#???}
	;;
jsl)	# N4500: 16 of 32 EUs, and the other kinds, where fuses leave 5 or 6 EUs of 8 in a subslice
	device=${JSL:-4e55} min=300 max=1050 revision=5
	chipset=$device
	model=hd620${model#jsl}
	;;
skl1)	# Skylake GT1, which no metric set names, and other ids without one
	device=${PLAIN:-1902} min=300 max=950 revision=5
	model=hd620${model#skl1}
	;;
hsw) device=0412 min=350 max=1200 revision=5 ;;
hd620) device=5916 min=300 max=1050 revision=5 ;;
chv) device=22b1 min=300 max=700 revision=4 ;;
tgl) device=9a49 min=300 max=1300 revision=7 ;;
dg2) device=56a0 min=300 max=2400 revision=7 ;;
lnl) device=64a0 min=300 max=1950 revision=7 ;;
mtl)
	device=7d55 min=300 max=2400 revision=7
	chipset=$device
	model=dg2${model#mtl}
	;;
bmg | ptl)
	case $model in bmg*) device=e20b ;; *) device=b080 ;; esac
	min=300 max=1950 revision=7
	chipset=$device
	model=lnl${model#???}
	;;
*) echo "maketree.sh: no such machine: $model" >&2; exit 2 ;;
esac

. "${0%/*}/tree_lib.sh"

pci=/sys/devices/pci0000:00/0000:00:02.0
once "$model $driver $device $chipset"
folders $pci/power /sys/bus/pci/drivers/$driver /sys/bus/pci/devices /sys/kernel/security $pci/drm/card0/metrics /i915/configs /i915/tmp /proc/sys/kernel
file $pci/vendor 0x8086
file $pci/device 0x$device
file $pci/revision 0x02
file $pci/subsystem_vendor 0x17aa
file $pci/subsystem_device 0x2248
file $pci/class 0x030000
file $pci/enable 1
file $pci/uevent "DRIVER=$driver
PCI_CLASS=30000
PCI_ID=8086:$(printf %04X 0x$device)
PCI_SUBSYS_ID=17AA:2248
PCI_SLOT_NAME=0000:00:02.0"
file $pci/power/runtime_status active
file /sys/bus/pci/drivers/$driver/bind ''
link $pci/driver ../../../bus/pci/drivers/$driver
# BAR 0 of 16 MiB: type and size as the kernel prints them, and the registers behind it.
file $pci/resource "0x00000000a0000000 0x00000000a0ffffff 0x0000000000140204
0x0000000000000000 0x0000000000000000 0x0000000000000000
0x0000000000000000 0x0000000000000000 0x0000000000000000
0x0000000000000000 0x0000000000000000 0x0000000000000000
0x0000000000000000 0x0000000000000000 0x0000000000000000
0x0000000000000000 0x0000000000000000 0x0000000000000000
0x0000000000000000 0x0000000000000000 0x0000000000000000"
truncate -s 16M "$root$pci/resource0"
identity 8086 $device 2
file /sys/kernel/security/lockdown '[none] integrity confidentiality'
link $pci/subsystem ../../../bus/pci
link /sys/bus/pci/devices/0000:00:02.0 ../../../devices/pci0000:00/0000:00:02.0
drm_nodes $pci
card=$pci/drm/card0
i915_files()
{
	folders $card/gt/gt0 $card/power /sys/kernel/debug/dri/0 /sys/kernel/debug/dri/128 /sys/module/i915/parameters /proc/sys/dev/i915
	# Tiger Lake stands for kernels with a folder per GT.
	if [ "${model%%,*}" = tgl ]; then
		file $card/gt/gt0/rps_min_freq_mhz $min
		file $card/gt/gt0/rps_max_freq_mhz $max
		file $card/gt/gt0/rps_RP0_freq_mhz $max
		file $card/gt/gt0/rps_act_freq_mhz $max
		file $card/gt/gt0/rps_cur_freq_mhz $max
		file $card/gt/gt0/rc6_residency_ms 0
		reasons $card/gt/gt0 throttle_reason_
	else	# i915-perf-recorder takes the limits from that folder wherever it exists
		link $card/gt/gt0/rps_min_freq_mhz ../../gt_min_freq_mhz
		link $card/gt/gt0/rps_max_freq_mhz ../../gt_max_freq_mhz
		link $card/gt/gt0/rps_RP0_freq_mhz ../../gt_RP0_freq_mhz
		link $card/gt/gt0/rc6_residency_ms ../../power/rc6_residency_ms
	fi
	file $card/gt/gt0/rc6_enable 1
	file $card/gt_min_freq_mhz $min
	file $card/gt_RPn_freq_mhz $min
	file $card/gt_RP1_freq_mhz $min
	file $card/gt_RP0_freq_mhz $max
	file $card/gt_boost_freq_mhz $max
	file $card/gt_max_freq_mhz $max
	file $card/gt_RP0_freq_mhz $max
	file $card/gt_act_freq_mhz $max
	file $card/gt_cur_freq_mhz $max
	# how long is told when it is asked (residency.c)
	file $card/power/rc6_residency_ms 0
	file $card/power/rc6_enable 1
	for minor in 0 128; do
		file /sys/kernel/debug/dri/$minor/name "i915 dev=0000:00:02.0 unique=0000:00:02.0"
		file /sys/kernel/debug/dri/$minor/i915_gem_drop_caches 0x0
		file /sys/kernel/debug/dri/$minor/i915_wedged 0
	done
	file /sys/module/i915/parameters/reset 2
	file /sys/module/i915/parameters/enable_hangcheck Y
	file /proc/sys/dev/i915/perf_stream_paranoid 1
	file /proc/sys/dev/i915/oa_max_sample_rate 100000
}

# Linux xe_gt_freq.c, xe_gt_idle.c
xe_files()
{
	folders $pci/tile0/gt0/freq0/throttle $pci/tile0/gt0/gtidle /proc/sys/dev/xe
	file $pci/tile0/gt0/freq0/min_freq $min
	file $pci/tile0/gt0/freq0/max_freq $max
	file $pci/tile0/gt0/freq0/rpn_freq $min
	file $pci/tile0/gt0/freq0/rp0_freq $max
	file $pci/tile0/gt0/freq0/act_freq $max
	file $pci/tile0/gt0/freq0/cur_freq $max
	reasons $pci/tile0/gt0/freq0/throttle reason_
	mv "$root$pci/tile0/gt0/freq0/throttle/reason_status" "$root$pci/tile0/gt0/freq0/throttle/status"
	file $pci/tile0/gt0/gtidle/name gt0-rc
	file $pci/tile0/gt0/gtidle/idle_residency_ms 0
	file /proc/sys/dev/xe/observation_paranoid 1
}

${driver}_files
file /proc/sys/kernel/osrelease 6.1.0-44-amd64
file /proc/sys/kernel/version '#1 SMP PREEMPT_DYNAMIC Debian 6.1.176-1 (2026-06-02)'
file /proc/sys/kernel/perf_event_paranoid 2
file /proc/sys/kernel/nmi_watchdog 0
file /i915/model "$model"
file /i915/perf_revision $revision
[ -z "$chipset" ] || file /i915/chipset "$chipset"
case $device in
56a0 | e20b)	# cards with memory: Arc A770 (16 GB), B580 (12 GB)
	case $device in 56a0) file /i915/local_memory_bytes 17179869184 ;; *) file /i915/local_memory_bytes 12884901888 ;; esac
	file /i915/local_memory_used_bytes 1500000000
	;;
esac
