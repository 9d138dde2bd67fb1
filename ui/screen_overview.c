/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first screen: a pane for each group of the set, and large graphs where there is room. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "ui/pane_meters.h"
#include "ui/range.h"
#include "ui/roof.h"

#define EXTRA_MIN_W 38
#define EXTRA_MAX_W 56
#define EXTRA_MIN_H 7

/* One number, and its label and unit where they fit. */
static void draw_number_only(struct screen *s, const struct pane_list *l)
{
	int metric = pane_focused_metric(l, s->v), w = s->w, y = s->h / 2, x = 0;
	const char *label = "", *unit = "";
	char number[32] = "--", text[96];

	if (metric >= 0) {
		const struct metric *shown = &s->m->set->metrics[metric];

		label = metric_label(shown);
		unit = meter_unit(shown);
		meter_number(number, sizeof(number), shown, meter_value(s->m, metric).v,
			meter_number_scale(s->m, metric), min_of(w, 6));
	}
	snprintf(text, sizeof(text), "%s%s%s", number, *unit ? " " : "", unit);
	if (s->h >= 2)
		canvas_field(s->c, 0, y - 1, w, false, ROLE_LABEL, label);
	else if (format_columns(label) + format_columns(number) < w)
		x = canvas_text(s->c, 0, y, ROLE_LABEL, label) + 1;
	if (format_columns(text) > w - x || (s->h < 2 && !x))
		snprintf(text, sizeof(text), "%s", number);
	canvas_field(s->c, x, y, w - x, false, ROLE_VALUE, text);
}

/* Panes beside the graphs. */
enum { EXTRA_ROOFLINE, EXTRA_PROCESSES, EXTRA_COUNT };

static bool has_extra(const struct view *v, const struct view_model *m, int extra)
{
	const struct roofline *r = roof_line(m);

	if (extra == EXTRA_PROCESSES)
		return !view_hides(v, VIEW_PANE_PROCESSES) && m->client_list &&
			m->client_list->n_rows > 0;
	return !view_hides(v, VIEW_PANE_ROOFLINE) && r && roofline_top(r) && roof_level(v, r);
}

/* The panes beside the graphs take columns from them as long as enough are left. A pane without
 * room has width 0. */
static void extras_place(const struct view *v, const struct view_model *m, struct pane_layout *pl,
	struct rect extra[EXTRA_COUNT])
{
	struct rect all = pl->graph[0];
	int w, left;

	memset(extra, 0, EXTRA_COUNT * sizeof(extra[0]));
	if (!pl->n_graphs)
		return;
	for (int i = 1; i < pl->n_graphs; i++) {
		all.w = max_of(all.w, pl->graph[i].x + pl->graph[i].w - all.x);
		all.h = pl->graph[i].y + pl->graph[i].h - all.y;
	}
	w = min_of(all.w / 3, EXTRA_MAX_W);
	left = all.w;
	for (int i = 0; i < EXTRA_COUNT && w >= EXTRA_MIN_W && all.h >= EXTRA_MIN_H; i++) {
		if (!has_extra(v, m, i))
			continue;
		left -= w;
		extra[i] = (struct rect){ all.x + left, all.y, w, all.h };
	}
	for (int i = 0; i < pl->n_graphs && left < all.w; i++) {
		int x0 = (pl->graph[i].x - all.x) * left / all.w,
		    x1 = (pl->graph[i].x + pl->graph[i].w - all.x) * left / all.w;

		pl->graph[i].x = all.x + x0;
		pl->graph[i].w = x1 - x0;
	}
}

static void draw(struct screen *s)
{
	struct rect extra[EXTRA_COUNT], r = s->l.body;
	struct pane_layout pl;
	struct pane_list l;
	char text[160], key[8];

	pane_list_make(&l, s->v, s->m->set);
	if (s->l.number_only) {
		draw_number_only(s, &l);
		return;
	}
	if (!l.n) {
		/* Without a set the screen says what the user can do. */
		if (s->m->device)
			snprintf(text, sizeof(text), "%s", _("no metric set is loaded for this device"));
		else
			snprintf(text, sizeof(text), _("no device is open: %s lists what was found"),
				key_of_command(CMD_SCREEN_DEVICES, false, key, sizeof(key)));
		canvas_clip(s->c, r);
		canvas_text(s->c, r.x + (r.w - format_columns(text)) / 2, r.y + r.h / 2, ROLE_DIM,
			text);
		canvas_unclip(s->c);
		return;
	}
	pane_place(&l, s->v, r, &pl);
	extras_place(s->v, s->m, &pl, extra);
	pane_placed_draw(s, &l, &pl);
	if (extra[EXTRA_ROOFLINE].w)
		roof_pane_draw(s, roof_line(s->m), roof_level(s->v, roof_line(s->m)),
			extra[EXTRA_ROOFLINE]);
	if (extra[EXTRA_PROCESSES].w)
		procs_pane_draw(s, extra[EXTRA_PROCESSES]);
}

