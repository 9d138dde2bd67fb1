/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stretch of time over which all windows of the open device are joined: a command, a job. */
#ifndef SESSION_WINDOW_SUM_H
#define SESSION_WINDOW_SUM_H

#include "backends/backend.h"
#include "core/metric.h"
#include "core/sample_sum.h"
#include "core/value.h"

/* span_init/span_release. */
struct span {
	const struct open_device *dev;
	struct sample_sum sums[DEVICE_MAX_SOURCES];
	struct sample joined[DEVICE_MAX_SOURCES];	/* after span_eval() */
	struct value *values;				/* [set->n_metrics], after span_eval() */
	struct value *ceilings;
	uint64_t windows;
	uint64_t lost;
};

void span_init(struct span *s, const struct open_device *dev, const struct metric_set *set);
void span_release(struct span *s);
/* Forgets what was added. */
void span_clear(struct span *s);
/* samples[i] belongs to source i. No allocation. */
void span_add(struct span *s, const struct sample *samples);
/* Joins the windows and computes the metrics of the binding's set over them. */
void span_eval(struct span *s, struct metric_binding *binding);
/* After span_eval(): a counter of any source per second of that source's own time, in base units; NAN when nobody counts it. */
double span_rate(const struct span *s, const char *counter);

#endif
