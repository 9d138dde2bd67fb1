/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cards of xe: how they are opened, and their streams. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "backends/common/backend.h"
#include "backends/intel/oa/oa_profile.h"
#include "backends/intel/xe/xe_node.h"

/* Does the same as i915_device_open(). */
bool xe_device_open(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err);

/* Opens the stream. The node is open and identified; the stream takes it over, and closes it on
 * failure. Returns NULL on failure; err names the object, the reason and the way out. ERR_PARSE and
 * ERR_USAGE are mistakes in the set, everything else is a refusal by the machine. */
struct source *xe_stream_open(struct drm_node *n, const struct xe_facts *f, const struct device *d,
	const struct open_options *o, struct err *err);
/* Makes the stream count another set. When it returns false with err, the stream counts what it did
 * before. */
bool xe_stream_reprogram(struct source *s, const struct device *d, const struct metric_set *set,
	struct err *err);

/* Returns whether the set reads one of these counters. Sampling costs the GPU something, so it is
 * not done for other sets. */
bool xe_stall_wanted(const struct metric_set *set);
/* Opens the source; returns NULL with err. The caller keeps the node. */
struct source *xe_stall_source_open(const struct drm_node *n, const struct xe_facts *f,
	const struct device *d, const struct open_options *o, struct err *err);

/* Opens observation streams of the xe driver. */

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
