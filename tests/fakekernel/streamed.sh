# SPDX-License-Identifier: GPL-3.0-or-later
# A stream holds the whole screen: metric by metric what i915, xe, Mali and the processor showed live, cells, reasons, contexts and verdict.
. "$top_srcdir/tests/fakekernel/lib.sh"
unset FAKEKERNEL_FAIL

# streamed NAME OPTION...: live windows against those of the stream, on a pipe and from a file; $also are options of all three
also=
streamed()
{
	what=$1
	shift
	gives 0 "$what: live and streamed" -J -o "$tmp/live" -w - -n 4 -d 0.1 $also "$@"
	cp "$tmp/out" "$tmp/stream"
	"$program" -r - -J $also < "$tmp/stream" > "$tmp/played" 2> "$tmp/err"
	good "  ... every metric and the verdict are the same" python3 "$top_srcdir/tests/tty/stream_compare.py" "$tmp/live" "$tmp/played" 4
	"$program" -r "$tmp/stream" -J --speed max $also > "$tmp/played" 2> "$tmp/err"
	good "  ... from a file, too" python3 "$top_srcdir/tests/tty/stream_compare.py" "$tmp/live" "$tmp/played" 4
}

machine hd620,load=copy.sp.x4
powered client
streamed "i915" -D card0
streamed "i915 with all EU positions" -D card0 -m eumap
also=--clients
streamed "i915 and its processes" -D card0
also=
is "$(grep -c '"metrics"' "$tmp/played")" 4 "  ... four windows"
machine tgl,load=private.mad.sp.x4
streamed "a Tiger Lake" -D card0 -m overview
driver=xe
machine lnl,load=copy.sp.x4
streamed "xe" -D card0
machine dg2,load=stream.sp.x4
streamed "a discrete card of xe" -D card0
driver=
board g72,load=memory panfrost
streamed "panfrost" -m overview
board g52,load=compute kbase 11.39
streamed "kbase" -m overview
gives 0 "a device without reports is recorded, too" -J -o "$tmp/live" -n 3 -d 0.1 -m overview -w "$tmp/mali.rooftop"
"$program" -r "$tmp/mali.rooftop" -J --speed max > "$tmp/played"
good "  ... and plays" python3 "$top_srcdir/tests/tty/stream_compare.py" "$tmp/live" "$tmp/played" 3

# Devices that change while they are recorded: they sleep and wake, are pulled out and come back, and get other limits.
sh "$top_srcdir/tests/fakekernel/amdtree.sh" "$root"
streamed "an AMD card" -D card0
# changing NAME COMMANDS OPTION...: real windows while the commands run again and again
changing()
{
	what=$1
	commands=$2
	shift 2
	rm -f "$tmp/live" "$tmp/stream"
	"$lasting" -J -o "$tmp/live" -w - -n 20 -d 0.1 "$@" > "$tmp/stream" 2> "$tmp/err" &
	process=$!
	while kill -0 $process 2> /dev/null; do
		eval "$commands"
	done
	wait $process
	[ $? -le 1 ]	# 1 where the card is away at the end
	point $? "$what"
	"$program" -r "$tmp/stream" -J --speed max > "$tmp/played" 2> "$tmp/err"
	good "  ... plays as it was" python3 "$top_srcdir/tests/tty/stream_compare.py" "$tmp/live" "$tmp/played" 20
}
card=$root/sys/devices/pci0000:00/0000:03:00.0
changing "an AMD card that sleeps, is pulled out, and whose limit is changed" '
	echo suspended > "$card/power/runtime_status"; sleep 0.25
	echo active > "$card/power/runtime_status"; sleep 0.2
	echo 60000000 > "$card/hwmon/hwmon3/power1_cap"; sleep 0.25
	mv "$root/sys/class/drm/card0" "$root/away"; sleep 0.3
	mv "$root/away" "$root/sys/class/drm/card0"; sleep 0.2
	echo 100000000 > "$card/hwmon/hwmon3/power1_cap"; sleep 0.2' -D card0
