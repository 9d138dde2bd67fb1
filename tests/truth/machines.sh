# SPDX-License-Identifier: GPL-3.0-or-later
# The truth table on fake machines (doc/TRUTH.md): live, with and without roofs, held down, refused, and replayed.
. "$top_srcdir/tests/fakekernel/lib.sh"
. "$top_srcdir/tests/fakekernel/tree_lib.sh"
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
[ -e "$so" ] || { echo "1..0 # SKIP no fakekernel.so"; exit 0; }
relax=$top_builddir/tests/truth/relax
windows=4	# a short window that says another kind than the one before waits for the next

# modules SPEED WIDTH: the memory of the machine, as udev tells it: two modules, in MT/s and bits
modules()
{
	file /run/udev/data/+dmi:id "$(for i in 0 1; do
		printf 'E:MEMORY_DEVICE_%d_TYPE=DDR4\nE:MEMORY_DEVICE_%d_DATA_WIDTH=%d\n' $i $i "$2"
		printf 'E:MEMORY_DEVICE_%d_CONFIGURED_SPEED_MTS=%d\nE:MEMORY_DEVICE_%d_LOCATOR=Channel%s-DIMM0\n' $i "$1" $i "$(echo $i | tr 01 AB)"
	done)"
	# whatever this test runs on
	file /proc/cpuinfo "processor	: 0
flags		: fpu"
}

# agrees SPEC NAME OPTION...: the machine's last window says what relax makes of the spec
agrees()
{
	spec=$1
	name=$2
	shift 2
	in_share || return 0
	"$rooftop" -J -n $windows -d 0.1 "$@" > "$tmp/out" 2> "$tmp/err" < /dev/null
	good "$name" python3 -B "$top_srcdir/tests/truth/check.py" --window "$tmp/out" "$relax" "$spec"
}

# says KIND BOUND NAME: of the last window
says()
{
	is "$(tail -1 "$tmp/out" | python3 -c 'import json, sys
v = json.load(sys.stdin)["verdict"]
print(v["kind"], v["bound"])')" "$1 $2" "$3"
}

# --- i915: roofs of the memory known by udev, else not at all ---

for spec in hd620,load=private.mad.sp.x4 hd620,load=private.add.dp.x1 hd620,load=private.div.sp.x2 hd620,load=copy.sp.x4 \
	hd620,load=stream.sp.x4 hd620,load=read.dp.x4 hd620,load=private.mad.sp.x4,groups=1 hd620,load=single.mad.sp.x1,groups=3 \
	hd620,load=idle; do
	machine $spec
	modules 2133 64
	agrees $spec "i915, $spec"
done
for spec in hd620,load=stream.sp.x4,noroof tgl,load=stream.sp.x4,noroof hd620,load=private.mul.sp.x1,noroof chv,load=chase,noroof; do
	machine ${spec%,noroof}
	agrees $spec "i915 where nothing is known of the memory, $spec"
done
for spec in hsw,load=private.mad.sp.x4 chv,load=private.mad.sp.x16 tgl,load=private.mad.sp.x4 dg2,load=private.add.sp.x4 dg2,load=send \
	dg2,load=stream.sp.x4; do
	machine $spec
	agrees $spec,noroof "i915, $spec" 2> /dev/null
done

# --- held down ---

# held SPEC MHZ REASON NAME: the model's clock, and what the driver tells of it
held()
{
	machine "$1"
	modules 2133 64
	file /sys/class/drm/card0/gt_act_freq_mhz "$2"
	for reason in status $3; do
		file "/sys/class/drm/card0/gt/gt0/throttle_reason_$reason" 1
	done
	agrees "$1" "$4"
}

