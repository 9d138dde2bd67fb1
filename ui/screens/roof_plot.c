/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots a roofline: FLOP/s over operational intensity, both logarithmic, with the roofs, the live
 * point and its trail, kept points, and the place that is expected of the running load. */
#include "config.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/format.h"
#include "ui/screens/roof.h"

#define AXIS_W 7
/* The log2 of a point a little left of 1/16, where a copy with a FLOP for 16 bytes stands. */
#define LOW_INTENSITY (-4.1)
#define SPAN_X 11.5		/* octaves */
#define SPAN_Y 8
#define LABELS_MIN_H 8
#define PLOT_MARKS (2 + ROOF_MARKS + 8)	/* the live one, the expected one, kept ones, kernels */

struct plot {
	struct screen *s;
	const struct roofline *r;
	const struct roof_view *view;
	const struct roof *top;		/* the highest FLOP roof, or NULL */
	struct rect in;			/* cells of the plot itself */
	/* cells of points, but for those of the past, which names leave free */
	struct {
		int x, y;
	} marks[PLOT_MARKS];
	int n_marks;
	double x0, x1, y0, y1;		/* log2 of FLOP/B and of FLOP/s */
};

static double bandwidth_of(const struct roofline *r, const struct roof_view *view)
{
	if (view->roof < 0)
		return NAN;
	return roof_bound(&r->roofs[view->roof]);
}

/* --- the dots: the cells themselves collect braille, which becomes ASCII at the end --- */

static struct cell *cell_at(const struct plot *p, int x, int y)
{
	if (x < 0 || y < 0 || x >= p->in.w || y >= p->in.h)
		return NULL;
	return &p->s->c->cells[(size_t)(p->in.y + y) * (size_t)p->s->c->w + (size_t)(p->in.x + x)];
}

static bool is_dots(uint32_t ch)
{
	return ch >= 0x2800 && ch <= 0x28ff;
}

static void put_dot(const struct plot *p, int dx, int dy, enum role role)
{
	static const unsigned char bits[4][2] = { { 0x01, 0x08 }, { 0x02, 0x10 }, { 0x04, 0x20 },
		{ 0x40, 0x80 } };

	if (dx < 0 || dy < 0)
		return;
	const struct cell *c = cell_at(p, dx / 2, dy / 4);
	if (!c)
		return;
	uint32_t ch = 0x2800 | bits[dy % 4][dx % 2];
	if (is_dots(c->ch))
		ch |= c->ch;
	canvas_put(p->s->c, p->in.x + dx / 2, p->in.y + dy / 4, ch, role);
}

static void dots_to_ascii(const struct plot *p)
{
	static const char halves[] = { ' ', '\'', '.', ':' };	/* none, upper, lower, both */

	for (int y = 0; y < p->in.h; y++)
		for (int x = 0; x < p->in.w; x++) {
			struct cell *c = cell_at(p, x, y);
			bool up = c->ch & 0x1b, down = c->ch & 0xe4;

			if (is_dots(c->ch))
				c->ch = (uint32_t)halves[up + 2 * down];
		}
}

static double dot_x(const struct plot *p, double log_x)
{
	return (log_x - p->x0) / (p->x1 - p->x0) * (2 * p->in.w - 1);
}

static double dot_y(const struct plot *p, double log_y)
{
	return (p->y1 - log_y) / (p->y1 - p->y0) * (4 * p->in.h - 1);
}

/* Draws a roof over all columns of dots; step > 1 leaves gaps. All lengths are logarithms, in which
 * a bandwidth rises by one for one up to the ridge, where it meets the top. A roof without a
 * bandwidth has nothing below the ridge. */
static void draw_roof(
	const struct plot *p, double top, double ridge, bool rises, int step, enum role role)
{
	int last = -1;

	for (int dx = 0; dx < 2 * p->in.w; dx += step) {
		double x = p->x0 + (p->x1 - p->x0) * dx / (2 * p->in.w - 1), y = top;
		int dy = -1;

		if (x < ridge)
			y = rises ? top + x - ridge : NAN;
		if (!isnan(y))
			dy = (int)lround(dot_y(p, y));
		put_dot(p, dx, dy, role);
		for (int fill = dy + 1; dy >= 0 && step == 1 && fill < last; fill++)
			put_dot(p, dx, fill, role);
		last = dy;
	}
}

/* Draws what a level's bandwidth allows, up to the highest FLOP roof. */
static void draw_slope(const struct plot *p, const struct roof_view *view, int step, enum role role)
{
	double ridge = log2(roofline_ridge(p->r, view, p->top));

	/* An idle device may have a roof of 0. */
	if (isfinite(ridge))
		draw_roof(p, log2(roofline_attainable(p->r, view, p->top, INFINITY)), ridge, true,
			step, role);
}

