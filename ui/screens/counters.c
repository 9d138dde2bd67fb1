/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All metrics of the set as one list: value, roof, share, history, or the reason why there is no
 * number. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/format.h"
#include "base/mem.h"
#include "ui/frame/pane_meters.h"
#include "base/minmax.h"
#include "ui/frame/table.h"

#define LABEL_MAX 26
#define PANE_MAX 24
#define PANE_SCREEN_W 100	/* from here on a row names its pane */
#define NUMBER_W 7
#define HISTORY_MIN 10

enum counters_sort { SORT_PANE, SORT_BLOCK, SORT_NAME, SORT_SHARE, SORTS };

/* The metrics that the filter leaves, in their order. */
struct listed {
	short metric[COUNTERS_MAX];
	int n, now;	/* now: row of the selected metric */
	int hidden, unavailable;	/* by the filter or the menu; never with a number */
};

static double share_of(const struct view_model *m, int metric)
{
	double ceiling = meter_ceiling(m, metric);

	return ceiling > 0 ? meter_value(m, metric).v / ceiling : NAN;
}

/* --- which rows --- */

/* The blocks of the hardware that a metric counts in; "" when they are not told. */
static const char *block_name(const struct metric *metric)
{
	return text_or(metric->block, "");
}

/* Whether a metric has no number in any window, and not only in this one. */
static bool is_unavailable(struct value v)
{
	return v.why == WHY_NO_SOURCE || v.why == WHY_NOT_IN_SET || v.why == WHY_UNSUPPORTED ||
		v.why == WHY_UNKNOWN_CONST || v.why == WHY_PERMISSION;
}

/* Whether what stands in the place of a number has the word: the reason, or that it is
 * unavailable. */
static bool reason_contains(struct value v, const char *word)
{
	if (v.why == WHY_OK)
		return false;
	return select_contains("--", word) || select_contains(_(why_text(v.why)), word) ||
		select_contains(_(why_brief(v.why)), word) ||
		(is_unavailable(v) && select_contains(_("unavailable"), word));
}

static bool is_shown(const struct view *v, const struct view_model *m, int i)
{
	const struct metric *metric = &m->set->metrics[i];
	const char *filter = v->counters.filter;

	if (v->counters.hide_missing && meter_value(m, i).why != WHY_OK)
		return false;
	return !*filter || select_contains(metric_label(metric), filter) ||
		select_contains(metric->label, filter) || select_contains(metric->name, filter) ||
		select_contains(metric->group, filter) ||
		select_contains(block_name(metric), filter) ||
		reason_contains(meter_value(m, i), filter);
}

static void add(struct listed *l, const struct view *v, const struct view_model *m, int i)
{
	if (m->set->metrics[i].flags & METRIC_HIDDEN)
		return;
	l->unavailable += is_unavailable(meter_value(m, i));
	if (l->n < COUNTERS_MAX && is_shown(v, m, i))
		l->metric[l->n++] = (short)i;
	else
		l->hidden++;
}

/* Number of the metric's group in the set; groups that the set does not declare come last. */
static int group_of(const struct metric_set *set, int i)
{
	int group = metric_set_group(set, set->metrics[i].group);

	if (group < 0)
		return set->n_groups;
	return group;
}

struct order {
	const struct view_model *m;
	int sort;
	bool invert;
};

/* What has no share comes last, whatever the order. */
static int compare_shares(double a, double b, bool invert)
{
	if (isnan(a) || isnan(b))
		return (isnan(a) - isnan(b)) * (invert ? -1 : 1);
	return (a < b) - (a > b);
}

/* By the first block; what has none comes last. */
static int compare_blocks(const struct metric *a, const struct metric *b)
{
	if (!a->block || !b->block)
		return (b->block != NULL) - (a->block != NULL);
	return strncasecmp(a->block, b->block, strcspn(a->block, ","));
}

