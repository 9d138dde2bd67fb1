# SPDX-License-Identifier: GPL-3.0-or-later
# The processor as a device: operations, traffic and clock of every kind of processor, and what stops them. The model's CPU 0 does 10^9
# additions of eight floats a second, CPU 1 half of that, each at 3 GHz.
. "$top_srcdir/tests/fakekernel/lib.sh"
turns=1000000	# the additions of the self-test's loop

# processor VENDOR FAMILY MODEL PMU...
processor()
{
	machine hd620
	mkdir -p "$root/proc"
	for cpu in 0 1; do
		printf 'processor\t: %d\nvendor_id\t: %s\ncpu family\t: %d\nmodel\t\t: %d\nmodel name\t: Example\n' $cpu "$1" "$2" "$3"
		printf 'cpu MHz\t\t: 1234.000\nphysical id\t: 0\ncore id\t\t: %d\n\n' $cpu
	done > "$root/proc/cpuinfo"
	shift 3
	pmus "$@"
	echo $turns > "$root/perf/turns"
}

# counts NAME WANT... -- OPTION...
counts()
{
	values "$@" -D cpu0
}

# cells METRIC: its last values for each CPU
cells()
{
	python3 - "$tmp/out" "$1" <<'END'
import json, sys
w = json.loads(open(sys.argv[1]).readlines()[-1])
c = w['cells'] if isinstance(w['cells'], dict) else w['cells'][0]
print(*('%.1f' % v if v is not None else '--' for v in c['values'][sys.argv[2]]))
END
}

# estimates: which metrics of the last window are no more than that
estimates()
{
	tail -1 "$tmp/out" | python3 -c 'import json, sys; print(*sorted(json.loads(sys.stdin.read())["estimated"]))'
}

# caches BYTES_PER_S GROUP...: resctrl, whose groups ("" is the root) move so much in each of two last caches
caches()
{
	mkdir -p "$root/sys/fs/resctrl/info"
	rate=$1
	shift
	for group; do
		for cache in 00 01; do
			folder=$root/sys/fs/resctrl/$group/mon_data/mon_L3_$cache
			mkdir -p "$folder"
			echo 1000 > "$folder/mbm_total_bytes"
			echo "1000 $rate 0 1000" > "$folder/.mbm_total_bytes.moves"
		done
	done
}

# doctor_says TEXT NAME: of cpu0
doctor_says()
{
	"$rooftop" doctor 2>&1 | sed -n '/^cpu0/,$p' | tr -s ' ' > "$tmp/doctor"
	is "$(grep -c -F -e "$1" "$tmp/doctor")" 1 "$2"
}

# arm PARTS PMU...: a processor of Arm with these parts ("0xd05 0xd0b")
arm()
{
	machine hd620
	mkdir -p "$root/proc"
	cpu=0
	for part in $1; do
		printf 'processor\t: %d\nBogoMIPS\t: 48.00\nCPU implementer\t: 0x41\nCPU part\t: %s\n\n' $cpu "$part"
		cpu=$((cpu + 1))
	done > "$root/proc/cpuinfo"
	shift
	pmus "$@"
}

processor GenuineIntel 6 142 cpu:intel power:intel uncore_imc
export FAKEKERNEL_FAIL=perf=ENODEV@7-7
counts "a CPU that goes offline while counters are opened" cpu_flop_per_cycle=2 cpu_gflops=10..12 --
is "$(cells core_flop_per_cycle)" "2.7 1.3" "  ... and is back is counted"
export FAKEKERNEL_FAIL=perf=EMFILE@22
counts "controllers that cannot all be opened" dram_read=no_source cpu_flop_per_cycle=2 --
unset FAKEKERNEL_FAIL
# CPUs that go and come while the program runs: their sum is that of the CPUs that are there.
mkdir -p "$root/sys/devices/system/cpu"
echo 0-1 > "$root/sys/devices/system/cpu/online"
while read -r set exact; do
	rm -f "$tmp/online"
	"$lasting" -J -d 0.1 -D cpu0 -m $set -o "$tmp/online" 2> "$tmp/err" &
	while read -r list flop name; do
		echo "$list" > "$root/sys/devices/system/cpu/online"
		sums_to() { tail -1 "$tmp/online" | grep -q "\"cpu_gflops\":$flop[,.]"; }
		patient $! sums_to
		point $? "$set: $name"
		is "$(tail -1 "$tmp/online" | grep -c '"estimated":\[\]')" $exact "  ... which is an estimate where groups take turns, and only there"
	done <<-END
		0-1 1[12] two CPUs count
		0 [78] one goes, the other one is counted on
		0-1 1[12] it comes back and counts
		1 [34] the first one goes
		0,1 1[12] and comes back
	END
	kill -TERM $!
	wait $! 2> /dev/null
