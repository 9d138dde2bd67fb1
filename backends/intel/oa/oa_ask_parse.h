/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A question to a block of B0 to B7, from words to comparison. Private to oa_ask*.c. */
#ifndef BACKENDS_INTEL_OA_OA_ASK_PARSE_H
#define BACKENDS_INTEL_OA_OA_ASK_PARSE_H

#include "backends/intel/oa/oa_ask.h"

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

#endif
