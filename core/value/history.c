/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rings of past values with the extremes of each column. */
#include "config.h"

#include "core/value/history.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/mem.h"

static void init(struct history *h)
{
	h->v = xreallocarray(NULL, (size_t)h->width * (size_t)h->rows + 1, sizeof(*h->v));
	h->t_ns = xcalloc((size_t)h->rows + 1, sizeof(*h->t_ns));
	h->min = xreallocarray(NULL, (size_t)h->columns + 1, sizeof(*h->min));
	h->max = xreallocarray(NULL, (size_t)h->columns + 1, sizeof(*h->max));
	history_reset_extremes(h);
}

void history_init(struct history *h, int columns, int rows)
{
	*h = (struct history){ .columns = columns, .width = columns, .rows = rows };
	init(h);
}

void history_init_some(struct history *h, int columns, const bool *kept, int rows)
{
	*h = (struct history){
		.columns = columns,
		.rows = rows,
		.at = xreallocarray(NULL, (size_t)columns + 1, sizeof(*h->at)),
	};
	for (int i = 0; i < columns; i++) {
		h->at[i] = -1;
		if (kept[i])
			h->at[i] = h->width++;
	}
	init(h);
}

void history_release(struct history *h)
{
	free(h->at);
	free(h->v);
	free(h->t_ns);
	free(h->min);
	free(h->max);
	*h = (struct history){ 0 };
}

/* Returns NULL for a column that is not kept. */
static float *cell_of(const struct history *h, uint64_t row, int column)
{
	if (h->at)
		column = h->at[column];
	if (column < 0)
		return NULL;
	return h->v + (size_t)(row % (uint64_t)h->rows) * (size_t)h->width + (size_t)column;
}

void history_open_row(struct history *h)
{
	if (h->rows <= 0)
		return;
	/* Until its own time is told, a row is as old as the one before. */
	int64_t before_ns = history_time(h, 0);
	h->t_ns[h->count % (uint64_t)h->rows] = before_ns;
	float *row = h->v + (size_t)(h->count++ % (uint64_t)h->rows) * (size_t)h->width;
	for (int i = 0; i < h->width; i++)
		row[i] = NAN;
}

void history_set(struct history *h, int column, struct value v)
{
	float f = v.why == WHY_OK ? (float)v.v : NAN, *cell;

	if (h->rows <= 0 || h->count == 0 || !isfinite(f))
		return;
	cell = cell_of(h, h->count - 1, column);
	if (!cell)
		return;
	*cell = f;
	if (!(f >= h->min[column]))
		h->min[column] = f;
	if (!(f <= h->max[column]))
		h->max[column] = f;
}

void history_push(struct history *h, const struct value *values)
{
	history_open_row(h);
	for (int i = 0; i < h->columns; i++)
		history_set(h, i, values[i]);
}

bool history_keeps(const struct history *h, int column)
{
	return !h->at || (column >= 0 && column < h->columns && h->at[column] >= 0);
}

int history_len(const struct history *h)
{
	if (h->count < (uint64_t)h->rows)
		return (int)h->count;
	return h->rows;
}

void history_stamp(struct history *h, int64_t t_ns)
{
	if (h->rows > 0 && h->count > 0)
		h->t_ns[(h->count - 1) % (uint64_t)h->rows] = t_ns;
}

int64_t history_time(const struct history *h, int age)
{
	if (age < 0 || age >= history_len(h))
		return 0;
	return h->t_ns[(h->count - 1 - (uint64_t)age) % (uint64_t)h->rows];
}

double history_ago_ns(const struct history *h, int age, int64_t period_ns)
{
	int64_t newest_ns = history_time(h, 0), t_ns = history_time(h, age);

	if (!newest_ns || !t_ns)
		return (double)age * (double)period_ns;
	return (double)(newest_ns - t_ns);
}

double history_age_of(const struct history *h, double ago_ns, int64_t period_ns)
{
	int last = history_len(h) - 1;

	for (int age = 1; age <= last; age++) {
		double from_ns = history_ago_ns(h, age - 1, period_ns),
		       to_ns = history_ago_ns(h, age, period_ns);

		if (to_ns >= ago_ns && ago_ns - from_ns < to_ns - ago_ns)
			return age - 1;
		if (to_ns >= ago_ns)
			return age;
	}
	if (last < 0 || period_ns <= 0)
		return 0;
	return fmax(last, last + (ago_ns - history_ago_ns(h, last, period_ns)) / (double)period_ns);
}

float history_get(const struct history *h, int column, int age)
{
	if (column < 0 || column >= h->columns || age < 0 || age >= history_len(h))
		return NAN;
	const float *cell = cell_of(h, h->count - 1 - (uint64_t)age, column);
	if (!cell)
		return NAN;
	return *cell;
}

void history_reset_extremes(struct history *h)
{
	for (int i = 0; i < h->columns; i++)
		h->min[i] = h->max[i] = NAN;
}

void history_clear_column(struct history *h, int column)
{
	for (int row = 0; row < history_len(h); row++) {
		float *cell = cell_of(h, (uint64_t)row, column);

		if (cell)
			*cell = NAN;
	}
	h->min[column] = h->max[column] = NAN;
}