done <<-END
	overview 1
	precision 0
END
# Somebody else has all counters of one CPU: its operations are missing in the sum, which says so as long as it is like that.
"$lasting" -J -d 0.1 -D cpu0 -o "$tmp/online" 2> "$tmp/err" &
sums_to() { tail -1 "$tmp/online" | grep -q "\"cpu_gflops\":$flop[,.].*\"estimated\":\[$marked\]"; }
while read -r held flop marked name; do
	echo "$held" > "$root/perf/held_cpu"
	patient $! sums_to
	point $? "$name"
done <<-END
	-1 1[12] x* two CPUs whose counters are free
	1 [78] .*"cpu_gflops".* those of one are held: the sum is an estimate
	-1 1[12] x* they are free again, and it is none
END
kill -TERM $!
wait $! 2> /dev/null
rm "$root/perf/held_cpu"
cp "$root/proc/cpuinfo" "$tmp/both"
sed '/^$/q' "$tmp/both" > "$root/proc/cpuinfo"
echo 0 > "$root/sys/devices/system/cpu/online"
"$lasting" -J -d 0.1 -D cpu0 -o "$tmp/online" 2> "$tmp/err" &
sums_to() { tail -1 "$tmp/online" | grep -q "\"cpu_gflops\":$flop[,.]"; }
flop=[78]
patient $! sums_to
point $? "a CPU that is offline at the start"
cp "$tmp/both" "$root/proc/cpuinfo"
echo 0-1 > "$root/sys/devices/system/cpu/online"
is_estimate() { tail -1 "$tmp/online" | grep -q '"estimated":\[.*"cpu_gflops"'; }
patient $! is_estimate
point $? "  ... when it comes the sum, which has no row for it, is an estimate"
kill -TERM $!
wait $! 2> /dev/null
rm "$root/sys/devices/system/cpu/online"
rm "$log"
counts "Intel" cpu_gflops=12 cpu_flop_per_cycle=2 cpu_ipc=1 cpu_counted=100 dram_read=10.74 dram_write=4.29 dram_gpu=8.59 \
	cpu_ai=0.799 power_package=15 cpu_gflops_per_watt=0.8 --
is "$(cells core_flop_per_cycle)" "2.7 1.3" "  ... for each CPU"
is "$(wc -c < "$tmp/err")" 0 "  ... without a word on standard error"
is "$(grep -c 'group=[0-9]' "$log")" $((2 * 5 + 4 + 4)) "  ... in one group for each CPU, for energy and for the controllers"
doctor_says 'FLOP self-test ok a known loop counts 1000000, as it should 1000000' "  ... and the self-test counts its loop"
counts "six events on four counters" cpu_gflops_sp=12 cpu_gflops_dp=0 cpu_counted=45..55 -- -m precision
is "$(estimates | grep -c cpu_gflops_sp)" 1 "  ... in two groups that take turns: what is scaled is an estimate"
# Many windows end before each group had its turn on each CPU.
mux=$root/sys/bus/event_source/devices/cpu/perf_event_mux_interval_ms
echo 20 > "$mux"
rm -f "$log"
gives 0 "windows shorter than a round of turns" -D cpu0 -J -m precision -d 0.01 -n 60
is "$(python3 -c "
import json
rows = [json.loads(line) for line in open('$tmp/out')][1:]
told = [w['metrics']['cpu_gflops_sp'] for w in rows if w['metrics'].get('cpu_gflops_sp') is not None]
print(len(told) > 5, len(told) < len(rows), all(11 < v < 13 for v in told), {w['why']['cpu_gflops_sp'] for w in rows[1:] if w['metrics'].get('cpu_gflops_sp') is None})")" \
	"True True True {'no_counter'}" "  ... have the number or none, never a part of it"
