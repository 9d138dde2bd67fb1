/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long each queue of the GPU was busy, for everybody, by the driver's file gpu_stats. */
#ifndef BACKENDS_V3D_QUEUE_SOURCE_H
#define BACKENDS_V3D_QUEUE_SOURCE_H

#include "backends/common/backend.h"

enum v3d_queue {
	V3D_QUEUE_BIN,
	V3D_QUEUE_RENDER,
	V3D_QUEUE_TFU,
	V3D_QUEUE_CSD,
	V3D_QUEUE_CACHE_CLEAN,
	V3D_QUEUE_CPU,
	V3D_QUEUES,
};

/* has: the table has a row for it. Sums since the driver was loaded. */
struct v3d_queue_stats {
	bool has[V3D_QUEUES];
	uint64_t jobs[V3D_QUEUES];
	uint64_t busy_ns[V3D_QUEUES];
	uint64_t timestamp_ns;	/* the kernel's clock when it wrote the table */
};

/* Reads the text of gpu_stats: a head, then "queue timestamp jobs runtime" on each line. Rows of
 * queues that are not known here are passed over. False when it is no such table. */
bool v3d_queue_parse(const char *text, struct v3d_queue_stats *out);
/* NULL with err when there is no such file. */
struct source *v3d_queue_open(const struct device *d, const struct open_options *o, struct err *err);

#endif
