/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the map screen; inside ui/ only. */
#pragma once

#include "core/snapshot/balance.h"
#include "core/value/history.h"
#include "ui/screens/grid.h"
#include "ui/frame/screen.h"

#define MAP_NUMBER_W 6
#define MAP_CELL_MAX_H 6
#define MAP_CLASSES 5		/* of the distribution */
#define MAP_DIGIT_GROUP 8	/* digits between two blanks */

/* What is shown: the view's choice, brought into range. */
struct map_choice {
	/* the window; before the first one where it will stand, with names but no values */
	const struct snapshot *snap;
	const struct cell_map *map;
	const struct history *history;
	int index;		/* of the map */
	int column;		/* of the metric, in the map */
	int metric, cell;
	double top, number_scale;
	const struct metric *m;
	struct cell_stats stats;
	struct balance balance;
	uint64_t groups;	/* of a load of ours, dealt to these cells; 0: not known */
	int says;		/* lines of words about the balance that there is room for */
	bool has_balance; /* the figures have a pane of their own */
};

/* How the cells go into a rectangle. digits: one character for each. */
struct map_shape {
	struct grid g;
	bool digits;
	int label_w, name_w, cell_w, cell_h;
	int head_h;		/* line with the names of columns */
};

/* Whether any cell was ever counted. */
bool map_is_measured(const struct map_choice *ch);
/* map_grid.c: the shape in which the cells fit into a rectangle. */
void map_shape_make(
	struct map_shape *p, const struct view *v, const struct cell_map *map, struct rect in);
/* The pane with the cells: title, scale, keys, statement of what a cell is, and the figures where
 * they have no pane of their own. */
void map_pane_draw(struct screen *s, const struct map_choice *ch, struct rect r);
/* Returns the part of that pane's inside that is left for cells. */
struct rect map_cells_rect(const struct map_choice *ch, struct rect r);
/* Returns the cell's share of the scale's top, within 0 and 1; NAN without a number. */
double map_fraction(const struct map_choice *ch, int cell);
/* Returns the cell's number as text; "--" when it has none. */
const char *map_number(const struct map_choice *ch, int cell, char *buf, size_t size);
/* Writes "min 26.4  mean 41.2  max 65.7". */
void map_range_text(const struct map_choice *ch, char *buf, size_t size);
int map_longest_name(const struct cell_map *map);

/* Writes what the map shows: "EU active", or "core: Busy" where the label does not name the part. */
void map_title(const struct map_choice *ch, char *buf, size_t size);

/* map_figures.c: the panes beside and below. */
void map_history_draw(struct screen *s, const struct map_choice *ch, struct rect r);
void map_graph_draw(struct screen *s, const struct map_choice *ch, struct rect r);
void map_balance_draw(struct screen *s, const struct map_choice *ch, struct rect r);
