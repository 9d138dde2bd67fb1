# SPDX-License-Identifier: GPL-3.0-or-later
# A card that falls asleep when nobody has used it for a while, where each read of its files is use: rooftop leaves an idle one alone.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/fakekernel/lib.sh"
. "$top_srcdir/tests/fakekernel/tree_lib.sh"
pci=/sys/devices/pci0000:00/0000:03:00.0

# watched NAME BUSY COUNT [COMMAND]: so many windows of such a machine, changed by the command; its delay is that of ten windows
watched()
{
	sh "$top_srcdir/tests/fakekernel/amdtree.sh" "$root"
	rm -f "$log"
	file $pci/power/autosuspend_delay_ms 1000
	file /autosuspend_ms 1000
	file $pci/gpu_busy_percent "$2"
	[ $# -lt 4 ] || "$4"
	gives 0 "$1" -D card0 -J -d 0.1 --power none -n "$3"
}

watched "an idle card is watched" 0 60
is "$(grep -c sleeps "$log")" 1 "  ... and falls asleep"
is "$(grep -c '"gpu_busy":"asleep"' "$tmp/out" | awk '{ print ($1 > 20) }')" 1 "  ... which is said"
is "$(grep -c woken "$log")" 0 "  ... and nothing wakes it"
is "$(python3 -c "import json, sys
w = [json.loads(line) for line in open(sys.argv[1])][1:]
print(all(x['metrics']['gpu_busy'] == 0 or x['why']['gpu_busy'] in ('asleep', 'not_yet') for x in w[1:]))" "$tmp/out")" True \
	"  ... before, its last values hold"

# Who works, has a screen, or was told to stay awake is looked at in each window.
seen_always()
{
	is "$(grep -c 'gpu_busy_percent' "$log" | awk '{ print ($1 >= 40) }') $(grep -c sleeps "$log")" "1 0" "  ... and read in each window"
}
watched "a card that works" 40 40
seen_always
screen()
{
	mkdir -p "$root/sys/class/drm/card0-DP-1" "$root/sys/class/drm/card0-HDMI-A-1"
	echo disabled > "$root/sys/class/drm/card0-DP-1/enabled"
	echo enabled > "$root/sys/class/drm/card0-HDMI-A-1/enabled"
}
watched "a card with a screen that is on" 0 40 screen
seen_always
forced_on()
{
	file $pci/power/control on
}
watched "a card that is told to stay awake" 0 40 forced_on
seen_always
finish
