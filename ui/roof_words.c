/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The roofline in words and figures: the roofs, each level's point and room, what the signs in the
 * plot mean, kept marks. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "ui/roof.h"
#include "ui/table.h"

#define NUMBER_W 7
#define INTENSITY_W 6

const char *roof_unit(const struct view *v)
{
	return v->roof.per_cycle ? "FLOP/cycle" : "GFLOP/s";
}

double roof_in_unit(const struct roofline *r, const struct view *v, double flop_per_s)
{
	return flop_per_s / (v->roof.per_cycle && r->clock_hz > 0 ? r->clock_hz : 1e9);
}

static double bound_in_unit(const struct roofline *r, const struct view *v, const struct roof *roof)
{
	return roof->role == ROOF_FLOP ? roof_in_unit(r, v, roof_bound(roof))
				       : roof_bound(roof) / 1e9;
}

const char *roof_number(char *buf, size_t size, const struct roofline *r, const struct view *v,
	const struct roof *roof)
{
	double bound = bound_in_unit(r, v, roof), highest = 0;

	for (int i = 0; i < r->n_roofs; i++)
		if (r->roofs[i].role == roof->role)
			highest = fmax(highest, bound_in_unit(r, v, &r->roofs[i]));
	if (isnan(bound) || highest >= 1e6)
		return format_number(buf, size, bound, NUMBER_W);
	snprintf(buf, size, "%.*f",
		highest >= 1000		? 0
			: highest >= 10 ? 1
			: highest >= 1	? 2
					: 3,
		bound);
	return buf;
}

/* --- roofs --- */

static const char *date_text(char *buf, size_t size, int64_t wall_ns)
{
	time_t s = (time_t)(wall_ns / NS_PER_S);
	struct tm tm;

	if (!localtime_r(&s, &tm) || !strftime(buf, size, "%Y-%m-%d", &tm))
		snprintf(buf, size, "--");
	return buf;
}

/* Where a roof's number comes from, or why there is none. */
static const char *roof_source(char *buf, size_t size, const struct roof *roof)
{
	char date[32];

	if (isnan(roof_bound(roof)))
		snprintf(buf, size, "%s", _(why_brief(roof->theory.why)));
	else if (!isfinite(roof->measured))
		snprintf(buf, size, "%s", roof->nominal ? _("theory, top") : _("theory"));
	else if (!roof->record)
		snprintf(buf, size, "%s", _("measured"));
	else if (roof->theory.why == WHY_OK && roof->theory.v > 0)
		snprintf(buf, size, "%s %.0f %%",
			date_text(date, sizeof(date), roof->record->wall_ns),
			100 * roof->measured / roof->theory.v);
	else
		snprintf(buf, size, "%s", date_text(date, sizeof(date), roof->record->wall_ns));
	return buf;
}

static int draw_roofs(struct screen *s, const struct roofline *r, struct rect in)
{
	struct table_column k[3] = { { .w = 0 }, { .w = NUMBER_W, .right = true }, { .w = 0 } };
	char number[32], source[64];
	int y = in.y;

	for (int i = 0; i < r->n_roofs; i++) {
		k[0].w = table_longest(k[0].w, i18n_optional(r->roofs[i].label));
		k[2].w = table_longest(k[2].w, roof_source(source, sizeof(source), &r->roofs[i]));
	}
	table_place(k, 3, 2, in.x + 1, in.w - 2);
	for (int i = 0; i < r->n_roofs && y < in.y + in.h; i++, y++) {
		const struct roof *roof = &r->roofs[i];

		table_cell(s, &k[0], y, ROLE_LABEL, i18n_optional(roof->label));
		table_cell(s, &k[1], y, isnan(roof_bound(roof)) ? ROLE_NONE_VALUE : ROLE_VALUE,
			roof_number(number, sizeof(number), r, s->v, roof));
		table_cell(s, &k[2], y, ROLE_DIM, roof_source(source, sizeof(source), roof));
	}
	return y;
}

/* --- levels --- */

static bool has_point(const struct roof_view *view)
{
	return view->why == WHY_OK && view->live.flop_per_s > 0;
}

static const char *why_no_point(const struct roof_view *view)
{
	return view->why != WHY_OK ? _(why_text(view->why)) : _("no FLOP was done");
}

const char *roof_headroom(
	char *buf, size_t size, const struct roofline *r, const struct roof_view *view)
{
	double headroom = roofline_attainable(r, view, NULL, view->live.intensity) /
		view->live.flop_per_s;

	if (!isfinite(headroom))
		snprintf(buf, size, "--");
	else
		snprintf(buf, size, "%.*fx", headroom < 10 ? 2 : headroom < 100 ? 1 : 0, headroom);
	return buf;
}

static const char *intensity_text(char *buf, size_t size, const struct roof_view *view)
{
	if (!isinf(view->live.intensity))
		return format_number(buf, size, view->live.intensity, 5);
	/* TRANSLATORS: infinite: FLOP were done, no byte moved */
	snprintf(buf, size, "%s", _("inf"));
	return buf;
}

enum { LEVEL_NAME, LEVEL_INTENSITY, LEVEL_ROOF, LEVEL_HEADROOM, LEVEL_COLUMNS };

