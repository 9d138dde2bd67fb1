/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Model of slices x subslices x EUs: how long a launch takes and what every EU position does
 * meanwhile.
 *
 * Modelled (Duarte 2018, ch. 2.1.3 and 4.2; Gera et al., 2018, as cited there): an EU has two FPUs,
 * a send pipe and up to threads_per_eu hardware threads; an FPU executes `lanes` channels a cycle
 * and wider instructions take more cycles; double precision runs on FPU0 alone, at dp_lanes a
 * cycle. Work groups are dealt to the subslices in turn, a group's threads to the EUs of its
 * subslice evenly. Groups become resident while their threads fit; those resident advance together
 * and leave together, so the rest of a division by the number of subslices runs alone at the end:
 * the serrated curve. While more groups wait than fit, places are filled as they become free, so that
 * EUs whose threads are fewer (ten EUs cannot share four groups of 16 threads) do not wait for the
 * others. The rate of an EU is the least of
 *    threads x (trips a lone thread makes: its chain of dependent instructions, or the cycles of its
 *    FPU instructions one after the other, because an EU issues at the same time from different
 *    threads only),
 *    what its FPUs and send pipe can execute, its share of the subslice's data port, its share of
 *    GTI and DRAM.
 * Assumed: a result is usable FPU_LATENCY cycles after issue (14: between 12 and 16 four SIMD32
 * threads of one dependent chain fill both FPUs and three do not, which is what Gera et al.
 * measured); a thread issues at most every second cycle; an instruction takes at least two cycles
 * of its pipe; instructions that fit either FPU are dealt to them in turn; pipes are busy
 * independently of each other; the arbiter is fair. From Gen12 FPU1 executes no ordinary arithmetic
 * and FPU0 is twice as wide.
 * A stalled EU waits for messages where its section sends requests for lines, else for results of
 * its own.
 * Which FPU has double precision is not settled by the sources; FPU0, because the thesis reads its
 * DP curve from the FPU0 event.
 * A barrier costs its message and answer, and the gateway takes the threads of a group one after the
 * other; increments of one address are done one a cycle, in global memory by one unit of the whole
 * GPU, in shared local memory by one of each subslice (assumed: nothing that is published counts
 * them).
 * Where lanes go different ways, all ways are gone one after the other.
 * Pixel shaders may ask the sampler of their subslice for blocks of texels, which it filters one after
 * the other, and start no faster than the one rasterizer makes blocks of pixels: then fewer of them
 * are there, each for as long as before.
 * Not modelled: skipping of quarters without lanes, instruction cache, register bank conflicts, preemption. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "backends/sim/model/memory.h"

#define EU_POSITIONS 8		/* row 0/1 x EU# 0..3, as the EU filters of the OA unit tell them apart */
#define EU_COLUMNS 4
#define FPU_LATENCY 14
#define RUN_ITEMS 16		/* of a work-group, that are added up together: kernels/reduce.cl */

/* Says what instructions work on; moves count nowhere. */
enum eu_number { NUMBER_FP32, NUMBER_FP64, NUMBER_INT32, NUMBER_INT64, NUMBERS };

enum eu_type { EU_HYBRID, EU_TERNARY, EU_BINARY, EU_MOV, EU_OTHER, EU_TYPES };

/* Names what an EU can be seen doing, in EU cycles (SEND_START counts messages, THREADS thread
 * cycles). */
enum eu_event {
	EU_FPU0,				/* + enum eu_type */
	EU_FPU1 = EU_FPU0 + EU_TYPES,		/* + enum eu_type */
	EU_BOTH = EU_FPU1 + EU_TYPES,
	EU_SEND,
	EU_SEND_START,
	EU_XMX,
	EU_ACTIVE,
	EU_LOADED,
	EU_THREADS,
	/* Pipe cycles are counted by type of number; + enum eu_number */
	EU_NUMBERS,
	/* The EU is loaded, no pipe works, and messages are under way. */
	EU_WAIT_MESSAGE = EU_NUMBERS + NUMBERS,
	/* It is the same without messages: results are not ready. */
	EU_WAIT_RESULT,
	EU_EVENTS,
};

enum shader_stage { STAGE_NONE, STAGE_VS, STAGE_HS, STAGE_DS, STAGE_GS, STAGE_PS, STAGE_CS };

/* Names counts that belong to no EU position. */
enum gpu_count {
	GPU_TICKS,		/* cycles with a running clock */
	GPU_BUSY,
	GPU_THREADS,
	GPU_GROUPS,		/* work groups that were dispatched */
	GPU_LINES,		/* 64-byte requests to the L3 */
	GPU_SLM_READS,		/* 64 bytes each */
	GPU_GTI_READS,		/* 64 bytes each */
	GPU_GTI_WRITES,
	GPU_DRAM_LINES,		/* of both, what no cache behind GTI has */
	GPU_QUADS,		/* 2x2 blocks of pixels */
	GPU_TEXEL_QUADS,
	GPU_RC6_NS,
	GPU_QUEUE_FULL,		/* cycles in which more is asked of the memory than it delivers */
	GPU_SAMPLER_BUSY,	/* cycles in which the sampler of the busiest subslice works */
	GPU_SAMPLER_FULL,	/* of these: more is asked of it than it delivers */
	GPU_ATOMICS,		/* messages; the next: those to shared local memory */
	GPU_SLM_ATOMICS,
	GPU_BARRIERS,		/* one for each thread */
	GPU_COUNTS,
};

