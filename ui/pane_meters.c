/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Panes of meter rows for any set of metrics. */
#include "config.h"

#include "ui/pane_meters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/mem.h"
#include "ui/plot.h"
#include "ui/range.h"

#define NUMBER_W 5
#define BAR_MIN 6
#define BAR_GOOD 8
#define BAR_MAX 40
#define SPARK_MIN 8
#define LABEL_MAX 26
#define LABEL_NARROW 18		/* the same in a narrow pane */
#define LABEL_GOOD 8		/* columns that a label keeps when it is cut for bars */

/* A row with a roof has a bar. */
static bool has_roof(const struct view_model *m, int metric)
{
	return m->set->metrics[metric].ceiling_text || meter_ceiling(m, metric) > 0;
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
	if (n < 2 || !*same)
		return NULL;
	return same;
}

/* The unit that the frame names, which rows need not repeat: "" when there is none. */
struct common {
	const char *unit;
	bool append; /* it is to be added there */
};

static struct common common_unit(const struct view_model *m, const struct pane *p)
{
	for (int i = 0; i < p->n; i++) {
		const char *unit = meter_form(m, p->metric[i]).unit;

		if (*unit && (has_word(p->title, unit) || has_word(p->subtitle, unit)))
			return (struct common){ unit, false };
	}
	const char *same = same_unit(m, p, false);
	if (!same)
		same = same_unit(m, p, true);
	if (!same)
		return (struct common){ "", false };
	return (struct common){ same, true };
}

/* Columns of a pane's rows on the canvas; 0 width: not drawn. The history of a row without a bar
 * begins at plain. */
struct columns {
	int label, label_w, mark, number, tail, bar, bar_w, spark, spark_w, plain, end;
	bool ceilings;
	const char *common;
};

/* What follows the number: "/  67.2", "/  1050 MHz", "GFLOP/s/W". A roof of 100 % need not be said.
 * Returns its columns. */
static int tail_text(
	char *buf, size_t size, const struct view_model *m, const struct columns *k, int metric)
{
	struct meter_form form = meter_form(m, metric);
	const char *label = metric_label(&m->set->metrics[metric]), *unit = form.unit, *gap = " ";
	size_t n = strlen(unit);
	double ceiling = meter_ceiling(m, metric) * form.factor;
	bool shown = k->ceilings && has_roof(m, metric);
	int blank = CEILING_W + 2;
	char number[16] = "";

	/* Where the frame names the unit, or the label begins with it, the row does not. */
	if (!strcmp(unit, k->common) ||
		(!strncmp(label, unit, n) && (!label[n] || label[n] == ' ' || label[n] == '-')))
		unit = "";
	if (!*unit) {
		gap = "";
		blank = 0;
	}
	if (!strcmp(form.unit, "%"))
		shown = k->ceilings && ceiling > 0 && fabs(ceiling - 100) > 0.05;
	if (!shown)
		snprintf(buf, size, "%s", unit);
	else if (ceiling > 0)
		snprintf(buf, size, "/ %*s%s%s", CEILING_W,
			meter_ceiling_number(number, sizeof(number), ceiling), gap, unit);
	else
		snprintf(buf, size, "%*s%s%s", blank, "", gap, unit);
	return format_columns(buf);
}

/* The widest tail of the rows with or without a bar. */
static int tail_columns(
	const struct view_model *m, const struct pane *p, const struct columns *k, bool roofs)
{
	int widest = 0;
	char buf[64];

	for (int i = 0; i < p->n; i++)
		if (has_roof(m, p->metric[i]) == roofs)
			widest = max_of(widest, tail_text(buf, sizeof(buf), m, k, p->metric[i]));
	return widest;
}

/* Counts how many labels have how many columns, most at most. Returns the widest. */
static int count_labels(const struct view_model *m, const struct pane *p, int most, int *count)
{
	int widest = 1;

	for (int i = 0; i < p->n; i++) {
		int w = format_columns(metric_label(&m->set->metrics[p->metric[i]]));

		w = clamp(w, 1, most);
		widest = max_of(widest, w);
		count[w]++;
	}
	return widest;
}