held hd620,load=private.mad.sp.x4,heat=600 600 thermal "i915 held by heat"
held hd620,load=private.mad.dp.x4,heat=700 700 prochot "  ... by something hot in the machine"
held hd620,load=private.mad.sp.x4,cores=9 600 pl1 "  ... by power"
held hd620,load=copy.sp.x4,current=800 800 pl4 "  ... by the current"
held hd620,load=stream.sp.x4,heat=1000 1000 thermal "  ... by heat, which the memory does not feel"
machine hd620,load=private.mad.sp.x4,setting=500
modules 2133 64
file /sys/class/drm/card0/gt_act_freq_mhz 500
file /sys/class/drm/card0/gt_cur_freq_mhz 500
file /sys/class/drm/card0/gt_max_freq_mhz 500
file /sys/class/drm/card0/gt_RP0_freq_mhz 1050
agrees hd620,load=private.mad.sp.x4,setting=500 "  ... by a maximum that somebody has set"

# --- xe ---

driver=xe
for spec in lnl,load=private.mad.sp.x4 lnl,load=send lnl,load=xmx,heat=900 lnl,load=stream.sp.x4,noroof lnl,load=private.mad.sp.x1,groups=2; do
	machine ${spec%,noroof}
	case $spec in *heat*)
		file /sys/class/drm/card0/device/tile0/gt0/freq0/act_freq 900
		file /sys/class/drm/card0/device/tile0/gt0/freq0/throttle/status 1
		file /sys/class/drm/card0/device/tile0/gt0/freq0/throttle/reason_thermal 1 ;;
	esac
	agrees $spec "xe, $spec"
done
driver=

# --- Mali ---

# A process of its own asks the drivers of Mali GPUs, in real time.
export FAKEKERNEL_CLOCK=real
for row in panfrost:g72,load=memory panfrost:g52,load=geometry panfrost:g72,load=ui kbase:g52,load=compute kbase:g72,load=overdraw; do
	board "${row#*:}" "${row%%:*}"
	agrees "${row#*:}" "${row%%:*}, ${row#*:}"
done
unset FAKEKERNEL_CLOCK

# --- processors: each of two runs additions of eight floats, CPU 1 half as many (perf.c), at 1234 MHz, 32 FLOP a clock at most ---

# processor GIGA: so many on CPU 0, 10^9 a second
processor()
{
	machine hd620
	modules "${2-2133}" 64
	mkdir -p "$root/proc"
	for cpu in 0 1; do
		printf 'processor\t: %d\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 142\nmodel name\t: Example\nflags\t\t: fpu\n' $cpu
		printf 'cpu MHz\t\t: 1234.000\nphysical id\t: 0\ncore id\t\t: %d\n\n' $cpu
	done > "$root/proc/cpuinfo"
	# a clock of jiffies that stands still: how busy this test's own machine is must not matter
	printf 'cpu  100 0 100 800 0 0 0 0 0 0\ncpu0 50 0 50 400 0 0 0 0 0 0\ncpu1 50 0 50 400 0 0 0 0 0 0\n' > "$root/proc/stat"
	pmus cpu:intel power:intel uncore_imc
	echo 1000000 > "$root/perf/turns"
	rate cpu 256_sp "${1}e9"
	"$rooftop" -J -n $windows -d 0.1 -D cpu0 > "$tmp/out" 2> "$tmp/err" < /dev/null
}

processor 6.3	# (6.3 + 3.15) x 8 of 2 x 1.234 x 32: 96 %
says pipe fp "a processor whose floating point units are full"
processor 1 1066	# the controllers count 15 GB/s of the 17 that 1066 MT/s are
says none dram "  ... whose memory is nearly full, by a roof that nothing confirms"
processor 1	# 12 of 79 GFLOP/s, 15 of 34 GB/s
says unknown dram "  ... and neither: nothing counts waiting, and less of a printed roof may be all that the memory delivers"

# --- nothing that counts what executes: then it is not known what limits, whatever the load is ---