struct eu_config {
	int subslices, eus_per_subslice, threads_per_eu;
	int lanes;		/* single precision, of one FPU */
	bool dual;		/* both FPUs execute ordinary arithmetic */
	double dp_lanes;	/* 0: no double precision */
	int simd;		/* widest that the compiler chooses */
	int min_cycles;		/* of an instruction in its pipe */
	bool has_xmx;
	struct memory_config memory;
};

/* A section is one straight stretch of a kernel, run trips times by every hardware thread;
 * everything else is per trip and thread. All members are doubles that add up (eu_array.c). */
struct kernel_section {
	double trips;
	double either[EU_TYPES];	/* FPU cycles that any FPU may execute */
	double fpu0_only[EU_TYPES];
	double fpu1_only[EU_TYPES];
	double numbers[NUMBERS];	/* of all these, by type of number */
	double instructions;
	/* of the longest chain of dependent instructions, memory included */
	double latency_cycles, sends, send_cycles, lines;
	double slm_lines;		/* 64 bytes each, from shared local memory */
	double xmx_cycles;
	double turnarounds;		/* of the data port, read to write */
	double gti_read_bytes, gti_write_bytes;
	double llc_bytes;		/* of those read, what the last-level cache has */
	double request_cycles;		/* for which requests to the memory are under way */
	double barriers;		/* of the work-group */
	/* An exchange is a barrier and an access to shared local memory. What grows with the
	 * work-group: exchanges for each time that its items can be halved, and for each run of
	 * RUN_ITEMS of them after the first; lines of shared local memory for each run. */
	double exchanges, halving_exchanges, run_exchanges, run_slm_lines;
	/* increments of one address: by one unit of the GPU, and by one of each subslice */
	double same_atomics, slm_atomics;
	double atomics;			/* messages of these and of other increments */
	double threads;			/* 1 in the section that starts a thread, else 0 */
	double quads, texel_quads;
	/* of units of fixed function: of the subslice's sampler, and of the GPU's rasterizer */
	double sampler_cycles, raster_cycles;
};

#define KERNEL_MAX_SECTIONS 3

struct kernel {
	char name[48];
	enum shader_stage stage;
	int simd;
	struct kernel_section sections[KERNEL_MAX_SECTIONS];
	int n_sections;
	/* the energy of its pipe clocks relative to what the device's table says */
	double effort;
	bool waits;		/* the host waits for each launch */
	double set_bytes;	/* memory of each group that it walks through, or 0 */
	/* what the source text asks for, for tests and the status line */
	double flop_per_item, bytes_per_item, counted_per_item;
};

/* Names what a single subslice can be seen doing. */
enum subslice_event {
	SS_WAITING,		/* cycles in which a group that was dealt to it waits for a place */
	SS_GROUPS,		/* work groups started */
	SS_THREADS,		/* threads started */
	SS_REQUESTS,		/* cycles in which its data port has requests for the L3 */
	SS_STALLED,		/* of these: the L3, or what stands behind it, takes none */
	SS_SLM_LINES,		/* 64 bytes each, from shared local memory */
	SS_EVENTS,
};

#define SS_MAX 32	/* subslices that are told apart, in the order in which groups are dealt */

/* A phase is a stretch of time with constant rates. It holds totals, not rates: what happens in all
 * of its cycles, over all subslices. */
struct phase {
	double cycles;
	enum shader_stage stage;
	/* which context is loaded, from 1 on; 0: none, and CTX_ID is not valid */
	uint8_t context;
	double effort;			/* as in struct kernel */
	double eu[EU_POSITIONS][EU_EVENTS];
	/* the same of one of the first subslices (n_first), and of one of the others */
	double one[2][EU_POSITIONS][EU_EVENTS];
	double gpu[GPU_COUNTS];
	double ss[SS_MAX][SS_EVENTS];	/* of each subslice */
	/* which EUs of a subslice hold a thread, a bit for each: of the first subslices, as many as
	 * n_first, and of the others. They are the same throughout. */
	uint32_t loaded_eus[2];
	int n_first;
};

#define PHASES_MAX 96

/* The caller owns a list; n begins at 0. */
struct phase_list {
	struct phase phases[PHASES_MAX];
	int n;
};

/* Return the cycles of one instruction of simd channels: of one FPU in single precision, and of
 * FPU0 in double precision. */
double eu_sp_cycles(const struct eu_config *c, int simd);
double eu_dp_cycles(const struct eu_config *c, int simd);
/* Appends the phases of one launch. Returns false when a group does not fit into a subslice or the
 * list is full. */
bool eu_launch(const struct eu_config *c, double hz, const struct kernel *k, int groups, int items,
	struct phase_list *out, struct err *err);
/* Appends a stretch in which no EU is loaded. Where it is gated the clock stands still (RC6). */
bool eu_pause(double hz, double ns, bool busy, bool gated, struct phase_list *out, struct err *err);
/* Returns the GPU clocks from the first phase to the last. */
double phase_list_cycles(const struct phase_list *l);
