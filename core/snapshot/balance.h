/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How evenly the cells of a map share what a metric counts, what that means in words, and what the
 * number of work-groups lets expect. */
#pragma once

#include "core/snapshot/snapshot.h"

/* The cells that have a number and are young enough. */
struct balance {
	int n;			/* how many */
	double mean, max;	/* NAN when n is 0 */
	double imbalance;	/* max over mean; NAN when nothing was counted */
	int top;		/* the cell with the most; -1 when n is 0 */
	int n_top;		/* cells that have as much as it, within 5 % */
	/* what these have over what each of the others has, when the others are alike; INFINITY
	 * when they have nothing; NAN else, and when there are no others */
	double ratio;
};

/* Returns the moment since which a cell is young enough, by the clock of map->t_ns, for windows of
 * that length: two windows, and where sets take turns ten windows or one and a half rounds. */
int64_t balance_since_ns(const struct snapshot *s, int64_t window_ns);
/* Looks at the cells that were measured since then, by the clock of map->t_ns. It is pure. */
void balance_make(struct balance *b, const struct cell_map *map, int metric, int64_t since_ns);
/* Says in words how the cells share: "subslice S0SS0 has twice the work of the others". Returns false
 * when there is nothing to say: fewer than two cells, some without a number, or nothing counted. */
bool balance_tell(const struct balance *b, const struct cell_map *map, const struct metric *m,
	struct verdict_text *out);

/* Returns mean over max when k equal groups are dealt to n cells in turn: k / (n * ceil(k / n)),
 * the serrated curve of H. Duarte's thesis (2018). NAN when k or n is 0. */
double balance_curve(uint64_t k, int n);
/* Returns the number of work-groups of the load of ours or of the simulated load that runs, when
 * this map's cells are what groups are dealt to: all subslices of the device. 0 when it is not
 * known. */
uint64_t balance_groups(const struct snapshot *s, const struct cell_map *map);
/* Says what k groups on the map's cells mean: "4 work-groups on 3 subslices; a multiple of 3 would
 * be up to 1.5 times faster". Where the cells are not as the groups let expect, it says what they
 * would be. */
void balance_tell_groups(const struct balance *b, const struct cell_map *map,
	const struct metric *m, uint64_t k, struct verdict_text *out);

/* Finds the map of the snapshot that says how work was dealt: its metric has "limit dealt". Cells
 * may be as old as balance_since_ns() says. Returns the map, or NULL. */
const struct cell_map *balance_of_work(
	const struct snapshot *s, struct balance *b, const struct metric **m);
/* The busiest part of a device that is divided. */
struct busiest_part {
	const char *name;		/* NULL: it is not divided, or nothing counts its parts */
	double busy, share;		/* of time with work; of the fullest resource */
	double fill;			/* of that: 1 is where it counts as full */
	const struct metric *fullest;	/* of what it has; NULL: nothing counts that */
};

/* Finds that part, as of that age. */
struct busiest_part balance_busiest(const struct snapshot *s);
