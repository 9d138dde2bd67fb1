/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics of a set as panes of rows: label, number, roof, unit, bar, history. Knows nothing of
 * what they mean. */
#pragma once

#include "core/metric/metric.h"
#include "core/snapshot/snapshot.h"
#include "ui/draw/plot.h"
#include "ui/frame/screen.h"

#define PANE_METRICS 256

/* Metrics that are drawn as rows of a pane. */
struct pane {
	const char *name;		/* of its group */
	const char *title, *subtitle;	/* untranslated: units are looked for in them */
	const char *why_empty;		/* why it has no row, where its group says that; else NULL */
	int n;
	short metric[PANE_METRICS];
};

#define CEILING_W 5	/* columns of a roof */

/* Value, ceiling (NAN when unknown), highest value so far (NAN when none) and scale of graphs of a
 * metric now; unit or "". */
struct value meter_value(const struct view_model *m, int metric);
/* Returns the value as a share of all time, where it is one of the time awake (limit.while_awake). */
struct value meter_of_all_time(const struct view_model *m, int metric);
/* Returns the metric that tells the time asleep, which such a share lacks; -1: there is none, or it
 * lacks nothing. */
int meter_asleep(const struct view_model *m, int metric);
double meter_ceiling(const struct view_model *m, int metric);
double meter_max(const struct view_model *m, int metric);
double meter_scale(const struct view_model *m, int metric);
const char *meter_unit(const struct metric *metric);
/* Returns what stands before its number: "~" is estimated, "<" is at most that. */
const char *meter_mark(const struct view_model *m, int metric);
/* How a row shows a metric: in the prefix of its roof, or in the unit that the user chose. */
struct unit_form meter_form(const struct view_model *m, int metric);
/* Writes a number of a metric with as many decimals as suit scale, in at most width columns. */
const char *meter_number(
	char *buf, size_t size, const struct metric *metric, double v, double scale, int width);
/* Writes the value of a row in the prefix of its roof: "0.26k" below "33.8k". */
const char *meter_row_number(
	const struct view_model *m, int metric, struct value v, char *buf, size_t size, int width);
/* Returns the scale for the numbers of a metric's row. */
double meter_number_scale(const struct view_model *m, int metric);
/* Writes a roof in at most CEILING_W columns. */
const char *meter_ceiling_number(char *buf, size_t size, double v);

/* Which rows of a pane are drawn, and how; -1: none of them. */
struct pane_rows {
	int top, n;		/* the first, and how many */
	int marked;		/* the row with the cursor */
	int nearest;		/* the metric with the nearest roof, in bold */
	/* a row for which only lines are left free, which the caller draws */
	int wide, wide_lines;
};
/* Draws rows without a frame. Returns the column in which numbers begin. */
int pane_rows_draw(
	struct screen *s, const struct pane *pane, struct rect in, const struct pane_rows *r);
/* The unit that the frame of a pane names for all its rows, "" when there is none. */
const char *pane_unit(const struct view_model *m, const struct pane *pane);

/* Any column of numbers of a metric; value is the newest one, scale decides on its decimals. */
struct graph {
	const char *title;
	const struct metric *metric;
	struct series series;
	double value, scale;
	bool focus;
};
void pane_graph_series(struct screen *s, const struct graph *graph, struct rect r);
