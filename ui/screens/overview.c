/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the first screen: what limits the device, its health, four panes of numbers, the roofline,
 * the last minutes, who uses it. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "ui/screens/overview.h"
#include "base/minmax.h"
#include "ui/screens/roof.h"

/* What a frame of this screen consists of. */
struct overview {
	struct overview_list list;
	struct overview_layout at;
};

static void overview_make(struct overview *o, const struct screen *s)
{
	const struct view_model *m = s->m;
	const struct roofline *r = roof_line(m);
	struct overview_wants w = { 0 };

	overview_list_make(&o->list, s->v, m);
	w.health = health_count(m, &o->list, &w.ends_asleep);
	for (int i = 0; i < OVERVIEW_PANES; i++) {
		w.rows[i] = overview_lines(&o->list.rows[i]);
		w.spare[i] = o->list.rows[i].apart;
	}
	w.history = m->history ? overview_history_lines(&o->list) : 0;
	w.roofline = !view_hides(s->v, VIEW_PANE_ROOFLINE) && r && roofline_top(r) &&
		roof_level(s->v, r);
	if (!view_hides(s->v, VIEW_PANE_PROCESSES) && m->client_list)
		w.processes = (int)m->client_list->n_rows;
	overview_place(&o->at, s->l.body, &w);
}

/* --- narrow screens --- */

/* Writes a number and its roof, such as "SP ~49.6/8192 FLOP/cycle". */
static void number_text(const struct view_model *m, int metric, char *buf, size_t size)
{
	const struct metric *x = &m->set->metrics[metric];
	struct unit_form form = meter_form(m, metric);
	double roof = meter_ceiling(m, metric);
	char number[24], top[16] = "";

	meter_row_number(m, metric, meter_value(m, metric), number, sizeof(number), 6);
	if (roof > 0 && strcmp(form.unit, "%") != 0)
		meter_ceiling_number(top, sizeof(top), roof * form.factor);
	snprintf(buf, size, "%s %s%s%s%s %s", metric_label(x), meter_mark(m, metric), number, *top ? "/" : "", top,
		form.unit);
}

/* The bar of time, and then the first rows of the panes, two in a line where there is room. */
static void draw_numbers(struct screen *s, const struct overview_list *l, struct rect r)
{
	static const enum overview_pane order[] = { OVERVIEW_FLOPS, OVERVIEW_BANDWIDTH,
		OVERVIEW_POWER, OVERVIEW_UTILIZATION };
	int y = r.y;
	char text[128];

	if (l->rows[OVERVIEW_UTILIZATION].bar >= 0 && r.h > 0)
		overview_time_line(s, l, (struct rect){ r.x + 1, y++, r.w - 2, 1 });
	for (size_t i = 0; i < ARRAY_LEN(order) && y < r.y + r.h; i++) {
		const struct pane *p = &l->rows[order[i]].pane;

		if (!p->n)
			continue;
		number_text(s->m, p->metric[0], text, sizeof(text));
		glyphs_field(s->c, s->g, r.x + 1, y++, r.w - 2, ROLE_VALUE, text);
	}
}

/* The answer, and below it a thing in each line. */
static void draw_tiny(struct screen *s, const struct overview_list *l, struct rect r)
{
	static const enum limit_role pairs[][2] = { { LIMIT_BUSY, LIMIT_NONE },
		{ LIMIT_CLOCK, LIMIT_POWER }, { LIMIT_TEMPERATURE, LIMIT_MEMORY } };
	int y = r.y + 2;
	char a[32], b[32], line[80];

	answer_lines(s, (struct rect){ r.x, r.y, r.w, min_of(r.h, 2) });
	for (size_t i = 0; i < ARRAY_LEN(pairs) && y < r.y + r.h; i++) {
		health_brief(s->m, l, pairs[i][0], a, sizeof(a));
		health_brief(s->m, l, pairs[i][1], b, sizeof(b));
		if (pairs[i][0] == LIMIT_BUSY && *a)
			snprintf(line, sizeof(line), "%s %s", _("busy"), a);
		else
			snprintf(line, sizeof(line), "%s%s%s", a, *a && *b ? " " : "", b);
		if (*line)
			glyphs_field(s->c, s->g, r.x, y++, r.w, ROLE_VALUE, line);
	}
}

