/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All values of one refresh. ui and writers see nothing else. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/work/client.h"
#include "core/snapshot/context_table.h"
#include "core/snapshot/verdict_types.h"
#include "core/value/device.h"
#include "core/work/job.h"
#include "core/metric/metric.h"
#include "core/roofline/roofline.h"
#include "core/value/sample.h"
#include "core/value/value.h"

#define SNAPSHOT_MAX_MAPS 6

struct snapshot;

/* A metric when several sets are counted in turns. */
struct mux_value {
	/* some of these sets do not have it: between its turns it keeps its last value */
	bool multiplexed;
	double share;		/* the share of time in which it was measured, 0 to 1 */
	int64_t t_ns;		/* cells_ns of the window that the value is from; 0: never measured */
	/* the window of its own set, for explanations; NULL before its first turn */
	const struct snapshot *part;
	int metric;		/* its index in part->set */
};

/* Read-only after filling. Arrays have set->n_metrics (values, ceilings) and set->n_inputs (inputs)
 * elements. */
struct snapshot {
	uint64_t seq;		/* 1 is the first complete window */
	int64_t mono_ns;	/* end of the window */
	/* the same moment by the clock of cell_map.t_ns: that of a recording while one is played */
	int64_t cells_ns;
	int64_t round_ns;	/* how long a round of sets in turns takes; 0: one set */
	int64_t wall_ns;
	int64_t window_ns;	/* length in the primary (first) source, by its own clock */
	uint32_t quality;	/* enum sample_quality bits, over all sources */
	uint64_t reports;
	uint64_t load_groups;	/* as in struct sample */
	uint32_t triggered[2];	/* of them, those that trigger 1 and 2 asked for */
	uint64_t lost;		/* loss events inside this window */
	const char *report_why;	/* as in struct sample */
	uint64_t lost_total;	/* since opening */
	const struct device *device;
	const struct metric_set *set;
	struct value *values, *ceilings;
	struct expr_input *inputs;
	/* why the primary source has no sample in this window; WHY_OK when it has one */
	enum why why;
	struct verdict verdict;		/* what limits the device */
	struct cell_map maps[SNAPSHOT_MAX_MAPS];
	int n_maps;
	/* [n_feeds] the feeds that counted; they are the binding's */
	const struct feed *const *feeds;
	int n_feeds;
	/* [set->n_metrics] when sets are counted in turns, else NULL */
	const struct mux_value *mux;
	/* [set->n_metrics] the window's halves, when has_halves says that they are known */
	struct value *half_values[2], *half_ceilings[2];
	bool has_halves;
	/* who uses the GPU; NULL when it was not asked for or is not known */
	const struct client_table *clients;
	/* the same, also when nobody asked to see it: what the device may wait for */
	const struct client_table *users;
	/* what each hardware context did; NULL when it was not asked for, or the device's counters
	 * do not come in reports that name contexts */
	const struct context_table *contexts;
	/* the lowest and the highest clock that the first source saw in the window; 0: unknown.
	 * tells_clock: the source knows them. */
	uint64_t clock_low_hz, clock_high_hz;
	bool tells_clock;
	/* where the counters of a feed were counted; code_feed is NULL when none tells it */
	struct code_list code;
	const struct feed *code_feed;
	/* the roofline of this window; NULL in a snapshot that no window has filled */
	const struct roofline *roofline;
	struct job_state job;	/* phase JOB_IDLE when there is no load of ours */
	/* what the source reports about itself: the simulated load's phase, the position in a
	 * recording; may be empty */
	char status[160];
};

void snapshot_init(struct snapshot *s, const struct device *device, const struct metric_set *set);
/* Makes room for the maps of a binding of the same set, and for its feeds. The binding must outlive
 * the snapshot. */
void snapshot_init_maps(struct snapshot *s, const struct metric_binding *b);
void snapshot_release(struct snapshot *s);

/* Whether a metric's value is from an earlier window than the snapshot, because its set had no turn
 * in this one. */
static inline bool snapshot_is_kept(const struct snapshot *s, int metric)
{
	return s->mux && s->mux[metric].t_ns != s->cells_ns;
}

/* Turns a share of the time awake into one of all time; asleep is a share of all time, NAN where it
 * is unknown. */
static inline double of_all_time(double v, double asleep)
{
	if (asleep > 0 && asleep <= 1)
		return v * (1 - asleep);
	return v;
}

/* A clock that is counted over all time, as it was while the device was awake: that is what is held
 * down, and what the reasons speak of. The sleep is measured beside it: no clock is above its roof
 * for that. */
static inline double clock_while_awake(double clock, double asleep, double roof)
{
	return asleep > 0 && asleep < 1 ? fmax(clock, fmin(clock / (1 - asleep), roof)) : clock;
}

/* Says whether a share of the time awake has no number because there was no such time. Some time is
 * left for what is read beside the counters, a moment earlier or later. */
static inline bool slept_through(struct value v, double asleep)
{
	return v.why == WHY_DIV_ZERO && asleep > 0.5;
}

/* The same of a value; what slept through has no share of all time, which is a number. */
static inline struct value value_of_all_time(struct value v, double asleep)
{
	if (slept_through(v, asleep))
		return value_ok(0);
	if (v.why == WHY_OK)
		v.v = of_all_time(v.v, asleep);
	return v;
}

/* Returns the metric that tells the time asleep, which the value of a metric lacks because it is a
 * share of the clocks that ran (limit.while_awake); -1: there is none, or it lacks nothing. */
int snapshot_asleep(const struct snapshot *s, int metric);
/* The same, for whoever takes the values of the set from elsewhere: from another time, say. */
int asleep_metric(const struct metric_set *set, int metric,
	struct value (*value)(const void *ctx, int metric), const void *ctx);
/* Returns the value of a metric, in its unit, as a share of all time: a share of the clocks that
 * ran (limit.while_awake) lacks the time asleep. */
struct value snapshot_of_all_time(const struct snapshot *s, int metric);
