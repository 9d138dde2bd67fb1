/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes rates of all words from what a load says of itself, and their sums over time. */
#include "config.h"

#include "backends/sim/model/mali_gpu.h"
#include "backends/sim/model/turns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backends/sim/model/q32.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/strbuf.h"

#define TOUR_NS (10 * NS_PER_S)
#define BEATS_PER_TRANSACTION 4		/* 64 bytes on a bus of 128 bits */
#define TASK_PIXELS 1024
#define QUAD 4
#define VARYING_SLOTS_G710 2	/* of a clock; one before (libGPUCounters, MaliVarSlotPerCy) */
#define VARYING_SLOTS_G715 4
#define FMA_SHARE 0.55		/* of arithmetic instructions */
#define BETWEEN_TASKS 0.9	/* a core has no task while the queue works for others */
#define NOISE 0xdeadbeefu		/* in blocks of cores that are absent */
#define MASK_WORD 2

/* The register says: a 128-bit bus, and 256 KiB of L2 in a slice. */
#define L2_FEATURES 0x07120206
#define THREAD_FEATURES 0x0a040400

const struct mali_machine mali_machines[] = {
	{ "g72",
		{ .gpu_id = 0x62210010,
			.shader_present = 0xfff,
			.slices = 2,
			.l2_features = L2_FEATURES,
			.thread_features = THREAD_FEATURES,
			.max_hz = 746000000 },
		104, 746,
		"Mali-G72 MP12 with the cores and the clock of a Kirin 970 (wikipedia.org, "
		"HiSilicon)" },
	{ "g52",
		{ .gpu_id = 0x74021000,
			.shader_present = 0x3,
			.slices = 1,
			.l2_features = L2_FEATURES,
			.core_features = 3,
			.thread_features = THREAD_FEATURES,
			.max_hz = 800000000 },
		124, 800,
		"Mali-G52 MP2 with the six engines and the clock of an Amlogic S922X "
		"(wiki.odroid.com)" },
	{ "g710",
		{ .gpu_id = 0xa8620010,
			.shader_present = 0x3ff,
			.slices = 2,
			.l2_features = L2_FEATURES,
			.thread_features = THREAD_FEATURES,
			.max_hz = 850000000 },
		265, 850,
		"Mali-G710 MP10 with the cores and the clock of a Dimensity 9000 "
		"(wikipedia.org, MediaTek)" },
};

const int mali_machine_count = (int)ARRAY_LEN(mali_machines);

struct phase {
	struct mali_load load;
	uint64_t mhz, cycles; /* cycles in phase_ns */
	struct q32 rate[MALI_MAX_BLOCKS][MALI_MAX_WORDS];	/* per clock */
	struct q32 before[MALI_MAX_BLOCKS][MALI_MAX_WORDS];	/* in this round, up to the start */
	uint64_t cycles_before;
};

struct mali_gpu {
	int sharers;			/* besides the first user */
	struct mali_layout layout;
	struct phase *phases;
	int n_phases;
	int64_t phase_ns;
	struct q32 round[MALI_MAX_BLOCKS][MALI_MAX_WORDS];	/* of all phases */
	uint64_t round_cycles;
};

const struct mali_machine *mali_machine_by_name(const char *name)
{
	for (int i = 0; i < mali_machine_count; i++)
		if (spec_is_of(name, mali_machines[i].name))
			return &mali_machines[i];
	return NULL;
}

/* --- rates --- */

/* Says where the words of one block of a phase go. */
struct target {
	struct phase *p;
	const struct mali_product *product;
	enum mali_block block;
	int index;
};

/* Sets a rate. Products that do not have the counter leave it out. */
static void set(const struct target *t, const char *name, double per_clock)
{
	int word = mali_word(t->product, t->block, name);

	if (word >= 0)
		t->p->rate[mali_sums_row(t->block, t->index)][word] = q32_from_double(per_clock);
}

