/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source "oa" of an i915 card: its OA unit programmed for a metric set and read through the
 * kernel's stream. */
#ifndef BACKENDS_INTEL_I915_I915_STREAM_H
#define BACKENDS_INTEL_I915_I915_STREAM_H

#include "backends/common/backend.h"
#include "backends/intel/i915/i915_node.h"

/* Returns whether this build can read i915 streams at all; that needs libdrm's headers. */
bool i915_is_built_in(void);
/* Opens the node, fills what the kernel knows of the device, registers the set's programming, opens
 * the stream, and takes the registration away again. The kernel keeps it for the stream, so nothing
 * is left behind however the program ends. Returns NULL on failure; err names the object, the
 * reason and the way out. ERR_PARSE and ERR_USAGE are mistakes in the set, everything else is a
 * refusal by the machine. */
struct source *i915_stream_open(
	const char *card, struct device *d, const struct open_options *o, struct err *err);
/* Makes the source count another set: the stream is closed and opened again, so its descriptor may
 * be another one, and the next window begins after the gap. When it returns false with err, the
 * source counts what it did before, or has no stream any more and fails to read. */
bool i915_stream_reprogram(struct source *s, const struct device *d, const struct metric_set *set,
	struct err *err);

#endif
