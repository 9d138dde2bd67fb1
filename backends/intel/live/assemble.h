/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts what a card offers together, piece by piece, to an open device. */
#pragma once

#include "backends/common/backend.h"

/* Opens a stream of a driver and fills d with what the kernel knows. */
typedef struct source *intel_open_fn(
	const char *card, struct device *d, const struct open_options *o, struct err *err);

/* A source that was tried. When source is NULL, refusal says why. */
struct intel_part {
	const char *name;	/* of the check: "i915 perf" */
	const char *gives;
	intel_open_fn *open;	/* NULL: the part opens its source by itself */
	struct source *source;
	struct err refusal;
	struct source *waiting;	/* when refused: takes its place until it is granted, or NULL */
};

/* Fills in what the tables know of the entry's device. The topology stays unknown until the kernel
 * tells it. */
void intel_device_prepare(const struct device_entry *e, struct device *d);
/* Tries to open the OA counters of the device. Whatever stops them, they are tried again when the
 * session says so, once the card is there, awake, and the same one. Returns false when the metric
 * set has a mistake; err says which. */
bool intel_part_oa(struct intel_part *p, struct device *d, const struct open_options *o,
	struct err *err);
/* Does the same for any source that may be refused or delayed. The feed missing has its name and
 * counters, which are known before it is open. */
bool intel_part_stream(struct intel_part *p, struct device *d, const struct open_options *o,
	const struct feed *missing, struct err *err);
/* Notes that the open OA source of a part counts another set now; it is opened again with that
 * one. */
void intel_oa_uses_set(struct source *s, const struct metric_set *set);
/* Puts the sources into the device in the order of the parts, then those that were refused and
 * wait, and adds a check for each part. Returns false when nothing at all can be read; err is the
 * first part's refusal. */
bool intel_device_assemble(
	struct open_device *dev, const struct intel_part *parts, size_t n, struct err *err);

/* The clock limits and the source "freq" (clock and RC6 residency) of a card of either driver, from
 * sysfs files that everybody may read. */

/* Fills min_hz and max_hz of the device: the lowest clock in force, and the highest that the part
 * can do, also where somebody has set a lower one. 0 means unknown. Fills in clock_files. */
void gt_clock_limits(const struct fsroot *fs, const char *card, struct device *d);
/* Opens the source. Returns NULL when none of its files can be read. A file that is missing costs
 * only its own counter. */
struct source *gt_clock_open(const char *card, const struct open_options *o);
