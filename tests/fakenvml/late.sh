# SPDX-License-Identifier: GPL-3.0-or-later
# A library that needs long to start: what it tells late is recorded late, and a reader takes it. As long as nobody looks at a screen, it is waited
# for.
. "$top_srcdir/tests/fakenvml/lib.sh"
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }

# starts_after SECONDS: the program with the library sleeps so long before it begins
starts_after()
{
	mkdir -p "$tmp/slow"
	cp "$top_builddir/rooftop" "$tmp/slow/rooftop"
	printf '#!/bin/sh\nsleep %s\nexec "%s" "$@"\n' "$1" "$(realpath "$top_builddir/rooftop-nvml")" > "$tmp/slow/rooftop-nvml"
	chmod 755 "$tmp/slow/rooftop-nvml"
	there=$tmp/slow/rooftop
}

# told FILE: kind and bound of the last window, and whether it has a roof of memory
told()
{
	python3 -c 'import json, sys
w = [json.loads(l) for l in open(sys.argv[1]) if "\"metrics\"" in l][-1]
print(w["verdict"]["kind"], w["verdict"]["bound"], w["verdict"]["roof"])' "$1"
}

starts_after 1
card h100,load=stream
gives 0 "a single window waits for the library" -J -n 1 -d 0.4
is "$(told "$tmp/out" | cut -d' ' -f1,2)" "bandwidth dram" "  ... and has its values"
"$rooftop" -w - -n 2 -d 0.4 2> /dev/null | "$rooftop" -r - -J > "$tmp/out" 2> "$tmp/err"
is "$(told "$tmp/out" | cut -d' ' -f1,2)" "bandwidth dram" "  ... and so has a stream"

# A card that sleeps when its recording begins tells of itself when it wakes.
starts_after 0
card h100,load=stream DRM
# is_told: the last window says what limits it
is_told()
{
	head -n "$(wc -l < "$tmp/run")" "$tmp/run" > "$tmp/whole"
	[ "$(told "$tmp/whole" 2> /dev/null | cut -d' ' -f1,2)" = "bandwidth dram" ]
}
for end in file stream; do
	echo suspended > "$pci/power/runtime_status"
	rm -f "$tmp/run"
	if [ $end = file ]; then
		"$rooftop" -J -o "$tmp/run" -d 0.5 -w "$tmp/late.rec" > "$tmp/out" 2> "$tmp/err" &
	else
		"$rooftop" -J -o "$tmp/run" -d 0.5 -w - > "$tmp/late.rec" 2> "$tmp/err" &
	fi
	process=$!
	# It wakes after its first windows, whenever they come.
	patient $process lines 2 '"metrics"' "$tmp/run"
	echo active > "$pci/power/runtime_status"
	patient $process is_told
	point $? "a card that wakes while it is recorded in a $end is told what limits it in the end"
	kill $process
	wait $process 2> /dev/null
	"$rooftop" -r "$tmp/late.rec" -J --speed max > "$tmp/out" 2> "$tmp/err"
	is "$(told "$tmp/out")" "$(told "$tmp/run")" "  ... as it replays"
done
# One that sleeps and wakes again and again plays as it was.
# has_slept: it sleeps and wakes once more; whether there are windows enough, and some in which it was awake
has_slept()
{
	echo suspended > "$pci/power/runtime_status"; sleep 0.3
	echo active > "$pci/power/runtime_status"; sleep 0.4
	lines 20 '"metrics"' "$tmp/run" && lines 5 '"power_card":[0-9]' "$tmp/run"
}
for form in file stream; do
	rm -f "$tmp/run" "$tmp/late.rec"
	if [ $form = file ]; then
		"$rooftop" -J -o "$tmp/run" -d 0.1 -w "$tmp/late.rec" > /dev/null 2> "$tmp/err" &
	else
		"$rooftop" -J -o "$tmp/run" -d 0.1 -w - > "$tmp/late.rec" 2> "$tmp/err" &
	fi
	process=$!
	patient $process has_slept
	kill -TERM $process
	wait $process 2> /dev/null
	"$rooftop" -r "$tmp/late.rec" -J --speed max > "$tmp/out" 2> "$tmp/err"
	good "a card that sleeps and wakes in a $form plays as it was" python3 "$top_srcdir/tests/tty/stream_compare.py" "$tmp/run" "$tmp/out" 20
done
finish
