/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics of a set as panes of rows: label, number, roof, unit, bar, history. Knows nothing of
 * what they mean. */
#ifndef UI_PANE_METERS_H
#define UI_PANE_METERS_H

#include "core/metric.h"
#include "core/snapshot.h"
#include "ui/layout.h"
#include "ui/plot.h"
#include "ui/screen.h"

#define PANE_METRICS 256

/* Which metrics stand where. Empty groups have no pane; metrics beyond the eighth pane or of
 * unknown groups share the last one. */
struct pane_list {
	int n;
	struct pane {
		const char *name;	/* of the group, NULL for what is left over */
		const char *title, *subtitle;	/* untranslated: units are looked for in them */
		int n;
		short metric[PANE_METRICS];
	} pane[LAYOUT_PANES];
};

/* pane_list.c: the panes of a set, none when it is NULL. Those that the user hides are left out,
 * unless the user hides all. */
void pane_list_make(struct pane_list *l, const struct view *v, const struct metric_set *set);
/* These return v->focus and v->selected[], brought into range. */
int pane_focus(const struct pane_list *l, const struct view *v);
int pane_selected(const struct pane_list *l, const struct view *v, int pane);
/* Returns the selected metric of the focused pane, -1 when there is none. */
int pane_focused_metric(const struct pane_list *l, const struct view *v);

#define CEILING_W 5	/* columns of a roof */

/* Value, ceiling (NAN when unknown), highest value so far (NAN when none) and scale of graphs of a
 * metric now; unit or "". */
struct value meter_value(const struct view_model *m, int metric);
double meter_ceiling(const struct view_model *m, int metric);
double meter_max(const struct view_model *m, int metric);
double meter_scale(const struct view_model *m, int metric);
const char *meter_unit(const struct metric *metric);
/* How a row shows a metric where the user chose another unit: values and roofs are multiplied by
 * factor. */
struct meter_form {
	double factor;
	const char *unit;
};
struct meter_form meter_form(const struct view_model *m, int metric);
/* Writes a number of a metric with as many decimals as suit scale, in at most width columns. */
const char *meter_number(
	char *buf, size_t size, const struct metric *metric, double v, double scale, int width);
/* Returns the scale for the numbers of a metric's row. */
double meter_number_scale(const struct view_model *m, int metric);
/* Writes a roof in at most CEILING_W columns. */
const char *meter_ceiling_number(char *buf, size_t size, double v);

/* Draws pane p into its rectangle, which includes the frame where there are frames. */
void pane_meters_draw(
	struct screen *s, const struct pane_list *l, int p, const struct pane_layout *pl);
/* Decides where the panes stand in r. */
void pane_place(
	const struct pane_list *l, const struct view *v, struct rect r, struct pane_layout *pl);
void pane_placed_draw(struct screen *s, const struct pane_list *l, const struct pane_layout *pl);
/* Draws the panes in a grid. False, and nothing is drawn, when there is no room for all of them. */
bool pane_grid_draw(struct screen *s, const struct pane_list *l, struct rect r);
/* Draws a large history graph of a metric with axes. */
void pane_graph_draw(struct screen *s, int metric, struct rect r, bool focus);
/* Any column of numbers of a metric; value is the newest one, scale decides on its decimals. */
struct graph {
	const char *title;
	const struct metric *metric;
	struct series series;
	double value, scale;
	bool focus;
};
void pane_graph_series(struct screen *s, const struct graph *graph, struct rect r);

#endif
