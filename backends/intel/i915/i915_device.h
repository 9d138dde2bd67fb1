/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An i915 card as an open device: OA stream and clocks, or what of them may be read. */
#ifndef BACKENDS_INTEL_I915_I915_DEVICE_H
#define BACKENDS_INTEL_I915_I915_DEVICE_H

#include "backends/backend.h"

/* A refused OA stream leaves the device with its clocks; their source is the primary one then, and
 * the counters of the stream say why they are missing. Fails with the stream's refusal when nothing
 * at all can be read. */
bool i915_device_open(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err);
#endif
