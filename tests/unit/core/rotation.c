/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets in turns as one set: names, units, kept values, shares of time, maps, explanations; nothing
 * is allocated in a window. */
#include "config.h"

#include "core/snapshot/rotation.h"

#include <malloc.h>

#include "base/clock.h"
#include "base/mem.h"
#include "core/explain/explain.h"
#include "tests/tap.h"

static const char file[] =
	"counter A cycle\ncounter B cycle\ncounter CLK cycle\n"
	"set one \"One\"\nplatforms p\ngroup g \"G\"\ngroup h \"H\"\n"
	"metric common\nunit %\ngroup g\nvalue A / CLK\nmax 100[%]\n"
	"metric first\nunit cycle\ngroup h\nvalue A\n"
	"metric size\nunit cycle\nvalue A\n"
	"set two \"Two\"\nplatforms p\ngroup h \"Other H\"\ngroup i \"I\"\n"
	"cells EU here \"halves\"\ncell left A\ncell right B\n"
	"metric common\nunit %\ngroup h\nvalue A / CLK\nmax 100[%]\n"
	"metric size\nunit Mcycle\nvalue B\n"
	"metric half\nunit cycle\nscope EU\ngroup i\nvalue here\n";

static const struct counter_desc counters[] = {
	{ "A", "cycle", 32, COUNTER_CUMULATIVE }, { "B", "cycle", 32, COUNTER_CUMULATIVE }, { "CLK", "cycle", 32, COUNTER_CUMULATIVE },
};
static const struct feed feed = { .name = "oa", .counters = counters, .n_counters = 3 };

static int index_of(const struct rotation *r, const char *name)
{
	return metric_set_index(r->merged, name);
}

static void window(
	struct rotation *r, struct snapshot *s, int active, int64_t end_ns, uint64_t a, uint64_t b)
{
	struct sample sample = { .window_ns = NS_PER_S, .t1_ns = end_ns, .values = { a, b, 100 } };

	r->active = active;
	s->seq++;
	s->mono_ns = end_ns;
	s->window_ns = NS_PER_S;
	rotation_eval(r, &sample, s);
}

static double at(const struct snapshot *s, const struct rotation *r, const char *name)
{
	return s->values[index_of(r, name)].v;
}

static void test_merged(const struct rotation *r)
{
	const struct metric_set *m = r->merged;

	is_str(m->name, "one+two", "the name");
	is_str(m->label, "One, Two", "the label");
	is_int(m->n_metrics, 5, "each metric once");
	is_int(index_of(r, "two.size"), 3, "one of another unit has a name of its own");
	is_int(m->n_groups, 3, "each group once");
	is_str(m->groups[1].title, "H", "with the title of the first set");
	is_str(m->metrics[index_of(r, "half")].scope, "EU", "scopes are kept");
	ok(!r->mux[index_of(r, "common")].multiplexed, "a metric of both sets is always measured");
	ok(r->mux[index_of(r, "first")].multiplexed && r->mux[index_of(r, "two.size")].multiplexed,
		"the others are not");
}

static void test_windows(struct rotation *r, const struct device *dev)
{
	struct strbuf text = { 0 };
	struct snapshot s;

	rotation_init_snapshot(r, &s, dev);
	is_int(s.n_maps, 1, "the map of the second set");
	window(r, &s, 0, 2 * NS_PER_S, 50, 7);
	is_near(at(&s, r, "common"), 50, 1e-9, "a value of the first turn");
	ok(s.values[index_of(r, "half")].why == WHY_NOT_YET, "the other set has had no turn");
	ok(cell_value(&s.maps[0], 0, index_of(r, "half")).why == WHY_NOT_IN_SET,
		"nor have its cells");
	is_int((long long)s.maps[0].t_ns[0], 0, "they were never measured");
	window(r, &s, 1, 4 * NS_PER_S, 20, 10);
	is_near(at(&s, r, "common"), 20, 1e-9, "what both measure is of this window");
	ok(!snapshot_is_kept(&s, index_of(r, "common")), "and not kept");
	is_near(at(&s, r, "first"), 50, 0, "the first set keeps its value");
	ok(snapshot_is_kept(&s, index_of(r, "first")), "it is told");
	is_int((long long)s.mux[index_of(r, "first")].t_ns, 2 * NS_PER_S, "with its time");
	is_near(s.mux[index_of(r, "first")].share, 1.0 / 3, 1e-12, "measured for one second of three");
	is_near(s.mux[index_of(r, "common")].share, 2.0 / 3, 1e-12, "for two");
	is_near(at(&s, r, "half"), 15, 0, "mean of the cells");
	is_near(cell_value(&s.maps[0], 1, index_of(r, "half")).v, 10, 0, "a cell");
	is_int((long long)s.maps[0].t_ns[1], 4 * NS_PER_S, "measured now");
	window(r, &s, 0, 6 * NS_PER_S, 1, 2);
	is_near(cell_value(&s.maps[0], 1, index_of(r, "half")).v, 10, 0, "cells are kept too");
	is_int((long long)s.maps[0].t_ns[1], 4 * NS_PER_S, "with their time");
	explain_metric(&text, r->merged, index_of(r, "half"), &s, NULL);
	ok(strstr(strbuf_str(&text),
		   "in turns with other sets: 20.0 % of the time, last 2.0 s ago") != NULL,
		"an explanation tells share and age");
	ok(strstr(strbuf_str(&text), "right = 10.00 cycle") != NULL &&
			strstr(strbuf_str(&text), "two (Two)") != NULL,
		"and the numbers of its own set's window");
	strbuf_clear(&text);
	explain_metric(&text, r->merged, index_of(r, "half"), NULL, NULL);
	ok(strstr(strbuf_str(&text), "half = here") != NULL, "without a window: the equation");
	strbuf_release(&text);
	snapshot_release(&s);
}

