# SPDX-License-Identifier: GPL-3.0-or-later
# A card that falls asleep when nobody has used it for a while, where each read of its files is use: rooftop leaves an idle one alone.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/tty/tap.sh"
root=$tmp/machine
runs_on "$root"
. "$top_srcdir/tests/fakekernel/tree_lib.sh"
pci=/sys/devices/pci0000:00/0000:03:00.0
process= keeper=
trap 'kill $process $keeper 2> /dev/null; rm -rf "$tmp"' EXIT

# watched BUSY: such a machine, its keeper, and rooftop on it
watched()
{
	kill $process $keeper 2> /dev/null
	wait $process $keeper 2> /dev/null
	sh "$top_srcdir/tests/fakekernel/amdtree.sh" "$root"
	file $pci/power/autosuspend_delay_ms 1000
	file $pci/gpu_busy_percent "$1"
	[ $# -lt 2 ] || "$2"
	: > "$tmp/reads"
	python3 -B "$top_srcdir/tests/tty/card_keeper.py" "$root$pci" 1 "$tmp/reads" &
	keeper=$!
	until_so grep -q ready "$tmp/reads"
	"$rooftop" -D card0 -J -d 0.1 --power none > "$tmp/out" 2> "$tmp/err" < /dev/null &
	process=$!
}

# until_so COMMAND...: waits, for minutes, against hanging only
until_so()
{
	give_up=$(($(date +%s) + 300))
	until "$@" || [ "$(date +%s)" -gt $give_up ]; do sleep 0.05; done
	"$@"
}

windows()
{
	[ "$(grep -c '"metrics"' "$tmp/out")" -ge "$1" ]
}

says_asleep()
{
	grep -q '"gpu_busy":"asleep"' "$tmp/out"
}

# read_after COUNT: so many reads of the busy time
reads()
{
	[ "$(grep -c 'gpu_busy_percent' "$tmp/reads")" -ge "$1" ]
}

watched 0
until_so grep -q sleeps "$tmp/reads"
point $? "an idle card falls asleep while rooftop watches it"
until_so says_asleep
point $? "  ... which is said"
before=$(grep -c '"metrics"' "$tmp/out")
until_so windows $((before + 20))
is "$(grep -c woken "$tmp/reads")" 0 "  ... and nothing wakes it"
is "$(python3 -c "import json, sys
w = [json.loads(line) for line in open(sys.argv[1])][1:]
print(all(x['metrics']['gpu_busy'] == 0 or x['why']['gpu_busy'] in ('asleep', 'not_yet') for x in w[1:]))" "$tmp/out")" True \
	"  ... before, its last values hold"

# Who works, has a screen, or was told to stay awake is looked at in each window.
seen_always()
{
	until_so windows 40
	n=$(grep -c '"metrics"' "$tmp/out")
	until_so reads $((n - 3))
	point $? "$1 is read in each window"
}
watched 40
seen_always "a card that works"
screen()
{
	mkdir -p "$root/sys/class/drm/card0-DP-1" "$root/sys/class/drm/card0-HDMI-A-1"
	echo disabled > "$root/sys/class/drm/card0-DP-1/enabled"
	echo enabled > "$root/sys/class/drm/card0-HDMI-A-1/enabled"
}
watched 0 screen
seen_always "a card with a screen that is on"
forced_on()
{
	file $pci/power/control on
}
watched 0 forced_on
seen_always "a card that is told to stay awake"
finish