/* The answer alone; a line that is left says why there is no more. */
static void draw_smallest(struct screen *s)
{
	int y = answer_lines(s, (struct rect){ 0, 0, s->w, s->h });
	char text[80];

	snprintf(text, sizeof(text), _("the window is too small: %dx%d shows more"), LAYOUT_MIN_W,
		LAYOUT_MIN_H);
	if (format_columns(text) > s->w)
		snprintf(text, sizeof(text), "%s", _("too small"));
	if (y < s->h && format_columns(text) <= s->w)
		canvas_text(s->c, 0, s->h - 1, ROLE_DIM, text);
}

/* --- all sizes --- */

/* Where there is room for one pane, it is the one with the cursor. */
static void draw_single(struct screen *s, const struct overview *o)
{
	enum overview_pane pane = OVERVIEW_UTILIZATION;
	struct rect r = o->at.pane[0];

	int place = overview_place_of(s->v);

	if (place != OVERVIEW_ANSWER)
		pane = (enum overview_pane)place;
	if (!r.h && o->at.numbers.h && place != OVERVIEW_ANSWER) {
		r = o->at.health;
		r.h += o->at.numbers.h;
	} else if (o->at.health.h) {
		health_draw(s, &o->list, o->at.health, o->at.health_columns);
	}
	if (r.h)
		overview_pane_draw(s, &o->list, pane, r);
	else
		draw_numbers(s, &o->list, o->at.numbers);
}

static int rows_drawn(const struct overview *o, int pane)
{
	int h = o->at.pane[0].h;

	if (!o->at.single)
		return overview_rows_drawn(&o->list, &o->at, (enum overview_pane)pane);
	if (!h)
		h = o->at.health.h + o->at.numbers.h;
	return overview_rows_fit(&o->list.rows[pane], max_of(h - 2, 0));
}

/* Clicks on a part that has a screen of its own turn to it. */
static void offer_parts(struct screen *s, const struct overview *o)
{
	s->note->one_pane = o->at.single;
	s->note->pane_order = o->at.order;
	for (int i = 0; i < OVERVIEW_PANES; i++)
		s->note->drawn[i] = rows_drawn(o, i);
	offer_command(s, o->at.roofline, CMD_SCREEN_ROOFLINE);
	offer_command(s, o->at.processes, CMD_SCREEN_PROCS);
	offer_row(s, o->at.answer, OVERVIEW_ANSWER, 0);
}

static void draw(struct screen *s)
{
	struct overview o;

	if (s->l.number_only) {
		draw_smallest(s);
		return;
	}
	overview_make(&o, s);
	if (s->v->screen == VIEW_OVERVIEW)
		offer_parts(s, &o);
	if (o.at.tiny.h) {
		draw_tiny(s, &o.list, o.at.tiny);
		return;
	}
	answer_draw(s, &o.at);
	if (o.at.single) {
		draw_single(s, &o);
	} else {
		health_draw(s, &o.list, o.at.health, o.at.health_columns);
		overview_grid_draw(s, &o.list, &o.at);
	}
	if (o.at.roofline.h)
		roof_pane_draw(s, roof_line(s->m), roof_level(s->v, roof_line(s->m)), o.at.roofline);
	if (o.at.history.h)
		overview_history_draw(s, &o.list, &o.at);
	if (o.at.processes.h)
		procs_pane_draw(s, o.at.processes);
}

/* --- the cursor --- */

static int cursor_rows(const struct view *v, const struct overview_list *l, int pane)
{
	return overview_cursor_rows(&l->rows[pane], v->drawn[pane]);
}

static bool is_place(const struct overview_list *l, int place)
{
	return place == OVERVIEW_ANSWER || !l->rows[place].hidden;
}

