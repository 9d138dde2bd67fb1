/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The roofline: FLOP/s over operational intensity, both logarithmic; roofs, the live point with its trail, the running kernel. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/mem.h"
#include "ui/screen.h"

#define PANEL_W 36
#define PANEL_SCREEN_W 96	/* from here on the panel stands beside the plot */
#define AXIS_W 7

/* Trails in seconds, by roofline_view.trail. */
static const int trails[] = { 60, 600, 0, 10 };

struct plot {
	struct screen *s;
	const struct roofline *r;
	const struct roof_view *view;
	struct rect in;			/* cells of the plot itself */
	double x0, x1, y0, y1;		/* log2 of FLOP/B and of FLOP/s */
};

static const struct roofline *roofline_of(const struct view_model *m)
{
	return m->snap && m->snap->set == m->set ? m->snap->roofline : NULL;
}

/* The chosen level; the outermost memory comes first, which is the one that most often bounds. */
static const struct roof_view *chosen_view(const struct view *v, const struct roofline *r)
{
	return r->n_views ? &r->views[r->n_views - 1 - v->roof.level % r->n_views] : NULL;
}

/* --- the dots: braille is collected in the cells themselves, ASCII is made of it at the end --- */

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
	static const unsigned char bits[4][2] = { { 0x01, 0x08 }, { 0x02, 0x10 }, { 0x04, 0x20 }, { 0x40, 0x80 } };
	struct cell *c = dx < 0 || dy < 0 ? NULL : cell_at(p, dx / 2, dy / 4);
	uint32_t old;

	if (!c)
		return;
	old = is_dots(c->ch) ? c->ch & 0xff : 0;
	canvas_put(p->s->c, p->in.x + dx / 2, p->in.y + dy / 4, 0x2800 | old | bits[dy % 4][dx % 2], role);
}

