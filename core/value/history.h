/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fixed rings of past values, one row per window. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/value/value.h"

/* A zero-initialised struct is valid and empty. Values are kept as float, NAN where there was
 * none. */
struct history {
	int columns;		/* metrics */
	/* [columns], place in a row or -1; NULL: all columns are kept, in order */
	int *at;
	int width;		/* of a row */
	int rows;		/* capacity */
	uint64_t count;		/* rows ever pushed */
	int64_t *t_ns;		/* [rows] when the window of each row ended; 0: nobody has said */
	float *v;
	float *min;		/* per column since init or reset, NAN before the first number */
	float *max;
};

void history_init(struct history *h, int columns, int rows);
/* As history_init(), but keeps only the columns with kept[i]; the others are always NAN and take no
 * memory. */
void history_init_some(struct history *h, int columns, const bool *kept, int rows);
void history_release(struct history *h);
/* Adds a row with one value for each column; the oldest row is dropped when there is no room. */
void history_push(struct history *h, const struct value *values);
/* These do the same value by value: one adds a row without numbers, the other fills its columns. */
void history_open_row(struct history *h);
void history_set(struct history *h, int column, struct value v);
/* Says when the window of the newest row ended. */
void history_stamp(struct history *h, int64_t t_ns);
/* Returns when the window of a row ended, 0 where nobody has said. */
int64_t history_time(const struct history *h, int age);
/* Returns how long before the newest row another one ended, by their times; windows of period_ns
 * where these are not known. */
double history_ago_ns(const struct history *h, int age, int64_t period_ns);
/* Returns the age of the row that ended so long before the newest one, the nearest where none did.
 * What lies before the first row is counted in windows of period_ns. */
double history_age_of(const struct history *h, double ago_ns, int64_t period_ns);
/* age 0 is the newest. Returns NAN for rows beyond the past that is kept. */
float history_get(const struct history *h, int column, int age);
/* Returns the number of rows available, at most the capacity. */
int history_len(const struct history *h);
/* Tells whether the column has a past at all. */
bool history_keeps(const struct history *h, int column);
/* Forgets one column's past. */
void history_clear_column(struct history *h, int column);
/* Forgets minima and maxima but keeps the rows. */
void history_reset_extremes(struct history *h);
