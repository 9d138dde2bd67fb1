# SPDX-License-Identifier: GPL-3.0-or-later
# One machine with an Intel card, an AMD card, an NVIDIA card and a card of a driver that nobody has heard of: each is what it is alone, and
# nvtop and btop show the same numbers of the AMD card as rooftop does (of the others, too, where they show any). ROOFTOP_DEBIAN names a folder
# with their packages (foreign_lib.sh).
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
# A helper loads NVIDIA's library and answers by the time of the machine, not by that of rooftop's waits.
export FAKEKERNEL_CLOCK=real
. "$top_srcdir/tests/fakekernel/lib.sh"
. "$top_srcdir/tests/fakekernel/foreign_lib.sh"
. "$top_srcdir/tests/fakekernel/tree_lib.sh"

# The Intel card is card0, because libudev finds the nodes of its number.
machine hd620,load=private.mad.sp.x1
sh "$top_srcdir/tests/fakekernel/amdtree.sh" "$root" card 1
nvidia=/sys/devices/pci0000:00/0000:01:00.0
file $nvidia/vendor 0x10de
file $nvidia/device 0x2330
file $nvidia/revision 0xa1
file $nvidia/class 0x030200
file $nvidia/uevent "DRIVER=nvidia
PCI_SLOT_NAME=0000:01:00.0"
file $nvidia/power/runtime_status active
file $nvidia/power/control on
link $nvidia/driver /sys/bus/pci/drivers/nvidia
link /sys/bus/pci/devices/0000:01:00.0 ../../../devices/pci0000:00/0000:01:00.0
drm_nodes $nvidia 2
quux=/sys/devices/platform/quux.gpu
link $quux/driver /sys/bus/platform/drivers/quux
file $quux/uevent DRIVER=quux
file $quux/devfreq/quux/cur_freq 600000000
file $quux/hwmon/hwmon7/temp1_input 44000
drm_nodes $quux 3
: > "$log"
more_libraries=$top_builddir/tests/fakenvml
export LD_LIBRARY_PATH="$more_libraries" ROOFTOP_FAKE_GPU=h100,load=gemm ROOFTOP_FAKE_SINCE_NS
ROOFTOP_FAKE_SINCE_NS=$(python3 -c 'import time; print(time.monotonic_ns() - 10**9)')

# last CARD EXPRESSION: of the last window of that card: w, its metrics m and its reasons why, in Python
last()
{
	grep "\"device\":\"$1\"" "$tmp/ours" | tail -1 | python3 -c "import json, sys
w = json.load(sys.stdin)
m, why = w['metrics'], w['why']
print($2)"
}

# alike NUMBERS NUMBERS: the model of NVIDIA's card goes on while programs ask it one after the other
alike()
{
	echo "$1 / $2" | awk -F' / ' '{
		n = split($1, a, " ")
		bad = n != split($2, b, " ") || !n
		for (i = 1; i <= n; i++)
			bad = bad || a[i] - b[i] > 1 || b[i] - a[i] > 1
		print bad ? $0 : "alike"
	}'
}

gives 0 "a machine with cards of three vendors, and one of nobody" -L
is "$(sed -n 's/^\(card[0-9]\) .* \(i915\|amdgpu\|nvidia\|quux\) .*ready$/\1 \2/p' "$tmp/out" | tr '\n' ' ')" \
	"card0 i915 card1 amdgpu card2 nvidia card3 quux " "  ... lists all four"
gives 0 "  ... counts all four" --power none -J -n 2 -d 0.5 -D card0 -D card1 -D card2 -D card3
cp "$tmp/out" "$tmp/ours"
is "$(last card0 "abs(m['flop_sp_per_cycle_eu'] - 16) < 0.5, m['clock_actual']")" "True 1050" "  ... Intel's by its reports"
is "$(last card1 "[m[n] for n in ('gpu_busy', 'clock_actual', 'memory_clock', 'temperature', 'power_card', 'temperature_hot', 'power_socket')]")" \
	"[83, 2044, 875, 61, 71, 78, 71]" "  ... AMD's by files and table"
is "$(last card2 "m['clock_actual'] > 0 and m['power_card'] > 0")" True "  ... NVIDIA's by its library"
is "$(last card3 "m['clock_actual'], m['temperature'], w['verdict']['kind']")" "600 44 no_counters" "  ... and the last one's by what every card has"

