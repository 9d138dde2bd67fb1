/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model of EUs, memory and power: what must hold for every launch, and what structure alone
 * decides. */
#include "config.h"

#include <stdlib.h>

#include "backends/sim/model/kernel.h"
#include "backends/sim/model/power.h"
#include "base/mem.h"
#include "tests/tap.h"

#define HZ 1050e6

static const struct eu_config hd620 = {
	.subslices = 3,
	.eus_per_subslice = 8,
	.threads_per_eu = 7,
	.lanes = 4,
	.dual = true,
	.dp_lanes = 2,
	.simd = 32,
	.min_cycles = 2,
	.memory = { .l3_bytes_per_cycle_subslice = 64,
		.slm_bytes_per_cycle_subslice = 64,
		.gti_read_bytes_per_cycle = 64,
		.gti_write_bytes_per_cycle = 32,
		.dram_bytes_per_s = 34.1e9,
		.l3_latency_cycles = 200,
		.dram_latency_ns = 150 },
};
static const struct eu_config tgl = {
	.subslices = 6,
	.eus_per_subslice = 16,
	.threads_per_eu = 7,
	.lanes = 8,
	.dual = false,
	.dp_lanes = 0,
	.simd = 16,
	.min_cycles = 1,
	.memory = { .l3_bytes_per_cycle_subslice = 64,
		.slm_bytes_per_cycle_subslice = 64,
		.gti_read_bytes_per_cycle = 64,
		.gti_write_bytes_per_cycle = 64,
		.dram_bytes_per_s = 68.3e9,
		.l3_latency_cycles = 200,
		.dram_latency_ns = 150 },
};

static double position(const struct phase *p, int i, enum eu_event first, int n)
{
	double sum = 0;

	for (int e = 0; e < n; e++)
		sum += p->eu[i][first + e];
	return sum;
}

/* False when a phase has an EU position that does the impossible. */
static bool possible(const struct eu_config *c, const struct phase *p)
{
	double slack = 1e-6 * p->cycles;
	double eus = (double)c->subslices * c->eus_per_subslice / EU_POSITIONS;
	bool good = p->cycles > 0;

	for (int i = 0; i < EU_POSITIONS; i++) {
		double f0 = position(p, i, EU_FPU0, EU_TYPES),
		       f1 = position(p, i, EU_FPU1, EU_TYPES);
		const double *ev = p->eu[i];

		good = good && f0 + f1 - ev[EU_BOTH] <= ev[EU_ACTIVE] + slack &&
			ev[EU_BOTH] <= fmin(f0, f1) + slack &&
			ev[EU_ACTIVE] <= ev[EU_LOADED] + slack &&
			ev[EU_LOADED] <= eus * p->cycles + slack &&
			ev[EU_THREADS] <= c->threads_per_eu * ev[EU_LOADED] + slack &&
			ev[EU_SEND] <= ev[EU_ACTIVE] + slack;
	}
	return good;
}

static double total(const struct phase_list *l, enum gpu_count what)
{
	double sum = 0;

	for (int i = 0; i < l->n; i++)
		sum += l->phases[i].gpu[what];
	return sum;
}

static double total_eu(const struct phase_list *l, enum eu_event first, int n)
{
	double sum = 0;

	for (int i = 0; i < l->n; i++)
		for (int e = 0; e < EU_POSITIONS; e++)
			sum += position(&l->phases[i], e, first, n);
	return sum;
}

/* Everything that the sections say must be done is done, however the launch is cut into phases. */
static bool work_is_done(const struct eu_config *c, const struct kernel *k, int groups, int items,
	const struct phase_list *l)
{
	double threads = (double)groups * ((items + k->simd - 1) / k->simd);
	double fpu = 0, lines = 0, starts = 0;

	(void)c;
	for (int i = 0; i < k->n_sections; i++) {
		const struct kernel_section *s = &k->sections[i];

		for (int t = 0; t < EU_TYPES; t++)
			fpu += s->trips * (s->either[t] + s->fpu0_only[t] + s->fpu1_only[t]);
		lines += s->trips * s->lines;
		starts += s->trips * s->sends;
	}
	return fabs(total(l, GPU_THREADS) - threads) < 1e-6 * threads
		&& fabs(total(l, GPU_LINES) - threads * lines) <= 1e-6 * threads * lines
		&& fabs(total_eu(l, EU_SEND_START, 1) - threads * starts) <= 1e-6 * threads * starts
		&& fabs(total_eu(l, EU_FPU0, 2 * EU_TYPES) - threads * fpu) <= 1e-6 * threads * fpu;
}

