/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep runs: its points, and what each of them gave. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "cmd/sweep/figures.h"
#include "cmd/load/jobs.h"
#include "cli/kernel_names.h"
#include "base/err.h"
#include "base/strbuf.h"

/* What is different from point to point, in the order of sweep_over_words. */
enum sweep_over {
	OVER_GROUPS,
	OVER_TPB,
	OVER_LOOP,
	/* These three are parts of kernels' names, so that each kernel is one point. */
	OVER_SIZE,
	OVER_STRIDE,
	OVER_INTENSITY,
	OVER_COUNT
};

/* What the options --over and --figures say. */
struct sweep_wish {
	enum sweep_over over;
	const struct paper *paper;	/* NULL without --figures */
	char *const *numbers;		/* figures of the paper; none: all */
	int n_numbers;
};

/* One kernel whose points are run one after the other. */
struct sweep_curve {
	char kernel[48];
	uint64_t loop;		/* 0: the runner's choice */
};

/* The curves are owned; sweep_plan_release() frees them. */
struct sweep_plan {
	enum sweep_over over;
	struct sweep_curve *curves;
	size_t n, cap;
};

/* Returns what the options ask a sweep to go over. */
enum sweep_over sweep_over_of(const struct options *o);
/* Returns the column of the results that the points of a sweep differ in. */
const char *sweep_over_column(enum sweep_over over);
/* Makes the plan of kernels that were picked (by name, or the defaults). loop is that of the
 * options. A kernel that has nothing of what the sweep goes over is refused. */
bool sweep_plan_kernels(struct sweep_plan *p, enum sweep_over over, const struct kernel_names *pick,
	uint64_t loop, struct err *err);
/* Makes the plan of a paper's figures. Kernels that the device does not support are left out. */
bool sweep_plan_figures(struct sweep_plan *p, const struct sweep_wish *w,
	const struct kernel_info *kernels, size_t n, struct err *err);
/* Whether a figure is one of those that the command line names, or it names none. */
bool sweep_wants_figure(const struct sweep_wish *w, const struct figure *f);
void sweep_plan_release(struct sweep_plan *p);
/* Returns the kernels of a sweep that names none, ended by NULL. */
const char *const *sweep_default_kernels(enum sweep_over over);

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
/* Reads the file of an earlier run, which must begin with head. A last line that was cut off is left
 * out. kept gets all that may stay in the file. A missing file counts as empty. */
bool sweep_read(const char *path, const char *head, struct strbuf *kept, struct err *err);
/* Adds the point of a row of that file. Returns false where no sweep can have written it. */
bool sweep_take(struct sweep_points *s, const struct csv_table *t, size_t row);
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
