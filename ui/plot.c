/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bars and history graphs out of cells: two windows a cell, in braille or as a block; one window
 * and a shade in 7 bits. */
#include "config.h"

#include "ui/plot.h"

#include <math.h>

#include "ui/range.h"

/* Below 60 % low, below 90 % mid, else high: how near to the roof, whether that is good or bad. */
static enum role level_role(double fraction)
{
	return fraction < 0.6 ? ROLE_BAR_LOW : fraction < 0.9 ? ROLE_BAR_MID : ROLE_BAR_HIGH;
}

static double unit_range(double v)
{
	return v > 0 ? v < 1 ? v : 1 : 0;
}

void plot_bar(struct canvas *c, const struct glyphs *g, int x, int y, int w, double fraction)
{
	enum role role = level_role(fraction);
	int halves;

	if (isnan(fraction) || w < 1)
		return;
	halves = (int)lround(unit_range(fraction) * w * (g->bar_half ? 2 : 1)) *
		(g->bar_half ? 1 : 2);
	for (int i = 0; i < w; i++)
		if (2 * i + 1 < halves)
			canvas_put(c, x + i, y, g->bar_full, role);
		else if (2 * i < halves)
			canvas_put(c, x + i, y, g->bar_half, role);
		else
			canvas_put(c, x + i, y, g->bar_empty, ROLE_BAR_EMPTY);
}

int plot_windows_per_cell(const struct glyphs *g)
{
	return g->braille ? 2 : 1;
}

/* Dots from 1 to dots; 0 where there is no number. A zero shows as one dot: it was measured. */
static int level(const struct series *s, int64_t age, int dots)
{
	double v = age < 0 ? NAN : history_get(s->history, s->column, (int)age), f;

	if (isnan(v))
		return 0;
	f = unit_range(v / (s->top > 0 ? s->top : 1));
	return 1 + (int)fmin(floor(f * dots), dots - 1);
}

static const unsigned char left_dots[] = { 0, 0x40, 0x44, 0x46, 0x47 },
			   right_dots[] = { 0, 0x80, 0xa0, 0xb0, 0xb8 };

/* What lies between and at the ends of the two columns is the line; below it is only ground. */
static enum role area_role(int row, int left, int right)
{
	int low = !left || (right && right < left) ? right : left;

	return 4 * row + 4 >= low ? ROLE_GRAPH : ROLE_GRAPH_FILL;
}

/* A column of cells, bottom up, filled to left and right dots. */
static void braille_column(struct canvas *c, int x, const struct rect *r, int left, int right)
{
	for (int i = 0; i < r->h && (left > 4 * i || right > 4 * i); i++) {
		int l = left - 4 * i, n = right - 4 * i;
		unsigned bits = left_dots[clamp(l, 0, 4)] | right_dots[clamp(n, 0, 4)];

		canvas_put(c, x, r->y + r->h - 1 - i, 0x2800 + bits, area_role(i, left, right));
	}
}

/* Three levels a cell. */
static void ascii_column(struct canvas *c, int x, const struct rect *r, int dots)
{
	static const char top[] = { '.', '-', '\'' };

	for (int i = 0; i < r->h && dots > 3 * i; i++) {
		int left = dots - 3 * i;

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

/* Pairs of windows stay together for ever, so a braille graph keeps its shape. It moves on every
 * fourth window only and fills the room at its right end between: moving is what costs bytes. */
void plot_area(struct canvas *c, const struct glyphs *g, struct rect r, const struct series *s)
{
	int64_t newest = s->history ? (int64_t)s->history->count - 1 : 0,
		end = newest / STEP_WINDOWS * STEP_WINDOWS + STEP_WINDOWS;
	int per_cell = plot_windows_per_cell(g);

	if (!drawable(s) || r.w < 1 || r.h < 1)
		return;
	for (int i = 0; i < r.w; i++) {
		int64_t first = end - (int64_t)per_cell * (i + 1);

		if (first < 0)
			break;
		if (g->braille)
			braille_column(c, r.x + r.w - 1 - i, &r, level(s, newest - first, 4 * r.h),
				level(s, newest - first - 1, 4 * r.h));
		else
			ascii_column(c, r.x + r.w - 1 - i, &r, level(s, newest - first, 3 * r.h));
	}
}

int plot_column_of(const struct glyphs *g, const struct history *h, int64_t window, int w)
{
	int64_t newest = (int64_t)h->count - 1,
		end = newest / STEP_WINDOWS * STEP_WINDOWS + STEP_WINDOWS;

	return w - 1 - (int)((end - 1 - window) / plot_windows_per_cell(g));
}

#define BLOCK_LEVELS 7		/* of 8: the gap that keeps the row above apart */

/* A cell is a pair of windows: their mean, or the one that has a number. 0 where none has. */
static int pair_level(const struct series *s, int64_t age)
{
	double a = history_get(s->history, s->column, (int)age),
	       b = history_get(s->history, s->column, (int)age - 1);
	double v = isnan(a) ? b : isnan(b) ? a : (a + b) / 2;

	if (isnan(v))
		return 0;
	return 1 + (int)lround(unit_range(v / (s->top > 0 ? s->top : 1)) * (BLOCK_LEVELS - 1));
}

static void block_columns(struct canvas *c, int x, int y, int w, const struct series *s)
{
	int64_t newest = (int64_t)s->history->count - 1, end = (int64_t)(s->history->count / 2) * 2;

	for (int i = 0; i < w && end - 2 * (i + 1) >= 0; i++) {
		int n = pair_level(s, newest - end + 2 * (i + 1));

		if (n)
			canvas_put(c, x + w - 1 - i, y, 0x2580 + (uint32_t)n, ROLE_GRAPH);
	}
}

/* Only pairs of windows that are complete: a small graph moves every second window and stands still
 * between, which halves what a frame sends; the number beside it is up to date. */
void plot_spark(
	struct canvas *c, const struct glyphs *g, int x, int y, int w, const struct series *s)
{
	static const char shades[] = " .:-=+*#%@";

	if (!drawable(s))
		return;
	if (g->braille) {
		block_columns(c, x, y, w, s);
		return;
	}
	for (int i = 0; i < w; i++)
		canvas_put(c, x + w - 1 - i, y,
			(uint32_t)shades[level(s, i + (int)(s->history->count % 2), 9)],
			ROLE_GRAPH);
}

double plot_nice_top(double v)
{
	double p;

	if (!(v > 0) || isinf(v))
		return 1;
	p = pow(10, floor(log10(v)));
	return v <= p ? p : v <= 2 * p ? 2 * p : v <= 5 * p ? 5 * p : 10 * p;
}
