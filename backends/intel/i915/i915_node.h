/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the node of an i915 card reports about the GPU. */
#ifndef BACKENDS_INTEL_I915_I915_NODE_H
#define BACKENDS_INTEL_I915_I915_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/card/drm_node.h"
#include "core/value/device.h"

/* Fills in PCI id, revision, time stamp frequency and topology as the kernel knows them. What it
 * does not report stays as it is, perf_revision too. */
bool i915_node_identify(
	const struct drm_node *n, struct device *d, int *perf_revision, struct err *err);
/* Reads the GPU's time stamp between two readings of CLOCK_MONOTONIC; takes the best of three. */
bool i915_node_correlate(
	const struct drm_node *n, uint64_t *cpu_ns, uint64_t *gpu_timestamp, struct err *err);

#endif
