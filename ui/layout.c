/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where things stand for every size from 1x1 up. */
#include "config.h"

#include "ui/layout.h"

#include "ui/range.h"

#define FRAME 2			/* rows of a frame */
#define PANE_MIN (3 + FRAME)
#define PANE_MIN_W 38
#define PANE_GOOD_W 50		/* room for bars and graphs beside the numbers */
#define GRAPH_MIN 7
#define GRAPH_WANTED 9		/* panes that almost fit make room for it */
#define GRAPH_BODY_MIN 28

static int div_up(int a, int b)
{
	return (a + b - 1) / b;
}

void layout_screen(struct screen_layout *l, int w, int h, bool extra_info)
{
	int top = 0, bottom = h, info;

	*l = (struct screen_layout){ .number_only = w < LAYOUT_MIN_W || h < LAYOUT_MIN_H,
		.body = { 0, 0, w, h } };
	if (l->number_only)
		return;
	info = (h >= 12) + (h >= 18) + (h >= 22 && extra_info);
	l->header = (struct rect){ 0, top++, w, 1 };
	if (h >= 14)
		l->tabs = (struct rect){ 0, top++, w, 1 };
	if (h >= 6)
		l->footer = (struct rect){ 0, --bottom, w, 1 };
	bottom -= info;
	l->info = (struct rect){ 0, bottom, w, info };
	l->body = (struct rect){ 0, top, w, bottom - top };
}

/* Panes in rows of a grid; the last row may hold fewer, wider ones. */
struct grid {
	int columns, rows;
	int need[LAYOUT_PANES];	/* height of each row, frame included */
	int total;
};

static struct grid grid_make(int n, const int *rows, int columns)
{
	struct grid g = { .rows = div_up(n, columns) };

	g.columns = div_up(n, g.rows);
	for (int i = 0; i < n; i++)
		g.need[i / g.columns] = max_of(g.need[i / g.columns], max_of(rows[i], 1) + FRAME);
	for (int i = 0; i < g.rows; i++)
		g.total += g.need[i];
	return g;
}

/* As few columns as fit: wide panes have room for graphs. */
static struct grid grid_choose(struct rect body, int n, const int *rows)
{
	int first = min_of(n, 1 + (body.w >= 2 * PANE_GOOD_W)),
	    last = max_of(first, min_of(min_of(n, 4), body.w / PANE_MIN_W));
	struct grid best = grid_make(n, rows, first);

	for (int pass = 0; pass < 3; pass++)
		for (int columns = first; columns <= last; columns++) {
			struct grid g = grid_make(n, rows, columns);

			if (pass < 2 && body.w / columns < PANE_GOOD_W)
				continue;
			if (g.total * 3 <= body.h * 2 || (pass && g.total <= body.h))
				return g;
			if (g.total < best.total)
				best = g;
		}
	return best;
}

/* Heights of the grid's rows; returns what is left for graphs. False: does not fit even when
 * cut. */
static bool grid_heights(const struct grid *g, int h, int *height, int *left)
{
	int used = 0, panes = h - GRAPH_WANTED;
	bool grown = true;

	/* On a tall screen a graph is worth the last rows of long panes, up to a fifth of them
	 * all. */
	if (h < GRAPH_BODY_MIN || g->total <= panes || g->total - panes > g->total / 5)
		panes = h;

	for (int i = 0; i < g->rows; i++)
		used += height[i] = min_of(g->need[i], PANE_MIN);
	if (used > h)
		return false;
	while (used < panes && grown) {
		grown = false;
		for (int i = 0; i < g->rows && used < panes; i++)
			if (height[i] < g->need[i]) {
				height[i]++;
				used++;
				grown = true;
			}
	}
	*left = h - used;
	if (*left >= GRAPH_MIN)
		return true;
	for (int i = 0; *left > 0; i = (i + 1) % g->rows, --*left)
		height[i]++;
	return true;
}

static struct rect slice(struct rect r, int i, int n, int y, int h)
{
	int x0 = r.w * i / n, x1 = r.w * (i + 1) / n;

	return (struct rect){ r.x + x0, y, x1 - x0, h };
}