more_libraries=
unset LD_LIBRARY_PATH
gives 0 "without NVIDIA's library the others are shown" -D all -b -n 1 -d 0.1 --power none
said "card2: NVIDIA's library cannot be loaded" "  ... it is told"
is "$(sed -n 's/^\(c[a-z]*[0-9]\) *limit \([A-Z ]*\):.*/\1 \2/p' "$tmp/out" | grep -c 'card0 PIPE FULL\|card1 PARTLY IDLE\|card2 NO COUNTERS\|card3 NO COUNTERS')" 4 \
	"  ... and each card has its rows"
gives 1 "  ... its card, by its name" -D card0 -D card2 -b -n 1 -d 0.1 --power none
gives 5 "  ... is checked, and fails" check card2 -J
is "$(sed -n 's/.*"check":"counters".*"reason":"\([^"]*\)".*/\1/p' "$tmp/out" | cut -d: -f1)" "NVIDIA's library cannot be loaded" "  ... for that reason"
more_libraries=$top_builddir/tests/fakenvml
export LD_LIBRARY_PATH="$more_libraries"

# said_of PATTERN KEY...: numbers of nvtop's list of the card whose name fits. Intel's has none where there is no database of devices.
if foreign nvtop; then
	"$tmp/nvtop" -s < /dev/null > "$tmp/nvtop.out" 2> "$tmp/nvtop.err"
	said_of()
	{
		python3 - "$tmp/nvtop.out" "$@" <<'END_OF_PYTHON'
import json, re, sys
file, pattern, *keys = sys.argv[1:]
for card in json.load(open(file)):
    if re.search(pattern, card['device_name'] or 'unnamed'):
        print(*(re.match(r'[0-9]*', card.get(k) or '-').group() for k in keys))
END_OF_PYTHON
	}
	ours=$("$rooftop" -L | sed -n 's/^card1 *\(.*\) \[1002:73ff\].*/\1/p')
	is "$(said_of "$ours" gpu_util gpu_clock mem_clock temp power_draw mem_util)" \
		"$(last card1 "' '.join(str(round(x)) for x in (m['gpu_busy'], m['clock_actual'], m['memory_clock'], m['temperature'], m['power_card'], int(100 * m['local_memory_used'] * 1e9 / 8573157376)))")" \
		"nvtop shows the AMD card among others as rooftop does"
	is "$(alike "$(said_of H100 gpu_util gpu_clock mem_clock temp)" \
		"$(last card2 "' '.join(str(round(m[n])) for n in ('gpu_busy', 'clock_actual', 'memory_clock', 'temperature'))")")" alike "  ... NVIDIA's"
	is "$(said_of 'unnamed|Intel' gpu_clock)" "$(last card0 "round(m['clock_actual'])")" "  ... and Intel's clock"
else
	skip 3 "no nvtop"
fi

# btop has NVIDIA's cards before AMD's.
if foreign_btop 1; then
	is "$(sed -n 1,3p "$tmp/btop.out" | tr '\n' ' ')" "$(last card1 "' '.join(str(round(m[n])) for n in ('gpu_busy', 'clock_actual', 'temperature'))") " \
		"btop shows the AMD card among others as rooftop does: busy time, clock and temperature"
	is "$(sed -n 4,6p "$tmp/btop.out" | tr '\n' ' ')" \
		"7.98 $(last card1 "'%.2f %d' % (m['local_memory_used'] * 1e9 / (1 << 30) - 0.005, round(m['memory_busy']))") " "  ... memory, and how busy it is"
else
	skip 2 "no btop, or no librocm_smi64"
fi

# Nobody named a card, and the first one cannot be opened: without its node it has no counters, without its files no clock.
rm -f "$root"/sys/class/drm/card0/gt_*_freq_mhz "$root/sys/class/drm/card0/power/rc6_residency_ms"
export FAKEKERNEL_FAIL=open=ENODEV
gives 3 "a first card that cannot be opened, by its name" -D card0 -b -n 1 -d 0.1
gives 0 "  ... and without a name" -b -n 1 -d 0.1 --power none
said "card0: its driver offers no OA streams" "  ... it is told"
said "; card2 is taken in its place" "  ... with the card in its place, which is the next one with counters"
is "$(grep -c . "$tmp/out")" "$("$rooftop" -D card2 -b -n 1 -d 0.1 --power none | grep -c .)" "  ... whose window is there"
rm "$root/sys/class/drm/card2"
gives 0 "  ... without one that counts, the first card" -J -n 1 -d 0.1 --power none
said "; card1 is taken in its place" "  ... is taken"
is "$(head -1 "$tmp/out" | grep -o '"device":"[^"]*"')" '"device":"card1"' "  ... and counted"
gives 2 "a set that no card has" -b -n 1 -m nothing
is "$(grep -c "taken in its place" "$tmp/err")" 0 "  ... is no reason for another card"
finish
