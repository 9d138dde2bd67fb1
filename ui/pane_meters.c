/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Panes of meter rows for any set of metrics. */
#include "config.h"

#include "ui/pane_meters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "ui/plot.h"
#include "ui/range.h"

#define NUMBER_W 5
#define BAR_MIN 6
#define BAR_GOOD 8
#define BAR_MAX 40
#define SPARK_MIN 8

/* A row with a roof has a bar. */
static bool has_roof(const struct view_model *m, int metric)
{
	return m->set->metrics[metric].ceiling_text || meter_ceiling(m, metric) > 0;
}

/* A roof of 100 % need not be said. */
static bool shows_ceiling(const struct view_model *m, int metric)
{
	double ceiling = meter_ceiling(m, metric) * meter_form(m, metric).factor;

	if (strcmp(meter_form(m, metric).unit, "%") != 0)
		return has_roof(m, metric);
	return ceiling > 0 && fabs(ceiling - 100) > 0.05;
}

static bool has_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = text; p && n && (p = strstr(p, word)); p++)
		if ((p == text || p[-1] == ' ' || p[-1] == '(') && (!p[n] || strchr(" ,)", p[n])))
			return true;
	return false;
}

/* The unit of all rows, or of all with a bar when there are several; NULL when they differ. */
static const char *same_unit(const struct view_model *m, const struct pane *p, bool roofs)
{
	const char *same = NULL;
	int n = 0;

	for (int i = 0; i < p->n; i++) {
		const char *unit = meter_form(m, p->metric[i]).unit;

		if (roofs && !has_roof(m, p->metric[i]))
			continue;
		if (same && strcmp(same, unit) != 0)
			return NULL;
		same = unit;
		n++;
	}
	return n > 1 && *same ? same : NULL;
}

/* The unit that the frame names, which rows need not repeat: "" when there is none. *append: it is
 * to be added there. */
static const char *common_unit(const struct view_model *m, const struct pane *p, bool *append)
{
	const char *same;

	*append = false;
	for (int i = 0; i < p->n; i++) {
		const char *unit = meter_form(m, p->metric[i]).unit;

		if (*unit && (has_word(p->title, unit) || has_word(p->subtitle, unit)))
			return unit;
	}
	same = same_unit(m, p, false);
	if (!same)
		same = same_unit(m, p, true);
	*append = same;
	return same ? same : "";
}

/* The unit where neither the frame nor the row's own label begins with it. */
static const char *row_unit(const struct view_model *m, int metric, const char *common)
{
	const char *unit = meter_form(m, metric).unit,
		   *label = metric_label(&m->set->metrics[metric]);
	size_t n = strlen(unit);

	return !strcmp(unit, common) ||
			(!strncmp(label, unit, n) &&
				(!label[n] || label[n] == ' ' || label[n] == '-'))
		? ""
		: unit;
}

/* What follows the number: "/  67.2", "/  1050 MHz", "GFLOP/s/W". Returns its columns. */
static int tail_text(char *buf, size_t size, const struct view_model *m, int metric,
	const char *common, bool ceilings)
{
	const char *unit = row_unit(m, metric, common);
	double ceiling = meter_ceiling(m, metric) * meter_form(m, metric).factor;
	char number[16] = "";

	if (!ceilings || !shows_ceiling(m, metric))
		snprintf(buf, size, "%s", unit);
	else if (ceiling > 0)
		snprintf(buf, size, "/ %*s%s%s", CEILING_W,
			meter_ceiling_number(number, sizeof(number), ceiling), *unit ? " " : "",
			unit);
	else
		snprintf(buf, size, "%*s%s%s", *unit ? CEILING_W + 2 : 0, "", *unit ? " " : "",
			unit);
	return format_columns(buf);
}

/* The widest tail of the rows with or without a bar. */
static int tail_columns(const struct view_model *m, const struct pane *p, const char *common,
	bool ceilings, bool roofs)
{
	int widest = 0;
	char buf[64];

	for (int i = 0; i < p->n; i++) {
		int n = has_roof(m, p->metric[i]) == roofs
			? tail_text(buf, sizeof(buf), m, p->metric[i], common, ceilings)
			: 0;

		widest = n > widest ? n : widest;
	}
	return widest;
}

static int label_columns(const struct view_model *m, const struct pane *p)
{
	int widest = 0;

	for (int i = 0; i < p->n; i++) {
		int n = format_columns(metric_label(&m->set->metrics[p->metric[i]]));

		widest = n > widest ? n : widest;
	}
	return widest;
}

/* Columns of a pane's rows, from the left edge of the inside; 0 width: not drawn. The history of a
 * row without a bar begins at plain. */
struct columns {
	int label, label_w, mark, number, tail, bar, bar_w, spark, spark_w, plain, end;
	bool ceilings;
	const char *common;
};