/* Counters may be a fixed share of something. The last part has no name. */
struct part {
	const char *name;
	double share;
};

static void set_parts(const struct target *t, const struct part *parts, double whole)
{
	for (; parts->name; parts++)
		set(t, parts->name, whole * parts->share);
}

static void set_slot(
	const struct target *t, const char *const names[8], double active, double tasks)
{
	static const double share[] = { 0, 0, 1, 0.04, 0.06, 0.03, 0.08, 0.02 };

	set(t, names[0], tasks / 64);
	set(t, names[1], tasks);
	for (int i = 2; i < 8; i++)
		set(t, names[i], active * share[i]);
}

/* Command streams have a queue for each kind of work; what is no compute is vertices and tiles. */
static void command_streams(const struct target *t)
{
	static const struct part of_active[] = {
		{ "GPU_ITER_ACTIVE", 1 },
		{ "MCU_ACTIVE", 0.03 },
		{ "CEU_ACTIVE", 0.02 },
		{ "LSU_ACTIVE", 0.01 },
		{ "GPU_IRQ_ACTIVE", 0.01 },
		{ "GPU_IRQ_COUNT", 1e-6 },
		{ "CSHWIF0_ENABLED", 1 },
		{ "CSHWIF0_WAIT_BLOCKED", 0.4 },
		{ NULL, 0 },
	};
	static const struct part of_fragments[] = {
		{ "ITER_FRAG_ACTIVE", 1 },
		{ "ITER_FRAG_IRQ_ACTIVE", 0.01 },
		{ NULL, 0 },
	};
	static const struct part of_vertices[] = {
		{ "ITER_TILER_ACTIVE", 1 },
		{ "ITER_TILER_IDVS_TASK_COMPLETED", 1 / 4096.0 },
		{ "ITER_TILER_JOB_COMPLETED", 1e-6 },
		{ NULL, 0 },
	};
	static const struct part of_compute[] = {
		{ "ITER_COMP_ACTIVE", 1 },
		{ "ITER_COMP_TASK_COMPLETED", 1 / 4096.0 },
		{ "ITER_COMP_JOB_COMPLETED", 1e-6 },
		{ NULL, 0 },
	};
	const struct mali_load *l = &t->p->load;
	double other = l->active * l->other;

	set_parts(t, of_active, l->active);
	set_parts(t, of_fragments, l->active * l->fragment);
	set(t, "ITER_FRAG_TASK_COMPLETED", l->active * l->pixels / TASK_PIXELS);
	set_parts(t, l->primitives > 0 ? of_vertices : of_compute, other);
}

static void job_manager(const struct target *t)
{
	static const char *const slot0[] = { "JS0_JOBS", "JS0_TASKS", "JS0_ACTIVE",
		"JS0_WAIT_FLUSH", "JS0_WAIT_READ", "JS0_WAIT_ISSUE", "JS0_WAIT_DEPEND",
		"JS0_WAIT_FINISH" };
	static const char *const slot1[] = { "JS1_JOBS", "JS1_TASKS", "JS1_ACTIVE",
		"JS1_WAIT_FLUSH", "JS1_WAIT_READ", "JS1_WAIT_ISSUE", "JS1_WAIT_DEPEND",
		"JS1_WAIT_FINISH" };
	const struct mali_load *l = &t->p->load;

	set(t, "GPU_ACTIVE", l->active);
	set(t, "IRQ_ACTIVE", l->active * 0.01);
	set_slot(t, slot0, l->active * l->fragment, l->active * l->pixels / TASK_PIXELS);
	set_slot(t, slot1, l->active * l->other, l->active * l->other / 4096);
	set(t, "CACHE_FLUSH", l->active / 1000000);
	command_streams(t);
}

/* Holds what is culled at each stage, and what is left. */
struct funnel {
	double input, facing, frustum, coverage, visible;
};

