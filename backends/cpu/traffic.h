/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory traffic that this machine counts. */
#ifndef BACKENDS_CPU_TRAFFIC_H
#define BACKENDS_CPU_TRAFFIC_H

#include "backends/common/backend.h"

enum traffic_out {
	TRAFFIC_READ,
	TRAFFIC_WRITE,
	TRAFFIC_TOTAL,
	TRAFFIC_GPU,
	TRAFFIC_CPU,
	TRAFFIC_IO,
	TRAFFIC_OUTS
};

/* The counters of each source of that kind, in bytes. */
extern const struct counter_desc traffic_counters[TRAFFIC_OUTS];

/* Whether the kernel knows resctrl on this processor: then it has made the folder to mount it on. */
bool resctrl_is_offered(const struct fsroot *fs);
/* A source with the counters of traffic.h, and its row of checks in dev, which has to outlive it. Never
 * NULL: *refusal says why it does not count (ERR_NONE: it does), and retry() looks again. Nothing is
 * mounted and nothing written. */
struct source *resctrl_open(
	const struct fsroot *fs, struct open_device *dev, int64_t now_ns, struct err *refusal);

#endif
