/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the screen, and turns commands and clicks into the user's place on it. */
#include "config.h"

#include "ui/view.h"

#include <stdlib.h>
#include <string.h>

#include "ui/pane_meters.h"
#include "ui/screen.h"

void view_init(struct view *v, bool ascii, enum scheme scheme)
{
	*v = (struct view){ .screen = VIEW_OVERVIEW, .ascii = ascii, .scheme = scheme };
}

void view_draw(const struct view *v, const struct view_model *m, struct canvas *c)
{
	struct screen s = { .v = v, .m = m, .c = c, .g = glyphs_for(v->ascii) };

	canvas_unclip(c);
	canvas_clear(c);
	chrome_layout(&s.l, m, c->w, c->h);
	if (v->screen == VIEW_OVERVIEW || s.l.number_only)
		screen_overview_draw(&s);
	else if (v->screen == VIEW_DEVICES)
		screen_devices_draw(&s);
	else
		screen_log_draw(&s);
	chrome_draw(&s);
	if (v->explain && !s.l.number_only)
		box_explain_draw(&s);
	if (v->help && !s.l.number_only)
		box_help_draw(&s);
	if (v->ascii)
		glyphs_force_ascii(c);
}

/* How far a moving command goes: -1 and 1 a row, pages by page, ends by count. */
static int move(enum command cmd, int now, int page, int count)
{
	int last = count > 0 ? count - 1 : 0;

	page = page > 1 ? page : 1;
	switch (cmd) {
	case CMD_UP: now--; break;
	case CMD_DOWN: now++; break;
	case CMD_PAGE_UP: now -= page; break;
	case CMD_PAGE_DOWN: now += page; break;
	case CMD_TOP: now = 0; break;
	case CMD_BOTTOM: now = last; break;
	default: break;
	}
	return now < 0 ? 0 : now > last ? last : now;
}

static bool is_move(enum command cmd)
{
	return cmd == CMD_UP || cmd == CMD_DOWN || cmd == CMD_PAGE_UP || cmd == CMD_PAGE_DOWN || cmd == CMD_TOP || cmd == CMD_BOTTOM;
}

static void panes_at(const struct view *v, const struct view_model *m, int w, int h, struct pane_list *l, struct pane_layout *pl)
{
	struct screen_layout sl;
	int rows[LAYOUT_PANES];

	pane_list_make(l, m->set);
	chrome_layout(&sl, m, w, h);
	for (int i = 0; i < l->n; i++)
		rows[i] = l->pane[i].n;
	layout_panes(pl, sl.body, l->n, rows, pane_focus(l, v));
}

/* Rows of pane p that can be seen. */
static int pane_rows(const struct pane_layout *pl, int p)
{
	int rows = pl->pane[p].h - (pl->framed ? 2 : 0);

	return rows > 0 ? rows : 1;
}

static void overview_move(struct view *v, const struct view_model *m, enum command cmd, int w, int h)
{
	struct pane_list l;
	struct pane_layout pl;
	int p, rows;

	panes_at(v, m, w, h, &l, &pl);
	if (!l.n)
		return;
	p = pane_focus(&l, v);
	rows = pane_rows(&pl, p);
	v->selected[p] = move(cmd, pane_selected(&l, v, p), rows, l.pane[p].n);
	v->top[p] = layout_scroll(v->top[p], v->selected[p], rows < l.pane[p].n ? rows : l.pane[p].n, l.pane[p].n);
	v->explain_top = 0;
}

static void log_move(struct view *v, const struct view_model *m, enum command cmd, int w, int h)
{
	struct screen_layout l;
	int n = m->log ? log_count(m->log) : 0, rows, most;

	chrome_layout(&l, m, w, h);
	rows = screen_log_rows(&l);
	most = n > rows ? n - rows : 0;
	/* log_top counts from the bottom. */
	v->log_top = most - move(cmd, most - (v->log_top < most ? v->log_top : most), rows, most + 1);
}

static void turn_pane(struct view *v, const struct view_model *m, int step)
{
	struct pane_list l;

	pane_list_make(&l, m->set);
	if (v->screen == VIEW_OVERVIEW && l.n)
		v->focus = (pane_focus(&l, v) + step + l.n) % l.n;
	v->explain_top = 0;
}