static void test_no_allocation(struct rotation *r, const struct device *dev)
{
	struct snapshot s;
	size_t before;

	rotation_init_snapshot(r, &s, dev);
	window(r, &s, 0, 8 * NS_PER_S, 1, 2);
	before = mallinfo2().uordblks;
	for (int i = 0; i < 100; i++)
		window(r, &s, i % 2, (10 + i) * NS_PER_S, 5, 6);
	is_int((long long)mallinfo2().uordblks, (long long)before, "windows allocate nothing");
	snapshot_release(&s);
}

/* One set is shown as it is: nothing is merged, and its window is the shown snapshot. */
static void test_alone(const struct metric_set *set, const struct device *dev,
	const struct feed *const *feeds)
{
	struct rotation *r = rotation_new(&set, 1, false);
	int half = metric_set_index(set, "half");
	struct strbuf text = { 0 };
	struct snapshot s;

	rotation_bind(r, dev, feeds, 1);
	rotation_init_snapshot(r, &s, dev);
	ok(r->set == set && s.set == set && !r->merged, "one set alone is shown itself");
	is_int(s.n_maps, 1, "with its map");
	window(r, &s, 0, 2 * NS_PER_S, 50, 7);
	ok(rotation_active(r)->window == &s && !s.mux, "its window is the snapshot, and no turn");
	is_near(s.values[half].v, 28.5, 0, "with values");
	is_near(cell_value(&s.maps[0], 1, half).v, 7, 0, "and cells");
	explain_metric(&text, set, half, &s, NULL);
	ok(strstr(strbuf_str(&text), "right = 7.000 cycle") != NULL, "explained by this window");
	strbuf_release(&text);
	snapshot_release(&s);
	rotation_bind(r, dev, feeds, 1);
	rotation_init_snapshot(r, &s, dev);
	window(r, &s, 0, 4 * NS_PER_S, 1, 3);
	is_near(s.values[half].v, 2, 0, "bound again it goes on");
	snapshot_release(&s);
	rotation_free(r);
}

/* A glance: the set keeps its name, and what it alone counts keeps its values meanwhile. */
static void test_glance(const struct metric_set *one, const struct metric_set *two,
	const struct device *dev, const struct feed *const *feeds)
{
	const struct metric_set *const both[] = { one, two };
	struct rotation *r = rotation_new(both, 2, true);
	struct sample half = { .window_ns = NS_PER_S, .values = { 40, 7, 100 } };
	struct snapshot s;
	int common, first, other;

	one->metrics[metric_set_index(one, "first")].flags |= METRIC_ESTIMATED;
	rotation_bind(r, dev, feeds, 1);
	ok(r->set->metrics[index_of(r, "first")].flags & METRIC_ESTIMATED,
		"what is an estimate since sets were merged has its mark");
	rotation_init_snapshot(r, &s, dev);
	common = index_of(r, "common");
	first = index_of(r, "first");
	other = index_of(r, "half");
	is_str(r->set->name, "one", "a glance leaves the set its name");
	is_str(r->set->label, "One", "and its label");
	window(r, &s, 0, 2 * NS_PER_S, 50, 7);
	ok(!s.mux[first].multiplexed, "nothing takes turns before the first glance");
	is_near(s.values[first].v, 50, 0, "the set's own value");
	rotation_turn(r, 1);
	window(r, &s, 1, 4 * NS_PER_S, 20, 10);
	ok(s.mux[first].multiplexed && !s.mux[common].multiplexed, "then what only one of them counts does");
	is_near(s.values[first].v, 50, 0, "which keeps its value during the glance");
	is_near(s.values[common].v, 20, 1e-9, "the others are measured");
	is_near(s.values[other].v, 15, 0, "and so is what the glance is for");
	rotation_turn(r, 0);
	window(r, &s, 0, 6 * NS_PER_S, 30, 1);
	is_near(s.values[other].v, 15, 0, "which is kept");
	is_int((long long)s.mux[other].t_ns, 4 * NS_PER_S, "with its time");
	rotation_eval_half(r, &half, &s, 0);
	is_near(s.half_values[0][other].v, 15, 0, "a half of a window has what is kept");
	rotation_forget_glance(r, &s);
	ok(s.values[other].why == WHY_NOT_YET, "until it is forgotten");
	is_near(s.values[first].v, 30, 0, "which the set's own values are not");
	window(r, &s, 0, 8 * NS_PER_S, 31, 1);
	ok(s.values[other].why == WHY_NOT_YET, "and stays so");
	snapshot_release(&s);
	rotation_free(r);
}