static void panes_at(const struct screen *s, struct pane_list *l, struct pane_layout *pl)
{
	pane_list_make(l, s->v, s->m->set);
	pane_place(l, s->v, s->l.body, pl);
}

/* Rows of pane p that can be seen. */
static int pane_rows(const struct pane_layout *pl, int p)
{
	return max_of(1, pl->pane[p].h - 2 * pl->framed);
}

static void overview_move(struct view *v, const struct screen *s, enum command cmd)
{
	struct pane_list l;
	struct pane_layout pl;
	int p, rows;

	panes_at(s, &l, &pl);
	if (!l.n)
		return;
	p = pane_focus(&l, v);
	rows = pane_rows(&pl, p);
	v->selected[p] = select_move(cmd, pane_selected(&l, v, p), rows, l.pane[p].n);
	v->top[p] = layout_scroll(
		v->top[p], v->selected[p], min_of(rows, l.pane[p].n), l.pane[p].n);
	v->explain_top = 0;
}

static bool command(
	struct view *v, const struct screen *s, enum command cmd, enum command *out)
{
	struct pane_list l;
	int step = -1;

	(void)out;
	if (select_is_move(cmd)) {
		overview_move(v, s, cmd);
	} else if (cmd == CMD_PANE_NEXT || cmd == CMD_PANE_PREVIOUS) {
		pane_list_make(&l, v, s->m->set);
		if (cmd == CMD_PANE_NEXT)
			step = 1;
		if (l.n)
			v->focus = (pane_focus(&l, v) + step + l.n) % l.n;
		v->explain_top = 0;
	} else {
		return false;
	}
	return true;
}

static int explained(const struct view *v, const struct view_model *m)
{
	struct pane_list l;

	pane_list_make(&l, v, m->set);
	return pane_focused_metric(&l, v);
}

/* A click beside the graphs turns to the screen of what stands there. */
static void click(struct view *v, const struct screen *s, const struct key_event *k)
{
	struct rect extra[EXTRA_COUNT];
	struct pane_layout pl;
	struct pane_list l;

	panes_at(s, &l, &pl);
	extras_place(v, s->m, &pl, extra);
	for (int i = 0; i < EXTRA_COUNT; i++)
		if (layout_hits(&extra[i], k->x, k->y))
			v->screen = i == EXTRA_ROOFLINE ? VIEW_ROOFLINE : VIEW_PROCS;
	for (int p = 0; p < l.n; p++) {
		int rows = pane_rows(&pl, p), row = k->y - pl.pane[p].y - pl.framed,
		    n = l.pane[p].n;

		if (!layout_hits(&pl.pane[p], k->x, k->y))
			continue;
		v->focus = p;
		rows = min_of(rows, n);
		if (row >= 0 && row < rows)
			v->selected[p] =
				layout_scroll(v->top[p], pane_selected(&l, v, p), rows, n) + row;
	}
}

/* Goes through all panes in their order, from the selected row on and around. */
static bool find(struct view *v, const struct screen *s, const char *text, int step)
{
	struct pane_list l;
	struct pane_layout pl;
	int total = 0, now, p;

	panes_at(s, &l, &pl);
	for (p = 0; p < l.n; p++)
		total += l.pane[p].n;
	if (!total)
		return false;
	p = pane_focus(&l, v);
	now = pane_selected(&l, v, p);
	for (int i = 0; i < total + step; i++) {
		const struct metric *metric = &s->m->set->metrics[l.pane[p].metric[now]];

		if (i >= step &&
			(select_contains(metric_label(metric), text) ||
				select_contains(metric->label, text) ||
				select_contains(metric->name, text))) {
			v->focus = p;
			v->selected[p] = now;
			overview_move(v, s, CMD_NONE);
			return true;
		}
		if (++now >= l.pane[p].n) {
			p = (p + 1) % l.n;
			now = 0;
		}
	}
	return false;
}

const struct screen_ops screen_overview = {
	.name = "overview",
	.title = N_("Overview"),
	.brief = N_("Over"),
	.turn = CMD_SCREEN_OVERVIEW,
	.metric = explained,
	.draw = draw,
	.command = command,
	.find = find,
	.click = click,
};
