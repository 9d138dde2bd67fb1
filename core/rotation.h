/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several metric sets that are counted in turns, shown as one: which metric comes from where, and
 * how old its value is. */
#ifndef CORE_ROTATION_H
#define CORE_ROTATION_H

#include "core/metric.h"
#include "core/snapshot.h"

#define ROTATION_MAX 8

/* One set, with what it measured last. snap is complete: explanations read equations and raw
 * counters there. */
struct rotation_part {
	const struct metric_set *set;
	struct metric_binding binding;
	bool bound;
	struct snapshot snap;
	int *slot;				/* [set->n_metrics] index in the merged set */
	int map_at[SNAPSHOT_MAX_MAPS];		/* merged map of each of its maps, or -1 */
};

/* merged has every metric once; its equations are empty: they belong to the parts. One of the same
 * name and unit in several sets is one metric; of another unit it gets the name "SET.NAME". */
struct rotation {
	struct metric_set *merged;
	struct rotation_part part[ROTATION_MAX];
	int n;
	int active;
	int64_t begin_ns;
	struct value *values, *ceilings;	/* last ones of all metrics */
	struct mux_value *mux;
	/* [merged->n_metrics] sum of the windows that a metric was measured in */
	int64_t *measured_ns;
	struct cell_map maps[SNAPSHOT_MAX_MAPS];
	int *map_metrics[SNAPSHOT_MAX_MAPS];
	int n_maps;
};

/* Two or more different sets of one platform. begin_ns: from when on shares of time count. */
struct rotation *rotation_new(const struct metric_set *const *sets, int n, int64_t begin_ns);
void rotation_free(struct rotation *r);
/* Binds all parts to the sources of a device; again after it was opened anew. Maps are made the
 * first time. */
void rotation_bind(
	struct rotation *r, const struct device *dev, const struct feed *const *feeds, int n_feeds);
/* Binds the active part again: counters have other names after the device was programmed. */
void rotation_rebind_active(
	struct rotation *r, const struct device *dev, const struct feed *const *feeds, int n_feeds);
/* Room for snapshots of the merged set; released as any. */
void rotation_init_snapshot(const struct rotation *r, struct snapshot *s, const struct device *dev);
/* A window of the active set: values, ceilings, maps and mux of out. out's times are filled
 * already. No allocation. */
void rotation_eval(struct rotation *r, const struct sample *samples, struct snapshot *out);

#endif
