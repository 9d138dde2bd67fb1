/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Properties of the layout over many sizes: inside, no overlap, nothing forgotten. */
#include "config.h"

#include "ui/layout.h"

#include "base/mem.h"
#include "tests/tap.h"

static bool within(const struct rect *r, const struct rect *outer)
{
	return r->w >= 0 && r->h >= 0 && r->x >= outer->x && r->y >= outer->y &&
		r->x + r->w <= outer->x + outer->w && r->y + r->h <= outer->y + outer->h;
}

static bool overlap(const struct rect *a, const struct rect *b)
{
	return a->w > 0 && a->h > 0 && b->w > 0 && b->h > 0 && a->x < b->x + b->w &&
		b->x < a->x + a->w && a->y < b->y + b->h && b->y < a->y + a->h;
}

/* NULL when all is well, else what is wrong. */
static const char *check_screen(int w, int h, bool extra, struct screen_layout *l)
{
	struct rect all = { 0, 0, w, h };
	const struct rect *parts[] = { &l->header, &l->tabs, &l->body, &l->info, &l->footer };
	int covered = 0;

	layout_screen(l, w, h, extra);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		if (!within(parts[i], &all))
			return "a part sticks out";
		for (size_t j = 0; j < i; j++)
			if (overlap(parts[i], parts[j]))
				return "parts overlap";
		covered += parts[i]->w * parts[i]->h;
	}
	if (covered != w * h)
		return "a line belongs to nothing";
	if (l->number_only != (w < 20 || h < 4))
		return "one number below 20x4, and only there";
	if (!l->number_only && (l->body.h < 1 || l->header.h != 1))
		return "no room for a pane, or no header";
	return NULL;
}

static const char *check_panes(struct rect body, int n, const int *rows, int focus)
{
	struct pane_layout l;
	struct rect all[2 * LAYOUT_PANES];
	int count = 0;

	layout_panes(&l, body, n, rows, focus);
	for (int i = 0; i < n; i++) {
		if (l.single ? (l.pane[i].h > 0) != (i == focus)
			     : l.pane[i].h < 2 + (rows[i] < 3 ? rows[i] : 3))
			return l.single ? "not exactly the focused pane"
					: "a pane of less than three rows";
		if (!l.single && l.pane[i].w < 38)
			return "a pane too narrow for its numbers";
		all[count++] = l.pane[i];
	}
	for (int i = 0; i < l.n_graphs; i++) {
		if (l.graph[i].h < 7 || l.graph[i].w < 16)
			return "a graph too small to read";
		all[count++] = l.graph[i];
	}
	if (l.n_graphs > n)
		return "more graphs than panes";
	for (int i = 0; i < count; i++) {
		if (all[i].h && !within(&all[i], &body))
			return "outside the body";
		for (int j = 0; j < i; j++)
			if (overlap(&all[i], &all[j]))
				return "two rectangles overlap";
	}
	return NULL;
}

/* Graphs never take more than a fifth of the lines that the panes asked for. */
static bool generous(struct rect body, int n, const int *rows)
{
	struct pane_layout l;
	int wanted = 0, got = 0;

	layout_panes(&l, body, n, rows, 0);
	for (int i = 0; i < n; i++) {
		wanted += l.pane[i].h > 0 ? rows[i] + 2 : 0;
		got += l.pane[i].h < rows[i] + 2 ? l.pane[i].h : rows[i] + 2;
	}
	return !l.n_graphs || got == wanted ||
		(!l.single && body.h >= 28 && (wanted - got) * 3 <= wanted);
}

static void test_sizes(int n, const int *rows, const char *name)
{
	int cases = 0, bad = 0;

	for (int w = 1; w <= 320; w += w < 90 ? 1 : 7)
		for (int h = 1; h <= 100; h += h < 45 ? 1 : 5)
			for (int extra = 0; extra < 2; extra++) {
				struct screen_layout l;
				const char *wrong = check_screen(w, h, extra, &l);

				for (int focus = 0; !wrong && !l.number_only && focus < n; focus++)
					wrong = check_panes(l.body, n, rows, focus);
				if (!wrong && !l.number_only && !generous(l.body, n, rows))
					wrong = "graphs at the cost of panes";
				if (wrong && bad++ < 5)
					diag("%s: %dx%d: %s", name, w, h, wrong);
				cases++;
			}
	ok(!bad, "%s: %d sizes", name, cases);
}

