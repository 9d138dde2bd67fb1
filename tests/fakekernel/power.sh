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
values "perf" $client energy_package/s=15 energy_update=0.9..20 power_card=unsupported --
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
said "allowed: auto, hwmon, perf, powercap, sensors, papi, none" "  ... is told what there is"
powered slow client
values "zones that change every 50 ms" power_package=15 energy_update=40..80 -- -d 0.2
gives 0 "  ... in a recording of windows that are shorter than their steps" -J -n 90 -d 0.03 -w "$tmp/short.rec"
"$program" -r "$tmp/short.rec" -d 0.1 --speed max -J > "$tmp/out" 2> "$tmp/err"
is "$(windows "[(i, w['why'].get('power_package')) for i, w in enumerate(windows) if i > 9 and w['metrics']['power_package'] is None], len(windows) > 20")" \
	"[] True" "  ... and in each longer window of its replay"

# Counters that change every 50 ms: the first stretch of time that they tell of begins before the command.
powered client
lasting_until 700
gives 0 "rooftop run" run -D card0 -c -o "$tmp/run" -- "$tmp/lasting"
rm "$root/gate"
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


# Kernels that take each die of AMD's for a package of its own: Linux 6.9 to 6.11.
# dies PACKAGE...: the packages of the CPUs from 0 on
dies()
{
	cpu=0
	for place; do
		mkdir -p "$root/sys/devices/system/cpu/cpu$cpu/topology"
		echo $place > "$root/sys/devices/system/cpu/cpu$cpu/topology/physical_package_id"
		cpu=$((cpu + 1))
	done
}

for vendor in AuthenticAMD HygonGenuine GenuineIntel; do
	watts=65
	[ $vendor != GenuineIntel ] || watts=130	# whose dies have registers of their own
	machine hd620
	printf 'vendor_id\t: %s\n' $vendor > "$root/proc/cpuinfo"
	dies 0 0
	powered dies
	values "$vendor, zones of two dies" power_package=$watts -- --power powercap
	pmus power:amd
	echo 0-1 > "$root/sys/devices/power/cpumask"
	values "  ... and perf events on both" power_package=$watts -- --power perf
	dies 0 1
	values "  ... of two packages" power_package=130 -- --power perf
done

# Every plane by its own best way.
machine hd620
pmus power:intel
rm "$root"/sys/devices/power/events/energy-ram*
powered client
values "processor planes by perf, memory by powercap" power_package=15 power_dram=1.5 --
ways "perf power PMU ok energy: package cores gpu psys
powercap ok energy: dram" "  ... each is named"

# A card beside them: what it takes is its own, and the processor's planes, limits and rest are none of its.
for driver in i915 xe; do
	machine dg2,load=private.mad.sp.x4
	pmus power:intel
	powered client
	own="power_package=unsupported power_rest=unsupported power_gpu_upper=unsupported power_dram=unsupported power_limit_package=unknown_const"
	values "a card of $driver without energy files" power_gpu=unsupported $own --
	values "  ... asked for the processor's" power_gpu=unsupported $own -- --power powercap
	powered hwmon
	[ "$driver" = i915 ] || printf 'xe\n' > "$root/sys/devices/pci0000:00/0000:00:02.0/hwmon/hwmon3/name"
	[ "$driver" = i915 ] || printf 'pkg\n' > "$root/sys/devices/pci0000:00/0000:00:02.0/hwmon/hwmon3/energy1_label"
	values "  ... with them" power_gpu=30 $own --
	ways "hwmon ok energy: gpu" "  ... is named"
done
driver=

machine hd620
values "a machine without energy counters" power_package=unsupported power_rest=unsupported energy_gpu=unsupported --
is "$(wc -c < "$tmp/err")" 0 "  ... says nothing about it"
ways "perf power PMU NO the kernel has no PMU 'power' (/sys/bus/event_source/devices)
powercap NO the kernel has no powercap folder (/sys/class/powercap)
PAPI NO PAPI would have to read /dev/cpu/0/msr, which is not there or may not be read" "  ... doctor says why"

# Sensors of boards, on processors that are not of x86. Their watts are summed over time.
# arm: a machine with two cores of Arm, whose energy the processor shows
arm()
{
	machine hd620
	printf 'processor\t: %d\nCPU implementer\t: 0x41\nCPU part\t: 0xd4f\n\n' 0 1 > "$root/proc/cpuinfo"
}

# sensors TEXT NAME: what doctor says about the energy of the processor, its columns one blank apart
sensors()
{
	"$rooftop" doctor > "$tmp/doctor" 2>&1
	is "$(sed -n '/^cpu0/,$s/^  \(board sensors\|perf power PMU\|powercap\|PAPI\)  *\(.*\)/\1 \2/p' "$tmp/doctor" | tr -s ' ')" "$1" "$2"
}

arm
powered grace
values "two sockets of a Grace" power_package=300 power_cores=180 power_psys=800 power_dram=unsupported power_gpu=unsupported \
	energy_package/s=300 energy_update=unsupported -- -D cpu0
is "$(wc -c < "$tmp/err")" 0 "  ... without a word on standard error"
sensors "board sensors ok energy: package (Grace Power Socket 0 +1) cores (CPU Power Socket 0 +1) psys (Module Power Socket 0 +1)" \
	"  ... are named as the firmware does"