/* Columns for the labels when pictures lack some: w, the widest, less what is missing; w itself
 * when that would cut labels in more rows than given. */
static int cut_labels(const int *count, int w, int missing, int rows)
{
	int least = max_of(LABEL_GOOD, w - missing), now = w;

	while (now > least && rows >= count[now])
		rows -= count[now--];
	if (now > w - missing)
		return w;
	return now;
}

/* Bar, blank, history. */
static void split_pictures(struct columns *k)
{
	int room = k->end - k->bar;

	if (room >= BAR_MIN)
		k->bar_w = room;
	if (room >= BAR_GOOD + 1 + SPARK_MIN)
		k->bar_w = clamp(room * 55 / 100, BAR_GOOD, min_of(BAR_MAX, room - 1 - SPARK_MIN));
	k->spark = k->bar + k->bar_w + 1;
	if (k->bar_w && k->end - k->spark >= SPARK_MIN)
		k->spark_w = k->end - k->spark;
}

/* Marker, label, blank, ~, !, number, blank, roof and unit, blank, bar, blank, history, blank.
 * Roofs are given up before bars are. A long unit in a row without a bar does not push the bars of
 * other rows to the right, and labels are cut before they do so. */
static struct columns columns_make(
	const struct view_model *m, const struct pane *p, const char *common, struct rect in)
{
	/* What labels are cut for: bars with histories, bars, or else roofs and units. The columns
	 * behind the tail, and how many rows may lose letters for them. */
	const struct {
		int columns, rows;
	} wishes[] = { { BAR_GOOD + 1 + SPARK_MIN, 1 }, { BAR_MIN, max_of(1, p->n / 2) },
		{ -2, max_of(1, p->n / 2) } };
	struct columns k = {
		.label = in.x + 1, .common = common, .ceilings = true, .end = in.x + in.w - 1
	};
	int most = clamp(in.w - NUMBER_W - 5, 1, in.w >= 60 ? LABEL_MAX : LABEL_NARROW);
	int count[LABEL_MAX + 1] = { 0 }, widest = count_labels(m, p, most, count), missing = 1;
	int room, tail = tail_columns(m, p, &k, true), plain;

	k.label_w = widest;
	for (size_t i = 0; i < ARRAY_LEN(wishes) && k.label_w == widest && missing > 0; i++) {
		missing = k.label + widest + NUMBER_W + 4 + tail + (tail > 0) + wishes[i].columns -
			k.end;
		if (missing > 0)
			k.label_w = cut_labels(count, widest, missing, wishes[i].rows);
	}
	k.mark = k.label + k.label_w + 1;
	k.number = k.mark + 2;
	k.tail = k.number + NUMBER_W + 1;
	room = max_of(0, k.end + 1 - k.tail);
	if (tail > room) {
		k.ceilings = false;
		tail = tail_columns(m, p, &k, true);
	}
	tail = min_of(tail, room);
	plain = min_of(tail_columns(m, p, &k, false), room);
	k.bar = k.tail + tail + (tail > 0);
	k.plain = max_of(k.bar, k.tail + plain + (plain > 0));
	split_pictures(&k);
	return k;
}

