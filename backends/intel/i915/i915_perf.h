/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens i915 perf streams with a programming of their own. */
#ifndef BACKENDS_INTEL_I915_I915_PERF_H
#define BACKENDS_INTEL_I915_I915_PERF_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/intel/i915/i915_node.h"
#include "backends/intel/oa/oa_profile.h"
#include "base/log.h"

struct i915_perf_request {
	int format;			/* i915 number */
	/* of the timer of reports; -1: none. It is raised to what this process may have */
	int exponent;
	uint64_t timestamp_hz;
	/* on Gen11 all of this stays switched on; NULL: the kernel chooses */
	const struct topology *whole;
	/* how often the kernel looks for reports; 0: the kernel chooses */
	uint64_t poll_period_ns;
	/* only this context is counted, and nothing goes to the OA buffer (Gen12 OAR) */
	bool has_context;
	uint32_t context;
	struct log *log;		/* where a lowered rate is noted, or NULL */
};

/* Lets an open stream count another profile from some moment soon on (revision 2 and up). When it
 * returns false, the stream counts what it did before. */
bool i915_perf_reconfigure(
	const struct drm_node *n, int stream, const struct oa_profile *p, struct err *err);
/* Registers the profile, opens a stream with it, and takes the registration away again. The
 * kernel keeps it for the stream, so nothing is left behind however the program ends. Returns
 * the stream's descriptor, which is non-blocking, or -1; then err names the object, the reason
 * and the way out. */
int i915_perf_open(const struct drm_node *n, const struct oa_profile *p,
	struct i915_perf_request *q, struct err *err);

#endif
