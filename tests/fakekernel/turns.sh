# SPDX-License-Identifier: GPL-3.0-or-later
# Every counter has a longest period, which follows from its width and its most increments, and no period is ever longer: a steady load reads the same in
# windows of half a minute, in which counters of 32 bits turn over several times. See turns.py. NVIDIA's link
# (tests/fakenvml/nvidia.sh) is read by a program of its own, which has no virtual clock.
. "$top_srcdir/tests/fakekernel/lib.sh"
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }

# turns NAME NARROW [OPTION...]: NARROW: 0 where all counters of this machine have 64 bits
turns()
{
	name=$1 narrow=$2
	shift 2
	"$rooftop" -J -n 4 -d 0.5 "$@" > "$tmp/short" 2> "$tmp/err"
	"$rooftop" -J -n 1 -d 30 $asked "$@" > "$tmp/long" 2>> "$tmp/err"
	"$rooftop" -w - -n 1 -d 0.2 "$@" > "$tmp/stream" 2>> "$tmp/err"
	good "$name reads the same in long windows" python3 -B "$top_srcdir/tests/fakekernel/turns.py" "$tmp/short" "$tmp/long" "$tmp/stream"
	is "$(cut -d" " -f2 "$tmp/good.out" | grep -c "^[1-9]")" "$narrow" "  ... narrow counters have their rows"
}
load=load=private.mad.sp.x4 asked="-p 1"
for model in hsw hd620 tgl dg2 mtl; do
	machine $model,$load
	turns "i915's stream of $model" 1 --access perf
done
asked=
for model in hsw hd620; do
	machine $model,$load
	turns "polled reports of $model" 1 --access rpc
done
driver=xe
machine lnl,$load
turns "xe's stream of lnl" 1
driver=
for kind in apu card; do
	sh "$top_srcdir/tests/fakekernel/amdtree.sh" "$root" $kind
	turns "an AMD $kind" 0
done
python3 -B "$top_srcdir/tests/fakekernel/gpu_metrics.py" 1.6 accumulation_counter=1000 prochot_residency_acc=1 ppt_residency_acc=2 \
	socket_thm_residency_acc=3 vr_thm_residency_acc=4 hbm_thm_residency_acc=5 curr_socket_power=71 > "$root/sys/devices/pci0000:00/0000:03:00.0/gpu_metrics"
turns "an AMD part whose firmware adds up what holds it" 1
for made in pi4 a6xx a7xx ivpu; do
	sh "$top_srcdir/tests/fakekernel/boardtree.sh" "$root" $made
	rm -f "$log"
	device=card0
	[ $made != ivpu ] || device=accel0
	turns "$made" 0 -D $device
done
for kind in "g72 panfrost" "g72 kbase" "g710 kbase csf_1.21"; do
	set -- $kind
	board $1,load=memory $2 ${3+"$(echo $3 | tr _ ' ')"}
	turns "a Mali behind $kind" 0
done
machine hd620,$load
powered client
turns "counters of energy" 1 --power powercap
finish
