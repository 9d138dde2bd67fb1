/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens i915 perf streams with a programming of their own. */
#ifndef BACKENDS_INTEL_I915_I915_PERF_H
#define BACKENDS_INTEL_I915_I915_PERF_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/intel/i915/i915_device.h"
#include "backends/intel/oa/oa_profile.h"
#include "base/log.h"

struct i915_perf_request {
	int format;			/* i915 number */
	/* of the timer of reports; -1: none. It is raised to what this process may have */
	int64_t longest_ns;	/* that a period may be: oa_longest_period_ns() */
	int exponent;
	uint64_t timestamp_hz;
	/* on Gen11 all of this stays switched on; NULL: the kernel chooses. It becomes NULL, and
	 * halved true, when the kernel refuses it */
	const struct topology *whole;
	bool halved;
	/* how often the kernel looks for reports; 0: the kernel chooses */
	uint64_t poll_period_ns;
	/* only this context is counted, and nothing goes to the OA buffer (Gen12 OAR) */
	bool has_context;
	uint32_t context;
	struct log *log;		/* where a lowered rate is noted, or NULL */
};

/* What a user has to know when halved is true. */
extern const char i915_perf_halved[];

/* Registers the profile, opens a stream with it, and takes the registration away again. The
 * kernel keeps it for the stream, so nothing is left behind however the program ends. Returns
 * the stream's descriptor, which is non-blocking, or -1; then err names the object, the reason
 * and the way out. */
int i915_perf_open(const struct drm_node *n, const struct oa_profile *p,
	struct i915_perf_request *q, struct err *err);
/* Does the same in place of an open stream (-1: none), which is closed first because there is room
 * for one. The CONFIG ioctl would leave it open, but it returns before its registers are written,
 * and on Gen8 to Gen11 it never reaches the flexible counters of a context that is busy; only
 * opening a stream waits for all of them (Linux i915_perf.c, i915_perf_config_locked() and
 * i915_perf_stream_enable_sync()). When the programming is refused, the stream stays as it is;
 * when opening fails afterwards, *stream is -1. */
bool i915_perf_replace(const struct drm_node *n, int *stream, const struct oa_profile *p,
	struct i915_perf_request *q, struct err *err);

#endif
