/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows of one source joined to one: what a rate over a whole run is computed from. */
#ifndef CORE_SAMPLE_SUM_H
#define CORE_SAMPLE_SUM_H

#include <stdint.h>

#include "core/sample.h"

/* Plain data; zero-initialised is empty. */
struct sample_sum {
	struct sample sample;			/* cumulative counters and times, of the windows that had data */
	double gauge_ns[FEED_MAX_COUNTERS];	/* gauges times the length of their window */
	int64_t missing_ns;			/* windows without data */
	enum why why;				/* of the last of these */
};

/* A window without data only adds to missing_ns: rates are over the time that was measured. */
void sample_sum_add(struct sample_sum *sum, const struct feed *feed, const struct sample *s);
/* The joined window: sums of cumulative counters, means over time of gauges; without instances. Without any data: a sample with the
 * reason. */
void sample_sum_get(const struct sample_sum *sum, const struct feed *feed, struct sample *out);

#endif
