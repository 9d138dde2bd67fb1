/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics with a value for each cell: of feeds with instances, of counters that a set gives to
 * cells, and what is wrong in files. */
#include "config.h"

#include "core/metric/metric.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "core/explain/explain.h"
#include "core/snapshot/snapshot.h"
#include "tests/tap.h"

#define RAW "counter A7 cycle\ncounter A8 cycle\ncounter A9 cycle\ncounter CLK cycle\ncounter work instr\ncounter e uJ\ngauge f MHz\nconst eus 1\n"
#define HEAD RAW "set s \"S\"\nplatforms p\n"

static void note(void *ctx, const struct err *err)
{
	struct strbuf *b = ctx;

	strbuf_addf(b, "%s%s", b->len ? "\n" : "", err->msg);
}

static int load(struct metric_lib *lib, const char *text, struct strbuf *problems)
{
	strbuf_clear(problems);
	return metric_lib_load(lib, "f", text, NULL, NULL, note, problems);
}

enum { CLK, A7, A8, A9 };
static const struct counter_desc oa_counters[] = {
	{ "CLK", "cycle", 32, COUNTER_CUMULATIVE }, { "A7", "cycle", 40, COUNTER_CUMULATIVE }, { "A8", "cycle", 40, COUNTER_CUMULATIVE },
	{ "A9", "Mcycle", 40, COUNTER_CUMULATIVE },
};
static const struct feed oa = { .name = "oa", .counters = oa_counters, .n_counters = 4 };

static const struct counter_desc core_counters[] = { { "work", "instr", 64, COUNTER_CUMULATIVE },
	{ "f", "GHz", 32, COUNTER_GAUGE } };
static const char core_names[][CELL_NAME_SIZE] = { "core 0", "core 1", "core 4" };
static const struct feed cores = { .name = "cores",
	.how = "test cores",
	.counters = core_counters,
	.n_counters = 2,
	.scope = "core",
	.n_instances = 3,
	.instances = core_names };
static const struct counter_desc energy_counters[] = { { "e", "mJ", 32, COUNTER_CUMULATIVE } };
static const struct feed energy = { .name = "energy",
	.counters = energy_counters,
	.n_counters = 1,
	.scope = "core",
	.n_instances = 3,
	.instances = core_names };

struct rig {
	struct metric_lib lib;
	const struct metric_set *set;
	struct metric_binding b;
	struct device dev;
	struct sample samples[3];
	struct snapshot snap;
};

static void start(struct rig *r, const char *text, const struct feed *const *feeds, int n)
{
	struct strbuf problems = { 0 };

	*r = (struct rig){ 0 };
	is_int(load(&r->lib, text, &problems), 0, "the set loads");
	is_str(strbuf_str(&problems), "", "no problem");
	r->set = r->lib.sets[0];
	device_set_const(&r->dev, "eus", 4);
	metric_bind(&r->b, r->set, &r->dev, feeds, n);
	snapshot_init(&r->snap, &r->dev, r->set);
	snapshot_init_maps(&r->snap, &r->b);
	strbuf_release(&problems);
}

static void finish(struct rig *r)
{
	snapshot_release(&r->snap);
	metric_unbind(&r->b);
	metric_lib_release(&r->lib);
}

static void evaluate(struct rig *r)
{
	metric_eval(&r->b, r->samples, r->snap.values, r->snap.ceilings);
	metric_maps_fill(&r->b, r->snap.maps, r->snap.n_maps);
	memcpy(r->snap.inputs, r->b.inputs, (size_t)r->set->n_inputs * sizeof(*r->snap.inputs));
}

static int index_of(const struct rig *r, const char *name)
{
	return metric_set_index(r->set, name);
}

static double cell(const struct rig *r, int map, const char *metric, int j)
{
	return cell_value(&r->snap.maps[map], j, index_of(r, metric)).v;
}

static double whole(const struct rig *r, const char *metric)
{
	return r->snap.values[index_of(r, metric)].v;
}

/* Two positions of two EUs each; clocks of the window: 1000. */
static const char positions[] =
	HEAD
	"cells EU EU.here \"sum over both subslices\"\n"
	"cell R0E0 A7\n"
	"cell R0E1 A8\n"
	"let here = EU.here\n"
	"metric doubled\nunit %\nscope EU\nvalue 2 * active\n"
	"metric active\nunit %\nscope EU\nvalue here / 2 / CLK\nmax 100[%]\n"
	"metric rate_here\nunit Mcycle/s\nscope EU\nvalue rate(EU.here)\n"
	"metric all\nunit %\nvalue EU.here / eus / CLK\n"
	"metric of_mean\nunit %\nvalue active / 2\n"
	"metric plain\nunit %\nscope EU\nvalue A7 / CLK\n";