static void level_cells(const struct screen *s, const struct roofline *r,
	const struct roof_view *view, char text[LEVEL_COLUMNS][24])
{
	double allowed = roofline_attainable(r, view, NULL, view->live.intensity);

	snprintf(text[LEVEL_NAME], 24, "%.23s", view->level);
	for (int i = LEVEL_INTENSITY; i < LEVEL_COLUMNS; i++)
		snprintf(text[i], 24, "--");
	if (!has_point(view))
		return;
	intensity_text(text[LEVEL_INTENSITY], 24, view);
	format_number(text[LEVEL_ROOF], 24, roof_in_unit(r, s->v, allowed), 5);
	roof_headroom(text[LEVEL_HEADROOM], 24, r, view);
}

static int draw_levels(
	struct screen *s, const struct roofline *r, const struct roof_view *chosen, struct rect in)
{
	/* TRANSLATORS: heads of columns: level of memory, FLOP per byte, what is allowed there, how
	 * many times faster that is */
	static const char *const heads[] = { N_("level"), N_("FLOP/B"), N_("roof"),
		N_("headroom") };
	struct table_column k[LEVEL_COLUMNS];
	char text[LEVEL_COLUMNS][24];
	int y = in.y;

	for (int i = 0; i < LEVEL_COLUMNS; i++)
		k[i] = (struct table_column){ .head = _(heads[i]),
			.w = table_longest(i ? INTENSITY_W : 0, _(heads[i])),
			.right = i > 0 };
	for (int i = 0; i < r->n_views; i++)
		k[LEVEL_NAME].w = table_longest(k[LEVEL_NAME].w, r->views[i].level);
	table_place(k, LEVEL_COLUMNS, -1, in.x + 1, in.w - 2);
	for (int i = 0; i < LEVEL_COLUMNS && r->n_views && in.h > 0; i++)
		table_cell(s, &k[i], y, ROLE_DIM, k[i].head);
	for (int i = 0; i < r->n_views && ++y < in.y + in.h; i++) {
		level_cells(s, r, &r->views[i], text);
		if (&r->views[i] == chosen)
			canvas_put(s->c, in.x, y, s->g->marker, ROLE_FOCUS);
		for (int column = 0; column < LEVEL_COLUMNS; column++)
			table_cell(s, &k[column], y,
				column				 ? ROLE_VALUE
					: &r->views[i] == chosen ? ROLE_TITLE
								 : ROLE_LABEL,
				text[column]);
	}
	return y + 2;
}

/* --- the panel --- */

/* "~3.659 GFLOP/s at 1050 MHz", or why there is no point. */
static void add_now(struct strbuf *text, const struct screen *s, const struct roofline *r,
	const struct roof_view *view)
{
	char number[24];

	if (!has_point(view))
		strbuf_addf(text, _("no point now: %s"), why_no_point(view));
	else
		strbuf_addf(text, "%s%s %s", r->estimated ? "~" : "",
			format_number(number, sizeof(number),
				roof_in_unit(r, s->v, view->live.flop_per_s), 5),
			roof_unit(s->v));
	strbuf_add(text, "\n");
	if (r->clock_hz > 0)
		strbuf_addf(text, _("roofs at %.0f MHz"), r->clock_hz / 1e6);
}

/* What the signs in the plot mean; returns the next line. */
static int draw_legend(struct screen *s, const struct roof_view *view, struct rect in)
{
	struct {
		uint32_t sign;
		enum role role;
		char text[48];
	} rows[] = { { s->g->point, ROLE_BAD, "" }, { 'o', ROLE_WARN, "" }, { ',', ROLE_DIM, "" },
		{ s->g->point_hollow, ROLE_MESSAGE, "" } };
	int y = in.y;

	snprintf(rows[0].text, sizeof(rows[0].text), "%s", _("now"));
	if (roof_trail_s(s->v) > 0)
		snprintf(rows[1].text, sizeof(rows[1].text), _("the last %d s"), ROOF_NEW_TRAIL_S);
	if (roof_trail_s(s->v) > ROOF_NEW_TRAIL_S)
		snprintf(rows[2].text, sizeof(rows[2].text), _("the last %d s (t)"),
			roof_trail_s(s->v));
	if (isfinite(view->predicted.flop_per_s))
		snprintf(rows[3].text, sizeof(rows[3].text), "%s",
			_("expected of the running load"));
	for (size_t i = 0; i < ARRAY_LEN(rows) && y < in.y + in.h; i++) {
		if (!*rows[i].text)
			continue;
		canvas_put(s->c, in.x + 1, y, rows[i].sign, rows[i].role);
		glyphs_field(s->c, s->g, in.x + 3, y++, in.w - 3, ROLE_DIM, rows[i].text);
	}
	return y;
}