static void draw_number(struct screen *s, const struct columns *k, int y, int metric)
{
	const struct metric *x = &s->m->set->metrics[metric];
	const struct snapshot *snap = s->m->snap;
	struct value v = meter_value(s->m, metric);
	double factor = meter_form(s->m, metric).factor;
	enum role role = ROLE_NONE_VALUE, apart = ROLE_TEXT;
	char buf[64];

	if (x->flags & METRIC_ESTIMATED)
		canvas_put(s->c, k->mark, y, '~', ROLE_DIM);
	meter_number(buf, sizeof(buf), x, v.v * factor, meter_number_scale(s->m, metric) * factor,
		NUMBER_W);
	if (v.why == WHY_OK)
		role = ROLE_VALUE;
	canvas_field(s->c, k->number, y, NUMBER_W, true, role, buf);
	/* "!" means that the window lost reports, "?" that the number is old. */
	if (v.why == WHY_STALE)
		canvas_put(s->c, k->mark + 1, y, '?', ROLE_WARN);
	else if (v.why == WHY_LOST ||
		(v.why == WHY_OK && snap && snap->quality & (SAMPLE_LOST | SAMPLE_GAP)))
		canvas_put(s->c, k->mark + 1, y, '!', ROLE_BAD);
	else if (snap && snap->mux && snap->mux[metric].multiplexed) {
		if (snapshot_is_kept(snap, metric))
			apart = ROLE_DIM;
		canvas_put(s->c, k->mark + 1, y, '*', apart);
	}
}

static bool has_history(const struct view_model *m, int metric)
{
	return !isnan(meter_max(m, metric));
}

/* Draws the sentence where it fits, or else its short form. Enter shows it whole. */
static void draw_why(struct screen *s, int x, int end, int y, enum why why)
{
	const char *text = _(why_text(why));

	if (format_columns(text) > end - x)
		text = _(why_brief(why));
	glyphs_field(s->c, s->g, x, y, end - x, ROLE_NONE_VALUE, text);
}

/* Draws roof, unit and picture. Where there never was a number, the reason takes the place of the
 * picture, or of all three where that is too small. */
static void draw_tail(struct screen *s, const struct columns *k, int y, int metric)
{
	struct value v = meter_value(s->m, metric);
	bool none = v.why != WHY_OK && v.why != WHY_NOT_YET && !has_history(s->m, metric);
	struct series series = { s->m->history, metric, meter_scale(s->m, metric), s->m->back };
	double ceiling = meter_ceiling(s->m, metric);
	int from = k->plain;
	char buf[64];

	if (has_roof(s->m, metric))
		from = k->bar;
	if (none && k->end - from < format_columns(_(why_brief(v.why)))) {
		draw_why(s, k->tail, k->end, y, v.why);
		return;
	}
	tail_text(buf, sizeof(buf), s->m, k, metric);
	canvas_field(s->c, k->tail, y, max_of(0, k->end + 1 - k->tail), false, ROLE_UNIT, buf);
	if (none)
		draw_why(s, from, k->end, y, v.why);
	if (none)
		return;
	/* The picture is bar and history, as far as there is room. */
	if (ceiling > 0 && k->bar_w) {
		plot_bar(s->c, s->g, (struct rect){ k->bar, y, k->bar_w, 1 }, v.v / ceiling);
		plot_spark(s->c, s->g, (struct rect){ k->spark, y, k->spark_w, 1 }, &series);
	} else if (!(ceiling > 0) && k->end - from >= BAR_MIN && has_history(s->m, metric)) {
		plot_spark(s->c, s->g, (struct rect){ from, y, k->end - from, 1 }, &series);
	}
}

/* A note stands in the lower line of the frame, where else hidden rows are counted. False: the pane
 * has none. */
static bool draw_note(struct screen *s, const struct pane *pane, struct rect r)
{
	int room = r.w - 6, y = r.y + r.h - 1;

	for (int i = 0; i < s->m->n_notes && pane->name && room >= 8; i++) {
		const char *text = _(s->m->notes[i].text);
		int w = min_of(format_columns(text), room);

		if (strcmp(s->m->notes[i].group, pane->name))
			continue;
		canvas_put(s->c, r.x + 2, y, ' ', ROLE_TEXT);
		glyphs_field(s->c, s->g, r.x + 3, y, w, ROLE_WARN, text);
		canvas_put(s->c, r.x + 3 + w, y, ' ', ROLE_TEXT);
		return true;
	}
	return false;
}

