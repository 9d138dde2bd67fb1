/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declares the parts of the first screen; inside ui/ only. */
#pragma once

#include "ui/screens/overview_layout.h"
#include "ui/frame/pane_meters.h"

/* Where the cursor of the first screen is: in a pane, or on the answer. view.focus has it. */
enum { OVERVIEW_ANSWER = OVERVIEW_PANES, OVERVIEW_PLACES };

static inline int overview_place_of(const struct view *v)
{
	return v->focus >= 0 && v->focus < OVERVIEW_PLACES ? v->focus : OVERVIEW_ANSWER;
}

/* What stands in the panes and slots. Rows change with device and set, never with values. */
struct overview_list {
	struct overview_rows {
		struct pane pane;	/* metrics that have a source, the most important first */
		int bar;		/* the row that is the bar of time; -1: none */
		int in_bar;		/* metrics that are no rows, because the bar shows them */
		int apart;		/* the last rows, of no group: they take what room is left */
		int unavailable;	/* metrics without a source, which have no row */
		int denied;		/* of these, those that only lack a permission */
		bool hidden;		/* by the user */
	} rows[OVERVIEW_PANES];
	int slot[LIMIT_ROLES];		/* the metric that fills a slot, -1 */
};

void overview_list_make(
	struct overview_list *l, const struct view *v, const struct view_model *m);
/* Says whether a metric never has a row here: the device does not give it, or not to this user. */
bool overview_has_no_row(const struct view_model *m, int metric);
/* The pane of the first screen with which a metric of the set stands. */
enum overview_pane overview_pane_of(const struct metric_set *set, const struct metric *metric);
/* Returns the slots that the health lines have; *ends_asleep: the last one is the time asleep. */
int health_count(const struct view_model *m, const struct overview_list *l, bool *ends_asleep);
/* health.c: draws them into columns, line by line. */
void health_draw(struct screen *s, const struct overview_list *l, struct rect r, int columns);
/* Writes the value of a slot in as few columns as possible: "2400 MHz"; "" where it is empty. */
const char *health_brief(const struct view_model *m, const struct overview_list *l,
	enum limit_role slot, char *buf, size_t size);

/* overview_panes.c: a pane with its frame, and what stands in it, where it is the only one. */
void overview_pane_draw(
	struct screen *s, const struct overview_list *l, enum overview_pane pane, struct rect r);
/* All panes, and how many rows one of them shows. */
void overview_grid_draw(
	struct screen *s, const struct overview_list *l, const struct overview_layout *at);
int overview_rows_drawn(
	const struct overview_list *l, const struct overview_layout *at, enum overview_pane pane);
/* Draws as many panes as fit in r, for other screens. */
void overview_panes_draw(struct screen *s, struct rect r);
/* Lines inside a pane that would show all that it has; -1: the user hides it. */
int overview_lines(const struct overview_rows *r);
/* Rows that fit into a pane with this many lines inside. */
int overview_rows_fit(const struct overview_rows *rows, int lines);
/* Rows on which the cursor can be: those that are drawn, and the line that leads to the others. */
int overview_cursor_rows(const struct overview_rows *r, int drawn);
/* Draws the bar of time into a line, with its words behind it. */
void overview_time_line(struct screen *s, const struct overview_list *l, struct rect r);
const char *overview_pane_title(enum overview_pane pane);

/* overview_history.c: it, and how many lines it has where there is room. */
int overview_history_lines(const struct overview_list *l);
void overview_history_draw(struct screen *s, const struct overview_list *l,
	const struct overview_layout *o);

/* answer.c: what limits the device, in the box, or in lines of a narrow screen; the latter returns
 * how many lines it took. */
void answer_draw(struct screen *s, const struct overview_layout *o);
int answer_lines(struct screen *s, struct rect r);