/* Kept points, those of the level that is shown are in the plot by their digit. */
static void add_marks(struct strbuf *text, const struct screen *s, const struct roofline *r)
{
	const struct roofline_view *rv = &s->v->roof;
	char a[24], b[24];

	for (int i = 0; i < rv->n_marks; i++)
		strbuf_addf(text, "%d %s: %s FLOP/B  %s %s\n", i + 1, rv->mark_level[i],
			format_number(a, sizeof(a), rv->marks[i].intensity, 5),
			format_number(
				b, sizeof(b), roof_in_unit(r, s->v, rv->marks[i].flop_per_s), 5),
			roof_unit(s->v));
}

static bool is_measured(const struct roofline *r)
{
	for (int i = 0; i < r->n_roofs; i++)
		if (isfinite(r->roofs[i].measured))
			return true;
	return false;
}

/* Text from line y on; returns the line behind it and a blank one. */
static int draw_text(struct screen *s, struct rect in, int y, struct strbuf *text)
{
	struct rect r = { in.x + 1, y, in.w - 2, in.y + in.h - y };
	int n = r.h > 0 && strbuf_str(text)[0]
		? box_text_role(s->c, r, 0, ROLE_TEXT, strbuf_str(text)) + 1
		: 0;

	strbuf_clear(text);
	return y + n;
}

void roof_panel_draw(
	struct screen *s, const struct roofline *r, const struct roof_view *view, struct rect box)
{
	struct rect in = box_frame(s, box, false, _("Roofs"),
		s->v->roof.per_cycle ? _("FLOP/cycle, GB/s") : _("GFLOP/s, GB/s"));
	struct strbuf text = { 0 };
	int y;

	canvas_clip(s->c, in);
	y = draw_roofs(s, r, in) + 1;
	y = draw_levels(s, r, view, (struct rect){ in.x, y, in.w, in.y + in.h - y });
	if (view) {
		add_now(&text, s, r, view);
		y = draw_text(s, in, y, &text);
		y = draw_legend(s, view, (struct rect){ in.x, y, in.w, in.y + in.h - y }) + 1;
	}
	add_marks(&text, s, r);
	y = draw_text(s, in, y, &text);
	if (!is_measured(r)) {
		strbuf_add(&text,
			_("'rooftop calibrate' measures the roofs of this device and keeps them."));
		draw_text(s, in, y, &text);
	}
	canvas_unclip(s->c);
	strbuf_release(&text);
}

/* --- where there is no panel --- */

/* "DRAM: 3.69 FLOP/B  ~158.9 GFLOP/s" and "roof 247.8 (DRAM), headroom 1.56x". */
static void point_words(struct screen *s, const struct roofline *r, const struct roof_view *view,
	char *now, size_t now_size, char *room, size_t room_size)
{
	double allowed = roofline_attainable(r, view, NULL, view->live.intensity);
	const struct roof *top = roofline_top(r);
	char a[24], b[24], c[24];

	*room = '\0';
	if (!has_point(view)) {
		snprintf(now, now_size, _("%s: no point now: %s"), view->level, why_no_point(view));
		return;
	}
	snprintf(now, now_size, _("%s: %s FLOP/B  %s%s %s"), view->level,
		intensity_text(a, sizeof(a), view), r->estimated ? "~" : "",
		format_number(b, sizeof(b), roof_in_unit(r, s->v, view->live.flop_per_s), 5),
		roof_unit(s->v));
	if (allowed > 0 && top)
		snprintf(room, room_size, _("roof %s (%s), headroom %s"),
			format_number(b, sizeof(b), roof_in_unit(r, s->v, allowed), 5),
			allowed < roof_bound(top) ? view->level : i18n_optional(top->label),
			roof_headroom(c, sizeof(c), r, view));
}

/* Where both do not fit the headroom is worth more than the roof, and more than the unit. */
void roof_foot_draw(
	struct screen *s, const struct roofline *r, const struct roof_view *view, struct rect line)
{
	char now[200], room[100], a[24], b[24];
	int w, free_w;

	point_words(s, r, view, now, sizeof(now), room, sizeof(room));
	w = format_columns(now);
	free_w = line.w - w - 3;
	if (*room && format_columns(room) > free_w) {
		roof_headroom(a, sizeof(a), r, view);
		snprintf(room, sizeof(room), _("headroom %s"), a);
		if (format_columns(room) > free_w)
			snprintf(room, sizeof(room), "%s", a);
	}
	if (*room && format_columns(room) > free_w) {
		snprintf(now, sizeof(now), _("%s: %s FLOP/B"), view->level,
			intensity_text(b, sizeof(b), view));
		w = format_columns(now);
		snprintf(room, sizeof(room), _("headroom %s"), a);
	}
	glyphs_field(s->c, s->g, line.x + 1, line.y, line.w - 1, ROLE_TITLE, now);
	glyphs_field(s->c, s->g, line.x + w + 3, line.y, line.w - w - 3, ROLE_TEXT, room);
}

void roof_text_draw(
	struct screen *s, const struct roofline *r, const struct roof_view *view, struct rect area)
{
	char now[200], room[100], text[400];

	point_words(s, r, view, now, sizeof(now), room, sizeof(room));
	snprintf(text, sizeof(text), "%s%s%s", now, *room ? "\n" : "", room);
	canvas_fill(s->c, area, ' ', ROLE_TEXT);
	box_text(s->c, area, 0, text);
}
