/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all sources of OA counters of an i915 card share, however the reports come. */
#ifndef BACKENDS_INTEL_I915_I915_LIVE_H
#define BACKENDS_INTEL_I915_I915_LIVE_H

#include "backends/intel/live/oa_live.h"

/* The first member of such a source's own struct. */
struct i915_live {
	struct oa_live live;
	int perf_revision;	/* of the kernel's interface; 1 where it gives none */
};

/* Opens the card's node and fills d with what the kernel knows, then prepares decoder and feed. how
 * is that of oa_live_decode(). When it returns false, closing the source closes what is open. */
bool i915_live_open(struct i915_live *s, const char *card, struct device *d,
	const struct open_options *o, const char *how, struct err *err);
/* As in struct source_ops. */
bool i915_live_correlate(struct source *src, int64_t now_ns, uint64_t *cpu_ns,
	uint64_t *gpu_timestamp, struct err *err);

#endif
