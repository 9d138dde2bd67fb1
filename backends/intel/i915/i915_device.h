/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens an i915 card as a device: OA stream and clocks, or whichever of them may be read. */
#ifndef BACKENDS_INTEL_I915_I915_DEVICE_H
#define BACKENDS_INTEL_I915_I915_DEVICE_H

#include "backends/common/backend.h"

/* A refused OA stream leaves the device with its clocks. Then their source is the primary one, and
 * the counters of the stream say why they are missing. Fails with the stream's refusal when nothing
 * at all can be read. */
bool i915_device_open(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err);
#endif
