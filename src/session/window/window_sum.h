/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sum of all windows of the open device over the time that a command or a job takes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "backends/common/backend.h"
#include "core/metric/metric.h"
#include "core/roofline/roofline.h"
#include "core/value/sample_sum.h"
#include "core/snapshot/snapshot.h"
#include "core/value/value.h"
#include "core/verdict/verdict.h"

/* window_sum_init() sets it up; window_sum_release() frees what it holds. */
struct window_sum {
	const struct open_device *dev;
	const struct roof_file *measured;	/* roofs of that device */
	struct roofline roofline;	/* after window_sum_eval() */
	struct sample_sum sums[DEVICE_MAX_SOURCES];
	struct sample joined[DEVICE_MAX_SOURCES];	/* after window_sum_eval() */
	/* [set->n_metrics], after window_sum_eval() */
	struct value *values, *ceilings;
	/* the cells of the joined window, for its verdict; after window_sum_eval() */
	struct cell_map maps[SNAPSHOT_MAX_MAPS];
	int n_maps;
	uint64_t windows, lost;
	/* a sample that began well before this is left out; 0: none is */
	int64_t from_ns;
	/* the slowest and the fastest clock of a window, by GPU_TICKS; NAN when none was counted */
	double hz_min, hz_max;
	int ticks[DEVICE_MAX_SOURCES];	/* where a source has GPU_TICKS, -1: it has not */
};

/* measured: what calibration found, or NULL; it must live as long as the sum. */
void window_sum_init(struct window_sum *s, const struct open_device *dev,
	const struct metric_set *set, const struct roof_file *measured);
void window_sum_release(struct window_sum *s);
/* Forgets what was added. What is added from now on begins at from_ns: an energy counter that
 * changes seldom has windows of its own, and the first of them may still hold the time before. */
void window_sum_clear(struct window_sum *s, int64_t from_ns);
/* Adds a window; samples[i] belongs to source i. It allocates nothing. */
void window_sum_add(struct window_sum *s, const struct sample *samples);
/* Joins the windows and computes the metrics of the binding's set over them, whose ceilings are
 * measured roofs where there are any, as in the windows themselves. */
void window_sum_eval(struct window_sum *s, struct metric_binding *binding);
/* Says what limited the device over the joined windows, whose metrics are those of set. It needs
 * window_sum_eval() first. What was too short to be measured has the kind VERDICT_MEASURING, and
 * VERDICT_MISSING_WINDOW says that nothing more comes. */
void window_sum_verdict(
	const struct window_sum *s, const struct metric_set *set, struct verdict *out);
/* Returns the share of the joined time in which everything that the metric reads was measured; *why
 * says why not the rest. It needs window_sum_eval() first. */
double window_sum_share(const struct window_sum *s, const struct metric_binding *b, int metric,
	enum why *why);
/* Returns the rate of a counter of any source, for each second of that source's own time, in base
 * units. It needs window_sum_eval() first. Returns NAN when no source counts it. */
double window_sum_rate(const struct window_sum *s, const char *counter);
/* Says why window_sum_rate() has no number of that counter. */
enum why window_sum_why(const struct window_sum *s, const char *counter);
/* Returns the mean of a gauge of any source in base units. It needs window_sum_eval() first.
 * Returns NAN when no source has it. */
double window_sum_gauge(const struct window_sum *s, const char *counter);

/* The same stretch of time by two clocks. */
struct window_sum_times {
	double host_ns;		/* CLOCK_MONOTONIC */
	double own_ns;		/* by the source's own clock */
	/* own_ns goes from report to report, and each end may be so much before the host's */
	double apart_ns;
};

/* Gets the times of the source that counts that counter; it needs window_sum_eval() first. Returns
 * false when no source does. */
bool window_sum_times(
	const struct window_sum *s, const char *counter, struct window_sum_times *out);
