# SPDX-License-Identifier: GPL-3.0-or-later
# Every version of amdgpu's table, written by what a compiler makes of the kernel's header: each field arrives in its unit.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/tty/tap.sh"
make_table=$top_srcdir/tests/fakekernel/gpu_metrics.py
root=$tmp/machine
runs_on "$root"
pci=$root/sys/devices/pci0000:00/0000:03:00.0
core=$pci/ip_discovery/die/0/11/0
mkdir -p "$pci/drm/card0" "$root/sys/class/drm" "$root/proc" "$core"
ln -s ../../../0000:03:00.0 "$pci/drm/card0/device"
ln -s ../../devices/pci0000:00/0000:03:00.0/drm/card0 "$root/sys/class/drm/card0"
ln -s /sys/bus/pci/drivers/amdgpu "$pci/driver"
echo 0x1002 > "$pci/vendor"
echo 9 > "$core/major"	# MI300, whose energy has a known unit
echo 4 > "$core/minor"
echo 3 > "$core/revision"

# table VERSION FIELD=VALUE...: it is the card's
table()
{
	python3 -B "$make_table" "$@" > "$tmp/table"
	mv "$tmp/table" "$pci/gpu_metrics"
}

# last EXPRESSION: of the last window: w, its metrics m, its reasons why
last()
{
	tail -1 "$tmp/out" | python3 -c "import json, sys
w = json.load(sys.stdin)
m, why = w['metrics'], w['why']
print($1)"
}

# gives_values VERSION WANT FIELD=VALUE...: the table has these fields, and the program says hottest place, fabric clock, power and media
gives_values()
{
	version=$1
	wanted=$2
	shift 2
	table "$version" "$@"
	gives 0 "a table $version" -J -n 2 -d 0.1
	is "$(last "[m.get(n) for n in ('temperature_soc', 'clock_gfx', 'clock_soc', 'power_socket', 'media_busy')]")" "$wanted" "  ... arrives"
}

cards="temperature_vrsoc=61 average_gfx_activity=97"
for version in 1.0 1.1 1.2 1.3; do
	gives_values $version "[61, 2044, 1200, 203, 12]" $cards average_socket_power=203 current_gfxclk=2044 current_socclk=1200 average_mm_activity=12
done
for version in 1.4 1.5; do
	gives_values $version "[61, 2100, 1201, 550, 40]" $cards curr_socket_power=550 current_gfxclk=1900,2100,1950 current_socclk=1201,1100 \
		vcn_activity=3,40
done
for version in 1.6 1.7 1.8 1.9; do
	gives_values $version "[61, 2100, 1201, 550, None]" $cards curr_socket_power=550 current_gfxclk=1900,2100,1950 current_socclk=1201,1100
done
for version in 2.0 2.1 2.2 2.3 2.4; do
	gives_values $version "[61.5, 2044, 1200, 15.25, None]" temperature_soc=6150 average_socket_power=15250 current_gfxclk=2044 current_socclk=1200
	table $version average_gfxclk_frequency=800 average_gfx_power=585
	gives 0 "  ... without clocks of the moment" -J -n 2 -d 0.1
	is "$(last "m['clock_gfx'], m['power_gfx']")" "800 0.585" "  ... tells the mean"
done
gives_values 3.0 "[61.5, 2044, 1200, 75.25, 0.5]" temperature_soc=6150 average_socket_power=75250 average_gfxclk_frequency=2044 \
	average_socclk_frequency=1200 average_vcn_activity=50

# What accumulates is a difference over the window: each table is there before the next one is read.
# moves VERSION FIRST SECOND: two sets of fields, between which the program sees one window
moves()
{
	table "$1" $2
	"$rooftop" -J -d 0.2 > "$tmp/out" 2> "$tmp/err" < /dev/null &
	process=$!
	give_up=$(($(date +%s) + 300))	# against hanging only
	until [ "$(wc -l < "$tmp/out")" -ge 2 ] || [ "$(date +%s)" -gt $give_up ]; do sleep 0.02; done
	table "$1" $3
	lines=$(wc -l < "$tmp/out")
	until [ "$(wc -l < "$tmp/out")" -ge $((lines + 2)) ] || [ "$(date +%s)" -gt $give_up ]; do sleep 0.02; done
	kill -TERM $process
	wait $process 2> /dev/null
}

# highest METRIC: of all windows; most, a little and nothing are rates
highest()
{
	python3 -c "import json, sys
print(max(w['metrics'][sys.argv[2]] or 0 for w in map(json.loads, list(open(sys.argv[1]))[1:])))" "$tmp/out" "$1"
}

