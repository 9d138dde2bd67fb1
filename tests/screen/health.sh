# SPDX-License-Identifier: GPL-3.0-or-later
# Signs of health on the first screen, from the files of a card to the cells: each has its file, and without that file only it is missing.
# (What throttles a card is binary in this machine: tests/unit/ui/answer.c has that sign, too.)
. "$top_srcdir/tests/tty/tap.sh"
card=/sys/devices/pci0000:00/0000:03:00.0
sensors=$card/hwmon/hwmon3
printf 'size %s\nwait 2\nsave-screen %s\nsize 200x40\nkey 0\nsave-screen %s\nquit\n' 120x40 "$tmp/wide" "$tmp/list" > "$tmp/wide.script"
printf 'size %s\nwait 2\nsave-screen %s\nquit\n' 80x24 "$tmp/narrow" > "$tmp/narrow.script"

# signs SIZE: the words of the lines between the answer and the panes
signs()
{
	rm -f "$tmp/$1" "$tmp/list"
	"$rooftop" --fsroot "$tmp/machine" -D card0 -d 0.2 --config /dev/null --script "$tmp/$1.script" > "$tmp/log" 2>&1 || cat "$tmp/log"
	awk '/Utilization/ { exit } !/│|because/ { print }' "$tmp/$1" | grep -oE ' (busy|clock|power|VRAM|temp|fan|asleep) ' | tr -d ' ' |
		LC_ALL=C sort | paste -sd' '
}

# listed: the signs that the device's line has in the list of all devices, which has a column for each of five
listed()
{
	sed -n '/^│▸ .*card0/p' "$tmp/list" | grep -oE '[0-9] (GB|%|MHz|W|C) ' | sed 's/. GB/VRAM/; s/. %/busy/; s/. MHz/clock/; s/. W/power/; s/. C/temp/' | tr -d ' ' |
		LC_ALL=C sort | paste -sd' '
}

all="VRAM asleep busy clock fan power temp"
without() { echo "${2-$all}" | tr ' ' '\n' | grep -vx "$1" | paste -sd' '; }
for size in wide narrow; do
	sh "$top_srcdir/tests/fakekernel/amdtree.sh" "$tmp/machine"
	is "$(signs $size)" "$all" "$size: all signs of health"
	while read -r sign files; do
		sh "$top_srcdir/tests/fakekernel/amdtree.sh" "$tmp/machine"
		for file in $files; do
			rm -f "$tmp/machine$file"
		done
		is "$(signs $size)" "$(without "$sign")" "$size: without its file $sign is missing, and nothing else"
		[ $size = narrow ] || is "$(listed)" "$(without "$sign" "VRAM busy clock power temp")" "  ... nor in the list of all devices"
	done <<-END
		fan $sensors/fan1_input
		VRAM $card/mem_info_vram_used
		power $sensors/power1_average
		temp $sensors/temp1_input $sensors/temp2_input $sensors/temp3_input
		busy $card/gpu_busy_percent
		clock $sensors/freq1_input $card/pp_dpm_sclk
	END
done
finish
