/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples of kinstr_prfcnt as they lie in the mapping: lists of items, which say where the values
 * of each block are. Pure. */
#ifndef BACKENDS_MALI_KINSTR_SAMPLES_H
#define BACKENDS_MALI_KINSTR_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/mali/blocks.h"
#include "base/err.h"

struct kinstr_samples {
	char name[32];			/* "mali0", for messages */
	struct mali_layout layout;
	uint32_t item_bytes, map_bytes;
	const uint8_t *map;
};

/* Adds the sample whose list begins at that offset of the mapping to sums, and its time to
 * *window_ns. False: it does not follow the format, or the driver has lost it; part of it may have
 * been added. */
bool kinstr_samples_add(const struct kinstr_samples *k, uint64_t offset, struct mali_sums *sums,
	int64_t *window_ns, struct err *err);

#endif