/* Bar, blank, history. */
static void split_pictures(struct columns *k)
{
	int room = k->end - k->bar;

	if (room >= BAR_MIN)
		k->bar_w = room < BAR_GOOD + 1 + SPARK_MIN
			? room
			: clamp(room * 55 / 100, BAR_GOOD, min_of(BAR_MAX, room - 1 - SPARK_MIN));
	k->spark = k->bar + k->bar_w + 1;
	if (k->bar_w && k->end - k->spark >= SPARK_MIN)
		k->spark_w = k->end - k->spark;
}

/* Marker, label, blank, ~, !, number, blank, what follows it, blank, bar, blank, history, blank.
 * Roofs and units go before bars. What follows the number in a row without a bar does not push the
 * bars of the others to the right. */
static struct columns columns_make(
	const struct view_model *m, const struct pane *p, const char *common, int w)
{
	struct columns k = { .label = 1, .common = common, .ceilings = true, .end = w - 1 };
	int room, tail, plain;

	k.label_w = clamp(label_columns(m, p), 1, clamp(w - NUMBER_W - 5, 1, w >= 60 ? 26 : 18));
	k.mark = k.label + k.label_w + 1;
	k.number = k.mark + 2;
	k.tail = k.number + NUMBER_W + 1;
	room = max_of(0, w - k.tail);
	tail = tail_columns(m, p, common, true, true);
	if (tail > room) {
		k.ceilings = false;
		tail = tail_columns(m, p, common, false, true);
	}
	tail = min_of(tail, room);
	plain = min_of(tail_columns(m, p, common, k.ceilings, false), room);
	k.bar = k.tail + tail + (tail > 0);
	k.plain = max_of(k.bar, k.tail + plain + (plain > 0));
	split_pictures(&k);
	return k;
}

/* "!" the window lost reports, "?" the number is old. */
static void draw_quality(struct screen *s, int metric, const struct value *v, int x, int y)
{
	const struct snapshot *snap = s->m->snap;

	if (v->why == WHY_STALE)
		canvas_put(s->c, x, y, '?', ROLE_WARN);
	else if (v->why == WHY_LOST ||
		(v->why == WHY_OK && snap && snap->quality & (SAMPLE_LOST | SAMPLE_GAP)))
		canvas_put(s->c, x, y, '!', ROLE_BAD);
	else if (snap && snap->mux && snap->mux[metric].multiplexed)
		canvas_put(s->c, x, y, '*', snapshot_is_kept(snap, metric) ? ROLE_DIM : ROLE_TEXT);
}

static void draw_number(
	struct screen *s, const struct columns *k, struct rect in, int y, int metric)
{
	const struct metric *x = &s->m->set->metrics[metric];
	struct value v = meter_value(s->m, metric);
	double factor = meter_form(s->m, metric).factor;
	char buf[64];

	if (x->flags & METRIC_ESTIMATED)
		canvas_put(s->c, in.x + k->mark, y, '~', ROLE_DIM);
	meter_number(buf, sizeof(buf), x, v.v * factor, meter_number_scale(s->m, metric) * factor,
		NUMBER_W);
	canvas_field(s->c, in.x + k->number, y, NUMBER_W, true,
		v.why == WHY_OK ? ROLE_VALUE : ROLE_NONE_VALUE, buf);
	draw_quality(s, metric, &v, in.x + k->mark + 1, y);
}

static bool has_history(const struct view_model *m, int metric)
{
	return !isnan(meter_max(m, metric));
}

/* The sentence where it fits, else its short form; Enter has it whole. */
static void draw_why(struct screen *s, int x, int end, int y, enum why why)
{
	const char *text = _(why_text(why));

	if (format_columns(text) > end - x)
		text = _(why_brief(why));
	glyphs_field(s->c, s->g, x, y, end - x, ROLE_NONE_VALUE, text);
}

/* Bar and history of a row, as far as there is room. */
static void draw_picture(
	struct screen *s, const struct columns *k, struct rect in, int y, int metric)
{
	double ceiling = meter_ceiling(s->m, metric);
	struct series series = { s->m->history, metric, meter_scale(s->m, metric) };
	int from = has_roof(s->m, metric) ? k->bar : k->plain;

	if (ceiling > 0 && k->bar_w) {
		plot_bar(s->c, s->g, in.x + k->bar, y, k->bar_w,
			meter_value(s->m, metric).v / ceiling);
		plot_spark(s->c, s->g, in.x + k->spark, y, k->spark_w, &series);
	} else if (!(ceiling > 0) && k->end - from >= BAR_MIN && has_history(s->m, metric)) {
		plot_spark(s->c, s->g, in.x + from, y, k->end - from, &series);
	}
}

/* Roof, unit and picture; or why there never was a number, in the place of the picture or, where it
 * is too small, of all three. */
