# SPDX-License-Identifier: GPL-3.0-or-later
# Any DRM card is a device: a made-up machine of plain files, whose drivers nobody here has a backend for.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/tty/tap.sh"
root=$tmp/machine
runs_on "$root"

# file PATH TEXT
file()
{
	mkdir -p "$root${1%/*}"
	printf '%s\n' "$2" > "$root$1"
}

# link PATH TARGET
link()
{
	mkdir -p "$root${1%/*}"
	ln -sfn "$2" "$root$1"
}

# card NUMBER DEVICE DRIVER: a card of the device in /sys/devices
card()
{
	mkdir -p "$root$2/drm/card$1" "$root$2/drm/renderD$((128 + $1))" "$root/bus/drivers/$3"
	link "$2/drm/card$1/device" "../../../${2##*/}"
	link "/sys/class/drm/card$1" "../../${2#/sys/}/drm/card$1"
	link "$2/driver" "/bus/drivers/$3"
}

# client PID NAME CARD ENGINE NS: a process that has the card's render node open
client()
{
	file "/proc/$1/stat" "$1 ($2) S 1 1 1 0 -1 4194304 0 0 0 0 10 10 0 0 20 0 1 0 100 0 0"
	file "/proc/$1/comm" "$2"
	file "/proc/$1/status" "Name:	$2
Uid:	1000	1000	1000	1000"
	link "/proc/$1/fd/7" "/dev/dri/renderD$((128 + $3))"
	mkdir -p "$root/proc/$1/fdinfo"
	works "$1" "$4" "$5"
}

# works PID ENGINE NS: what the client has used so far; a reader sees all of it or what it was before
works()
{
	printf '%s\n' "drm-driver:	amdgpu" "drm-client-id:	$1" "drm-pdev:	0000:03:00.0" "drm-engine-$2:	$3 ns" \
		"drm-memory-vram:	2048 KiB" > "$tmp/fdinfo.$1"
	mv "$tmp/fdinfo.$1" "$root/proc/$1/fdinfo/7"
}

# last EXPRESSION: of the last window: w, its metrics m, its reasons why, its verdict v
last()
{
	tail -1 "$tmp/out" | python3 -c "import json, sys
w = json.load(sys.stdin)
m, why, v = w['metrics'], w['why'], w['verdict']
print($1)"
}

pci=/sys/devices/pci0000:00/0000:03:00.0
card 0 $pci amdgpu
file $pci/vendor 0x1002
file $pci/device 0x73ff
file $pci/uevent "DRIVER=amdgpu
PCI_SLOT_NAME=0000:03:00.0"
file $pci/power/runtime_status active
file $pci/power/runtime_suspended_time 5000
file $pci/gpu_busy_percent 98
file $pci/mem_busy_percent 41
file $pci/mem_info_vram_total 8573157376
file $pci/mem_info_vram_used 3100000000
file $pci/current_link_speed "8.0 GT/s PCIe"
file $pci/max_link_speed "16.0 GT/s PCIe"
file $pci/current_link_width 4
file $pci/max_link_width 8
hwmon=$pci/hwmon/hwmon2
file $hwmon/temp1_input 61000
file $hwmon/temp1_label edge
file $hwmon/temp1_crit 100000
file $hwmon/temp2_input 78000
file $hwmon/temp2_label junction
file $hwmon/temp3_input 70000
file $hwmon/temp3_label mem
file $hwmon/power1_average 71000000
file $hwmon/power1_cap 100000000
file $hwmon/fan1_input 1450
file $hwmon/freq1_input 2044000000
file $hwmon/freq1_label sclk
file $hwmon/freq2_input 875000000
file $hwmon/freq2_label mclk
client 4711 game 0 gfx 123456789