static struct funnel funnel_of(const struct mali_load *l)
{
	struct funnel f = { .input = l->active * l->primitives };

	f.facing = f.input * l->facing;
	f.frustum = (f.input - f.facing) * l->frustum;
	f.coverage = (f.input - f.facing - f.frustum) * l->coverage;
	f.visible = f.input - f.facing - f.frustum - f.coverage;
	return f;
}

static void tiler(const struct target *t)
{
	static const struct part of_active[] = {
		{ "TILER_ACTIVE", 1 },
		{ "IDVS_POS_SHAD_STALL", 0.05 },
		{ "IDVS_POS_FIFO_FULL", 0.1 },
		{ "IDVS_VAR_SHAD_STALL", 0.02 },
		{ "VFETCH_STALL", 0.04 },
		{ NULL, 0 },
	};
	static const struct part of_input[] = {
		{ "TRIANGLES", 0.98 },
		{ "LINES", 0.015 },
		{ "POINTS", 0.005 },
		{ "BUS_READ", 3 },
		{ "IDVS_POS_SHAD_REQ", 0.3 },
		{ "VCACHE_HIT", 1.8 },
		{ "VCACHE_MISS", 0.6 },
		{ NULL, 0 },
	};
	static const struct part of_visible[] = {
		{ "PRIM_VISIBLE", 1 },
		{ "FRONT_FACING", 0.9 },
		{ "BACK_FACING", 0.08 },
		{ "BUS_WRITE", 2 },
		{ "IDVS_VBU_HIT", 1.6 },
		{ "IDVS_VBU_MISS", 0.4 },
		{ "IDVS_VAR_SHAD_REQ", 0.25 },
		{ NULL, 0 },
	};
	const struct mali_load *l = &t->p->load;
	struct funnel f = funnel_of(l);
	const struct part culled[] = {
		{ "PRIM_CULLED", f.facing },
		{ "PRIM_CLIPPED", f.frustum },
		{ "PRIM_SAT_CULLED", f.coverage },
		{ NULL, 0 },
	};

	set_parts(t, of_active, l->active * l->tiler);
	set_parts(t, of_input, f.input);
	set_parts(t, culled, 1);
	set_parts(t, of_visible, f.visible);
}

/* Sets the counters of a histogram; percent holds their shares of all. */
static void set_histogram(
	const struct target *t, const char *const *names, int n, const uint8_t *percent, double all)
{
	for (int i = 0; i < n; i++)
		set(t, names[i], all * percent[i] / 100);
}

/* The fuller the bus, or the memory behind it, the more often a request is not taken. */
static double stall_of(double bus, double memory)
{
	double use = fmax(bus, memory);

	return bus > 0 ? use * use : 0;
}

static void l2_bus(const struct target *t, double reads, double writes)
{
	static const struct part of_reads[] = {
		{ "L2_EXT_READ", 1 },
		{ "L2_EXT_READ_NOSNP", 0.9 },
		{ "L2_EXT_READ_UNIQUE", 0.02 },
		{ NULL, 0 },
	};
	static const struct part of_writes[] = {
		{ "L2_EXT_WRITE", 1 },
		{ "L2_EXT_WRITE_NOSNP_FULL", 0.7 },
		{ "L2_EXT_WRITE_NOSNP_PTL", 0.2 },
		{ "L2_EXT_WRITE_SNP_FULL", 0.08 },
		{ "L2_EXT_WRITE_SNP_PTL", 0.02 },
		{ NULL, 0 },
	};
	static const char *const latency[] = { "L2_EXT_RRESP_0_127", "L2_EXT_RRESP_128_191",
		"L2_EXT_RRESP_192_255", "L2_EXT_RRESP_256_319", "L2_EXT_RRESP_320_383" };
	static const char *const read_q[] = { "L2_EXT_AR_CNT_Q1", "L2_EXT_AR_CNT_Q2",
		"L2_EXT_AR_CNT_Q3" };
	static const char *const write_q[] = { "L2_EXT_AW_CNT_Q1", "L2_EXT_AW_CNT_Q2",
		"L2_EXT_AW_CNT_Q3" };
	const struct mali_load *l = &t->p->load;

	set_parts(t, of_reads, reads);
	set(t, "L2_EXT_READ_BEATS", l->active * l->read);
	set(t, "L2_EXT_AR_STALL", l->active * stall_of(l->read, l->memory) * 0.5);
	set_histogram(t, read_q, 3, l->reads, reads);
	set_histogram(t, latency, 5, l->latency, l->active * l->read);
	set_parts(t, of_writes, writes);
	set(t, "L2_EXT_WRITE_BEATS", l->active * l->write);
	set(t, "L2_EXT_W_STALL", l->active * stall_of(l->write, l->memory) * 0.4);
	set_histogram(t, write_q, 3, l->writes, writes);
}

