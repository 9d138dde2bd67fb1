/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bars and history graphs are made of cells. A cell shows two windows in braille or as a block, or
 * one window as a shade in 7 bits. */
#include "config.h"

#include "ui/draw/plot.h"

#include <math.h>

#include "base/mem.h"
#include "core/snapshot/snapshot.h"
#include "base/minmax.h"

static double unit_range(double v)
{
	if (!(v > 0))
		return 0;
	return fmin(v, 1);
}

/* A full bar is work that is done, and nothing bad. */
void plot_bar(struct canvas *c, const struct glyphs *g, struct rect r, double fraction)
{
	int steps = g->bar_half ? 2 : 1, halves;

	if (isnan(fraction) || r.w < 1)
		return;
	halves = (int)lround(unit_range(fraction) * r.w * steps) * 2 / steps;
	for (int i = 0; i < r.w; i++) {
		if (2 * i + 1 < halves)
			canvas_put(c, r.x + i, r.y, g->bar_full, ROLE_BAR);
		else if (2 * i < halves)
			canvas_put(c, r.x + i, r.y, g->bar_half, ROLE_BAR);
		else
			canvas_put(c, r.x + i, r.y, g->bar_empty, ROLE_BAR_EMPTY);
	}
}

int plot_windows_per_cell(const struct glyphs *g)
{
	if (g->braille)
		return 2;
	return 1;
}

/* Returns the value of so many windows before the newest that is drawn, NAN where there is none. */
static double value_at(const struct series *s, int64_t age)
{
	double v = history_get(s->history, s->column, (int)age + s->back), asleep;

	if (!(s->asleep_top > 0))
		return v;
	asleep = history_get(s->history, s->asleep, (int)age + s->back) / s->asleep_top;
	/* What slept through has no share of the time awake, and none of all time. A history keeps
	 * no reasons, so that the sleep has to say it alone. */
	if (isnan(v) && asleep > 0.99)
		return 0;
	return of_all_time(v, asleep);
}

static double share_of_top(const struct series *s, double v)
{
	if (s->top > 0)
		v /= s->top;
	return unit_range(v);
}

/* Returns dots from 1 to dots, or 0 where there is no number. A zero shows as one dot, because it
 * was measured. */
static int level(const struct series *s, int64_t age, int dots)
{
	double v = NAN;

	if (age >= 0)
		v = value_at(s, age);
	if (isnan(v))
		return 0;
	return 1 + (int)fmin(floor(share_of_top(s, v) * dots), dots - 1);
}

static const unsigned char left_dots[] = { 0, 0x40, 0x44, 0x46, 0x47 },
			   right_dots[] = { 0, 0x80, 0xa0, 0xb0, 0xb8 };

/* Draws a column of cells from the bottom up, filled to left and right dots. The line runs through
 * the cells between the ends of both; below it is ground. */
static void braille_column(
	struct canvas *c, int x, const struct rect *r, int left, int right, bool hollow)
{
	int low = left;

	if (!left || (right && right < left))
		low = right;
	for (int i = 0; i < r->h && (left > 4 * i || right > 4 * i); i++) {
		int l = left - 4 * i, n = right - 4 * i;
		unsigned bits = left_dots[clamp(l, 0, 4)] | right_dots[clamp(n, 0, 4)];
		enum role role = 4 * i + 4 >= low ? ROLE_GRAPH : ROLE_GRAPH_FILL;

		if (role == ROLE_GRAPH || !hollow)
			canvas_put(c, x, r->y + r->h - 1 - i, 0x2800 + bits, role);
	}
}

/* A cell has three levels without braille. */
static void ascii_column(struct canvas *c, int x, const struct rect *r, int dots, bool hollow)
{
	static const char top[] = { '.', '-', '\'' };

	for (int i = 0; i < r->h && dots > 3 * i; i++) {
		int left = dots - 3 * i;

		if (left > 3 && hollow)
			continue;
		if (left > 3)
			canvas_put(c, x, r->y + r->h - 1 - i, ':', ROLE_GRAPH_FILL);
		else
			canvas_put(c, x, r->y + r->h - 1 - i, (uint32_t)top[left - 1], ROLE_GRAPH);
	}
}

static bool drawable(const struct series *s)
{
	return s->history && s->column >= 0 && s->column < s->history->columns &&
		s->history->count > 0;
}

#define STEP_WINDOWS 4

/* Two windows that share a cell share it for ever, so a braille graph keeps its shape. It moves
 * with every fourth window and meanwhile fills the room at its right end, because moving is what
 * costs bytes. */
void plot_area(struct canvas *c, const struct glyphs *g, struct rect r, const struct series *s)
{
	int per_cell = plot_windows_per_cell(g);

	if (!drawable(s) || r.w < 1 || r.h < 1)
		return;
	int64_t newest = (int64_t)s->history->count - 1;
	int64_t end = newest / STEP_WINDOWS * STEP_WINDOWS + STEP_WINDOWS;
	for (int i = 0; i < r.w; i++) {
		int64_t first = end - (int64_t)per_cell * (i + 1);

		if (first < 0)
			break;
		if (g->braille)
			braille_column(c, r.x + r.w - 1 - i, &r, level(s, newest - first, 4 * r.h),
				level(s, newest - first - 1, 4 * r.h), s->hollow);
		else
			ascii_column(c, r.x + r.w - 1 - i, &r, level(s, newest - first, 3 * r.h),
				s->hollow);
	}
}

int plot_column_of(const struct glyphs *g, const struct history *h, int64_t window, int w)
{
	int64_t newest = (int64_t)h->count - 1,
		end = newest / STEP_WINDOWS * STEP_WINDOWS + STEP_WINDOWS;

	return w - 1 - (int)((end - 1 - window) / plot_windows_per_cell(g));
}

#define BLOCK_LEVELS 7		/* the eighth level stays blank, so that rows are apart */

/* Draws a pair of windows in a block: their mean, or the one that has a number. Only complete pairs
 * are drawn: a small graph moves every second window and stands still between, which halves what a
 * frame sends. The number beside it is up to date. */
void plot_spark(struct canvas *c, const struct glyphs *g, struct rect r, const struct series *s)
{
	static const char shades[] = " .:-=+*#%@";

	if (!drawable(s))
		return;
	int64_t count = (int64_t)s->history->count - s->back;
	int odd = (int)(count % 2), pairs = (int)(count / 2);
	for (int i = 0; i < r.w && !g->braille; i++)
		canvas_put(c, r.x + r.w - 1 - i, r.y, (uint32_t)shades[level(s, i + odd, 9)],
			ROLE_GRAPH);
	for (int i = 0; i < r.w && i < pairs && g->braille; i++) {
		double a = value_at(s, odd + 2 * i + 1);
		double b = value_at(s, odd + 2 * i);
		uint32_t n;

		if (isnan(a))
			a = b;
		else if (isnan(b))
			b = a;
		if (isnan(a))
			continue;
		n = 1 + (uint32_t)lround(share_of_top(s, (a + b) / 2) * (BLOCK_LEVELS - 1));
		canvas_put(c, r.x + r.w - 1 - i, r.y, 0x2580 + n, ROLE_GRAPH);
	}
}

double plot_nice_top(double v)
{
	static const int steps[] = { 1, 2, 5 };

	if (!(v > 0) || isinf(v))
		return 1;
	double p = pow(10, floor(log10(v)));
	for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
		if (v <= steps[i] * p)
			return steps[i] * p;
	}
	return 10 * p;
}