gives 0 "a card of a driver without a backend" -L
is "$(grep -c "^card0 .*AMD GPU \[1002:73ff\].* amdgpu .*ready" "$tmp/out")" 1 "is ready"
is "$(grep -c "amdgpu hands out no counters" "$tmp/out")" 1 "and says in one place what it lacks"
gives 0 "it is opened before a simulated device" -J -n 3 -d 0.1
is "$(head -1 "$tmp/out" | grep -o '"device":"[^"]*"')" '"device":"card0"' "by itself"
is "$(last "[m[n] for n in ('gpu_busy', 'memory_busy', 'clock_actual', 'memory_clock', 'power_card', 'fan')]")" "[98, 41, 2044, 875, 71, 1450]" \
	"busy time, clocks, power and fan"
is "$(last "[m[n] for n in ('temperature', 'temperature_hot', 'temperature_vram')]")" "[61, 78, 70]" "temperatures by their labels"
is "$(last "round(m['local_memory_used'], 4), m['link_speed'], m['link_lanes_now']")" "3.1 8 4" "memory and link"
is "$(last "m['operations'], why['operations']")" "None no_source" "operations, which nobody counts"
is "$(last "m['clients_graphics'], m['clients_compute'], m['asleep']")" "0 0 0" "a client that does nothing, and no sleep"
is "$(last "v['kind'], v['headroom']")" "no_counters None" "the verdict knows what it does not know"
gives 0 "as text" -b -n 2 -d 0.1
is "$(grep -c "NO COUNTERS: busy 98 %" "$tmp/out")" 2 "the answer is there"
is "$(wc -c < "$tmp/err")" 0 "and nothing is complained of"
gives 5 "it is checked, and has a link that is narrower than it could be" check card0 -J
is "$(sed -n 's/.*"check":"counters".*"verdict":"\([^"]*\)","reason":"\([^"]*\)".*/\1: \2/p' "$tmp/out")" \
	"not_measured: NO COUNTERS: amdgpu hands out no counters of instructions or bytes" "but it is no fault that nothing counts"

# Cards with a PCIe switch of their own, by vendor: the ports of it are upstream and downstream, and the card's own link lies inside.
# behind VENDOR DRIVER SPEED LANES: such a card, as card1, whose function tells that link; its slot has PCIe 4.0 x8 and works at 3.0 x4
behind()
{
	slot=/sys/devices/pci0000:00/0000:00:01.0
	up=$slot/0000:08:00.0
	inner=$up/0000:09:00.0/0000:0a:00.0
	rm -rf "$root$slot"
	for port in $up $up/0000:09:00.0; do
		file $port/vendor $1
		file $port/class 0x060400
	done
	file $up/current_link_speed "8.0 GT/s PCIe"
	file $up/max_link_speed "16.0 GT/s PCIe"
	file $up/current_link_width 4
	file $up/max_link_width 8
	card 1 $inner $2
	file $inner/vendor $1
	file $inner/device 0x56a0
	file $inner/uevent "DRIVER=$2
PCI_SLOT_NAME=0000:0a:00.0"
	file $inner/power/runtime_status active
	file $inner/current_link_speed "$3"
	file $inner/max_link_speed "$3"
	file $inner/current_link_width $4
	file $inner/max_link_width $4
}

# links: the checks of the link of card1, each with its value, expectation and verdict
links()
{
	"$rooftop" check card1 -J > "$tmp/out" 2> "$tmp/err"
	python3 -c 'import json, sys
print(*(" ".join(str(r[k]) for k in ("check", "value", "reference", "verdict")) for r in map(json.loads, open(sys.argv[1]))
        if r.get("check", "").startswith("link.")), sep="; ")' "$tmp/out"
}
behind 0x8086 other "2.5 GT/s PCIe" 1
is "$(links)" "link.lanes 4 8 failed; link.speed 8 16 not_measured" "a card of Intel behind its own switch has the slot's link"
behind 0x1002 other "16.0 GT/s PCIe" 16
is "$(links)" "link.lanes 4 8 failed; link.speed 8 16 not_measured" "and so has one of AMD, whose own link is always full"
behind 0x8086 other "5.0 GT/s PCIe" 2
is "$(links)" "link.lanes 2 2 ok; link.speed 5 5 ok" "a card of Intel behind ports of the machine is believed"
behind 0x8086 other "2.5 GT/s PCIe" 1
file $up/vendor 0x1b21
is "$(links)" "link.lanes 1 1 ok; link.speed 2.5 2.5 ok" "and so is one behind a switch that is not its own"
rm -rf "$root$slot" "$root/sys/class/drm/card1"

# The client works half of the time: what it has used grows while it is looked at.
(
	ns=1000000000
	while [ ! -e "$tmp/enough" ]; do
		ns=$((ns + 10000000))
		works 4711 gfx $ns
		sleep 0.02
	done
) &
writer=$!
"$rooftop" -J -d 0.3 --clients > "$tmp/out" 2> "$tmp/err" < /dev/null &
process=$!
is_counted()
{
	[ "$(last "0 < m['clients_graphics'] < 100, m['clients_busy'] == m['clients_graphics'], w['clients'][0]['name'], w['clients'][0]['busy']['gfx'] > 0" 2>&1)" = \
		"True True game True" ]
}
patient $process is_counted
point $? "a client that works is counted, and is the one that the list names"
kill $process
wait $process 2> /dev/null
touch "$tmp/enough"
wait $writer
rm -rf "$root/proc/4711"

file $pci/power/runtime_status suspended
gives 0 "a card that sleeps" -J -n 2 -d 0.1
is "$(last "m['gpu_busy'], why['gpu_busy'], v['kind']")" "None asleep asleep" "is left asleep and says so"
file $pci/power/runtime_status active

# What is no number, and what is missing, costs only itself.
file $pci/gpu_busy_percent "busy?"
file $pci/current_link_speed Unknown
rm "$root$hwmon/power1_cap" "$root$hwmon/temp1_label"
file $hwmon/power1_average 99999999999999999999999
gives 0 "files that make no sense" -J -n 2 -d 0.1
is "$(last "v['kind']")" no_counters "clients that do nothing do not make it idle"
is "$(last "'gpu_busy' in m and m['gpu_busy'], m.get('link_speed'), m.get('power_card'), m['temperature'], m['fan']")" "None None None 61 1450" \
	"give no number, and the others do"

gpu=/sys/devices/platform/fde60000.gpu
card 1 $gpu lima
file $gpu/uevent "DRIVER=lima
OF_COMPATIBLE_0=arm,mali-450"
file $gpu/devfreq/fde60000.gpu/cur_freq 400000000
file $gpu/devfreq/fde60000.gpu/target_freq 500000000
file $gpu/devfreq/fde60000.gpu/max_freq 600000000
gives 0 "a card of a board, by its clock" -J -n 2 -d 0.1 -D card1
is "$(last "m['clock_actual'], m['clock_requested']")" "400 500" "from devfreq"
card 2 /sys/devices/platform/acme-gpu nobody_heard_of_it
gives 0 "a driver that nobody has heard of" -b -n 1 -D card2
is "$(grep -c "NO COUNTERS" "$tmp/out")" 1 "is a device all the same"
gives 0 "doctor knows all three" doctor
is "$(grep -c "counters  *--  \(the driver .* gives\|amdgpu hands out\) no counters" "$tmp/out")" 3 "with the reason"
is "$(sed -n '/^card1 /,/^[^ ]/p' "$tmp/out" | grep -c "^  fdinfo *-- *the driver lima tells nothing of its clients")" 1 "and that lima's clients cannot be seen"
gives 0 "which is not to say that there are none" -J -n 1 -d 0.1 -D card1 --clients
is "$(last "w['clients'], w['clients_why']")" "None unsupported" "in the list either"

card 10 /sys/devices/platform/tenth-gpu nobody_heard_of_it
card 9 /sys/devices/platform/ninth-gpu nobody_heard_of_it
gives 0 "more than ten cards" -L
is "$(sed -n 's/^\(card[0-9]*\) .*/\1/p' "$tmp/out" | tr '\n' ' ')" "card0 card1 card2 card9 card10 " "stand in the order of their numbers"

# Servers have a display of their own, which is often card0.
rmdir "$root$pci/drm/renderD128"
gives 0 "a first card that only shows a picture" -J -n 1 -d 0.1
is "$(head -1 "$tmp/out" | grep -o '"device":"[^"]*"')" '"device":"card1"' "is not the one that is watched"
rm "$root"/sys/class/drm/card1 "$root"/sys/class/drm/card2 "$root"/sys/class/drm/card9 "$root"/sys/class/drm/card10
gives 0 "one that is alone" -J -n 1 -d 0.1
is "$(head -1 "$tmp/out" | grep -o '"device":"[^"]*"')" '"device":"card0"' "is"
finish