is "$(grep -c 'perf_event_open type=4 .* cpu=[01] group=-1' "$log")" 4 "  ... and open nothing anew"
# An administrator may have made turns long.
echo 400 > "$mux"
rm -f "$log"
gives 0 "turns of 0.4 s" -D cpu0 -J -m precision -d 0.1 -n 30
is "$(grep -c 'perf_event_open type=4 .* cpu=[01] group=-1' "$log")" 4 "  ... are waited for, and nothing is opened anew"
rm "$mux"
echo 1 > "$root/proc/sys/kernel/nmi_watchdog"
counts "a counter that the watchdog holds" cpu_gflops=10.8..13.2 cpu_counted=40..99 -- -n 6
rm "$root/perf/turns"
counts "a loop that is counted wrongly" cpu_gflops=unsupported cpu_ipc=1 --
is "$("$rooftop" doctor | grep -c 'a known loop counts 0 floating-point events instead of 1000000')" 2 "  ... doctor says how"
processor GenuineIntel 6 106 cpu:intel
mkdir -p "$root/perf/cpu"
echo 1e9 > "$root/perf/cpu/512_sp"
counts "AVX-512: one event more" cpu_gflops=36 cpu_counted=45..55 --
echo 1e9 > "$root/perf/cpu/512_dp"
counts "  ... and by precision" cpu_gflops_sp=36 cpu_gflops_dp=12 cpu_gflops=48 cpu_counted=30..70 -- -m precision

for kind in "23 1 zen1" "23 113 zen2" "25 33 zen2" "25 97 zen4" "26 68 zen5"; do
	set -- $kind
	processor AuthenticAMD "$1" "$2" cpu:"$3"
	counts "AMD family $1, model $2" cpu_gflops=12 cpu_ipc=1 cpu_counted=100 --
done
is "$(grep -c 'config=0xf03 ' "$log")" 4 "  ... Zen 5 by unit mask 0x0f, on each CPU and for both loops"
counts "Zen 5: three events of two counters and two more" cpu_gflops_sp=12 cpu_counted=45..55 -- -m precision
echo 1 > "$root/perf/no_merge"
counts "a kernel without the Merge event that does not say so" cpu_gflops=unsupported cpu_ipc=1 --
is "$("$rooftop" doctor | grep -c 'a known loop counts 7500000 floating-point events instead of 8000000')" 2 "  ... is found out by the loop"
rm "$root/perf/no_merge"
printf '5.4.0-200-generic\n' > "$root/proc/sys/kernel/osrelease"
counts "a kernel before 5.6" cpu_gflops=unsupported cpu_ipc=1 --
doctor_says "Linux 5.4.0-200-generic counts AMD's FLOPs event without its Merge event, so too little" "  ... is refused by its number"
"$rooftop" doctor > "$tmp/doctor"
# sources FROM TO: "USABLE of ALL" of the rows between two titles.
sources() {
	sed -n "/^$1/,/^$2/s/^  .\{20\} \(ok\|own\|NO\|--\) .*/\1/p" "$tmp/doctor" | awk '{ n++; good += /o/ } END { print good " of " n }'
}
# The check of Intel's counters is no source.
sed -i '/^  OA self-test/d' "$tmp/doctor"
is "$(sed -n 's/^result: \(.*\) sources usable; .*/\1/p' "$tmp/doctor")" "GPUs $(sources card cpu), processor $(sources cpu program)" \
	"doctor counts the sources that it lists, those of the processor by themselves"
