/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The screen of the roofline: the plot, its figures beside or below it, and the user's place. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "ui/range.h"
#include "ui/roof.h"

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
			why = _("nothing about this device's roofs is known: neither its topology "
				"nor measured roofs; 'rooftop calibrate' measures them");
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
static void keep_mark(struct view *v, const struct roof_view *view)
{
	struct roofline_view *rv = &v->roof;

	if (!view || view->why != WHY_OK || !(view->live.flop_per_s > 0))
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

static bool command(
	struct view *v, const struct screen *s, enum command cmd, enum command *out)
{
	const struct roofline *r = roof_line(s->m);
	struct roofline_view *rv = &v->roof;
	int n_levels = 1;

	if (r && r->n_views)
		n_levels = r->n_views;
	switch (cmd) {
	case CMD_UP: rv->move_y++; break;
	case CMD_DOWN: rv->move_y--; break;
	case CMD_ROOF_LEFT: rv->move_x--; break;
	case CMD_ROOF_RIGHT: rv->move_x++; break;
	case CMD_TOP: rv->move_x = rv->move_y = rv->zoom = 0; break;
	case CMD_PANE_NEXT:
	case CMD_ROOF_LEVEL: rv->level = (rv->level + 1) % n_levels; break;
	case CMD_PANE_PREVIOUS: rv->level = (rv->level + n_levels - 1) % n_levels; break;
	case CMD_ROOF_TRAIL: rv->trail = (rv->trail + 1) % ROOF_TRAILS; break;
	case CMD_ROOF_ZOOM: rv->zoom = (rv->zoom + 1) % 3; break;
	case CMD_ROOF_UNIT: rv->per_cycle = !rv->per_cycle; break;
	case CMD_ROOF_KEEP: keep_mark(v, roof_level(v, r)); break;
	case CMD_ROOF_CLEAR: rv->n_marks = 0; break;
	case CMD_ROOF_WRITE: *out = cmd; break;
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
	struct select_rows rows = { r, 0, v->roof.level, level_has };

	if (r)
		rows.n = r->n_views;
	int level = select_find(&rows, text, step);
	if (level >= 0)
		v->roof.level = level;
	return level >= 0;
}

static const struct footer_key footer[] = {
	{ CMD_ROOF_LEVEL, CMD_NONE, N_("Level") },
	{ CMD_ROOF_TRAIL, CMD_NONE, N_("Trail") },
	{ CMD_ROOF_KEEP, CMD_ROOF_CLEAR, N_("Keep, clear") },
	{ CMD_ROOF_UNIT, CMD_NONE, N_("Unit") },
	{ CMD_ROOF_ZOOM, CMD_NONE, N_("Zoom") },
	{ CMD_ROOF_WRITE, CMD_NONE, N_("SVG") },
	{ CMD_EXPLAIN, CMD_NONE, N_("Explain") },
	{ CMD_PAUSE, CMD_NONE, N_("Pause") },
};

const struct screen_ops screen_roofline = {
	.name = "roofline",
	.title = N_("Roofline"),
	.brief = N_("Roof"),
	.turn = CMD_SCREEN_ROOFLINE,
	.keys = "on-roofline",
	SCREEN_FOOTER(footer),
	.metric = explained,
	.draw = draw,
	.command = command,
	.find = find,
};
