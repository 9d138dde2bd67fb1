/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of Bifrost, Valhall and fifth generation GPUs, and what a driver reports about one. Pure. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "core/value/device.h"

#define MALI_MAX_SLICES 16	/* MEM_FEATURES has four bits for it */
#define MALI_MAX_CORES 32	/* the largest GPU of these families */

/* Layouts of counter blocks; the first ones are Bifrost's. */
enum mali_words {
	MALI_WORDS_G71 = 1 << 0,	/* the texture unit counts threads; later ones count quads */
	MALI_WORDS_G51 = 1 << 1,
	MALI_WORDS_G76 = 1 << 2,	/* warps of eight threads, and two counters about them; G52 too */
	MALI_WORDS_G52 = 1 << 3,
	MALI_WORDS_G31 = 1 << 4,
	MALI_WORDS_G77 = 1 << 5,
	MALI_WORDS_G78 = 1 << 6,
	MALI_WORDS_G710 = 1 << 7,	/* from here on: command streams instead of a job manager */
	MALI_WORDS_G715 = 1 << 8,	/* from here on: 128 words in a block */
	MALI_WORDS_G720 = 1 << 9,
	MALI_WORDS_G725 = 1 << 10,
	MALI_WORDS_G1 = 1 << 11,
};

/* Const data. */
struct mali_product {
	const char *platform;	/* "g72": key of metric sets */
	const char *name;	/* "Mali-G72" */
	uint16_t id;		/* GPU_ID >> 16, architecture major and product major alone */
	uint16_t words;		/* enum mali_words, of one layout */
	uint8_t warp_threads;
	uint8_t engines;	/* per core; 0: CORE_FEATURES tells */
	/* engines for each value of CORE_FEATURES [3:0], a digit each, "-" for what is no variant;
	 * NULL: it is the number itself */
	const char *variants;
	/* of a single core with THREAD_FEATURES 0x2000 registers; 0: the same */
	uint8_t lone_engines;
	uint16_t tile_bits;	/* colour storage of a pixel in the tile memory */
	uint16_t fma_lanes;	/* multiply-adds of a core in a clock; 0: not known, or engines times warp */
	const char *source;
};

static inline bool mali_is_bifrost(const struct mali_product *p)
{
	return p->words < MALI_WORDS_G77;
}

extern const struct mali_product mali_products[];
extern const int mali_product_count;

/* Finds a product by a 32-bit GPU_ID register. Returns NULL when it is none of them. */
const struct mali_product *mali_product_by_id(uint32_t gpu_id);

/* What drivers report, in the format of the registers. Plain data. */
struct mali_identity {
	uint32_t gpu_id;
	uint64_t shader_present;	/* bit per core; may have holes */
	int slices;			/* of the L2 cache */
	/* [7:0] log2 line, [23:16] log2 bytes of a slice, [31:24] log2 bits of the external bus */
	uint32_t l2_features, core_features, thread_features;
	int engines;			/* 0: not told, to be found from the above */
	uint64_t max_hz;		/* 0: unknown */
};

/* The product, when rooftop has tables for it and the driver's figures make sense; else NULL with
 * err. */
const struct mali_product *mali_identity_check(const struct mali_identity *id, struct err *err);
/* Fills name, platform, generation, clocks and constants; id and driver stay. False as above. */
bool mali_device_fill(struct device *d, const struct mali_identity *id, struct err *err);
/* Returns the execution engines per core by the registers, or 0 when they do not say. */
int mali_engines(const struct mali_product *p, const struct mali_identity *id);
