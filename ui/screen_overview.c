/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first screen: a pane for each group of the set, and large graphs where there is room. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "ui/pane_meters.h"
#include "ui/roof.h"

#define EXTRA_MIN_W 38
#define EXTRA_MAX_W 56
#define EXTRA_MIN_H 7

/* One number, and its label and unit where they fit. */
static void draw_number_only(struct screen *s, const struct pane_list *l)
{
	int metric = pane_focused_metric(l, s->v), y = s->c->h / 2;
	const struct metric *x = metric >= 0 ? &s->m->set->metrics[metric] : NULL;
	char number[32] = "--", text[96];
	const char *label;
	int room;

	if (x)
		meter_number(number, sizeof(number), x, meter_value(s->m, metric).v,
			meter_number_scale(s->m, metric), s->c->w < 6 ? s->c->w : 6);
	label = x ? metric_label(x) : "";
	room = s->c->w - format_columns(number);
	snprintf(text, sizeof(text), "%s%s%s", number,
		x && x->unit_text && *x->unit_text ? " " : "",
		x && x->unit_text ? x->unit_text : "");
	if (s->c->h >= 2) {
		canvas_field(s->c, 0, y - 1, s->c->w, false, ROLE_LABEL, label);
		canvas_field(s->c, 0, y, s->c->w, false, ROLE_VALUE,
			format_columns(text) <= s->c->w ? text : number);
		return;
	}
	if (room > format_columns(label)) {
		canvas_text(s->c, 0, y, ROLE_LABEL, label);
		canvas_text(s->c, format_columns(label) + 1, y, ROLE_VALUE,
			format_columns(text) < s->c->w - format_columns(label) ? text : number);
	} else {
		canvas_text(s->c, 0, y, ROLE_VALUE, number);
	}
}

/* Without a set there is nothing to draw; say what the user can do. */
static void draw_nothing(struct screen *s)
{
	struct rect r = s->l.body;
	char text[160], key[8];

	if (s->m->device)
		snprintf(text, sizeof(text), "%s", _("no metric set is loaded for this device"));
	else
		snprintf(text, sizeof(text), _("no device is open: %s lists what was found"),
			key_of_command(CMD_SCREEN_DEVICES, false, key, sizeof(key)));
	canvas_clip(s->c, r);
	canvas_text(s->c, r.x + (r.w - format_columns(text)) / 2, r.y + r.h / 2, ROLE_DIM, text);
	canvas_unclip(s->c);
}

/* Beside the graphs. */
enum { EXTRA_ROOFLINE, EXTRA_PROCESSES, EXTRA_COUNT };

static bool has_extra(const struct view *v, const struct view_model *m, int extra)
{
	if (view_hides(v, extra == EXTRA_ROOFLINE ? VIEW_PANE_ROOFLINE : VIEW_PANE_PROCESSES))
		return false;
	return extra == EXTRA_ROOFLINE
		? roof_line(m) && roofline_top(roof_line(m)) && roof_level(v, roof_line(m))
		: m->client_list && m->client_list->n_rows > 0;
}

/* They take from the width of the graphs, as long as these keep enough. Those without room have
 * width 0. */
static void extras_place(const struct view *v, const struct view_model *m, struct pane_layout *pl,
	struct rect extra[EXTRA_COUNT])
{
	struct rect all = pl->n_graphs ? pl->graph[0] : (struct rect){ 0 };
	int w, left;

	memset(extra, 0, EXTRA_COUNT * sizeof(extra[0]));
	for (int i = 1; i < pl->n_graphs; i++) {
		all.w = pl->graph[i].x + pl->graph[i].w - all.x > all.w
			? pl->graph[i].x + pl->graph[i].w - all.x
			: all.w;
		all.h = pl->graph[i].y + pl->graph[i].h - all.y;
	}
	w = all.w / 3 > EXTRA_MAX_W ? EXTRA_MAX_W : all.w / 3;
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
	struct rect extra[EXTRA_COUNT];
	struct pane_layout pl;
	struct pane_list l;

	pane_list_make(&l, s->v, s->m->set);
	if (s->l.number_only) {
		draw_number_only(s, &l);
		return;
	}
	if (!l.n) {
		draw_nothing(s);
		return;
	}
	pane_place(&l, s->v, s->l.body, &pl);
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
	int rows = pl->pane[p].h - (pl->framed ? 2 : 0);

	return rows > 0 ? rows : 1;
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
		v->top[p], v->selected[p], rows < l.pane[p].n ? rows : l.pane[p].n, l.pane[p].n);
	v->explain_top = 0;
}

static void turn_pane(struct view *v, const struct view_model *m, int step)
{
	struct pane_list l;

	pane_list_make(&l, v, m->set);
	if (l.n)
		v->focus = (pane_focus(&l, v) + step + l.n) % l.n;
	v->explain_top = 0;
}

static bool command(
	struct view *v, const struct screen *s, enum command cmd, enum command *out)
{
	(void)out;
	if (select_is_move(cmd)) {
		overview_move(v, s, cmd);
	} else if (cmd == CMD_PANE_NEXT || cmd == CMD_PANE_PREVIOUS) {
		turn_pane(v, s->m, cmd == CMD_PANE_NEXT ? 1 : -1);
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

/* What stands beside the graphs leads to its screen. */
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
		if (rows > n)
			rows = n;
		if (row >= 0 && row < rows)
			v->selected[p] =
				layout_scroll(v->top[p], pane_selected(&l, v, p), rows, n) + row;
	}
}

/* Through all panes in their order, from the selected row on and around. */
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