static void draw_roofs(const struct plot *p)
{
	for (int i = 0; i < p->r->n_views; i++)
		if (&p->r->views[i] != p->view)
			draw_slope(p, &p->r->views[i], 2, ROLE_DIM);
	for (int i = 0; i < p->r->n_roofs; i++) {
		const struct roof *roof = &p->r->roofs[i];
		enum role role = ROLE_TEXT;
		int step = 3;

		if (!strncmp(roof->name, "dp", 2))
			role = ROLE_DIM;
		if (roof == p->top)
			step = 1;
		if (roof->role == ROOF_FLOP && roof_bound(roof) > 0)
			draw_roof(p, log2(roof_bound(roof)),
				p->view ? log2(roofline_ridge(p->r, p->view, roof)) : NAN, false,
				step, role);
	}
	if (p->view)
		draw_slope(p, p->view, 1, ROLE_GRAPH);
}

/* --- where points stand --- */

/* Finds the cell of a point, and the character that it is drawn with: beyond an end of an axis it
 * is an arrow there. Returns false when there is no point. */
static bool locate(const struct plot *p, const struct roof_point *at, uint32_t *ch, int *cell_x,
	int *cell_y)
{
	double right = 2 * p->in.w - 1, bottom = 4 * p->in.h - 1;
	double x = right + 1, y = dot_y(p, log2(at->flop_per_s));

	if (!isinf(at->intensity))
		x = dot_x(p, log2(at->intensity));
	if (!(at->flop_per_s > 0) || !(at->intensity > 0) || isnan(x) || isnan(y))
		return false;
	if (x < 0)
		*ch = '<';
	else if (x > right)
		*ch = '>';
	else if (y < 0)
		*ch = '^';
	else if (y > bottom)
		*ch = 'v';
	*cell_x = (int)fmin(fmax(x, 0), right) / 2;
	*cell_y = (int)fmin(fmax(y, 0), bottom) / 4;
	return true;
}

static void add_mark(struct plot *p, const struct roof_point *at)
{
	uint32_t ch;
	int x, y;

	if (p->n_marks == PLOT_MARKS || !locate(p, at, &ch, &x, &y))
		return;
	p->marks[p->n_marks].x = x;
	p->marks[p->n_marks++].y = y;
}

static void locate_marks(struct plot *p)
{
	const struct roofline_view *rv = &p->s->v->roof;
	const struct kernel_list *l = p->s->m->kernel_list;

	if (!p->view)
		return;
	add_mark(p, &p->view->live);
	add_mark(p, &p->view->predicted);
	for (int i = 0; i < rv->n_marks; i++)
		if (!strcmp(rv->mark_level[i], p->view->level))
			add_mark(p, &rv->marks[i]);
	for (int i = 0; l && i < l->n; i++)
		if (l->lines[i].counted)
			add_mark(p, &l->lines[i].points[p->view - p->r->views]);
}

/* Returns the leftmost of the marks in these cells of a row; -1: none. */
static int first_mark(const struct plot *p, int x, int y, int w)
{
	int first = -1;

	for (int i = 0; i < p->n_marks; i++)
		if (p->marks[i].y == y && p->marks[i].x >= x && p->marks[i].x < x + w &&
			(first < 0 || p->marks[i].x < first))
			first = p->marks[i].x;
	return first;
}

/* --- names at the lines --- */

/* Returns the row of a FLOP roof's line, -1 when it is not in the plot. */
static int roof_row(const struct plot *p, const struct roof *roof)
{
	if (roof->role != ROOF_FLOP || !(roof_bound(roof) > 0))
		return -1;
	double y = dot_y(p, log2(roof_bound(roof)));
	if (!(y >= 0 && y < 4 * p->in.h))
		return -1;
	return (int)y / 4;
}

/* Says whether no other roof's line runs there, and no label of those before roof i stands
 * there. */
static bool row_is_free(const struct plot *p, const int *labels, int roof, int row)
{
	for (int i = 0; i < p->r->n_roofs; i++)
		if ((i < roof && labels[i] == row) ||
			(i != roof && roof_row(p, &p->r->roofs[i]) == row))
			return false;
	return row >= 0;
}

/* Returns the row for the name of roof i: it is above its line, or on the line where another one is
 * in the way; -1 where nobody could tell whose name it is. A low plot has room for the highest
 * one's name alone. */
