/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How cells share, in figures and words, and the serrated curve; what the words should be was worked
 * out by hand. */
#include "config.h"

#include "core/snapshot/balance.h"
#include "core/verdict/verdict.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/mem.h"
#include "tests/tap.h"

#define MOST 6

static const struct row {
	const char *what;
	int n;
	double values[MOST];	/* NAN: no number */
	bool is_work;
	uint64_t groups;
	double imbalance;	/* NAN: none */
	const char *words, *of_groups;
} rows[] = {
	{ "one group", 3, { 9, 0, 0 }, true, 1, 3, "subslice S0SS0 has all the work",
		"one work-group on 3 subslices; 3 would be up to 3 times faster" },
	{ "four groups", 3, { 62848, 31424, 31424 }, true, 4, 1.5,
		"subslice S0SS0 has twice the work of the others",
		"4 work-groups on 3 subslices; a multiple of 3 is up to 1.5 times faster" },
	{ "five groups", 3, { 2, 2, 1 }, true, 5, 1.2,
		"2 of 3 cells have 2 times the work of the others",
		"5 work-groups on 3 subslices; a multiple of 3 is up to 1.2 times faster" },
	{ "seven groups", 3, { 3, 2, 2 }, true, 7, 9. / 7,
		"subslice S0SS0 has 1.5 times the work of the others",
		"7 work-groups on 3 subslices; a multiple of 3 is up to 1.29 times faster" },
	{ "two of six", 6, { 5, 5, 0, 0, 0, 0.01 }, true, 2, NAN,
		"2 of 6 cells have all the work", NULL },
	{ "as many as fit", 3, { 21, 21.2, 21 }, true, 63, NAN, "the cells are balanced",
		"63 work-groups on 3 subslices are dealt evenly" },
	{ "not as the groups say", 3, { 3, 1, 1 }, true, 4, 1.8,
		"subslice S0SS0 has 3 times the work of the others",
		"4 work-groups on 3 subslices alone would give 1.5, max over mean" },
	{ "three kinds", 3, { 3, 2, 1 }, true, 0, 1.5, "subslice S0SS0 has 1.5 times the mean",
		NULL },
	{ "no work", 3, { 2, 1, 1 }, false, 0, 1.5, "subslice S0SS0 has 1.5 times the mean", NULL },
	{ "several without work", 3, { 1, 2, 2 }, false, 0, 1.2,
		"2 of 3 cells have 1.2 times the mean", NULL },
	{ "a hole", 3, { NAN, 2, 2 }, true, 0, 1, NULL, NULL },
	{ "nothing", 3, { 0, 0, 0 }, true, 0, NAN, NULL, NULL },
	{ "one cell", 1, { 5 }, true, 0, 1, NULL, NULL },
};

struct scene {
	struct metric metric;
	struct metric_set set;
	struct device device;
	struct value values[MOST];
	int64_t t_ns[MOST];
	char names[MOST][CELL_NAME_SIZE];
	int metrics[1];
	struct snapshot snap;
};

static void scene_make(struct scene *s, const struct row *r)
{
	*s = (struct scene){ .device.topology.subslices = r->n };
	s->metric = (struct metric){ .limit.role = r->is_work ? LIMIT_DEALT : LIMIT_NONE };
	s->set = (struct metric_set){ .metrics = &s->metric, .n_metrics = 1 };
	s->snap = (struct snapshot){ .cells_ns = 100 * NS_PER_S, .window_ns = NS_PER_S,
		.set = &s->set, .device = &s->device, .n_maps = 1 };
	s->snap.maps[0] = (struct cell_map){ .scope = "subslice", .text = "", .n = r->n,
		.names = (const char(*)[CELL_NAME_SIZE])s->names, .metrics = s->metrics,
		.n_metrics = 1, .stride = 1, .values = s->values, .t_ns = s->t_ns };
	for (int i = 0; i < r->n; i++) {
		snprintf(s->names[i], CELL_NAME_SIZE, "S0SS%d", i);
		s->t_ns[i] = s->snap.cells_ns;
		s->values[i] = isnan(r->values[i]) ? value_none(WHY_LOST) : value_ok(r->values[i]);
	}
	s->snap.job.phase = JOB_RUNNING;
	s->snap.job.job.groups = r->groups;
}

