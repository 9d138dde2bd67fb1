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
#define MOVE_GAIN 4		/* rows for which a pane stands in the other column */
#define REST_MIN 4		/* frame and rows of a pane that goes on in the other column */
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

/* Gives each pane a row in turns, as long as there is one that it needs. Returns what is left. */
static int grow(const int *stack, const int *need, int *rows, int left)
{
	bool grown = true;

	while (left > 0 && grown) {
		grown = false;
		for (const int *p = stack; *p >= 0 && left > 0; p++)
			if (rows[*p] < need[*p]) {
				rows[*p]++;
				left--;
				grown = true;
			}
	}
	return left;
}

const int *overview_stack(enum overview_order order, int column)
{
	static const int stacks[][2][OVERVIEW_PANES + 1] = {
		[ORDER_PAIRS] = { { OVERVIEW_UTILIZATION, OVERVIEW_BANDWIDTH, -1 },
			{ OVERVIEW_FLOPS, OVERVIEW_POWER, -1 } },
		[ORDER_MOVED] = { { OVERVIEW_UTILIZATION, -1 },
			{ OVERVIEW_FLOPS, OVERVIEW_BANDWIDTH, OVERVIEW_POWER, -1 } },
		[ORDER_COLUMN] = { { 0, 1, 2, 3, -1 }, { -1 } },
	};

	return stacks[order][column];
}

/* Lines of a column without its frames, and what its panes need. */
struct stack_room {
	int lines, need;
};

static struct stack_room stack_room(const int *stack, const int *need, int total)
{
	struct stack_room room = { .lines = total };

	for (; *stack >= 0; stack++) {
		room.lines -= need[*stack] > 0 ? FRAME : 0;
		room.need += need[*stack];
	}
	return room;
}

static int hidden_rows(const int *need, enum overview_order order, int total)
{
	int hidden = 0;

	for (int c = 0; c < 2; c++) {
		struct stack_room room = stack_room(overview_stack(order, c), need, total);

		hidden += max_of(room.need - room.lines, 0);
	}
	return hidden;
}

/* Lines that a column has too many show rows that a pane of the other one hides. Returns how many
 * such lines there are. */
static int place_rest(
	struct overview_layout *l, const int *need, const int *rows, int column, int slack)
{
	int hidden = 0;

	for (const int *p = overview_stack(l->order, !column); *p >= 0; p++)
		if (need[*p] - rows[*p] > hidden) {
			hidden = need[*p] - rows[*p];
			l->rest_of = (enum overview_pane)*p;
		}
	return hidden && slack >= REST_MIN ? min_of(hidden + FRAME, slack) : 0;
}

/* Gives each pane of a column the rows that it needs, and then those that only take what is left.
 * Returns the height. */
static int fill_column(const int *stack, const int *need, const int *all, int *rows, int total)
{
	struct stack_room room = stack_room(stack, need, total);

	return total - grow(stack, all, rows, grow(stack, need, rows, room.lines));
}

/* The last pane of each column ends with the grid, which has at most total lines and at least those
 * of the area. Where the second column has room that the first one lacks, it takes the bandwidth. */
static void place_grid(
	struct overview_layout *l, struct rect area, const struct overview_wants *w, int total)
{
	int need[OVERVIEW_PANES], all[OVERVIEW_PANES], rows[OVERVIEW_PANES] = { 0 };
	int height[2] = { 0 }, n = 0, at = 0;

	/* A line says why a pane is empty. */
	for (int i = 0; i < OVERVIEW_PANES; i++) {
		need[i] = w->rows[i] < 0 ? 0 : max_of(w->rows[i], 1);
		all[i] = need[i] ? max_of(w->rows[i] + w->spare[i], 1) : 0;
	}
	if (need[OVERVIEW_FLOPS] && need[OVERVIEW_POWER] &&
		hidden_rows(need, ORDER_MOVED, total) + MOVE_GAIN <= hidden_rows(need, l->order, total))
		l->order = ORDER_MOVED;
	for (int c = 0; c < 2; c++) {
		const int *stack = overview_stack(l->order, c);

		if (!stack_room(stack, need, total).need)
			continue;
		height[c] = fill_column(stack, need, all, rows, total);
		area.h = max_of(area.h, height[c]);
		n++;
	}
	l->panes = area;
	for (int c = 0; c < 2; c++) {
		int x0 = area.x + area.w * at / max_of(n, 1), slack = area.h - height[c],
		    x1 = area.x + area.w * (at + 1) / max_of(n, 1), y = area.y, last = -1;

		if (!height[c])
			continue;
		int rest = place_rest(l, all, rows, c, slack);
		for (const int *p = overview_stack(l->order, c); *p >= 0; p++) {
			int h = need[*p] ? rows[*p] + FRAME : 0;

			l->pane[*p] = (struct rect){ x0, y, x1 - x0, h };
			y += h;
			if (need[*p])
				last = *p;
		}
		l->pane[last].h += slack - rest;
		if (rest)
			l->rest = (struct rect){ x0, area.y + area.h - rest, x1 - x0, rest };
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
static int rows_wanted(const struct overview_wants *w, int most, bool spare)
{
	int wanted = 1;

	for (int i = 0; i < OVERVIEW_PANES; i++)
		wanted = max_of(wanted,
			min_of(w->rows[i] + (spare && w->rows[i] >= 0 ? w->spare[i] : 0), most));
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
	int left = area.h, last = 0, rows[OVERVIEW_PANES];

	for (int i = 0; i < OVERVIEW_PANES; i++) {
		rows[i] = w->rows[i] >= 0;
		if (rows[i]) {
			left -= 1 + FRAME;
			last = i;
		}
	}
	l->order = ORDER_COLUMN;
	left = grow(overview_stack(l->order, 0), w->rows, rows, left);
	for (int i = 0; i < OVERVIEW_PANES; i++)
		l->pane[i].h = rows[i] ? rows[i] + FRAME : 0;
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
	for (most = rows_wanted(w, good_rows(body.h), false); rows < most && left >= 2; rows++)
		left -= 2;
	/* What the processes do not need goes to panes that hide something. */
	int keep = 0;
	if (left >= PROCESSES_MIN && w->processes > 0)
		keep = w->processes > PROCESSES_FEW ? PROCESSES_KEEP : PROCESSES_FEW + 3;
	for (most = rows_wanted(w, 99, rows >= most); rows < most && left >= keep + 2; rows++)
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