static void test_positions(void)
{
	static const struct feed *const feeds[] = { &oa };
	const struct cell_map *map;
	struct rig r;

	start(&r, positions, feeds, 1);
	is_int(r.set->n_cells, 1, "one kind of cells");
	is_int(r.snap.n_maps, 1, "one map");
	map = &r.snap.maps[0];
	is_str(map->scope, "EU", "its scope");
	is_str(map->text, "sum over both subslices", "what a cell is");
	is_int(map->n, 2, "two cells");
	is_str(map->names[1], "R0E1", "named");
	is_int(map->n_metrics, 3, "three metrics have cells");
	is_str(r.set->metrics[map->metrics[0]].name, "doubled", "in the order of the file");
	is_int((long long)map->t_ns[0], 0, "nothing measured yet");
	r.samples[0] = (struct sample){ .window_ns = NS_PER_S / 2,
		.t1_ns = 7,
		.values = { [CLK] = 1000, [A7] = 2000, [A8] = 500 } };
	evaluate(&r);
	is_near(cell(&r, 0, "active", 0), 100, 1e-12, "the first position is always active");
	is_near(cell(&r, 0, "active", 1), 25, 1e-12, "the second one for a quarter");
	is_near(cell(&r, 0, "doubled", 1), 50, 1e-12,
		"a metric reads another one of the same cell");
	is_near(cell(&r, 0, "rate_here", 0), 0.004, 1e-12, "rates use the window of the source");
	is_near(whole(&r, "active"), 62.5, 1e-12, "for the device it is the mean of the cells");
	is_near(r.snap.ceilings[index_of(&r, "active")].v, 100, 1e-12, "so is its roof");
	is_near(whole(&r, "all"), 62.5, 1e-12,
		"a metric of the device gets the sum of the cells' counters");
	is_near(whole(&r, "of_mean"), 31.25, 1e-12, "and the mean of a metric that has cells");
	is_near(whole(&r, "plain"), 200, 1e-12,
		"a metric of the scope without a cell's counter is as ever");
	ok(cell_value(map, 0, index_of(&r, "plain")).why == WHY_NOT_IN_SET, "and not in the map");
	is_int((long long)map->t_ns[1], 7, "the cells know when they were measured");
	r.samples[0].why = WHY_LOST;
	r.samples[0].t1_ns = 9;
	evaluate(&r);
	ok(cell_value(map, 1, index_of(&r, "active")).why == WHY_LOST &&
			isnan(cell(&r, 0, "active", 1)),
		"no sample: the reason");
	ok(r.snap.values[index_of(&r, "active")].why == WHY_LOST, "for the device too");
	is_int((long long)map->t_ns[1], 7, "the time stays that of the last number");
	finish(&r);
}

/* Two parts of four, of which the device has the second and the fourth. */
static const char parts[] =
	RAW "const far 1\nset s \"S\"\nplatforms p\n"
	"cells subslice SS.a \"a part\"\n"
	"cell s0 A7 if eus & 3\n"
	"cell s1 A8 if eus & 0x4\n"
	"cell s2 A7\n"
	"cells subslice SS.b\n"
	"cell s0 A7 if eus & 8\n"
	"cells subslice SS.c\n"
	"cell s0 A7 if far & 8\n"
	"cell s1 A8\n"
	"metric a\nunit cycle\nscope subslice\nvalue SS.a\n"
	"metric b\nunit cycle\nscope subslice\nvalue SS.b\n"
	"metric c\nunit cycle\nscope subslice\nvalue SS.c\n"
	"metric sum_a\nunit cycle\nvalue SS.a\n"
	"metric sum_b\nunit cycle\nvalue SS.b\n"
	"metric sum_c\nunit cycle\nvalue SS.c\n";

