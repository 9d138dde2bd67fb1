/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source "dram" of cpu0 and of processor graphics: what the memory controllers count, else what the
 * last caches do. */
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

#endif
