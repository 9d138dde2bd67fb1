/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metric sets of an open device: one, or several that are counted in turns and shown as one. A
 * rotation knows which set each metric comes from, and how old its value is. */
#pragma once

#include "core/metric/metric.h"
#include "core/snapshot/snapshot.h"

#define ROTATION_MAX 20

/* One set. Explanations read equations and raw counters in the window that it measured last. */
struct rotation_part {
	const struct metric_set *set;
	struct metric_binding binding;
	bool is_bound;
	/* its last window: a snapshot of its own, or, when the set is alone, the one that is shown;
	 * NULL until that one is filled */
	struct snapshot *window;
	int *slot;				/* [set->n_metrics] index in the merged set */
	int map_at[SNAPSHOT_MAX_MAPS];		/* merged map of each of its maps, or -1 */
	int *cell_at[SNAPSHOT_MAX_MAPS];	/* [n of the map] their places in the merged map */
};

/* One set that is always counted, or several in turns. Several are shown as one merged set, which
 * has every metric once; its equations are empty, because they belong to the parts. Metrics of the
 * same name and unit in two sets are one metric; one of another unit gets the name "SET.NAME". Maps
 * of the same scope and metrics are one map with the cells of all sets, each as old as it is; for
 * the device such a metric is the mean of what its cells had last. */
struct rotation {
	const struct metric_set *set;		/* for screens and writers */
	struct rotation_part *part;		/* [n] */
	int n, active;
	bool is_glance;				/* what is shown is the first set, with what the other adds */
	int roofline;				/* the first part that has a live point, else 0 */
	/* The members below are used only for several sets; they are empty for one. */
	struct metric_set *merged;		/* the same as set */
	int64_t begin_ns, first_ns;		/* when the first window began and ended; 0: there was none */
	int64_t round_ns;			/* as in struct snapshot; 0: no complete round yet */
	const struct rotation_part *last;	/* whose window was evaluated last */
	struct value *values, *ceilings;	/* last ones of all metrics */
	struct mux_value *mux;
	/* [merged->n_metrics] total length of the windows in which a metric was measured */
	int64_t *measured_ns;
	struct cell_map maps[SNAPSHOT_MAX_MAPS];
	int *map_metrics[SNAPSHOT_MAX_MAPS];
	char (*map_names[SNAPSHOT_MAX_MAPS])[CELL_NAME_SIZE];
	int n_maps;
};

/* Makes a rotation of different sets of one platform, at most ROTATION_MAX. Shares of time count
 * from the begin of the first window on. is_glance: the second one is looked at from time to time;
 * it is called as the first set, and its metrics count as taking turns from the first glance on. */
struct rotation *rotation_new(const struct metric_set *const *sets, int n, bool is_glance);
void rotation_free(struct rotation *r);
/* Returns the metric of the shown set that a word means, as metric_set_find() does. */
int rotation_find(const struct rotation *r, const char *word, int *other);
/* Returns the part of the set whose turn it is. */
struct rotation_part *rotation_active(const struct rotation *r);
/* Binds all parts to the sources of a device; call it again after the device was opened anew. Maps
 * are made the first time. Release earlier snapshots first. */
void rotation_bind(
	struct rotation *r, const struct device *dev, const struct feed *const *feeds, int n_feeds);
/* Gives part "next" its turn, after the device was programmed for it. That part is bound again to
 * the same sources, because their counters have other names now. */
void rotation_turn(struct rotation *r, int next);
/* Makes room in a snapshot of the shown set, which is released as any other. Call it after
 * rotation_bind(). */
void rotation_init_snapshot(const struct rotation *r, struct snapshot *s, const struct device *dev);
/* Evaluates a window of the active set: values, ceilings, inputs, maps and mux of out. The times in
 * out are filled already. It does not allocate. */
void rotation_eval(struct rotation *r, const struct sample *samples, struct snapshot *out);
/* Evaluates one half of a window, which its samples are of, for what the rules of the verdict ask.
 * Metrics of other sets keep their values. Call it before rotation_eval(). */
void rotation_eval_half(
	struct rotation *r, const struct sample *samples, struct snapshot *out, int half);
/* Whether the question of the metric's equation is answered with yes in a set that has it. */
bool rotation_asks(const struct rotation *r, int metric,
	bool (*is)(const struct metric_binding *b, int metric));
/* Forgets all windows, because the next one is of another time. */
void rotation_forget(struct rotation *r);
/* Forgets what only the glance has measured, because the device does something else now. */
void rotation_forget_glance(struct rotation *r, struct snapshot *out);
