# SPDX-License-Identifier: GPL-3.0-or-later
# Five cards of one machine: one answers as it should, one takes a second for each read, one is pulled out meanwhile, one sleeps, and one
# may not be opened. Each has its own fate, and no other one.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/fakekernel/lib.sh"
sh "$top_srcdir/tests/fakekernel/amdtree.sh" "$root"
first=/sys/devices/pci0000:00/0000:03:00.0

# another NUMBER: a card like the first one
another()
{
	pci=/sys/devices/pci0000:00/0000:0$((3 + $1)):00.0
	cp -R "$root$first" "$root$pci"
	sed -i "s/0000:03:00.0/${pci##*/}/" "$root$pci/uevent"
	mv "$root$pci/drm/card0" "$root$pci/drm/card$1"
	mv "$root$pci/drm/renderD128" "$root$pci/drm/renderD$((128 + $1))"
	for node in card$1:$1 renderD$((128 + $1)):$((128 + $1)); do
		ln -sfn "../../../${pci##*/}" "$root$pci/drm/${node%:*}/device"
		echo "226:${node#*:}" > "$root$pci/drm/${node%:*}/dev"
		ln -s "../../${pci#/sys/}/drm/${node%:*}" "$root/sys/class/drm/${node%:*}"
		ln -s "../../${pci#/sys/}/drm/${node%:*}" "$root/sys/dev/char/226:${node#*:}"
		: > "$root/dev/dri/${node%:*}"
	done
}

for number in 1 2 3 4; do
	another $number
done
echo suspended > "$root/sys/devices/pci0000:00/0000:06:00.0/power/runtime_status"
echo "card4/device/gpu_metrics renderD132 dri/card4" > "$root/forbidden"
: > "$log"

gives 0 "the list" -L
is "$(grep -c "^card[0-4] .*amdgpu .*" "$tmp/out")" 5 "  ... has all five"
is "$(grep -c '^woken' "$log")" 0 "  ... and wakes none"

# last CARD EXPRESSION: of the last window of that card
last()
{
	grep "\"device\":\"$1\"" "$tmp/out" | tail -1 | python3 -c "import json, sys
w = json.load(sys.stdin)
m, why, v = w['metrics'], w['why'], w['verdict']
print($2)"
}

# gone: the slow card's reads have gone to the thread, and the others have some windows; then a card is pulled out
export FAKEKERNEL_SLOW="0000:04:00.0/hwmon 1000 0000:04:00.0/gpu_ 1000"
"$lasting" -J --export "prometheus:unix:$tmp/socket" -d 0.2 --power none -D card0 -D card1 -D card2 -D card3 -D card4 > "$tmp/out" 2> "$tmp/err" < /dev/null &
process=$!
windows_of()
{
	[ "$(grep -c "\"device\":\"$1\"" "$tmp/out")" -ge "$2" ]
}
patient $process windows_of card0 5
point $? "the healthy card has windows"
is "$(last card2 "m['gpu_busy'], m['power_socket']")" "83 71" "one that will be pulled out has numbers"
rm "$root/sys/class/drm/card2" "$root/sys/class/drm/renderD130"
rm -rf "$root/sys/devices/pci0000:00/0000:05:00.0"
before=$(grep -c "\"device\":\"card0\"" "$tmp/out")
waits=$(grep -c "^slow first" "$log")
patient $process windows_of card0 $((before + 30))
point $? "and the healthy one goes on"
# state CARD: by the endpoint
state()
{
	sed -n "s/^rooftop_device_state{device=\"$1\",state=\"\([a-z]*\)\"} 1\$/\1/p" "$tmp/text"
}
good "the endpoint answers" sh -c 'python3 "$1" plain "$2" > "$3"' sh "$top_srcdir/tests/tty/export.py" "$tmp/socket" "$tmp/text"
is "$(state card0) $(state card2) $(state card3)" "ok lost asleep" "  ... says which card is lost and which one sleeps"
is "$(sed -n 's/^rooftop_device_up{device="\(card[0234]\)"} //p' "$tmp/text" | tr '\n' ' ')" "1 0 0 1 " "  ... which ones give values"
is "$(grep -c '^rooftop_device_busy_ratio{device="card[23]"}' "$tmp/text")" 0 "  ... and has no value where there is none"
is "$(grep -c '^rooftop_missing{device="card3",metric="gpu_busy",why="asleep"} 1$' "$tmp/text")" 1 "  ... but its reason"
kill -TERM $process
wait $process 2> /dev/null
is "$(last card0 "m['gpu_busy'], m['power_socket'], m['temperature_hot']")" "83 71 78" "the healthy card has all its numbers"
is "$(last card1 "m['gpu_busy'] in (None, 83)")" True "the slow one has old numbers or none"
is "$(last card2 "m['gpu_busy'], m['power_socket']")" "None None" "the one that is gone has none"
is "$(last card3 "why['gpu_busy'], why['power_socket'], v['kind']")" "asleep asleep asleep" "the one that sleeps says so"
is "$(last card4 "m['gpu_busy'], m['power_socket'], m['temperature']")" "83 None 61" "the one that may not be opened has what everybody may read"
is "$(grep '^woken' "$log" | sort -u)" "" "nothing was opened that wakes the sleeping one"
is "$(grep -c "^slow first" "$log")" "$waits" "and the thread that draws has not waited for the slow one since it was known to be slow"
unset FAKEKERNEL_SLOW

# Nobody named a device: the endpoint is about the whole machine, with its processor.
"$lasting" -d 0.2 --power none --export "prometheus:unix:$tmp/socket" > "$tmp/out" 2> "$tmp/err" < /dev/null &
process=$!
serves()
{
	python3 "$top_srcdir/tests/tty/export.py" plain "$tmp/socket" > "$tmp/text" 2> /dev/null &&
		[ "$(grep -c '^rooftop_device_busy_ratio{device="c' "$tmp/text")" -ge 3 ]
}
patient $process serves
is "$(sed -n 's/^rooftop_device_up{device="\([^"]*\)"} .*/\1/p' "$tmp/text" | sort | tr '\n' ' ')" "card0 card1 card3 card4 cpu0 " "without -D all devices are served"
kill -TERM $process
wait $process 2> /dev/null

gives 0 "doctor" doctor
is "$(sed -n '/^card3 /,/^[^ ]/p' "$tmp/out" | grep -c "card3 sleeps and is left asleep")" 1 "  ... leaves the sleeping one asleep"
is "$(sed -n '/^card4 /,/^[^ ]/p' "$tmp/out" | grep -c "gpu_metrics *NO .*ermission denied")" 1 "  ... says which file of the forbidden one may not be read"
is "$(grep -c '^woken' "$log")" 0 "  ... and wakes none"
finish
