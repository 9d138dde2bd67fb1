# SPDX-License-Identifier: GPL-3.0-or-later
# Adreno and NPUs on strict fakes (strict.h): kernels of several versions, and what they do late, partly or not at all.
. "$top_srcdir/tests/fakekernel/strict_lib.sh"
. "$top_srcdir/tests/fakekernel/foreign_lib.sh"

# --- Adreno ---
for board in a6xx a7xx a8xx; do
	strict $board 7.2
	gives 0 "an $board" -J -n 2 -d 0.2
	efu=6.667	# of a6xx Mesa takes half (ds/fd_pps_driver.cc)
	[ $board != a6xx ] || efu=3.333
	is "$(every "near('gpu_busy', 75) and near('efu_working', $efu) and near('memory_read', 3.2) and near('clock_actual', 500)")" "" \
		"  ... gives what was counted"
	[ $board = a6xx ] || is "$(every "near('flop_sp_per_cycle', 0.11 * 4) and near('gflops_sp', 0.22) and near('memory_write', 0.8)")" "" \
		"  ... operations too"
done
# What lies before the ring's end is read, whole samples or not.
strict a7xx 7.2
told ring_left 1000
gives 0 "a ring that ends within a sample" -J -n 2 -d 0.3
is "$(every "near('gpu_busy', 75) and near('gflops_sp', 0.22)")" "" "  ... loses nothing"
# Numbers of samples begin again, and counters do not.
strict a7xx 7.2
told full '400 650'
gives 0 "a ring without room" -J -n 4 -d 0.25
is "$(every "m['gpu_busy'] is None or near('gpu_busy', 75) and near('gflops_sp', 0.22)")" "" "  ... gives no wrong number"
# Both begin again.
strict a7xx 7.2
told asleep '400 900'
gives 0 "a GPU that sleeps meanwhile" -J -n 5 -d 0.25
is "$(every "m['gpu_busy'] is None or near('gpu_busy', 75) and near('clock_actual', 500)")" "" "  ... has shares of the time in which it was awake"
is "$(windows "any(w['metrics']['gpu_busy'] for w in windows)")" True "  ... and then counts"

# What is refused, each for its own reason.
strict a7xx 7.2
sed 's/^SP 24 0/SP 24 20/' "$root/strict/msm_groups" > "$tmp/groups"
mv "$tmp/groups" "$root/strict/msm_groups"
gives 0 "counters that another program has reserved" -J -n 1 -d 0.1
is "$(grep -c 'group SP, 4 are free' "$tmp/err")" 1 "  ... are told"
strict a7xx 7.2
hold strict/stream.lock
gives 0 "a stream that another program has" -J -n 1 -d 0.1
is "$(window "why['gpu_busy']")" busy "  ... is the reason of its numbers"
release
FAKEKERNEL_PERFMON=0 gives 0 "a program without CAP_PERFMON" -J -n 1 -d 0.1
said 'counters of everybody need CAP_PERFMON' "  ... is told"
strict a7xx 7.1
gives 0 "an older kernel" -J -n 1 -d 0.1
said 'Linux 7.2 has it' "  ... says which one has it"
strict a7xx 7.2
told no_gpu 1
gives 0 "a display without a GPU" -J -n 1 -d 0.1
is "$(window "m.get('gpu_busy')")" None "  ... has no counters"

# --- NPUs ---
strict ivpu 7.2
gives 0 "Intel's NPU" -D accel0 -J -n 1 -d 1
is "$(every "near('gpu_busy', 40, 0.25) and m['clock_actual'] == 1300 and near('npu_memory', 0.003146)")" "" "  ... gives what its files say"
strict ivpu 6.12
gives 0 "  ... on a kernel with fewer files" -D accel0 -J -n 1 -d 1
is "$(every "near('gpu_busy', 40, 0.25) and why['clock_actual'] == why['npu_memory'] == 'no_source'")" "" "  ... gives those"

strict xdna 6.14
gives 0 "AMD's NPU on a kernel that knows no sensors" -D accel0 -J -n 1 -d 1
is "$(every "m['columns_used'] == 6 and near('commands_ended', 60, 0.3) and m['clock_actual'] == 1267 and why['power_card'] == 'no_source'")" "" \
	"  ... gives the rest"
# Ids are those of an open file, and a process may have several.
strict xdna 7.2
told contexts '1234 1 0 4 50 10 0 1e9
1234 1 4 2 700000 20 0 1e9'
gives 0 "contexts that look alike" -D accel0 -J -n 1 -d 1
is "$(every "m['columns_used'] == 6 and near('commands_ended', 30, 0.3) and near('gpu_busy', 15) and near('power_card', 1.85)")" "" \
	"  ... are told apart"
told aie4 1
gives 3 "a part of which the driver tells its columns only" -D accel0 -J -n 1 -d 0.1
said 'tells nothing but its columns' "  ... is refused"
strict xdna 7.2
printf 'suspended\n' > "$root/sys/devices/pci0000:00/0000:00:0b.0/power/runtime_status"
gives 1 "one that sleeps" -D accel0 -J -n 1 -d 0.1
is "$(cat "$log" 2> /dev/null | grep -c '^xdna ')" 0 "  ... is not asked"
# Unmodified nvtop asks Adreno's driver for chip and highest clock.
strict a6xx 7.2
if foreign nvtop; then
	"$tmp/nvtop" -s < /dev/null > "$tmp/nvtop.out" 2> "$tmp/nvtop.err"
	chip=$(sed -n 's/.*"device_name": "Unknown Adreno \([0-9a-f]*\)".*/\1/p' "$tmp/nvtop.out")
	highest=$(sed -n 's/.*"gpu_clock": "\([0-9]*\)MHz".*/\1/p' "$tmp/nvtop.out")
	is "$("$rooftop" -L | sed -n 's/^card0 .*Adreno, chip 0*\([0-9a-f]*\) .*/\1/p')" "${chip:-none}" "nvtop sees the same Adreno"
	gives 0 "an Adreno beside nvtop" -J -n 2 -d 0.2
	is "$(window "[int(b.split()[4]) - int(m['clock_actual'] * 100 / ${highest:-1}) for b in w['verdict']['because'] if b.startswith('the clock is at')]")" \
		"[0]" "  ... with the same highest clock"
else
	skip 3 "no nvtop"
fi
finish
