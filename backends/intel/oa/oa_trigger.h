/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The triggers of the OA unit: start triggers let B and C counters begin to count, report triggers
 * ask for reports beside those of the timer.
 *
 * Layout of the words: Linux, i915_perf_oa_regs.h at 2ef6d3bf4262, for Gen7.5 to Gen11 and Gen12.
 * Each of sixteen inputs selects one of the sixteen NOA lanes and may be inverted (A). Behind them
 * four gates (B), then two (C), then one (D) join them, each with a bit that inverts its output,
 * and a counter of 16 bits compares with a threshold. What the gates are is not written there.
 * Intel's sets tell of the first two: in MemoryReads of Skylake and its neighbours the halves of
 * the report triggers spell, by their inversions, the codes 0x18 to 0x1b on lanes 0 to 6 with lane
 * 8 high, where the blocks of B0 to B7 spell the codes of the other units, and C4 to C7 are the
 * four banks of the L3; in Ext227 of Meteor Lake the first half of a start trigger is "lane 10
 * high, lane 1 low", where the blocks of the other bits of that number are "lane 2 high, lane 1
 * low" and so on. So gates B and C are AND: a half is high when its eight inputs are. What gate D
 * is nobody has shown, so both halves are programmed alike, and then it does not matter. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/intel/oa/oa_reg.h"

#define OA_TRIGGER_INPUTS 16
#define OA_TRIGGER_HALF 8
#define OA_TRIGGER_MAX_THRESHOLD 0xffff

enum oa_trigger_word {
	OA_TRIGGER_THRESHOLD, /* trigger 1 and 5 */
	OA_TRIGGER_CONTROL, /* 2 and 6 */
	OA_TRIGGER_HIGH_LANES, /* 3 and 7: of inputs 8 to 15 */
	OA_TRIGGER_LOW_LANES, /* 4 and 8: of inputs 0 to 7 */
	OA_TRIGGER_WORDS
};

/* A trigger, from its four words. */
struct oa_trigger {
	uint8_t lane[OA_TRIGGER_INPUTS];
	uint16_t inverted_a; /* inputs, as bits */
	uint8_t inverted_b, inverted_c, inverted_d;
	bool has_threshold;
	bool is_enabled; /* report triggers only */
	uint16_t threshold;
	uint16_t edges; /* report triggers only: inputs that are edges, not levels */
};

struct oa_triggers {
	struct oa_trigger start[2], report[2];
	/* triggers whose control word was written, as bits */
	uint8_t has_start, has_report;
};

/* Returns the address of the first word of a trigger; i is 0 or 1. */
uint32_t oa_trigger_address(bool is_report, int i, int graphics_ver);
struct oa_trigger oa_trigger_decode(const uint32_t words[OA_TRIGGER_WORDS]);
void oa_trigger_encode(const struct oa_trigger *t, uint32_t words[OA_TRIGGER_WORDS]);
/* Reads the triggers from the registers of a programming. What was not written is 0. */
struct oa_triggers oa_triggers_of(const struct oa_reg *regs, size_t n, int graphics_ver);

/* Gives a trigger whose output is high while all signals are as they should be; not_all: while they
 * are not. There are one to eight lanes; high says which of them should be high. */
void oa_trigger_look_at(struct oa_trigger *t, uint16_t lanes, uint16_t high, bool not_all);
/* Whether the output follows from the lanes: both halves are alike, and no input is an edge. */
bool oa_trigger_is_known(const struct oa_trigger *t);
/* Returns the lanes that a trigger looks at, as bits. */
uint16_t oa_trigger_lanes(const struct oa_trigger *t);
/* Returns the output for these lanes, of a trigger that is known. */
bool oa_trigger_holds(const struct oa_trigger *t, uint16_t lanes);
/* Whether a start trigger fires at once: it has a threshold of 0, as in Intel's sets. */
bool oa_trigger_is_immediate(const struct oa_trigger *start);
/* Whether a set has a use for a trigger of its own, as some of Intel's have: counters that are not
 * documented count outputs of its gates. A threshold alone is no use. */
bool oa_trigger_is_used(const struct oa_trigger *t);
