/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a card offers, piece by piece, put together to an open device. */
#ifndef BACKENDS_INTEL_PARTS_H
#define BACKENDS_INTEL_PARTS_H

#include "backends/backend.h"

/* One source that was tried. source NULL: refusal says why. */
struct intel_part {
	const char *name;	/* of the check: "i915 perf" */
	const char *gives;
	struct source *source;
	struct err refusal;
	const char *feed;	/* when refused: name and counters of the closed source in its place; NULL: none is wanted */
	const struct counter_desc *counters;
	int n_counters;
};

/* What the tables know of the entry's device; the topology stays unknown until the kernel tells it. */
void intel_device_prepare(const struct device_entry *e, struct device *d);
/* A mistake in the metric set is the user's to mend; a refusal by the machine leaves the rest of the device. */
bool intel_is_refusal(const struct err *err);
/* Lets a refused part stand for the OA counters of the device. counters: OA_MAX_COUNTERS, alive until the device is assembled. */
void intel_part_closed_oa(struct intel_part *p, const struct device *d, struct counter_desc *counters);
/* Sources in the order of the parts, then what was refused and has counters; a check for each. False when nothing at all can be
 * read: err is the first part's refusal. */
bool intel_device_assemble(struct open_device *dev, const struct intel_part *parts, size_t n, struct err *err);

#endif
