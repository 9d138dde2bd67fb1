# SPDX-License-Identifier: GPL-3.0-or-later
# An AMD card that sleeps when it is opened has limits, roofs and its own numbers once it is awake, as one that was awake from the start; a
# limit that somebody changes counts from then on; units are checked by a second quantity; reasons that may be at once are not added.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/fakekernel/lib.sh"
tree=$top_srcdir/tests/fakekernel/amdtree.sh
device=$root/sys/devices/pci0000:00/0000:03:00.0
hwmon=$device/hwmon/hwmon3

# last EXPRESSION: of the last whole window
last()
{
	tail -n 2 "$tmp/out" | grep '}$' | tail -1 | python3 -c "import json, sys
w = json.load(sys.stdin)
m, why, v = w['metrics'], w['why'], w['verdict']
print($1)" 2>&1 | tail -1
}

# watches [SET]: rooftop looks at the card until end
watches()
{
	"$lasting" -J -d 0.2 --power none -D card0 ${1:+-m "$1"} > "$tmp/out" 2> "$tmp/err" < /dev/null &
	process=$!
	patient $process has_windows 3
	point $? "windows of ${1:-the usual set}"
}

has_windows()
{
	[ "$(grep -c '"metrics"' "$tmp/out")" -ge "$1" ]
}

# says EXPRESSION WANT: some window will say so
says()
{
	[ "$(last "$1")" = "$2" ]
}

end()
{
	kill -TERM $process
	wait $process 2> /dev/null
}

sh "$tree" "$root"
echo 99000000 > "$hwmon/power1_average"
echo 1000000000 > "$hwmon/freq1_input"
echo 99 > "$device/gpu_busy_percent"
echo suspended > "$device/power/runtime_status"
watches
is "$(last "why['gpu_busy']")" asleep "a card that sleeps says so"
echo active > "$device/power/runtime_status"
patient $process says "(v['kind'], v['bound'])" "('power', 'card')"
point $? "  ... and is told to be at its power limit when it is awake"
is "$(last "why.get('power_gfx')")" no_source "  ... what its table does not have has no source, as with one that was awake"
echo 150000000 > "$hwmon/power1_cap"
patient $process says "v['kind'] != 'power'" True
point $? "  ... and no longer, when the limit is a higher one"
echo 100000000 > "$hwmon/power1_cap"
patient $process says "v['kind']" power
point $? "  ... and again, when it is the old one"
end

sh "$tree" "$root"
echo suspended > "$device/power/runtime_status"
watches units
echo active > "$device/power/runtime_status"
patient $process says "m['units_gui'] is not None" True
point $? "the units of a card that slept are looked at when it is awake"
end

# metrics VERSION FIELD=VALUE...: another table, at once
metrics()
{
	python3 -B "$top_srcdir/tests/fakekernel/gpu_metrics.py" "$@" > "$tmp/table"
	mv "$tmp/table" "$device/gpu_metrics"
}

# Renoir's firmware says watts where other APUs say milliwatts.
sh "$tree" "$root" apu
mv "$hwmon/power1_average" "$hwmon/power1_input"
echo 15000000 > "$hwmon/power1_input"
metrics 2.2 average_socket_power=15 current_gfxclk=1000
gives 0 "an APU whose table has watts" -J -n 2 -d 0.1 --power none
is "$(last "m['power_card'], m['power_socket'], why['power_socket']")" "15 None disagrees" "  ... shows what the kernel has scaled, and says why the other is missing"
metrics 2.2 average_socket_power=15000 current_gfxclk=1000
gives 0 "one with milliwatts" -J -n 2 -d 0.1 --power none
is "$(last "m['power_card'], m['power_socket']")" "15 15" "  ... has both"

