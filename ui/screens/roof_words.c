/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the roofline in words and figures: the roofs, each level's point and headroom, what the
 * signs in the plot mean, and kept points. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/mem.h"
#include "base/numeric.h"
#include "base/strbuf.h"
#include "ui/screens/roof.h"
#include "ui/frame/table.h"

#define NUMBER_W 7
#define INTENSITY_W 6

/* The prefix of the highest roof. */
static struct unit_form form_of(const struct roofline *r)
{
	double highest = 0;

	for (int k = 0; k < r->n_roofs; k++)
		if (r->roofs[k].role == ROOF_FLOP)
			highest = fmax(highest, roof_bound(&r->roofs[k]));
	return unit_for_people("GFLOP/s", highest / 1e9);
}

const char *roof_unit(const struct roofline *r, const struct view *v)
{
	return v->roof.per_cycle && r->clock_hz > 0 ? "FLOP/cycle" : form_of(r).unit;
}

double roof_unit_flop_per_s(const struct roofline *r, const struct view *v)
{
	if (v->roof.per_cycle && r->clock_hz > 0)
		return r->clock_hz;
	return 1e9 / form_of(r).factor;
}

/* Converts FLOP/s to that unit. */
static double roof_in_unit(const struct roofline *r, const struct view *v, double flop_per_s)
{
	return flop_per_s / roof_unit_flop_per_s(r, v);
}

static double bound_in_unit(const struct roofline *r, const struct view *v, const struct roof *roof)
{
	if (roof->role == ROOF_FLOP)
		return roof_in_unit(r, v, roof_bound(roof));
	return roof_bound(roof) / 1e9;
}

const char *roof_number(char *buf, size_t size, const struct roofline *r, const struct view *v,
	const struct roof *roof)
{
	double bound = bound_in_unit(r, v, roof), highest = 0;
	int decimals = 3;

	for (int i = 0; i < r->n_roofs; i++)
		if (r->roofs[i].role == roof->role)
			highest = fmax(highest, bound_in_unit(r, v, &r->roofs[i]));
	if (isnan(bound) || highest >= 1e6)
		return format_si(buf, size, bound, NUMBER_W);
	if (bound >= 1000)
		decimals = 0;
	else if (highest >= 10)
		decimals = 1;
	else if (highest >= 1)
		decimals = 2;
	numeric_fixed(buf, size, bound, decimals);
	return buf;
}

/* --- roofs --- */