static void test_known(void)
{
	static const int rows[] = { 9, 9, 9, 8 };
	struct screen_layout s;
	struct pane_layout l;

	layout_screen(&s, 120, 40, false);
	layout_panes(&l, s.body, 4, rows, 0);
	ok(!l.single && l.pane[1].x == 60 && l.pane[2].y == l.pane[0].y + 11, "120x40: two by two");
	is_int(l.n_graphs, 1, "120x40: a graph below");
	layout_panes(&l, s.body, 4, (const int[]){ 15, 13, 11, 11 }, 0);
	ok(l.n_graphs == 1 && l.pane[0].h >= 13 && l.pane[2].h == 13,
		"120x40: long panes give rows for a graph");
	layout_screen(&s, 80, 24, false);
	layout_panes(&l, s.body, 4, rows, 0);
	ok(!l.single && l.pane[1].x == 40, "80x24: two by two");
	layout_screen(&s, 40, 10, false);
	layout_panes(&l, s.body, 4, rows, 2);
	ok(l.single && l.framed && l.pane[2].h == 8 && s.footer.y == 9,
		"40x10: header, a pane, footer");
	layout_screen(&s, 200, 60, false);
	layout_panes(&l, s.body, 4, rows, 0);
	is_int(l.n_graphs, 4, "200x60: a graph for each pane");
}

/* A long pane beside two short ones: below each other, not one of each row half empty. */
static void test_stack(void)
{
	static const int rows[] = { 24, 4, 11 };
	const struct rect body = { 0, 2, 120, 34 };
	struct pane_layout l;

	layout_panes(&l, body, 3, rows, 0);
	ok(l.pane[0].h == 26 && l.pane[1].h == 6 && l.pane[1].x == 60 && l.pane[2].x == 60 &&
			l.pane[2].y == l.pane[1].y + 6,
		"a long pane has the short ones below each other at its side");
	is_int(l.pane[2].y + l.pane[2].h, l.pane[0].y + l.pane[0].h,
		"both columns end at the same line");
	is_int(l.n_graphs > 0 && l.graph[0].y == 28, 1, "a graph is below both");
	layout_panes(&l, (struct rect){ 0, 2, 120, 25 }, 3, rows, 0);
	ok(l.pane[0].h < 26 && l.pane[0].h > 0, "where even that is too high, rows are cut");
}

static void test_scroll(void)
{
	static const struct {
		int top, selected, visible, count, want;
	} rows[] = {
		{ 0, 0, 5, 10, 0 }, { 0, 4, 5, 10, 0 }, { 0, 5, 5, 10, 1 }, { 3, 1, 5, 10, 1 }, { 9, 9, 5, 10, 5 }, { 7, 7, 5, 6, 1 },
		{ 0, 0, 5, 3, 0 }, { 4, 2, 5, 3, 0 }, { 0, 7, 0, 10, 7 }, { -3, 0, 5, 10, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		is_int(layout_scroll(rows[i].top, rows[i].selected, rows[i].visible, rows[i].count),
			rows[i].want, "scroll from %d to row %d, %d of %d visible", rows[i].top,
			rows[i].selected, rows[i].visible, rows[i].count);
}

int main(void)
{
	static const int usual[] = { 9, 9, 9, 8 }, one[] = { 12 },
			 long_ones[] = { 40, 40, 40, 40, 40, 40, 40, 40 },
			 mixed[] = { 1, 40, 3, 12, 7 }, tiny[] = { 1, 1, 1, 1, 1, 1, 1, 1 },
			 three[] = { 5, 9, 2 }, uneven[] = { 24, 4, 11 };

	test_sizes(4, usual, "four panes");
	test_sizes(1, one, "one pane");
	test_sizes(8, long_ones, "eight panes of 40");
	test_sizes(5, mixed, "five panes");
	test_sizes(8, tiny, "eight panes of 1");
	test_sizes(3, three, "three panes");
	test_sizes(3, uneven, "a long pane and two short ones");
	test_known();
	test_stack();
	test_scroll();
	return done_testing();
}
