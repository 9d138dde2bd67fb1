/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads inputs of equations from samples, and says what their results are worth. */
#include "config.h"

#include "core/metric/metric_cells.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"

#define ROUNDING 1e-13	/* of some additions */

bool metric_find_counter(const struct metric_binding *b, const char *name, struct counter_at *at,
	const struct counter_desc **desc)
{
	for (int f = 0; f < b->n_feeds; f++) {
		for (int c = 0; c < b->feeds[f]->n_counters; c++) {
			if (strcmp(b->feeds[f]->counters[c].name, name) != 0)
				continue;
			*at = (struct counter_at){ .feed = (short)f, .counter = (short)c };
			if (desc)
				*desc = &b->feeds[f]->counters[c];
			return true;
		}
	}
	return false;
}

/* Returns what s has for input i, whose raw value is u of that counter, in base units, and per
 * second where the equation asks for a rate. */
static struct expr_input read_raw(
	const struct metric_binding *b, int i, const struct sample *s, int counter, uint64_t u)
{
	struct expr_input in = { .u = u, .d = (double)u * b->scale[i], .is_int = b->set->from_xml };
	enum why why = sample_why(s, counter);

	/* The counter's own reason comes before the cell's. */
	if (why != WHY_OK)
		return expr_none(why);
	if (u == SAMPLE_NONE)
		return expr_none(WHY_STALE);
	if (b->set->inputs[i].kind != INPUT_RATE)
		return in;
	if (s->window_ns <= 0)
		return expr_none(WHY_DIV_ZERO);
	return (struct expr_input){ .d = in.d / ((double)s->window_ns / NS_PER_S) };
}

struct expr_input metric_input_of_cell(const struct metric_binding *b,
	const struct cell_binding *map, int cell, int i, const struct sample *samples)
{
	struct counter_at at = b->at[i];

	if (map->cells && map->whys[cell])
		return expr_none(map->whys[cell]);
	if (map->cells && map->cells->members) {
		int member = map->cells->members[map->of_set[cell] * map->cells->n_names +
			at.counter];

		if (b->set->metrics[b->set->inputs[member].metric].flags & METRIC_ABSENT)
			return expr_none(WHY_UNSUPPORTED);
		return b->inputs[member];
	}
	if (map->cells) {
		at = map->at[cell * map->cells->n_names + at.counter];
		if (at.feed < 0)
			return expr_none(WHY_NO_SOURCE);
		return read_raw(b, i, &samples[at.feed], at.counter,
			samples[at.feed].values[at.counter]);
	}
	const struct sample *s = &samples[at.feed];
	if (!s->instances && s->why == WHY_OK)
		return expr_none(WHY_NOT_YET);
	if (!s->instances)
		return expr_none(s->why);
	return read_raw(b, i, s, at.counter,
		s->instances[cell * b->feeds[at.feed]->n_counters + at.counter]);
}

static struct expr_input sum_of_cells(
	const struct metric_binding *b, int i, const struct sample *samples)
{
	const struct cell_binding *map = &b->maps[b->input_map[i]];
	struct expr_input sum = { .why = WHY_OK };

	if (!map->n)
		return expr_none(WHY_UNSUPPORTED);
	for (int j = 0; j < map->n; j++) {
		struct expr_input one = metric_input_of_cell(b, map, j, i, samples);

		if (one.why != WHY_OK)
			return one;
		sum.u += one.u;
		sum.d += one.d;
	}
	return sum;
}

struct expr_input metric_read_input(
	const struct metric_binding *b, int i, const struct sample *samples)
{
	const struct counter_at at = b->at[i];

	if (b->input_map[i] >= 0 && b->maps[b->input_map[i]].cells)
		return sum_of_cells(b, i, samples);
	return read_raw(
		b, i, &samples[at.feed], at.counter, samples[at.feed].values[at.counter]);
}

/* Equations give base units, and values are shown in the metric's unit; those of XML sets are
 * already in the unit of their file. */
struct value metric_shown(
	const struct metric_binding *b, const struct metric *m, struct expr_input r)
{
	if (r.why != WHY_OK)
		return value_none(r.why);
	const double v = b->set->from_xml ? r.d : r.d / m->unit.scale;
	return isfinite(v) ? value_ok(v) : value_none(WHY_OUT_OF_RANGE);
}

struct expr_input metric_within(const struct metric_binding *b, const struct metric *m,
	struct expr_input r, struct expr_input ceiling)
{
	/* Stored, since an x87 compares with more digits than a double has. */
	double least = -ceiling.d * METRIC_SKEW, most = ceiling.d * (1 + METRIC_SKEW);

	if (b->keeps_excess || r.why != WHY_OK || ceiling.why != WHY_OK || !m->unit_text ||
		(strcmp(m->unit_text, "%") != 0 && strcmp(m->unit_text, "percent") != 0))
		return r;
	if (r.d < least || r.d > most)
		return expr_none(WHY_OUT_OF_RANGE);
	/* What rounding leaves of a whole is nothing. */
	if (fabs(r.d) < ceiling.d * ROUNDING)
		r.d = 0;
	return r.d > ceiling.d ? ceiling : r;
}