static void l2_slice(const struct target *t)
{
	static const struct part of_reads[] = {
		{ "L2_RD_MSG_IN", 1 },
		{ "L2_RD_MSG_IN_STALL", 0.1 },
		{ "L2_SNP_MSG_IN", 0.05 },
		{ "L2_RD_MSG_OUT", 0.3 },
		{ "L2_READ_LOOKUP", 0.95 },
		{ "L2_EXT_SNOOP_LOOKUP", 0.02 },
		{ NULL, 0 },
	};
	static const struct part of_writes[] = {
		{ "L2_WR_MSG_IN", 1 },
		{ "L2_WR_MSG_IN_STALL", 0.15 },
		{ "L2_WR_MSG_OUT", 0.2 },
		{ "L2_WRITE_LOOKUP", 0.97 },
		{ NULL, 0 },
	};
	static const struct part of_translations[] = {
		{ "MMU_REQUESTS", 0.2 },
		{ "MMU_TABLE_READS_L3", 0.004 },
		{ "MMU_TABLE_READS_L2", 0.001 },
		{ "MMU_HIT_L3", 0.03 },
		{ "MMU_HIT_L2", 0.003 },
		{ NULL, 0 },
	};
	const struct mali_load *l = &t->p->load;
	double reads = l->active * l->read / BEATS_PER_TRANSACTION, read_in = 0;
	double writes = l->active * l->write / BEATS_PER_TRANSACTION, write_in = 0;

	if (l->read_miss > 0)
		read_in = reads / l->read_miss;
	if (l->write_miss > 0)
		write_in = writes / l->write_miss;
	l2_bus(t, reads, writes);
	set_parts(t, of_reads, read_in);
	set_parts(t, of_writes, write_in);
	set(t, "L2_ANY_LOOKUP", read_in * 0.97 + write_in * 0.97 + l->active * l->snoops);
	if (t->index == 0)	/* the MMU is counted in the first slice alone */
		set_parts(t, of_translations, read_in);
}

