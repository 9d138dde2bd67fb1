/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a card offers, piece by piece, put together to an open device. */
#ifndef BACKENDS_INTEL_LIVE_ASSEMBLE_H
#define BACKENDS_INTEL_LIVE_ASSEMBLE_H

#include "backends/backend.h"

/* One source that was tried. source NULL: refusal says why. */
struct intel_part {
	const char *name;	/* of the check: "i915 perf" */
	const char *gives;
	struct source *source;
	struct err refusal;
	struct source *waiting;	/* when refused: stands in its place until it is granted, or NULL */
	/* when refused and nothing waits: name and counters of the closed source in its place;
	 * NULL: none */
	const char *feed;
	const struct counter_desc *counters;
	int n_counters;
};

/* Opens a stream of a driver. d is filled with what its kernel knows. */
typedef struct source *intel_open_fn(
	const char *card, struct device *d, const struct open_options *o, struct err *err);

/* What the tables know of the entry's device; the topology stays unknown until the kernel tells
 * it. */
void intel_device_prepare(const struct device_entry *e, struct device *d);
/* Tries to open the OA counters of the device; whatever stops them, they are tried again when app
 * says so, as soon as the card is awake, there, and the same. False: a mistake in the metric set,
 * err says which. */
bool intel_part_oa(struct intel_part *p, struct device *d, const struct open_options *o,
	intel_open_fn *open, struct err *err);
/* The same for any source that a refusal may end or delay: its name and counters are known
 * before. */
bool intel_part_stream(struct intel_part *p, struct device *d, const struct open_options *o,
	intel_open_fn *open, const char *name, const struct counter_desc *counters, int n,
	struct err *err);
/* The open OA source of a part counts another set now: the one that it is opened with again. */
void intel_oa_uses_set(struct source *s, const struct metric_set *set);
/* Sources in the order of the parts, then what was refused and waits or has counters; a check for
 * each. False when nothing at all can be read: err is the first part's refusal. */
bool intel_device_assemble(
	struct open_device *dev, const struct intel_part *parts, size_t n, struct err *err);

#endif