for spec in hd620,load=private.mad.sp.x4 hd620,load=stream.sp.x4 tgl,load=send; do
	"$program" -D sim:$spec -m fixed --speed max -J -n $windows > "$tmp/out" 2> "$tmp/err"
	says no_counters None "$spec, of which a set without events counts no pipe"
done
machine hd620
card=/sys/devices/pci0000:00/0000:03:00.0
for line in "vendor 0x1002" "device 0x73ff" "power/runtime_status active" "gpu_busy_percent 98" "drm/card1/dev 226:1"; do
	file "$card/${line%% *}" "${line#* }"
done
file $card/uevent "DRIVER=amdgpu
PCI_SLOT_NAME=0000:03:00.0"
link $card/driver ../../../bus/pci/drivers/amdgpu
link $card/drm/card1/device ../../../0000:03:00.0
link /sys/class/drm/card1 ../../devices/pci0000:00/0000:03:00.0/drm/card1
link /sys/dev/char/226:1 ../../devices/pci0000:00/0000:03:00.0/drm/card1
: > "$root/dev/dri/card1"
"$rooftop" -J -n $windows -d 0.1 -D card1 > "$tmp/out" 2> "$tmp/err" < /dev/null
says no_counters None "a card of another vendor that tells how busy it is"
file $card/gpu_busy_percent 40
"$rooftop" -J -n $windows -d 0.1 -D card1 > "$tmp/out" 2> "$tmp/err" < /dev/null
says partly_idle busy "  ... and that it is not"

# --- no permission ---

machine hd620,load=private.mad.sp.x4
export FAKEKERNEL_PERFMON=0
"$rooftop" -J -n 2 -d 0.1 > "$tmp/out" 2> "$tmp/err" < /dev/null
says permission None "counters that are closed to this user"
unset FAKEKERNEL_PERFMON

# --- replayed ---

for spec in hd620,load=private.mad.dp.x4 hd620,load=stream.sp.x4 hd620,load=copy.sp.x2 hd620,load=private.mad.sp.x1,heat=500 \
	tgl,load=private.mad.sp.x4 hd620,load=private.mad.sp.x4,groups=1 hd620,load=idle; do
	"$program" -D sim:$spec --speed max -J -n 6 -d 0.2 -w "$tmp/recording" --overwrite > "$tmp/live" 2> "$tmp/err"
	"$program" -r "$tmp/recording" --speed max -J -d 0.2 > "$tmp/out" 2> "$tmp/err"
	good "replayed, $spec" python3 -B "$top_srcdir/tests/truth/check.py" --window "$tmp/out" "$relax" "$spec"
done
# --- recordings whose values another program has computed: i915-perf-reader knows how long the GPU was busy, and nothing of rooftop ---

# busy FILE: the mean of its GpuBusy in percent
busy()
{
	gzip -dc "$1" | awk '$1 == "GpuBusy:" { sum += $2; n++ } END { printf "%d", sum / n }'
}

recordings=$ROOFTOP_ORACLE/recordings
for name in bdw chv glk hsw icl kblgt2 tglgt1 tglgt2 by-recorder-kblgt2; do
	if [ ! -e "$recordings/$name.i915perf" ]; then
		skip 1 "no recordings of the oracle (ROOFTOP_ORACLE)"
		continue
	fi
	"$program" -r "$recordings/$name.i915perf" --speed max -J > "$tmp/out" 2> "$tmp/err"
	# Over 100 %: counters contradict each other. Below 90 % without anything full: it waits for work.
	good "recorded, $name" python3 - "$(busy "$recordings/$name.reader-all-reports.txt.gz")" "$tmp/out" <<'END'
import json, sys
busy, verdict = int(sys.argv[1]), json.loads(open(sys.argv[2]).readlines()[-1])["verdict"]
print(busy, verdict)
assert busy < 90 or busy > 100
assert "contradiction" in verdict["flags"] or (busy < 90 and verdict["kind"] in ("host", "partly_idle"))
END
done
finish