static void place_graphs(struct pane_layout *l, struct rect r, int n)
{
	int columns = max_of(1, min_of(r.w / 90, n)), fit = columns * max_of(1, r.h / 12), rows;

	l->n_graphs = min_of(n, fit);
	rows = div_up(l->n_graphs, columns);
	columns = div_up(l->n_graphs, rows);
	for (int i = 0; i < l->n_graphs; i++) {
		int row = i / columns, y0 = r.h * row / rows, y1 = r.h * (row + 1) / rows;
		int in_row = min_of(columns, l->n_graphs - row * columns);

		l->graph[i] = slice(r, i % columns, in_row, r.y + y0, y1 - y0);
	}
}

static int stack_height(const int *rows, int from, int to)
{
	int h = 0;

	for (int i = from; i < to; i++)
		h += max_of(rows[i], 1) + FRAME;
	return h;
}

/* Two wide columns of panes: where one pane is much longer than the others, a grid would leave its
 * neighbour half empty. Returns how many panes stand in the first column, so that the higher column
 * is as low as it can be; 0 when they do not fit, or when a grid of two columns does. */
static int stack_split(struct rect body, int n, const int *rows, int *height)
{
	int best = 0;

	if (n < 3 || body.w < 2 * PANE_GOOD_W || grid_make(n, rows, 2).total <= body.h)
		return 0;
	for (int k = 1; k < n; k++) {
		int h = max_of(stack_height(rows, 0, k), stack_height(rows, k, n));

		if (!best || h < *height) {
			best = k;
			*height = h;
		}
	}
	if (*height > body.h)
		return 0;
	return best;
}

/* The last pane of a column gets what is left of its height. Graphs stand below both columns where
 * there is room. */
static void place_stack(
	struct pane_layout *l, struct rect body, int n, const int *rows, int split, int height)
{
	int left = body.h - height, y = body.y;

	if (left < GRAPH_MIN)
		left = 0;
	height = body.h - left;
	for (int i = 0; i < n; i++) {
		l->pane[i] = slice(body, i >= split, 2, y, max_of(rows[i], 1) + FRAME);
		y += l->pane[i].h;
		if (i == split - 1 || i == n - 1) {
			l->pane[i].h += body.y + height - y;
			y = body.y;
		}
	}
	if (left > 0)
		place_graphs(l, (struct rect){ body.x, body.y + height, body.w, left }, n);
}

void layout_panes(struct pane_layout *l, struct rect body, int n, const int *rows, int focus)
{
	int height[LAYOUT_PANES], left = 0, y = body.y, split, stacked = 0;

	*l = (struct pane_layout){ .framed = true };
	if (n < 1 || body.w < 1 || body.h < 1)
		return;
	split = stack_split(body, n, rows, &stacked);
	if (split) {
		place_stack(l, body, n, rows, split, stacked);
		return;
	}
	struct grid g = grid_choose(body, n, rows);
	if (body.w < PANE_MIN_W || !grid_heights(&g, body.h, height, &left)) {
		l->single = true;
		l->framed = body.h >= 4 && body.w >= 16;
		l->pane[focus] = body;
		left = body.h - rows[focus] - FRAME;
		if (!l->framed || left < GRAPH_MIN)
			return;
		l->pane[focus].h -= left;
		body.y += l->pane[focus].h;
		place_graphs(l, (struct rect){ body.x, body.y, body.w, left }, 1);
		return;
	}
	for (int i = 0; i < n; i++) {
		int row = i / g.columns, in_row = min_of(g.columns, n - row * g.columns);

		l->pane[i] = slice(body, i % g.columns, in_row, y, height[row]);
		if (i % g.columns == in_row - 1)
			y += height[row];
	}
	if (left > 0)
		place_graphs(l, (struct rect){ body.x, y, body.w, left }, n);
}

int layout_scroll(int top, int selected, int visible, int count)
{
	if (visible < 1)
		return selected;
	top = min_of(top, selected);
	top = max_of(top, selected - visible + 1);
	return max_of(0, min_of(top, count - visible));
}

bool layout_hits(const struct rect *r, int x, int y)
{
	return x >= r->x && x < r->x + r->w && y >= r->y && y < r->y + r->h;
}
