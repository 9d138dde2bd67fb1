# SPDX-License-Identifier: GPL-3.0-or-later
# Raspberry Pi, Adreno and NPUs on fake drivers: each number is what the fake counted, each refusal says why and what helps.
. "$top_srcdir/tests/fakekernel/lib.sh"
. "$top_srcdir/tests/fakekernel/foreign_lib.sh"
unset FAKEKERNEL_FAIL

# made BOARD
made()
{
	sh "$top_srcdir/tests/fakekernel/boardtree.sh" "$root" "$1"
	rm -f "$log"
}

# near METRIC=WANT...: of the last window, within a hundredth, or what a reading loses of rates (a tenth below)
near()
{
	tail -1 "$tmp/out" | python3 -c '
import json, sys
m = json.load(sys.stdin)["metrics"]
bad = []
for pair in sys.argv[1:]:
    name, want = pair.split("=")
    least, most = 0.99, 1.01
    if name.endswith("~"):
        name, least = name[:-1], 0.85
    if name.endswith("#"):	# whole events, some more or less in a window
        name, least, most = name[:-1], 0.95, 1.05
    got, want = m.get(name), float(want)
    if got is None or not want * least - 1e-6 <= got <= want * most + 1e-6:
        bad.append(f"{name}: {got}, not {want}")
print("; ".join(bad) or "near")' "$@"
}

# --- Raspberry Pi ---
made pi4
gives 0 "a Raspberry Pi 4" -J -n 4 -d 0.1
is "$(near gpu_busy=60 queue_bin=15 queue_render=60 queue_compute=25 queue_tfu=1 qpu_working=40 qpu_waiting=30 qpu_empty=20 wait_tmu=20 \
	wait_scoreboard=2.5 wait_varyings=1.25 flop_at_most_per_cycle=25.6 gflops_at_most~=12.288 bus_read~=3.2 bus_write~=1.6 bus_total~=4.8 \
	l2_hit_rate=90 clock_actual=480 temperature=71.5 supply_low_share=0 throttle_heat=0)" near "  ... gives what was counted"
is "$(windows "head['device'], head['driver'], head['sim']")" "card0 v3d False" "  ... as what it is"
gives 0 "its list" -L
is "$(grep -c '^card0  *Broadcom VideoCore VI .*ready' "$tmp/out")" 1 "  ... names it"
for set in geometry caches; do
	gives 0 "its set $set" -J -n 3 -d 0.1 -m $set
	is "$(tail -1 "$tmp/out" | python3 -c 'import json, sys
w = json.load(sys.stdin)
print([n for n in w["metrics"] if n.startswith("V3D.") and w["metrics"][n] is None], len([n for n in w["metrics"] if n.startswith("V3D.")]) > 20)')" \
		"[] True" "  ... has a number for each counter"
done
made pi5
gives 0 "a Raspberry Pi 5" -J -n 4 -d 0.1
is "$(near qpu_working=60 qpu_waiting=40 stall_tmu=15 stall_tlb=5 stall_vpm=2 stall_uniforms=3 stall_sfu=1 stall_other=4 bus_read_wait=80 bus_total~=4.8 \
	l2_hit_rate=90)" near "  ... gives what was counted"
for set in geometry caches; do
	gives 0 "its set $set" -J -n 3 -d 0.1 -m $set
	is "$(tail -1 "$tmp/out" | python3 -c 'import json, sys
w = json.load(sys.stdin)
print([n for n in w["metrics"] if n.startswith("V3D.") and w["metrics"][n] is None])')" "[]" "  ... has a number for each counter"
done
printf '30046 0 8 0\n30047 5 5 300000000\n30006 0 0 84000\n30004 5 5 500000000\n' > "$root/v3d/firmware"
gives 0 "a hot one" -J -n 3 -d 0.1
is "$(near throttle_heat=100 clock_actual=300 temperature=84 supply_low_share=0)" near "  ... says so"
printf '30006 0 0 50000\n30046 0 1 0\n' > "$root/v3d/firmware"
gives 0 "a weak supply" -J -n 3 -d 0.1
is "$(near supply_low_share=100)" near "  ... is told"
is "$(window "m['clock_actual'], why['clock_actual']")" "None stale" "  ... and what the firmware does not answer has no number"
rm "$root/dev/vcio"
printf '1\n' > "$root/sys/class/hwmon/hwmon1/in0_lcrit_alarm"
gives 0 "a kernel without /dev/vcio" -J -n 2 -d 0.1
is "$(near temperature=61.234 supply_low_share=100)" near "  ... has a zone and an alarm"
is "$(window "m['clock_actual'], why['clock_actual']")" "None no_source" "  ... and no clock"

# nvtop asks the firmware in words, and calls 2^20 Hz a MHz.
made pi4
if foreign nvtop; then
	printf '30047 5 5 399507456\n30006 0 0 63900\n' > "$root/v3d/firmware"
	"$tmp/nvtop" -s < /dev/null 2> "$tmp/nvtop.err" | sed -n 's/.*"\(gpu_clock\|temp\)": "\([0-9]*\).*/\2/p' | tr '\n' ' ' > "$tmp/nvtop.out"
	gives 0 "a Raspberry Pi beside nvtop" -J -n 1 -d 0.1
	is "$(cat "$tmp/nvtop.out")" "$(window "int(m['clock_actual'] * 1e6) >> 20, int(m['temperature']), ''")" "  ... has the same clock and temperature"
