#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# amdtree.sh ROOT [KIND [NUMBER]]: the plain files of a machine with an AMD card under amdgpu: card (a RX 6600 in size and numbers) or apu.
# With a number the machine is there already and gets it as card NUMBER.
set -eu
root=$1
kind=${2:-card}
number=${3:-0}
here=${0%/*}
. "$here/tree_lib.sh"

pci=/sys/devices/pci0000:00/0000:03:00.0
[ $# -gt 2 ] || once "$kind"
hwmon=$pci/hwmon/hwmon3
core=$pci/ip_discovery/die/0/11/0
kfd=/sys/class/kfd/kfd
folders $pci/power $hwmon $core /sys/bus/pci/drivers/amdgpu /sys/bus/pci/devices /sys/class/hwmon /sys/module/amdgpu /amdgpu/registers \
	$kfd/topology/nodes/0/io_links/0 $kfd/topology/nodes/0/mem_banks/0 $kfd/topology/nodes/1/io_links/0 $kfd/topology/nodes/1/mem_banks/0 \
	$kfd/proc /proc/sys/kernel /clients /i915/tmp
file $pci/vendor 0x1002
file $pci/revision 0xc1
file $pci/subsystem_vendor 0x1da2
file $pci/subsystem_device 0x447e
file $pci/class 0x030000
file $pci/enable 1
file $pci/power/runtime_status active
file $pci/power/runtime_suspended_time 0
file $pci/power/control auto
link $pci/driver ../../../bus/pci/drivers/amdgpu
link $pci/subsystem ../../../bus/pci
link /sys/bus/pci/devices/0000:03:00.0 ../../../devices/pci0000:00/0000:03:00.0
file /sys/bus/pci/drivers/amdgpu/bind ''
drm_nodes $pci "$number"

file $pci/gpu_busy_percent 83
file $pci/mem_busy_percent 41
file $pci/mem_info_vram_total 8573157376
file $pci/mem_info_vram_used 3145728000
file $pci/mem_info_vis_vram_total 8573157376
file $pci/mem_info_vis_vram_used 3145728000
file $pci/mem_info_gtt_total 16777216000
file $pci/mem_info_gtt_used 104857600
file $pci/current_link_speed "16.0 GT/s PCIe"
file $pci/max_link_speed "16.0 GT/s PCIe"
file $pci/current_link_width 8
file $pci/max_link_width 8
file $pci/pp_dpm_sclk "0: 500Mhz
1: 2044Mhz *
2: 2491Mhz"
file $hwmon/name amdgpu
link $hwmon/device ../../../0000:03:00.0
link $hwmon/subsystem ../../../../../class/hwmon
file $hwmon/uevent ''
link /sys/class/hwmon/hwmon3 ../../devices/pci0000:00/0000:03:00.0/hwmon/hwmon3
file $hwmon/temp1_input 61000
file $hwmon/temp1_label edge
file $hwmon/temp1_crit 100000
file $hwmon/temp1_emergency 105000
file $hwmon/freq1_input 2044000000
file $hwmon/freq1_label sclk
file $hwmon/freq2_input 875000000
file $hwmon/freq2_label mclk
file $hwmon/power1_average 71000000
file $hwmon/power1_cap 100000000
file $core/major 10
file $core/minor 3
file $core/revision 2
# GRBM_STATUS of gfx10 and gfx11: how often each unit is at work
file /amdgpu/registers/0x2004 "31 830
29 810
28 120
26 300
25 250
24 400
22 500
20 200
14 600"
file /sys/module/amdgpu/initstate live
file /amdgpu/max_engine_clock 2491000
file /amdgpu/max_memory_clock 875000
file /amdgpu/num_shader_engines 2
file /amdgpu/num_shader_arrays_per_engine 2

case $kind in
card)
	device=73ff
	file $hwmon/temp2_input 78000
	file $hwmon/temp2_label junction
	file $hwmon/temp3_input 70000
	file $hwmon/temp3_label mem
	file $hwmon/fan1_input 1450
	file $hwmon/fan1_enable 0
	file $hwmon/fan1_max 3200
	file $hwmon/pwm1 102
	file $hwmon/pwm1_max 255
	file $hwmon/pwm1_enable 2
	cus=28
	file /amdgpu/vram_type 9	# GDDR6
	file /amdgpu/vram_bit_width 128
	set -- 1.3 temperature_edge=61 temperature_hotspot=78 temperature_mem=70 average_gfx_activity=83 average_umc_activity=41 \
		average_mm_activity=7 average_socket_power=71 current_gfxclk=2044 current_uclk=875 current_socclk=1200 current_fan_speed=1450 \
		pcie_link_width=8 pcie_link_speed=160
	;;
apu)
	device=15bf
	file $core/major 11
	file $core/minor 0
	file $core/revision 1
	file $hwmon/in1_label vddnb
	cus=12
	file /amdgpu/ids_flags 1	# AMDGPU_IDS_FLAGS_FUSION
	file /amdgpu/vram_type 8
	file /amdgpu/vram_bit_width 128
	set -- 2.1 temperature_gfx=6100 temperature_soc=5900 average_socket_power=31000 average_gfx_power=11000 average_gfx_activity=8300 \
		current_gfxclk=2044 current_socclk=1200 current_uclk=800
	;;
*) echo "amdtree.sh: no such machine: $kind" >&2; exit 2 ;;
esac
file $pci/device 0x$device
file /amdgpu/cu_active_number $cus
file $pci/uevent "DRIVER=amdgpu
PCI_CLASS=30000
PCI_ID=1002:$(printf %04X 0x$device)
PCI_SUBSYS_ID=1DA2:447E
PCI_SLOT_NAME=0000:03:00.0"
identity 1002 $device c1
python3 -S -B "$here/gpu_metrics.py" "$@" > "$root$pci/gpu_metrics"
# What the compute driver says of processor and card (Linux drivers/gpu/drm/amd/amdkfd/kfd_topology.c).
file $kfd/topology/nodes/0/gpu_id 0
file $kfd/topology/nodes/0/name ''
file $kfd/topology/nodes/0/properties "cpu_cores_count 8
simd_count 0
io_links_count 1
mem_banks_count 1"
file $kfd/topology/nodes/1/gpu_id 34953
file $kfd/topology/nodes/1/name navi23
file $kfd/topology/nodes/1/properties "cpu_cores_count 0
simd_count $((2 * cus))
mem_banks_count 1
caches_count 0
io_links_count 1
p2p_links_count 0
max_waves_per_simd 16
lds_size_in_kb 64
wave_front_size 32
array_count 4
simd_arrays_per_engine 2
cu_per_simd_array 8
simd_per_cu 2
gfx_target_version 100302
vendor_id 4098
device_id $((0x$device))
location_id 768
domain 0
drm_render_minor $((128 + number))
hive_id 0
num_sdma_engines 2
max_engine_clk_fcompute 2491
local_mem_size 0
fw_version 100
capability 0
debug_prop 0
sdma_fw_version 80
unique_id 0
num_xcc 1
max_engine_clk_ccompute 4500"
for node in 0 1; do
	file $kfd/topology/nodes/$node/io_links/0/properties "type 2
version_major 0
version_minor 0
node_from $node
node_to $((1 - node))
weight 20
min_latency 0
max_latency 0
min_bandwidth 312
max_bandwidth 16000
recommended_transfer_size 0
flags 1"
	file $kfd/topology/nodes/$node/mem_banks/0/properties "heap_type 1
size_in_bytes 8573157376
width 128
mem_clk_max 875"
done
file /proc/sys/kernel/osrelease 6.12.95-amd64
file /proc/sys/kernel/version '#1 SMP PREEMPT_DYNAMIC Debian 6.12.95-1 (2026-06-02)'
file /proc/sys/kernel/perf_event_paranoid 2
