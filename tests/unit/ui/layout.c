/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Properties of the layout over many sizes: inside, no overlap, nothing forgotten. */
#include "config.h"

#include "ui/draw/layout.h"

#include "base/mem.h"
#include "base/minmax.h"
#include "tests/tap.h"
#include "ui/screens/overview_layout.h"

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
static const char *check_screen(int w, int h, int most_info, struct screen_layout *l)
{
	struct rect all = { 0, 0, w, h };
	const struct rect *parts[] = { &l->header, &l->tabs, &l->body, &l->info, &l->footer };
	int covered = 0;

	layout_screen(l, w, h, most_info);
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

static int wanted(const struct overview_wants *w, int pane)
{
	return w->rows[pane] + w->spare[pane];
}

/* NULL when the first screen is well, else what is wrong with it. */
static const char *check_overview(struct rect body, const struct overview_wants *w)
{
	struct overview_layout l;
	int count = 0, shown = 0;

	overview_place(&l, body, w);
	struct rect all[] = { l.tiny, l.answer, l.health, l.pane[0], l.pane[1], l.pane[2],
		l.pane[3], l.rest, l.roofline, l.history, l.processes, l.numbers };

	for (size_t i = 0; i < ARRAY_LEN(all); i++) {
		count += all[i].h > 0;
		if (all[i].h && !within(&all[i], &body))
			return "a part sticks out";
		for (size_t j = 0; j < i; j++)
			if (overlap(&all[i], &all[j]))
				return "parts overlap";
	}
	if (!count || (!l.tiny.h && !l.answer.h))
		return "there is no answer";
	for (int i = 0; i < OVERVIEW_PANES; i++)
		shown += l.pane[i].h > 0;
	if (body.w >= 80 && body.h >= 21 && shown != OVERVIEW_PANES)
		return "not all four panes";
	if (body.w >= 100 && body.h >= 27 && w->roofline && !l.roofline.h)
		return "no roofline";
	if (body.w >= 80 && body.h >= 19 && w->history && !l.history.h)
		return "no history";
	/* What processes do not need is the panes' as long as these hide something. */
	for (int i = 0; i < OVERVIEW_PANES; i++)
		if (l.processes.h > 13 && l.pane[i].h && l.pane[i].h - 2 < w->rows[i])
			return "a pane hides rows beside empty lines";
	/* So are lines that the past does not need. */
	for (int i = 0; i < OVERVIEW_PANES; i++)
		if (!l.single && l.history.h > w->history + 4 && l.pane[i].h &&
			l.pane[i].h - 2 < w->rows[i] + w->spare[i])
			return "a pane hides rows beside empty lines of the past";
	/* And no column has lines without a row where the other one hides some. */
	for (int i = 0; i < OVERVIEW_PANES; i++)
		for (int j = 0; !l.single && l.order != ORDER_COLUMN && j < OVERVIEW_PANES; j++)
			if (l.pane[i].h && l.pane[j].h && l.pane[i].x != l.pane[j].x &&
				l.pane[i].h - 2 - max_of(wanted(w, i), 1) >= 4 &&
				l.pane[j].h - 2 < wanted(w, j) &&
				!(l.rest.h && (int)l.rest_of == j &&
					l.rest.h + l.pane[j].h - 4 >= wanted(w, j)))
				return "empty lines stand beside a pane that hides rows";
	for (int i = 0; i < OVERVIEW_PANES; i++)
		if (l.pane[i].h && (l.pane[i].h < 3 || l.pane[i].w < 24))
			return "a pane without room for a row";
	return NULL;
}

static void test_overview(void)
{
	static const struct overview_wants wants[] = {
		{ 8, { 17, 9, 11, 10 }, true, 20, 6, true, { 4, 9, 0, 30 } },
		{ 4, { 17, 9, 11, 10 }, true, 0, 1, false, { 0 } },
		{ 5, { 3, 0, 1, 3 }, false, 1, 5, true, { 9, 9, 9, 9 } },
		{ 0, { 0, 0, 0, 0 }, false, 0, 0, false, { 0 } },
		{ 8, { 99, 99, 99, 99 }, true, 1, 6, false, { 99, 0, 0, 0 } },
		{ 4, { 1, 0, 1, 3 }, false, 0, 5, false, { 1, 0, 0, 2 } },
		{ 2, { 106, 7, 19, 2 }, true, 0, 3, false, { 0 } },
	};
	int cases = 0, bad = 0;

	for (size_t i = 0; i < ARRAY_LEN(wants); i++)
		for (int w = 1; w <= 320; w += w < 130 ? 1 : 7)
			for (int h = 1; h <= 100; h += h < 62 ? 1 : 5) {
				const char *wrong = check_overview(
					(struct rect){ 3, 2, w, h }, &wants[i]);

				if (wrong && bad++ < 5)
					diag("wants %d: %dx%d: %s", (int)i, w, h, wrong);
				cases++;
			}
	ok(!bad, "the first screen in %d sizes", cases);
}

/* The sizes of the design, header, tabs and keys included. */
static void test_known(void)
{
	static const struct {
		int w, h, answer, pane, roofline_w, history, processes;
	} rows[] = { { 200, 60, 5, 17, 60, 8, 12 }, { 120, 40, 5, 8, 42, 6, 8 },
		{ 100, 30, 5, 7, 34, 6, 0 }, { 80, 24, 3, 6, 0, 4, 0 }, { 60, 20, 3, 9, 0, 2, 0 } };
	struct overview_wants wants = { 8, { 17, 9, 11, 10 }, true, 20, 6, true, { 0 } };
	struct overview_layout l;
	struct screen_layout s;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		layout_screen(&s, rows[i].w, rows[i].h, 0);
		overview_place(&l, s.body, &wants);
		is_int(l.answer.h, rows[i].answer, "%dx%d: answer", rows[i].w, rows[i].h);
		is_int(l.pane[0].h, rows[i].pane, "pane");
		is_int(l.roofline.w, rows[i].roofline_w, "roofline");
		is_int(l.history.h, rows[i].history, "history");
		is_int(l.processes.h, rows[i].processes, "processes");
	}
	layout_screen(&s, 200, 60, 0);
	wants = (struct overview_wants){ 8, { 5, 5, 5, 5 }, true, 1, 6, true, { 12, 0, 0, 0 } };
	overview_place(&l, s.body, &wants);
	ok(l.processes.h < 10 && l.pane[0].h == 5 + 12 + 2,
		"rows that one process does not need go to what is least important");
	wants = (struct overview_wants){ 8, { 17, 9, 11, 10 }, true, 20, 6, true, { 0 } };
	layout_screen(&s, 40, 10, 0);
	overview_place(&l, s.body, &wants);
	ok(l.answer.h == 3 && l.health.h == 4 && l.numbers.h == 1, "40x10: no pane, but numbers");
	wants.rows[OVERVIEW_FLOPS] = -1;
	layout_screen(&s, 120, 40, 0);
	overview_place(&l, s.body, &wants);
	ok(!l.pane[1].h && l.pane[3].y == l.pane[0].y && l.pane[3].h + l.rest.h == l.panes.h,
		"a hidden pane leaves its room to the other one of its column");
	wants.rows[OVERVIEW_POWER] = -1;
	overview_place(&l, s.body, &wants);
	is_int(l.pane[0].w, l.panes.w, "a hidden column to the other column");
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

static void test_screens(void)
{
	int cases = 0, bad = 0;

	for (int w = 1; w <= 320; w += w < 90 ? 1 : 7)
		for (int h = 1; h <= 100; h += h < 45 ? 1 : 5)
			for (int info = 0; info <= 3; info++) {
				struct screen_layout l;
				const char *wrong = check_screen(w, h, info, &l);

				if (wrong && bad++ < 5)
					diag("%dx%d: %s", w, h, wrong);
				cases++;
			}
	ok(!bad, "%d sizes", cases);
}

int main(void)
{
	test_screens();
	test_overview();
	test_known();
	test_scroll();
	return done_testing();
}
