/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of contexts: found by number, and given to another context when there are too many. */
#include "config.h"

#include "backends/intel/oa/oa_contexts.h"

#include <string.h>

#define ROW_IDLE 0
#define ROW_OTHERS 1
#define FIRST_NAMED 2

/* Makes a row as of a context that has not run yet. */
static void begin_row(struct oa_contexts *c, int at, enum hw_context_kind kind, uint32_t id)
{
	c->rows.row[at] = (struct hw_context){
		.kind = kind,
		.id = id,
		.whole = !c->gave_up,
		.values = c->rows.values[at],
	};
	memset(c->rows.values[at], 0, (size_t)c->n_counters * sizeof(c->rows.values[at][0]));
	c->touched[at] = ++c->touches;
}

static void begin_window(struct oa_contexts *c)
{
	c->rows.n = FIRST_NAMED;
	c->touches = 0;
	c->gave_up = false;
	begin_row(c, ROW_IDLE, HW_CONTEXT_IDLE, 0);
	begin_row(c, ROW_OTHERS, HW_CONTEXT_OTHERS, 0);
}

void oa_contexts_init(struct oa_contexts *c, int n_counters)
{
	/* Rows are cleared when they are taken into use: memory that no context needs stays
	 * untouched. */
	c->n_counters = n_counters;
	c->running = c->chosen = -1;
	begin_window(c);
}

void oa_contexts_choose(struct oa_contexts *c, uint32_t id)
{
	c->chosen = c->rows.n++;
	begin_row(c, c->chosen, HW_CONTEXT_ONE, id);
}

static void add(struct oa_contexts *c, int at, const uint64_t *from, const uint64_t *to)
{
	for (int i = 0; i < c->n_counters; i++)
		c->rows.values[at][i] += to[i] - from[i];
}

/* Moves the context that has not run for longest to the others, and returns its row. */
static int give_up_oldest(struct oa_contexts *c)
{
	static const uint64_t zeros[OA_MAX_COUNTERS];
	int oldest = -1;

	for (int i = FIRST_NAMED; i < HW_CONTEXTS_MAX; i++)
		if (i != c->chosen && (oldest < 0 || c->touched[i] < c->touched[oldest]))
			oldest = i;
	add(c, ROW_OTHERS, zeros, c->rows.values[oldest]);
	c->rows.row[ROW_OTHERS].reports += c->rows.row[oldest].reports;
	c->rows.row[ROW_OTHERS].switches += c->rows.row[oldest].switches;
	c->gave_up = true;
	return oldest;
}

static int find_row(struct oa_contexts *c, enum hw_context_kind kind, uint32_t id)
{
	int at;

	if (kind == HW_CONTEXT_IDLE)
		return ROW_IDLE;
	if (kind == HW_CONTEXT_OTHERS)
		return ROW_OTHERS;
	for (at = FIRST_NAMED; at < c->rows.n; at++)
		if (c->rows.row[at].id == id)
			return at;
	if (c->rows.n < HW_CONTEXTS_MAX)
		c->rows.n++;
	else
		at = give_up_oldest(c);
	begin_row(c, at, kind, id);
	return at;
}

void oa_contexts_run(struct oa_contexts *c, enum hw_context_kind kind, uint32_t id)
{
	bool begins = c->running >= 0 && !oa_contexts_is_running(c, kind, id);

	c->running = find_row(c, kind, id);
	c->rows.row[c->running].switches += begins;
	c->touched[c->running] = ++c->touches;
}

void oa_contexts_add(
	struct oa_contexts *c, const uint64_t *from, const uint64_t *to, uint64_t reports)
{
	if (c->running < 0 || !reports)
		return;
	add(c, c->running, from, to);
	c->rows.row[c->running].reports += reports;
}

void oa_contexts_add_unknown(
	struct oa_contexts *c, const uint64_t *from, const uint64_t *to, uint64_t reports)
{
	if (!reports)
		return;
	add(c, ROW_OTHERS, from, to);
	c->rows.row[ROW_OTHERS].reports += reports;
	c->gave_up = true;
	for (int i = 0; i < c->rows.n; i++)
		c->rows.row[i].whole = i == ROW_OTHERS;
}

const struct hw_context *oa_contexts_chosen(const struct oa_contexts *c)
{
	return c->chosen < 0 ? NULL : &c->rows.row[c->chosen];
}

void oa_contexts_take(struct oa_contexts *c, struct sample *out)
{
	struct oa_context_rows *t = &c->taken;
	struct hw_context running = { .kind = HW_CONTEXT_IDLE }, chosen = { .id = 0 };

	if (c->running >= 0)
		running = c->rows.row[c->running];
	if (c->chosen >= 0)
		chosen = c->rows.row[c->chosen];
	t->n = 0;
	for (int i = 0; i < c->rows.n; i++) {
		const struct hw_context *r = &c->rows.row[i];

		if (!r->reports && !r->switches)
			continue;
		t->row[t->n] = *r;
		t->row[t->n].values = memcpy(t->values[t->n], c->rows.values[i],
			(size_t)c->n_counters * sizeof(t->values[0][0]));
		t->n++;
	}
	out->contexts = t->row;
	out->n_contexts = t->n;
	begin_window(c);
	if (c->chosen >= 0)
		oa_contexts_choose(c, chosen.id);
	if (c->running >= 0)
		c->running = find_row(c, running.kind, running.id);
}