is "$(grep -c '^cpu[0-9]* ' "$tmp/doctor") $(grep -c '^cpu[0-9]* .* $' "$tmp/doctor")" "1 0" "  ... below a line without a blank at its end"
# Slots: one instruction a cycle retires of six or eight, half an operation is thrown away, half a slot gets none.
processor AuthenticAMD 25 97 cpu:zen4
counts "Zen 4's dispatch slots" cpu_retiring=16.6..16.8 cpu_speculation=8.2..8.5 cpu_frontend=8.2..8.5 cpu_backend=66.4..66.9 cpu_smt=0 -- -m slots
processor AuthenticAMD 26 68 cpu:zen5
echo "2 0.95" > "$root/proc/.stat.moves"
counts "Zen 5's" cpu_retiring=12.4..12.6 cpu_speculation=6.1..6.4 cpu_frontend=6.1..6.4 cpu_backend=74.7..75.3 -- -m slots
is "$(tail -1 "$tmp/out" | python3 -c 'import json, sys; v = json.loads(sys.stdin.read())["verdict"]; print(v["kind"], v["causes"])')" \
	"unknown ['backend']" "  ... and where they go is the reason of the answer"
processor GenuineIntel 6 106 cpu:topdown
echo "2 0.95" > "$root/proc/.stat.moves"
counts "Ice Lake's slots" cpu_retiring=19.8..20.2 cpu_speculation=9.9..10.1 cpu_frontend=4.9..5.1 cpu_backend=64.5..65.5 -- -m slots
is "$(tail -1 "$tmp/out" | python3 -c 'import json, sys; v = json.loads(sys.stdin.read())["verdict"]; print(v["kind"], v["causes"])')" \
	"unknown ['backend']" "  ... and where they go is the reason of the answer"
is "$(grep -c 'config=0x8[0-3]00 .*group=-1' "$log")" 0 "  ... in groups that the slots lead"
echo 1 > "$root/proc/sys/kernel/nmi_watchdog"
counts "  ... need no counter that the watchdog may hold" cpu_retiring=19.8..20.2 -- -m slots
processor GenuineIntel 6 106 cpu:intel
counts "a kernel or a virtual machine without them" cpu_retiring=unsupported -- -m slots
processor HygonGenuine 24 1 cpu:zen1
printf '5.4.0-200-generic\n' > "$root/proc/sys/kernel/osrelease"
counts "Hygon, a kernel before 5.6" cpu_gflops=unsupported cpu_ipc=1 --
processor HygonGenuine 24 1 cpu:zen1
counts "Hygon's Zen" cpu_gflops=12 cpu_ipc=1 --
processor AuthenticAMD 23 49 cpu:zen2 amd_df
counts "eight DRAM channels on four counters" cpu_ai=12..29 dram_total=0.512 dram_read=unsupported --
mkdir -p "$root/perf/amd_df"
echo 1 > "$root/perf/amd_df/any_group"
counts "a kernel that takes groups which never count" dram_total=0.512 --
processor GenuineIntel 6 106 cpu:intel uncore_imc_free_running_0:icx uncore_imc_0:icx uncore_imc_1:icx
counts "an Ice Lake server, whose controllers are told twice" dram_read=6.44 dram_write=2.15 dram_total=8.59 --
processor GenuineIntel 6 106 cpu:intel uncore_imc_0:icx uncore_imc_1:icx
counts "  ... or once, by channel" dram_read=6.44 dram_write=2.15 --
rate uncore_imc_0 any_group 1
rate uncore_imc_0 counters 1	# somebody has the others
counts "a group that is taken and never counts" dram_read=6.44 dram_write=2.15 -- -n 6
processor GenuineIntel 6 173 cpu:intel uncore_imc_0:gnr uncore_imc_1:gnr
counts "Granite Rapids, two schedulers a channel" dram_read=6.44 dram_write=2.15 --
processor GenuineIntel 6 140 cpu:intel uncore_imc_free_running_0 uncore_imc_free_running_1
counts "two controllers add up" dram_read=10.74 dram_write=4.29 dram_gpu=unsupported --