static int label_row(const struct plot *p, const int *labels, int i)
{
	const struct roof *roof = &p->r->roofs[i];
	int row = roof_row(p, roof);

	if (row < 0 || (p->in.h < LABELS_MIN_H && roof != p->top))
		return -1;
	if (p->in.h < LABELS_MIN_H)
		return row > 0 ? row - 1 : 1;
	if (row_is_free(p, labels, i, row - 1))
		return row - 1;
	if (row_is_free(p, labels, i, row))
		return row;
	return -1;
}

/* Returns the column of a name of that width, as far to the right as marks let it. */
static int place_left_of_marks(const struct plot *p, int y, int w)
{
	int x = p->in.w - 1 - w;

	for (int mark = first_mark(p, x, y, w); mark >= 0; mark = first_mark(p, x, y, w))
		x = mark - 1 - w;
	return x;
}

/* Writes names at the right end, where the last column is left to points beyond it; left of a mark
 * that stands there. */
static void label_roofs(const struct plot *p)
{
	int labels[ROOFLINE_MAX_ROOFS];
	char text[64], number[24];

	for (int i = 0; i < p->r->n_roofs; i++) {
		const struct roof *roof = &p->r->roofs[i];

		snprintf(text, sizeof(text), "%s %s", roof->label,
			roof_number(number, sizeof(number), p->r, p->s->v, roof));
		int w = format_columns(text);
		if (w >= p->in.w / 2) {
			snprintf(text, sizeof(text), "%s", number);
			w = format_columns(text);
		}
		labels[i] = label_row(p, labels, i);
		int x = place_left_of_marks(p, labels[i], w);
		if (labels[i] >= 0)
			canvas_text(p->s->c, p->in.x + x, p->in.y + labels[i], ROLE_DIM, text);
	}
}

/* Says whether the cells from x on, and one on each side, hold nothing but the line that runs
 * through column line. */
static bool cells_are_free(const struct plot *p, int x, int y, int w, int line)
{
	if (x < 1 || x + w >= p->in.w || first_mark(p, x - 1, y, w + 2) >= 0)
		return false;
	for (int i = x - 1; i <= x + w; i++) {
		uint32_t ch = cell_at(p, i, y)->ch;

		if (ch != ' ' && !(is_dots(ch) && abs(i - line) <= 2))
			return false;
	}
	return true;
}

/* Writes a level's name on its line, as far down as nothing else is there: lower down lines are
 * farther from the flat ones. */
static void label_level(const struct plot *p, const struct roof_view *view, enum role role)
{
	double bandwidth = bandwidth_of(p->r, view), top = roof_bound(p->top);
	int w = format_columns(view->level);

	for (int row = p->in.h * 3 / 4; bandwidth > 0 && row > 0; row--) {
		double flop_per_s = exp2(
			p->y1 - (p->y1 - p->y0) * (4 * row + 2) / (4 * p->in.h - 1));
		int line = (int)lround(dot_x(p, log2(flop_per_s / bandwidth))) / 2,
		    x = line - w / 2;

		if (!(flop_per_s < top) || !cells_are_free(p, x, row, w, line))
			continue;
		canvas_put(p->s->c, p->in.x + x - 1, p->in.y + row, ' ', ROLE_TEXT);
		canvas_put(p->s->c, p->in.x + x + w, p->in.y + row, ' ', ROLE_TEXT);
		canvas_text(p->s->c, p->in.x + x, p->in.y + row, role, view->level);
		return;
	}
}

/* --- points --- */

/* Points of the past are arrows only at the sides, and they leave names legible. */
static void put_point(
	const struct plot *p, const struct roof_point *at, bool now, uint32_t ch, enum role role)
{
	double y = dot_y(p, log2(at->flop_per_s));
	int cell_x, cell_y;

	if (!locate(p, at, &ch, &cell_x, &cell_y) || (!now && (y < 0 || y > 4 * p->in.h - 1)))
		return;
	const struct cell *c = cell_at(p, cell_x, cell_y);
	if (!now && c && c->ch < 0x80 && isalnum((int)c->ch) && c->role != ROLE_GRAPH)
		return;
	canvas_put(p->s->c, p->in.x + cell_x, p->in.y + cell_y, ch, role);
}

/* Counted kernels, the more of the time they take the larger; the largest lies on top. */
static void draw_kernels(const struct plot *p)
{
	const struct kernel_list *l = p->s->m->kernel_list;
	int level = (int)(p->view - p->r->views);

	if (!l)
		return;
	for (int i = l->n - 1; i >= 0; i--) {
		const struct kernel_line *k = &l->lines[i];
		int size = (k->share >= 0.1) + (k->share >= 0.3);

		if (k->counted)
			put_point(p, &k->points[level], true, p->s->g->kernel[size], ROLE_TITLE);
	}
}