common="temperature_hotspot=50 energy_accumulator=1000000 xgmi_read_data_acc=10,20,30 xgmi_write_data_acc=0 pcie_replay_count_acc=5"
later="temperature_hotspot=50 energy_accumulator=4276800 xgmi_read_data_acc=10000010,20,20000030 xgmi_write_data_acc=1000 pcie_replay_count_acc=5"
for version in 1.4 1.5 1.6 1.7 1.8 1.9; do
	held="accumulation_counter=1000 prochot_residency_acc=0 ppt_residency_acc=100 socket_thm_residency_acc=7 vr_thm_residency_acc=0
		hbm_thm_residency_acc=0"
	held_later="accumulation_counter=1100 prochot_residency_acc=0 ppt_residency_acc=125 socket_thm_residency_acc=17 vr_thm_residency_acc=0
		hbm_thm_residency_acc=0"
	case $version in 1.4 | 1.5) held= held_later= ;; esac
	moves $version "$common $held pcie_bandwidth_inst=3" "$later $held_later pcie_bandwidth_inst=12"
	# 50 J and 30 GB in a window of 0.2 s, or a longer one on a busy machine: their ratio is the same
	is "$(echo "$(highest power_energy) $(highest xgmi_read)" | awk '{ print ($1 > 0 && $2 / $1 > 0.599 && $2 / $1 < 0.601) }')" 1 \
		"$version: energy and bytes over XGMI are those of one window"
	is "$(last "m['pcie_traffic'], m['link_replays']")" "12 0" "  ... PCIe and its replays"
	[ -z "$held" ] || is "$(highest throttle_power | cut -c1-5) $(highest throttle_heat | cut -c1-5)" "25 10" "  ... shares of throttling"
done
# The socket has 99 W: an energy that counts thousandths of what is known, or thousands, is in another unit.
moves 1.6 "curr_socket_power=99 energy_accumulator=1000000" "curr_socket_power=99 energy_accumulator=1003277"
is "$(grep -c '"power_energy":"disagrees"' "$tmp/out") $(highest power_energy)" "1 0" "an energy a thousandth of the power over the window is not shown"
moves 1.6 "curr_socket_power=99 energy_accumulator=1000000" "curr_socket_power=99 energy_accumulator=3277800000"
is "$(grep -c '"power_energy":"disagrees"' "$tmp/out") $(highest power_energy)" "1 0" "  ... nor one a thousand times as much"
moves 3.0 "throttle_residency_spl=10 throttle_residency_fppt=0 throttle_residency_sppt=5 throttle_residency_thm_gfx=0
	throttle_residency_thm_core=4 throttle_residency_thm_soc=0 throttle_residency_prochot=1" "throttle_residency_spl=20
	throttle_residency_fppt=10 throttle_residency_sppt=5 throttle_residency_thm_gfx=0 throttle_residency_thm_core=4 throttle_residency_thm_soc=0
	throttle_residency_prochot=1"
is "$(highest throttle_power_looks | awk '{ print ($1 > 0) }') $(highest throttle_heat_looks)" "1 0" "3.0: what held the clock of an APU down"
table 1.8 mem_max_bandwidth=5300 temperature_hotspot=50
gives 0 "the memory's bandwidth" doctor
is "$(grep -c "memory roof .*5300.0 GB/s: gpu_metrics" "$tmp/out")" 1 "  ... is its roof"

# What is newer than this program.
table 1.12 curr_socket_power=550
gives 0 "a list that is newer" -J -n 2 -d 0.1
is "$(last "m['power_socket']")" 550 "  ... is read"
gives 0 "  ... doctor" doctor
is "$(grep -c "1.12 is newer than this program" "$tmp/out")" 1 "  ... says so"
table 3.0 average_socket_power=9000
printf '\003' | dd of="$pci/gpu_metrics" bs=1 seek=3 conv=notrunc 2> /dev/null
printf 'more' >> "$pci/gpu_metrics"
gives 0 "an APU's table that is newer" -J -n 2 -d 0.1
is "$(last "m['power_socket']")" 9 "  ... is read as far as it is known"

# Lists that do not end where they say.
for wrong in '\020' '\377'; do
	table 1.9 curr_socket_power=550 average_gfx_activity=1
	printf "$wrong" | dd of="$pci/gpu_metrics" bs=1 seek=4 conv=notrunc 2> /dev/null
	gives 0 "a list with another number of attributes" doctor
	is "$(grep -c "1.9 is no list of attributes" "$tmp/out")" 1 "  ... is refused"
done
header=${ROOFTOP_LINUX:-/usr/src/linux}/drivers/gpu/drm/amd/include/kgd_pp_interface.h
if [ -r "$header" ]; then
	python3 "$top_srcdir/tests/fakekernel/gpu_metrics_layout.py" "$header" > "$tmp/layout"
	grep -v '^#' "$top_srcdir/tests/fakekernel/gpu_metrics_layout.txt" > "$tmp/known"
	is "$(grep -v '^#' "$tmp/layout" | grep -c -v -x -F -f "$tmp/known")" 0 "a compiler says of the kernel's header what is known here"
else
	skip 1 "no $header (ROOFTOP_LINUX names the kernel's source)"
fi
finish
