/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens observation streams of the xe driver. */
#ifndef BACKENDS_INTEL_XE_XE_OA_H
#define BACKENDS_INTEL_XE_XE_OA_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/intel/oa/oa_profile.h"
#include "backends/intel/xe/xe_node.h"

struct xe_oa_request {
	uint32_t unit;
	uint32_t format;		/* xe's property */
	int exponent;			/* of the timer of reports */
};

/* Registers the profile, opens a stream with it, and takes the registration away again. The
 * kernel keeps it for the stream, so nothing is left behind however the program ends. Returns
 * the stream's descriptor, which is non-blocking, or -1; then err names the object, the reason
 * and the way out. */
int xe_oa_open(const struct drm_node *n, const struct oa_profile *p, const struct xe_oa_request *q,
	struct err *err);
/* Makes an open stream count another profile. What it counted before can no longer be read. When it
 * returns false with err, the stream counts the profile that it had, from zero. */
bool xe_oa_reprogram(
	const struct drm_node *n, int stream, const struct oa_profile *p, struct err *err);
/* Opens a stream of EU stall samples and switches it on. Returns the same as xe_oa_open(). */
int xe_stall_open(const struct drm_node *n, const struct xe_facts *f, struct err *err);

#endif