/* Says where a roof's number comes from, or why there is none. */
static const char *roof_source(char *buf, size_t size, const struct roof *roof)
{
	char date[32] = "--";
	const char *text = date;
	struct tm tm;

	if (isnan(roof_bound(roof)))
		text = _(why_brief(roof->theory.why));
	else if (!isfinite(roof->measured) && roof->nominal)
		text = _("theory, top");
	else if (!isfinite(roof->measured))
		text = _("theory");
	else if (!roof->record)
		text = _("measured");
	snprintf(buf, size, "%s", text);
	if (text != date)
		return buf;
	time_t t = (time_t)(roof->record->wall_ns / NS_PER_S);
	if (localtime_r(&t, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d", &tm);
	if (roof->theory.why == WHY_OK && roof->theory.v > 0)
		snprintf(buf, size, "%s %.0f %%", date, 100 * roof->measured / roof->theory.v);
	else
		snprintf(buf, size, "%s", date);
	return buf;
}

static int draw_roofs(struct screen *s, const struct roofline *r, struct rect in)
{
	struct table_column k[3] = { { .w = 0 }, { .w = NUMBER_W, .right = true }, { .w = 0 } };
	char number[32], source[64];
	int y = in.y;

	for (int i = 0; i < r->n_roofs; i++) {
		k[0].w = table_longest(k[0].w, r->roofs[i].label);
		k[2].w = table_longest(k[2].w, roof_source(source, sizeof(source), &r->roofs[i]));
	}
	table_place(k, 3, 2, in.x + 1, in.w - 2);
	for (int i = 0; i < r->n_roofs && y < in.y + in.h; i++, y++) {
		const struct roof *roof = &r->roofs[i];
		enum role role = ROLE_VALUE;

		if (isnan(roof_bound(roof)))
			role = ROLE_NONE_VALUE;
		table_cell(s, &k[0], y, ROLE_LABEL, roof->label);
		table_cell(s, &k[1], y, role,
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
	/* The only divisor of a point's place is its traffic, without which it stands at the right
	 * end. */
	if (view->why == WHY_UNSUPPORTED)
		return _("this hardware or kernel does not count what it needs");
	if (view->why != WHY_OK && view->why != WHY_DIV_ZERO)
		return _(why_text(view->why));
	return _("no FLOP counted");
}

const char *roof_headroom(
	char *buf, size_t size, const struct roofline *r, const struct roof_view *view)
{
	double allowed = roofline_attainable(r, view, roofline_live_top(r), view->live.intensity);
	double headroom = allowed / view->live.flop_per_s;

	if (!isfinite(headroom))
		snprintf(buf, size, "--");
	else if (headroom < 10)
		snprintf(buf, size, "%.2fx", headroom);
	else if (headroom < 100)
		snprintf(buf, size, "%.1fx", headroom);
	else
		snprintf(buf, size, "%.0fx", headroom);
	return buf;
}

static const char *intensity_text(char *buf, size_t size, double intensity)
{
	snprintf(buf, size, "--");
	if (!isinf(intensity))
		format_people(buf, size, intensity, 5);
	return buf;
}

/* Adds the levels where FLOP were counted and no byte: "no traffic: SLM, DRAM". */
static void add_idle_levels(struct strbuf *out, const struct roofline *r)
{
	struct strbuf names = { 0 };

	for (int i = 0; i < r->n_views; i++)
		if (has_point(&r->views[i]) && isinf(r->views[i].live.intensity))
			strbuf_add_word(&names, ", ", r->views[i].level);
	/* TRANSLATORS: names of levels of memory follow */
	if (names.len)
		strbuf_addf(out, _("no traffic: %s"), strbuf_str(&names));
	if (names.len)
		strbuf_addc(out, '\n');
	strbuf_release(&names);
}

enum { LEVEL_NAME, LEVEL_INTENSITY, LEVEL_ROOF, LEVEL_HEADROOM, LEVEL_COLUMNS };

static int draw_levels(
	struct screen *s, const struct roofline *r, const struct roof_view *chosen, struct rect in)
{
	/* TRANSLATORS: heads of columns: level of memory, FLOP per byte, what is allowed there, how
	 * many times faster that is */
	struct table_column k[LEVEL_COLUMNS] = { { .head = N_("level") },
		{ .head = N_("FLOP/B"), .w = INTENSITY_W, .right = true },
		{ .head = N_("roof"), .w = INTENSITY_W, .right = true },
		{ .head = N_("headroom"), .w = INTENSITY_W, .right = true } };
	char text[LEVEL_COLUMNS][24];
	int y = in.y;

	table_heads(k, LEVEL_COLUMNS);
	for (int i = 0; i < r->n_views; i++)
		k[LEVEL_NAME].w = table_longest(k[LEVEL_NAME].w, r->views[i].level);
	table_place(k, LEVEL_COLUMNS, -1, in.x + 1, in.w - 2);
	if (r->n_views && in.h > 0)
		table_heads_draw(s, k, LEVEL_COLUMNS, y);
	for (int i = 0; i < r->n_views && ++y < in.y + in.h; i++) {
		const struct roof_view *view = &r->views[i];
		double allowed = roofline_attainable(
			r, view, roofline_live_top(r), view->live.intensity);
		enum role role = ROLE_LABEL;

		if (view == chosen)
			role = ROLE_TITLE;
		for (int n = 0; n < r->n_views; n++)
			if (roof_nth_level(r, n) == view)
				table_row(s, in, in.x, y, n, view == chosen);
		table_cell(s, &k[LEVEL_NAME], y, role, view->level);
		for (int column = LEVEL_INTENSITY; column < LEVEL_COLUMNS; column++)
			snprintf(text[column], sizeof(text[column]), "--");
		if (has_point(view)) {
			intensity_text(text[LEVEL_INTENSITY], sizeof(text[0]), view->live.intensity);
			format_people(text[LEVEL_ROOF], sizeof(text[0]),
				roof_in_unit(r, s->v, allowed), 5);
			roof_headroom(text[LEVEL_HEADROOM], sizeof(text[0]), r, view);
		}
		for (int column = LEVEL_INTENSITY; column < LEVEL_COLUMNS; column++)
			table_cell(s, &k[column], y, ROLE_VALUE, text[column]);
	}
	return y + 2;
}

/* --- the panel --- */

/* Returns "~" when the number is estimated. */
static const char *sign_of(const struct roofline *r)
{
	return r->estimated ? "~" : "";
}

static const char *flop_text(char *buf, size_t size, const struct screen *s,
	const struct roofline *r, double flop_per_s)
{
	return format_si(buf, size, roof_in_unit(r, s->v, flop_per_s), 5);
}

/* Draws what the signs in the plot mean; returns the next line. */
static int draw_legend(struct screen *s, const struct roof_view *view, struct rect in)
{
	struct {
		uint32_t sign;
		enum role role;
		char text[48];
	} rows[] = { { s->g->point, ROLE_FOCUS, "" }, { 'o', ROLE_GRAPH, "" }, { ',', ROLE_DIM, "" },
		{ s->g->point_hollow, ROLE_MESSAGE, "" }, { s->g->kernel[2], ROLE_TITLE, "" } };
	int y = in.y;

	snprintf(rows[0].text, sizeof(rows[0].text), "%s", _("now"));
	if (roof_trail_s(s->v) > 0)
		snprintf(rows[1].text, sizeof(rows[1].text), _("the last %d s"), ROOF_NEW_TRAIL_S);
	if (roof_trail_s(s->v) > ROOF_NEW_TRAIL_S)
		snprintf(rows[2].text, sizeof(rows[2].text), _("the last %d s"),
			roof_trail_s(s->v));
	if (isfinite(view->predicted.flop_per_s))
		snprintf(rows[3].text, sizeof(rows[3].text), "%s",
			_("expected of the running load"));
	if (s->m->kernel_list)
		snprintf(rows[4].text, sizeof(rows[4].text), "%s",
			_("counted kernels, by their time"));
	for (size_t i = 0; i < ARRAY_LEN(rows) && y < in.y + in.h; i++) {
		if (!*rows[i].text)
			continue;
		canvas_put(s->c, in.x + 1, y, rows[i].sign, rows[i].role);
		glyphs_field(s->c, s->g, in.x + 3, y++, in.w - 3, ROLE_DIM, rows[i].text);
	}
	return y;
}

/* Draws the text from line y on, empties it, and returns the line after it and a blank one. */
static int draw_text(struct screen *s, struct rect in, int y, struct strbuf *text)
{
	struct rect r = { in.x + 1, y, in.w - 2, in.y + in.h - y };

	if (r.h > 0 && text->len)
		y += box_text_role(s->c, r, 0, ROLE_TEXT, strbuf_str(text)) + 1;
	strbuf_clear(text);
	return y;
}

void roof_panel_draw(
	struct screen *s, const struct roofline *r, const struct roof_view *view, struct rect box)
{
	const struct roofline_view *rv = &s->v->roof;
	char units[32];

	snprintf(units, sizeof(units), "%s, GB/s", roof_unit(r, s->v));
	struct rect in = box_frame(s, box, false, _("Roofs"), units);
	struct strbuf text = { 0 };
	bool measured = false;
	char a[24], b[24];

	canvas_clip(s->c, in);
	int y = draw_roofs(s, r, in) + 1;
	y = draw_levels(s, r, view, (struct rect){ in.x, y, in.w, in.y + in.h - y });
	if (view && has_point(view))
		strbuf_addf(&text, "%s%s %s", sign_of(r),
			flop_text(a, sizeof(a), s, r, view->live.flop_per_s), roof_unit(r, s->v));
	else if (view)
		strbuf_addf(&text, _("no point now: %s"), why_no_point(view));
	if (view) {
		strbuf_addc(&text, '\n');
		add_idle_levels(&text, r);
		if (r->clock_hz > 0)
			strbuf_addf(&text, _("roofs at %.0f MHz"), r->clock_hz / 1e6);
		y = draw_text(s, in, y, &text);
		y = draw_legend(s, view, (struct rect){ in.x, y, in.w, in.y + in.h - y }) + 1;
	}
	/* The kept points of the level that is shown are in the plot by their digit. */
	for (int i = 0; i < rv->n_marks; i++)
		strbuf_addf(&text, "%d %s: %s FLOP/B  %s %s\n", i + 1, rv->mark_level[i],
			intensity_text(a, sizeof(a), rv->marks[i].intensity),
			flop_text(b, sizeof(b), s, r, rv->marks[i].flop_per_s), roof_unit(r, s->v));
	y = draw_text(s, in, y, &text);
	for (int i = 0; i < r->n_roofs && !measured; i++)
		measured = isfinite(r->roofs[i].measured);
	if (!measured) {
		strbuf_add(&text,
			_("'rooftop calibrate' measures the roofs of this device and keeps them."));
		draw_text(s, in, y, &text);
	}
	canvas_unclip(s->c);
	strbuf_release(&text);
}

/* --- where there is no panel --- */

/* The point and its roof fill a line each; room is empty when there is no roof. */
struct point_words {
	char now[200], room[100];
};

/* Writes "DRAM: 3.69 FLOP/B  ~158.9 GFLOP/s" and "roof 247.8 (DRAM), headroom 1.56x". */
static void point_words(const struct screen *s, const struct roofline *r,
	const struct roof_view *view, struct point_words *w)
{
	const struct roof *top = roofline_live_top(r);
	double allowed = roofline_attainable(r, view, top, view->live.intensity);
	const char *by = view->level;
	char a[24], b[24];

	w->room[0] = '\0';
	if (!has_point(view)) {
		snprintf(w->now, sizeof(w->now), _("%s: no point now: %s"), view->level,
			why_no_point(view));
		return;
	}
	flop_text(b, sizeof(b), s, r, view->live.flop_per_s);
	if (isinf(view->live.intensity))
		snprintf(w->now, sizeof(w->now), _("no %s traffic  %s%s %s"), view->level,
			sign_of(r), b, roof_unit(r, s->v));
	else
		snprintf(w->now, sizeof(w->now), _("%s: %s FLOP/B  %s%s %s"), view->level,
			intensity_text(a, sizeof(a), view->live.intensity), sign_of(r), b,
			roof_unit(r, s->v));
	if (!(allowed > 0) || !top)
		return;
	if (!(allowed < roof_bound(top)))
		by = top->label;
	snprintf(w->room, sizeof(w->room), _("roof %s (%s), headroom %s"),
		flop_text(b, sizeof(b), s, r, allowed), by, roof_headroom(a, sizeof(a), r, view));
}

/* Where both do not fit, the headroom is worth more than the roof, and more than the unit. */
void roof_foot_draw(
	struct screen *s, const struct roofline *r, const struct roof_view *view, struct rect line)
{
	struct point_words words;
	char a[24], b[24];

	point_words(s, r, view, &words);
	int w = format_columns(words.now);
	int free_w = line.w - w - 3;
	if (words.room[0] && format_columns(words.room) > free_w) {
		roof_headroom(a, sizeof(a), r, view);
		snprintf(words.room, sizeof(words.room), _("headroom %s"), a);
		if (format_columns(words.room) > free_w)
			snprintf(words.room, sizeof(words.room), "%s", a);
	}
	if (words.room[0] && format_columns(words.room) > free_w) {
		snprintf(words.now, sizeof(words.now), _("%s: %s FLOP/B"), view->level,
			intensity_text(b, sizeof(b), view->live.intensity));
		w = format_columns(words.now);
		snprintf(words.room, sizeof(words.room), _("headroom %s"), a);
	}
	glyphs_field(s->c, s->g, line.x + 1, line.y, line.w - 1, ROLE_TITLE, words.now);
	glyphs_field(s->c, s->g, line.x + w + 3, line.y, line.w - w - 3, ROLE_TEXT, words.room);
}

void roof_text_draw(
	struct screen *s, const struct roofline *r, const struct roof_view *view, struct rect area)
{
	struct point_words words;
	char text[400];

	point_words(s, r, view, &words);
	snprintf(text, sizeof(text), "%s\n%s", words.now, words.room);
	canvas_fill(s->c, area, ' ', ROLE_TEXT);
	box_text(s->c, area, 0, text);
}
