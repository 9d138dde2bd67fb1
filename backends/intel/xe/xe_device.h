/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens a card of the xe driver as a device: OA stream, stall samples and clocks, or whichever of
 * them may be read. */
#ifndef BACKENDS_INTEL_XE_XE_DEVICE_H
#define BACKENDS_INTEL_XE_XE_DEVICE_H

#include "backends/common/backend.h"

/* Does the same as i915_device_open(). */
bool xe_device_open(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err);

#endif
