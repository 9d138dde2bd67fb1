/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each hardware context did in a window: its share of the GPU, and the metrics of the set,
 * evaluated on what was counted while it ran. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/metric/metric.h"
#include "core/value/sample.h"
#include "core/value/value.h"

/* The metrics that tables show, as far as the set has them. */
enum context_column {
	CONTEXT_ACTIVE, /* share of time in which execution units work */
	CONTEXT_FLOP, /* FLOP per cycle */
	CONTEXT_BYTES, /* traffic at the outermost level that the set counts */
	CONTEXT_COLUMNS
};

struct context_row {
	enum hw_context_kind kind;
	uint32_t id; /* of HW_CONTEXT_ONE */
	bool whole; /* as in struct hw_context */
	double share; /* of the GPU's clocks in the window, 0 to 1; NAN: there were none */
	double switches_hz; /* how often it began to run, per second of the window */
	uint64_t reports;
	int64_t ran_ns; /* how long it ran */
	/* [set->n_metrics] The rates are per second of its own time. Metrics of other sources than
	 * the first have none, because those do not count by context. */
	const struct value *values;
};

/* Rows of contexts by their share, the largest first; then the others, then the idle GPU. The
 * caller owns the struct; one that is zero-initialised is empty. */
struct context_table {
	enum why why; /* WHY_UNSUPPORTED: the source does not tell contexts apart */
	const struct metric_set *set; /* of the values */
	int columns[CONTEXT_COLUMNS]; /* metrics of the set, or -1 */
	struct context_row rows[HW_CONTEXTS_MAX];
	int n;
	struct value *values; /* [HW_CONTEXTS_MAX][room] */
	struct value *ceilings; /* [room], of the row that was evaluated last */
	int room;
};

/* Makes room for a set of so many metrics; when it has to grow, it is empty afterwards. */
void context_table_reserve(struct context_table *t, int n_metrics);
void context_table_release(struct context_table *t);
/* Fills the table from the first source's sample. scratch has room for the binding's samples. It
 * leaves the last row's inputs in the binding, so the whole window is to be evaluated after it. It
 * does not allocate. */
void context_table_eval(struct context_table *t, struct metric_binding *b,
	const struct sample *first, struct sample *scratch);
/* Writes "0x1a2b", "idle" or "others", which is not translated. */
const char *context_name(const struct context_row *r, char *buf, size_t size);