processor GenuineIntel 6 189 cpu_core cpu_atom uncore_imc_0:lnl uncore_imc_1:lnl
counts "Lunar Lake, whose controllers have to be programmed" dram_read=6.4 dram_write=2.56 dram_total=8.96 --
processor GenuineIntel 6 204 cpu_core cpu_atom uncore_imc_0:ptl
counts "Panther Lake, which tells chunks of 32 bytes" dram_read=3.2 dram_write=1.28 --
processor GenuineIntel 6 106 cpu:intel uncore_imc_0:lnl
counts "a server's controller without names of events" dram_read=unsupported --
processor AuthenticAMD 26 68 cpu:zen5 amd_umc_0 amd_umc_1
counts "Zen 5, a PMU for each channel" dram_read=6.4 dram_write=2.56 --

processor GenuineIntel 6 60 cpu:intel
counts "Haswell, which does not count operations" cpu_gflops=no_source core_clock=1234 --
if [ -e /sys/devices/system/cpu/cpu0/cpufreq ]; then
	skip 2 "this machine has cpufreq, which would be read"
else
	pmus msr
	counts "the clock by APERF and MPERF" core_clock=3000 --
fi

# Rights, and their coming.
processor GenuineIntel 6 142 cpu:intel uncore_imc
export FAKEKERNEL_PERFMON=0
counts "no right" cpu_gflops=permission dram_read=permission core_clock=1200..1300 --
comes_later "after sysctl" dram_read 'printf "0\n" > "$root/proc/sys/kernel/perf_event_paranoid"' -D cpu0
is "$(tail -1 "$tmp/later" | grep -c '"cpu_gflops":[0-9]')" 1 "  ... with all the others"
unset FAKEKERNEL_PERFMON

# Last caches, where no controller can be asked.
processor GenuineIntel 6 175 cpu:crestmont
mkdir -p "$root/sys/fs/resctrl"
counts "a kernel with resctrl that nobody has mounted" dram_total=unsupported cpu_ai=unsupported --
doctor_says "L3 monitoring (resctrl) NO resctrl is not mounted on '/sys/fs/resctrl'" "  ... says so"
is "$(grep -c 'sudo mount -t resctrl resctrl /sys/fs/resctrl' "$tmp/doctor")" 1 "  ... and how it is mounted"
caches 1e9 "" batch batch/mon_groups/one
counts "bytes of the last caches, of two groups" dram_total=3.9..4.1 cpu_ai=2.9..3.1 dram_read=unsupported dram_gpu=unsupported --
is "$(estimates)" "cpu_ai dram_gpu dram_read dram_total dram_write" "  ... are estimates of what the memory moves"
doctor_says "L3 monitoring (resctrl) ok DRAM traffic of the cores, without that of devices" "  ... doctor says whose they are"
pmus cpu:crestmont uncore_imc_free_running_0
counts "a controller is better" dram_total=7.52 --
is "$(estimates)" "" "  ... and exact"
values "graphics do not see them" dram_total=7.52 --
processor GenuineIntel 6 175 cpu:crestmont
caches 1e9 ""
echo Unassigned > "$root/sys/fs/resctrl/mon_data/mon_L3_01/mbm_total_bytes"
rm "$root/sys/fs/resctrl/mon_data/mon_L3_01/.mbm_total_bytes.moves"
counts "a cache without a counter" dram_total=no_counter --
doctor_says "'/sys/fs/resctrl/mon_data/mon_L3_01/mbm_total_bytes' says 'Unassigned': no hardware counter counts it" "  ... is named"

# A GPU sees the same controllers; without one the processor is not taken for it.
processor GenuineIntel 6 142 cpu:intel uncore_imc
values "processor graphics" dram_gpu=8.59 dram_total=15.03 --
gives 0 "-L" -L
is "$(grep -c '^cpu0 .* events  *ready$' "$tmp/out")" 1 "  ... lists the processor"
rm -rf "$root/sys/class/drm"
gives 3 "without a GPU the processor is not taken by itself" -b -n 1

