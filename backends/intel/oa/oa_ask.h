/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a set asks of blocks of B0 to B7 that are free in it, "program B6 any(B0, B1, !B2)", and
 * of the triggers of the OA unit. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "backends/intel/oa/oa_boolean.h"
#include "backends/intel/oa/oa_profile.h"
#include "base/err.h"
#include "core/metric/metric.h"
#include "core/metric/metric_extend.h"

struct intel_platform;

/* The file that directives name which --boolean has added. */
#define OA_ASK_OPTION "--boolean"

/* How counters B0 to B7 and C0 to C7 come about in a programming. A counter that belongs to no
 * block counts a lane: Bn the lane n, Cn the lane 8 + n. That is inferred, as noa.h says. */
struct oa_blocks {
	struct oa_booleans booleans;
	/* B counters that count the output of their block: bits 31:28 of start triggers 2 and 6 */
	uint8_t by_block;
	bool has_lanes; /* NOA registers bring signals to the lanes */
};

/* Reads them from the registers. */
struct oa_blocks oa_blocks_of(const struct oa_profile *p, int graphics_ver);

/* Whether a directive "program" is about a block. */
bool oa_ask_is(const struct set_directive *d);
/* Appends the registers of all such lines to those of the set. Refused are: hardware without these
 * blocks, or whose reports do not count clocks; blocks that the set uses, with who uses them;
 * signals that the set does not have; loops of blocks. Signals are outputs of
 * blocks (B0), lanes (L0 to L15), and metrics and counters that count one of these. */
bool oa_ask_program(struct oa_profile *p, const struct metric_set *set,
	const struct intel_platform *platform, struct err *err);
/* Parses the option's "B6=any(B0,B1)" as far as no device is needed; writes the directive's words
 * ("B6 any(B0,B1)"). */
bool oa_ask_option(const char *text, char *words, size_t size, struct err *err);
/* Whether blocks and triggers of such GPUs have known registers, and reports that tell of them. */
bool oa_ask_knows(const struct intel_platform *p);
/* What a set asks for, and why GPUs that are not known cannot do it. */
struct oa_asking {
	const char *on_xe2, *on_haswell, *on_others;
};
/* Refuses a set that asks such a GPU. */
bool oa_ask_check_platform(const struct metric_set *set, const struct intel_platform *platform,
	const struct oa_asking *a, struct err *err);
/* Returns the only B or C counter that the metric's equation reads, or NULL. */
const char *oa_ask_counter_of(const struct metric_set *set, const struct metric *m);

/* What --report-every and --start-when ask of the triggers of the OA unit. */

#define OA_TRIGGER_KEY "trigger" /* of the directives */
#define OA_REPORT_OPTION "--report-every"
#define OA_START_OPTION "--start-when"

/* Parses "N:SIGNALS", such as "1000:L3" or "1:all(L3,!L4)", as far as no device is needed; writes
 * the directive's words ("report 1000:L3" or "start 1000:L3"). */
bool oa_trigger_option(bool is_report, const char *text, char *words, size_t size, struct err *err);
/* Changes the registers of the set for each directive of the key. Refused are: hardware whose
 * triggers have no known layout, sets without signals on lanes, triggers that the set uses itself,
 * more than two report triggers, more than one start trigger, and what the gates cannot join. */
bool oa_trigger_program(struct oa_profile *p, const struct metric_set *set,
	const struct intel_platform *platform, struct err *err);

/* Adds what options ask, in the words of oa_ask_option() and oa_trigger_option(), to a set that has
 * its body. Returns false, with the set as it was, when the device cannot do that with this set. */
bool oa_ask_add(struct metric_set *set, const struct device *d, const struct metric_wish *wishes, int n,
	oa_config_fn *config, struct err *err);
/* Gives each question that no metric reads a metric, named by its words, and explains the inputs B0
 * to B7 and C0 to C7 by lanes and comparison. Does nothing with other devices than Intel's, or when
 * the set cannot be programmed: its opening says why. */
void oa_ask_describe(struct metric_set *set, const struct device *d, oa_config_fn *config);

/* A question to a block of B0 to B7, from words to comparison. Private to oa_ask*.c. */

/* What names mean. Without a set every name is taken for an output. */
struct oa_asker {
	const struct metric_set *set;
	const struct oa_blocks *blocks; /* of the set's own registers */
	uint8_t asked; /* blocks that questions of the set program, as bits */
};

enum verb { VERB_ANY, VERB_ALL, VERB_NUMBER, VERBS };

struct oa_question {
	enum verb verb;
	struct oa_boolean words;
	/* its signals, and those that should be high, as bits */
	uint16_t kept, high;
	int n;
	bool inferred; /* a signal is the lane of a counter without a block */
};

/* Parses "[!]any(SIGNAL, ...)", all, at_least(N, ...), "number(SIGNAL, ...) >= N", or a signal
 * alone. The message says what is wrong, not where. */
bool oa_ask_parse(const struct oa_asker *a, const char *s, struct oa_question *q, struct err *err);
/* Whether it is B0 to B7 or C0 to C7. */
bool oa_ask_is_b_or_c(const char *name);
/* Returns the first metric that reads the counter, leaving out those of one file; that may be
 * NULL. */
const struct metric *oa_ask_reader(
	const struct metric_set *set, const char *counter, const char *but_file);