else
	skip 2 "no nvtop"
fi

# What is refused.
made pi4
rm "$root/v3d/counters"
gives 0 "a kernel that names no counters" -J -n 2 -d 0.1
said 'the driver does not name its counters' "  ... says so"
said 'since version 6.11' "  ... and since when others do"
is "$(near gpu_busy=60)" near "  ... and has its queues"
made pi4
printf '1\n' > "$root/v3d/no_global"
gives 0 "a kernel without a global monitor" -J -n 2 -d 0.1
said 'since version 6.14' "  ... says so"
made pi4
hold v3d/global.lock
gives 0 "a monitor that another program has" -J -n 2 -d 0.1
said "another program has the GPU's only monitor" "  ... is told"
is "$(window "why['qpu_working']")" busy "  ... as the reason of its numbers"
release
made pi4
printf 'suspended\n' > "$root/sys/devices/platform/soc/fec00000.v3d/power/runtime_status"
gives 0 "a GPU that sleeps" -J -n 2 -d 0.1
is "$(cat "$log" 2> /dev/null | grep -c '^v3d ')" 0 "  ... is not asked"
is "$(window "why['qpu_working']")" asleep "  ... which its numbers say"
made pi4
for bad in 'queue timestamp' "$(printf 'queue\tx\nbin\t-1\t2\t3')" "$(head -c 3000 /dev/zero | tr '\0' x)"; do
	rm -f "$root/v3d/queues"
	printf '%s' "$bad" > "$root/sys/devices/platform/soc/fec00000.v3d/gpu_stats"
	gives 0 "a table that is none" -J -n 1 -d 0.1
	is "$(window "m['gpu_busy']")" None "  ... gives no number"
done

# --- Adreno ---
made a6xx
gives 0 "an a6xx" -J -n 3 -d 0.2
is "$(near gpu_busy=80 alu_working=80 efu_working=5 wait_texture=15 wait_cache=25 shaders_any=75 memory_read=4.8 clock_actual=600)" near \
	"  ... gives what was counted"
is "$(windows "head['driver'], 'flop_sp_per_cycle' in head['units']")" "msm False" "  ... and counts no operations"
printf '07002000\n' > "$root/msm/chip"
gives 0 "an A702, whose number is one of the next generation" -J -n 3 -d 0.2
is "$(near alu_working=80 efu_working=5)" near "  ... has the same"
made a7xx
gives 0 "an a7xx" -J -n 3 -d 0.2
is "$(near gpu_busy=75 alu_working=80 efu_working=10 shaders_stalled=20 textures_busy=50 flop_sp_per_cycle=0.533333 flop_hp_per_cycle=0.173333 gflops_sp=0.32 \
	gflops_hp=0.104 memory_read=4.8 memory_write=1.6 memory_total=6.4)" near "  ... gives what was counted, operations too"
made a8xx
gives 0 "an a8xx" -J -n 3 -d 0.2
is "$(near gpu_busy=80 alu_working=80 efu_working=10 flop_sp_per_cycle=0.533333 memory_total=6.4)" near "  ... has other numbers of the same counters"
# The ring ends within samples, and reads end where it does.
made a7xx
printf '512\n' > "$root/msm/ring_bytes"
gives 0 "a small ring" -J -n 5 -d 0.5
is "$(near gpu_busy=75 gflops_sp=0.32)" near "  ... loses nothing that counts"
made a7xx
printf '120 260\n700 800\n' > "$root/msm/suspends"
gives 0 "a GPU that sleeps meanwhile" -J -n 4 -d 0.25
is "$(near gpu_busy=75 clock_actual=600)" near "  ... has the shares of the time in which it was awake"
export FAKEKERNEL_PERFMON=0
made a7xx
gives 0 "without CAP_PERFMON" -J -n 1 -d 0.1
said 'counters of everybody need CAP_PERFMON' "  ... which is said"
unset FAKEKERNEL_PERFMON
printf 'CP 14 1\nRBBM 4 0\nSP 24 20\nTP 12 0\nUCHE 12 0\n' > "$root/msm/groups"
gives 0 "too few counters free" -J -n 1 -d 0.1
is "$(grep -c 'group SP, 4 are free' "$tmp/err")" 1 "  ... says how many"
rm "$root/msm/groups"
gives 0 "a GPU without counters" -J -n 1 -d 0.1
said 'knows no counters of this GPU' "  ... says so"
made a7xx
printf '1\n' > "$root/msm/old"
gives 0 "an older kernel" -J -n 1 -d 0.1
said 'Linux 7.2 has it' "  ... says which one has it"
made a7xx
printf '05030002\n' > "$root/msm/chip"
gives 0 "a chip that is not known" -J -n 1 -d 0.1
is "$(windows "'gpu_busy' in head['units'], head['driver']")" "True msm" "  ... is a card without counters"
gives 0 "  ... which the list says" -L
is "$(grep -c '^card0 .*chip 05030002' "$tmp/out")" 1 "  ... with its number"