static int compare(const void *a, const void *b, void *ctx)
{
	const struct order *o = ctx;
	int x = *(const short *)a, y = *(const short *)b, by = 0;

	if (o->sort == SORT_NAME)
		by = strcasecmp(metric_label(&o->m->set->metrics[x]),
			metric_label(&o->m->set->metrics[y]));
	else if (o->sort == SORT_BLOCK)
		by = compare_blocks(&o->m->set->metrics[x], &o->m->set->metrics[y]);
	else if (o->sort == SORT_SHARE)
		by = compare_shares(share_of(o->m, x), share_of(o->m, y), o->invert);
	else
		by = group_of(o->m->set, x) - group_of(o->m->set, y);
	if (!by)
		by = x - y;
	return o->invert ? -by : by;
}

static void list_make(struct listed *l, const struct view *v, const struct view_model *m)
{
	struct order order = { m, v->counters.sort, v->counters.invert };

	memset(l, 0, sizeof(*l));
	for (int i = 0; m->set && i < m->set->n_metrics; i++)
		add(l, v, m, i);
	qsort_r(l->metric, (size_t)l->n, sizeof(l->metric[0]), compare, &order);
	for (int i = 0; i < l->n; i++)
		if (l->metric[i] == v->counters.metric)
			l->now = i;
}

/* --- columns --- */

enum { COL_LABEL, COL_PANE, COL_NUMBER, COL_ROOF, COL_UNIT, COL_SHARE, COL_HISTORY, COLUMNS };

/* The pane that shows it, or where rows stand by blocks its block. */
static const char *pane_title(const struct screen *s, int i)
{
	const struct metric_set *set = s->m->set;
	int g = group_of(set, i);

	if (s->v->counters.sort == SORT_BLOCK)
		return block_name(&set->metrics[i]);

	return g < set->n_groups ? i18n_optional(set->groups[g].title) : "";
}

/* Widths follow the set and the screen, never the values. What is named first stays longest. */
static void columns_make(struct table_column *k, const struct screen *s, int x, int w)
{
	const struct view_model *m = s->m;
	static const char *const heads[COLUMNS] = { N_("metric"), N_("pane"), N_("value"),
		N_("roof"), N_("unit"), N_("share"), N_("history, or why not") };
	static const int order[] = { COL_LABEL, COL_NUMBER, COL_SHARE, COL_UNIT, COL_ROOF,
		COL_PANE };
	int left;

	for (int i = 0; i < COLUMNS; i++)
		k[i] = (struct table_column){ .head = heads[i],
			.right = i == COL_NUMBER || i == COL_ROOF || i == COL_SHARE };
	if (s->v->counters.sort == SORT_BLOCK)
		k[COL_PANE].head = N_("block");
	table_heads(k, COLUMNS);
	for (int i = 0; i < m->set->n_metrics; i++) {
		const struct metric *metric = &m->set->metrics[i];

		if (metric->flags & METRIC_HIDDEN)
			continue;
		k[COL_LABEL].w = table_longest(k[COL_LABEL].w, metric_label(metric));
		k[COL_PANE].w = table_longest(k[COL_PANE].w, pane_title(s, i));
		k[COL_UNIT].w = table_longest(k[COL_UNIT].w, meter_form(m, i).unit);
	}
	k[COL_LABEL].w = min_of(k[COL_LABEL].w, clamp(w / 3, 8, LABEL_MAX));
	k[COL_PANE].w = min_of(k[COL_PANE].w, PANE_MAX);
	if (w < PANE_SCREEN_W && s->v->counters.sort != SORT_BLOCK)
		k[COL_PANE].w = 0;
	k[COL_NUMBER].w = max_of(k[COL_NUMBER].w, NUMBER_W);
	k[COL_ROOF].w = max_of(k[COL_ROOF].w, NUMBER_W);
	k[COL_SHARE].w = max_of(k[COL_SHARE].w, 5);
	left = table_fit(k, order, (int)ARRAY_LEN(order), w);
	k[COL_HISTORY].w = left >= HISTORY_MIN ? left : 0;
	table_lay(k, COLUMNS, x);
}

/* --- drawing --- */