# Several kinds of cores: each has a PMU of its own, which is in some CPUs. CPU 0 does 8 x 10^9 operations a second, CPU 1 half of that.
processor GenuineIntel 6 170 cpu_core cpu_atom
counts "Meteor Lake counts the operations of both kinds of cores" cpu_gflops=12 cpu_ipc=0.8 cpu_counted=100 --
is "$(cells core_gflops)" "8.0 4.0" "  ... for each CPU"
is "$("$rooftop" -J -n 2 -d 0.2 -D cpu0 2> /dev/null | tail -1 | grep -o '"core 0"\|"atom 1"' | sort -u | tr -d '\n')" '"atom 1""core 0"' "  ... by the name of their kind"
counts "  ... and their precision" cpu_gflops_sp=12 cpu_gflops_dp=0 -- -m precision
processor GenuineIntel 6 151 cpu_core cpu_atom
counts "Alder Lake counts operations of its performance cores, clocks of all" cpu_gflops=8 cpu_ipc=0.8 cpu_flop_per_cycle=2.67 --
is "$(cells core_gflops)" "8.0 --" "  ... and none of the others"
processor GenuineIntel 18 1 cpu_core cpu_atom
mkdir -p "$root/perf/cpu"
echo 1e9 > "$root/perf/cpu/512_sp"
counts "Nova Lake counts vectors of 512 bits of its performance cores" cpu_gflops=24 cpu_ipc=0.8 --
is "$(cells core_gflops)" "24.0 --" "  ... and none of the others"
counts "  ... and their precision" cpu_gflops_sp=24 cpu_gflops_dp=0 -- -m precision
processor GenuineIntel 6 229 cpu_core cpu_atom
counts "Panther Lake by its third number" cpu_gflops=12 --
# sp_roof: at 1234 MHz each core has its own width
sp_roof()
{
	"$rooftop" roofline -c -n 2 -d 0.2 -D cpu0 2> /dev/null | awk -F, '$2 == "sp.mad" { printf "%.1f", $5 }'
}
# Two threads share the units of one core; the same number in another socket is another core.
while read -r core package roof name; do
	processor GenuineIntel 6 142 cpu:intel
	sed -i "/^processor.*1$/,\$ { s/^core id.*/core id : $core/; s/^physical id.*/physical id : $package/ }" "$root/proc/cpuinfo"
	is "$(sp_roof)" "$roof" "the roof of $name"
done <<-END
	1 0 79.0 two cores is the sum of both
	0 0 39.5 two threads is that of their core
	0 1 79.0 two sockets is the sum of both
END
processor GenuineIntel 6 170 cpu_core cpu_atom
is "$(sp_roof)" 59.2 "Meteor Lake: the roof is the sum of both kinds of cores"
processor GenuineIntel 6 170 cpu_core cpu_atom:offline
counts "efficient cores that are all offline" cpu_gflops=8 cpu_ipc=1 --
doctor_says "CPU counters of cpu_atom NO the kernel's PMU 'cpu_atom' lists no CPU that it counts on: they are offline" "  ... are told"
processor GenuineIntel 6 170 cpu_core cpu_atom:mute
counts "efficient cores without events" cpu_gflops=8 cpu_ipc=1 --
is "$(cells core_gflops)" "8.0 --" "  ... leave the others their counts"
is "$(sp_roof)" 39.5 "  ... and are not in the roof"
doctor_says "CPU counters of atom NO " "  ... and say why"
processor GenuineIntel 6 170 cpu_atom:offline
counts "no core that counts" cpu_ipc=unsupported core_clock=1234 --
doctor_says "CPU counters NO the kernel's PMU 'cpu_atom' lists no CPU that it counts on: they are offline" "  ... has its reason"
processor GenuineIntel 6 170 cpu_core cpu_atom
echo > "$root/sys/devices/cpu_core/cpus"
counts "performance cores that are all offline" cpu_gflops=4 cpu_ipc=0.5 --
is "$(cells core_gflops)" "-- 4.0" "  ... leave the efficient ones their counts"
for model in 175 182 221; do
	processor GenuineIntel 6 $model cpu:crestmont
	counts "efficient cores alone count operations themselves (model $model)" cpu_gflops=12 cpu_ipc=1.5 cpu_counted=100 --
