/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Panes of meter rows for any set of metrics. */
#include "config.h"

#include "ui/pane_meters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "ui/plot.h"

#define NUMBER_W 5
#define CEILING_W 5
#define BAR_MIN 6
#define SPARK_MIN 8

static void add_metric(struct pane *p, int metric)
{
	if (p->n < PANE_METRICS)
		p->metric[p->n++] = (short)metric;
}

static void add_group(struct pane_list *l, const struct metric_set *set, const struct metric_group *group)
{
	struct pane *p = &l->pane[l->n];

	p->title = group->title ? group->title : group->name;
	p->subtitle = group->subtitle;
	p->n = 0;
	for (int i = 0; i < set->n_metrics; i++) {
		const struct metric *m = &set->metrics[i];

		if (!(m->flags & METRIC_HIDDEN) && m->group && !strcmp(m->group, group->name))
			add_metric(p, i);
	}
	l->n += p->n > 0;
}

/* Shown in one of the panes made so far? A metric without a group is left out on purpose. */
static bool has_pane(const struct pane_list *l, int metric)
{
	for (int p = 0; p < l->n; p++)
		for (int i = 0; i < l->pane[p].n; i++)
			if (l->pane[p].metric[i] == metric)
				return true;
	return false;
}

static void add_rest(struct pane_list *l, const struct metric_set *set)
{
	struct pane *p = &l->pane[l->n];

	p->title = l->n ? _("More") : set->label ? set->label : set->name;
	p->subtitle = NULL;
	p->n = 0;
	for (int i = 0; i < set->n_metrics; i++)
		if (!(set->metrics[i].flags & METRIC_HIDDEN) && (set->metrics[i].group || !set->n_groups) && !has_pane(l, i))
			add_metric(p, i);
	l->n += p->n > 0;
}

void pane_list_make(struct pane_list *l, const struct metric_set *set)
{
	l->n = 0;
	if (!set)
		return;
	for (int i = 0; i < set->n_groups && l->n < LAYOUT_PANES - (set->n_groups > LAYOUT_PANES); i++)
		add_group(l, set, &set->groups[i]);
	if (l->n < LAYOUT_PANES)
		add_rest(l, set);
}

static int clamp(int v, int n)
{
	return v < 0 || n < 1 ? 0 : v >= n ? n - 1 : v;
}

int pane_focus(const struct pane_list *l, const struct view *v)
{
	return clamp(v->focus, l->n);
}

int pane_selected(const struct pane_list *l, const struct view *v, int pane)
{
	return clamp(v->selected[pane], l->pane[pane].n);
}

int pane_focused_metric(const struct pane_list *l, const struct view *v)
{
	int p = pane_focus(l, v);

	return l->n && l->pane[p].n ? l->pane[p].metric[pane_selected(l, v, p)] : -1;
}

struct value meter_value(const struct view_model *m, int metric)
{
	if (!m->snap || m->snap->set != m->set)
		return value_none(WHY_NOT_YET);
	return m->snap->values[metric];
}

double meter_ceiling(const struct view_model *m, int metric)
{
	if (!m->snap || m->snap->set != m->set || m->snap->ceilings[metric].why != WHY_OK)
		return NAN;
	return m->snap->ceilings[metric].v;
}

static double history_max(const struct view_model *m, int metric)
{
	return m->history && metric < m->history->columns && m->history->max ? (double)m->history->max[metric] : NAN;
}

double meter_scale(const struct view_model *m, int metric)
{
	double ceiling = meter_ceiling(m, metric), max = history_max(m, metric);

	return ceiling > 0 ? ceiling : max > 0 ? max : 1;
}

static int decimals(const struct metric *metric, double scale)
{
	if (metric->flags & METRIC_INTEGER)
		return 0;
	if (metric->unit_text && !strcmp(metric->unit_text, "%"))
		return 1;
	return scale >= 1000 ? 0 : scale >= 50 ? 1 : scale >= 1 ? 2 : 3;
}

const char *meter_number(char *buf, size_t size, const struct metric *metric, double v, double scale, int width)
{
	int d = decimals(metric, scale);

	if (isnan(v))
		return format_number(buf, size, NAN, width);
	if (fabs(v) < 0.5 * pow(10, -d))
		v = 0;
	if (fabs(v) < 1e15 && snprintf(buf, size, "%.*f", d, v) <= width)
		return buf;
	return format_number(buf, size, v, width);
}

/* "67.2", "384", "0.05": a roof has no trailing zeros. */
static const char *ceiling_number(char *buf, size_t size, double v)
{
	format_number(buf, size, v, CEILING_W);
	if (strchr(buf, '.') && !strpbrk(buf, "eEkMGT")) {
		size_t n = strlen(buf);

		while (buf[n - 1] == '0')
			n--;
		buf[buf[n - 1] == '.' ? n - 1 : n] = '\0';
	}
	return buf;
}

static const char *unit_of(const struct metric *metric)
{
	return metric->unit_text ? metric->unit_text : "";
}

