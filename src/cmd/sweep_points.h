/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The points of a sweep: which there are, what a file of an earlier run holds of them, and the
 * pictures made of them. */
#ifndef CMD_SWEEP_POINTS_H
#define CMD_SWEEP_POINTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"

/* Numbers of a point that pictures show, by the names of their columns. */
enum sweep_value {
	SWEEP_GROUPS,
	SWEEP_ITEMS,
	SWEEP_GFLOPS,
	SWEEP_FLOP_PER_CYCLE,
	SWEEP_GBYTES,
	SWEEP_WATTS,
	SWEEP_GFLOPS_PER_W,
	SWEEP_MODEL,
	SWEEP_EVENT_US,
	SWEEP_WALL_US,
	SWEEP_COUNTER_US,
	SWEEP_VALUES,
};

struct sweep_point {
	char kernel[48];
	double v[SWEEP_VALUES];	/* NAN where there is none */
};

/* Owned: sweep_points_release(). */
struct sweep_points {
	struct sweep_point *p;
	size_t n, cap;
};

void sweep_points_release(struct sweep_points *s);
/* Adds a point without a name or a number. */
struct sweep_point *sweep_points_add(struct sweep_points *s);
/* The column of a value. */
const char *sweep_column(enum sweep_value v);
const struct sweep_point *sweep_find(
	const struct sweep_points *s, const char *kernel, double groups);
/* Reads the rows of an earlier run. head is the first line that the file must have. A last line
 * that was cut off is left out; kept gets everything that may stay. A file that does not exist
 * counts as empty. */
bool sweep_read(struct sweep_points *s, const char *path, const char *head, struct strbuf *kept,
	struct err *err);
/* Rounds of the units in which every number of groups is a point. */
#define SWEEP_DENSE_ROUNDS 6
/* The number of groups after this one: 1 to 6 * units, then full * units, doubled. 0 after the
 * last, which is the one where a doubling brought less than 0.2 %, or 384 rounds. units: what works
 * on groups independently; full: the groups that such a unit holds at once (more than 6), so that
 * every round is a full one. */
double sweep_next_groups(double groups, double units, double full, double value, double before);
/* Writes a picture for everything that was measured: FILE.svg gives FILE-gflops.svg and so on. */
bool sweep_plot(const struct sweep_points *s, const char *path, bool simulated, struct err *err);

#endif
