# SPDX-License-Identifier: GPL-3.0-or-later
# After a change of the window each source has the pace that it would have if the device had been opened with windows of that length:
# on each kind of machine, for each pair of lengths. Streams are compared by what drivers were asked for last, timers by their period,
# helpers by a reading that would never come at the pace that they were started with.
. "$top_srcdir/tests/fakekernel/lib.sh"
paced=$top_builddir/tests/fakekernel/paced

# pace BEFORE_MS [AFTER_MS]: what sources are paced by, in the end
pace()
{
	rm -f "$log"
	# shellcheck disable=SC2086
	"$on_fake" "$paced" card0 "$@" 2> "$tmp/err" || cat "$tmp/err"
	# What a stream was asked for last: exponent and poll period of i915, exponent and waiting reports of xe, the period of msm.
	awk '/^  property (5|8|13) = |^msm period/ { last[$1 $2] = $0 }
		END { for (i in last) print last[i] }' "$log" | sort
}

# follows NAME: for each pair of lengths
follows()
{
	rm -f "$tmp/paces"
	differs=
	for after in 50 200 1000 4000; do
		pace $after > "$tmp/opened"
		[ -z "${one:-}" ] || cmp -s "$tmp/opened" "$tmp/one" || differs=yes
		cp "$tmp/opened" "$tmp/one"
		one=yes
		for before in 50 200 1000 4000; do
			pace $before $after > "$tmp/changed"
			cmp -s "$tmp/opened" "$tmp/changed" || echo "$before to $after ms: $(diff "$tmp/opened" "$tmp/changed" | tr '\n' ' ')"
		done
	done > "$tmp/unlike"
	is "$(head -3 "$tmp/unlike")" "" "$1: sources follow the window"
	is "$differs" yes "  ... and windows of other lengths ask for other paces"
	one=
}

for model in hsw hd620 chv tgl icl dg2; do
	machine $model
	follows "$model with i915"
done
for model in lnl mtl; do
	machine $model xe
	follows "$model with xe"
done
echo 15 > "$root/i915/oa_capabilities"
follows "xe of Linux 6.14"
for board in a6xx a7xx a8xx; do
	sh "$top_srcdir/tests/fakekernel/boardtree.sh" "$root" $board
	follows "Adreno $board"
done

# told COUNT FILE: that many readings
told()
{
	[ "$(grep -c '^at ' "$2")" -ge "$1" ]
}

# helper NAME ARGUMENT...: it is started at a pace of ten days
helper()
{
	mkfifo "$tmp/pace"
	"$@" < "$tmp/pace" > "$tmp/readings" 2> "$tmp/err" &
	process=$!
	exec 4> "$tmp/pace"
	patient $process told "$first" "$tmp/readings"
	echo 20 >&4
	patient $process told $((first + 2)) "$tmp/readings"
	point $? "${1##*/} reads at a pace that it was told later"
	exec 4>&-
	wait $process
	is $? 0 "  ... and ends with its input"
	rm "$tmp/pace"
}

first=0
ROOFTOP_FAKE_GPU=h100 helper "$top_builddir/rooftop-nvml" "$(realpath "$top_builddir/tests/fakenvml/libnvidia-ml.so.1")" 0000:01:00.0 864000000
# PAPI names events by the real processor.
if [ -x "$top_builddir/rooftop-papi" ] && grep -q GenuineIntel /proc/cpuinfo; then
	machine hd620
	pmus power:intel
	echo 0 > "$root/proc/sys/kernel/perf_event_paranoid"
	export LIBPFM_FORCE_PMU=rapl
	first=1
	helper "$on_fake" "$top_builddir/rooftop-papi" 864000000 0
else
	skip 2 "no PAPI, or none that knows the energy of this processor"
fi
finish
