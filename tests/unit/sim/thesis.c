/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The simulated HD 620 against the published measurements of a real one (H. Duarte, Performance
 * Analysis of Intel Gen9.5 Integrated GPU Architecture, 2018): what the structure of the model
 * gives, through reports, decoder and deltas. */
#include "config.h"

#include "base/mem.h"
#include "tests/unit/sim/sim_rig.h"

#define SUBSLICES 3
#define EUS 24
#define N 8192
#define WINDOW_NS (2 * NS_PER_S)
#define PERIOD_NS (5 * NS_PER_MS)
#define MANY_GROUPS 630

static const char *const counters[] = {
	"program A7 fpu0:row0:eu0",
	"program A8 fpu0",
	"program A9 fpu1",
	"program A10 fpu0::ternary",
	"program A11 fpu1::ternary",
	NULL,
};

/* A kernel and how its results are counted. SIMD width as compiled: hardware threads become work
 * items; lanes that execute it in one cycle of an EU, over both pipes. */
struct shape {
	const char *kernel;
	int simd;
	double flop, bytes;	/* of an item and iteration */
	double lanes;
};

static const struct shape mad_sp_x1 = { "private.mad.sp.x1", 32, 2, 0, 8 };
static const struct shape add_sp_x1 = { "private.add.sp.x1", 32, 1, 0, 8 };
static const struct shape mad_dp_x1 = { "private.mad.dp.x1", 32, 2, 0, 2 };
static const struct shape add_dp_x1 = { "private.add.dp.x1", 32, 1, 0, 2 };
static const struct shape mad_sp_x4 = { "private.mad.sp.x4", 32, 8, 0, 8 };
static const struct shape mad_sp_x16 = { "private.mad.sp.x16", 16, 32, 0, 8 };
static const struct shape copies[] = {
	{ "copy.sp.x1", 32, 0, 8, 0 },
	{ "copy.sp.x2", 32, 0, 16, 0 },
	{ "copy.sp.x4", 32, 0, 32, 0 },
	{ "copy.sp.x8", 32, 0, 64, 0 },
	{ "copy.sp.x16", 32, 0, 128, 0 },
};

/* One kernel's window as the thesis would see it. */
struct result {
	double gflops;		/* operations in the source text over the time between reports */
	double gbytes_per_s;
	double flop_per_cycle_eu;
	/* EU_PERF_CNT_CTL0 = 0x770: one EU position, scaled up to both pipes and all EUs */
	double by_a7;
	double busy0, busy1;	/* FPUs */
	double by_types;	/* ternary instructions of all EUs */
};

/* Work items are counted by A4: threads that the dispatcher started. */
static struct result measure(const struct shape *s, int groups, int items)
{
	char spec[128];
	struct rig r;
	struct sample out[DEVICE_MAX_SOURCES];
	struct result res;
	double iterations, ns, clk;

	snprintf(spec, sizeof(spec), "hd620,load=%s,groups=%d,items=%d,n=%d", s->kernel, groups,
		items, N);
	rig_open(&r, spec, counters, PERIOD_NS);
	rig_window(&r, WINDOW_NS, 100 * NS_PER_MS, out);
	rig_window(&r, WINDOW_NS, 100 * NS_PER_MS, out);
	iterations = rig_value(&r, out, 0, "A4") * s->simd * N;
	ns = (double)out[0].window_ns;
	clk = rig_value(&r, out, 0, "GPU_TICKS");
	res.gflops = iterations * s->flop / ns;
	res.gbytes_per_s = iterations * s->bytes / ns;
	res.flop_per_cycle_eu = iterations * s->flop / clk / EUS;
	res.by_a7 = s->lanes * (strstr(s->kernel, "mad") ? 2 : 1) * rig_value(&r, out, 0, "A7") /
		(SUBSLICES * clk);
	res.busy0 = rig_value(&r, out, 0, "A8") / clk / EUS;
	res.busy1 = rig_value(&r, out, 0, "A9") / clk / EUS;
	res.by_types = 4 * 2 * (rig_value(&r, out, 0, "A10") + rig_value(&r, out, 0, "A11")) / ns;
	rig_close(&r);
	return res;
}

