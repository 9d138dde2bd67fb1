/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sources of a V3D GPU. */
#pragma once

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

/* Appends a source, and the highest clock as a constant, where the firmware answers; else a source
 * of what the kernel tells: temperature, and the alarm of the supply. Appends the checks of
 * both. */
void v3d_firmware_open(struct open_device *dev, const struct open_options *o);

/* Makes the name that equations use of a kernel's name of a counter: "total-" is left out, and what
 * is no letter and no digit becomes '_', so that "QPU-total-idle-clk-cycles" is
 * QPU_idle_clk_cycles. It is cut to size. */
void v3d_counter_name(const char *kernel_name, char *out, size_t size);
/* Counts what the lines "program NAME" of o->set ask for. Where the monitor is refused, err says
 * why, and the source tries again. Returns NULL when the set asks for nothing, or for more than
 * there can be, which err then says. */
struct source *v3d_perfmon_open(
	const struct device *d, const struct open_options *o, struct err *err);
