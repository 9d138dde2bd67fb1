/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The screen of the roofline: the plot, its figures beside or below it, and the user's place. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/minmax.h"
#include "ui/screens/roof.h"

#define PANEL_W 40
#define PANEL_SCREEN_W 96	/* from here on the panel stands beside the plot */

static void draw(struct screen *s)
{
	const struct view_model *m = s->m;
	const struct roofline *r = roof_line(m);
	const struct roof_view *view = roof_level(s->v, r);
	const char *why = _("waiting for the first complete window");
	struct rect body = s->l.body, area = body;
	bool panel = body.w >= PANEL_SCREEN_W, foot = !panel && body.h >= 6 && view;

	if (!r) {
		if (m->snap && m->snap->set == m->set && m->snap->roofline)
			why = _("no roof of this device's arithmetic is known: neither its units nor "
				"a measurement; 'rooftop calibrate' measures it");
		box_text(s->c,
			(struct rect){ body.x + 2, body.y + 1, max_of(body.w - 4, 1), body.h }, 0,
			why);
		return;
	}
	area.w -= panel ? PANEL_W + 1 : 1;
	area.h -= foot;
	if (panel)
		roof_panel_draw(s, r, view,
			(struct rect){ body.x + body.w - PANEL_W, body.y, PANEL_W, body.h });
	if (foot)
		roof_foot_draw(s, r, view, (struct rect){ body.x, body.y + body.h - 1, body.w, 1 });
	if (!roof_plot_draw(s, r, view, area) && view)
		roof_text_draw(s, r, view, body);
}

/* --- keys --- */

/* Nine points at most; the oldest goes. */
void roof_mark(struct view *v, const struct view_model *m)
{
	const struct roof_view *view = roof_level(v, roof_line(m));
	struct roofline_view *rv = &v->roof;

	if (m->back > 0 || !view || view->why != WHY_OK || !(view->live.flop_per_s > 0))
		return;
	if (rv->n_marks == ROOF_MARKS) {
		memmove(&rv->marks[0], &rv->marks[1], (ROOF_MARKS - 1) * sizeof(rv->marks[0]));
		memmove(&rv->mark_level[0], &rv->mark_level[1],
			(ROOF_MARKS - 1) * sizeof(rv->mark_level[0]));
		rv->n_marks--;
	}
	rv->marks[rv->n_marks] = view->live;
	snprintf(rv->mark_level[rv->n_marks++], sizeof(rv->mark_level[0]), "%s", view->level);
}

/* --- what the screen draws --- */

static enum command step_level(struct view *v, const struct view_model *m, int step)
{
	const struct roofline *r = roof_line(m);
	int n = r && r->n_views ? r->n_views : 1;

	v->roof.level = (v->roof.level % n + n + step) % n;
	return CMD_NONE;
}

static void level_text(const struct view *v, const struct view_model *m, char *buf, size_t size)
{
	const struct roof_view *view = roof_level(v, roof_line(m));

	snprintf(buf, size, "%s", view ? view->level : "--");
}

static enum command step_trail(struct view *v, const struct view_model *m, int step)
{
	(void)m;
	v->roof.trail = (v->roof.trail + ROOF_TRAILS + step) % ROOF_TRAILS;
	return CMD_NONE;
}

static void trail_text(const struct view *v, const struct view_model *m, char *buf, size_t size)
{
	(void)m;
	snprintf(buf, size, _("%d s"), roof_trail_s(v));
}

static enum command step_unit(struct view *v, const struct view_model *m, int step)
{
	(void)m;
	(void)step;
	v->roof.per_cycle = !v->roof.per_cycle;
	return CMD_NONE;
}

static void unit_text(const struct view *v, const struct view_model *m, char *buf, size_t size)
{
	const struct roofline *r = roof_line(m);

	snprintf(buf, size, "%s", r ? roof_unit(r, v) : "--");
}