static void problem(void *ctx, const struct err *err)
{
	(void)ctx;
	diag("%s", err->msg);
}

/* Three sets that show other parts, the last of them none of this device: one map, whose names outlive the bindings. */
static const char shared[] =
	"counter A cycle\ncounter B cycle\ncounter CLK cycle\nconst mask 1\n"
	"set one \"One\"\nplatforms p\ncells subslice a\ncell s0 A if mask & 1\ncell s1 B if mask & 2\n"
	"metric here\nunit cycle\nscope subslice\nvalue a\n"
	"set two \"Two\"\nplatforms p\ncells subslice b\ncell s2 B if mask & 4\n"
	"metric here\nunit cycle\nscope subslice\nvalue b\n"
	"set three \"Three\"\nplatforms p\ncells subslice c\ncell s3 A if mask & 8\n"
	"metric here\nunit cycle\nscope subslice\nvalue c\n";

static void test_shared_map(void)
{
	static const struct feed *const feeds[] = { &feed };
	const struct metric_set *sets[3];
	struct metric_lib lib = { 0 };
	struct device dev = { 0 };
	struct snapshot s;

	is_int(metric_lib_load(&lib, "f", shared, NULL, NULL, problem, NULL), 0, "sets of parts load");
	for (int i = 0; i < 3; i++)
		sets[i] = lib.sets[i];
	device_set_const(&dev, "mask", 5);
	ok(metric_set_fits(sets[0], &dev) && metric_set_fits(sets[1], &dev) && !metric_set_fits(sets[2], &dev),
		"the device has parts of two of them");
	struct rotation *r = rotation_new(sets, 3, false);
	rotation_bind(r, &dev, feeds, 1);
	rotation_init_snapshot(r, &s, &dev);
	ok(s.n_maps == 1 && s.maps[0].n == 2, "one map with the cells of both, and none that is not there");
	window(r, &s, 0, 2 * NS_PER_S, 50, 7);
	is_near(at(&s, r, "here"), 50, 0, "the mean of the cell that was measured");
	ok(cell_value(&s.maps[0], 1, 0).why == WHY_NOT_IN_SET, "the other one was not yet");
	rotation_turn(r, 1);
	window(r, &s, 1, 4 * NS_PER_S, 20, 10);
	is_str(s.maps[0].names[0], "s0", "the name of the first set's cell");
	is_str(s.maps[0].names[1], "s2", "and of the second's");
	is_near(cell_value(&s.maps[0], 0, 0).v, 50, 0, "the first cell is kept");
	is_near(cell_value(&s.maps[0], 1, 0).v, 10, 0, "beside the second");
	ok(s.maps[0].t_ns[0] == 2 * NS_PER_S && s.maps[0].t_ns[1] == 4 * NS_PER_S, "each has its age");
	is_near(at(&s, r, "here"), 30, 0, "the mean is of both");
	rotation_turn(r, 2);
	window(r, &s, 2, 6 * NS_PER_S, 1, 1);
	is_near(at(&s, r, "here"), 30, 0, "a set without a cell takes nothing away");
	snapshot_release(&s);
	rotation_free(r);
	metric_lib_release(&lib);
}

int main(void)
{
	static const struct feed *const feeds[] = { &feed };
	const struct metric_set *sets[2];
	struct metric_lib lib = { 0 };
	struct device dev = { 0 };
	struct rotation *r;

	test_shared_map();
	is_int(metric_lib_load(&lib, "f", file, NULL, NULL, problem, NULL), 0, "the sets load");
	sets[0] = lib.sets[0];
	sets[1] = lib.sets[1];
	r = rotation_new(sets, 2, false);
	rotation_bind(r, &dev, feeds, 1);
	test_merged(r);
	test_windows(r, &dev);
	rotation_turn(r, 1);
	test_no_allocation(r, &dev);
	rotation_bind(r, &dev, feeds, 1);
	is_int(r->n_maps, 1, "bound again: the same map");
	rotation_free(r);
	test_alone(sets[1], &dev, feeds);
	test_glance(sets[0], sets[1], &dev, feeds);
	metric_lib_release(&lib);
	return done_testing();
}