static void draw_points(const struct plot *p)
{
	const struct roofline_view *rv = &p->s->v->roof;

	if (!p->view)
		return;
	for (int age = roof_trail_len(p->view) - 1; age > 0; age--) {
		const struct roof_point *at = roof_trail(p->view, age);
		int64_t past_ns = roof_trail(p->view, 0)->t_ns - at->t_ns;

		if (past_ns > roof_trail_s(p->s->v) * NS_PER_S)
			continue;
		if (past_ns <= ROOF_NEW_TRAIL_S * NS_PER_S)
			put_point(p, at, false, 'o', ROLE_GRAPH);
		else
			put_point(p, at, false, ',', ROLE_DIM);
	}
	for (int i = 0; i < rv->n_marks; i++)
		if (!strcmp(rv->mark_level[i], p->view->level))
			put_point(p, &rv->marks[i], true, (uint32_t)('1' + i), ROLE_KEY);
	draw_kernels(p);
	put_point(p, &p->view->predicted, true, p->s->g->point_hollow, ROLE_MESSAGE);
	put_point(p, &p->view->live, true, p->s->g->point, ROLE_FOCUS);
}

/* --- axes --- */

/* Shows the whole picture in whole octaves: from a little left of 1/16 FLOP/B to two octaves right
 * of the last ridge, and from the highest roof (high, as log2) down to where the lowest bandwidth
 * leaves at the left. fmax and fmin pass NAN over. */
static void whole_range(struct plot *p, double high)
{
	double last = NAN, lowest = NAN;

	for (int i = 0; i < p->r->n_views; i++) {
		double bandwidth = bandwidth_of(p->r, &p->r->views[i]);

		if (!(bandwidth > 0))
			continue;
		last = fmax(last, high - log2(bandwidth));
		lowest = fmin(lowest, log2(bandwidth));
	}
	p->x0 = LOW_INTENSITY;
	p->x1 = fmax(p->x0 + SPAN_X, ceil(last + 2) + 0.4);
	p->y1 = ceil(high + 0.2);
	p->y0 = fmin(p->y1 - SPAN_Y, floor(lowest + p->x0));
}

/* Zoomed in, the ridge of the chosen level stands at three fifths of the width. */
static void choose_range(struct plot *p)
{
	const struct roofline_view *rv = &p->s->v->roof;
	const struct roof *top = p->top;
	double ratio = p->r->max_hz / p->r->clock_hz, high = 40, ridge = 1, span_x, span_y;

	/* While the clock stands all roofs are 0. While it moves the axes stand still, for they are
	 * those of the highest clock. */
	if (top && roof_bound(top) > 0) {
		high = log2(roof_bound(top));
		if (top->follows_clock && ratio > 1 && isfinite(ratio))
			high += log2(ratio);
	}
	whole_range(p, high);
	span_x = (p->x1 - p->x0) * exp2(-rv->zoom);
	span_y = (p->y1 - p->y0) * exp2(-rv->zoom);
	if (p->view && top)
		ridge = log2(roofline_ridge(p->r, p->view, top));
	if (!isfinite(ridge))
		ridge = 1;
	if (rv->zoom > 0)
		p->x0 = ridge - span_x * 0.6;
	p->x0 += rv->move_x * span_x / 8;
	p->x1 = p->x0 + span_x;
	p->y1 += rv->move_y * span_y / 8;
	p->y0 = p->y1 - span_y;
}

static const char *power_text(char *buf, size_t size, double log_v)
{
	double v = exp2(log_v);

	if (log_v < -0.5 && log_v > -10.5 && log_v == floor(log_v))
		snprintf(buf, size, "1/%.0f", exp2(-log_v));
	else if (v >= PEOPLE_MAX)
		return format_si(buf, size, v, 4);
	else if (v >= 1)
		snprintf(buf, size, "%.0f", v);
	else
		snprintf(buf, size, "%.2g", v);
	return buf;
}

/* From so many octaves on an axis goes by powers of ten. */
#define DECADES_FROM 10

/* Returns the octaves between two numbers of an axis, all alike and so far apart that they have
 * room: span octaves take so many cells, and a number needs least. */
static double step_of(double span, int cells, int least, bool may_be_decades)
{
	double unit = may_be_decades && span >= DECADES_FROM ? log2(10) : 1;
	int n = 1;

	while (unit * n * cells < least * span && unit * n < span)
		n++;
	return unit * n;
}

