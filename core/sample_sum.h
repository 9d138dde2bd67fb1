/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows of one source joined to one: what a rate over a whole run is computed from. */
#ifndef CORE_SAMPLE_SUM_H
#define CORE_SAMPLE_SUM_H

#include <stdint.h>

#include "core/sample.h"

/* sample_sum_init/sample_sum_release. */
struct sample_sum {
	const struct feed *feed;
	struct sample sample;		/* times and quality of the windows that had data */
	/* [1 + n_instances][n_counters], cumulative counters: all, then each instance */
	uint64_t *counts;
	/* the same for gauges, times the length of their window; the last of totals */
	double *gauge_ns;
	int64_t *have_ns;		/* the same: for how long there was a number */
	/* [n_counters] why there was none, of the last such window; as sample_sum_get() hands them
	 * out */
	enum why *whys;
	/* [n_instances][n_counters] as sample_sum_get() hands them out, NULL without instances */
	uint64_t *instances;
	int64_t missing_ns;		/* windows without data */
	enum why why;			/* of the last of these */
};

void sample_sum_init(struct sample_sum *sum, const struct feed *feed);
void sample_sum_release(struct sample_sum *sum);
/* Forgets what was added. */
void sample_sum_clear(struct sample_sum *sum);
/* A window without data only adds to missing_ns: rates are over the time that was measured. One
 * that the source repeats (SAMPLE_HELD) is not added again. No allocation. */
void sample_sum_add(struct sample_sum *sum, const struct sample *s);
/* The joined window: sums of cumulative counters, means over time of gauges, the last of totals.
 * Without any data: a sample with the reason. A counter that had a number in some windows only is
 * taken to have gone on in the others as in these; one without any has its reason in whys, an
 * instance SAMPLE_NONE. instances and whys are valid until the next call. */
void sample_sum_get(struct sample_sum *sum, struct sample *out);

#endif