static void fragments(const struct target *t, double weight, int cores)
{
	static const struct part of_primitives[] = {
		{ "FRAG_PRIMITIVES", 1.5 },
		{ "FRAG_PRIMITIVES_OUT", 1.5 },
		{ "FRAG_PRIM_RAST", 1.2 },
		{ "BEATS_RD_FTC", 6 },
		{ "BEATS_RD_FTC_EXT", 3 },
		{ NULL, 0 },
	};
	const struct mali_load *l = &t->p->load;
	double clocks = l->active * weight, quads = clocks * l->pixels / QUAD / cores * l->overdraw,
	       tested = quads * 0.95;
	double warps = quads * (1 - l->early_killed - l->hidden) * QUAD / t->product->warp_threads;
	double tile_pixels = t->product->words >= MALI_WORDS_G710 ? 1024 : 256;
	double tiles = clocks * l->pixels / tile_pixels / cores,
	       visible = funnel_of(l).visible / cores * weight;
	const struct part of_fragments[] = {
		{ "FRAG_ACTIVE", clocks * l->fragment * BETWEEN_TASKS },
		{ "FRAG_FPK_ACTIVE", clocks * l->fragment * BETWEEN_TASKS * 0.9 },
		{ "FRAG_QUADS_RAST", quads },
		{ "FRAG_QUADS_EZS_TEST", tested },
		{ "FRAG_QUADS_EZS_UPDATE", tested * 0.6 },
		{ "FRAG_QUADS_EZS_KILL", quads * l->early_killed },
		{ "QUAD_FPK_KILLER", quads * (1 - l->early_killed) * (1 - l->transparent) },
		{ "FRAG_WARPS", warps },
		{ "FRAG_PARTIAL_WARPS", warps * l->partial },
		{ "FRAG_PARTIAL_QUADS_RAST", quads * l->partial },
		{ "FULL_QUAD_WARPS", warps * (1 - l->partial) },
		{ "WARP_REG_SIZE_64", warps * 0.3 },
		{ "FRAG_LZS_TEST", quads * 0.2 },
		{ "FRAG_LZS_KILL", quads * l->late_killed },
		{ "FRAG_PTILES", tiles },
		/* in pieces of 16 by 16 pixels, however large a tile is */
		{ "FRAG_TRANS_ELIM", tiles * l->unchanged * tile_pixels / 256 },
		{ "BEATS_WR_TIB", tiles * (1 - l->unchanged) * tile_pixels * 4 / 16 },
		{ NULL, 0 },
	};

	set_parts(t, of_primitives, visible);
	set_parts(t, of_fragments, 1);
}

static void texture(const struct target *t, double issues)
{
	static const struct part of_instrs[] = {
		{ "TEX_INSTR", 1 },
		{ "TEX_INSTR_MIPMAP", 0.7 },
		{ "TEX_INSTR_COMPRESSED", 0.6 },
		{ "TEX_INSTR_3D", 0.02 },
		{ "TEX_INSTR_TRILINEAR", 0.25 },
		{ NULL, 0 },
	};
	static const struct part of_issues[] = {
		{ "TEX_COORD_ISSUE", 1 },
		{ "TEX_COORD_STALL", 0.1 },
		{ "TEX_STARVE_CACHE", 0.12 },
		{ "TEX_STARVE_FILTER", 0.03 },
		{ "TEX_TFCH_NUM_LINES_FETCHED", 0.4 },
		{ "TEX_TFCH_NUM_LINES_FETCHED_BLOCK_COMPRESSED", 0.24 },
		{ "TEX_TFCH_NUM_OPERATIONS", 0.5 },
		{ "TEX_FILT_NUM_OPERATIONS", 1 },
		{ "TEX_FILT_NUM_FXR_OPERATIONS", 0.8 },
		{ "TEX_FILT_NUM_FST_OPERATIONS", 0.1 },
		{ "TEX_DFCH_CLK_STALLED", 0.03 },
		{ "TEX_TFCH_CLK_STALLED", 0.1 },
		{ "TEX_TFCH_STARVED_PENDING_DATA_FETCH", 0.12 },
		{ "TEX_MSGI_NUM_FLITS", 0.5 },
		{ "TEX_MSGO_NUM_MSG", 0.2 },
		{ "TEX_MSGO_NUM_FLITS", 0.4 },
		{ "BEATS_RD_TEX", 0.3 },
		{ "BEATS_RD_TEX_EXT", 0.12 },
		{ NULL, 0 },
	};
	static const struct part of_quads[] = {
		{ "TEX_MSGI_NUM_QUADS", 1 },
		{ "TEX_DFCH_NUM_PASSES", 1.2 },
		{ "TEX_DFCH_NUM_PASSES_MISS", 0.05 },
		{ "TEX_DFCH_NUM_PASSES_MIP_MAP", 0.8 },
		{ "TEX_TIDX_NUM_SPLIT_MIP_MAP", 0.25 },
		{ NULL, 0 },
	};
	double instrs = issues / 1.3;

	set_parts(t, of_instrs, instrs);
	set_parts(t, of_issues, issues);
	set_parts(t, of_quads, instrs / QUAD);
}

