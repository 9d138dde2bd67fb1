/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics with a value for each cell of a map: shader cores, CPU cores, positions of EUs. Private
 * to metric*.c. */
#pragma once

#include <stdint.h>

#include "core/metric/metric.h"

/* A metric of the map and the inputs of its equations that differ from cell to cell. */
struct cell_metric {
	int metric;
	int *varying;			/* [n_varying] indices of inputs */
	int n_varying;
};

/* Where the cells come from: instances of feeds (cells is NULL), or counters that the set assigns
 * to them. */
struct cell_binding {
	const char *scope, *text;
	const struct set_cells *cells;
	int n;
	const char (*names)[CELL_NAME_SIZE];
	/* Of a set's cells only those that the device has: their names, their places among the
	 * set's, and why it is not known whether the device has them. NULL for feeds. */
	char (*own_names)[CELL_NAME_SIZE];
	int *of_set;			/* [n] */
	enum why *whys;			/* [n] WHY_OK: the device has it */
	/* the feed whose samples say when the cells were measured */
	int feed;
	struct counter_at *at;		/* [n][cells->n_names], NULL for feeds */
	struct cell_metric *metrics;
	int *metric_index;		/* [n_metrics] the same metrics as plain indices */
	int *column_of;			/* [set->n_metrics], -1 */
	int n_metrics;
	struct expr_input *results;	/* [n][n_metrics], base units */
	struct expr_input *means;	/* [n_metrics] */
	int64_t *t_ns;			/* [n] */
};

/* --- metric_read.c --- */

/* Finds a counter of that name, of the first feed that has one; returns false when none has. desc
 * may be NULL. */
bool metric_find_counter(const struct metric_binding *b, const char *name, struct counter_at *at,
	const struct counter_desc **desc);
/* Returns input i for one cell of the map, in base units. */
struct expr_input metric_input_of_cell(const struct metric_binding *b,
	const struct cell_binding *map, int cell, int i, const struct sample *samples);
/* Returns an input at device level; where it belongs to cells, their sum. */
struct expr_input metric_read_input(
	const struct metric_binding *b, int i, const struct sample *samples);
/* Converts a result to the metric's unit. */
struct value metric_shown(
	const struct metric_binding *b, const struct metric *m, struct expr_input r);

/* Returns r, or what it is when it is a share below 0 or above its ceiling; both
 * are in base units. */
struct expr_input metric_within(const struct metric_binding *b, const struct metric *m,
	struct expr_input r, struct expr_input ceiling);

/* --- metric_cells.c --- */

/* Makes the maps that the set and the feeds give; call it before the inputs are bound. Cells that
 * the device does not have are left out. */
void metric_cells_init(struct metric_binding *b, const struct device *dev);
/* Binds input i when its name belongs to the set's cells. The first of their counters that a feed
 * has stands for all. */
void metric_cells_bind_input(struct metric_binding *b, int i);
/* Finds which metrics have a value for each cell; call it after the inputs are bound. */
void metric_cells_bind_metrics(struct metric_binding *b);
void metric_cells_release(struct metric_binding *b);
/* Evaluates a metric of a map for every cell; value and ceiling are the means in base units.
 * ceiling stays as it is when the metric has none. Afterwards the inputs are at device level
 * again. */
void metric_cells_eval(struct metric_binding *b, int metric, const struct sample *samples,
	struct expr_input *value, struct expr_input *ceiling);
/* Returns the largest value among the cells of a metric that was evaluated, else why there is none. */
struct expr_input metric_cells_most(const struct metric_binding *b, int metric);
/* Notes when the cells were measured. */
void metric_cells_stamp(struct metric_binding *b, const struct sample *samples);