static void test_conditions(void)
{
	static const struct feed *const feeds[] = { &oa };
	struct rig r;

	start(&r, parts, feeds, 1);
	r.samples[0] = (struct sample){ .window_ns = NS_PER_S, .t1_ns = 7, .values = { [CLK] = 1000, [A7] = 200, [A8] = 50 } };
	evaluate(&r);
	is_int(r.snap.n_maps, 2, "a map without a cell on this device is none");
	is_int(r.snap.maps[0].n, 2, "eus is 4: two of three cells are there");
	is_str(r.snap.maps[0].names[0], "s1", "the one with that bit");
	is_near(cell(&r, 0, "a", 0), 50, 0, "has its own counter");
	is_str(r.snap.maps[0].names[1], "s2", "and the one without a condition");
	is_near(cell(&r, 0, "a", 1), 200, 0, "has its own counter");
	is_near(whole(&r, "a"), 125, 0, "the mean is of these");
	is_near(whole(&r, "sum_a"), 250, 0, "and so is the sum");
	ok(r.snap.values[index_of(&r, "b")].why == WHY_UNSUPPORTED, "without cells there is no number");
	ok(r.snap.values[index_of(&r, "sum_b")].why == WHY_UNSUPPORTED, "and no sum, least of all 0");
	ok(cell_value(&r.snap.maps[1], 0, index_of(&r, "c")).why == WHY_UNKNOWN_CONST,
		"whether the device has it is not known: the cell has that reason");
	is_near(cell(&r, 1, "c", 1), 50, 0, "beside one that is known");
	ok(r.snap.values[index_of(&r, "sum_c")].why == WHY_UNKNOWN_CONST, "a sum needs them all");
	finish(&r);
}

/* A counter of another signal shows a share above all of its clocks. */
static void test_excess(void)
{
	static const struct { uint64_t a7; double want; } rows[] = {
		{ 1990, 99.5 }, { 2000, 100 }, { 2001, 100 }, { 2020, 100 }, { 2021, NAN }, { UINT64_MAX - 1, NAN },
	};
	static const struct feed *const feeds[] = { &oa };
	struct rig r;

	start(&r, positions, feeds, 1);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		r.samples[0] = (struct sample){ .window_ns = NS_PER_S, .t1_ns = 7,
			.values = { [CLK] = 1000, [A7] = rows[i].a7, [A8] = 500 } };
		evaluate(&r);
		struct value v = cell_value(&r.snap.maps[0], 0, index_of(&r, "active"));
		if (isnan(rows[i].want)) {
			ok(v.why == WHY_OUT_OF_RANGE && isnan(v.v), "%g of 2000 clocks is no number", (double)rows[i].a7);
			is_near(whole(&r, "active"), 25, 1e-12, "and no part of the mean");
			ok(cell_value(&r.snap.maps[0], 0, index_of(&r, "doubled")).why == WHY_OUT_OF_RANGE,
				"nor of what reads it");
		} else {
			is_near(v.v, rows[i].want, 1e-12, "%g of 2000 clocks", (double)rows[i].a7);
		}
	}
	r.b.keeps_excess = true;
	evaluate(&r);
	ok(cell(&r, 0, "active", 0) > 1e17, "unless it is asked for");
	finish(&r);
}

/* What two shares leave of the whole is below 0 where both count other signals. */
static void test_below(void)
{
	static const struct { uint64_t a7; double want; } rows[] = {
		{ 900, 10 }, { 1000, 0 }, { 1009, -0.9 }, { 1011, NAN }, { 3000, NAN },
	};
	static const struct feed *const feeds[] = { &oa };
	struct rig r;
	int rounded = 0;

	start(&r, HEAD "metric rest\nunit %\nvalue 1 - A7 / CLK\nmax 100[%]\n", feeds, 1);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		r.samples[0] = (struct sample){ .window_ns = NS_PER_S, .t1_ns = 7,
			.values = { [CLK] = 1000, [A7] = rows[i].a7 } };
		evaluate(&r);
		if (isnan(rows[i].want))
			is_int(r.snap.values[index_of(&r, "rest")].why, WHY_OUT_OF_RANGE, "%g %% are far below 0",
				100 - (double)rows[i].a7 / 10);
		else
			is_near(whole(&r, "rest"), rows[i].want, 1e-9, "%g %%", rows[i].want);
	}
	finish(&r);
	start(&r, HEAD "metric rest\nunit %\nvalue 1 - A7 / CLK - (CLK - A7) / CLK\nmax 100[%]\n", feeds, 1);
	for (uint64_t a7 = 0; a7 < 1000; a7++) {
		r.samples[0].values[A7] = a7;
		r.samples[0].values[CLK] = 1000;
		evaluate(&r);
		rounded += whole(&r, "rest") != 0;
	}
	is_int(rounded, 0, "what rounding leaves of two shares that are all is nothing");
	finish(&r);
}

