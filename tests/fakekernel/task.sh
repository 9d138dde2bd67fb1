# SPDX-License-Identifier: GPL-3.0-or-later
# The command run with --task: a program alone, in user mode, without rights. perf counts the same on the same machine, and the example
# of Linux commit 5738891229a2 is reproduced: 100 million additions of eight floats are 800,000,000 operations.
. "$top_srcdir/tests/fakekernel/lib.sh"

# processor VENDOR FAMILY MODEL PMU...: as in cpu.sh; the self-test's loop has its million turns, programs a hundred million
processor()
{
	machine hd620
	mkdir -p "$root/proc"
	printf 'processor\t: 0\nvendor_id\t: %s\ncpu family\t: %d\nmodel\t\t: %d\nmodel name\t: Example\n' "$1" "$2" "$3" > "$root/proc/cpuinfo"
	printf 'cpu MHz\t\t: 1234.000\nphysical id\t: 0\ncore id\t\t: 0\n\n' >> "$root/proc/cpuinfo"
	shift 3
	pmus "$@"
	echo 1000000 > "$root/perf/turns"
	echo 100000000 > "$root/perf/exec_turns"
}

# arm PARTS PMU...: a processor of Arm with these parts
arm()
{
	machine hd620
	mkdir -p "$root/proc"
	cpu=0
	for part in $1; do
		printf 'processor\t: %d\nCPU implementer\t: 0x41\nCPU part\t: %s\n\n' $cpu "$part"
		cpu=$((cpu + 1))
	done > "$root/proc/cpuinfo"
	shift
	pmus "$@"
	rm -f "$log"
}

# count EVENT: of the last run's JSON
count()
{
	python3 - "$tmp/task" "$1" <<'END'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
assert rows[0]['task'] is True, rows[0]
row = [r for r in rows[1:] if r['metric'] == sys.argv[2]]
print('%.0f' % row[0]['total'] if row and row[0]['total'] is not None else row[0]['why'] if row else 'no row')
END
}

# task NAME OPTION... : runs $command, which is true
task()
{
	what=$1
	shift
	rm -f "$tmp/task"
	gives 0 "$what" run --task -J -o "$tmp/task" "$@" -- ${command:-true}
}

processor AuthenticAMD 23 1 cpu:zen1
export FAKEKERNEL_PERFMON=0
echo 2 > "$root/proc/sys/kernel/perf_event_paranoid"
# Clients of the card that the command is are told, too.
mkdir "$root/clients"
echo 700 > "$root/clients/maker"
in_sight maker "$root/dev/dri/renderD128"
gives 0 "a client of the card" run --task -J -o "$tmp/task" -- sh -c '"$0"; true' "$tmp/in-sight"
good "  ... is told" python3 -c 'import json, sys; v = json.loads(open(sys.argv[1]).readline())["own_clients_s"]; assert v["card0"]["render"] > 0, v' \
	"$tmp/task"
echo 1700 > "$root/clients/maker"
gives 0 "a client that tells cycles alone" run --task -J -o "$tmp/task" -- sh -c '"$0"; true' "$tmp/in-sight"
is "$(sed -n 's/.*"own_clients_s":\({[^}]*}\).*/\1/p' "$tmp/task")" '{"card0":null}' "  ... is no client that was not seen"
rm -f "$log"
task "AMD, without rights at paranoid 2"
is "$(count flops),$(count instructions)" 800000000,300042101 "  ... 800,000,000 FLOPs and three instructions each"
is "$(grep -c "config=0xff03 pid=0 cpu=-1 group=-1" "$log")" 2 "  ... of the command and of the self-test, wherever they run"
is "$(python3 -c "
import json
r = {}
for line in open('$tmp/task'):
    d = json.loads(line)
    r[d.get('metric')] = d
print('%.6f' % r['cpu_gflops']['total'], '%.6f' % (r['cpu_flop_per_cycle']['mean'] * r['cycles']['total'] / 8e8))")" "0.800000 1.000000" "  ... and the set's own equations say so"
gives 0 "in text" run --task -- true
is "$(awk '$2 == "flops" { print $1 }' "$tmp/err")" 800000000 "  ... digit by digit"
task "by perf's name" --counter fp_ret_sse_avx_ops.all --counter cpu/instructions/u
is "$(count fp_ret_sse_avx_ops_all),$(count cpu_instructions_u)" 800000000,300042101 "  ... the same"
if command -v perf > /dev/null; then
	"$on_fake" perf stat -x";" -e cpu/event=0x3,umask=0xff/u,instructions:u true > "$tmp/out" 2> "$tmp/perf" < /dev/null
	is "$(awk -F';' '/event=0x3|instructions/ { printf "%s ", $1 }' "$tmp/perf")" "800000000 300042101 " "perf counts the same"
