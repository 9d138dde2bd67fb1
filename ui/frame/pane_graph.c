/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A large history graph of one metric: values up, time back from now to the left. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/mem.h"
#include "ui/frame/pane_meters.h"
#include "ui/draw/plot.h"

#define AXIS_W 7		/* "403.2 |" */
#define TIME_LABEL_MIN 14	/* columns between two labels */

/* The half stands at the middle of the middle row, or with an even number of rows at the upper end
 * of the row below the middle. */
static void draw_value_axis(struct screen *s, const struct graph *graph, struct rect in)
{
	double top = graph->series.top;
	const struct {
		int row;
		double value;
	} labels[] = { { 0, top }, { in.h - 1, 0 }, { in.h / 2, top / 2 } };
	char buf[32];

	for (int y = 0; y < in.h; y++)
		canvas_put(s->c, in.x + AXIS_W - 1, in.y + y, s->g->down, ROLE_BORDER);
	for (int i = 0; i < 2 + (in.h >= 5); i++) {
		int y = in.y + labels[i].row;

		meter_number(buf, sizeof(buf), graph->metric, labels[i].value, top, AXIS_W - 2);
		canvas_field(s->c, in.x, y, AXIS_W - 2, true, ROLE_DIM, buf);
		canvas_put(s->c, in.x + AXIS_W - 1, y, s->g->tick, ROLE_BORDER);
	}
}

/* A label stands only where no mark does. */
static void draw_label(struct screen *s, int x, int y, const char *text)
{
	int end = x + format_columns(text) + 2;

	if (x < 0 || end > s->c->w || y < 0 || y >= s->c->h)
		return;
	for (int i = x; i < end; i++)
		if (s->c->cells[y * s->c->w + i].ch != s->g->across)
			return;
	canvas_textf(s->c, x, y, ROLE_DIM, " %s ", text);
}

/* The times stand in the lower line of the frame, below the columns that they name. All labels of
 * an axis have one style: "-0.5s", "-30s", "-1:30", "-2h". */
static void draw_time_axis(struct screen *s, struct rect graph, int y)
{
	static const double steps[] = { 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800,
		3600, 7200, 14400, 43200 };
	double cell_s = plot_windows_per_cell(s->g) * (double)s->m->delay_ns / NS_PER_S, step = 0;
	int right = graph.x + graph.w;
	char buf[32];

	if (!(cell_s > 0))
		return;
	for (size_t i = 0; i < ARRAY_LEN(steps) && !(step >= TIME_LABEL_MIN * cell_s); i++)
		step = steps[i];
	for (int n = 1; n < graph.w; n++) {
		double seconds = n * step,
		       age = history_age_of(s->m->history, seconds * NS_PER_S, s->m->delay_ns);
		int x = right - (int)lround(age / plot_windows_per_cell(s->g));

		if (x <= graph.x + 4)
			break;

		if (graph.w * cell_s < 100 || step < 1)
			snprintf(buf, sizeof(buf), "-%gs", seconds);
		else if (step < 3600)
			snprintf(buf, sizeof(buf), "-%d:%02d", (int)seconds / 60, (int)seconds % 60);
		else
			snprintf(buf, sizeof(buf), "-%gh", seconds / 3600);
		draw_label(s, x - (int)strlen(buf) / 2 - 1, y, buf);
	}
	draw_label(s, right - format_columns(_("now")) - 2, y, _("now"));
}

/* Draws the numbers of marks, and the place in the past that is shown, on the axis. */
static void draw_marks(struct screen *s, struct rect graph, int y)
{
	const struct history *h = s->m->history;
	const struct view *v = s->v;
	int x;

	if (!h || !h->count)
		return;
	for (int i = 0; i < v->n_marks; i++) {
		int age = view_age_of_mark(s->m, (int64_t)v->marks[i]);

		if (age < 0)
			continue;
		x = plot_column_of(s->g, h, (int64_t)h->count - 1 - age, graph.w);
		if (x >= 0 && x < graph.w)
			canvas_put(s->c, graph.x + x, y, (uint32_t)('1' + i % 9), ROLE_KEY);
	}
	x = plot_column_of(s->g, h, (int64_t)h->count - 1 - s->m->back, graph.w);
	if (s->m->back > 0 && x >= 0 && x < graph.w)
		canvas_put(s->c, graph.x + x, y, '^', ROLE_FOCUS);
}

void pane_graph_series(struct screen *s, const struct graph *graph, struct rect r)
{
	const struct history *h = graph->series.history;
	int column = graph->series.column;
	double values[] = { NAN, NAN, graph->value };
	char extra[64], text[3][24], note[128];
	const char *sign = "";
	struct rect in, area;

	if (graph->metric->flags & METRIC_ESTIMATED)
		sign = "~ ";
	snprintf(extra, sizeof(extra), "%s%s", sign, meter_unit(graph->metric));
	in = box_frame(s, r, graph->focus, graph->title, extra);
	if (h && h->min && h->max && column < h->columns) {
		values[0] = (double)h->min[column];
		values[1] = (double)h->max[column];
	}
	for (int i = 0; i < 3; i++)
		meter_number(text[i], sizeof(text[i]), graph->metric, values[i], graph->scale, 8);
	snprintf(note, sizeof(note), _("min %s  max %s  now %6s"), text[0], text[1], text[2]);
	box_note(s, r, box_title_columns(graph->title, extra), ROLE_TEXT, note);
	if (in.w < AXIS_W + 8 || in.h < 2)
		return;
	canvas_clip(s->c, r);
	draw_value_axis(s, graph, in);
	area = (struct rect){ in.x + AXIS_W, in.y, in.w - AXIS_W - 1, in.h };
	plot_area(s->c, s->g, area, &graph->series);
	draw_marks(s, area, r.y + r.h - 1);
	draw_time_axis(s, area, r.y + r.h - 1);
	canvas_unclip(s->c);
}