# heat FIELD=SHARE...: of a hundred looks of the firmware
heat()
{
	sh "$tree" "$root"
	metrics 1.6 accumulation_counter=1000 prochot_residency_acc=0 ppt_residency_acc=0 socket_thm_residency_acc=0 vr_thm_residency_acc=0 \
		hbm_thm_residency_acc=0 pcie_bandwidth_inst=30000 temperature_hotspot=90
	watches
	metrics 1.6 accumulation_counter=1100 prochot_residency_acc=0 ppt_residency_acc=0 "$@" pcie_bandwidth_inst=30000 temperature_hotspot=90
	patient $process grep -q '"throttle_heat":[1-9]' "$tmp/out"
	point $? "  ... $*"
	end
}
heat socket_thm_residency_acc=80 vr_thm_residency_acc=0 hbm_thm_residency_acc=80
is "$(grep -o '"throttle_heat":[1-9][0-9]*' "$tmp/out" | sort -u)" '"throttle_heat":80' "reasons of heat are not added"
is "$(last "m['pcie_traffic'], why['pcie_traffic']")" "None disagrees" "bytes that the link cannot carry are not shown"
heat socket_thm_residency_acc=30 vr_thm_residency_acc=30 hbm_thm_residency_acc=0
is "$(grep -o '"throttle_heat":[1-9][0-9]*' "$tmp/out" | sort -u)" '"throttle_heat":30' "  ... since they may be the same"

# An APU's firmware lowers the highest clock by itself: where power explains it, nobody has set anything.
strix()
{
	metrics 3.0 current_gfx_maxfreq=1200 average_gfxclk_frequency=1200 throttle_residency_prochot=0 "$@" \
		throttle_residency_thm_core=0 throttle_residency_thm_gfx=0 throttle_residency_thm_soc=0
}
sh "$tree" "$root" apu
echo 99 > "$device/gpu_busy_percent"
echo 1200000000 > "$hwmon/freq1_input"
strix throttle_residency_spl=100 throttle_residency_fppt=0 throttle_residency_sppt=0
watches
patient $process says "v['kind'], 'a setting keeps' in str(v['because'])" "clock True"
point $? "a clock that is lower without a reason is one that somebody has set"
# The residency grows until the answer is another one.
grows()
{
	looks=$((looks + 50))
	strix throttle_residency_spl=$looks throttle_residency_fppt=0 throttle_residency_sppt=0
	says "v['bound'] == 'setting'" False
}
looks=100
patient $process grows
point $? "  ... and one that power explains is not"
end
# A look at one moment is no mean: busy time that rises from 0 to 100 % in each second is 50 %, wherever in it the window ends. Looks at
# the end of windows of a second would see one number for ever, another one for each of these beginnings.
sh "$tree" "$root"
for start in 0 25 50 75; do
	echo "$start 100 100 1000" > "$device/.gpu_busy_percent.moves"
	gives 0 "a load that is another one at each moment, from $start %" -J -n 3 -d 1 --power none
	is "$(windows "all(35 <= w['metrics']['gpu_busy'] <= 65 for w in windows)")" True "  ... is the mean of its window"
done
rm "$device/.gpu_busy_percent.moves"

# What the driver says of busy time against the engine time of its clients, which is a part of it.
sh "$tree" "$root"
echo 1 > "$device/gpu_busy_percent"
echo 900 > "$root/clients/works"
sleeper "$tmp/works"
sh -c 'exec "$0" 600 8< "$1"' "$tmp/works" "$root/dev/dri/renderD128" &
works=$!
patient $works grep -q -x -F works "/proc/$works/comm" || point 1 "works runs"
gives 0 "a driver that says 1 % where a client has 90 %" -J -n 6 -d 1 --power none
is "$(windows "[w['why'].get('gpu_busy', w['metrics']['gpu_busy']) for w in (windows[0], windows[-1])], round(windows[-1]['metrics']['clients_busy'])")" \
	"[1, 'disagrees'] 90" "  ... is not believed for long"
echo 40 > "$device/gpu_busy_percent"
gives 0 "  ... one that says 40 %" -J -n 6 -d 1 --power none
is "$(windows "windows[-1]['metrics']['gpu_busy']")" 40 "  ... may average over another time"
kill $works
finish