static void load_store(const struct target *t, double issues)
{
	static const struct part of_issues[] = {
		{ "LS_MEM_READ_FULL", 0.45 },
		{ "LS_MEM_READ_SHORT", 0.15 },
		{ "LS_MEM_WRITE_FULL", 0.25 },
		{ "LS_MEM_WRITE_SHORT", 0.1 },
		{ "LS_MEM_ATOMIC", 0.05 },
		{ "BEATS_RD_LSC", 0.35 },
		{ "BEATS_RD_LSC_EXT", 0.1 },
		{ "BEATS_WR_LSC", 0.18 },
		{ "BEATS_WR_LSC_WB", 0.12 },
		{ "BEATS_WR_LSC_OTHER", 0.06 },
		{ "BEATS_WR_OTHER", 0.01 },
		{ "BEATS_RD_OTHER", 0.02 },
		{ NULL, 0 },
	};
	set_parts(t, of_issues, issues);
}

static void shader_core(const struct target *t, double weight, int cores)
{
	static const struct part of_other[] = {
		{ "COMPUTE_ACTIVE", 0.8 },
		{ "COMPUTE_TASKS", 0.002 },
		{ "COMPUTE_WARPS", 0.04 },
		{ "COMPUTE_STARVING", 0.05 },
		{ NULL, 0 },
	};
	static const struct part of_exec[] = {
		{ "EXEC_CORE_ACTIVE", 1 },
		{ "EXEC_ACTIVE", 0.9 },
		{ "SHADER_CORE_ACTIVE", 1 },
		{ "EXEC_ICACHE_MISS", 0.001 },
		{ "ATTR_INSTR", 0.01 },
		{ NULL, 0 },
	};
	static const struct part of_instrs[] = {
		{ "EXEC_INSTR_COUNT", 1 },
		{ "EXEC_INSTR_FMA", FMA_SHARE },	/* one issue is for one of these three */
		{ "EXEC_INSTR_CVT", 0.4 },
		{ "EXEC_INSTR_SFU", 0.05 },
		{ "ARITH_INSTR_SINGLE_FMA", 0.35 },
		{ "ARITH_INSTR_DOUBLE", 0.4 },
		{ "ARITH_INSTR_MSG", 0.1 },
		{ "ARITH_INSTR_MSG_ONLY", 0.12 },
		{ "ARITH_INSTR_FP_MUL", 0.5 },
		{ NULL, 0 },
	};
	static const struct part of_varying[] = {
		{ "VARY_INSTR", 0.7 },
		{ "VARY_SLOT_32", 0.4 },
		{ "VARY_SLOT_16", 0.6 },
		{ NULL, 0 },
	};
	const struct mali_load *l = &t->p->load;
	/* units that issue beside each other: the fullest is the pipe */
	bool issue_apart = t->product->words == MALI_WORDS_G77 ||
		t->product->words == MALI_WORDS_G78;
	/* two pipes for multiply-adds beside each other */
	double pipes = t->product->words == MALI_WORDS_G715 || t->product->words == MALI_WORDS_G720
		? 2 : 1;
	double exec = l->active * l->exec * weight, instrs = exec * l->arithmetic * pipes,
	       other = l->active * l->other * weight, slots = 1;

	fragments(t, weight, cores);
	texture(t, exec * l->texture);
	load_store(t, exec * l->load_store);
	set_parts(t, of_other, other);
	set_parts(t, of_exec, exec);
	set_parts(t, of_instrs, issue_apart ? instrs / FMA_SHARE : instrs);
	set(t, "EXEC_INSTR_DIVERGED", instrs * l->diverged);
	set(t, "EXEC_INSTR_STARVING", exec * (1 - l->arithmetic) * 0.5);
	set(t, "EXEC_STARVE_ARITH", exec * (1 - l->arithmetic) * 0.5);
	if (t->product->words >= MALI_WORDS_G715)
		slots = VARYING_SLOTS_G715;
	else if (t->product->words >= MALI_WORDS_G710)
		slots = VARYING_SLOTS_G710;
	set_parts(t, of_varying, exec * l->varying * slots);
}

