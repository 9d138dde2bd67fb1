/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The custom event counters B0 to B7: in every clock each of eight blocks compares sixteen signals
 * with a value, and its counter counts the clocks in which that holds. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/intel/oa/oa_reg.h"
#include "base/strbuf.h"

#define OA_BOOLEANS 8

enum oa_compare {
	OA_ANY_EQUAL,		/* at least one signal is as in the value */
	OA_GREATER,
	OA_EQUAL,
	OA_GREATER_EQUAL,
	OA_LESS,
	OA_NOT_EQUAL,
	OA_LESS_EQUAL,
	/* The kernel's header has no name for 7. TestOa uses it for a counter of every clock. */
	OA_ALWAYS
};

enum oa_boolean_input {
	OA_INPUT_LANES,		/* what the NOA network of the set brings */
	OA_INPUT_PREVIOUS,	/* the block before; no published set uses it */
	OA_INPUT_OUTPUTS	/* bits 0 to 7: the outputs of all blocks, one clock earlier */
};

/* The two words of a block (Linux, i915_perf_oa_regs.h at 2ef6d3bf4262). Every pair of words is
 * some block, and encodes to itself. */
struct oa_boolean {
	uint8_t compare, input;
	uint16_t value;
	uint16_t ignored;	/* signals that are left out of the comparison, as bits */
	/* Their meaning is not known; nearly all published sets have 0 here. */
	uint16_t negated, considered;
};

struct oa_boolean oa_boolean_decode(uint32_t first, uint32_t second);
void oa_boolean_encode(const struct oa_boolean *b, uint32_t *first, uint32_t *second);

struct oa_booleans {
	struct oa_boolean block[OA_BOOLEANS];
	uint8_t programmed;	/* blocks whose two words were written, as bits */
};

/* Reads the blocks from the registers of a programming. */
struct oa_booleans oa_booleans_of(const struct oa_reg *regs, size_t n, int graphics_ver);
/* Returns the outputs of all blocks after a clock with these lanes; before: those of the clock
 * before. Blocks that are not programmed stay low. */
uint8_t oa_booleans_step(const struct oa_booleans *b, uint8_t before, uint16_t lanes);
/* Returns the blocks, as bits, whose outputs follow from the clock alone: neither from lanes, nor
 * from anything whose meaning is not known. */
uint8_t oa_booleans_of_clock(const struct oa_booleans *b);

/* A share of all clocks: num / den. */
struct oa_share {
	uint16_t num, den;
};

/* Fills in the share of clocks in which each block is high in the long run, while all lanes are
 * low. */
void oa_booleans_shares(const struct oa_booleans *b, struct oa_share shares[OA_BOOLEANS]);
/* Appends in words when a block is high: "lanes 7, 8: any is high". */
void oa_boolean_text(const struct oa_boolean *b, struct strbuf *out);