static void draw_axes(const struct plot *p)
{
	double unit = log2(roof_unit_flop_per_s(p->r, p->s->v));
	double y0 = p->y0 - unit, y1 = p->y1 - unit;
	double step = step_of(y1 - y0, p->in.h, 3, true);
	char buf[32];

	for (int i = (int)ceil(y0 / step); i <= y1 / step; i++) {
		int y = (int)dot_y(p, i * step + unit) / 4;

		if (y < 0 || y >= p->in.h)
			continue;
		canvas_field(p->s->c, p->in.x - AXIS_W, p->in.y + y, AXIS_W - 1, true, ROLE_DIM,
			power_text(buf, sizeof(buf), i * step));
		canvas_put(p->s->c, p->in.x - 1, p->in.y + y, p->s->g->tick, ROLE_BORDER);
	}
	step = step_of(p->x1 - p->x0, p->in.w, 10, false);
	for (int i = (int)ceil(p->x0 / step); i <= p->x1 / step; i++) {
		int x = (int)dot_x(p, i * step) / 2;

		power_text(buf, sizeof(buf), i * step);
		if (x < 0 || x + format_columns(buf) > p->in.w - 8)
			continue;
		canvas_text(p->s->c, p->in.x + x, p->in.y + p->in.h, ROLE_DIM, buf);
	}
	canvas_text(p->s->c, p->in.x + p->in.w - 6, p->in.y + p->in.h, ROLE_UNIT, "FLOP/B");
}

/* The axes are inside area. */
static bool draw_plot(
	struct screen *s, const struct roofline *r, const struct roof_view *view, struct rect area)
{
	struct plot p = { .s = s,
		.r = r,
		.view = view,
		.top = roofline_top(r),
		.in = { area.x + AXIS_W, area.y, area.w - AXIS_W, area.h - 1 } };

	if (p.in.w < 8 || p.in.h < 2)
		return false;
	choose_range(&p);
	locate_marks(&p);
	canvas_clip(s->c, area);
	draw_axes(&p);
	canvas_clip(s->c, p.in);
	draw_roofs(&p);
	label_roofs(&p);
	if (p.top && p.in.h >= LABELS_MIN_H) {
		if (view)
			label_level(&p, view, ROLE_TITLE);
		for (int i = 0; i < r->n_views; i++)
			if (&r->views[i] != view)
				label_level(&p, &r->views[i], ROLE_DIM);
	}
	if (!s->g->braille)
		dots_to_ascii(&p);
	draw_points(&p);
	canvas_unclip(s->c);
	return true;
}

bool roof_plot_draw(
	struct screen *s, const struct roofline *r, const struct roof_view *view, struct rect area)
{
	if (!draw_plot(s, r, view, (struct rect){ area.x, area.y + 1, area.w, area.h - 1 }))
		return false;
	canvas_text(s->c, area.x, area.y, ROLE_UNIT, roof_unit(r, s->v));
	return true;
}

void roof_pane_draw(
	struct screen *s, const struct roofline *r, const struct roof_view *view, struct rect box)
{
	const struct verdict *v = s->m->snap ? &s->m->snap->verdict : NULL;
	/* The answer gives no headroom where a memory's roof is in doubt: here it is a bound, too. */
	bool is_bound = v && (v->lacks_level || v->kind == VERDICT_UNKNOWN);
	char extra[64], note[64], number[24];

	snprintf(extra, sizeof(extra), "%s, %s", view->level, roof_unit(r, s->v));
	struct rect in = box_frame(s, box, false, _("Roofline"), extra);
	draw_plot(s, r, view, (struct rect){ in.x, in.y, in.w - 1, in.h });
	int used = box_title_columns(_("Roofline"), extra);
	/* Trails have no window numbers, so this is the present even while the past is looked at. */
	roof_headroom(number, sizeof(number), r, view);
	is_bound = is_bound && *number != '-';
	snprintf(note, sizeof(note), is_bound ? _("at most %s") : _("headroom %s"), number);
	if (view->why == WHY_DIV_ZERO) {
		snprintf(number, sizeof(number), "%s", _("no FLOP"));
		snprintf(note, sizeof(note), "%s", _("no FLOP counted"));
	}
	if (s->m->back > 0)
		snprintf(note, sizeof(note), "%s", _("now"));
	else if (format_columns(note) + 2 > box.w - used - 2)
		snprintf(note, sizeof(note), "%s%s", is_bound ? "<" : "", number);
	box_note(s, box, used, ROLE_TEXT, note);
}