static void every_launch(const char *gpu, const struct eu_config *c)
{
	static const char *const forms[] = { "single.mad", "loop.add", "unroll.mul", "private.mad",
		"private.div", "power.sub", "copy", "stream" };
	static const int sizes[][2] = { { 1, 1 }, { 1, 33 }, { 2, 256 }, { 3, 100 }, { 7, 256 },
		{ 23, 256 }, { 100, 48 }, { 631, 256 } };
	struct phase_list *l = calloc(1, sizeof(*l));
	int launches = 0, impossible = 0, undone = 0, refused = 0;
	char name[48];
	struct kernel k;
	struct err err;

	for (size_t f = 0; f < ARRAY_LEN(forms); f++)
		for (int w = 1; w <= 16; w *= 2)
			for (size_t i = 0; i < 2 * ARRAY_LEN(sizes); i++) {
				int groups = sizes[i / 2][0], items = sizes[i / 2][1];

				snprintf(name, sizeof(name), "%s.%s.x%d", forms[f],
					i % 2 ? "dp" : "sp", w);
				l->n = 0;
				if (!kernel_make(c, HZ, name, 100, &k, &err)) {
					refused++;
					continue;
				}
				launches++;
				if (!eu_launch(c, HZ, &k, groups, items, l, &err)) {
					impossible++;
					diag("%s: %s", name, err.msg);
					continue;
				}
				for (int p = 0; p < l->n; p++)
					impossible += !possible(c, &l->phases[p]);
				if (!work_is_done(c, &k, groups, items, l)) {
					undone++;
					diag("%s, %d x %d: work lost or made up", name, groups,
						items);
				}
			}
	ok(launches > 300, "%s: %d launches tried", gpu, launches);
	is_int(impossible, 0, "%s: no phase does the impossible", gpu);
	is_int(undone, 0, "%s: every launch does exactly its work", gpu);
	is_int(refused, c->dp_lanes > 0 ? 0 : 6 * 5 * (int)ARRAY_LEN(sizes),
		"%s: arithmetic in missing precisions is refused", gpu);
	free(l);
}

static double cycles_of(const char *name, int groups)
{
	struct phase_list *l = calloc(1, sizeof(*l));
	struct kernel k;
	struct err err = { 0 };
	double cycles;

	if (!kernel_make(&hd620, HZ, name, 8192, &k, &err) ||
		!eu_launch(&hd620, HZ, &k, groups, 256, l, &err))
		printf("Bail out! %s: %s\n", name, err.msg);
	cycles = phase_list_cycles(l);
	free(l);
	return cycles;
}

/* Nothing but residency and dealing decides these. */
static void structure(void)
{
	double one = cycles_of("private.mad.sp.x16", 1), lone = cycles_of("private.mad.sp.x4", 1);

	is_near(cycles_of("private.mad.sp.x16", 3) / one, 1, 0.005,
		"one group on each subslice takes as long as one group");
	is_near(cycles_of("private.mad.sp.x16", 4) / one, 2, 0.02,
		"the fourth waits for an EU that is full");
	is_near(one / lone, 2, 0.06,
		"four times the work with two threads for one takes twice as long: a lone thread keeps one FPU busy");
	is_near(cycles_of("private.mad.sp.x4", 4) / lone, 1, 0.01,
		"so that a second one costs nothing");
	is_near(cycles_of("private.mad.sp.x1", 4) / cycles_of("private.mad.sp.x1", 3), 1, 0.01,
		"but not where threads wait for their own results");
	ok(cycles_of("private.mad.sp.x1", 22) > 1.2 * cycles_of("private.mad.sp.x1", 21),
		"the eighth group of a subslice waits for a place");
	is_near(cycles_of("copy.sp.x4", 63) / cycles_of("copy.sp.x4", 21), 3, 0.05,
		"copies are bound by the data port");
	is_near(cycles_of("stream.sp.x4", 21), 21.0 * 256 * 8192 * 32 / (34.1e9 * 0.85) * HZ,
		cycles_of("stream.sp.x4", 21) * 0.01, "streams are bound by the DRAM");
}

/* What the definitions of the kernels say: one turn of slm.read loads an element, one of slm.swap stores
 * one and loads its neighbour's. */
static void local_memory(void)
{
	static const struct {
		const char *name;
		int bytes_of_turn;
	} rows[] = {
		{ "slm.read.sp.x1", 4 }, { "slm.read.sp.x4", 16 }, { "slm.read.dp.x2", 16 },
		{ "slm.read.sp.x16", 64 }, { "slm.swap.sp.x1", 8 }, { "slm.swap.sp.x4", 32 },
		{ "slm.swap.dp.x2", 32 },
	};
	struct phase_list *l = calloc(1, sizeof(*l));
	struct kernel k;
	struct err err = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		l->n = 0;
		if (!ok(kernel_make(&hd620, HZ, rows[i].name, 100, &k, &err) &&
				eu_launch(&hd620, HZ, &k, 6, 256, l, &err),
			    "%s", rows[i].name)) {
			diag("%s", err.msg);
			continue;
		}
		is_near(total(l, GPU_SLM_READS) * MEMORY_LINE_BYTES,
			6.0 * 256 * 100 * rows[i].bytes_of_turn, 1, "its bytes of local memory");
		double seen = 0;
		for (int p = 0; p < l->n; p++)
			for (int ss = 0; ss < hd620.subslices; ss++)
				seen += l->phases[p].ss[ss][SS_SLM_LINES];
		is_near(seen, total(l, GPU_SLM_READS), 1, "  ... are those of the subslices");
	}
	free(l);
}

