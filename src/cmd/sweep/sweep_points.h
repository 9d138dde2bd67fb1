/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The points of a sweep, the reader of an earlier run's file, and the pictures made of the
 * points. */
#ifndef CMD_SWEEP_SWEEP_POINTS_H
#define CMD_SWEEP_SWEEP_POINTS_H

#include <stdbool.h>
#include <stddef.h>

#include "cmd/load/power_plane.h"
#include "base/err.h"
#include "base/strbuf.h"

/* The numbers of a point that pictures show, named as their columns. */
enum sweep_value {
	SWEEP_GROUPS,
	SWEEP_ITEMS,
	SWEEP_SIZE,
	SWEEP_LOOP,
	SWEEP_GFLOPS,
	SWEEP_FLOP_PER_CYCLE,
	SWEEP_GBYTES,
	SWEEP_GOPS,
	SWEEP_LATENCY_NS,
	SWEEP_WATTS,
	SWEEP_GFLOPS_PER_W,
	SWEEP_MODEL,
	SWEEP_EVENT_US,
	SWEEP_WALL_US,
	SWEEP_TIMESTAMP_US,
	SWEEP_CYCLES_US,
	SWEEP_SIMD,
	SWEEP_VALUES,
};

struct sweep_point {
	char kernel[48];
	double v[SWEEP_VALUES];	/* NAN where there is none */
};

/* The points are owned; sweep_points_release() frees them. */
struct sweep_points {
	struct sweep_point *p;
	size_t n, cap;
	enum power_plane plane;		/* of SWEEP_WATTS and SWEEP_GFLOPS_PER_W */
};

void sweep_points_release(struct sweep_points *s);
/* Adds a point that has no name and no numbers yet. */
struct sweep_point *sweep_points_add(struct sweep_points *s);
/* Returns the name of a value's column. */
const char *sweep_column(const struct sweep_points *s, enum sweep_value v);
/* What a point is known by. Where a number is 0, any is meant. */
struct sweep_key {
	const char *kernel;
	double groups, size, loop;
};
const struct sweep_point *sweep_find(const struct sweep_points *s, const struct sweep_key *key);
/* Reads the rows of an earlier run. head is the first line that the file must have. A last line
 * that was cut off is left out. kept gets all that may stay in the file. A missing file counts as
 * empty. */
bool sweep_read(struct sweep_points *s, const char *path, const char *head, struct strbuf *kept,
	struct err *err);
/* Within so many rounds of the units, every number of groups is a point. */
#define SWEEP_DENSE_ROUNDS 6
/* How a sweep goes over work-groups. */
struct sweep_shape {
	double units;	/* parts that work on groups independently */
	double full;	/* groups that such a unit holds at once, more than dense */
	double dense;	/* rounds of the units within which every number is a point */
};
/* Returns the number of groups after this one: 1 to dense * units, then full * units, doubled.
 * Returns 0 after the last point, which is where a doubling brought less than 0.2 %, or 1536
 * rounds. */
double sweep_next_groups(
	const struct sweep_shape *shape, double groups, double value, double before);
/* Says on standard error which kernels of a wider type the compiler gave fewer work-items for an
 * instruction than a narrower one. Nothing is said where it is not known. */
void sweep_tell_simd(const struct sweep_points *s);
/* Draws everything that was measured, one file for each picture: FILE.svg gives FILE-gflops.svg and
 * so on. */
bool sweep_plot(const struct sweep_points *s, const char *path, bool simulated, struct err *err);

#endif
