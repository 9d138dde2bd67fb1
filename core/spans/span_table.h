/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each kernel takes: spans become rows with calls and time. Every instant is shared by the
 * kernels that run in it, because sums of durations are no time where they overlap. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/spans/span.h"

/* Matches a device's clock with CLOCK_MONOTONIC by what must hold for every command: it was put
 * into its queue during the call, and ended before it was seen to end. */

/* Bounds of host time minus device time, from the commands of one stretch of time. */
struct span_bounds {
	int64_t low, high, since_ns;
	bool any;
};

/* A zero-initialised clock knows nothing. */
struct span_clock {
	struct span_bounds now, before;
};

/* Learns from a command. Returns false when its times contradict each other. */
bool span_clock_learn(struct span_clock *c, const struct span *s);
/* Returns host time minus device time; *doubt_ns is by how much that may be wrong, INT64_MAX while
 * nothing is known. */
int64_t span_clock_offset(const struct span_clock *c, int64_t *doubt_ns);

#define SPAN_ROWS_MAX 4096
#define SPAN_TOLD_MAX (1 << 18) /* more than a ring of spans holds */
#define SPAN_SIZES_MAX 8 /* rows of one kernel by its number of work-items */
/* Clocks of a device and of its reports may be so much apart, even where bounds say less; where one
 * clock stamps both, the host's is matched anew in between. */
#define SPAN_DOUBT_NS (150 * 1000)
#define SPAN_ONE_CLOCK_NS (10 * 1000)

struct span_row {
	char *name; /* heap */
	bool is_kernel;
	uint64_t items; /* of each call; 0: of several sizes, or of what is no kernel */
	uint64_t calls;
	int64_t sum_ns; /* of the durations */
	int64_t own_ns; /* its share of each instant in which it ran */
	int64_t overlap_ns; /* time in which another command ran, too */
	int64_t min_ns, max_ns; /* of a call */
};

/* A command that is told and not yet accounted for; times of the host. */
struct span_told {
	int64_t start_ns, end_ns, doubt_ns; /* doubt_ns: against the reports of the device */
	int row;
	bool left_out; /* it has no share of its time, because too many ran beside it */
};

/* What is known of a queue. */
struct span_queue_state {
	struct span_place place;
	int clock; /* of clocks */
	bool is_of_device; /* it is known to be the device that is counted */
};

/* One device clock, of one program. */
struct span_clock_of {
	uint32_t pid;
	char device[64];
	struct span_clock clock;
};

/* The caller owns it; zero-initialised is empty. */
struct span_table {
	struct span_row *rows; /* heap */
	int n_rows;
	int *by_name; /* heap, open addressing; -1 is free */
	struct span_queue_state *queues; /* heap, by their numbers */
	int n_queues;
	struct span_clock_of *clocks; /* heap */
	int n_clocks;
	struct span_told *told; /* heap */
	size_t n_told, cap_told;
	int64_t begin_ns; /* host time at which the table begins */
	int64_t left_ns, since_ns; /* between them time was left out the last time */
	int64_t settled_ns; /* up to here time is accounted for */
	int64_t busy_ns, idle_ns; /* of the commands of all rows */
	uint64_t spans, lost, nonsense; /* told; that nobody will tell; that made no sense */
	/* have no share of their time, or of much of it: it was accounted for, or there were too
	 * many */
	uint64_t late;
	uint64_t elsewhere; /* spans that are not known to be of the device that is counted */
	char device_pci[16]; /* the device that is counted; "": none is known */
	int64_t keep_from_ns; /* what ends behind it is kept, though it is settled; 0: nothing */
};

/* Begins at a moment of the host's clock, with the rows empty; queues and clocks stay known. */
void span_table_clear(struct span_table *t, int64_t now_ns, const char *device_pci);
void span_table_release(struct span_table *t);
/* Makes a queue known; its number is the next one. */
void span_table_queue(struct span_table *t, const struct span_place *p);
/* Takes a span. Returns where it is in the host's time, NULL: nowhere in that of the table. */
const struct span_told *span_table_add(struct span_table *t, const struct span *s);
/* Says that so many more commands were seen and will not be told. */
void span_table_lose(struct span_table *t, uint64_t n);
/* Accounts for the time up to a moment of the host's clock. What ends later stays. */
void span_table_settle(struct span_table *t, int64_t until_ns);
/* Leaves out the time from where it is settled up to a moment: it is none of the table's. */
void span_table_skip(struct span_table *t, int64_t until_ns);
/* Fills order with the rows by their time, the longest first, kernels before other commands.
 * Returns their number; order has room for n_rows. */
int span_table_order(const struct span_table *t, const struct span_row **order);
