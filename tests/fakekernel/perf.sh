# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that know nothing of rooftop read the model's values through perf events: the fake PMUs behave as the kernel's do.
. "$top_srcdir/tests/fakekernel/lib.sh"
papi_read=$top_builddir/tests/fakekernel/papi_read

# column N EVENT: a field of perf stat's line for the event
column()
{
	awk -F';' -v n="$1" -v event="$2" 'index($3, event) == 1 { print $n }' "$tmp/err"
}

# stat EVENTS COMMAND...
stat()
{
	events=$1
	shift
	"$on_fake" perf stat -x";" -e "$events" "$@" > "$tmp/out" 2> "$tmp/err" < /dev/null
}

# about GOT LOW HIGH NAME
about()
{
	is "$(awk -v v="$1" -v low="$2" -v high="$3" 'BEGIN { print (v >= low && v <= high ? "in range" : v) }')" "in range" "$4"
}

# per_second EVENT WANT NAME: the count over perf's own time; the model changes in steps of a millisecond
per_second()
{
	about "$(awk -F';' -v event="$1" '$3 == event { print $1 / ($4 / 1e9) }' "$tmp/err")" \
		"$(awk "BEGIN { print $2 * 0.97 }")" "$(awk "BEGIN { print $2 * 1.03 }")" "$3"
}

flops=cpu/event=0x3,umask=0xff/
machine hd620
pmus cpu:zen1 power:intel uncore_imc
echo 100000000 > "$root/perf/turns"
if command -v perf > /dev/null; then
	stat power/energy-pkg/,power/energy-gpu/,uncore_imc/gt_requests/ -a sleep 0.2
	per_second power/energy-pkg/ 15 "perf stat: package"
	per_second power/energy-gpu/ 5 "  ... GPU plane"
	per_second uncore_imc/gt_requests/ 8192 "  ... and the GPU's own memory traffic in MiB"
	rate power energy-gpu 9
	stat power/energy-gpu/ -a sleep 0.2
	per_second power/energy-gpu/ 9 "  ... follows what the tree says"

	stat "${flops}u,instructions:u" true
	is "$(column 1 $flops)" 800000000 "100 million vaddps of 8 floats are 800,000,000 FLOPs"
	is "$(column 1 instructions)" 300042101 "  ... and three instructions each"
	is "$(grep -c 'config=0xff03 ' "$log")" 1 "  ... by event 0x003 with every bit of Zen 1"
	stat "$flops,$flops,$flops,instructions" sleep 0.1
	is "$(awk -F';' '$5 < 99 { n++ } END { print n + 0 }' "$tmp/err")" 4 "three pairs and one more take turns"
	about "$(column 1 $flops | sort -n | head -1)" 799000000 801000000 "  ... and perf scales them to the whole"
	stat "{$flops,$flops,$flops,instructions}" true
	# perf 7 counts nothing of a group of which one event is refused, and says so in a sentence.
	is "$(awk -F';' '/<not supported>/ { print $3 } /^No supported events found/ { print "instructions" }' "$tmp/err")" instructions \
		"  ... but a group has no room for the fourth"

	echo 1 > "$root/perf/no_merge"
	stat "${flops}u" true
	is "$(column 1 $flops)" 750000000 "a kernel without the Merge event counts less, and says nothing"
	rm "$root/perf/no_merge"
	pmus cpu:zen5
	stat "${flops}u,cpu/event=0x3,umask=0xf/u" true
	is "$(column 1 $flops),$(column 1 cpu/event=0x3,umask=0xf/)" 0,800000000 "Zen 5: umask 0xff selects a type that is none"
	pmus cpu:intel
	stat cpu/event=0xc7,umask=0x20/u,cpu/event=0xc7,umask=0x60/u,cpu/event=0xc7,umask=0x10/u true
	is "$(awk -F';' '{ printf "%s ", $1 }' "$tmp/err")" "100000000 100000000 0 " "Intel: instructions of 256-bit floats, umasks add up"

	echo 1 > "$root/proc/sys/kernel/perf_event_paranoid"
	FAKEKERNEL_PERFMON=0 stat power/energy-pkg/ -a true
	is "$(grep -c 'Access to performance monitoring' "$tmp/err")" 1 "without a right perf says which one"
	stat power/event=0x77/ -a true
	is "$(grep -c -e '<not supported>' -e '^No supported events found' "$tmp/err")" 1 "an event that the PMU does not have is refused"
else
	skip 15 "no perf (package linux-perf)"
fi

machine hd620
pmus cpu:zen4
echo 100000000 > "$root/perf/turns"
if [ -x "$papi_read" ]; then
	export LIBPFM_FORCE_PMU=amd64_fam19h_zen4
	good "PAPI reads the loop" "$on_fake" "$papi_read" -i 1 amd64_fam19h_zen4::RETIRED_SSE_AVX_FLOPS:ANY
	is "$(awk '{ print $2 }' "$tmp/good.out")" 800000000 "  ... as 800,000,000 FLOPs"
	good "PAPI reads CPU 1" "$on_fake" "$papi_read" -c 1 -i 200 amd64_fam19h_zen4::RETIRED_SSE_AVX_FLOPS:ANY
	# CPU 1 does 4e9 a second.
	about "$(awk '{ print $2 }' "$tmp/good.out")" 800000000 2000000000 "  ... which does half of what CPU 0 does"
	pmus power:intel
	# Debian's PAPI opens energy for root or where everybody may, and does not look at capabilities.
	echo 0 > "$root/proc/sys/kernel/perf_event_paranoid"
	export LIBPFM_FORCE_PMU=rapl
	good "PAPI reads energy" "$on_fake" "$papi_read" -c 0 -i 200 rapl::RAPL_ENERGY_PKG:cpu=0
	about "$(awk '{ print $2 / 4294967296 }' "$tmp/good.out")" 2.9 7 "  ... 15 W in units of 2^-32 J"
	unset LIBPFM_FORCE_PMU
else
	skip 6 "built without PAPI"
fi
finish