static void test_missing_counter(void)
{
	static const struct feed *const feeds[] = { &oa };
	struct rig r;

	start(&r,
		HEAD "cells EU EU.here\ncell R0E0 A7\ncell R0E1 A8\nmetric m\nunit 1\nscope "
		     "EU\nvalue 1\n",
		feeds, 0);
	is_int(r.snap.n_maps, 0, "no metric reads the cells: no map");
	finish(&r);
	start(&r,
		HEAD "cells EU EU.here\ncell R0E0 A7\ncell R0E1 A9\nmetric m\nunit cycle\nscope "
		     "EU\nvalue EU.here\n"
		     "metric all\nunit cycle\nvalue EU.here\n",
		feeds, 1);
	r.samples[0] = (struct sample){ .window_ns = 1, .values = { [A7] = 3, [A9] = 5 } };
	evaluate(&r);
	is_near(cell(&r, 0, "m", 0), 3, 0, "the cell that has a counter");
	ok(cell_value(&r.snap.maps[0], 1, 0).why == WHY_NO_SOURCE,
		"a counter in another unit is none");
	is_near(whole(&r, "m"), 3, 0, "the mean is over cells with a number");
	ok(r.snap.values[1].why == WHY_NO_SOURCE, "a sum lacks a part");
	finish(&r);
}

static const char of_cores[] =
	HEAD
	"metric ipc\nunit instr/cycle\nscope core\nvalue rate(work) / clock\n"
	"metric clock\nunit GHz\nscope core\nvalue f\nmax 2 * f\n"
	"metric ipj\nunit instr/J\nscope core\nvalue rate(work) / rate(e)\n"
	"metric total\nunit instr\nvalue work\n"
	"metric slices\nunit instr\nscope slice\nvalue work\n";

/* Two sources that read the same three cores make one map. */
static void test_instances(void)
{
	static const struct feed *const feeds[] = { &cores, &oa, &energy };
	static const uint64_t work[3][2] = { { 1000000000, 1 }, { 500000000, 2 }, { 0, 1 } };
	static const uint64_t mj[3][1] = { { 1000 }, { 500 }, { 0 } };
	struct rig r;

	start(&r, of_cores, feeds, 3);
	is_int(r.snap.n_maps, 1, "one map of two sources");
	is_str(r.snap.maps[0].text, "test cores", "the source says what it is");
	is_int(r.snap.maps[0].n, 3, "three cores");
	is_int(r.snap.maps[0].n_metrics, 3, "three metrics");
	r.samples[0] = (struct sample){
		.window_ns = NS_PER_S, .t1_ns = 5, .values = { 1500000000, 4 }, .instances = work[0]
	};
	r.samples[2] = (struct sample){
		.window_ns = NS_PER_S / 2, .t1_ns = 5, .values = { 1500 }, .instances = mj[0]
	};
	evaluate(&r);
	is_near(cell(&r, 0, "ipc", 0), 1, 1e-12, "instructions of core 0 over its own clock");
	is_near(cell(&r, 0, "ipc", 1), 0.25, 1e-12, "core 1");
	is_near(cell(&r, 0, "ipc", 2), 0, 0, "core 4");
	is_near(cell(&r, 0, "ipj", 0), 5e8, 1, "each source by its own window");
	ok(cell_value(&r.snap.maps[0], 2, index_of(&r, "ipj")).why == WHY_DIV_ZERO,
		"a cell has its own reason");
	is_near(whole(&r, "ipj"), 5e8, 1, "the mean is over cells with a number");
	is_near(whole(&r, "clock"), 4.0 / 3, 1e-12, "mean clock");
	is_near(r.snap.ceilings[index_of(&r, "clock")].v, 8.0 / 3, 1e-12, "mean roof");
	is_near(whole(&r, "total"), 1.5e9, 0, "the device gets the sum");
	is_near(whole(&r, "slices"), 1.5e9, 0, "so does a scope without instances");
	r.samples[0].instances = NULL;
	evaluate(&r);
	ok(cell_value(&r.snap.maps[0], 0, 0).why == WHY_NOT_YET, "a sample without instances");
	finish(&r);
}