"$lasting" -J -d 0.1 -D cpu0 -o "$tmp/meters" 2> "$tmp/err" &
patient $! has_number "$tmp/meters" power_cores
point $? "  ... while the program runs"
mv "$root/sys/class/hwmon/hwmon12/device/power1_average" "$tmp/away"
lacks_cores() { tail -1 "$tmp/meters" | grep -q '"power_cores":null.*"power_cores":"stale"'; }
patient $! lacks_cores
point $? "  ... a meter that is gone takes its plane with it"
good "  ... and leaves the others" has_number "$tmp/meters" power_package
mv "$tmp/away" "$root/sys/class/hwmon/hwmon12/device/power1_average"
patient $! has_number "$tmp/meters" power_cores
point $? "  ... until it is back"
kill -TERM $!
wait $! 2> /dev/null
arm
powered jetson
values "an AGX Orin, by volts and amperes" power_gpu=19 power_cores=9.5 power_dram=1.8 power_package=unsupported -- -D cpu0
sensors "board sensors ok energy: cores (VDD_CPU_CV) gpu (VDD_GPU_SOC) dram (VDDQ_VDD2_1V8AO)" "  ... by the names of its rails"
arm
powered juno
values "SCMI, counters before watts" power_cores=4 power_gpu=5 energy_cores/s=4 -- -D cpu0
sensors "board sensors ok energy: cores (BIG_ENM +1) gpu (GPU_ENM)" "  ... once"
arm
powered xgene
values "an X-Gene, whose firmware tells two parts" power_cores=31 power_package=unsupported -- -D cpu0
sensors "board sensors ok energy: cores (CPU power)" "  ... of which one is no plane"
arm
powered odroid
values "an Odroid XU3, whose sensors have no names" power_cores=5 power_dram=0.5 power_gpu=2 power_package=unsupported -- -D cpu0
sensors "board sensors ok energy: cores (VDD_ARM +1) gpu (VDD_G3D) dram (VDD_MEM)" "  ... but places"
printf 'samsung,exynos5800\0' > "$root/sys/firmware/devicetree/base/compatible"
values "another board with such sensors" power_cores=unsupported power_dram=unsupported -- -D cpu0
arm
powered ina226
values "an INA226 that the board names" power_dram=1.5 power_package=unsupported -- -D cpu0
values "--power sensors" power_dram=1.5 -- --power sensors -D cpu0
values "--power perf beside them" power_dram=unsupported -- --power perf -D cpu0
rm "$root/sys/class/hwmon/hwmon1/label"
values "  ... and two without a name" power_dram=unsupported -- -D cpu0
sensors "board sensors NO no power sensor of the board has a name that tells what it measures (2 have others)" "  ... say so"
arm
powered broken
values "sensors that hold no watts" power_dram=6 power_cores=unsupported power_package=unsupported power_psys=stands_still -- -D cpu0
sensors "board sensors ok energy: dram (DRAM ?[31m?) psys (Module Power Socket 0)" "  ... are left out"
arm
powered foreign
values "batteries and cards" power_package=unsupported power_cores=unsupported -- -D cpu0
sensors "board sensors NO no power sensor of the board lies in /sys/class/hwmon" "  ... are no sensors of the board"
arm
sensors "board sensors NO the kernel has no sensors (/sys/class/hwmon)" "a machine of Arm without sensors, whose doctor does not speak of RAPL"
machine hd620
printf 'vendor_id\t: GenuineIntel\n' > "$root/proc/cpuinfo"
pmus power:intel
rm "$root"/sys/devices/power/events/energy-psys*
powered grace
values "a server's meter of the whole machine, beside its processor's counters" power_package=15 power_cores=6 power_psys=800 --

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

# PAPI in its own process, whose time is real.
export FAKEKERNEL_CLOCK=real
machine hd620
pmus power:intel
if [ -x "$top_builddir/rooftop-papi" ]; then
	# It ends when PAPI has answered, whenever that is. That PMU has no energy, which PAPI has on some processors of AMD, too.
	export LIBPFM_FORCE_PMU=ix86arch
	is "$("$rooftop" -J -d 0.1 -n 300 --power papi 2> "$tmp/err" < /dev/null | grep -o -m 1 '"power_package":"unsupported"')" '"power_package":"unsupported"' \
		"--power papi where PAPI has nothing"
	is "$(grep -c 'rooftop-papi has ended: PAPI has no energy counter here; rapl: not built into this PAPI' "$tmp/err")" 1 \
		"  ... says what it said"
	gives 0 "doctor" doctor --power papi
	is "$(sed '/^cpu0/,$d' "$tmp/out" | grep -c '^  PAPI  *NO  .*rapl: not built into this PAPI')" 1 "  ... asks PAPI itself"
	unset LIBPFM_FORCE_PMU
	# Debian's PAPI opens it for root or where everybody may, and does not look at capabilities.
	echo 0 > "$root/proc/sys/kernel/perf_event_paranoid"
	# PAPI names events by the real processor, whatever machine the fake kernel shows.
	case $(grep -m 1 -o 'GenuineIntel\|AuthenticAMD' /proc/cpuinfo) in
	GenuineIntel) pmu=rapl ;;
	AuthenticAMD) pmu=amd64_rapl ;;
	*) pmu= ;;
	esac
	if [ "$pmu" ]; then
		export LIBPFM_FORCE_PMU=$pmu
		values "PAPI's perf_event_uncore" power_package=15 -- --power papi -n 5
		is "$(wc -c < "$tmp/err")" 0 "  ... without a word on standard error"
		unset LIBPFM_FORCE_PMU
	else
		skip 3 "PAPI's events are those of this computer's processor, which is neither Intel's nor AMD's"
	fi
	is "$(ls -l /proc/[0-9]*/exe 2> /dev/null | grep -c "> $(readlink -f "$top_builddir")/rooftop-papi$")" 0 "  ... and leaves no process"
else
	skip 8 "built without PAPI"
fi
finish
