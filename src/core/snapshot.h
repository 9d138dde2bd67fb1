/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All values of one refresh; the only thing that ui and writers see. */
#ifndef CORE_SNAPSHOT_H
#define CORE_SNAPSHOT_H

#include <stdint.h>

#include "core/device.h"
#include "core/metric.h"
#include "core/sample.h"
#include "core/value.h"
#include "core/verdict.h"

/* Read-only after filling. Arrays have set->n_metrics (values, ceilings) and set->n_inputs (inputs) elements. */
struct snapshot {
	uint64_t seq;		/* 1 is the first complete window */
	int64_t mono_ns;	/* end of the window */
	int64_t wall_ns;
	int64_t window_ns;	/* of the primary (first) source, by its own clock */
	uint32_t quality;	/* enum sample_quality bits, over all sources */
	uint64_t reports;
	uint64_t lost;		/* loss events inside this window */
	uint64_t lost_total;	/* since opening */
	const struct device *device;
	const struct metric_set *set;
	struct value *values;
	struct value *ceilings;
	struct expr_input *inputs;
	struct verdict verdict;
	char status[160];	/* what the source says of itself: the simulated load's phase, the position in a recording; may be empty */
};

void snapshot_init(struct snapshot *s, const struct device *device, const struct metric_set *set);
void snapshot_release(struct snapshot *s);

#endif
