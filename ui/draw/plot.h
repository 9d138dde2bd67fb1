/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws bars and history graphs. All scales are linear and start at 0. */
#pragma once

#include "core/value/history.h"
#include "ui/draw/canvas.h"
#include "ui/draw/glyphs.h"

/* Draws a bar in one row of r. fraction may be above 1 (drawn full) or NAN (drawn blank). */
void plot_bar(struct canvas *c, const struct glyphs *g, struct rect r, double fraction);

/* A series is a column of the history, scaled to top, with the newest at the right. Nothing is
 * drawn when history is NULL. */
struct series {
	const struct history *history;
	int column;
	double top;
	int back;	/* the newest that is drawn is so many windows old */
	bool hollow;	/* an area is a line: what stands still needs no ground */
	/* What is a share of the time awake is drawn as one of all time: asleep is the column of
	 * the share of time asleep, whose whole is asleep_top. 0: the column is drawn as it is. */
	int asleep;
	double asleep_top;
};

/* Returns how many windows one cell of a graph holds. */
int plot_windows_per_cell(const struct glyphs *g);
/* Draws a graph that is one row high. */
void plot_spark(struct canvas *c, const struct glyphs *g, struct rect r, const struct series *s);
/* Draws a graph that is filled up to the value, unless it is hollow. */
void plot_area(struct canvas *c, const struct glyphs *g, struct rect r, const struct series *s);
/* Returns the column of an area w wide that holds the window with that number (0 is the first
 * ever), or a number outside 0 to w - 1 when none does. */
int plot_column_of(const struct glyphs *g, const struct history *h, int64_t window, int w);
/* Returns the smallest of 1, 2, 5 times a power of ten that is at least v, or 1 when v is no
 * positive number. */
double plot_nice_top(double v);
