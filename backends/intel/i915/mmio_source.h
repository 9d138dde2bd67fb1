/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source "oa" of an i915 card by its registers: the OA unit is switched on, programmed and
 * polled without the driver. */
#ifndef BACKENDS_INTEL_I915_MMIO_SOURCE_H
#define BACKENDS_INTEL_I915_MMIO_SOURCE_H

#include "backends/common/backend.h"

/* Returns whether registers could be read, from files alone and without touching the device; err
 * says why not. d is the device as listed. */
bool mmio_source_possible(const struct device *d, const struct fsroot *fs, struct err *err);
/* Opens the node and fills what the kernel knows of the device, maps the registers and wakes the
 * GPU. A set that programs something needs writable registers: the OA unit is switched on and
 * programmed, and given back as it was (mmio_guard.h). A set that programs nothing is read without
 * writing, and gets only the counters that always run. Returns NULL with err like
 * i915_stream_open(). */
struct source *mmio_source_open(
	const char *card, struct device *d, const struct open_options *o, struct err *err);

#endif
