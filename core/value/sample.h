/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one source gathered in one interval, and what it can deliver at all. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "core/value/code_table.h"
#include "core/value/counter.h"
#include "core/value/value.h"

enum sample_quality {
	/* the hardware or kernel dropped reports inside this window */
	SAMPLE_LOST = 1 << 0,
	/* the window is incomplete (the first one, or after a gap such as suspend) */
	SAMPLE_PARTIAL = 1 << 1,
	/* the buffer was lost: counting restarted inside this window */
	SAMPLE_GAP = 1 << 2,
	SAMPLE_FREQ_CHANGE = 1 << 3,	/* a clock ratio change was reported */
	SAMPLE_LAST = 1 << 4,		/* end of the data: nothing follows */
	/* the source's last window again: its counters change less often than the program asks for
	 * them; t1_ns shows the age */
	SAMPLE_HELD = 1 << 5,
};

#define FEED_MAX_COUNTERS 128

/* What ran on a GPU whose reports name its contexts: one context, none, or several that are counted
 * together because there were too many to tell apart. */
enum hw_context_kind { HW_CONTEXT_ONE, HW_CONTEXT_IDLE, HW_CONTEXT_OTHERS };

/* What a GPU counted in a window while one hardware context ran. */
struct hw_context {
	enum hw_context_kind kind;
	uint32_t id;		/* of HW_CONTEXT_ONE, as the reports name it */
	/* false: others may hold a part of it, because it had been counted there before, or what
	 * ran was not known for a while */
	bool whole;
	uint64_t reports;	/* differences of reports that belong to it */
	uint64_t switches;	/* how often it began to run */
	uint64_t clocks;	/* of the GPU, while it ran */
	int64_t ran_ns;		/* how long it ran, by the source's own clock */
	const uint64_t *values;	/* [feed.n_counters] as in struct sample */
};

/* Two reports that follow each other, by the low 32 bits of their time stamps, and what ran between
 * them. */
struct report_pair {
	uint32_t stamp0, stamp1;
	enum hw_context_kind kind;
	uint32_t context;	/* of HW_CONTEXT_ONE */
	bool after_gap;		/* reports before it were lost */
};

/* Gets each pair, with what its counters grew by: [feed.n_counters]. */
struct pair_tap {
	void (*pair)(void *ctx, const struct report_pair *p, const uint64_t *values);
	void *ctx;
};

/* Contexts that have rows of their own, and the rows of an idle GPU and of the others. */
#define HW_CONTEXTS_NAMED 32
#define HW_CONTEXTS_MAX (HW_CONTEXTS_NAMED + 2)

/* Whether what a feed counts is an estimate or a bound, so that metrics of it have a ~. Files have
 * these numbers. */
enum feed_estimate {
	FEED_EXACT,
	FEED_ESTIMATED,
	FEED_ONE_LOOK,	/* its gauges are read once in a window, of which that is no share */
};

/* One source's shape, constant after opening. name is "oa", "power", "freq", ... and unique within
 * a device. how is the text for the screen: "i915 perf", "simulated OA unit", "recording". A feed
 * that reads several like units (shader cores, CPU cores) has a scope and the units' names. Its
 * samples then carry the sum over all in values and each unit's own number in instances. */
struct feed {
	char name[16];
	char how[80];
	const struct counter_desc *counters;
	int n_counters;		/* at most FEED_MAX_COUNTERS */
	/* "core", "slice", "EU", ...: names as in metric.scope; "" when there are no instances */
	char scope[12];
	uint8_t estimated;	/* enum feed_estimate */
	int n_instances;	/* 0: none */
	/* the first counters that are also told by the instruction that ran; 0: none are */
	int n_code;
	const char (*instances)[12];	/* [n_instances] names, CELL_NAME_SIZE: "core 3", "R0E2" */
	/* The counter that grows while any command runs, that of all clocks, and the first letters
	 * of names of the others that only commands make grow; NULL: it does not say. */
	const char *busy, *clock, *work;
};

/* values[i] belongs to feed.counters[i]: the delta of a cumulative counter, or the value of a
 * gauge. When why is not WHY_OK there is no data and values mean nothing. t0_ns and t1_ns are host
 * CLOCK_MONOTONIC. window_ns is the interval by the source's own clock if it has one (OA: the
 * reports' time stamps), else t1_ns - t0_ns. */
struct sample {
	enum why why;
	uint32_t quality;
	int64_t t0_ns, t1_ns, window_ns;
	uint64_t reports;
	uint64_t load_groups;	/* work-groups of each launch of a simulated load; 0: unknown */
	uint32_t triggered[2];	/* of them, those that trigger 1 and 2 asked for */
	/* loss events seen (REPORT_LOST, BUFFER_LOST), counters that moved in an impossible way */
	uint64_t lost;
	uint64_t values[FEED_MAX_COUNTERS];
	/* [feed.n_instances][feed.n_counters] or NULL; owned by the source and valid until the next
	 * collect */
	const uint64_t *instances;
	/* [feed.n_counters] or NULL: what values had grown to at half_ns, about the middle of the
	 * window; valid as instances */
	const uint64_t *half;
	int64_t half_ns;
	/* [feed.n_counters] or NULL: why single counters have no number; valid as instances */
	const enum why *whys;
	/* [n_contexts] what each context counted, in the order of their first report; their sum is
	 * what the GPU counted. NULL: the source does not tell contexts apart. Valid as
	 * instances. */
	const struct hw_context *contexts;
	int n_contexts;
	/* the lowest and the highest clock that the source saw while the GPU ran; 0: it does not
	 * tell clocks, or the GPU slept */
	uint64_t clock_low_hz, clock_high_hz;
	bool tells_clock;	/* the source knows the clock of moments */
	/* Where feed.n_code counters were counted, or NULL; valid as instances. All of its places
	 * and their rest have values together. */
	const struct code_list *code;
	/* Where a window is a pair of reports: why the second one was made, in words of machine
	 * output. NULL: windows are something else. Valid as instances. */
	const char *report_why;
};

/* In instances: this unit, such as a CPU that is offline, has no number in this window. */
#define SAMPLE_NONE UINT64_MAX

static inline enum why sample_why(const struct sample *s, int counter)
{
	return s->why != WHY_OK || !s->whys ? s->why : s->whys[counter];
}
