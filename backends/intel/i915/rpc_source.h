/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source "oa" of an i915 card by MI_REPORT_PERF_COUNT: a small batch asks the command streamer
 * for a report, before and after the work that is measured. */
#ifndef BACKENDS_INTEL_I915_RPC_SOURCE_H
#define BACKENDS_INTEL_I915_RPC_SOURCE_H

#include "backends/common/backend.h"

/* Returns whether the command streamer's reports can be used at all; err says why not. */
bool rpc_source_possible(const struct device *d, const struct fsroot *fs, struct err *err);
/* Opens the node, fills what the kernel knows of the device, opens a stream that gives no reports
 * of its own but keeps the unit programmed for the set, and makes the batch. Before Gen12 the
 * counters are those of the whole GPU. From Gen12 on the command streamer has a unit of its own
 * (OAR) that counts this program's context only. Returns NULL with err like i915_stream_open(). */
struct source *rpc_source_open(
	const char *card, struct device *d, const struct open_options *o, struct err *err);

#endif