/* Table of published values against the model. */
static void peaks(void)
{
	static const struct {
		const struct shape *shape;
		double gflops, flop_per_cycle;
	} rows[] = {
		{ &mad_sp_x1, 399, 15.9 }, { &add_sp_x1, 200, 7.9 }, { &mad_dp_x1, 100, 3.97 }, { &add_dp_x1, 50, 1.98 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct result res = measure(rows[i].shape, MANY_GROUPS, 256);

		is_near(res.gflops, rows[i].gflops, rows[i].gflops / 100,
			"%s reaches %.0f GFLOP/s within 1 %%", rows[i].shape->kernel,
			rows[i].gflops);
		is_near(res.flop_per_cycle_eu, rows[i].flop_per_cycle, 0.1, "%s: FLOP/cycle/EU",
			rows[i].shape->kernel);
		is_near(res.by_a7, res.flop_per_cycle_eu, 0.1 + res.flop_per_cycle_eu / 100,
			"%s: the same by A7 with 0x770", rows[i].shape->kernel);
		diag("%s: %.2f GFLOP/s, %.3f FLOP/cycle/EU, %.3f by A7, FPU0 %.1f %%, FPU1 %.1f %%",
			rows[i].shape->kernel, res.gflops, res.flop_per_cycle_eu, res.by_a7,
			100 * res.busy0, 100 * res.busy1);
	}
}

static double efficiency(int groups)
{
	int rounds = (groups + SUBSLICES - 1) / SUBSLICES;

	return (double)groups / (SUBSLICES * rounds);
}

/* GFLOP/s over work groups, relative to the best of them. first: from there on a subslice's groups
 * fill its EUs. */
static void serration(const struct shape *s, int first, int last)
{
	double gflops[64], best = 0;
	int bad = 0, no_peak = 0;

	for (int k = first; k <= last + 1; k++) {
		gflops[k] = measure(s, k, 256).gflops;
		best = fmax(best, k <= last ? gflops[k] : 0);
	}
	for (int k = first; k <= last; k++) {
		double share = gflops[k] / best / efficiency(k);

		if (fabs(share - 1) > 0.03) {
			diag("%s, %d groups: %.1f GFLOP/s, %.3f of the curve", s->kernel, k,
				gflops[k], share);
			bad++;
		}
		if (k % SUBSLICES == 0 && gflops[k] <= gflops[k + 1])
			no_peak++;
	}
	is_int(bad, 0, "%s follows k / (S * ceil(k / S)) from %d to %d groups within 3 %%",
		s->kernel, first, last);
	is_int(no_peak, 0, "%s: multiples of %d subslices are peaks", s->kernel, SUBSLICES);
}

/* One chain of SIMD32 threads: four groups of 8 threads give each EU of a subslice the four threads
 * that fill its FPUs. */
static void climb(void)
{
	double k1 = measure(&mad_sp_x1, 1, 256).gflops, k3 = measure(&mad_sp_x1, 3, 256).gflops;
	double k12 = measure(&mad_sp_x1, 12, 256).gflops,
	       wide = measure(&mad_sp_x16, 3, 256).gflops;

	is_near(k3 / k1, 3, 0.05, "three groups are three times as fast as one");
	ok(k12 > 0.97 * 399, "scalar kernels reach the peak with 12 groups: %.1f", k12);
	ok(k3 < k12 / 3, "and not with 3: %.1f", k3);
	ok(wide > 0.96 * 399, "vectors of 16 come near it with 3: %.1f", wide);
}

/* FLOP/cycle over work items: one group up to 256, then the second and third subslice come in. */
static void steps(void)
{
	double full = measure(&mad_sp_x16, 3, 256).by_a7;
	struct result half = measure(&mad_sp_x4, 1, 128);

	is_near(half.flop_per_cycle_eu / full, 1.0 / 12, 0.01,
		"128 items of SIMD32: half the EUs of one subslice, and one of their two FPUs at a time");
	is_near(half.by_a7 / full, 1.0 / 6, 0.01,
		"of which A7 cannot see the first: the EU that it watches has a thread");
	is_near(measure(&mad_sp_x16, 1, 256).by_a7 / full, 1.0 / 3, 0.01, "256 items: one subslice");
	is_near(measure(&mad_sp_x16, 2, 256).by_a7 / full, 2.0 / 3, 0.01,
		"512 items: two subslices");
	ok(measure(&mad_sp_x16, 4, 256).by_a7 < 0.7 * full,
		"1024 items: the fourth group runs alone at the end");
	is_near(full, 15.7, 0.3, "768 items: all three, near the peak");
}

static void bandwidth(void)
{
	double gb[ARRAY_LEN(copies)];

	for (size_t i = 0; i < ARRAY_LEN(copies); i++) {
		gb[i] = measure(&copies[i], 63, 256).gbytes_per_s;
		diag("%s: %.1f GB/s", copies[i].kernel, gb[i]);
	}
	is_near(gb[2], 191.99, 0.01 * 191.99, "vectors of 4 copy at 191.99 GB/s within 1 %%");
	ok(gb[2] > gb[1] && gb[1] > gb[0], "wider is faster up to 4");
	ok(gb[3] < gb[2] && gb[4] < gb[0], "8 is slower than 4, 16 slower than scalar");
}

/* The share of loop control is what keeps real kernels below the peak: it is not ternary. */
static void instruction_types(void)
{
	struct result res = measure(&mad_sp_x1, MANY_GROUPS, 256);

	is_near(res.by_types, res.gflops, res.gflops / 1000,
		"4 lanes x 2 x ternary cycles are the mads of the source text");
}

int main(void)
{
	peaks();
	/* The eighth group of a subslice waits for a place, and then has its EUs for itself. */
	serration(&mad_sp_x4, 4, 21);
	serration(&mad_sp_x16, 1, 24);
	serration(&mad_sp_x1, 12, 20);
	climb();
	steps();
	bandwidth();
	instruction_types();
	return done_testing();
}
