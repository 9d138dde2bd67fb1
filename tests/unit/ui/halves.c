/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two views on one screen: where they stand at many sizes, what tells them apart, and which cell is
 * whose. */
#include "config.h"

#include "ui/frame/halves.h"

#include <locale.h>

#include "base/mem.h"
#include "tests/tap.h"
#include "tests/ui_scene.h"

static bool is_free(const struct canvas *c, const struct rect *r)
{
	for (int y = r->y; y < r->y + r->h; y++)
		for (int x = r->x; x < r->x + r->w; x++)
			if (x < 0 || y < 0 || x >= c->w || y >= c->h ||
				c->cells[y * c->w + x].ch != ' ')
				return false;
	return true;
}

/* Marks the rectangles one by one: none may stick out or cover another, and nothing may be left
 * over. */
static const char *check_layout(int w, int h)
{
	struct halves l;
	bool both = halves_layout(&l, w, h);
	const struct rect *parts[] = { &l.half[0], &l.half[1], &l.line, &l.keys };
	struct canvas c = { 0 };
	const char *bad = NULL;
	int covered = 0;

	if (both != (w >= 100 ? h >= 4 : w >= 20 && h >= 8))
		return "two where there is no room, or one where there is";
	if (!both)
		return NULL;
	canvas_resize(&c, w, h);
	for (size_t i = 0; i < ARRAY_LEN(parts) && !bad; i++) {
		if (!is_free(&c, parts[i]))
			bad = "a part sticks out, or two overlap";
		canvas_fill(&c, *parts[i], '#', ROLE_TEXT);
		covered += parts[i]->w * parts[i]->h;
	}
	canvas_release(&c);
	if (!bad && covered != w * h)
		bad = "a cell belongs to nothing";
	for (int i = 0; i < 2 && !bad; i++)
		if (l.half[i].w < 20 || l.half[i].h < 4)
			bad = "a half too small for its header and rows";
	if (!bad && (abs(l.half[0].w - l.half[1].w) > 1 || abs(l.half[0].h - l.half[1].h) > 1))
		bad = "unequal halves";
	return bad;
}

static void test_layout(void)
{
	struct halves l;
	int bad = 0;

	for (int w = 1; w <= 220; w++)
		for (int h = 1; h <= 70; h++) {
			const char *what = check_layout(w, h);

			if (what && !bad++)
				diag("%dx%d: %s", w, h, what);
		}
	is_int(bad, 0, "every size from 1x1 to 220x70 is divided without a rest");
	halves_layout(&l, 120, 40);
	ok(l.half[1].y == 0 && l.half[1].x == 60 && l.line.x == 59 && l.keys.y == 39,
		"beside each other where it is wide");
	is_int(halves_at(&l, 58, 38), 0, "the last cell of the left one is its own");
	is_int(halves_at(&l, 59, 5), -1, "the line is nobody's");
	is_int(halves_at(&l, 60, 0), 1, "the first cell of the right one is its own");
	is_int(halves_at(&l, 0, 39), -1, "the keys are nobody's");
	halves_layout(&l, 80, 24);
	ok(l.half[1].x == 0 && l.half[1].y == 12 && l.half[1].h == 11 && l.keys.y == 23,
		"one above the other where it is not");
}

/* Two pictures of the scene in a canvas of w x h. */
struct picture {
	struct canvas part[2], all;
	struct halves l;
	struct view view;
	struct view_model model[2];
	struct strbuf text;
};

static void take(struct picture *p, struct scene *s, int w, int h, bool ascii)
{
	const struct canvas *const part[2] = { &p->part[0], &p->part[1] };

	*p = (struct picture){ 0 };
	view_init(&p->view, ascii, SCHEME_DEFAULT);
	halves_layout(&p->l, w, h);
	for (int i = 0; i < 2; i++) {
		p->model[i] = s->model;
		p->model[i].place = i ? VIEW_OTHER : VIEW_FOCUSED;
		p->model[i].of_two = i + 1;
		canvas_resize(&p->part[i], p->l.half[i].w, p->l.half[i].h);
		view_draw(&p->view, &p->model[i], &p->part[i]);
	}
	canvas_resize(&p->all, w, h);
	halves_draw(&p->l, part, &p->view, &p->model[0], &p->all);
	canvas_dump_text(&p->all, &p->text);
}

