# SPDX-License-Identifier: GPL-3.0-or-later
# What holds the clock of fake machines down, as shares of samples; limits of power, clock and temperature, which are roofs, too.
. "$top_srcdir/tests/fakekernel/lib.sh"
. "$top_srcdir/tests/fakekernel/tree_lib.sh"
shares='*(m["throttle_" + n] for n in ("heat", "power", "current", "other"))'

# held FOLDER PREFIX NAME WANTED REASON...: the shares while these reasons are set
held()
{
	folder=$root$1
	prefix=$2
	name=$3
	wanted=$4
	shift 4
	for reason; do
		echo 1 > "$folder/$prefix$reason"
	done
	gives 0 "$name" -J -n 2 -d 0.1
	is "$(window "$shares")" "$wanted" "  ... $wanted"
	for reason; do
		echo 0 > "$folder/$prefix$reason"
	done
}

machine hd620,load=private.mad.sp.x1
reasons /sys/class/drm/card0/gt/gt0 throttle_reason_
files=/sys/class/drm/card0/gt/gt0
held $files throttle_reason_ "i915, nothing holds the clock down" "0 0 0 0"
held $files throttle_reason_ "i915, heat" "100 0 0 0" status prochot
held $files throttle_reason_ "i915, power" "0 100 0 0" status pl2
held $files throttle_reason_ "i915, current and heat" "100 0 100 0" status vr_tdc ratl
held $files throttle_reason_ "i915, a status without a reason" "0 0 0 100" status
held $files throttle_reason_ "i915, a reason that the status denies" "0 0 0 0" pl1

# Half of the samples, by the program's clock: a window remembers what came and went.
echo 1 > "$root$files/throttle_reason_pl1"
echo "0 11 2 10000" > "$root$files/.throttle_reason_status.moves"
gives 0 "a reason that comes and goes" -J -n 20 -d 0.2
is "$(windows 'sum(0 < w["metrics"]["throttle_power"] < 100 for w in windows) > 10')" True "  ... is a share of the window"
rm "$root$files/.throttle_reason_status.moves"

echo 0 > "$root/sys/class/drm/card0/gt_act_freq_mhz"
gives 0 "a GPU at rest is not asked" -J -n 2 -d 0.1
is "$(window 'why["throttle_power"]')" div_zero "  ... and has no share"

driver=xe
machine lnl,load=private.mad.sp.x1
driver=
files=/sys/class/drm/card0/device/tile0/gt0/freq0/throttle
echo 0 > "$root$files/reason_soc_thermal"
echo 0 > "$root$files/reason_fastvmode"
touch "$root$files/status"
held $files "" "xe, power" "0 100 0 0" status reason_pl1
held $files "" "xe, a reason of newer kernels" "100 0 0 0" status reason_soc_thermal
held $files "" "xe, a reason that nobody knows" "0 0 0 100" status reason_fastvmode

# --- clocks ---

machine hd620,load=private.mad.sp.x1
echo 700 > "$root/sys/class/drm/card0/gt_max_freq_mhz"
gives 0 "a maximum that somebody has set" -J -n 1 -d 0.1
is "$(window 'm["gpu_clock_limit"]') $("$rooftop" doctor | grep -o '300-[0-9]* MHz')" "700 300-1050 MHz" \
	"  ... is told beside what the part can do"
rm "$root/sys/class/drm/card0/gt_RP0_freq_mhz"
gives 0 "a kernel without RP0" -J -n 1 -d 0.1
is "$(window 'm["gpu_clock_limit"]') $("$rooftop" doctor | grep -o '300-[0-9]* MHz')" "700 300-700 MHz" \
	"  ... knows that maximum only"

# --- power and temperature ---

machine hd620,load=private.mad.sp.x1
powered client
file /sys/class/powercap/intel-rapl:0/constraint_0_name short_term
file /sys/class/powercap/intel-rapl:0/constraint_0_power_limit_uw 25000000
file /sys/class/powercap/intel-rapl:0/constraint_1_name long_term
file /sys/class/powercap/intel-rapl:0/constraint_1_power_limit_uw 12000000
gives 0 "limits of the package in any order" -J -n 1 -d 0.1
is "$(window 'm["power_limit_package"], m["power_limit_package_short"]')" "12 25" "  ... the names count"

machine dg2,load=private.mad.sp.x1
powered hwmon
hwmon=/sys/devices/pci0000:00/0000:00:02.0/hwmon/hwmon3
file $hwmon/power1_max 190000000
file $hwmon/temp1_input 83000
file $hwmon/temp1_crit 100000
gives 0 "limits of a card of i915" -J -n 1 -d 0.1
is "$(window 'm["power_limit_gpu"], m["temperature"], m["temperature_limit"]')" "190 83 100" "  ... are told"
echo 0 > "$root$hwmon/power1_max"
gives 0 "a limit of 0 is switched off" -J -n 1 -d 0.1
is "$(window 'm["power_limit_gpu"], why["power_limit_gpu"]')" "None unknown_const" "  ... and no limit"

echo "after 8000000 190000000 150000000" > "$root$hwmon/.power1_max.moves"
gives 0 "a limit that somebody changes" -J -n 8 -d 2
is "$(windows 'sorted({w["metrics"]["power_limit_gpu"] for w in windows})')" "[150, 190]" "  ... is followed"
rm "$root$hwmon/.power1_max.moves"

driver=xe
machine bmg,load=private.mad.sp.x1
driver=
file $hwmon/name xe
for n in 1:card:0 2:pkg:29524000000; do
	file $hwmon/energy${n%%:*}_input ${n##*:}
	n=${n%:*}
	file $hwmon/energy${n%%:*}_label ${n##*:}
done
file $hwmon/power1_max 200000000
file $hwmon/power2_max 180000000
file $hwmon/temp2_input 61000
file $hwmon/temp2_max 95000
file $hwmon/temp3_input 70000
gives 0 "limits of a card of xe" -J -n 1 -d 0.3
is "$(window 'm["power_limit_gpu"], m["power_limit_card"], m["temperature"], m["temperature_limit"], m["temperature_vram"]')" \
	"180 200 61 95 70" "  ... are told"
# By label, wherever the channels stand: as on a card with another sensor between them.
file $hwmon/temp2_label mctrl
file $hwmon/temp3_label vram
file $hwmon/temp4_label pkg
file $hwmon/temp4_input 64000
gives 0 "channels with labels" -J -n 1 -d 0.3
is "$(window 'm["temperature"], m["temperature_vram"]')" "64 70" "  ... are told by these"
rm "$root$hwmon/temp4_label"
gives 0 "a sensor of another kind" -J -n 1 -d 0.3
is "$(window 'm["temperature"], m["temperature_vram"]')" "None 70" "  ... is not the package"
rm "$root$hwmon"/temp[24]_*
is "$(window 'm["power_card"], why["power_card"]')" "None unsupported" "a counter of the card that counts nothing is no 0 W"
finish
