/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluates the metrics of a set for each hardware context of a window. */
#include "config.h"

#include "core/snapshot/context_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

void context_table_reserve(struct context_table *t, int n_metrics)
{
	if (n_metrics < t->room)
		return;
	context_table_release(t);
	t->room = n_metrics + 1;
	t->values = xcalloc(HW_CONTEXTS_MAX * (size_t)t->room, sizeof(*t->values));
	t->ceilings = xcalloc((size_t)t->room, sizeof(*t->ceilings));
}

void context_table_release(struct context_table *t)
{
	free(t->values);
	free(t->ceilings);
	*t = (struct context_table){ .why = WHY_NOT_YET };
}

/* Metric files order the levels of memory from the inside to the outside. */
static int find_column(const struct metric_set *set, enum context_column column)
{
	int found = -1;

	for (int i = 0; i < set->n_metrics; i++) {
		const struct metric *m = &set->metrics[i];

		if (m->flags & (METRIC_HIDDEN | METRIC_ABSENT))
			continue;
		if (column == CONTEXT_ACTIVE && found < 0 && m->limit.role == LIMIT_WORKING)
			found = i;
		if (column == CONTEXT_FLOP && found < 0 && m->unit_text &&
			!strcmp(m->unit_text, "FLOP/cycle"))
			found = i;
		if (column == CONTEXT_BYTES && m->roof == ROOF_TRAFFIC &&
			!(m->flags & METRIC_ESTIMATED))
			found = i;
	}
	/* Intel's own sets have no traffic in both directions. */
	for (int i = 0; i < set->n_metrics && found < 0 && column == CONTEXT_BYTES; i++)
		if (set->metrics[i].limit.role == LIMIT_LEVEL &&
			!(set->metrics[i].flags & (METRIC_HIDDEN | METRIC_ABSENT)))
			found = i;
	return found;
}

/* Says whether a row stands before another one. */
static bool is_before(const struct context_row *a, const struct context_row *b)
{
	static const int order[] = {
		[HW_CONTEXT_ONE] = 0, [HW_CONTEXT_OTHERS] = 1, [HW_CONTEXT_IDLE] = 2
	};

	if (a->kind != b->kind)
		return order[a->kind] < order[b->kind];
	return a->share > b->share;
}

/* The rows are few and keep their storage of values. */
static void insert_row(struct context_table *t, const struct context_row *r)
{
	int at = t->n++;

	for (; at > 0 && is_before(r, &t->rows[at - 1]); at--)
		t->rows[at] = t->rows[at - 1];
	t->rows[at] = *r;
}

void context_table_eval(struct context_table *t, struct metric_binding *b,
	const struct sample *first, struct sample *scratch)
{
	double clocks = 0;
	int64_t ran_ns = 0;

	t->n = 0;
	t->set = b->set;
	t->why = first->contexts ? WHY_OK : WHY_UNSUPPORTED;
	for (int i = 0; i < CONTEXT_COLUMNS; i++)
		t->columns[i] = find_column(b->set, (enum context_column)i);
	for (int i = 0; i < first->n_contexts; i++) {
		clocks += (double)first->contexts[i].clocks;
		ran_ns += first->contexts[i].ran_ns;
	}
	for (int i = 1; i < b->n_feeds; i++)
		scratch[i] = (struct sample){ .why = WHY_UNSUPPORTED };
	scratch[0] = *first;
	scratch[0].half = NULL;
	for (int i = 0; i < first->n_contexts; i++) {
		const struct hw_context *from = &first->contexts[i];
		struct value *values = t->values + (size_t)i * (size_t)t->room;
		struct context_row r = { .kind = from->kind,
			.id = from->id,
			.whole = from->whole,
			.reports = from->reports,
			.ran_ns = from->ran_ns,
			.values = values };

		r.share = clocks > 0 ? (double)from->clocks / clocks : NAN;
		r.switches_hz = NAN;
		if (ran_ns > 0)
			r.switches_hz = (double)from->switches * NS_PER_S / (double)ran_ns;
		/* The sample of one context is made out of the whole one's. */
		scratch[0].why = from->reports ? WHY_OK : WHY_OTHER_CONTEXT;
		scratch[0].window_ns = from->ran_ns;
		scratch[0].reports = from->reports;
		memcpy(scratch[0].values, from->values,
			(size_t)b->feeds[0]->n_counters * sizeof(scratch[0].values[0]));
		metric_eval(b, scratch, values, t->ceilings);
		insert_row(t, &r);
	}
}

const char *context_name(const struct context_row *r, char *buf, size_t size)
{
	if (r->kind == HW_CONTEXT_IDLE)
		return "idle";
	if (r->kind == HW_CONTEXT_OTHERS)
		return "others";
	snprintf(buf, size, "%#x", r->id);
	return buf;
}