/* Upper half, lower half, both. */
static void dots_to_ascii(const struct plot *p)
{
	for (int y = 0; y < p->in.h; y++)
		for (int x = 0; x < p->in.w; x++) {
			struct cell *c = cell_at(p, x, y);
			bool up = c->ch & 0x1b, down = c->ch & 0xe4;

			if (is_dots(c->ch))
				c->ch = up && down ? ':' : up ? '\'' : down ? '.' : ' ';
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

static double intensity_at(const struct plot *p, int dx)
{
	return exp2(p->x0 + (p->x1 - p->x0) * dx / (2 * p->in.w - 1));
}

/* A curve over all columns of dots; step > 1 leaves gaps. NAN interrupts it. */
static void draw_curve(const struct plot *p, double (*f)(const struct plot *p, const void *arg, double x), const void *arg, int step,
	enum role role)
{
	int last = -1;

	for (int dx = 0; dx < 2 * p->in.w; dx++) {
		double v = f(p, arg, intensity_at(p, dx));
		int dy = v > 0 ? (int)lround(dot_y(p, log2(v))) : -1;

		if (dy < 0) {
			last = -1;
			continue;
		}
		if (dx % step == 0) {
			put_dot(p, dx, dy, role);
			for (int fill = dy + 1; step == 1 && last > dy + 1 && fill < last; fill++)
				put_dot(p, dx, fill, role);
		}
		last = dy;
	}
}

/* What a level's bandwidth allows, up to the highest FLOP roof. */
static double slope(const struct plot *p, const void *arg, double x)
{
	return roofline_attainable(p->r, arg, NULL, x);
}

/* A FLOP roof, from where the chosen level meets it. */
static double flat(const struct plot *p, const void *arg, double x)
{
	const struct roof *roof = arg;
	double ridge = p->view ? roofline_ridge(p->r, p->view, roof) : NAN;

	return isnan(ridge) || x >= ridge ? roof_bound(roof) : NAN;
}

static bool is_double(const struct roof *roof)
{
	return !strncmp(roof->name, "dp", 2);
}

static void draw_roofs(const struct plot *p)
{
	for (int i = 0; i < p->r->n_views; i++)
		if (&p->r->views[i] != p->view)
			draw_curve(p, slope, &p->r->views[i], 4, ROLE_DIM);
	for (int i = 0; i < p->r->n_roofs; i++)
		if (p->r->roofs[i].role == ROOF_FLOP && roof_bound(&p->r->roofs[i]) > 0)
			draw_curve(p, flat, &p->r->roofs[i], &p->r->roofs[i] == roofline_top(p->r) ? 1 : 3,
				is_double(&p->r->roofs[i]) ? ROLE_BAR_MID : ROLE_BAR_LOW);
	if (p->view)
		draw_curve(p, slope, p->view, 1, ROLE_GRAPH);
}

static const char *rate(char *buf, size_t size, const struct roofline *r, const struct view *v, double flop_per_s, bool flop)
{
	bool per_cycle = v->roof.per_cycle && r->clock_hz > 0;

	return format_number(buf, size, flop_per_s / (per_cycle && flop ? r->clock_hz : 1e9), 6);
}

/* Row of a FLOP roof's line, -1 when it is not in the plot. */
static int roof_row(const struct plot *p, const struct roof *roof)
{
	double bound = roof_bound(roof), y = roof->role == ROOF_FLOP && bound > 0 ? dot_y(p, log2(bound)) : -1;

	return y >= 0 && y < 4 * p->in.h ? (int)y / 4 : -1;
}

/* No other roof's line runs there, and no label of those before roof i stands there. */
static bool row_is_free(const struct plot *p, const int *labels, int roof, int row)
{
	for (int i = 0; i < p->r->n_roofs; i++)
		if ((i < roof && labels[i] == row) || (i != roof && roof_row(p, &p->r->roofs[i]) == row))
			return false;
	return true;
}

/* Names at the right end: above their line, on it where another line is in the way, nowhere where that would say whose it is no more. */
static void label_roofs(const struct plot *p)
{
	int labels[ROOFLINE_MAX_ROOFS];
	char text[64], number[24];

	for (int i = 0; i < p->r->n_roofs; i++) {
		const struct roof *roof = &p->r->roofs[i];
		int row = roof_row(p, roof), w;

		labels[i] = -1;
		snprintf(text, sizeof(text), "%s %s", roof->label, rate(number, sizeof(number), p->r, p->s->v, roof_bound(roof), true));
		w = format_columns(text);
		if (row < 0 || w >= p->in.w / 2)
			continue;
		if (row > 0 && row_is_free(p, labels, i, row - 1))
			labels[i] = row - 1;
		else if (row_is_free(p, labels, i, row))
			labels[i] = row;
		if (labels[i] >= 0)
			canvas_text(p->s->c, p->in.x + p->in.w - w, p->in.y + labels[i], ROLE_DIM, text);
	}
}

/* --- points --- */

/* A point beyond an end of the axis is an arrow there. */
static void put_point(const struct plot *p, const struct roof_point *at, uint32_t ch, enum role role)
{
	double x = isinf(at->intensity) ? 2 * p->in.w - 1 : dot_x(p, log2(at->intensity)), y = dot_y(p, log2(at->flop_per_s));

	if (!(at->flop_per_s > 0) || !(at->intensity > 0) || isnan(x) || isnan(y) || y < 0 || y >= 4 * p->in.h)
		return;
	if (x < 0 || x > 2 * p->in.w - 1 || isinf(at->intensity)) {
		ch = x < 0 ? '<' : '>';
		x = x < 0 ? 0 : 2 * p->in.w - 1;
	}
	canvas_put(p->s->c, p->in.x + (int)x / 2, p->in.y + (int)y / 4, ch, role);
}

static void draw_points(const struct plot *p)
{
	const struct roofline_view *rv = &p->s->v->roof;
	int64_t seconds = trails[rv->trail % (int)ARRAY_LEN(trails)], newest_ns;

	if (!p->view)
		return;
	newest_ns = roof_trail_len(p->view) ? roof_trail(p->view, 0)->t_ns : 0;
	for (int age = roof_trail_len(p->view) - 1; age > 0; age--) {
		const struct roof_point *at = roof_trail(p->view, age);
		int64_t past_ns = newest_ns - at->t_ns;

		if (past_ns <= seconds * NS_PER_S)
			put_point(p, at, past_ns <= 10 * NS_PER_S ? 'o' : ',', past_ns <= 10 * NS_PER_S ? ROLE_WARN : ROLE_DIM);
	}
	for (int i = 0; i < rv->n_marks; i++)
		if (!strcmp(rv->mark_level[i], p->view->level))
			put_point(p, &rv->marks[i], (uint32_t)('1' + i), ROLE_KEY);
	put_point(p, &p->view->predicted, p->s->g->braille ? 0x25cb : 'O', ROLE_MESSAGE);
	put_point(p, &p->view->live, p->s->g->braille ? 0x25cf : '@', ROLE_BAD);
}

/* --- axes --- */

/* Everything that is known fits: a decade and a half below the lowest roof, half an octave above the highest. */
static void choose_range(struct plot *p)
{
	const struct roofline_view *rv = &p->s->v->roof;
	const struct roof *top = roofline_top(p->r);
	double high = top ? log2(roof_bound(top)) : 40, span_x = 11, span_y = 8, middle;

	p->y1 = ceil(high + 0.3);
	middle = p->view && top ? log2(roofline_ridge(p->r, p->view, top)) : 1;
	middle = isfinite(middle) ? middle : 1;
	span_x = span_x * exp2(-rv->zoom);
	span_y = span_y * exp2(-rv->zoom);
	p->x0 = middle - span_x * 0.6 + rv->move_x * span_x / 8;
	p->x1 = p->x0 + span_x;
	p->y1 += rv->move_y * span_y / 8;
	p->y0 = p->y1 - span_y;
}

static const char *power_text(char *buf, size_t size, double log_v)
{
	double v = exp2(log_v);

	if (log_v < -0.5 && log_v > -10.5)
		snprintf(buf, size, "1/%.0f", exp2(-log_v));
	else
		snprintf(buf, size, v >= 10000 ? "%.3g" : v >= 1 ? "%.0f" : "%.2g", v);
	return buf;
}

static void draw_axes(const struct plot *p)
{
	double giga = log2(p->s->v->roof.per_cycle && p->r->clock_hz > 0 ? p->r->clock_hz : 1e9);
	char buf[32];
	int last = -9;

	for (int i = (int)ceil(p->y0 - giga); i <= p->y1 - giga; i++) {
		int y = (int)dot_y(p, i + giga) / 4;

		if (y < 0 || y >= p->in.h || (last >= 0 && last - y < 3))
			continue;
		last = y;
		canvas_field(p->s->c, p->in.x - AXIS_W, p->in.y + y, AXIS_W - 1, true, ROLE_DIM, power_text(buf, sizeof(buf), i));
		canvas_put(p->s->c, p->in.x - 1, p->in.y + y, p->s->g->tick, ROLE_BORDER);
	}
	last = -99;
	for (int i = (int)ceil(p->x0); i <= p->x1; i++) {
		int x = (int)dot_x(p, i) / 2, w;

		power_text(buf, sizeof(buf), i);
		w = format_columns(buf);
		if (x - last < 10 || x + w > p->in.w - 8)
			continue;
		last = x;
		canvas_text(p->s->c, p->in.x + x, p->in.y + p->in.h, ROLE_DIM, buf);
	}
	canvas_text(p->s->c, p->in.x + p->in.w - 6, p->in.y + p->in.h, ROLE_UNIT, "FLOP/B");
	canvas_text(p->s->c, p->in.x - AXIS_W, p->in.y - 1, ROLE_UNIT, p->s->v->roof.per_cycle ? "FLOP/cycle" : "GFLOP/s");
}

/* --- words --- */

static const char *date_text(char *buf, size_t size, int64_t wall_ns)
{
	time_t s = (time_t)(wall_ns / NS_PER_S);
	struct tm tm;

	if (!localtime_r(&s, &tm) || !strftime(buf, size, "%Y-%m-%d", &tm))
		snprintf(buf, size, "--");
	return buf;
}

static int draw_roof_rows(struct screen *s, const struct roofline *r, struct rect in)
{
	int y = in.y;

	for (int i = 0; i < r->n_roofs && y < in.y + in.h; i++) {
		const struct roof *roof = &r->roofs[i];
		char number[24], date[32];
		bool measured = isfinite(roof->measured);

		canvas_field(s->c, in.x + 1, y, 12, false, ROLE_LABEL, roof->label);
		canvas_field(s->c, in.x + 13, y, 7, true, ROLE_VALUE, rate(number, sizeof(number), r, s->v, roof_bound(roof), roof->role == ROOF_FLOP));
		canvas_text(s->c, in.x + 21, y++, ROLE_DIM, measured && roof->record ? date_text(date, sizeof(date), roof->record->wall_ns)
			: measured ? _("measured") : roof->nominal ? _("theory, top") : _("theory"));
	}
	return y;
}

static bool has_point(const struct roof_view *view)
{
	return view->why == WHY_OK && view->live.flop_per_s > 0;
}

/* "AI 3.69 FLOP/B (GTI)  158.9 GFLOP/s ~  of 247.8  headroom 1.56x", in two parts. */
static void point_words(struct screen *s, const struct roofline *r, const struct roof_view *view, char *now, size_t now_size, char *room,
	size_t room_size)
{
	double allowed = roofline_attainable(r, view, NULL, view->live.intensity);
	char a[24], b[24], c[24];

	*room = '\0';
	if (!has_point(view)) {
		snprintf(now, now_size, _("%s: no point now: %s"), view->level, view->why != WHY_OK ? _(why_text(view->why)) : _("no FLOP was done"));
		return;
	}
	snprintf(now, now_size, _("%s: %s FLOP/B  %s%s %s"), view->level, format_number(a, sizeof(a), view->live.intensity, 6),
		r->estimated ? "~" : "", rate(b, sizeof(b), r, s->v, view->live.flop_per_s, true), s->v->roof.per_cycle ? "FLOP/cycle" : "GFLOP/s");
	if (allowed > 0)
		snprintf(room, room_size, _("roof %s, headroom %sx"), rate(b, sizeof(b), r, s->v, allowed, true),
			format_number(c, sizeof(c), allowed / view->live.flop_per_s, 5));
}

/* What the panel says about a level. Why there is no point is said once, at the chosen level. */
static void level_text(struct screen *s, const struct roofline *r, const struct roof_view *view, const struct roof_view *chosen, char *buf,
	size_t size)
{
	char now[200], room[100];

	if (view != chosen && !has_point(view) && !has_point(chosen) && view->why == chosen->why) {
		snprintf(buf, size, "%s: --", view->level);
		return;
	}
	point_words(s, r, view, now, sizeof(now), room, sizeof(room));
	snprintf(buf, size, "%s%s%s", now, *room ? "\n" : "", room);
}

static void draw_panel(struct screen *s, const struct roofline *r, const struct roof_view *view, struct rect box)
{
	struct rect in = box_frame(s->c, s->g, box, false, _("Roofs"), s->v->roof.per_cycle ? "FLOP/cycle, GB/s" : "GFLOP/s, GB/s");
	char text[400], keys[160];
	int y;

	canvas_clip(s->c, in);
	y = draw_roof_rows(s, r, in) + 1;
	for (int i = 0; i < r->n_views && y < in.y + in.h; i++) {
		level_text(s, r, &r->views[i], view, text, sizeof(text));
		if (&r->views[i] == view)
			canvas_put(s->c, in.x, y, s->g->marker, ROLE_FOCUS);
		y += box_text(s->c, (struct rect){ in.x + 1, y, in.w - 2, in.y + in.h - y }, 0, text);
	}
	if (r->clock_hz > 0 && y + 1 < in.y + in.h)
		canvas_textf(s->c, in.x + 1, ++y, ROLE_DIM, _("roofs at %.0f MHz"), r->clock_hz / 1e6);
	snprintf(keys, sizeof(keys), _("%d s trail (t)"), trails[s->v->roof.trail % (int)ARRAY_LEN(trails)]);
	if (y + 1 < in.y + in.h)
		canvas_text(s->c, in.x + 1, ++y, ROLE_DIM, keys);
	if (y + 2 < in.y + in.h)
		box_text(s->c, (struct rect){ in.x + 1, y + 2, in.w - 2, in.y + in.h - y - 2 }, 0,
			_("'rooftop calibrate' measures the roofs of this device and keeps them."));
	canvas_unclip(s->c);
}

static void draw_foot(struct screen *s, const struct roofline *r, const struct roof_view *view, struct rect in)
{
	char now[200], room[100];
	int w;

	if (!view)
		return;
	point_words(s, r, view, now, sizeof(now), room, sizeof(room));
	w = format_columns(now);
	glyphs_field(s->c, s->g, in.x + 1, in.y, in.w - 1, ROLE_TITLE, now);
	glyphs_field(s->c, s->g, in.x + w + 3, in.y, in.w - w - 3, ROLE_TEXT, room);
}

/* Where no plot fits. */
static void draw_words(struct screen *s, const struct roofline *r, const struct roof_view *view)
{
	char text[400];

	if (!view)
		return;
	level_text(s, r, view, view, text, sizeof(text));
	canvas_fill(s->c, s->l.body, ' ', ROLE_TEXT);
	box_text(s->c, s->l.body, 0, text);
}

static void draw_nothing(struct screen *s)
{
	const char *text = !roofline_of(s->m) ? _("waiting for the first complete window")
		: _("nothing about this device's roofs is known: neither its topology nor measured roofs; 'rooftop calibrate' measures them");

	box_text(s->c, (struct rect){ s->l.body.x + 2, s->l.body.y + 1, s->l.body.w > 4 ? s->l.body.w - 4 : 1, s->l.body.h }, 0, text);
}

static void draw(struct screen *s)
{
	const struct roofline *r = roofline_of(s->m);
	struct rect body = s->l.body;
	bool panel = body.w >= PANEL_SCREEN_W, foot = !panel && body.h >= 6;
	struct plot p = { .s = s, .r = r };

	if (!r || !r->n_roofs) {
		draw_nothing(s);
		return;
	}
	p.view = chosen_view(s->v, r);
	p.in = (struct rect){ body.x + AXIS_W, body.y + 1, body.w - AXIS_W - (panel ? PANEL_W + 1 : 1), body.h - 2 - foot };
	if (panel)
		draw_panel(s, r, p.view, (struct rect){ body.x + body.w - PANEL_W, body.y, PANEL_W, body.h });
	if (foot)
		draw_foot(s, r, p.view, (struct rect){ body.x, body.y + body.h - 1, body.w, 1 });
	if (p.in.w < 8 || p.in.h < 2) {
		draw_words(s, r, p.view);
		return;
	}
	choose_range(&p);
	canvas_clip(s->c, body);
	draw_axes(&p);
	canvas_clip(s->c, p.in);
	draw_roofs(&p);
	label_roofs(&p);
	if (!s->g->braille)
		dots_to_ascii(&p);
	draw_points(&p);
	canvas_unclip(s->c);
}

/* --- keys --- */

/* Nine points at most; the oldest goes. */
static void keep_mark(struct view *v, const struct roof_view *view)
{
	struct roofline_view *rv = &v->roof;

	if (!view || view->why != WHY_OK || !(view->live.flop_per_s > 0))
		return;
	if (rv->n_marks == ROOF_MARKS) {
		memmove(&rv->marks[0], &rv->marks[1], (ROOF_MARKS - 1) * sizeof(rv->marks[0]));
		memmove(&rv->mark_level[0], &rv->mark_level[1], (ROOF_MARKS - 1) * sizeof(rv->mark_level[0]));
		rv->n_marks--;
	}
	rv->marks[rv->n_marks] = view->live;
	snprintf(rv->mark_level[rv->n_marks++], sizeof(rv->mark_level[0]), "%s", view->level);
}

static bool move_plot(struct roofline_view *rv, enum command cmd)
{
	switch (cmd) {
	case CMD_UP: rv->move_y++; return true;
	case CMD_DOWN: rv->move_y--; return true;
	case CMD_ROOF_LEFT: rv->move_x--; return true;
	case CMD_ROOF_RIGHT: rv->move_x++; return true;
	case CMD_TOP:
		rv->move_x = rv->move_y = rv->zoom = 0;
		return true;
	default: return view_is_move(cmd);
	}
}

static bool command(struct view *v, const struct view_model *m, enum command cmd, int w, int h, enum command *out)
{
	const struct roofline *r = roofline_of(m);
	struct roofline_view *rv = &v->roof;

	(void)w;
	(void)h;
	if (move_plot(rv, cmd))
		return true;
	switch (cmd) {
	case CMD_PANE_NEXT:
	case CMD_ROOF_LEVEL: rv->level = r && r->n_views ? (rv->level + 1) % r->n_views : 0; break;
	case CMD_ROOF_TRAIL: rv->trail = (rv->trail + 1) % (int)ARRAY_LEN(trails); break;
	case CMD_ROOF_ZOOM: rv->zoom = (rv->zoom + 1) % 3; break;
	case CMD_ROOF_UNIT: rv->per_cycle = !rv->per_cycle; break;
	case CMD_ROOF_KEEP: keep_mark(v, r ? chosen_view(v, r) : NULL); break;
	case CMD_ROOF_CLEAR: rv->n_marks = 0; break;
	case CMD_ROOF_WRITE: *out = cmd; break;
	default: return false;
	}
	return true;
}

static const struct footer_key footer[] = {
	{ CMD_ROOF_LEVEL, CMD_NONE, N_("Level") },
	{ CMD_ROOF_TRAIL, CMD_NONE, N_("Trail") },
	{ CMD_ROOF_KEEP, CMD_ROOF_CLEAR, N_("Keep, clear") },
	{ CMD_ROOF_UNIT, CMD_NONE, N_("Unit") },
	{ CMD_ROOF_ZOOM, CMD_NONE, N_("Zoom") },
	{ CMD_ROOF_WRITE, CMD_NONE, N_("SVG") },
	{ CMD_PAUSE, CMD_NONE, N_("Pause") },
};

const struct screen_ops screen_roofline = {
	.name = "roofline",
	.title = N_("Roofline"),
	.brief = N_("Roof"),
	.turn = CMD_SCREEN_ROOFLINE,
	.keys = "on-roofline",
	.footer = footer,
	.n_footer = (int)ARRAY_LEN(footer),
	.draw = draw,
	.command = command,
};