/* Returns the weight of a core. The higher its number, the less it does; on average the cores do
 * what the load says. */
static double weight_of(const struct mali_load *l, int core, int cores)
{
	if (cores == 1)
		return 1;
	return (1 - l->imbalance / (cores - 1) * core) / (1 - l->imbalance / 2);
}

static void fill_rates(const struct mali_layout *l, struct phase *p)
{
	struct target t = { .p = p, .product = l->product };
	int cores = __builtin_popcountll(l->shader_present), nth = 0;

	job_manager(&t);
	t.block = MALI_TI;
	tiler(&t);
	t.block = MALI_L2;
	for (t.index = 0; t.index < l->slices; t.index++)
		l2_slice(&t);
	t.block = MALI_SC;
	for (t.index = 0; t.index < l->core_slots; t.index++)
		if (l->shader_present >> t.index & 1) {
			shader_core(&t, weight_of(&p->load, nth, cores), cores);
			nth++;
		}
}

/* --- time --- */

static void add_phase(
	struct mali_gpu *g, const struct mali_machine *m, const struct mali_load *load)
{
	struct phase *p = &g->phases[g->n_phases++];

	p->load = *load;
	p->mhz = (uint64_t)(load->clock * m->max_mhz);
	if (p->mhz < m->min_mhz)
		p->mhz = m->min_mhz;
	p->cycles = p->mhz * (uint64_t)(g->phase_ns / 1000);
	p->cycles_before = g->round_cycles;
	fill_rates(&g->layout, p);
	memcpy(p->before, g->round, sizeof(p->before));
	for (int b = 0; b < MALI_MAX_BLOCKS; b++)
		for (int w = 0; w < g->layout.words; w++)
			g->round[b][w] = q32_add(g->round[b][w], p->rate[b][w], p->cycles);
	g->round_cycles += p->cycles;
}

static bool unknown_load(const char *load, struct err *err)
{
	struct strbuf names = { 0 };

	for (int i = 0; i < mali_load_count; i++)
		strbuf_addf(&names, ", %s", mali_load_nth(i).name);
	err_set(err, ERR_USAGE, "the simulated Mali GPU has no load '%s'", load);
	err_hint(err, "known are tour%s", strbuf_str(&names));
	strbuf_release(&names);
	return false;
}

static bool add_load(
	struct mali_gpu *g, const struct mali_machine *m, const char *load, struct err *err)
{
	bool all = !strcmp(load, "tour");
	int before = g->n_phases;

	for (int i = 0; i < mali_load_count; i++) {
		struct mali_load l = mali_load_nth(i);
		bool is_meant = !strcmp(l.name, load);

		if (all)
			is_meant = i < mali_tour_count;
		if (is_meant)
			add_phase(g, m, &l);
	}
	return g->n_phases > before || unknown_load(load, err);
}

struct mali_gpu *mali_gpu_new(const struct mali_machine *m, const char *load, struct err *err)
{
	struct mali_gpu *g = xcalloc(1, sizeof(*g));
	struct load_turns turns;
	bool good = load_turns_parse(load, TOUR_NS, &turns, err) &&
		mali_layout_init(&g->layout, &m->id, err);

	g->phase_ns = turns.each_ns;
	g->phases = xcalloc((size_t)(mali_load_count * turns.n + 1), sizeof(*g->phases));
	for (int i = 0; good && i < turns.n; i++)
		good = add_load(g, m, turns.names[i], err);
	if (good)
		return g;
	mali_gpu_free(g);
	return NULL;
}

