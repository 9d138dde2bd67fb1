/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joins windows of one source into one, from which rates over a whole run are computed. */
#pragma once

#include <stdint.h>

#include "core/value/sample.h"

/* Use sample_sum_init() and sample_sum_release(). */
struct sample_sum {
	const struct feed *feed;
	int n_counters, n_instances;	/* of the feed when the sum began: its arrays have these */
	struct sample sample;		/* times and quality of the windows that had data */
	/* [1 + n_instances][n_counters], cumulative counters: the sum over all, then each
	 * instance */
	uint64_t *counts;
	/* as counts, for gauges: value times length of the window; for totals: the last value */
	double *gauge_ns;
	int64_t *have_ns;		/* as counts: for how long there was a number */
	/* [n_counters] why a counter had no number, from the last such window; sample_sum_get()
	 * hands it out */
	enum why *whys;
	/* [n_instances][n_counters] for sample_sum_get() to hand out; NULL without instances */
	uint64_t *instances;
	struct code_table code;		/* where the feed tells by instruction */
	struct code_list code_list;	/* for sample_sum_get() to hand out */
	int64_t missing_ns;		/* windows without data */
	enum why why;			/* of the last of these */
};

void sample_sum_init(struct sample_sum *sum, const struct feed *feed);
void sample_sum_release(struct sample_sum *sum);
/* Forgets what was added. */
void sample_sum_clear(struct sample_sum *sum);
/* Adds a window. One without data only adds to missing_ns, since rates are over the time that was
 * measured. One that the source repeats (SAMPLE_HELD) is not added again. A feed that has got other
 * counters since sample_sum_init() gives no data. It does not allocate. */
void sample_sum_add(struct sample_sum *sum, const struct sample *s);
/* Returns the joined window: sums of cumulative counters, means over time of gauges, the last value
 * of totals. Without any data it is a sample with the reason. When a counter had a number in some
 * windows only, its rate is taken to be the same in the others. A counter without any has its
 * reason in whys, and an instance SAMPLE_NONE. instances and whys are valid until the next call. */
void sample_sum_get(struct sample_sum *sum, struct sample *out);