/* The frame with the pane's titles, the unit of all rows among them, and with the pane's number
 * where only one is shown. Returns the inside. */
static struct rect draw_frame(struct screen *s, const struct pane_list *l, int p,
	const struct pane_layout *pl, const struct common *common)
{
	const char *title = i18n_optional(l->pane[p].title),
		   *subtitle = i18n_optional(l->pane[p].subtitle);
	bool focus = s->v->screen == VIEW_OVERVIEW && pane_focus(l, s->v) == p;
	char number[24] = "", extra[128];

	snprintf(extra, sizeof(extra), "%s", subtitle);
	if (common->append)
		snprintf(extra, sizeof(extra), *subtitle ? "%s, %s" : "%s%s", common->unit,
			subtitle);
	if (pl->single && l->n > 1)
		snprintf(number, sizeof(number), "%d/%d", p + 1, l->n);
	struct rect in = box_frame(s, pl->pane[p], focus, title, extra);
	box_note(s, pl->pane[p], box_title_columns(title, extra), ROLE_DIM, number);
	return in;
}

void pane_meters_draw(
	struct screen *s, const struct pane_list *l, int p, const struct pane_layout *pl)
{
	const struct pane *pane = &l->pane[p];
	bool chooses = s->v->screen == VIEW_OVERVIEW, focus = chooses && pane_focus(l, s->v) == p;
	struct common common = common_unit(s->m, pane);
	int now = pane_selected(l, s->v, p), top, rows;
	struct rect r = pl->pane[p], in = r;
	enum role marker = ROLE_DIM, selected = ROLE_LABEL;

	if (focus) {
		marker = ROLE_FOCUS;
		selected = ROLE_SELECTED;
	}
	if (pl->framed)
		in = draw_frame(s, l, p, pl, &common);
	struct columns k = columns_make(s->m, pane, common.unit, in);
	rows = min_of(in.h, pane->n);
	top = layout_scroll(s->v->top[p], now, rows, pane->n);
	canvas_clip(s->c, in);
	for (int i = 0; i < rows; i++) {
		int metric = pane->metric[top + i], y = in.y + i;
		enum role role = ROLE_LABEL;

		if (chooses && top + i == now) {
			canvas_put(s->c, in.x, y, s->g->marker, marker);
			role = selected;
		}
		glyphs_field(s->c, s->g, k.label, y, k.label_w, role,
			metric_label(&s->m->set->metrics[metric]));
		draw_number(s, &k, y, metric);
		draw_tail(s, &k, y, metric);
	}
	canvas_unclip(s->c);
	if (pl->framed && !draw_note(s, pane, r))
		box_scroll_mark(s, r, top, rows, pane->n);
}

void pane_place(
	const struct pane_list *l, const struct view *v, struct rect r, struct pane_layout *pl)
{
	int rows[LAYOUT_PANES];

	for (int i = 0; i < l->n; i++)
		rows[i] = l->pane[i].n;
	layout_panes(pl, r, l->n, rows, pane_focus(l, v));
}

void pane_placed_draw(struct screen *s, const struct pane_list *l, const struct pane_layout *pl)
{
	int focus = pane_focus(l, s->v), first = focus;

	for (int i = 0; i < l->n; i++)
		if (pl->pane[i].h > 0)
			pane_meters_draw(s, l, i, pl);
	if (pl->n_graphs == l->n)
		first = 0;
	for (int i = 0; i < pl->n_graphs; i++) {
		int p = (first + i) % l->n;

		pane_graph_draw(s, l->pane[p].metric[pane_selected(l, s->v, p)], pl->graph[i],
			p == focus && pl->n_graphs > 1);
	}
}

bool pane_grid_draw(struct screen *s, const struct pane_list *l, struct rect r)
{
	struct pane_layout pl;

	pane_place(l, s->v, r, &pl);
	if (!pl.single)
		pane_placed_draw(s, l, &pl);
	return !pl.single;
}