static void draw_numbers(struct screen *s, const struct table_column *k, int y, int i)
{
	struct unit_form form = meter_form(s->m, i);
	struct value v = meter_value(s->m, i);
	double ceiling = meter_ceiling(s->m, i), share = share_of(s->m, i);
	char buf[32];

	meter_row_number(s->m, i, v, buf, sizeof(buf), NUMBER_W);
	table_cell(s, &k[COL_NUMBER], y, v.why == WHY_OK ? ROLE_VALUE : ROLE_NONE_VALUE, buf);
	canvas_text(s->c, k[COL_NUMBER].x - 1, y, ROLE_DIM, meter_mark(s->m, i));
	table_cell(s, &k[COL_UNIT], y, ROLE_UNIT, form.unit);
	if (!(ceiling > 0))
		return;
	table_cell(s, &k[COL_ROOF], y, ROLE_UNIT,
		meter_ceiling_number(buf, sizeof(buf), ceiling * form.factor));
	if (isnan(share))
		return;
	snprintf(buf, sizeof(buf), "%.0f %%", 100 * share);
	table_cell(s, &k[COL_SHARE], y, ROLE_TEXT, buf);
}

/* The history, or where there never was a number why: it may take the place of the columns that
 * would have numbers. */
static void draw_picture(struct screen *s, const struct table_column *k, int y, int end, int i)
{
	struct value v = meter_value(s->m, i);
	struct series series = { .history = s->m->history,
		.column = i,
		.top = meter_scale(s->m, i),
		.back = s->m->back };
	const struct table_column *at = &k[COL_HISTORY];
	const char *text = _(why_text(v.why));
	int x = at->x, first = k[COL_NUMBER].x + k[COL_NUMBER].w + 2;

	if (v.why == WHY_OK || !isnan(meter_max(s->m, i))) {
		if (at->w)
			plot_spark(s->c, s->g, (struct rect){ x, y, at->w, 1 }, &series);
		return;
	}
	/* A sentence is worth more than a unit and a roof without a value, and than dashes. */
	if (!at->w || format_columns(text) > end - x)
		x = first;
	if (format_columns(text) > end - x)
		x = k[COL_NUMBER].x - 1;
	canvas_fill(s->c, (struct rect){ x, y, max_of(end - x, 0), 1 }, ' ', ROLE_TEXT);
	glyphs_sentence(s->c, s->g, x, y, end - x, ROLE_NONE_VALUE, text);
}

static void draw_row(
	struct screen *s, const struct table_column *k, struct rect in, int y, int i, bool now)
{
	table_cell(s, &k[COL_LABEL], y, now ? ROLE_SELECTED : ROLE_LABEL,
		metric_label(&s->m->set->metrics[i]));
	table_cell(s, &k[COL_PANE], y, ROLE_DIM, pane_title(s, i));
	draw_numbers(s, k, y, i);
	draw_picture(s, k, y, in.x + in.w - 1, i);
}

/* "memory, 53 metrics, 6 unavailable", and what the filter leaves out. */
static struct rect draw_frame(struct screen *s, const struct listed *l)
{
	const struct counters_view *at = &s->v->counters;
	char extra[200], note[100] = "";
	struct rect in;

	snprintf(extra, sizeof(extra),
		ngettext("set %s, %d metric, %d unavailable", "set %s, %d metrics, %d unavailable",
			(unsigned long)(l->n + l->hidden)),
		s->m->set->name, l->n + l->hidden, l->unavailable);
	in = box_frame(s, s->l.body, true, _("Counters"), extra);
	if (*at->filter)
		snprintf(note, sizeof(note), _("only '%s', %d left out"), at->filter, l->hidden);
	else if (l->hidden)
		snprintf(note, sizeof(note), _("%d left out (v)"), l->hidden);
	box_note(s, s->l.body, box_title_columns(_("Counters"), extra), ROLE_WARN, note);
	return in;
}

