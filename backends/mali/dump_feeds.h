/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counter blocks of a GPU as three feeds: front end (job manager and tiler), shader cores, L2
 * slices. Pure. */
#ifndef BACKENDS_MALI_DUMP_FEEDS_H
#define BACKENDS_MALI_DUMP_FEEDS_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/mali/blocks.h"
#include "core/metric/metric.h"
#include "core/value/sample.h"

enum mali_feed_id { MALI_FEED_FRONT, MALI_FEED_CORE, MALI_FEED_L2, MALI_FEEDS };

/* counters, names and rows belong to feed, so it must not be copied. */
struct mali_feed {
	struct feed feed;
	struct counter_desc counters[FEED_MAX_COUNTERS];
	struct {
		uint8_t block, word;
	} at[FEED_MAX_COUNTERS];
	char names[MALI_MAX_CORES][CELL_NAME_SIZE];
	int unit[MALI_MAX_CORES];	/* index of the block behind an instance */
	uint64_t rows[MALI_MAX_CORES * FEED_MAX_COUNTERS];
	enum why whys[FEED_MAX_COUNTERS];
};

/* how: as in struct feed. has_cycles: the sums' cycles are counted; else GPU_CYCLES is offered to
 * nobody. */
void mali_feed_init(struct mali_feed *f, enum mali_feed_id id, const struct mali_layout *l,
	const char *how, bool has_cycles);
/* Writes values and instances of the sample. Instances stay valid until the next call. A driver that
 * was opened again may have no cycles any more (has_cycles). */
void mali_feed_fill(struct mali_feed *f, const struct mali_sums *sums, bool has_cycles,
	struct sample *out);

#endif