else
	skip 1 "no perf (package linux-perf)"
fi
# Longer than a round of turns, in which the command's time, which is real, has to be the counters'.
command="sleep 0.1"
export FAKEKERNEL_CLOCK=real
task "more events than counters" --counter event=0x03,umask=0xff --counter event=0x03,umask=0x0f --counter event=0x03,umask=0xf0 \
	--counter instructions
is "$(python3 -c "
import json
print(sum(0 < (json.loads(line).get('counted') or 1) < 1 for line in open('$tmp/task')))")" 4 "  ... take turns, and say so"
unset FAKEKERNEL_CLOCK
command=true
mkdir -p "$root/perf/cpu"
echo 1 > "$root/perf/cpu/counters"
task "an event of two counters, of which one is free" --counter event=0x03,umask=0xff
is "$(count event_0x03_umask_0xff)" no_counter "  ... has no number, and says why"
rm "$root/perf/cpu/counters"
echo 3 > "$root/proc/sys/kernel/perf_event_paranoid"
gives 0 "at paranoid 3 the command runs, uncounted," run --task -- true
is "$(grep -q kernel.perf_event_paranoid "$tmp/err" && echo yes)" yes "  ... it says what to do"
echo 2 > "$root/proc/sys/kernel/perf_event_paranoid"
echo 1 > "$root/perf/no_merge"
task "a kernel without the Merge event"
is "$(count flops),$(count instructions)" unsupported,300042101 "  ... gives no false number"
rm "$root/perf/no_merge"
for kind in "AuthenticAMD 23 49 cpu:zen2" "AuthenticAMD 25 97 cpu:zen4" "AuthenticAMD 26 68 cpu:zen5" "HygonGenuine 24 1 cpu:zen1"; do
	set -- $kind
	processor "$@"
	task "$kind" --counter fp_ret_sse_avx_ops.all
	is "$(count fp_ret_sse_avx_ops_all)" 800000000 "  ... knows its unit mask"
done
processor GenuineIntel 6 142 cpu:intel uncore_imc
task "Intel" --counter fp_arith_inst_retired.256b_packed_single --counter cycles
is "$(count fp_arith_inst_retired_256b_packed_single)" 100000000 "  ... counts instructions"
task "Intel's own set"
is "$(python3 -c "
import json
print(['%.6f' % json.loads(line)['total'] for line in open('$tmp/task') if '\"cpu_gflops\"' in line][0])")" 0.800000 "  ... gives operations"
unset FAKEKERNEL_PERFMON
gives 2 "a wrong name" run --task --counter fp_arith_inst_retired.256b_packed_singel -- true
is "$(grep -c 'similar: .*fp_arith_inst_retired.256b_packed_single' "$tmp/err")" 1 "  ... has near ones"
gives 2 "a name of the kernel, mistyped" -D cpu0 --counter instrctions -b -n 1
is "$(grep -c 'similar: .*instructions' "$tmp/err")" 1 "  ... has near ones, too"
gives 2 "bad terms" run --task --counter event=0xzz -- true
gives 2 "terms that the PMU does not have" run --task --counter event=1,colour=2 -- true
gives 2 "a PMU that counts for all" run --task --counter uncore_imc/data_reads/ -- true
gives 0 "the list" -D cpu0 --counter help
is "$(grep -c -E '^  (instructions|fp_arith_inst_retired.scalar_single) ' "$tmp/out")" 2 "  ... has the kernel's names and the table's"
gives 0 "chosen events in windows" -D cpu0 --counter instructions -J -n 2 -d 0.1
is "$(tail -1 "$tmp/out" | grep -c '"event_instructions":[0-9]')" 1 "  ... are metrics"
gives 127 "a command that is not there" run --task -- ./not-there
gives 3 "a command's own status" run --task -- sh -c 'exit 3'

# Arm, whose sets name events for every kind of cores: a command runs on any of them.
echo 2 > "$root/proc/sys/kernel/perf_event_paranoid"
export FAKEKERNEL_PERFMON=0
arm '0xd08 0xd08' armv8_pmuv3_0
task "Arm"
is "$(count cycles),$(count instructions)" 3000000000,4500000000 "  ... has the counts of its PMU"
arm '0xd05 0xd0b' armv8_cortex_a55 armv8_cortex_a76
task "big and LITTLE cores"
is "$(grep -o 'type=[0-9]* config=0x8 pid=0 cpu=-1' "$log" | sort | tr '\n' ' ')" \
	"type=11 config=0x8 pid=0 cpu=-1 type=12 config=0x8 pid=0 cpu=-1 " "  ... are counted by the PMU of each kind"
is "$(count instructions)" 6300000000 "  ... and added up"
finish
