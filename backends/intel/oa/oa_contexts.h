/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of counters by the hardware context that ran: a table of fixed size, so that reading
 * allocates nothing however many contexts there are. */
#pragma once

#include "backends/intel/oa/oa_format.h"
#include "core/value/sample.h"

/* The rows of a window. The first two are those of an idle GPU and of the others; one that nothing
 * has touched is not handed out. */
struct oa_context_rows {
	struct hw_context row[HW_CONTEXTS_MAX];
	uint64_t values[HW_CONTEXTS_MAX][OA_MAX_COUNTERS];
	int n;
};

/* The caller owns the storage. */
struct oa_contexts {
	struct oa_context_rows rows, taken;
	uint64_t touched[HW_CONTEXTS_MAX]; /* by the count of touches, when each row was last */
	uint64_t touches;
	int n_counters;
	int running; /* the row of what runs since the last report, or -1 */
	int chosen; /* the row that is never given to another context, or -1 */
	bool gave_up; /* a context of this window was moved to the others */
};

void oa_contexts_init(struct oa_contexts *c, int n_counters);
/* Keeps the row of this context, whatever else runs. */
void oa_contexts_choose(struct oa_contexts *c, uint32_t id);
/* Says what runs from now on. */
void oa_contexts_run(struct oa_contexts *c, enum hw_context_kind kind, uint32_t id);
/* Says whether that is what runs already. */
static inline bool oa_contexts_is_running(
	const struct oa_contexts *c, enum hw_context_kind kind, uint32_t id)
{
	const struct hw_context *now = &c->rows.row[c->running < 0 ? 0 : c->running];

	return c->running >= 0 && now->kind == kind && (kind != HW_CONTEXT_ONE || now->id == id);
}
/* Adds to what runs the growth of the sums from "from" to "to", which is that of so many
 * differences. */
void oa_contexts_add(
	struct oa_contexts *c, const uint64_t *from, const uint64_t *to, uint64_t reports);
/* Adds it to the others instead, because it cannot be known what ran. */
void oa_contexts_add_unknown(
	struct oa_contexts *c, const uint64_t *from, const uint64_t *to, uint64_t reports);
/* The row of the chosen context in the window that is being gathered. */
const struct hw_context *oa_contexts_chosen(const struct oa_contexts *c);
/* Ends the window: hands out its rows, which stay as they are until the next call, and clears the
 * sums. What ran goes on to run. */
void oa_contexts_take(struct oa_contexts *c, struct sample *out);
