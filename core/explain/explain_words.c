/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The advice of explanations, by the names of metrics. */
#include "config.h"

#include "core/explain/explain_words.h"

#include <string.h>

#include "base/i18n.h"
#include "base/mem.h"
#include "base/parse.h"

static const struct explain_advice advice[] = {
	{ "gpu_busy JM.GPU_UTILIZATION engine_busy engines_busy cpu_busy",
		N_("The share of time in which there was work. It says nothing about how well the "
		   "work ran."),
		N_("If it is low, look at what the program waits for: larger batches, fewer "
		   "launches, work that is queued ahead.") },
	{ "eu_active SC.EXEC_CORE_UTILIZATION",
		N_("The cores execute instructions in this share of the time: the part that does "
		   "the work."),
		N_("If it is near 100 %, only fewer or cheaper instructions make the program "
		   "faster; if it is low, see what the rest of the time is.") },
	{ "eu_stall",
		N_("Threads are there, and all of them wait, mostly for memory, for other units or "
		   "for barriers."),
		N_("More independent loads in a thread, better locality, fewer barriers; see which "
		   "level of memory is near its roof.") },
	{ "eu_idle",
		N_("The cores had no thread at all: too little work, or it comes too slowly."),
		N_("More and larger work-groups; merge short launches.") },
	{ "eu_thread_occupancy",
		N_("How many of the slots for threads are filled. Many threads hide the time of "
		   "memory accesses."),
		N_("If it is low while the cores wait: more work-groups, less local memory and "
		   "fewer registers for each.") },
	{ "thread_life",
		N_("How long a thread lives. Below some microseconds the time to start it counts."),
		N_("Let each thread do more, and merge launches.") },
	{ "fpu0_active fpu1_active eu_fpu_both_active fpu_utilization xmx_active",
		N_("An arithmetic pipe is filled in this share of the time; the fullest single "
		   "pipe limits arithmetic."),
		N_("If one is full and its neighbour is not, use operations or types that the "
		   "other one can do; else fewer or cheaper instructions: multiply-add, half "
		   "precision, no division.") },
	{ "eu_send_active",
		N_("The pipe that sends messages to memory and other units: many small accesses "
		   "fill it."),
		N_("Fewer and wider loads and stores; neighbouring items should access "
		   "neighbouring addresses.") },
	{ "flop_sp_per_cycle flop_sp_per_cycle_eu flop_dp_per_cycle gflops_sp gflops_dp "
	  "gflops_most cpu_gflops cpu_flop_per_cycle",
		N_("Arithmetic per time. It is an upper bound where the counters cannot tell which "
		   "lanes are on."),
		N_("Compare it with what is reachable at this FLOP/B, not with the peak alone.") },
	{ "ai_l3 ai_gti cpu_ai",
		N_("Operations for each byte that passes this level: below the ridge memory is the "
		   "roof, above it arithmetic."),
		N_("More work on data that are there already: tiling, fused kernels, smaller "
		   "types.") },
	{ "roof_reachable roof_gti",
		N_("What the roofs allow at this FLOP/B: the program cannot be faster than this "
		   "without other traffic."),
		N_("Raise the operations for each byte, or live with this roof.") },
	{ "l3_shader_throughput gti_throughput gti_read_throughput gti_write_throughput "
	  "dram_throughput_most dram_read dram_write dram_total dram_gpu slm_throughput "
	  "slm_bytes_read slm_bytes_written",
		N_("Bytes per second at one level of memory. Near its roof this level limits "
		   "everything behind it."),
		N_("Move fewer bytes for each operation: tiling, fused kernels, local memory, "
		   "smaller types; read each byte once.") },
	{ "shader_atomics shader_barriers",
		N_("Threads agree with each other: on one address, or on one point of the program. "
		   "Each costs waiting."),
		N_("Reduce inside a work-group first, and spread what is counted over several "
		   "addresses.") },
	{ "power_package power_card power_gpu power_cores power_dram power_psys energy_package "
	  "energy_gpu",
		N_("What the part takes. At its limit the clock goes down, which shows in the "
		   "clock, not here."),
		N_("Watts alone are no limit; if the clock is below its maximum beside them, a "
		   "higher limit or a cooler program helps.") },
	{ "gflops_per_watt_gpu gflops_per_watt_package cpu_gflops_per_watt energy_per_flop_gpu "
	  "energy_per_flop_package",
		N_("How much arithmetic each watt gives. Waiting costs power, too."),
		N_("The fastest variant that does not wait is most often also the most frugal "
		   "one.") },
	{ "avg_gpu_core_frequency clock_actual clock_requested gpu_clock_limit gpu_clock "
	  "core_clock",
		N_("Everything that follows this clock slows down with it: pipes, caches, local "
		   "memory; DRAM does not."),
		N_("If it is below its maximum under load, look at throttle, power and "
		   "temperature.") },
	{ "rc6", N_("The share of time in which the GPU slept, to save power."),
		N_("Nothing needs to be done: the next work wakes it.") },
	{ "clock_throttled throttled_by_pl1 throttled_by_pl2 throttled_by_pl4 throttled_by_heat "
	  "throttle_heat throttle_power throttle_current throttle_other",
		N_("The hardware held the clock down for this reason in this share of the window."),
		N_("Heat: more cooling. Power or current: a higher limit, or a program that takes "
		   "less.") },
	{ "temperature temperature_vram",
		N_("Near its limit the clock goes down."),
		N_("More cooling, or less load for some time.") },
	{ "local_memory_used local_memory",
		N_("What programs hold of the card's own memory. When it is full, data go over the "
		   "bus."),
		N_("Free what is not needed, or work on smaller parts.") },
};

const struct explain_advice *explain_advice(const struct metric *m)
{
	for (size_t i = 0; i < ARRAY_LEN(advice); i++) {
		const char *names = advice[i].names, *word;
		size_t len;

		while (parse_word(&names, &word, &len))
			if (strlen(m->name) == len && !memcmp(m->name, word, len))
				return &advice[i];
	}
	return NULL;
}