static enum command step_zoom(struct view *v, const struct view_model *m, int step)
{
	(void)m;
	v->roof.zoom = (v->roof.zoom + ROOF_ZOOMS + step) % ROOF_ZOOMS;
	if (!v->roof.zoom)
		v->roof.move_x = v->roof.move_y = 0;
	return CMD_NONE;
}

static void zoom_text(const struct view *v, const struct view_model *m, char *buf, size_t size)
{
	(void)m;
	if (v->roof.zoom)
		snprintf(buf, size, _("%dx, the arrows move"), 1 << v->roof.zoom);
	else
		snprintf(buf, size, "%s", _("all"));
}

static enum command write_plot(struct view *v, const struct view_model *m, int step)
{
	(void)v;
	(void)m;
	(void)step;
	return CMD_WRITE_PLOT;
}

static void plot_text(const struct view *v, const struct view_model *m, char *buf, size_t size)
{
	(void)v;
	(void)m;
	snprintf(buf, size, "%s", _("Enter writes it"));
}

static const struct drawn_line drawn[] = {
	DRAWN_LINE(N_("level of memory"), level_text, step_level),
	DRAWN_LINE(N_("trail"), trail_text, step_trail),
	DRAWN_LINE(N_("unit"), unit_text, step_unit),
	DRAWN_LINE(N_("zoom"), zoom_text, step_zoom),
	DRAWN_LINE(N_("the plot as SVG"), plot_text, write_plot),
};

/* While the plot is zoomed, the arrows move it. */
static bool command(
	struct view *v, const struct screen *s, enum command cmd, enum command *out)
{
	struct roofline_view *rv = &v->roof;

	switch (cmd) {
	case CMD_PANE_NEXT: *out = step_level(v, s->m, 1); return true;
	case CMD_PANE_PREVIOUS: *out = step_level(v, s->m, -1); return true;
	case CMD_TOP: rv->move_x = rv->move_y = rv->zoom = 0; return true;
	default: break;
	}
	if (!rv->zoom)
		return select_is_move(cmd);
	switch (cmd) {
	case CMD_UP: rv->move_y++; break;
	case CMD_DOWN: rv->move_y--; break;
	case CMD_LEFT: rv->move_x--; break;
	case CMD_RIGHT: rv->move_x++; break;
	default: return select_is_move(cmd);
	}
	return true;
}

/* The metric that the level's point lacks, else its FLOP. */
static int explained(const struct view *v, const struct view_model *m)
{
	const struct roofline *r = roof_line(m);
	const struct roof_view *view = roof_level(v, r);

	if (!view)
		return -1;
	if (view->why != WHY_OK && view->traffic >= 0 && r->performance >= 0 &&
		m->snap->values[r->performance].why == WHY_OK)
		return view->traffic;
	return r->performance;
}

/* Rows are numbered like the user's level. */
static bool level_has(const void *rows, int row, const char *text)
{
	const struct roofline *r = rows;

	return select_contains(roof_nth_level(r, row)->level, text);
}

/* A level of memory by its name. */
static bool find(struct view *v, const struct screen *s, const char *text, int step)
{
	const struct roofline *r = roof_line(s->m);
	struct select_rows rows = { r, r ? r->n_views : 0, v->roof.level, level_has };

	return view_find_row(v, s, &rows, text, step);
}

static void choose(struct view *v, const struct view_model *m, int list, int row)
{
	(void)m;
	(void)list;
	v->roof.level = row;
}

static const struct footer_key footer[] = {
	{ CMD_DRAWN, CMD_NONE, N_("Draw") },
	{ CMD_PANE_NEXT, CMD_NONE, N_("Level") },
	{ CMD_MARK, CMD_FORGET, N_("Mark, forget") },
	{ CMD_EXPLAIN, CMD_NONE, N_("Explain") },
	{ CMD_PAUSE, CMD_NONE, N_("Pause") },
};

const struct screen_ops screen_roofline = {
	SCREEN_FOOTER(footer),
	SCREEN_DRAWN(drawn),
	.metric = explained,
	.draw = draw,
	.command = command,
	.find = find,
	.choose = choose,
};