static void test_row(const struct row *r)
{
	struct verdict_text t;
	struct balance b;
	struct scene s;
	char buf[200];

	scene_make(&s, r);
	balance_make(&b, &s.snap.maps[0], 0, 0);
	if (!isnan(r->imbalance))
		is_near(b.imbalance, r->imbalance, 1e-12, "%s", r->what);
	bool told = balance_tell(&b, &s.snap.maps[0], &s.metric, &t);
	is_str(told ? verdict_text(&t, true, buf, sizeof(buf)) : NULL, r->words, "%s", r->what);
	is_int((long long)balance_groups(&s.snap, &s.snap.maps[0]), (long long)r->groups, "groups");
	if (!r->of_groups)
		return;
	balance_tell_groups(&b, &s.snap.maps[0], &s.metric, r->groups, &t);
	is_str(verdict_text(&t, true, buf, sizeof(buf)), r->of_groups, "%s", r->what);
}

/* mean over max for k groups on three subslices, by hand */
static void test_curve(void)
{
	static const struct { uint64_t k; double want; } of3[] = { { 1, 0.3333 }, { 4, 0.6667 },
		{ 5, 0.8333 }, { 7, 0.7778 }, { 22, 0.9167 }, { 63, 1 } };

	for (size_t i = 0; i < ARRAY_LEN(of3); i++)
		is_near(balance_curve(of3[i].k, 3), of3[i].want, 5e-5, "the curve");
	ok(isnan(balance_curve(0, 3)) && isnan(balance_curve(4, 0)), "no groups, or no cells");
	is_near(balance_curve(UINT64_C(1) << 62, 3), 1, 1e-12, "as many groups as there may be");
}

static void test_which(void)
{
	const struct metric *m;
	struct balance b;
	struct scene s;

	scene_make(&s, &rows[1]);
	ok(balance_of_work(&s.snap, &b, &m) == &s.snap.maps[0], "the map of dealt work");
	s.snap.mux = &(struct mux_value){ .multiplexed = true };
	s.t_ns[2] -= 5 * NS_PER_S;
	ok(balance_of_work(&s.snap, &b, &m) != NULL, "cells that take turns are compared");
	s.t_ns[2] -= 6 * NS_PER_S;
	ok(!balance_of_work(&s.snap, &b, &m), "but not with old ones");
	s.snap.round_ns = 10 * NS_PER_S;
	ok(balance_of_work(&s.snap, &b, &m) != NULL, "a round of many turns takes its time");
	s.snap.mux = NULL;
	ok(!balance_of_work(&s.snap, &b, &m), "cells of one set are of its last windows");
	scene_make(&s, &rows[8]);
	ok(!balance_of_work(&s.snap, &b, &m), "no map of dealt work");
	scene_make(&s, &rows[1]);
	s.snap.job.flags = JOB_OTHER_DEVICE;
	is_int((long long)balance_groups(&s.snap, &s.snap.maps[0]), 0, "a load of another device");
	scene_make(&s, &rows[1]);
	s.snap.job.phase = JOB_DONE;
	is_int((long long)balance_groups(&s.snap, &s.snap.maps[0]), 0, "a load that has ended");
	s.snap.load_groups = 9;
	is_int((long long)balance_groups(&s.snap, &s.snap.maps[0]), 9, "a simulated device has its own load again");
	scene_make(&s, &rows[1]);
	s.device.topology.subslices = 6;
	is_int((long long)balance_groups(&s.snap, &s.snap.maps[0]), 0,
		"a map of some of the subslices");
}

int main(void)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		test_row(&rows[i]);
	test_curve();
	test_which();
	return done_testing();
}