static void turn(struct view *v, const struct overview_list *l, int step)
{
	do
		v->focus = (overview_place_of(v) + step + OVERVIEW_PLACES) % OVERVIEW_PLACES;
	while (!is_place(l, v->focus));
}

/* Returns the pane above (step -1) or below (1) one that the user does not hide; -1: none. */
static int neighbour(const struct view *v, const struct overview_list *l, int pane, int step)
{
	for (int c = 0; c < 2; c++) {
		const int *stack = overview_stack((enum overview_order)v->pane_order, c);
		int at = 0;

		while (stack[at] >= 0 && stack[at] != pane)
			at++;
		if (stack[at] < 0)
			continue;
		do
			at += step;
		while (at >= 0 && stack[at] >= 0 && !is_place(l, stack[at]));
		return at >= 0 ? stack[at] : -1;
	}
	return -1;
}

/* Up from the first row of a pane leads to what stands above it, and down likewise. */
static void move(struct view *v, const struct overview_list *l, enum command cmd)
{
	int pane = overview_place_of(v), n, row;

	if (pane == OVERVIEW_ANSWER) {
		if (cmd == CMD_DOWN)
			turn(v, l, 1);
		return;
	}
	n = cursor_rows(v, l, pane);
	row = clamp(v->selected[pane], 0, n - 1);
	int to = -1;
	if (!v->one_pane)
		to = neighbour(v, l, pane, cmd == CMD_UP ? -1 : 1);
	if (cmd == CMD_UP && row == 0)
		v->focus = to >= 0 ? to : OVERVIEW_ANSWER;
	else if (cmd == CMD_DOWN && row == n - 1 && to >= 0)
		v->selected[v->focus = to] = 0;
	else
		v->selected[pane] = select_move(cmd, row, n, n);
}

/* The first metric of a pane that has no row in this frame; -1: all have one. */
static int first_without_row(
	const struct view *v, const struct overview_list *l, const struct view_model *m, int pane)
{
	const struct overview_rows *r = &l->rows[pane];
	int drawn = v->drawn[pane];

	if (drawn < r->pane.n)
		return r->pane.metric[drawn];
	for (int i = 0; i < m->set->n_metrics; i++)
		if (!(m->set->metrics[i].flags & METRIC_HIDDEN) &&
			overview_has_no_row(m, i) &&
			(int)overview_pane_of(m->set, &m->set->metrics[i]) == pane)
			return i;
	return -1;
}

/* Whether the metric belongs to the pane and has no row in this frame. */
static bool is_rest(const struct view *v, const struct overview_list *l,
	const struct view_model *m, int pane, int metric)
{
	const struct pane *p = &l->rows[pane].pane;
	int drawn = min_of(v->drawn[pane], p->n);

	if ((m->set->metrics[metric].flags & METRIC_HIDDEN) ||
		(int)overview_pane_of(m->set, &m->set->metrics[metric]) != pane)
		return false;
	for (int i = 0; i < drawn; i++)
		if (p->metric[i] == metric)
			return false;
	return true;
}

/* Enter on the line that counts what a pane does not show leads to the screen that shows it. */
static bool show_rest(struct view *v, const struct screen *s)
{
	int pane = overview_place_of(v), metric;
	struct overview_list l;

	/* A set without a window has no rows yet, and leaves none out. */
	if (!s->m->snap || s->m->snap->set != s->m->set)
		return false;
	overview_list_make(&l, v, s->m);
	if (pane == OVERVIEW_ANSWER || v->selected[pane] < v->drawn[pane])
		return false;
	metric = first_without_row(v, &l, s->m, pane);
	if (v->found_rest > 0 && v->found_rest <= s->m->set->n_metrics &&
		is_rest(v, &l, s->m, pane, v->found_rest - 1))
		metric = v->found_rest - 1;
	if (metric < 0)
		return false;
	view_show_counters(v, s->m, metric);
	return true;
}

static bool command(
	struct view *v, const struct screen *s, enum command cmd, enum command *out)
{
	struct overview_list l;

