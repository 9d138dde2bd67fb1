/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the parts of the first screen stand for every size: what is worth most gets its rows
 * first. */
#include "config.h"

#include "ui/screens/overview_layout.h"

#include <string.h>

#include "base/minmax.h"

#define FRAME 2			/* rows of a frame */
/* One less than the usual sizes: on some terminals the last column stays blank. */
#define LINES_MIN_W 39		/* below it each line has a thing of its own */
#define TWO_PANES_W 79
#define FIVE_SIGNS_W 110	/* five signs of health fit into a line */
#define WIDE_W 99
#define WIDE_H 26		/* rows of the body from which frames are drawn around everything */
#define ROOFLINE_MIN_W 34
#define ROOFLINE_MAX_W 60
#define ROOFLINE_MIN_H 9
#define PANE_FIRST_ROWS 4	/* every pane gets these before the history does */
#define SINGLE_MIN_ROWS 2
#define SINGLE_ROWS 7
#define COLUMN_MIN_ROWS 4	/* of each pane, where all stand below each other */
#define PROCESSES_MIN 4		/* frame, heads and a row */
/* What processes keep where panes hide something; it does not follow how many there are, because
 * nothing moves by itself. */
#define PROCESSES_KEEP 11
#define PROCESSES_FEW 4	/* up to so many, the panes do not move with each that comes */

/* Takes up to n of what is left. */
static int take(int *left, int n)
{
	n = clamp(n, 0, *left);
	*left -= n;
	return n;
}

/* Lines for the two panes of a column, so that both together have at most total: each gets what it
 * needs as long as the other one has its half. A pane that is hidden has none. */
static void share_column(const int *need, int total, int *h)
{
	int most = total - FRAME * ((need[0] > 0) + (need[1] > 0)), half = most / 2;

	h[0] = min_of(need[0], max_of(half, most - need[1]));
	h[1] = min_of(need[1], most - h[0]);
	for (int i = 0; i < 2; i++)
		h[i] = need[i] > 0 ? h[i] + FRAME : 0;
}

/* Panes i and i + 2 stand in a column; the last one of each column ends with the grid, which has at
 * most total lines and at least those of the area. */
static void place_grid(
	struct overview_layout *l, struct rect area, const struct overview_wants *w, int total)
{
	int need[2][2], h[2][2], n = 0, at = 0;

	for (int c = 0; c < 2; c++) {
		/* A line says why a pane is empty. */
		for (int i = 0; i < 2; i++)
			need[c][i] = w->rows[c + 2 * i] < 0 ? 0 : max_of(w->rows[c + 2 * i], 1);
		share_column(need[c], total, h[c]);
		area.h = max_of(area.h, h[c][0] + h[c][1]);
		n += h[c][0] + h[c][1] > 0;
	}
	l->panes = area;
	for (int c = 0; c < 2; c++) {
		int x0 = area.x + area.w * at / max_of(n, 1),
		    x1 = area.x + area.w * (at + 1) / max_of(n, 1);

		if (!h[c][0] && !h[c][1])
			continue;
		h[c][h[c][1] > 0] = area.h - h[c][!(h[c][1] > 0)];
		l->pane[c] = (struct rect){ x0, area.y, x1 - x0, h[c][0] };
		l->pane[c + 2] = (struct rect){ x0, area.y + h[c][0], x1 - x0, h[c][1] };
		at++;
	}
}

void overview_place_grid(
	struct overview_layout *l, struct rect area, const struct overview_wants *w)
{
	int columns = 1 + (area.w >= TWO_PANES_W);

	if (columns == 2 && area.h >= 2 * (SINGLE_MIN_ROWS + FRAME)) {
		place_grid(l, area, w, area.h);
		return;
	}
	for (int i = 0; i < columns && area.h >= 1 + FRAME; i++)
		l->pane[i] = (struct rect){ area.x + area.w * i / columns, area.y,
			area.w * (i + 1) / columns - area.w * i / columns, area.h };
}

/* Rows of both panes of a column for which there is still a metric. */
static int rows_wanted(const struct overview_wants *w, int most)
{
	int wanted = 1;

	for (int i = 0; i < OVERVIEW_PANES; i++)
		wanted = max_of(wanted, min_of(w->rows[i], most));
	return wanted;
}

/* Returns the best height of panes on a screen of this height. */
static int good_rows(int body_h)
{
	if (body_h >= 50)
		return 8;
	if (body_h >= 34)
		return 6;
	return 5;
}

/* Returns the height of the history with its title or frame; there are so many lines of it. */
static int history_height(int body_h, bool framed, int lines)
{
	if (framed && body_h >= 50)
		return min_of(lines, 6) + FRAME;
	if (framed)
		return min_of(lines, 4) + FRAME;
	if (body_h >= 19)
		return min_of(lines, 3) + 1;
	return min_of(lines, 2);
}

static struct rect next(struct rect body, int *y, int h)
{
	struct rect r = { body.x, *y, body.w, h };

	*y += h;
	return r;
}

/* Places all panes below each other: in turns each gets a line more, as long as it has something
 * for it. */
static void place_column(
	struct overview_layout *l, struct rect area, const struct overview_wants *w)
{
	int left = area.h, last = 0;
	bool grown = true;

