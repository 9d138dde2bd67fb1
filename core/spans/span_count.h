/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What counters say of single kernels: sums over pairs of reports in which nothing but one kernel
 * ran. Nothing is fitted, and no rate of a window is split up: a kernel that cannot be told so has
 * no number, and a reason. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/spans/span_table.h"
#include "core/value/sample.h"

#define SPAN_PAIRS_MAX 32768

/* Two reports that follow each other; times are of the host. */
struct span_pair {
	int64_t t0_ns, t1_ns;
	enum hw_context_kind kind; /* what the reports say ran between them */
	uint32_t context; /* of HW_CONTEXT_ONE */
	bool after_gap; /* what lies before it was not reported */
};

/* What was counted of a row of the table. */
struct span_counted {
	/* around whole runs: heap, [3 * n_counters] with the two below; how long the kernel ran */
	uint64_t *values;
	int64_t ns;
	/* while it ran all the time: the same, how long these runs were, and their calls */
	uint64_t *inner;
	/* around these stretches: what these calls have done at most, and how long they ran */
	uint64_t *ends;
	int64_t ends_ns, last_end_ns;
	int64_t inner_ns, inner_runs_ns;
	uint64_t inner_pairs, calls;
	int64_t seen_ns; /* the end of the last of these stretches */
};

/* The caller owns it; zero-initialised counts nothing. */
struct span_count {
	int n_counters;
	int busy, clock; /* counters of busy clocks and of all clocks, -1: there is none */
	bool *is_work; /* heap, [n_counters] it grows with what kernels do alone */
	struct span_pair *pairs; /* heap, as they came */
	uint64_t *values; /* heap, [SPAN_PAIRS_MAX][n_counters] */
	int n_pairs;
	struct span_counted *rows; /* heap, by rows of the table */
	int n_rows;
	int64_t first_ns; /* the begin of the first pair: what ran then was not seen to begin */
	int64_t cut_ns; /* where the sums end, also within a run; 0: nowhere yet */
	int64_t last_ns; /* the end of the newest pair */
	int64_t distance_ns; /* the mean between two reports */
	uint64_t seen_pairs;
	int64_t seen_ns;
	uint64_t busy_clocks, idle_busy_clocks; /* all; while no span ran */
	double not_ours_ns; /* the device was busy, and no span ran */
	uint64_t foreign; /* pairs with work of other contexts */
	bool tells_contexts;
	/* what is known of the time, one stretch behind the other: heap */
	struct span_around *around;
	size_t n_around, cap_around;
	/* pairs in which others worked, by enum span_others */
	uint64_t clients[OTHERS_BUSY + 1], engines[OTHERS_BUSY + 1];
};

/* The pairs to come are of that feed. */
void span_count_begin(struct span_count *c, const struct feed *feed, bool tells_contexts);
void span_count_release(struct span_count *c);
/* Takes a pair. Returns true when there is room for no other: span_count_settle() makes it. */
bool span_count_pair(struct span_count *c, const struct span_pair *p, const uint64_t *values);
/* Says what is known of the time since the last call and up to a moment, for which
 * span_count_settle_runs() waits. */
void span_count_around(struct span_count *c, const struct span_around *a);
/* Sums up what lies before a moment of the host's clock. The table must still hold the spans since
 * the oldest pair; nothing of what is told later may lie before that moment. */
void span_count_settle(struct span_count *c, const struct span_table *t, int64_t until_ns);
/* The same where a second or more is waiting, up to where another kernel or a pause begins; what
 * waits behind that is summed up later. */
void span_count_settle_runs(struct span_count *c, const struct span_table *t, int64_t until_ns);
/* Forgets pairs that began before a moment. */
void span_count_drop(struct span_count *c, int64_t before_ns);
/* Returns from when on spans are needed for pairs that are not settled, or still have to come. */
int64_t span_count_needs_ns(const struct span_count *c);

/* Why a kernel has no counted values. */
enum span_why {
	SPAN_COUNTED,
	SPAN_NO_KERNEL,
	SPAN_NO_REPORTS, /* the device has no pairs of reports */
	SPAN_OTHER_DEVICE, /* it is not known to run on the device that is counted */
	SPAN_LOST_SOME, /* commands were not told, and may have run beside it */
	SPAN_UNSEEN, /* the device worked while nobody had a command on it */
	SPAN_FOREIGN, /* others had the device */
	SPAN_ENGINES, /* copies or video ran beside it */
	SPAN_NO_OTHERS, /* neither reports nor clients say whose work is counted, or no engine does */
	SPAN_BESIDE, /* other commands ran beside it */
	SPAN_SIZES, /* it runs in too many sizes to be told apart */
	SPAN_SHORT, /* its runs are too short for the distance of reports */
	SPAN_ENDS, /* its ends differ from its middle, or too much of them was not seen */
};

/* Returns the sums of a row and the time that they are of, or why there are none.
 * unsure[n_counters] says of which counters the ends of its runs may have done more. */
enum span_why span_count_get(const struct span_count *c, const struct span_table *t, int row,
	const uint64_t **values, bool *unsure, int64_t *ns, uint64_t *pairs);
