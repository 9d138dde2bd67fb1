/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Panes of meter rows for any set of metrics. */
#include "config.h"

#include "ui/frame/pane_meters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/mem.h"
#include "ui/draw/plot.h"
#include "base/minmax.h"

#define NUMBER_W 5
#define BAR_MIN 4
#define BAR_GOOD 8
#define BAR_MAX 40
#define SPARK_MIN 8
#define HISTORY_W 52		/* narrower panes have no histories */
#define LABEL_MAX 26
#define LABEL_NARROW 18		/* the same in a narrow pane */
#define FAR_BELOW 0.1		/* a share of the roof */
#define LABEL_GOOD 9		/* columns that a label keeps when it is cut for bars */

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

/* The unit of the first row, where others have it, too; "" otherwise, and for clocks, which are not
 * what a pane is about. */
static const char *first_unit(const struct view_model *m, const struct pane *p)
{
	const char *unit = p->n > 0 ? meter_form(m, p->metric[0]).unit : "";

	for (int i = 1; i < p->n && strcmp(unit, "MHz"); i++)
		if (!strcmp(meter_form(m, p->metric[i]).unit, unit))
			return unit;
	return "";
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
	const char *unit = first_unit(m, p);
	return (struct common){ unit, *unit != '\0' };
}

/* Columns of a pane's rows on the canvas; 0 width: not drawn. The history of a row without a bar
 * begins at plain. */
struct columns {
	int label, label_w, mark, number, tail, bar, bar_w, spark, spark_w, plain, end;
	bool ceilings;
	const char *common;
};

/* What follows the number: "/  67.2", "/  1050 MHz", "GFLOP/s/W". A roof of 100 % need not be said. */
struct tail {
	bool roof;		/* the columns of a roof are there */
	double ceiling;		/* in the shown unit; NAN or not positive: these columns are blank */
	const char *gap, *unit;
	int columns;
};

static struct tail tail_of(const struct view_model *m, const struct columns *k, int metric)
{
	struct unit_form form = meter_form(m, metric);
	const char *label = metric_label(&m->set->metrics[metric]);
	size_t n = strlen(form.unit);
	struct tail t = { .roof = k->ceilings && has_roof(m, metric),
		.ceiling = meter_ceiling(m, metric) * form.factor,
		.gap = " ",
		.unit = form.unit };

	if (!strcmp(form.unit, "%"))
		t.roof = k->ceilings && t.ceiling > 0 && fabs(t.ceiling - 100) > 0.05;
	/* Where the frame names the unit, or the label begins with it, the row does not. */
	if (!strcmp(form.unit, k->common) ||
		(!strncmp(label, form.unit, n) && (!label[n] || label[n] == ' ' || label[n] == '-')))
		t.unit = "";
	if (!*t.unit || !t.roof)
		t.gap = "";
	/* A column of roofs that are not known yet is needed only where a unit stands behind it. */
	if (!*t.unit && !(t.ceiling > 0))
		t.roof = false;
	t.columns = format_columns(t.gap) + format_columns(t.unit);
	if (t.roof)
		t.columns += 2 + CEILING_W;
	return t;
}

static void tail_text(const struct tail *t, char *buf, size_t size)
{
	char number[16] = "";

	if (!t->roof)
		snprintf(buf, size, "%s", t->unit);
	else if (t->ceiling > 0)
		snprintf(buf, size, "/ %*s%s%s", CEILING_W,
			meter_ceiling_number(number, sizeof(number), t->ceiling), t->gap, t->unit);
	else
		snprintf(buf, size, "%*s%s%s", CEILING_W + 2, "", t->gap, t->unit);
}

/* Writes it for less room: without blanks between slash and roof, or without the roof, because half
 * a unit says nothing. */
static void short_tail_text(const struct tail *t, int room, char *buf, size_t size)
{
	char number[16];

	snprintf(buf, size, "/%s%s%s", meter_ceiling_number(number, sizeof(number), t->ceiling),
		t->gap, t->unit);
	if (format_columns(buf) > room)
		snprintf(buf, size, "%s", t->unit);
}