	(void)out;
	if (cmd == CMD_ENTER || cmd == CMD_EXPLAIN)
		return show_rest(v, s);
	if (!select_is_move(cmd) && cmd != CMD_PANE_NEXT && cmd != CMD_PANE_PREVIOUS)
		return false;
	overview_list_make(&l, v, s->m);
	v->explain_top = 0;
	v->found_rest = 0;
	if (cmd == CMD_PANE_NEXT)
		turn(v, &l, 1);
	else if (cmd == CMD_PANE_PREVIOUS)
		turn(v, &l, -1);
	else
		move(v, &l, cmd);
	return true;
}

static int explained(const struct view *v, const struct view_model *m)
{
	struct overview_list l;
	int place = overview_place_of(v), row;

	if (place == OVERVIEW_ANSWER)
		return EXPLAIN_ANSWER;
	overview_list_make(&l, v, m);
	const struct pane *p = &l.rows[place].pane;
	row = clamp(v->selected[place], 0, p->n);
	if (row < p->n)
		return p->metric[row];
	return EXPLAIN_NOTHING;
}

static void choose(struct view *v, const struct view_model *m, int list, int row)
{
	(void)m;
	v->focus = list;
	if (list != OVERVIEW_ANSWER)
		v->selected[list] = row;
}

static bool has_text(const struct metric *x, const char *text)
{
	return select_contains(metric_label(x), text) || select_contains(x->label, text) ||
		select_contains(x->name, text);
}

/* Whether the row of a pane has the text; then the cursor goes there. */
static bool find_row(struct view *v, const struct overview_list *l, const struct screen *s,
	const char *text, int pane, int row)
{
	const struct pane *p = &l->rows[pane].pane;

	if (row >= min_of(p->n, v->drawn[pane]) ||
		!has_text(&s->m->set->metrics[p->metric[row]], text))
		return false;
	v->focus = pane;
	v->selected[pane] = row;
	v->found_rest = 0;
	return true;
}

/* Whether the metric has the text and no row; then the cursor goes to the line that counts what its
 * pane does not show, and Enter leads to that metric. */
static bool find_rest(struct view *v, const struct overview_list *l, const struct screen *s,
	const char *text, int metric)
{
	const struct metric *x = &s->m->set->metrics[metric];
	int pane = (int)overview_pane_of(s->m->set, x);

	if (!has_text(x, text) || !is_place(l, pane) || !is_rest(v, l, s->m, pane, metric) ||
		cursor_rows(v, l, pane) <= v->drawn[pane])
		return false;
	v->focus = pane;
	v->selected[pane] = v->drawn[pane];
	v->found_rest = metric + 1;
	return true;
}

/* Goes through the rows of all panes in their order, then through what they have no room for, and
 * around; from where the cursor is. */
static bool find(struct view *v, const struct screen *s, const char *text, int step)
{
	int first[OVERVIEW_PANES + 1] = { 0 }, n_metrics = s->m->set->n_metrics, from = 0, at, pane;
	struct overview_list l;

	overview_list_make(&l, v, s->m);
	for (int i = 0; i < OVERVIEW_PANES; i++)
		first[i + 1] = first[i] + cursor_rows(v, &l, i);
	int rows = first[OVERVIEW_PANES];
	if (overview_place_of(v) != OVERVIEW_ANSWER)
		from = first[v->focus] +
			clamp(v->selected[v->focus], 0, cursor_rows(v, &l, v->focus) - 1);
	if (v->found_rest > 0 && v->found_rest <= n_metrics)
		from = rows + v->found_rest - 1;
	for (int i = step; i < rows + n_metrics + step; i++) {
		at = (from + i) % (rows + n_metrics);
		if (at >= rows && find_rest(v, &l, s, text, at - rows))
			return true;
		for (pane = 0; at >= first[pane + 1] && pane < OVERVIEW_PANES - 1;)
			pane++;
		if (at < rows && find_row(v, &l, s, text, pane, at - first[pane]))
			return true;
	}
	return false;
}

const struct screen_ops screen_overview = {
	.metric = explained,
	.draw = draw,
	.command = command,
	.find = find,
	.choose = choose,
};