# --- NPUs ---
made ivpu
gives 0 "Intel's NPU" -D accel0 -J -n 3 -d 1
is "$(near gpu_busy=40 npu_memory=0.104857 clock_actual=1850)" near "  ... gives what its files say"
gives 0 "its list" -L
is "$(grep -c '^accel0  *Intel NPU \[8086:643e\].*ready' "$tmp/out")" 1 "  ... names it"
made ivpu-old
gives 0 "an older driver's" -D accel0 -J -n 2 -d 1
is "$(near clock_actual=1400)" near "  ... has the names of its time"
is "$(window "why['npu_memory']")" no_source "  ... and no memory"
rm "$root/sys/devices/pci0000:00/0000:00:0b.0/"*npu* "$root/sys/devices/pci0000:00/0000:00:0b.0/".npu*
gives 3 "one that tells nothing" -D accel0 -J -n 1
said 'its driver tells no busy time' "  ... is refused"
made xdna
gives 0 "AMD's NPU" -D accel0 -J -n 3 -d 1
is "$(near gpu_busy=40 columns_used=6 commands_ended#=60 power_card=1.85 clock_actual=1267 clock_controller=800)" near \
	"  ... gives what its answers say"
for i in $(seq 40); do printf '%d 0 1 1234 1 0\n' $i; done > "$root/xdna/contexts"
gives 0 "one with forty contexts" -D accel0 -J -n 3 -d 1
is "$(near columns_used=1 commands_ended#=40)" near "  ... counts them all"
rm "$root/xdna/sensors" "$root/xdna/contexts"
: > "$log"
gives 0 "an older driver's" -D accel0 -J -n 4 -d 0.6
is "$(grep -c '^xdna query 4' "$log")" 1 "  ... is asked once for what it refuses"
is "$(window "m['power_card'], m['clock_actual']")" "None 1267" "  ... has what there is"
# A clock that rises from 0 to 1000 MHz in each five seconds is 500 MHz, wherever in it the window ends.
made ivpu
for start in 0 500; do
	echo "$start 200 1000 1000" > "$root/sys/devices/pci0000:00/0000:00:0b.0/freq/.current_freq.moves"
	gives 0 "an NPU whose clock is another one at each moment, from $start MHz" -D accel0 -J -n 3 -d 5
	is "$(windows "[w['metrics']['clock_actual'] for w in windows if not 350 <= w['metrics']['clock_actual'] <= 650]")" "[]" "  ... is the mean of its window"
done
made xdna
printf 'suspended\n' > "$root/sys/devices/pci0000:00/0000:00:0b.0/power/runtime_status"
gives 1 "one that sleeps" -D accel0 -J -n 1 -d 0.1
is "$(cat "$log" 2> /dev/null | grep -c '^xdna ')" 0 "  ... is not asked"
said 'sleeps and is left asleep' "  ... which it says"
is "$(window "why['clock_actual']")" asleep "  ... and is the reason of its numbers"
comes_later "one that wakes up" clock_actual "printf 'active\\n' > '$root/sys/devices/pci0000:00/0000:00:0b.0/power/runtime_status'" -D accel0
is "$(cat "$log" | grep -c 'xdna woken')" 0 "  ... which nobody woke"
# Being listed wakes nobody. The first opening of msm's node resumes the GPU, to load it (Linux msm_drv.c, load_gpu()).
# sleeps WANT: what the list says of a board whose devices all sleep
sleeps()
{
	: > "$log"
	find "$root/sys" -name runtime_status > "$tmp/status"
	while read -r file; do
		echo suspended > "$file"
	done < "$tmp/status"
	"$rooftop" -L > "$tmp/out" 2> "$tmp/err" < /dev/null
	is "$(grep -c woken "$log" 2> /dev/null)" 0 "$board: a sleeper is listed and sleeps on"
	is "$(grep -c "$1" "$tmp/out")" 1 "  ... as what it is: $1"
}
for row in 'pi4 Broadcom VideoCore VI ' 'pi5 Broadcom VideoCore VII ' 'xdna ^accel0 .*AMD ' 'ivpu Intel NPU' 'a6xx chip 06030001 .*ready' \
	'a7xx chip 43050a01 .*ready' 'a8xx chip 44050001 .*ready'; do
	board=${row%% *}
	made $board
	sleeps "${row#* }"
done
board=a6xx
made a6xx
echo suspended > "$root/sys/devices/platform/soc/5000000.gpu/power/runtime_status"
echo 0 > "$root/msm/chip"
gives 0 "a display that is awake before a GPU that sleeps" -L
is "$(grep -c 'chip 06030001 .*ready' "$tmp/out") $(cat "$log" 2> /dev/null | grep -c woken)" "1 0" "  ... is listed, and wakes nothing"
made a6xx
gives 0 "a GPU that is awake" -L
is "$(grep -c '^msm ' "$log")" 1 "  ... is asked"
finish