static int tail_columns(
	const struct view_model *m, const struct pane *p, const struct columns *k, bool roofs)
{
	int widest = 0;

	for (int i = 0; i < p->n; i++) {
		const char *unit = meter_form(m, p->metric[i]).unit;

		if (has_roof(m, p->metric[i]) != roofs ||
			(roofs && *k->common && strcmp(unit, k->common) != 0))
			continue;
		widest = max_of(widest, tail_of(m, k, p->metric[i]).columns);
	}
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

/* Makes room for the units of the rows that are shown: the blank behind the labels goes first, then
 * letters of long ones. */
static void make_unit_room(const struct view_model *m, const struct pane *p,
	const struct pane_rows *r, const int *count, struct columns *k)
{
	struct columns bare = { .common = k->common };
	int widest = 0;

	for (int i = r->top; i < r->top + r->n && i < p->n; i++)
		widest = max_of(widest, tail_of(m, &bare, p->metric[i]).columns);
	int missing = k->label + k->label_w + NUMBER_W + 3 + widest - k->end;
	k->mark = k->label + k->label_w + (missing <= 0);
	if (missing > 1) {
		k->label_w = cut_labels(count, k->label_w, missing - 1, max_of(1, p->n / 2));
		k->mark = k->label + k->label_w;
	}
}

/* Bar, blank, history. */
static void split_pictures(struct columns *k)
{
	int room = k->end - k->bar;

	if (room >= BAR_MIN)
		k->bar_w = room;
	if (room >= BAR_GOOD + 1 + SPARK_MIN && k->end - k->label >= HISTORY_W)
		k->bar_w = clamp(room * 55 / 100, BAR_GOOD, min_of(BAR_MAX, room - 1 - SPARK_MIN));
	k->spark = k->bar + k->bar_w + 1;
	if (k->bar_w && k->end - k->spark >= SPARK_MIN)
		k->spark_w = k->end - k->spark;
}

/* Marker, label, blank, ~, !, number, blank, roof and unit, blank, bar, blank, history, blank.
 * Roofs are given up before bars are. A long unit in a row without a bar does not push the bars of
 * other rows to the right, and labels are cut before they do so. */
static struct columns columns_make(const struct view_model *m, const struct pane *p,
	const struct pane_rows *r, const char *common, struct rect in)
{
	/* What labels are cut for: bars with histories, where panes have these, bars, or else roofs
	 * and units. The columns behind the tail, and how many rows may lose letters for them. */
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
	for (size_t i = k.end - k.label < HISTORY_W;
		i < ARRAY_LEN(wishes) && k.label_w == widest && missing > 0; i++) {
		missing = k.label + widest + NUMBER_W + 4 + tail + (tail > 0) + wishes[i].columns -
			k.end;
		if (missing > 0)
			k.label_w = cut_labels(count, widest, missing, wishes[i].rows);
	}
	make_unit_room(m, p, r, count, &k);
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

/* The number of the nearest roof is bold, and one that is far below its roof is dim. */
static enum role number_role(const struct view_model *m, int metric, bool nearest)
{
	struct value v = meter_value(m, metric);

	if (v.why != WHY_OK)
		return ROLE_NONE_VALUE;
	if (nearest)
		return ROLE_TITLE;
	if (v.v < FAR_BELOW * meter_ceiling(m, metric))
		return ROLE_DIM;
	return ROLE_VALUE;
}

static void draw_number(
	struct screen *s, const struct columns *k, int y, int metric, bool nearest)
{
	const struct snapshot *snap = s->m->snap;
	struct value v = meter_value(s->m, metric);
	enum role apart = ROLE_TEXT;
	char buf[64];

	canvas_text(s->c, k->mark, y, ROLE_DIM, meter_mark(s->m, metric));
	meter_row_number(s->m, metric, v, buf, sizeof(buf), NUMBER_W);
	canvas_field(s->c, k->number, y, NUMBER_W, true, number_role(s->m, metric, nearest), buf);
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

/* Draws the sentence where it fits, or else its short form, up to the frame; where that does not
 * fit either, the dashes stand alone. Enter shows it whole. */
static void draw_why(struct screen *s, int x, int end, int y, enum why why)
{
	const char *text = _(why_text(why));

	if (format_columns(text) > end - x)
		text = _(why_brief(why));
	if (format_columns(text) > end + 1 - x)
		return;
	glyphs_field(s->c, s->g, x, y, end + 1 - x, ROLE_NONE_VALUE, text);
}

/* Draws roof, unit and picture. Where there never was a number, the reason takes the place of the
 * picture, or of all three where that is too small. */
static void draw_tail(struct screen *s, const struct columns *k, int y, int metric)
{
	struct value v = meter_value(s->m, metric);
	bool none = v.why != WHY_OK && v.why != WHY_NOT_YET && !has_history(s->m, metric);
	struct series series = { .history = s->m->history,
		.column = metric,
		.top = meter_scale(s->m, metric),
		.back = s->m->back };
	double ceiling = meter_ceiling(s->m, metric);
	struct tail tail = tail_of(s->m, k, metric);
	int from = k->plain;
	char buf[64];

	tail_text(&tail, buf, sizeof(buf));
	if (format_columns(buf) > k->end + 1 - k->tail && tail.roof && tail.ceiling > 0)
		short_tail_text(&tail, k->end + 1 - k->tail, buf, sizeof(buf));
	if (has_roof(s->m, metric))
		from = max_of(k->bar, k->tail + tail.columns + 1);
	if (none && k->end - from < format_columns(_(why_brief(v.why)))) {
		draw_why(s, k->tail, k->end, y, v.why);
		return;
	}
	canvas_field(s->c, k->tail, y, max_of(0, k->end + 1 - k->tail), false, ROLE_UNIT, buf);
	if (none)
		draw_why(s, from, k->end, y, v.why);
	if (none)
		return;
	/* The picture is bar and history, as far as there is room. */
	if (ceiling > 0 && k->bar + k->bar_w - from >= BAR_MIN) {
		plot_bar(s->c, s->g, (struct rect){ from, y, k->bar + k->bar_w - from, 1 },
			v.v / ceiling);
		plot_spark(s->c, s->g, (struct rect){ k->spark, y, k->spark_w, 1 }, &series);
	} else if (!(ceiling > 0) && k->end - k->label >= HISTORY_W &&
		k->end - from >= SPARK_MIN && has_history(s->m, metric)) {
		plot_spark(s->c, s->g, (struct rect){ from, y, k->end - from, 1 }, &series);
	}
}

int pane_rows_draw(
	struct screen *s, const struct pane *pane, struct rect in, const struct pane_rows *r)
{
	struct common common = common_unit(s->m, pane);
	struct columns k = columns_make(s->m, pane, r, common.unit, in);
	int y = in.y;

	canvas_clip(s->c, in);
	for (int i = r->top; i < r->top + r->n && i < pane->n; i++) {
		int metric = pane->metric[i];
		enum role role = ROLE_LABEL;

		if (metric == r->nearest)
			role = ROLE_TITLE;
		if (i == r->marked) {
			canvas_put(s->c, in.x, y, s->g->marker, ROLE_FOCUS);
			role = ROLE_SELECTED;
		}
		if (i == r->wide) {
			y += r->wide_lines;
			continue;
		}
		glyphs_field(s->c, s->g, k.label, y, k.label_w, role,
			metric_label(&s->m->set->metrics[metric]));
		draw_number(s, &k, y, metric, metric == r->nearest);
		draw_tail(s, &k, y++, metric);
	}
	canvas_unclip(s->c);
	return k.mark;
}

const char *pane_unit(const struct view_model *m, const struct pane *pane)
{
	struct common common = common_unit(m, pane);

	return common.append ? common.unit : "";
}
