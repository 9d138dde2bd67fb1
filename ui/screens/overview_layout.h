/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a size to the rectangles of the first screen; pure, so that its properties are tested over
 * many sizes. A rectangle of height 0 is absent. */
#pragma once

#include <stdbool.h>

#include "ui/draw/canvas.h"

enum overview_pane {
	OVERVIEW_UTILIZATION,
	OVERVIEW_FLOPS,
	OVERVIEW_BANDWIDTH,
	OVERVIEW_POWER,
	OVERVIEW_PANES
};

/* Two panes in each column, three with the bandwidth in the second one, or all in one. */
enum overview_order { ORDER_PAIRS, ORDER_MOVED, ORDER_COLUMN };

/* What there is to be shown. */
struct overview_wants {
	int health;			/* slots of the health lines */
	int rows[OVERVIEW_PANES];	/* lines with which a pane would be full */
	bool roofline;
	int processes;			/* rows of them */
	int history;			/* lines of it */
	bool ends_asleep;		/* the last slot of health is the time asleep */
	int spare[OVERVIEW_PANES];	/* rows more, which only take what is left */
};

struct overview_layout {
	struct rect tiny;	/* the screen is narrow: a line for each thing, and nothing else */
	struct rect answer, health;
	bool answer_framed;
	int health_columns;
	/* Only pane[0] has a rectangle, or none has: there is room for the pane with the cursor. */
	bool single;
	enum overview_order order;
	struct rect pane[OVERVIEW_PANES], panes, roofline, history, processes;
	struct rect rest;	/* where a pane that hides rows goes on, in the other column */
	enum overview_pane rest_of;
	struct rect numbers;	/* lines of numbers where not even one pane fits */
	bool history_framed, history_titled;
};

void overview_place(
	struct overview_layout *l, struct rect body, const struct overview_wants *w);
/* The panes of a column from the top, -1 behind the last. */
const int *overview_stack(enum overview_order order, int column);
/* The panes alone, as many as fit. */
void overview_place_grid(
	struct overview_layout *l, struct rect area, const struct overview_wants *w);
