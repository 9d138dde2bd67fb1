/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places in a recording, in ticks since its first report, as host time and as GPU time stamps. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/record/record_file.h"

/* Caller-owned; init/release. */
struct timeline {
	uint64_t hz;
	int64_t origin_ns;		/* host time of tick 0 where the file has no correlation */
	uint64_t first_gpu;		/* GPU time stamp of tick 0 */
	struct rec_correlation *points;	/* ticks and cpu_ns both rise */
	size_t n_points;
};

/* hz within 1 kHz to 4 GHz. Correlations that do not rise are left out. */
void timeline_init(struct timeline *t, const struct rec_reader *r, uint64_t hz, int64_t origin_ns);
void timeline_release(struct timeline *t);
/* Returns how long so many ticks take by the GPU's clock. */
int64_t timeline_elapsed_ns(const struct timeline *t, int64_t ticks);
/* Converts elapsed time back to ticks. */
int64_t timeline_ticks(const struct timeline *t, int64_t elapsed_ns);
/* CPU time: interpolated between correlations and beyond their ends; with a single one by the
 * nominal frequency. */
int64_t timeline_host_ns(const struct timeline *t, int64_t ticks);
/* Returns the GPU time stamp: 36 bits, as register 0x2358 gives it. */
uint64_t timeline_gpu(const struct timeline *t, int64_t ticks);
