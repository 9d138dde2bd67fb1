/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says where the cells of a map stand: in rows and columns by their names where these say so, else
 * one after the other. It is pure. */
#pragma once

#include <stdbool.h>

#include "core/snapshot/snapshot.h"

#define GRID_MAX_SIDE 64

struct grid {
	bool named;		/* the names say it: "R0E2" stands in row "R0", column "E2" */
	int rows, cols;		/* the named ones, else the shape that was asked for */
	char row[GRID_MAX_SIDE][CELL_NAME_SIZE];
	char col[GRID_MAX_SIDE][CELL_NAME_SIZE];
};

/* Returns false when the names give no rows and columns; then cols cells go into a row. */
bool grid_make(struct grid *g, const struct cell_map *map, int cols);
/* Gives the row and column of a cell. */
void grid_place(const struct grid *g, const struct cell_map *map, int cell, int *row, int *col);
/* Returns the cell at a row and column, -1 when there is none. */
int grid_cell(const struct grid *g, const struct cell_map *map, int row, int col);

/* These figures are of the cells that have a number and are not stale. */
struct cell_stats {
	int n;			/* cells with a fresh number */
	int stale;
	int none;		/* cells without a number */
	double min, mean, max;	/* NAN when n is 0 */
	double imbalance;	/* max over mean; NAN when the mean is 0 */
};

/* A cell is stale when it was measured more than two windows before the snapshot, or more than ten
 * where sets take turns. */
bool cell_is_stale(
	const struct snapshot *s, const struct cell_map *map, int cell, int64_t delay_ns);
struct cell_stats cell_stats_make(
	const struct snapshot *s, const struct cell_map *map, int metric, int64_t delay_ns);
