/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the rows and columns of a map, and the figures over its cells. */
#include "config.h"

#include "ui/screens/grid.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/snapshot/balance.h"
#include "base/minmax.h"

/* Returns the length of "R0" at s, or 0 when no letters with a number stand there. */
static size_t part(const char *s)
{
	size_t letters = 0, digits = 0;

	while (isalpha((unsigned char)s[letters]))
		letters++;
	while (isdigit((unsigned char)s[letters + digits]))
		digits++;
	if (!letters || !digits)
		return 0;
	return letters + digits;
}

/* Splits "R0E2" into its two parts. The last of several parts is the column, so that "S0SS1E3" is
 * an EU in the row of its subslice. */
static bool split(const char *name, char row[CELL_NAME_SIZE], char col[CELL_NAME_SIZE])
{
	size_t rows = 0, last = part(name), next;

	while (last && name[rows + last]) {
		next = part(name + rows + last);
		rows += last;
		last = next;
	}
	if (!rows || !last)
		return false;
	snprintf(row, CELL_NAME_SIZE, "%.*s", (int)rows, name);
	snprintf(col, CELL_NAME_SIZE, "%s", name + rows);
	return true;
}

static int index_of(char names[][CELL_NAME_SIZE], int n, const char *name)
{
	for (int i = 0; i < n; i++) {
		if (!strcmp(names[i], name))
			return i;
	}
	return -1;
}

/* Adds a name that is new. Returns false when there is no room. */
static bool note(char names[][CELL_NAME_SIZE], int *n, const char *name)
{
	if (index_of(names, *n, name) >= 0)
		return true;
	if (*n == GRID_MAX_SIDE)
		return false;
	snprintf(names[(*n)++], CELL_NAME_SIZE, "%s", name);
	return true;
}

bool grid_make(struct grid *g, const struct cell_map *map, int cols)
{
	char row[CELL_NAME_SIZE], col[CELL_NAME_SIZE];

	*g = (struct grid){ .named = map->n > 0 };
	for (int i = 0; i < map->n && g->named; i++)
		g->named = split(map->names[i], row, col) && note(g->row, &g->rows, row) &&
			note(g->col, &g->cols, col);
	if (g->named)
		return true;
	g->cols = min_of(max_of(cols, 1), map->n);
	if (g->cols)
		g->rows = (map->n + g->cols - 1) / g->cols;
	return false;
}

void grid_place(const struct grid *g, const struct cell_map *map, int cell, int *row, int *col)
{
	char r[CELL_NAME_SIZE], c[CELL_NAME_SIZE];
	int cols = max_of(g->cols, 1);

	*row = cell / cols;
	*col = cell % cols;
	if (!g->named || !split(map->names[cell], r, c))
		return;
	*row = index_of((char (*)[CELL_NAME_SIZE])g->row, g->rows, r);
	*col = index_of((char (*)[CELL_NAME_SIZE])g->col, g->cols, c);
}

int grid_cell(const struct grid *g, const struct cell_map *map, int row, int col)
{
	if (row < 0 || col < 0 || row >= g->rows || col >= g->cols)
		return -1;
	if (!g->named && row * g->cols + col < map->n)
		return row * g->cols + col;
	for (int i = 0; g->named && i < map->n; i++) {
		int r, c;

		grid_place(g, map, i, &r, &c);
		if (r == row && c == col)
			return i;
	}
	return -1;
}

bool cell_is_stale(const struct snapshot *s, const struct cell_map *map, int cell, int64_t delay_ns)
{
	return map->t_ns[cell] && map->t_ns[cell] < balance_since_ns(s, delay_ns);
}

struct cell_stats cell_stats_make(
	const struct snapshot *s, const struct cell_map *map, int metric, int64_t delay_ns)
{
	struct cell_stats st = { .min = NAN, .mean = NAN, .max = NAN, .imbalance = NAN };
	double sum = 0;

	for (int i = 0; i < map->n; i++) {
		struct value v = cell_value(map, i, metric);

		if (v.why != WHY_OK) {
			st.none++;
		} else if (cell_is_stale(s, map, i, delay_ns)) {
			st.stale++;
		} else {
			st.n++;
			sum += v.v;
			st.min = fmin(st.min, v.v);
			st.max = fmax(st.max, v.v);
		}
	}
	if (st.n)
		st.mean = sum / st.n;
	if (st.mean > 0)
		st.imbalance = st.max / st.mean;
	return st;
}
