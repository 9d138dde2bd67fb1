/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the figures that the report of a command shows: those of each report, and those that
 * explain its answer. */
#include "config.h"

#include "cmd/run/gathered.h"

#include <string.h>

#include "out/lines/writer.h"
#include "base/mem.h"

/* --- why the answer is so --- */

enum why run_why_none(const struct around *r, int metric)
{
	enum why why = WHY_OK;

	for (int i = 0; i < r->n_runs; i++) {
		why = r->runs[i].values[metric].why;
		if (why == WHY_OK)
			break;
	}
	return why;
}

/* The answer is explained by so many figures, unless --all asks for all of them. */
#define FIGURES 8

/* Marks a metric that has a value, unless there are enough. Returns how many there are. */
static int mark(const struct around *r, bool *shown, int n, int metric)
{
	if (metric < 0 || n >= FIGURES || shown[metric] || run_why_none(r, metric) != WHY_OK ||
		!writer_shows(&run_set(r)->metrics[metric]))
		return n;
	shown[metric] = true;
	return n + 1;
}

static int mark_role(const struct around *r, bool *shown, int n, enum limit_role role)
{
	const struct metric_set *set = run_set(r);

	for (int i = 0; i < set->n_metrics; i++)
		if (set->metrics[i].limit.role == role && run_why_none(r, i) == WHY_OK)
			return mark(r, shown, n, i);
	return n;
}

/* The resources in the order of how full they are. */
static int mark_fullest(const struct around *r, bool *shown, int n)
{
	const struct metric_set *set = run_set(r);
	double best_share = 0;
	int best = -1;

	for (int i = 0; i < set->n_metrics; i++) {
		enum limit_role role = set->metrics[i].limit.role;
		double share = r->runs[0].values[i].v / r->sum.ceilings[i].v;

		if ((role != LIMIT_PIPE && role != LIMIT_LEVEL && role != LIMIT_LINK) || shown[i] ||
			!(share > best_share))
			continue;
		best_share = share;
		best = i;
	}
	return mark(r, shown, n, best);
}

void run_choose_why(const struct around *r, bool *shown)
{
	static const enum limit_role roles[] = { LIMIT_BUSY, LIMIT_WORKING, LIMIT_WAITING,
		LIMIT_CLOCK, LIMIT_OCCUPANCY };
	const struct metric_set *set = run_set(r);
	int n = mark(r, shown, 0, run_middle(r)->verdict.metric);

	for (size_t i = 0; i < ARRAY_LEN(roles); i++)
		n = mark_role(r, shown, n, roles[i]);
	for (int before = -1; before != n;) {
		before = n;
		n = mark_fullest(r, shown, n);
	}
	for (int i = 0; i < set->n_metrics; i++)
		if (i < r->session->want->n_counters || set->metrics[i].flags & METRIC_ASKED)
			shown[i] = writer_shows(&set->metrics[i]);
}

/* --- the figures of each report --- */

const char *run_figure_name(enum run_figure figure)
{
	static const char *const names[RUN_FIGURES] = { [RUN_FLOP_PER_CYCLE] = "FLOP/cycle",
		[RUN_FLOPS] = "GFLOP/s",
		[RUN_BYTES] = "GB/s",
		[RUN_INTENSITY] = "FLOP/byte",
		[RUN_ENERGY] = "joules" };

	return names[figure];
}

/* How well a metric of that unit stands for a figure: one that has a value comes before one that
 * has none, then what was counted before what it was at most, and the whole device before a part of
 * it, which has no rank. */
static int fitness(const struct around *r, int metric)
{
	const struct metric *m = &run_set(r)->metrics[metric];
	bool is_bound = strstr(m->name, "most");

	return 4 * (run_why_none(r, metric) == WHY_OK) + 2 * !is_bound + (m->rank > 0);
}

/* Finds the best metric of a unit, and among equals the first, or of operations that with most of
 * them, because a program computes with one type more than with others. */
static int best_of_unit(const struct around *r, const char *unit_text, bool of_most)
{
	const struct metric_set *set = run_set(r);
	struct unit unit;
	int best = -1;

	if (!unit_parse(unit_text, strlen(unit_text), &unit, NULL))
		return -1;
	for (int i = 0; i < set->n_metrics; i++) {
		const struct metric *m = &set->metrics[i];

		if (!unit_same_dims(&m->unit, &unit) || m->roof == ROOF_FLOP || !writer_shows(m) ||
			m->flags & METRIC_OLD_NAME)
			continue;
		int better = best < 0 ? 1 : fitness(r, i) - fitness(r, best);

		if (better == 0 && of_most)
			better = r->runs[0].values[i].v > r->runs[0].values[best].v;
		else if (better == 0)
			better = m->rank && m->rank < set->metrics[best].rank;
		if (better > 0)
			best = i;
	}
	return best;
}

int run_figure(const struct around *r, enum run_figure figure)
{
	static const char *const words[RUN_FIGURES] = { [RUN_FLOPS] = "flops",
		[RUN_BYTES] = "dram",
		[RUN_ENERGY] = "power" };
	static const char *const units[RUN_FIGURES] = { [RUN_FLOP_PER_CYCLE] = "FLOP/cycle",
		[RUN_FLOPS] = "FLOP/s",
		[RUN_INTENSITY] = "FLOP/B" };
	int other, found = -1;

	if (r->counts && words[figure])
		found = metric_set_find(run_set(r),
			&rotation_active(r->session->now->rotation)->binding, words[figure],
			&other);
	if (r->counts && found < 0 && units[figure])
		found = best_of_unit(r, units[figure], figure != RUN_INTENSITY);
	return found;
}
