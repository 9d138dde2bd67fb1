/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first screen: a pane for each group of the set, and large graphs where there is room. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "ui/pane_meters.h"

/* One number, and its label and unit where they fit. */
static void draw_number_only(struct screen *s, const struct pane_list *l)
{
	int metric = pane_focused_metric(l, s->v), y = s->c->h / 2;
	const struct metric *x = metric >= 0 ? &s->m->set->metrics[metric] : NULL;
	char number[32] = "--", text[96];
	const char *label;
	int room;

	if (x)
		meter_number(number, sizeof(number), x, meter_value(s->m, metric).v, meter_number_scale(s->m, metric), s->c->w < 6 ? s->c->w : 6);
	label = x && x->label ? x->label : "";
	room = s->c->w - format_columns(number);
	snprintf(text, sizeof(text), "%s%s%s", number, x && x->unit_text && *x->unit_text ? " " : "", x && x->unit_text ? x->unit_text : "");
	if (s->c->h >= 2) {
		canvas_field(s->c, 0, y - 1, s->c->w, false, ROLE_LABEL, label);
		canvas_field(s->c, 0, y, s->c->w, false, ROLE_VALUE, format_columns(text) <= s->c->w ? text : number);
		return;
	}
	if (room > format_columns(label)) {
		canvas_text(s->c, 0, y, ROLE_LABEL, label);
		canvas_text(s->c, format_columns(label) + 1, y, ROLE_VALUE, format_columns(text) < s->c->w - format_columns(label) ? text : number);
	} else {
		canvas_text(s->c, 0, y, ROLE_VALUE, number);
	}
}

/* Without a set there is nothing to draw; say what the user can do. */
static void draw_nothing(struct screen *s)
{
	struct rect r = s->l.body;
	const char *text = s->m->device ? _("no metric set is loaded for this device") : _("no device is open: 6 lists what was found");

	canvas_clip(s->c, r);
	canvas_text(s->c, r.x + (r.w - format_columns(text)) / 2, r.y + r.h / 2, ROLE_DIM, text);
	canvas_unclip(s->c);
}

static void draw_graphs(struct screen *s, const struct pane_list *l, const struct pane_layout *pl)
{
	int focus = pane_focus(l, s->v);

	for (int i = 0; i < pl->n_graphs; i++) {
		int p = pl->n_graphs == l->n ? i : (focus + i) % l->n;

		pane_graph_draw(s, l->pane[p].metric[pane_selected(l, s->v, p)], pl->graph[i], p == focus && pl->n_graphs > 1);
	}
}

void screen_overview_draw(struct screen *s)
{
	struct pane_list l;
	struct pane_layout pl;
	int rows[LAYOUT_PANES];

	pane_list_make(&l, s->m->set);
	if (s->l.number_only) {
		draw_number_only(s, &l);
		return;
	}
	if (!l.n) {
		draw_nothing(s);
		return;
	}
	for (int i = 0; i < l.n; i++)
		rows[i] = l.pane[i].n;
	layout_panes(&pl, s->l.body, l.n, rows, pane_focus(&l, s->v));
	for (int i = 0; i < l.n; i++)
		if (pl.pane[i].h > 0)
			pane_meters_draw(s, &l, i, pl.pane[i], pl.framed, pl.single);
	draw_graphs(s, &l, &pl);
}
