# SPDX-License-Identifier: GPL-3.0-or-later
# Energy by every way, on machines of every kind: the watts of the tree arrive, each plane says where it comes from, and what cannot be
# read has its reason.
. "$top_srcdir/tests/fakekernel/lib.sh"

# ways TEXT NAME: what doctor says about energy, its columns one blank apart
ways()
{
	"$rooftop" doctor > "$tmp/doctor" 2>&1
	is "$(sed -n '/^card0/,/^cpu0/s/^  \(hwmon\|perf power PMU\|powercap\|PAPI\)  *\(.*\)/\1 \2/p' "$tmp/doctor" | tr -s ' ')" "$1" "$2"
}

client="power_package=15 power_cores=6 power_gpu=5 power_dram=1.5 power_psys=20 power_rest=4 power_gpu_upper=7.5"
machine hd620
pmus power:intel
values "perf" $client energy_package/s=15 energy_update=0.9..5 power_card=unsupported --
is "$(wc -c < "$tmp/err")" 0 "  ... without a word on standard error"
ways "perf power PMU ok energy: package cores gpu dram psys" "  ... is named"
rate power update_us 50000
values "registers that change every 50 ms" power_package=15 energy_update=40..80 -- -d 0.2
values "  ... in shorter windows" power_gpu=3..7 -- -d 0.03 -n 25
is "$(tail -1 "$tmp/out" | python3 -c 'import json,sys; print(json.load(sys.stdin)["metrics"]["power_gpu"] is not None)')" True \
	"  ... keep the last number"
rm "$root/perf/power/update_us"

machine hd620
powered client
# Whose processor it is, whatever this test runs on.
printf 'vendor_id\t: GenuineIntel\n' > "$root/proc/cpuinfo"
values "powercap: a wrap, a twin, psys as zone 1" $client --
ways "powercap ok energy: package cores gpu dram psys" "  ... is named"
values "--power perf where there is only powercap" power_package=unsupported -- --power perf
values "--power none" power_package=no_source -- --power none
gives 2 "--power nonsense" --power nonsense
said "allowed: auto, hwmon, perf, powercap, papi, none" "  ... is told what there is"
powered slow client
values "zones that change every 50 ms" power_package=15 energy_update=40..80 -- -d 0.2

gives 0 "rooftop run" run -D card0 -c -o "$tmp/run" -- sleep 0.5
is "$(awk -F, '$1 == "power_package" { print ($3 > 0) } $1 == "power_card" { print $3 $7 }' "$tmp/run" | tr '\n' ' ')" "1 unsupported " \
	"  ... has watts, and for a plane that is not there its reason"

machine hd620
powered two
values "two packages add up" power_package=120 power_dram=7 power_cores=unsupported --
machine hd620
powered braswell
printf 'vendor_id\t: GenuineIntel\n' > "$root/proc/cpuinfo"
values "Braswell, which counts in 32 uJ" power_package=4 power_cores=1 --
machine hd620
powered amd
printf 'vendor_id\t: AuthenticAMD\n' > "$root/proc/cpuinfo"
values "AMD's core zone is one core" power_package=65 power_cores=unsupported --

# Every plane by its own best way.
machine hd620
pmus power:intel
rm "$root"/sys/devices/power/events/energy-ram*
powered client hwmon
values "a discrete card, processor planes by perf, memory by powercap" power_gpu=30 power_package=15 power_dram=1.5 --
ways "hwmon ok energy: gpu
perf power PMU ok energy: package cores psys
powercap ok energy: dram" "  ... each is named"

machine hd620
values "a machine without energy counters" power_package=unsupported power_rest=unsupported energy_gpu=unsupported --
is "$(wc -c < "$tmp/err")" 0 "  ... says nothing about it"
ways "perf power PMU NO the kernel has no PMU 'power' (/sys/bus/event_source/devices)
powercap NO the kernel has no powercap folder (/sys/class/powercap)
PAPI NO PAPI would have to read /dev/cpu/0/msr, which is not there or may not be read" "  ... doctor says why"

# Without a right, and with it again while the program runs.
machine hd620
pmus power:intel
powered client
printf '0\n' > "$root/proc/sys/dev/i915/perf_stream_paranoid"
export FAKEKERNEL_PERFMON=0
values "no right" power_package=permission power_rest=permission --
"$rooftop" doctor 2>&1 | sed '/^cpu0/,$d' > "$tmp/doctor"
is "$(grep -c "PMU 'power': kernel.perf_event_paranoid is 2, it needs 0 or CAP_PERFMON" "$tmp/doctor")" 1 "  ... perf says which one"
is "$(grep -c 'sudo chmod a+r /sys/class/powercap/intel-rapl:\*/energy_uj' "$tmp/doctor")" 1 "  ... powercap has its command"
printf '3\n' > "$root/proc/sys/kernel/perf_event_paranoid"
is "$("$rooftop" doctor | sed '/^cpu0/,$d' | grep -c "PMU 'power': kernel.perf_event_paranoid is 3 (Debian): it needs CAP_SYS_ADMIN, CAP_PERFMON is not enough")" 1 "  ... and Debian's own rule"
comes_later "after chmod" power_package 'chmod a+r "$root"/sys/class/powercap/*/energy_uj'
values "  ... and at the next start" power_package=15 --
unset FAKEKERNEL_PERFMON

# PAPI in its own process.
machine hd620
pmus power:intel
if [ -x "$top_builddir/rooftop-papi" ]; then
	values "--power papi where PAPI has nothing" power_package=unsupported -- --power papi
	is "$(grep -c 'rooftop-papi has ended: PAPI has no energy counter here; rapl: not built into this PAPI' "$tmp/err")" 1 \
		"  ... says what it said"
	gives 0 "doctor" doctor --power papi
	is "$(sed '/^cpu0/,$d' "$tmp/out" | grep -c '^  PAPI  *NO  .*rapl: not built into this PAPI')" 1 "  ... asks PAPI itself"
	# Debian's PAPI opens it for root or where everybody may, and does not look at capabilities.
	echo 0 > "$root/proc/sys/kernel/perf_event_paranoid"
	# PAPI names events by the real processor, whatever machine the fake kernel shows.
	if grep -q GenuineIntel /proc/cpuinfo; then
		export LIBPFM_FORCE_PMU=rapl
		values "PAPI's perf_event_uncore" power_package=15 -- --power papi -n 5
		is "$(wc -c < "$tmp/err")" 0 "  ... without a word on standard error"
		unset LIBPFM_FORCE_PMU
	else
		skip 3 "PAPI's events are those of this computer's processor, which is not Intel's"
	fi
	is "$(ls -l /proc/[0-9]*/exe 2> /dev/null | grep -c "> $(readlink -f "$top_builddir")/rooftop-papi$")" 0 "  ... and leaves no process"
else
	skip 9 "built without PAPI"
fi
finish