static void shapes(void)
{
	static const struct {
		int simd, elements, bytes, messages, lines;
	} rows[] = {
		{ 16, 1, 4, 1, 1 },
		{ 32, 1, 4, 2, 2 },
		{ 32, 4, 4, 2, 8 },
		{ 16, 8, 4, 2, 16 },
		{ 16, 16, 4, 4, 64 },
		{ 16, 1, 8, 1, 2 },
		{ 8, 16, 8, 8, 64 },
		{ 8, 1, 4, 1, 1 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct memory_access a = memory_access_shape(
			rows[i].simd, rows[i].elements, rows[i].bytes);

		is_int(a.messages, rows[i].messages, "SIMD%d, %d x %d bytes: messages",
			rows[i].simd, rows[i].elements, rows[i].bytes);
		is_int(a.lines, rows[i].lines, "SIMD%d, %d x %d bytes: lines", rows[i].simd,
			rows[i].elements, rows[i].bytes);
	}
}

/* What Intel's compiler chooses for the thesis' algorithms 6 to 8 (ocloc 22.43, -device kbl): asked for
 * each type, not derived. */
static void widths(void)
{
	static const struct {
		const char *name;
		int simd;
	} rows[] = {
		{ "private.mad.sp.x1", 32 },
		{ "private.mad.sp.x2", 32 },
		{ "private.mad.sp.x4", 32 },
		{ "power.mad.sp.x8", 32 },
		{ "power.mad.sp.x16", 16 },
		{ "private.mad.dp.x1", 32 },
		{ "private.mad.dp.x2", 32 },
		{ "power.mad.dp.x4", 32 },
		{ "power.mad.dp.x8", 16 },
		{ "power.mad.dp.x16", 8 },
		{ "copy.sp.x8", 32 },
		{ "copy.sp.x16", 32 },
		{ "copy.dp.x8", 32 },
		{ "copy.dp.x16", 16 },
	};
	struct kernel k;
	struct err err = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		ok(kernel_make(&hd620, HZ, rows[i].name, 8192, &k, &err), "%s", rows[i].name);
		is_int(k.simd, rows[i].simd, "its SIMD");
	}
}

static void names(void)
{
	static const char *const bad[] = { "", ".", "private", "private.mad", "private.mad.sp",
		"private.mad.sp.", "private.mad.sp.x3", "private.mad.sp.x32", "private.mad.sp.x01x",
		"private.pow.sp.x1", "private.mad.hp.x1", "copy.mad.sp.x1", "copy.sp.x4.x4",
		"privateprivateprivateprivateprivate.mad.sp.x1", "PRIVATE.mad.sp.x1" };
	struct kernel k;
	struct err err;

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		err_clear(&err);
		ok(!kernel_make(&hd620, HZ, bad[i], 8192, &k, &err) && err.code == ERR_USAGE &&
				err.hint[0],
			"'%s' is refused with a list", bad[i]);
	}
}

static void power(void)
{
	static const struct power_config c = { .limit_w = 15,
		.min_v = 0.65,
		.max_v = 1.05,
		.min_hz = 300e6,
		.max_hz = 1050e6,
		.gpu_static_w = 1,
		.rest_static_w = 1,
		.dram_static_w = 0.5,
		.cycle_nj = 1,
		.eu_nj = 0.03,
		.fpu_nj = 0.1,
		.line_nj = 0.5,
		.gti_nj = 1,
		.dram_nj = 5 };
	struct phase_list *l = calloc(1, sizeof(*l));
	double idle[POWER_PLANES], gated[POWER_PLANES], busy[POWER_PLANES], slow[POWER_PLANES];
	struct kernel k;
	struct err err;

	eu_pause(HZ, 1e6, false, false, l, &err);
	power_mean(&c, l, HZ, 2, idle);
	l->n = 0;
	eu_pause(HZ, 1e6, false, true, l, &err);
	power_mean(&c, l, HZ, 2, gated);
	l->n = 0;
	kernel_make(&hd620, HZ, "private.mad.sp.x4", 8192, &k, &err);
	eu_launch(&hd620, HZ, &k, 21, 256, l, &err);
	power_mean(&c, l, HZ, 2, busy);
	power_mean(&c, l, 525e6, 2, slow);
	is_near(idle[POWER_CORES], 2, 1e-9, "the cores take what they are said to take");
	ok(gated[POWER_GPU] < 0.2 * idle[POWER_GPU],
		"RC6 saves most of an idle GPU: %.2f of %.2f W", gated[POWER_GPU], idle[POWER_GPU]);
	ok(busy[POWER_GPU] > 2 * idle[POWER_GPU], "work costs: %.2f W", busy[POWER_GPU]);
	ok(slow[POWER_GPU] < 0.5 * busy[POWER_GPU],
		"half the clock takes less than half the power: %.2f W", slow[POWER_GPU]);
	is_near(busy[POWER_PACKAGE], busy[POWER_GPU] + 2 + 1, 0.2,
		"the package is the sum of its parts");
	free(l);
}

int main(void)
{
	every_launch("HD 620", &hd620);
	every_launch("Tiger Lake", &tgl);
	structure();
	local_memory();
	shapes();
	widths();
	names();
	power();
	return done_testing();
}