static void test_explain(void)
{
	static const struct feed *const feeds[] = { &oa };
	struct strbuf out = { 0 };
	struct rig r;

	start(&r, positions, feeds, 1);
	r.samples[0] = (struct sample){ .window_ns = NS_PER_S / 2,
		.t1_ns = 7,
		.values = { [CLK] = 1000, [A7] = 2000, [A8] = 500 } };
	evaluate(&r);
	explain_metric(&out, r.set, index_of(&r, "active"), &r.snap, NULL);
	ok(strstr(strbuf_str(&out),
		   "Cells (EU: sum over both subslices)\n  R0E0 = 100.0 %\n  R0E1 = 25.00 %\n") !=
			NULL,
		"every cell is told");
	ok(strstr(strbuf_str(&out), "EU.here = 2500 cycle  R0E0: A7, R0E1: A8\n") != NULL,
		"the sum, and whose counters are in it");
	ok(strstr(strbuf_str(&out), "mean of the cells") != NULL, "the number is a mean");
	strbuf_clear(&out);
	explain_metric(&out, r.set, index_of(&r, "active"), NULL, NULL);
	ok(strstr(strbuf_str(&out), "R0E0: A7") != NULL, "without a snapshot: the counters");
	strbuf_release(&out);
	finish(&r);
}

static void test_problems(void)
{
	static const struct { const char *text, *problem; } rows[] = {
		{ "cells EU\n", "f:11:9: the name that equations use for a cell's counter is missing here" },
		{ "cells EU x\n", "f:11:1: there is no 'cell' line for these cells" },
		{ "cells XX x\n", "f:11:7: unknown scope 'XX'" },
		{ "cells device x\n", "f:11:1: the device cannot be a cell of itself" },
		{ "cells EU A7\ncell a A8\n", "f:11:10: the name 'A7' is taken already" },
		{ "cell a A7\n", "f:11:1: 'cell' belongs to a line 'cells SCOPE NAME...', which must come first" },
		{ "cells EU x\ncell a A7\ncell a A8\n", "f:13:1: the cell 'a' is given twice" },
		{ "cells EU x\ncell a\ncell b A8\n", "f:12:7: the cell's counter is missing here" },
		{ "cells EU x\ncell a A7 A8\ncell b A8\n", "f:12:11: nothing more is expected on this line" },
		{ "cells EU x\ncell a A7\ncell b f\n", "f:13:8: 'x' is in MHz here and in cycle in the cells before" },
		{ "cells EU x\ncell a A7\ncell b eus\n", "f:13:8: no counter 'eus' was declared before this line" },
		{ "cells EU x\ncell a A7\ncell abcdefghijkl A8\n", "f:13:1: the name of a cell has at most 11 characters" },
		{ "cells EU x\ncell a A7\ncells EU x\n", "f:13:10: the name 'x' is taken already" },
		{ "cells EU x\ncell b A8\ncell a A7 if\n", "f:13:13: the constant of the condition is missing here" },
		{ "cells EU x\ncell b A8\ncell a A7 if A8 & 1\n", "f:13:14: no constant 'A8' was declared before this line" },
		{ "cells EU x\ncell b A8\ncell a A7 if eus 1\n", "f:13:18: '& BITS' expected after the constant of the condition" },
		{ "cells EU x\ncell b A8\ncell a A7 if eus &\n", "f:13:19: the bits of the condition is missing here" },
		{ "cells EU x\ncell b A8\ncell a A7 if eus & 0\n", "f:13:20: bits are a number above 0, such as 4 or 0x30, not '0'" },
		{ "cells EU x\ncell b A8\ncell a A7 if eus & 0x\n", "f:13:20: bits are a number above 0, such as 4 or 0x30, not '0x'" },
		{ "cells EU x\ncell b A8\ncell a A7 if eus & 18446744073709551616\n", "f:13:20: bits are a number above 0, such as 4 or 0x30, not '18446744073709551616'" },
		{ "cells EU x\ncell b A8\ncell a A7 if eus & 1 A8\n", "f:13:22: nothing more is expected on this line" },
		{ "cells EU x\ncell a A7\nmetric m\nunit s\nscope EU\nvalue x\n", "f:16:7: the equation gives cycle, the unit of the metric is s" },
		{ "cells core x\ncell a f\nmetric m\nunit Hz\nscope core\nvalue rate(x)\n", "f:16:12: 'x' is a gauge and has no rate" },
		{ "cells EU x \"t\" y\ncell a A7\n", "f:11:16: nothing more is expected on this line" },
	};
	struct strbuf problems = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct metric_lib lib = { 0 };
		struct strbuf text = { 0 };

		strbuf_addf(&text, "%s%s", HEAD, rows[i].text);
		load(&lib, strbuf_str(&text), &problems);
		is_str(strbuf_str(&problems), rows[i].problem, "problem %d", (int)i);
		strbuf_release(&text);
		metric_lib_release(&lib);
	}
	strbuf_release(&problems);
}

int main(void)
{
	test_positions();
	test_conditions();
	test_excess();
	test_below();
	test_missing_counter();
	test_instances();
	test_explain();
	test_problems();
	return done_testing();
}