static void draw(struct screen *s)
{
	struct table_column k[COLUMNS];
	char none[120];
	struct listed l;
	struct rect in;
	int rows, top;

	if (!s->m->set) {
		screen_overview.draw(s);
		return;
	}
	list_make(&l, s->v, s->m);
	in = draw_frame(s, &l);
	rows = max_of(in.h - 1, 0);
	top = layout_scroll(s->v->counters.top, l.now, rows, l.n);
	columns_make(k, s, in.x + 1, in.w - 2);
	canvas_clip(s->c, in);
	table_heads_draw(s, k, COLUMNS, in.y);
	for (int i = 0; i < rows && top + i < l.n; i++) {
		draw_row(s, k, in, in.y + 1 + i, l.metric[top + i], top + i == l.now);
		table_row(s, s->l.body, in.x, in.y + 1 + i, top + i, top + i == l.now);
	}
	s->note->page = rows;
	snprintf(none, sizeof(none), _("no match for '%s'"), s->v->counters.filter);
	if (!l.n)
		canvas_text(s->c, in.x + 1, in.y + 1, ROLE_DIM, none);
	canvas_unclip(s->c);
	box_scroll_mark(s, s->l.body, top, rows, l.n);
}

/* --- keys --- */

static void go_to(struct view *v, const struct listed *l, int row)
{
	if (row < 0 || row >= l->n)
		return;
	v->counters.metric = l->metric[row];
	v->counters.top = layout_scroll(v->counters.top, row, v->page, l->n);
}

void view_show_counters(struct view *v, const struct view_model *m, int metric)
{
	struct listed l;

	v->screen = VIEW_COUNTERS;
	v->explain = false;
	v->counters.filter[0] = '\0';
	v->counters.hide_missing = false;
	v->counters.sort = SORT_PANE;
	v->counters.invert = false;
	v->counters.metric = metric;
	list_make(&l, v, m);
	/* What follows in the pane is below it. */
	v->counters.top = l.now;
}

static bool command(
	struct view *v, const struct screen *s, enum command cmd, enum command *out)
{
	struct listed l;

	(void)out;
	if (!select_is_move(cmd))
		return false;
	list_make(&l, v, s->m);
	go_to(v, &l, select_move(cmd, l.now, v->page, l.n));
	return true;
}

static int explained(const struct view *v, const struct view_model *m)
{
	struct listed l;

	list_make(&l, v, m);
	return l.n ? l.metric[l.now] : -1;
}

struct found {
	const struct listed *l;
	const struct metric_set *set;
};

static bool row_has(const void *rows, int row, const char *text)
{
	const struct found *f = rows;
	const struct metric *metric = &f->set->metrics[f->l->metric[row]];

	return select_contains(metric_label(metric), text) ||
		select_contains(metric->label, text) || select_contains(metric->name, text);
}

static bool find(struct view *v, const struct screen *s, const char *text, int step)
{
	struct listed l;

	list_make(&l, v, s->m);
	struct found f = { &l, s->m->set };
	struct select_rows rows = { &f, l.n, l.now, row_has };
	return view_find_row(v, s, &rows, text, step);
}

static void choose(struct view *v, const struct view_model *m, int list, int row)
{
	struct listed l;

	(void)list;
	list_make(&l, v, m);
	go_to(v, &l, row);
}

/* --- menus --- */

static const struct drawn_line drawn[] = {
	DRAWN_SWITCH(N_("unavailable metrics"), counters.hide_missing, N_("shown"), N_("hidden")),
};

static const char *const sorts[SORTS] = { N_("pane"), N_("block of the hardware"), N_("name"),
	N_("share of the roof") };

static const struct footer_key footer[] = {
	{ CMD_ENTER, CMD_NONE, N_("Explain") },
	{ CMD_SORT, CMD_NONE, N_("Sort") },
	{ CMD_DRAWN, CMD_NONE, N_("Draw") },
	{ CMD_SETS, CMD_NONE, N_("Set") },
	{ CMD_PAUSE, CMD_NONE, N_("Pause") },
};

const struct screen_ops screen_counters = {
	SCREEN_FOOTER(footer),
	SCREEN_DRAWN(drawn),
	.metric = explained,
	.draw = draw,
	.command = command,
	.find = find,
	.filter_at = offsetof(struct view, counters.filter),
	.sorts = sorts,
	.n_sorts = SORTS,
	.sort_at = offsetof(struct view, counters.sort),
	.invert_at = offsetof(struct view, counters.invert),
	.choose = choose,
};
