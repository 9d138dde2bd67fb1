/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of the counter blocks. */
#ifndef BACKENDS_MALI_BLOCK_WORDS_H
#define BACKENDS_MALI_BLOCK_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/mali/blocks.h"

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

#endif