/* A roof of 100 % need not be said. */
static bool shows_ceiling(const struct view_model *m, int metric)
{
	const struct metric *x = &m->set->metrics[metric];
	double ceiling = meter_ceiling(m, metric);

	if (strcmp(unit_of(x), "%"))
		return x->ceiling_text || ceiling > 0;
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

/* The unit that the frame already names, which rows need not repeat: "" when there is none. *append: it is to be added there. */
static const char *common_unit(const struct view_model *m, const struct pane *p, bool *append)
{
	const char *first = unit_of(&m->set->metrics[p->metric[0]]);
	bool same = true;

	*append = false;
	for (int i = 0; i < p->n; i++) {
		const char *unit = unit_of(&m->set->metrics[p->metric[i]]);

		same &= !strcmp(unit, first);
		if (*unit && (has_word(p->title, unit) || has_word(p->subtitle, unit)))
			return unit;
	}
	*append = same && p->n > 1 && *first;
	return *append ? first : "";
}

/* What follows the number: "/ 67.2", "/  1050 MHz", "GFLOP/s/W". Returns its columns. */
static int tail_text(char *buf, size_t size, const struct view_model *m, int metric, const char *common, bool ceilings)
{
	const char *unit = unit_of(&m->set->metrics[metric]);
	double ceiling = meter_ceiling(m, metric);
	char number[16] = "";

	unit = strcmp(unit, common) ? unit : "";
	if (ceilings && shows_ceiling(m, metric) && ceiling > 0)
		snprintf(buf, size, "/ %*s%s%s", CEILING_W, ceiling_number(number, sizeof(number), ceiling), *unit ? " " : "", unit);
	else if (ceilings && shows_ceiling(m, metric))
		snprintf(buf, size, "%*s%s%s", CEILING_W + 2, "", *unit ? " " : "", unit);
	else
		snprintf(buf, size, "%s", unit);
	return format_columns(buf);
}

static int tail_columns(const struct view_model *m, const struct pane *p, const char *common, bool ceilings)
{
	int widest = 0;
	char buf[64];

	for (int i = 0; i < p->n; i++) {
		int n = tail_text(buf, sizeof(buf), m, p->metric[i], common, ceilings);

		widest = n > widest ? n : widest;
	}
	return widest;
}

static int label_columns(const struct view_model *m, const struct pane *p)
{
	int widest = 0;

	for (int i = 0; i < p->n; i++) {
		const struct metric *x = &m->set->metrics[p->metric[i]];
		int n = format_columns(x->label ? x->label : x->name);

		widest = n > widest ? n : widest;
	}
	return widest;
}

/* Columns of a pane's rows, from the left edge of the inside; 0 width: not drawn. */
struct columns {
	int label, label_w, mark, number, tail, tail_w, bar, bar_w, spark, spark_w;
	bool ceilings;
	const char *common;
};

static int clamp_range(int v, int low, int high)
{
	return v < low ? low : v > high ? high : v;
}

static int min_of(int a, int b)
{
	return a < b ? a : b;
}

/* Marker, label, blank, ~, !, number, blank, what follows it, blank, bar, blank, history, blank. Roofs and units go before bars. */
static struct columns columns_make(const struct view_model *m, const struct pane *p, const char *common, int w)
{
	struct columns k = { .label = 1, .common = common, .ceilings = true };
	int room, tail;

	k.label_w = clamp_range(label_columns(m, p), 1, clamp_range(w - NUMBER_W - 5, 1, w >= 60 ? 26 : 18));
	k.mark = k.label + k.label_w + 1;
	k.number = k.mark + 2;
	k.tail = k.number + NUMBER_W + 1;
	room = w - k.tail;
	tail = tail_columns(m, p, common, true);
	if (tail > room) {
		k.ceilings = false;
		tail = tail_columns(m, p, common, false);
	}
	k.tail_w = tail < room ? tail : room > 0 ? room : 0;
	room -= k.tail_w + 2;
	k.bar = k.tail + k.tail_w + 1;
	if (room >= BAR_MIN)
		k.bar_w = room < BAR_MIN + 1 + SPARK_MIN ? room : clamp_range(room * 55 / 100, BAR_MIN, min_of(40, room - 1 - SPARK_MIN));
	k.spark = k.bar + k.bar_w + 1;
	if (k.bar_w && room - k.bar_w - 1 >= SPARK_MIN)
		k.spark_w = room - k.bar_w - 1;
	return k;
}

/* "!" the window lost reports, "?" the number is old. */
static void draw_quality(struct screen *s, const struct value *v, int x, int y)
{
	const struct snapshot *snap = s->m->snap;

	if (v->why == WHY_STALE)
		canvas_put(s->c, x, y, '?', ROLE_WARN);
	else if (v->why == WHY_LOST || (v->why == WHY_OK && snap && snap->quality & (SAMPLE_LOST | SAMPLE_GAP)))
		canvas_put(s->c, x, y, '!', ROLE_BAD);
}

static void draw_number(struct screen *s, const struct columns *k, struct rect in, int y, int metric)
{
	const struct metric *x = &s->m->set->metrics[metric];
	struct value v = meter_value(s->m, metric);
	char buf[64];

	if (x->flags & METRIC_ESTIMATED)
		canvas_put(s->c, in.x + k->mark, y, '~', ROLE_DIM);
	meter_number(buf, sizeof(buf), x, v.v, meter_scale(s->m, metric), NUMBER_W);
	canvas_field(s->c, in.x + k->number, y, NUMBER_W, true, v.why == WHY_OK ? ROLE_VALUE : ROLE_NONE_VALUE, buf);
	draw_quality(s, &v, in.x + k->mark + 1, y);
	tail_text(buf, sizeof(buf), s->m, metric, k->common, k->ceilings);
	canvas_field(s->c, in.x + k->tail, y, k->tail_w, false, ROLE_UNIT, buf);
}

static bool has_history(const struct view_model *m, int metric)
{
	return !isnan(history_max(m, metric));
}

/* A few words where the sentence does not fit; Enter has it whole. */
static const char *short_why(enum why why, int columns)
{
	static const char *const words[WHY_COUNT] = {
		[WHY_NO_SOURCE] = N_("no source"),
		[WHY_NOT_IN_SET] = N_("not in this set"),
		[WHY_UNSUPPORTED] = N_("not supported"),
		[WHY_UNKNOWN_CONST] = N_("unknown constant"),
		[WHY_PERMISSION] = N_("no right"),
		[WHY_LOST] = N_("reports lost"),
		[WHY_STALE] = N_("too old"),
		[WHY_DIV_ZERO] = N_("divided by zero"),
		[WHY_OUT_OF_RANGE] = N_("not finite"),
	};
	const char *sentence = _(why_text(why));

	return format_columns(sentence) <= columns || !words[why] ? sentence : _(words[why]);
}

/* Bar and graph, or in their place why there never was a number. */
static void draw_picture(struct screen *s, const struct columns *k, struct rect in, int y, int metric)
{
	struct value v = meter_value(s->m, metric);
	double ceiling = meter_ceiling(s->m, metric), scale = meter_scale(s->m, metric);
	struct series series = { s->m->history, metric, scale };
	int end = k->spark_w ? k->spark + k->spark_w : k->bar + k->bar_w;

	if (v.why != WHY_OK && v.why != WHY_NOT_YET && !has_history(s->m, metric)) {
		canvas_field(s->c, in.x + k->bar, y, end - k->bar, false, ROLE_NONE_VALUE,
			short_why(v.why, end - k->bar));
		return;
	}
	if (ceiling > 0)
		plot_bar(s->c, s->g, in.x + k->bar, y, k->bar_w, v.v / ceiling);
	else if (has_history(s->m, metric))
		plot_spark(s->c, s->g, in.x + k->bar, y, end - k->bar, &series);
	if (ceiling > 0 && k->spark_w)
		plot_spark(s->c, s->g, in.x + k->spark, y, k->spark_w, &series);
}

static void draw_row(struct screen *s, const struct columns *k, struct rect in, int y, int metric, bool selected, bool focus)
{
	const struct metric *x = &s->m->set->metrics[metric];

	if (selected)
		canvas_put(s->c, in.x, y, s->g->marker, focus ? ROLE_FOCUS : ROLE_DIM);
	canvas_field(s->c, in.x + k->label, y, k->label_w, false, selected && focus ? ROLE_SELECTED : ROLE_LABEL,
		x->label ? x->label : x->name);
	draw_number(s, k, in, y, metric);
	if (k->bar_w)
		draw_picture(s, k, in, y, metric);
}

void pane_meters_draw(struct screen *s, const struct pane_list *l, int p, struct rect r, bool framed, bool single)
{
	const struct pane *pane = &l->pane[p];
	bool focus = pane_focus(l, s->v) == p, append;
	const char *common = common_unit(s->m, pane, &append);
	struct columns k = columns_make(s->m, pane, common, framed ? r.w - 2 : r.w);
	int selected = pane_selected(l, s->v, p), top, rows;
	struct rect in = r;
	char note[24] = "";

	if (framed) {
		const char *extra = pane->subtitle && *pane->subtitle ? pane->subtitle : append ? common : NULL;

		in = box_frame(s->c, s->g, r, focus, pane->title, extra);
		if (single && l->n > 1)
			snprintf(note, sizeof(note), "%d/%d", p + 1, l->n);
		box_note(s->c, r, box_title_columns(pane->title, extra), ROLE_DIM, note);
	}
	rows = in.h < pane->n ? in.h : pane->n;
	top = layout_scroll(s->v->top[p], selected, rows, pane->n);
	canvas_clip(s->c, in);
	for (int i = 0; i < rows; i++)
		draw_row(s, &k, in, in.y + i, pane->metric[top + i], top + i == selected, focus);
	canvas_unclip(s->c);
	if (framed)
		box_scroll_mark(s->c, s->g, r, top, rows, pane->n);
}