/* An open box takes moves and closes on everything else; true when the command is done with. */
static bool box_command(struct view *v, const struct view_model *m, enum command cmd, int w, int h)
{
	if (v->help) {
		if (is_move(cmd)) {
			v->help_top = move(cmd, v->help_top, h - 4, box_help_max_top(w, h) + 1);
			return true;
		}
		v->help = false;
		return cmd == CMD_HELP || cmd == CMD_CLOSE || cmd == CMD_EXPLAIN;
	}
	if (v->explain) {
		if (is_move(cmd)) {
			v->explain_top = move(cmd, v->explain_top, h - 4, box_explain_max_top(v, m, w, h) + 1);
			return true;
		}
		if (cmd == CMD_CLOSE || cmd == CMD_EXPLAIN) {
			v->explain = false;
			return true;
		}
	}
	return false;
}

static void show_screen(struct view *v, enum view_screen screen)
{
	v->screen = screen;
	v->explain = false;
}

static enum command explain(struct view *v)
{
	if (v->screen == VIEW_DEVICES)
		return CMD_USE_DEVICE;
	v->explain = v->screen == VIEW_OVERVIEW;
	v->explain_top = 0;
	return CMD_NONE;
}

enum command view_command(struct view *v, const struct view_model *m, enum command cmd, int w, int h)
{
	if (box_command(v, m, cmd, w, h))
		return CMD_NONE;
	if (is_move(cmd)) {
		if (v->screen == VIEW_OVERVIEW)
			overview_move(v, m, cmd, w, h);
		else if (v->screen == VIEW_LOG)
			log_move(v, m, cmd, w, h);
		else
			v->device_row = move(cmd, v->device_row, h / 3, m->n_devices);
		return CMD_NONE;
	}
	switch (cmd) {
	case CMD_SCREEN_OVERVIEW: show_screen(v, VIEW_OVERVIEW); break;
	case CMD_SCREEN_DEVICES: show_screen(v, VIEW_DEVICES); break;
	case CMD_SCREEN_LOG: show_screen(v, VIEW_LOG); break;
	case CMD_HELP: v->help = true; v->help_top = 0; break;
	case CMD_PANE_NEXT: turn_pane(v, m, 1); break;
	case CMD_PANE_PREVIOUS: turn_pane(v, m, -1); break;
	case CMD_EXPLAIN: return explain(v);
	case CMD_CLOSE: break;
	case CMD_COLOR: v->scheme = (enum scheme)((v->scheme + 1) % SCHEME_COUNT); break;
	case CMD_ASCII: v->ascii = !v->ascii || MB_CUR_MAX == 1; break;	/* a terminal of single bytes has no other glyphs */
	default: return cmd;
	}
	return CMD_NONE;
}

static bool in_rect(const struct rect *r, int x, int y)
{
	return x >= r->x && x < r->x + r->w && y >= r->y && y < r->y + r->h;
}

static void click_overview(struct view *v, const struct view_model *m, const struct key_event *k, int w, int h)
{
	struct pane_list l;
	struct pane_layout pl;

	panes_at(v, m, w, h, &l, &pl);
	for (int p = 0; p < l.n; p++) {
		int rows = pane_rows(&pl, p), row = k->y - pl.pane[p].y - pl.framed, n = l.pane[p].n;

		if (!in_rect(&pl.pane[p], k->x, k->y))
			continue;
		v->focus = p;
		if (rows > n)
			rows = n;
		if (row >= 0 && row < rows)
			v->selected[p] = layout_scroll(v->top[p], pane_selected(&l, v, p), rows, n) + row;
	}
}

static void click_devices(struct view *v, const struct view_model *m, const struct key_event *k, int w, int h)
{
	int row = screen_devices_row_at(v, m, k->y, w, h);

	if (row >= 0)
		v->device_row = row;
}

enum command view_click(struct view *v, const struct view_model *m, const struct key_event *k, int w, int h)
{
	enum command cmd;

	if (k->code != KEY_MOUSE_)
		return CMD_NONE;
	if (k->ch == 4 || k->ch == 5)
		return view_command(v, m, k->ch == 4 ? CMD_UP : CMD_DOWN, w, h);
	cmd = chrome_hit(v, m, k->x, k->y, w, h);
	if (cmd != CMD_NONE)
		return view_command(v, m, cmd, w, h);
	if (v->help || v->explain)
		v->help = v->explain = false;
	else if (v->screen == VIEW_OVERVIEW)
		click_overview(v, m, k, w, h);
	else if (v->screen == VIEW_DEVICES)
		click_devices(v, m, k, w, h);
	return CMD_NONE;
}

int view_selected_device(const struct view *v)
{
	return v->device_row;
}
