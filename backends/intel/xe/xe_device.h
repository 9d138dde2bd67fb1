/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A card of the xe driver as an open device: OA stream, stall samples and clocks, or what of them
 * may be read. */
#ifndef BACKENDS_INTEL_XE_XE_DEVICE_H
#define BACKENDS_INTEL_XE_XE_DEVICE_H

#include "backends/backend.h"

/* As i915_device_open(). */
bool xe_device_open(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err);

#endif
