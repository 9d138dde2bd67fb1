/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep runs: curves, and the points of each of them. */
#ifndef CMD_SWEEP_SWEEP_PLAN_H
#define CMD_SWEEP_SWEEP_PLAN_H

#include "cmd/sweep/figures.h"
#include "cmd/load/jobs.h"
#include "cli/kernel_names.h"

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

#endif
