/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fixed rings of past values, one row per window. */
#ifndef CORE_HISTORY_H
#define CORE_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "core/value.h"

/* Zero-initialised is valid and empty. Values are kept as float, NAN where there was none. */
struct history {
	int columns;		/* metrics */
	int *at;		/* [columns], place in a row or -1; NULL: all are kept, in order */
	int width;		/* of a row */
	int rows;		/* capacity */
	uint64_t count;		/* rows ever pushed */
	float *v;
	float *min;		/* per column since init or reset, NAN before the first number */
	float *max;
};

void history_init(struct history *h, int columns, int rows);
/* As history_init() for the columns kept[i]; the others are NAN for ever and take no memory. */
void history_init_some(struct history *h, int columns, const bool *kept, int rows);
void history_release(struct history *h);
/* A row of one value a column; the oldest goes when there is no room. */
void history_push(struct history *h, const struct value *values);
/* The same value by value: a new row without numbers, then its columns. */
void history_open_row(struct history *h);
void history_set(struct history *h, int column, struct value v);
/* age 0 is the newest; NAN beyond what was recorded. */
float history_get(const struct history *h, int column, int age);
/* Rows available, at most the capacity. */
int history_len(const struct history *h);
/* Forgets one column's past. */
void history_clear_column(struct history *h, int column);
/* Forgets minima and maxima, keeps the rows. */
void history_reset_extremes(struct history *h);

#endif