	for (int i = 0; i < OVERVIEW_PANES; i++)
		if (w->rows[i] >= 0) {
			left -= l->pane[i].h = 1 + FRAME;
			last = i;
		}
	while (left > 0 && grown) {
		grown = false;
		for (int i = 0; i < OVERVIEW_PANES && left > 0; i++)
			if (l->pane[i].h - FRAME < w->rows[i]) {
				l->pane[i].h++;
				left--;
				grown = true;
			}
	}
	l->pane[last].h += left;
	for (int i = 0, y = area.y; i < OVERVIEW_PANES; i++) {
		int h = l->pane[i].h;

		l->pane[i] = next(area, &y, h);
	}
}

/* Where not all panes fit below each other there is one, or else there are lines of numbers. */
static void place_narrow(struct overview_layout *l, struct rect body, int y, int left,
	const struct overview_wants *w)
{
	int history = 0;

	l->single = left < OVERVIEW_PANES * (COLUMN_MIN_ROWS + FRAME);
	if (left < SINGLE_MIN_ROWS + FRAME) {
		l->numbers = next(body, &y, left);
		return;
	}
	if (w->history && left > SINGLE_ROWS + FRAME)
		history = min_of(left - SINGLE_ROWS - FRAME,
			history_height(body.h, false, w->history));
	if (history == 1)
		history = 0;
	struct rect panes = next(body, &y, left - history);
	if (l->single)
		l->pane[0] = panes;
	else
		place_column(l, panes, w);
	l->history = next(body, &y, history);
	l->history_titled = history > 2;
}

static void place_many(struct overview_layout *l, struct rect body, int y, int left,
	const struct overview_wants *w)
{
	bool framed = body.w >= WIDE_W && body.h >= WIDE_H;
	int rows = min_of(PANE_FIRST_ROWS, left / 2 - FRAME), history = 0, most;
	struct rect area = { body.x, y, body.w, 0 };

	left -= 2 * (rows + FRAME);
	if (w->history && left >= 2)
		history = take(&left, history_height(body.h, framed, w->history));
	for (most = rows_wanted(w, good_rows(body.h)); rows < most && left >= 2; rows++)
		left -= 2;
	/* What the processes do not need goes to panes that hide something. */
	int keep = 0;
	if (left >= PROCESSES_MIN && w->processes > 0)
		keep = w->processes > PROCESSES_FEW ? PROCESSES_KEEP : PROCESSES_FEW + 3;
	struct overview_wants all = *w;
	if (rows == rows_wanted(w, good_rows(body.h)))
		for (int i = 0; i < OVERVIEW_PANES; i++)
			all.rows[i] += all.rows[i] >= 0 ? w->spare[i] : 0;
	w = &all;
	for (most = rows_wanted(w, 99); rows < most && left >= keep + 2; rows++)
		left -= 2;
	/* The line that is left, and one of the past, are a row of each pane. */
	if (left == 1 && history > 3 && !framed && rows < most) {
		rows++;
		left--;
		history--;
	}
	if (w->roofline && body.w >= WIDE_W && 2 * (rows + FRAME) >= ROOFLINE_MIN_H) {
		l->roofline.w = clamp(body.w * 35 / 100, ROOFLINE_MIN_W, ROOFLINE_MAX_W);
		if (body.w < 2 * ROOFLINE_MAX_W)
			l->roofline.w = ROOFLINE_MIN_W;
		area.w -= l->roofline.w;
	}
	left += 2 * (rows + FRAME);
	/* A roofline needs all rows, even beside panes with little in them. */
	if (l->roofline.w)
		area.h = 2 * (rows + FRAME);
	place_grid(l, area, w, 2 * (rows + FRAME));
	left -= l->panes.h;
	/* Nobody else needs these rows. */
	if (w->history && (!w->processes || left < PROCESSES_MIN))
		history += take(&left, left);
	l->roofline.x = area.x + area.w;
	l->roofline.y = y;
	l->roofline.h = l->roofline.w ? l->panes.h : 0;
	y += l->panes.h;
	l->history = next(body, &y, history);
	l->history_framed = framed && history > FRAME;
	l->history_titled = history > 2;
	if (w->processes && left >= PROCESSES_MIN)
		l->processes = next(body, &y, left);
}

void overview_place(struct overview_layout *l, struct rect body, const struct overview_wants *w)
{
	int left = body.h, y = body.y, health;

	memset(l, 0, sizeof(*l));
	if (body.w < LINES_MIN_W) {
		l->tiny = body;
		return;
	}
	l->health_columns = body.w >= TWO_PANES_W ? 4 : 2 + (body.w >= 60);
	if (body.w >= FIVE_SIGNS_W && w->health == 5)
		l->health_columns = 5;
	health = (w->health + l->health_columns - 1) / l->health_columns;
	/* How long it slept is not worth a line of its own. */
	if (w->ends_asleep && health > 1 && w->health % l->health_columns == 1)
		health--;
	l->answer.h = take(&left, 3);
	health = take(&left, health);
	if (body.w >= WIDE_W && body.h >= WIDE_H) {
		l->answer_framed = true;
		l->answer.h += take(&left, FRAME);
	}
	l->answer = next(body, &y, l->answer.h);
	l->health = next(body, &y, health);
	if (body.w >= TWO_PANES_W && left >= 2 * (SINGLE_MIN_ROWS + FRAME))
		place_many(l, body, y, left, w);
	else
		place_narrow(l, body, y, left, w);
}
