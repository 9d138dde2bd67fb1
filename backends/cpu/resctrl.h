/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes between the last caches and memory, as Linux's resctrl counts them for groups of tasks. */
#ifndef BACKENDS_CPU_RESCTRL_H
#define BACKENDS_CPU_RESCTRL_H

#include "backends/common/backend.h"

/* Whether the kernel knows resctrl on this processor: then it has made the folder to mount it on. */
bool resctrl_is_offered(const struct fsroot *fs);
/* A source with the counters of traffic.h, and its row of checks in dev, which has to outlive it. Never
 * NULL: *refusal says why it does not count (ERR_NONE: it does), and retry() looks again. Nothing is
 * mounted and nothing written. */
struct source *resctrl_open(
	const struct fsroot *fs, struct open_device *dev, int64_t now_ns, struct err *refusal);

#endif