# What a card tells when it wakes is recorded as well while the screen stands still.
printf 'wait 1\nkey Space\nwait 5\nkey Space\nwait 0.5\nkey W\n' > "$tmp/still"
printf 'wait 7\nkey W\n' > "$tmp/goes"
echo suspended > "$card/power/runtime_status"
processes=
for way in goes still; do
	"$lasting" -D card0 -d 0.1 -w "$tmp/woken.$way" --script "$tmp/$way" > "$tmp/$way.out" 2>&1 &
	processes="$processes $!"
done
sleep 2
echo active > "$card/power/runtime_status"
# shellcheck disable=SC2086
wait $processes
for way in goes still; do
	"$program" -r "$tmp/woken.$way" -J --speed max > "$tmp/out" 2> "$tmp/err"
	windows '[w for w in windows if w["mono_ns"] < windows[-1]["mono_ns"] - 1e9][-1]["verdict"]["because"]' > "$tmp/last.$way"
done
good "what a card tells that wakes while the screen stands still is recorded" cmp "$tmp/last.goes" "$tmp/last.still"
is "$(grep -c 'of its maximum' "$tmp/last.still")" 1 "  ... with its highest clock"
way=
machine hd620,load=copy.sp.x4
powered client
# By the program's clock: 0, which is no limit, and 9 W, a second and a half each.
echo "0 6000000 18000000 1500000" > "$root/sys/class/powercap/intel-rapl:0/.constraint_0_power_limit_uw.moves"
streamed "a package whose limit is switched off and on" -D card0 -n 60
cp "$tmp/live" "$tmp/out"
is "$(windows 'sorted({w["metrics"]["power_limit_package"] or 0 for w in windows})')" "[0, 9]" "  ... as the live windows know"

driver=xe
machine dg2,load=stream.sp.x4
card=$root/sys/devices/pci0000:00/0000:00:02.0
changing "a card of xe that sleeps, and whose highest clock is changed" '
	echo 900 > "$card/tile0/gt0/freq0/max_freq"; sleep 0.3
	echo suspended > "$card/power/runtime_status"; sleep 0.3
	echo active > "$card/power/runtime_status"; sleep 0.3
	echo 2400 > "$card/tile0/gt0/freq0/max_freq"; sleep 0.3' -D card0
driver=

# A limit that changes while nobody reads and windows are left out is known in the windows behind them.
machine hd620,load=copy.sp.x4
powered client
mkfifo "$tmp/stalled"
rm -f "$tmp/live"
"$rooftop" -w - -J -o "$tmp/live" -m eumap -d 0.01 --clients -D card0 > "$tmp/stalled" 2> "$tmp/err" &
process=$!
exec 7< "$tmp/stalled"
patient $process grep -q 'windows are left out' "$tmp/err"
point $? "a reader that stalls costs windows"
echo 9000000 > "$root/sys/class/powercap/intel-rapl:0/constraint_0_power_limit_uw"
patient $process grep -q '"power_limit_package":9[,.}]' "$tmp/live"
point $? "  ... but it sees a limit change"
cat <&7 > "$tmp/stream" &
reader=$!
patient $process lines $(($(wc -l < "$tmp/live") + 100)) '"metrics"' "$tmp/live"
kill -TERM $process
wait $process $reader 2> /dev/null
exec 7<&-
"$program" -r "$tmp/stream" -J --speed max > "$tmp/out" 2> "$tmp/err"
is "$(windows 'windows[0]["metrics"]["power_limit_package"], windows[-1]["metrics"]["power_limit_package"]')" "15 9" "  ... and none of what the others are understood by"
machine hd620
pmus msr
# What the processor does is counted by the computer's own kernel, in its time.
export FAKEKERNEL_CLOCK=real
streamed "the processor" -D cpu0
streamed "two devices in one stream" -D card0 -D cpu0
finish