static void draw_tail(struct screen *s, const struct columns *k, struct rect in, int y, int metric)
{
	struct value v = meter_value(s->m, metric);
	bool none = v.why != WHY_OK && v.why != WHY_NOT_YET && !has_history(s->m, metric);
	int from = has_roof(s->m, metric) ? k->bar : k->plain;
	char buf[64];

	if (none && k->end - from < format_columns(_(why_brief(v.why)))) {
		draw_why(s, in.x + k->tail, in.x + k->end, y, v.why);
		return;
	}
	tail_text(buf, sizeof(buf), s->m, metric, k->common, k->ceilings);
	canvas_field(s->c, in.x + k->tail, y, max_of(0, in.w - k->tail), false, ROLE_UNIT, buf);
	if (none)
		draw_why(s, in.x + from, in.x + k->end, y, v.why);
	else
		draw_picture(s, k, in, y, metric);
}

static void draw_row(struct screen *s, const struct columns *k, struct rect in, int y, int metric,
	bool selected, bool focus)
{
	const struct metric *x = &s->m->set->metrics[metric];

	if (selected)
		canvas_put(s->c, in.x, y, s->g->marker, focus ? ROLE_FOCUS : ROLE_DIM);
	glyphs_field(s->c, s->g, in.x + k->label, y, k->label_w,
		selected && focus ? ROLE_SELECTED : ROLE_LABEL, metric_label(x));
	draw_number(s, k, in, y, metric);
	draw_tail(s, k, in, y, metric);
}

/* In the lower line of the frame, in place of what says how many rows are hidden. False: there is
 * none. */
static bool draw_note(struct screen *s, const struct pane *pane, struct rect r)
{
	int room = r.w - 6;

	for (int i = 0; i < s->m->n_notes && pane->name && room >= 8; i++) {
		const char *text = _(s->m->notes[i].text);
		int w = format_columns(text) < room ? format_columns(text) : room;

		if (strcmp(s->m->notes[i].group, pane->name))
			continue;
		canvas_put(s->c, r.x + 2, r.y + r.h - 1, ' ', ROLE_TEXT);
		glyphs_field(s->c, s->g, r.x + 3, r.y + r.h - 1, w, ROLE_WARN, text);
		canvas_put(s->c, r.x + 3 + w, r.y + r.h - 1, ' ', ROLE_TEXT);
		return true;
	}
	return false;
}

void pane_meters_draw(
	struct screen *s, const struct pane_list *l, int p, struct rect r, bool framed, bool single)
{
	const struct pane *pane = &l->pane[p];
	bool chooses = s->v->screen == VIEW_OVERVIEW, focus = chooses && pane_focus(l, s->v) == p,
	     append;
	const char *common = common_unit(s->m, pane, &append);
	struct columns k = columns_make(s->m, pane, common, framed ? r.w - 2 : r.w);
	int selected = pane_selected(l, s->v, p), top, rows;
	struct rect in = r;
	char note[24] = "", extra[128] = "";

	if (framed) {
		const char *subtitle = i18n_optional(pane->subtitle),
			   *title = i18n_optional(pane->title);

		if (append)
			snprintf(extra, sizeof(extra), *subtitle ? "%s, %s" : "%s", common,
				subtitle);
		else
			snprintf(extra, sizeof(extra), "%s", subtitle);
		in = box_frame(s, r, focus, title, extra);
		if (single && l->n > 1)
			snprintf(note, sizeof(note), "%d/%d", p + 1, l->n);
		box_note(s, r, box_title_columns(title, extra), ROLE_DIM, note);
	}
	rows = in.h < pane->n ? in.h : pane->n;
	top = layout_scroll(s->v->top[p], selected, rows, pane->n);
	canvas_clip(s->c, in);
	for (int i = 0; i < rows; i++)
		draw_row(s, &k, in, in.y + i, pane->metric[top + i], chooses && top + i == selected,
			focus);
	canvas_unclip(s->c);
	if (framed && !draw_note(s, pane, r))
		box_scroll_mark(s, r, top, rows, pane->n);
}

/* --- all panes --- */

void pane_place(
	const struct pane_list *l, const struct view *v, struct rect r, struct pane_layout *pl)
{
	int rows[LAYOUT_PANES];

	for (int i = 0; i < l->n; i++)
		rows[i] = l->pane[i].n;
	layout_panes(pl, r, l->n, rows, pane_focus(l, v));
}

static void draw_graphs(struct screen *s, const struct pane_list *l, const struct pane_layout *pl)
{
	int focus = pane_focus(l, s->v);

	for (int i = 0; i < pl->n_graphs; i++) {
		int p = pl->n_graphs == l->n ? i : (focus + i) % l->n;

		pane_graph_draw(s, l->pane[p].metric[pane_selected(l, s->v, p)], pl->graph[i],
			p == focus && pl->n_graphs > 1);
	}
}

void pane_placed_draw(struct screen *s, const struct pane_list *l, const struct pane_layout *pl)
{
	for (int i = 0; i < l->n; i++)
		if (pl->pane[i].h > 0)
			pane_meters_draw(s, l, i, pl->pane[i], pl->framed, pl->single);
	draw_graphs(s, l, pl);
}

bool pane_grid_draw(struct screen *s, const struct pane_list *l, struct rect r)
{
	struct pane_layout pl;

	pane_place(l, s->v, r, &pl);
	if (!pl.single)
		pane_placed_draw(s, l, &pl);
	return !pl.single;
}
