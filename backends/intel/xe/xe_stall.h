/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source "stall" of an xe card: adds up by reason what EU threads wait for. */
#ifndef BACKENDS_INTEL_XE_XE_STALL_H
#define BACKENDS_INTEL_XE_XE_STALL_H

#include "backends/common/backend.h"
#include "backends/intel/xe/xe_node.h"

/* Returns whether the set reads one of these counters. Sampling costs the GPU something, so it is
 * not done for other sets. */
bool xe_stall_wanted(const struct metric_set *set);
/* Opens the source; returns NULL with err. The caller keeps the node. */
struct source *xe_stall_source_open(const struct drm_node *n, const struct xe_facts *f,
	const struct device *d, const struct open_options *o, struct err *err);

#endif
