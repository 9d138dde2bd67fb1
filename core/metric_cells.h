/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics with a value for each cell of a map: shader cores, CPU cores, positions of EUs. Private
 * to metric*.c. */
#ifndef CORE_METRIC_CELLS_H
#define CORE_METRIC_CELLS_H

#include <stdint.h>

#include "core/metric.h"

/* A metric of the map and the inputs of its equations that differ from cell to cell. */
struct cell_metric {
	int metric;
	int *varying;			/* [n_varying] indices of inputs */
	int n_varying;
};

/* Where the cells come from: instances of feeds (cells NULL), or counters that the set gives to
 * them. */
struct cell_binding {
	const char *scope, *text;
	const struct set_cells *cells;
	int n;
	const char (*names)[CELL_NAME_SIZE];
	int feed;			/* whose samples tell when the cells were measured */
	struct counter_at *at;		/* [n][cells->n_names], NULL for feeds */
	struct cell_metric *metrics;
	int *metric_index;		/* [n_metrics] the same metrics as plain indices */
	int *column_of;			/* [set->n_metrics], -1 */
	int n_metrics;
	struct expr_input *results;	/* [n][n_metrics], base units */
	struct expr_input *means;	/* [n_metrics] */
	int64_t *t_ns;			/* [n] */
};

/* --- metric_eval.c --- */

/* A counter of that name, of the first feed that has one; false when none has. desc may be NULL. */
bool metric_find_counter(const struct metric_binding *b, const char *name, struct counter_at *at,
	const struct counter_desc **desc);
/* What s brought for input i, u, in base units, per second where the equation asks for a rate. */
struct expr_input metric_read(
	const struct metric_binding *b, int i, const struct sample *s, uint64_t u);
/* An input at device level: of cells their sum. */
struct expr_input metric_read_input(
	const struct metric_binding *b, int i, const struct sample *samples);
/* In the metric's unit. */
struct value metric_shown(
	const struct metric_binding *b, const struct metric *m, struct expr_input r);

/* --- metric_cells.c --- */

/* Before the inputs are bound: the maps that set and feeds give. */
void metric_cells_init(struct metric_binding *b);
/* Binds input i when the set gives its name to cells: the first of their counters that a feed has
 * stands for all. */
void metric_cells_bind_input(struct metric_binding *b, int i);
/* After the inputs are bound: which metrics have a value for each cell. */
void metric_cells_bind_metrics(struct metric_binding *b);
void metric_cells_release(struct metric_binding *b);
/* The sum over all cells of an input that the set gives to cells. */
struct expr_input metric_cells_sum(
	const struct metric_binding *b, int i, const struct sample *samples);
/* Evaluates a metric of a map for every cell; value and ceiling are the means in base units.
 * ceiling stays as it is when the metric has none. Inputs are at device level again afterwards. */
void metric_cells_eval(struct metric_binding *b, int metric, const struct sample *samples,
	struct expr_input *value, struct expr_input *ceiling);
/* Notes when the cells were measured. */
void metric_cells_stamp(struct metric_binding *b, const struct sample *samples);

#endif