done
doctor_says 'FLOP self-test ok a known loop counts 8000000, as it should 8000000' "  ... which the self-test holds against its loop"
counts "  ... and their precision" cpu_gflops_sp=12 cpu_gflops_dp=0 -- -m precision
counts "  ... and their slots" cpu_retiring=41.6..41.7 cpu_speculation=8.3..8.4 cpu_frontend=12.5 cpu_backend=37.5 -- -m slots

arm '0xd05 0xd0b' armv8_cortex_a55 armv8_cortex_a76
counts "big and LITTLE cores of Arm" cpu_ipc=1.5 cpu_gflops=no_source --
is "$("$rooftop" -L 2> /dev/null | grep -c '^cpu0 .*1 x Cortex-A55, 1 x Cortex-A76')" 1 "  ... have the names of their parts"
is "$("$rooftop" -J -n 2 -d 0.2 -D cpu0 2> /dev/null | tail -1 | grep -o '"a55 0"\|"a76 1"' | sort -u | tr -d '\n')" '"a55 0""a76 1"' "  ... also on the map"
doctor_says "CPU counters ok cycles and instructions" "  ... and doctor does not say that their operations are counted"
arm '0xd4f 0xd4f' armv8_pmuv3_0
doctor_says "CPU counters ok cycles, instructions, floating-point operations" "doctor says it of cores that do count them"
counts "Neoverse V2 counts operations of scalable vectors of 128 bits" cpu_ipc=1.5 cpu_gflops=6 --
counts "  ... and where its slots go" cpu_retiring=67.5 cpu_frontend=8.33 cpu_backend=16.7 cpu_speculation=7.5 -- -m slots
arm '0xd4f 0xd4f' armv8_pmuv3_0 nvidia_scf_pmu_0 nvidia_scf_pmu_1
counts "the fabric of two sockets of a Grace" dram_read=19.2 dram_write=8 dram_total=27.2 dram_gpu=unsupported --
doctor_says "memory controllers ok DRAM reads and writes" "  ... is told"
echo 'event=many' > "$root/sys/devices/nvidia_scf_pmu_1/events/cmem_rd_data"
counts "  ... of which one is not understood" dram_read=unsupported dram_write=8 dram_total=unsupported --
doctor_says "memory controllers ok DRAM writes; " "  ... and doctor says which"
arm '0xd49 0xd49' armv8_pmuv3_0 arm_cmn_0 arm_cmn_1
counts "two meshes of Arm, which count requests" dram_total=4.48 dram_read=unsupported --
doctor_says "memory controllers ok DRAM traffic at most: 64 bytes for each request" "  ... of which each is taken as a line"
is "$(estimates)" "cpu_ai dram_gpu dram_read dram_total dram_write" "  ... so that what rests on them is a bound"
arm '0xd49 0xd49' armv8_pmuv3_0 arm_cmn_0:offline arm_cmn_1
counts "a mesh whose CPUs are offline" dram_total=unsupported --
doctor_says "memory controllers NO the kernel's PMU 'arm_cmn_0' lists no CPU that it counts on: they are offline" "  ... is not left out of a sum"
arm '0xd49 0xd49' armv8_pmuv3_0
doctor_says "sudo modprobe arm-cmn or nvidia_cspmu, where the machine has them" "a machine of Arm without either is sent to Arm's modules"
arm '0xfff' armv8_pmuv3_0
counts "a core of Arm that nobody knows" cpu_ipc=1.5 cpu_gflops=no_source --
is "$("$rooftop" -L 2> /dev/null | grep -c 'Arm core 0x41:0xfff')" 1 "  ... is named by its numbers"
finish
