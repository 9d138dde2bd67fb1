/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counter blocks of Mali GPUs: which word counts what on which product, and 64-bit sums over dumps.
 * Pure.
 *
 *   A dump of panfrost or of kbase's vinstr is a row of blocks of 64 32-bit words: job manager (or
 * what reads the command streams), tiler, L2 slices, shader cores up to the highest one present.
 * Words 0 and 1 are a time stamp, 2 the mask of groups that were counted. Counting restarts with
 * each dump. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/mali/product.h"
#include "base/err.h"
#include "core/value/counter.h"

/* Words of a block in such a dump, and of the largest block that kinstr_prfcnt gives. */
#define MALI_BLOCK_WORDS 64
#define MALI_MAX_WORDS 128
#define MALI_BLOCK_BYTES 256

enum mali_block { MALI_JM, MALI_TI, MALI_L2, MALI_SC };

/* Plain data. */
struct mali_layout {
	const struct mali_product *product;
	uint64_t shader_present;
	int slices;
	int core_slots;		/* core blocks in a dump: those that are absent have one, too */
	int words;		/* of a block, 64 or 128 */
	size_t bytes;		/* of a dump */
	/* Units in which a word counts, as powers of two, by enum mali_block. */
	uint8_t shift[MALI_SC + 1][MALI_MAX_WORDS];
};

bool mali_layout_init(struct mali_layout *l, const struct mali_identity *id, struct err *err);

/* Counters of a block, in the order of their words. desc and word have room for MALI_MAX_WORDS;
 * returns their number. */
int mali_counters(const struct mali_product *p, enum mali_block block, struct counter_desc *desc,
	uint8_t *word);
/* Returns the word of a counter, or -1 when the product has none of that name. */
int mali_word(const struct mali_product *p, enum mali_block block, const char *name);

#define MALI_MAX_BLOCKS (2 + MALI_MAX_SLICES + MALI_MAX_CORES)

/* Sums over dumps, in what the words' names say. Absent cores stay 0. A zero-initialised struct is empty. */
struct mali_sums {
	uint64_t words[MALI_MAX_BLOCKS][MALI_MAX_WORDS];	/* by mali_sums_row() */
	uint64_t cycles;	/* GPU clocks in the same time, where the driver counts them */
};

/* index: slice, or bit of the core in shader_present; 0 for the others. */
int mali_sums_row(enum mali_block block, int index);
/* Adds more to s word by word, and the cycles too. */
void mali_sums_add(struct mali_sums *s, const struct mali_sums *more);
/* Adds a dump; absent cores and groups that were not counted are passed over. False when it is too
 * short. */
bool mali_sums_add_dump(struct mali_sums *s, const struct mali_layout *l, const void *dump,
	size_t bytes, struct err *err);
/* Adds one block of n 64-bit values (kinstr_prfcnt), as the hardware counts: in the units of the
 * layout. False when the GPU has no such block. */
bool mali_sums_add64(struct mali_sums *s, const struct mali_layout *l, enum mali_block block,
	int index, const uint64_t *values, int n);

/* Const data. */
struct mali_word_row {
	uint8_t block;		/* enum mali_block */
	uint8_t index;
	uint16_t layouts;	/* enum mali_words bits: which layouts have it */
	const char *name;
	bool cycles;		/* counts clocks; else events, beats, instructions */
	uint8_t shift;		/* the word counts in units of 2^shift */
};

extern const struct mali_word_row mali_words[];
extern const int mali_word_count;