struct mali_gpu *mali_gpu_share(struct mali_gpu *g)
{
	g->sharers++;
	return g;
}

void mali_gpu_free(struct mali_gpu *g)
{
	if (!g || g->sharers-- > 0)
		return;
	free(g->phases);
	free(g);
}

const struct mali_layout *mali_gpu_layout(const struct mali_gpu *g)
{
	return &g->layout;
}

static const struct phase *phase_at(const struct mali_gpu *g, int64_t t_ns)
{
	return &g->phases[t_ns / g->phase_ns % g->n_phases];
}

void mali_gpu_totals(const struct mali_gpu *g, int64_t t_ns, struct mali_sums *out)
{
	const struct phase *p = phase_at(g, t_ns);
	uint64_t rounds = (uint64_t)(t_ns / (g->phase_ns * g->n_phases)),
		 cycles = (uint64_t)(t_ns % g->phase_ns) * p->mhz / 1000;

	for (int b = 0; b < MALI_MAX_BLOCKS; b++)
		for (int w = 0; w < g->layout.words; w++) {
			struct q32 v = q32_add(p->before[b][w], g->round[b][w], rounds);

			out->words[b][w] = q32_add(v, p->rate[b][w], cycles).whole;
		}
	out->cycles = g->round_cycles * rounds + p->cycles_before + cycles;
}

void mali_gpu_dump(const struct mali_gpu *g, const struct mali_sums *before,
	const struct mali_sums *now, int64_t t_ns, void *dump)
{
	const struct mali_layout *l = &g->layout;
	const int blocks[] = { [MALI_JM] = 1, [MALI_TI] = 1, [MALI_L2] = l->slices,
		[MALI_SC] = l->core_slots };
	uint8_t *at = dump;

	for (enum mali_block block = MALI_JM; block <= MALI_SC; block++) {
		for (int i = 0; i < blocks[block]; i++) {
			bool is_absent = block == MALI_SC && !(l->shader_present >> i & 1);
			int row = mali_sums_row(block, i);
			uint32_t words[MALI_BLOCK_WORDS];

			for (int w = 0; w < MALI_BLOCK_WORDS; w++)
				words[w] = (uint32_t)(now->words[row][w] - before->words[row][w]);
			words[0] = (uint32_t)t_ns;
			words[1] = (uint32_t)(t_ns >> 32);
			words[MASK_WORD] = UINT32_MAX;
			for (int w = 0; w < MALI_BLOCK_WORDS && is_absent; w++)
				words[w] = NOISE;
			memcpy(at, words, sizeof(words));
			at += sizeof(words);
		}
	}
}

void mali_gpu_sample(const struct mali_gpu *g, const struct mali_sums *before,
	const struct mali_sums *now, struct mali_sums *sums)
{
	const struct mali_layout *l = &g->layout;
	const int blocks[] = { [MALI_JM] = 1, [MALI_TI] = 1, [MALI_L2] = l->slices,
		[MALI_SC] = l->core_slots };
	uint64_t values[MALI_MAX_WORDS];

	for (enum mali_block block = MALI_JM; block <= MALI_SC; block++)
		for (int i = 0; i < blocks[block]; i++) {
			int row = mali_sums_row(block, i);

			for (int w = 0; w < l->words; w++)
				values[w] = (now->words[row][w] >> l->shift[block][w]) -
					(before->words[row][w] >> l->shift[block][w]);
			mali_sums_add64(sums, l, block, i, values, l->words);
		}
}

uint64_t mali_gpu_clock_hz(const struct mali_gpu *g, int64_t t_ns)
{
	return phase_at(g, t_ns)->mhz * 1000000;
}

const struct mali_load *mali_gpu_load(const struct mali_gpu *g, int64_t t_ns)
{
	return &phase_at(g, t_ns)->load;
}