static void drop(struct picture *p)
{
	canvas_release(&p->part[0]);
	canvas_release(&p->part[1]);
	canvas_release(&p->all);
	strbuf_release(&p->text);
}

static int count(const char *text, const char *needle)
{
	int n = 0;

	for (; (text = strstr(text, needle)); text++)
		n++;
	return n;
}

static void test_picture(struct scene *s)
{
	static const int sizes[][2] = { { 120, 40 }, { 100, 12 }, { 80, 24 }, { 40, 14 },
		{ 20, 9 } };
	struct picture p;

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		for (int ascii = 0; ascii < 2; ascii++) {
			take(&p, s, sizes[i][0], sizes[i][1], ascii);
			is_int(count(strbuf_str(&p.text), "[o]"), 1,
				"%dx%d%s: one half says in words that the keys are not its own",
				sizes[i][0], sizes[i][1], ascii ? ", ASCII" : "");
			is_int(count(strbuf_str(&p.text), " Help"), 1,
				"... and the keys are there once");
			drop(&p);
		}
	take(&p, s, 20, 8, false);
	is_int(count(strbuf_str(&p.text), "[o]"), 1, "20x8: no room for keys, but for the mark");
	drop(&p);
}

/* The line of keys answers where a word stands, and nowhere else. */
static void test_keys(struct scene *s)
{
	struct picture p;
	int y = 39, other = 0, close = 0;

	take(&p, s, 120, 40, true);
	for (int x = 0; x < 120; x++) {
		other += view_command_at(&p.all, x, y) == CMD_OTHER_HALF;
		close += view_command_at(&p.all, x, y) == CMD_CLOSE_OTHER;
		if (view_command_at(&p.all, x, y - 1) != CMD_NONE)
			other = -1000;
	}
	is_int(other, (int)strlen("o Switch"),
		"as many columns give the focus to the other one as its words have");
	is_int(close, (int)strlen("O Close other"), "and as many close it");
	drop(&p);
}

/* Messages need a line wherever a half is as high as at 80x24. */
static void test_message(struct scene *s)
{
	const char *before = s->model.message;
	struct picture p;

	s->model.message = "recording to rooftop.i915perf";
	take(&p, s, 80, 24, false);
	is_int(count(strbuf_str(&p.text), "recording to rooftop.i915perf"), 2,
		"80x24: both halves have a line for messages");
	drop(&p);
	s->model.message = before;
}

/* What must be known stands once in each half: beside its tabs, or where they leave no room in the
 * line above. */
static void test_urgent(struct scene *s)
{
	static const int sizes[][2] = { { 240, 40 }, { 120, 40 }, { 100, 12 }, { 80, 24 },
		{ 40, 14 } };
	static const char *const words[] = { "PAUSED", "rec on", "lost 12 !" };
	const struct view_model before = s->model;
	struct picture p;

	s->model.paused = s->model.recording = true;
	s->model.n_checks = 0;
	s->snap.lost = s->snap.lost_total = 12;
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		take(&p, s, sizes[i][0], sizes[i][1], false);
		for (size_t k = 0; k < ARRAY_LEN(words); k++)
			is_int(count(strbuf_str(&p.text), words[k]), 2, "%dx%d: both halves say %s",
				sizes[i][0], sizes[i][1], words[k]);
		drop(&p);
	}
	s->model = before;
	s->snap.lost = s->snap.lost_total = 0;
}

int main(void)
{
	struct scene *s = scene_new(20);

	setlocale(LC_ALL, "");
	test_layout();
	test_picture(s);
	test_keys(s);
	test_message(s);
	test_urgent(s);
	scene_free(s);
	return done_testing();
}
