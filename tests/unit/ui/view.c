/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The screens survive every size and command, with and without data; commands and clicks do what
 * they say. */
#include "config.h"

#include "ui/frame/view.h"

#include <locale.h>

#include "base/mem.h"
#include "tests/tap.h"
#include "tests/ui_scene.h"
#include "ui/frame/screen.h"
#include "ui/screens/overview.h"

static bool contains(const struct canvas *c, const char *needle)
{
	struct strbuf b = { 0 };
	bool found;

	canvas_dump_text(c, &b);
	found = strstr(strbuf_str(&b), needle);
	strbuf_release(&b);
	return found;
}

static bool draws(
	struct view *v, const struct view_model *m, int w, int h, const char *needle)
{
	struct canvas c = { 0 };
	bool found;

	canvas_resize(&c, w, h);
	view_draw(v, m, &c);
	found = contains(&c, needle);
	canvas_release(&c);
	return found;
}

static bool seven_bits(const struct canvas *c)
{
	for (int i = 0; i < c->w * c->h; i++)
		if (c->cells[i].ch < 0x20 || c->cells[i].ch > 0x7e)
			return false;
	return true;
}

/* Draws a model at many sizes on all screens; returns how many pictures were wrong. */
static int sweep(struct view_model *m, bool ascii)
{
	struct canvas c = { 0 };
	struct view v;
	int bad = 0;

	for (int w = 1; w <= 140; w += w < 24 ? 1 : 9)
		for (int h = 1; h <= 50; h += h < 24 ? 1 : 5)
			for (int what = 0; what < 5; what++) {
				view_init(&v, ascii, SCHEME_DEFAULT);
				v.screen = what < 3 ? (enum view_screen)what : VIEW_OVERVIEW;
				v.help = what == 3;
				v.explain = what == 4;
				v.focus = w % 9;
				canvas_resize(&c, w, h);
				view_draw(&v, m, &c);
				bad += ascii && !seven_bits(&c);
				bad += c.clip.w != w || c.clip.h != h;
			}
	canvas_release(&c);
	return bad;
}

static void test_sizes(struct scene *s)
{
	struct view_model empty = { .self_cpu_pct = NAN }, no_snap = s->model,
			  no_history = s->model, no_set = s->model;

	no_snap.snap = NULL;
	no_history.history = NULL;
	no_set.set = NULL;
	is_int(sweep(&s->model, false), 0, "all sizes, UTF-8");
	is_int(sweep(&s->model, true), 0, "all sizes, ASCII: no code point above 0x7e");
	is_int(sweep(&empty, true), 0, "all sizes, an empty model");
	is_int(sweep(&no_snap, true), 0, "all sizes, before the first window");
	is_int(sweep(&no_history, false), 0, "all sizes, no history");
	is_int(sweep(&no_set, false), 0, "all sizes, no set");
}

/* Every command on every screen in a fixed shuffle of sizes; then the view must still be in
 * range. */
static void test_commands(struct scene *s)
{
	struct view_model empty = { .self_cpu_pct = NAN };
	struct view_model *models[] = { &s->model, &empty };
	unsigned random = 12345;

	for (size_t m = 0; m < ARRAY_LEN(models); m++) {
		struct canvas c = { 0 };
		struct view v;
		int drawn = 0;

		view_init(&v, false, SCHEME_DEFAULT);
		for (int i = 0; i < 4000; i++) {
			struct key_event click = { .code = KEY_MOUSE_, .ch = 1 };
			int w, h;

			random = random * 1103515245 + 12345;
			w = 1 + (int)(random >> 8) % 140;
			h = 1 + (int)(random >> 16) % 50;
			scene_command(
				&v, models[m], (enum command)((random >> 4) % CMD_COUNT), w, h);
			click.x = (int)(random >> 5) % w;
			click.y = (int)(random >> 7) % h;
			click.ch = (random >> 9) % 6;
			if (i % 3 == 0)
				scene_click(&v, models[m], &click, w, h);
			if (i % 8)
				continue;
			canvas_resize(&c, w, h);
			view_draw(&v, models[m], &c);
			drawn++;
		}
		ok(drawn == 500 && v.focus >= 0 && v.focus < 8 && v.scheme < SCHEME_COUNT,
			"4000 commands and clicks, model %d", (int)m);
		canvas_release(&c);
		view_release(&v);
	}
}

/* q leaves what lies on top before it leaves the program; ^C leaves the program from anywhere. */
static void test_quit_in_boxes(struct scene *s)
{
	static const enum command boxes[] = { CMD_HELP, CMD_EXPLAIN, CMD_SETUP };
	const struct key_event q = { .code = KEY_CHAR, .ch = 'q' },
			       interrupt = { .code = KEY_CTRL, .ch = 'C' };
	struct view v;

	for (size_t i = 0; i < ARRAY_LEN(boxes); i++) {
		view_init(&v, false, SCHEME_DEFAULT);
		scene_command(&v, &s->model, boxes[i], 120, 40);
		ok(v.help || v.explain || v.menu, "%s opens a box", command_info(boxes[i])->name);
		is_int(view_key(&v, &s->model, &interrupt, 120, 40), CMD_QUIT,
			"^C quits from there");
		view_init(&v, false, SCHEME_DEFAULT);
		scene_command(&v, &s->model, boxes[i], 120, 40);
		is_int(view_key(&v, &s->model, &q, 120, 40), CMD_NONE, "q does not quit there");
		ok(!v.help && !v.explain && !v.menu, "but closes it");
		is_int(view_key(&v, &s->model, &q, 120, 40), CMD_QUIT, "and quits then");
	}
}

static void test_returned(struct scene *s)
{
	static const enum command app[] = { CMD_FASTER, CMD_SLOWER, CMD_PAUSE, CMD_RESET,
		CMD_REDRAW, CMD_RECORD, CMD_WRITE_SCREEN, CMD_SAVE, CMD_SUSPEND, CMD_QUIT };
	struct view v;

	view_init(&v, false, SCHEME_DEFAULT);
	for (size_t i = 0; i < ARRAY_LEN(app); i++)
		is_int(scene_command(&v, &s->model, app[i], 120, 40), app[i],
			"%s is left to the program", command_info(app[i])->name);
	scene_command(&v, &s->model, CMD_HELP, 120, 40);
	is_int(scene_command(&v, &s->model, CMD_QUIT, 120, 40), CMD_QUIT,
		"quit works with the help open");
	scene_command(&v, &s->model, CMD_SCREEN_DEVICES, 120, 40);
	scene_command(&v, &s->model, CMD_DOWN, 120, 40);
	is_int(scene_command(&v, &s->model, CMD_ENTER, 120, 40), CMD_USE_DEVICE,
		"Enter on the devices screen uses the device");
	is_int(view_selected_device(&v), 3, "the one that is selected, below that in use");
	scene_command(&v, &s->model, CMD_BOTTOM, 120, 40);
	is_int(view_selected_device(&v), 3, "End is the last device");
	scene_command(&v, &s->model, CMD_COLOR, 120, 40);
	is_int(v.scheme, SCHEME_MONO, "the next colour scheme");
}

/* The screen of counters has every metric of the set, and begins where a pane had no more room. */
static void test_counters(struct scene *s)
{
	const struct metric_set *set = s->model.set;
	struct view v;
	int listed = 0, shown = 0;

	view_init(&v, false, SCHEME_DEFAULT);
	view_show_counters(&v, &s->model, 3);
	ok(v.screen == VIEW_COUNTERS && v.counters.metric == 3, "it opens at a metric");
	scene_command(&v, &s->model, CMD_TOP, 120, 200);
	for (int i = 0; i < set->n_metrics; i++) {
		if (set->metrics[i].flags & METRIC_HIDDEN)
			continue;
		shown++;
		listed += draws(&v, &s->model, 120, 200, metric_label(&set->metrics[i]));
	}
	ok(shown > 20 && listed == shown, "all %d metrics are listed", shown);
	scene_command(&v, &s->model, CMD_DOWN, 120, 40);
	scene_command(&v, &s->model, CMD_EXPLAIN, 120, 40);
	ok(v.explain && draws(&v, &s->model, 120, 40, "Esc closes"), "and explained");
}

/* What a key leads to on a screen: the program's command, or the view's own change. */
struct meaning {
	enum command left;
	enum view_screen screen;
	enum view_menu menu;
	enum prompt_kind prompt;
	bool help, ascii;
	enum scheme scheme;
	enum view_units units;
	int back, n_marks;
};

static struct meaning meaning_of(struct scene *s, enum view_screen screen, enum command cmd)
{
	struct meaning r;
	struct view v;

	view_init(&v, false, SCHEME_DEFAULT);
	v.screen = screen;
	memset(&r, 0, sizeof(r));
	r.left = scene_command(&v, &s->model, cmd, 120, 40);
	r.screen = v.screen == screen ? VIEW_SCREENS : v.screen;
	r.menu = v.menu;
	r.prompt = v.prompt.kind;
	r.help = v.help;
	r.ascii = v.ascii;
	r.scheme = v.scheme;
	r.units = v.units;
	r.back = v.back;
	r.n_marks = v.n_marks;
	view_release(&v);
	return r;
}

/* Whether the screen may lack what the command is about: it then does nothing. */
static bool may_lack(enum command cmd)
{
	return cmd == CMD_FILTER || cmd == CMD_SORT || cmd == CMD_DRAWN || cmd == CMD_SIGNAL ||
		cmd == CMD_EXPLAIN;
}

/* Whether the command turns to that screen, where it has nothing to do. */
static bool is_turn_to(struct scene *s, enum view_screen screen, enum command cmd)
{
	enum view_screen other = screen == VIEW_LOG ? VIEW_OVERVIEW : VIEW_LOG;

	return meaning_of(s, other, cmd).screen == screen;
}

static bool is_place(enum command cmd)
{
	return select_is_move(cmd) || cmd == CMD_ENTER || cmd == CMD_LEFT || cmd == CMD_RIGHT ||
		cmd == CMD_PANE_NEXT || cmd == CMD_PANE_PREVIOUS || cmd == CMD_TOP;
}

/* A key has one meaning on all screens, Enter, Tab and the arrows excepted. */
static void test_one_meaning(struct scene *s)
{
	int compared = 0, differ = 0;

	for (int i = 0; i < CMD_COUNT - 1; i++) {
		const struct command_info *info = &command_table[i];
		struct meaning want, got, nothing = meaning_of(s, VIEW_OVERVIEW, CMD_NONE);
		bool has_want = false;

		if (!*info->keys || is_place(info->id))
			continue;
		memset(&want, 0, sizeof(want));
		for (int k = 0; k < VIEW_SCREENS; k++) {
			got = meaning_of(s, (enum view_screen)k, info->id);
			if (is_turn_to(s, (enum view_screen)k, info->id))
				continue;
			if (may_lack(info->id) && !memcmp(&got, &nothing, sizeof(got)))
				continue;
			if (has_want && memcmp(&got, &want, sizeof(got)) != 0) {
				differ++;
				diag("%s means something else on screen %s", info->name,
					view_screen_name((enum view_screen)k));
			}
			want = got;
			has_want = true;
			compared++;
		}
	}
	is_int(differ, 0, "each key has one meaning on all screens");
	ok(compared > 200, "%d meanings were compared", compared);
}

static void test_moves(struct scene *s)
{
	struct view v;

	view_init(&v, false, SCHEME_DEFAULT);
	is_int(v.focus, OVERVIEW_ANSWER, "the cursor begins on the answer");
	scene_command(&v, &s->model, CMD_ENTER, 80, 24);
	ok(v.explain && draws(&v, &s->model, 80, 24, "the clock is at its maximum"),
		"where Enter tells all reasons");
	scene_command(&v, &s->model, CMD_CLOSE, 80, 24);
	scene_command(&v, &s->model, CMD_PANE_PREVIOUS, 80, 24);
	is_int(v.focus, 3, "back from the answer is the last pane");
	scene_command(&v, &s->model, CMD_PANE_NEXT, 80, 24);
	scene_command(&v, &s->model, CMD_DOWN, 80, 24);
	is_int(v.focus, 0, "down from the answer is the first pane");
	scene_command(&v, &s->model, CMD_UP, 80, 24);
	is_int(v.focus, OVERVIEW_ANSWER, "up from its first row is the answer");
	scene_command(&v, &s->model, CMD_DOWN, 80, 24);
	scene_command(&v, &s->model, CMD_BOTTOM, 80, 24);
	is_int(v.selected[0], 4, "End is the line that counts what is not shown");
	scene_command(&v, &s->model, CMD_DOWN, 80, 24);
	is_int(v.focus, 2, "below it is the next pane");
	scene_command(&v, &s->model, CMD_UP, 80, 24);
	is_int(v.focus, 0, "and up again");
	scene_command(&v, &s->model, CMD_TOP, 80, 24);
	is_int(v.selected[0], 0, "Home is the first row");
	scene_command(&v, &s->model, CMD_BOTTOM, 60, 40);
	scene_command(&v, &s->model, CMD_DOWN, 60, 40);
	is_int(v.focus, 1, "where all panes stand in one column the second one is below the first");
	scene_command(&v, &s->model, CMD_UP, 60, 40);
	scene_command(&v, &s->model, CMD_TOP, 60, 40);
	is_int(v.focus, 0, "  ... and up again");
	ok(draws(&v, &s->model, 60, 20, "1/4") && !draws(&v, &s->model, 60, 20, "Bandwidth"),
		"60x20 shows one pane and says of how many");
	scene_command(&v, &s->model, CMD_PANE_NEXT, 40, 10);
	scene_command(&v, &s->model, CMD_PANE_NEXT, 40, 10);
	ok(draws(&v, &s->model, 40, 10, "Bandwidth"), "Tab turns to another, also at 40x10");
	scene_command(&v, &s->model, CMD_EXPLAIN, 80, 24);
	ok(v.explain && draws(&v, &s->model, 80, 24, "A7"), "Enter explains");
	scene_command(&v, &s->model, CMD_CLOSE, 80, 24);
	ok(!v.explain, "Esc closes");
	scene_command(&v, &s->model, CMD_HELP, 80, 24);
	scene_command(&v, &s->model, CMD_BOTTOM, 80, 24);
	ok(v.help && v.help_top > 0 && draws(&v, &s->model, 80, 24, "SIM REC"),
		"the help scrolls to its end");
	scene_command(&v, &s->model, CMD_BOTTOM, 40, 10);
	ok(draws(&v, &s->model, 40, 10, "live hardware"), "to the last word where it is narrow");
	scene_command(&v, &s->model, CMD_SCREEN_LOG, 80, 24);
	ok(!v.help && v.screen == VIEW_LOG, "another key closes it and works");
	ok(draws(&v, &s->model, 40, 10, "permission denied"),
		"a long entry of the log goes on below");
	ok(!draws(&v, &s->model, 40, 10, "sim:hd620"), "old entries are above");
	scene_command(&v, &s->model, CMD_TOP, 40, 10);
	ok(draws(&v, &s->model, 40, 10, "sim:hd620"), "where Home leads");
	scene_command(&v, &s->model, CMD_BOTTOM, 40, 10);
	ok(draws(&v, &s->model, 40, 10, "permission denied"), "and End back");
}

/* Says whether the marker stands in these cells of line y. */
static bool is_marked(const struct view *v, const struct canvas *c, int x, int w, int y)
{
	for (int i = x; i < x + w; i++)
		if (c->cells[y * c->w + i].ch == glyphs_for(v->ascii)->marker)
			return true;
	return false;
}

/* Says whether anything in the frame is selected. */
static bool shows_cursor(const struct view *v, const struct canvas *c)
{
	for (int i = 0; i < c->w * c->h; i++)
		if (c->cells[i].role == ROLE_SELECTED)
			return true;
	return is_marked(v, c, 0, c->w * (c->h - 1), 0);
}

/* Each row of the panes that is drawn can be clicked, and is then the row with the marker. No click on a
 * pane leads to a row that is none. */
static void test_rows(struct scene *s)
{
	struct canvas c = { 0 };
	struct view v;

	for (int h = 20; h < 70; h += 7) {
		int rows = 0, marked = 0, lost = 0;

		canvas_resize(&c, 120, h);
		view_init(&v, false, SCHEME_DEFAULT);
		view_draw(&v, &s->model, &c);
		for (int pane = 0; pane < 4; pane++)
			rows += v.drawn[pane];
		for (int i = 0; i < 2 * h; i++) {
			struct key_event k = { .code = KEY_MOUSE_, .ch = 1, .x = 60 * (i % 2) + 5, .y = i / 2 };
			int list, row;

			v.focus = 4;
			if (!offered_row(&c, k.x, k.y, &list, &row) || list > 3)
				continue;
			view_click(&v, &s->model, &k, &c);
			view_draw(&v, &s->model, &c);
			marked += is_marked(&v, &c, 60 * (i % 2), 60, k.y);
			lost += !shows_cursor(&v, &c);
		}
		ok(rows > 0 && marked == rows && !lost, "120x%d: %d of %d rows can be clicked, %d clicks choose none",
			h, marked, rows, lost);
	}
	canvas_release(&c);
}

/* Each line of a menu that is drawn can be clicked, and the click does what the line with its marker and Enter
 * do. What lies outside of the box closes it. */
static void test_menu_clicks(struct scene *s, enum command opens, enum view_screen screen)
{
	struct canvas c = { 0 };
	struct view open, clicked, entered;
	int lines = 0, alike = 0, list, row;

	canvas_resize(&c, 80, 24);
	view_init(&open, false, SCHEME_DEFAULT);
	open.screen = screen;
	view_command(&open, &s->model, opens, 80, 24);
	view_draw(&open, &s->model, &c);
	for (int y = 0; y < 24; y++) {
		struct key_event k = { .code = KEY_MOUSE_, .ch = 1, .x = 40, .y = y };

		if (!offered_row(&c, k.x, k.y, &list, &row) || list != OFFER_MENU)
			continue;
		clicked = entered = open;
		entered.menu_row = row;
		enum command of_key = view_command(&entered, &s->model, CMD_ENTER, 80, 24);
		enum command of_click = view_click(&clicked, &s->model, &k, &c);
		lines++;
		alike += of_key == of_click && !memcmp(&clicked, &entered, sizeof(clicked));
	}
	ok(open.menu && lines > 0 && alike == lines, "%s on %s: %d of %d lines take clicks",
		command_info(opens)->name, view_screen_name(screen), alike, lines);
	clicked = open;
	struct key_event outside = { .code = KEY_MOUSE_, .ch = 1, .x = 1, .y = 22 };
	view_click(&clicked, &s->model, &outside, &c);
	ok(!clicked.menu, "and a click beside the box closes it");
	canvas_release(&c);
}

/* The same where panes have metrics of no group, which are rows as long as there is room. */
static void test_rows_apart(struct scene *s)
{
	struct metric kept[SCENE_METRICS];

	memcpy(kept, s->metrics, sizeof(kept));
	for (int i = 0; i < SCENE_METRICS; i++) {
		if (i % 2)
			s->metrics[i].group = NULL;
		if (s->model.snap->values[i].why != WHY_OK)
			s->metrics[i].flags |= METRIC_HIDDEN;
	}
	test_rows(s);
	memcpy(s->metrics, kept, sizeof(kept));
}

static void test_click(struct scene *s)
{
	struct key_event k = { .code = KEY_MOUSE_, .ch = 1, .x = 65, .y = 10 };
	struct view v;

	view_init(&v, false, SCHEME_DEFAULT);
	scene_click(&v, &s->model, &k, 120, 40);
	ok(v.focus == 1 && v.selected[1] == 1, "a click selects pane and row");
	k = (struct key_event){ .code = KEY_MOUSE_, .ch = 5, .x = 65, .y = 10 };
	scene_click(&v, &s->model, &k, 120, 40);
	is_int(v.selected[1], 2, "the wheel moves down");
	v.screen = VIEW_LOG;
	k = (struct key_event){ .code = KEY_MOUSE_, .ch = 1, .x = 4, .y = 1 };
	scene_click(&v, &s->model, &k, 120, 40);
	is_int(v.screen, VIEW_OVERVIEW, "a click on a tab turns to it");
	v.screen = VIEW_DEVICES;
	k = (struct key_event){ .code = KEY_MOUSE_, .ch = 1, .x = 10, .y = 6 };
	scene_click(&v, &s->model, &k, 120, 40);
	is_int(v.device_row, 2, "a click selects a device");
	k = (struct key_event){ .code = KEY_MOUSE_, .ch = 1, .x = 1, .y = 39 };
	scene_click(&v, &s->model, &k, 120, 40);
	ok(v.help, "a click on a key at the bottom is that key");
	scene_click(&v, &s->model,
		&(struct key_event){ .code = KEY_MOUSE_, .ch = 1, .x = 60, .y = 20 }, 120, 40);
	ok(!v.help, "a click closes the help");
}

/* What a box covers can't be clicked through it: neither panes nor tabs nor the key that quits. */
static void test_click_on_box(struct scene *s)
{
	static const enum command boxes[] = { CMD_HELP, CMD_EXPLAIN, CMD_SETUP };
	int sizes[][2] = { { 120, 40 }, { 80, 24 }, { 40, 10 } };

	for (int i = 0; i < (int)(ARRAY_LEN(boxes) * ARRAY_LEN(sizes)); i++) {
		int w = sizes[i / 3][0], h = sizes[i / 3][1], through = 0, covered = 0;
		struct canvas open = { 0 }, bare = { 0 };
		struct view v;

		canvas_resize(&open, w, h);
		canvas_resize(&bare, w, h);
		view_init(&v, false, SCHEME_DEFAULT);
		view_draw(&v, &s->model, &bare);
		scene_command(&v, &s->model, boxes[i % 3], w, h);
		view_draw(&v, &s->model, &open);
		for (int at = 0; at < w * h; at++) {
			bool same = open.cells[at].ch == bare.cells[at].ch;

			covered += !same;
			through += !same && view_command_at(&open, at % w, at / w) != CMD_NONE;
		}
		ok(covered > 0 && !through, "%dx%d, box %d: %d of %d covered cells are clicked through", w, h,
			i % 3, through, covered);
		canvas_release(&open);
		canvas_release(&bare);
	}
}

static struct value shown(const struct scene *s, const struct view *v, int metric)
{
	struct view_model m = s->model;

	m.back = v->back;
	return meter_value(&m, metric);
}

static void test_past(struct scene *s)
{
	struct view_model m = s->model;
	struct view v;
	int len = history_len(m.history);

	view_init(&v, false, SCHEME_DEFAULT);
	is_int(scene_command(&v, &m, CMD_BACK, 80, 24), CMD_PAUSE, "going back pauses");
	m.paused = true;
	is_int(scene_command(&v, &m, CMD_BACK, 80, 24), CMD_NONE, "once");
	is_int(v.back, 2, "two windows back");
	ok(fabs(shown(s, &v, 0).v - (double)history_get(m.history, 0, 2)) < 1e-9,
		"their values are shown");
	scene_command(&v, &m, CMD_MARK, 80, 24);
	for (int i = 0; i < 5; i++)
		scene_command(&v, &m, CMD_BACK, 80, 24);
	scene_command(&v, &m, CMD_MARK, 80, 24);
	is_int(v.n_marks, 2, "windows are marked");
	scene_command(&v, &m, CMD_MARK_NEXT, 80, 24);
	is_int(v.back, 2, "the next mark");
	scene_command(&v, &m, CMD_MARK_NEXT, 80, 24);
	is_int(v.back, 2, "stays where there is none");
	scene_command(&v, &m, CMD_MARK_PREVIOUS, 80, 24);
	is_int(v.back, 7, "the mark before");
	scene_command(&v, &m, CMD_MARK, 80, 24);
	is_int(v.n_marks, 1, "marking again takes the mark away");
	for (int i = 0; i < len + 5; i++)
		scene_command(&v, &m, CMD_BACK, 80, 24);
	is_int(v.back, len - 1, "the past has an end");
	for (int i = 0; i < 3 * VIEW_MARKS; i++) {
		scene_command(&v, &m, CMD_FORTH, 80, 24);
		scene_command(&v, &m, CMD_MARK, 80, 24);
	}
	is_int(v.n_marks, VIEW_MARKS, "old marks make room");
	for (int i = 0; i < len + 5; i++)
		scene_command(&v, &m, CMD_FORTH, 80, 24);
	is_int(v.back, 0, "and so has the way forward");
}

static void test_units(struct scene *s)
{
	struct view_model m = s->model;
	int metric = metric_set_index(m.set, "l3_shader_throughput"),
	    clock = metric_set_index(m.set, "clock_actual");
	struct unit_form f;

	s->metrics[metric].unit = (struct unit){ 1e9, { [UNIT_SECOND] = -1, [UNIT_BYTE] = 1 } };
	s->metrics[clock].unit = (struct unit){ 1e6, { [UNIT_SECOND] = -1, [UNIT_CYCLE] = 1 } };
	f = meter_form(&m, metric);
	ok(!strcmp(f.unit, "GB/s") && fabs(f.factor - 1) < 1e-12, "a rate in its own unit");
	m.units = UNITS_PER_CYCLE;
	f = meter_form(&m, metric);
	ok(!strcmp(f.unit, "B/cycle") &&
			fabs(f.factor - 1e9 / (meter_value(&m, clock).v * 1e6)) < 1e-9,
		"per cycle of the clock");
	m.units = UNITS_SHARE;
	f = meter_form(&m, metric);
	ok(!strcmp(f.unit, "%") && fabs(f.factor * meter_ceiling(&m, metric) - 100) < 1e-9,
		"in percent of its roof");
	is_str(meter_form(&m, 0).unit, "%", "a percentage stays one");
	s->metrics[metric].unit = s->metrics[clock].unit = unit_one();
}

static void test_honest(struct scene *s)
{
	struct view_model m = s->model;
	struct device d = s->device;
	struct view v;

	view_init(&v, true, SCHEME_DEFAULT);
	for (int w = 20; w <= 160; w += 20)
		ok(draws(&v, &m, w, w / 4, "SIM"), "simulated says so at %dx%d", w, w / 4);
	d.simulated = false;
	d.recorded = true;
	m.device = &d;
	ok(draws(&v, &m, 80, 24, "REC ") && !draws(&v, &m, 80, 24, "SIM"), "a recording says REC");
	d.recorded = false;
	ok(!draws(&v, &m, 80, 24, "REC ") && !draws(&v, &m, 80, 24, "SIM"),
		"hardware says neither");
	ok(!draws(&v, &m, 120, 40, "DRAM read"), "a metric without a source has no row");
	ok(draws(&v, &m, 120, 40, "2 need permission: Enter"), "but is counted");
	ok(draws(&v, &m, 120, 40, "~ "), "estimated is ~");
	s->snap.quality = SAMPLE_LOST;
	s->snap.lost = 2;
	s->snap.lost_total = 5;
	ok(draws(&v, &m, 120, 40, "lost 5 !") && draws(&v, &m, 120, 40, "! 91.2"),
		"lost reports are ! beside the value and counted above");
	s->snap.quality = 0;
	s->snap.lost = s->snap.lost_total = 0;
	m.message = "recording to /tmp/x";
	m.no_device = "no usable GPU: nothing in /dev/dri";
	m.paused = true;
	for (int h = 14; h <= 50; h += 6)
		ok(draws(&v, &m, 80, h, m.message) && draws(&v, &m, 80, h, "PAUSED"),
			"message and PAUSED at 80x%d", h);
	m.paused = false;
	m.n_checks = 0;
	ok(draws(&v, &m, 120, 40, "no usable GPU: nothing in /dev/dri") &&
			draws(&v, &m, 80, 24, "no GPU (key 6)"),
		"why no real device is used, or where that is told");
	m.snap = NULL;
	ok(draws(&v, &m, 120, 40, "MEASURING"), "before the first window it says so");
}

/* A set that nobody foresaw: 9 groups, none of them, 60 metrics with long labels in other
 * scripts. */
static void test_odd_sets(struct scene *s)
{
	static struct metric metrics[60];
	static struct metric_group groups[9];
	static char names[9][24];
	struct metric_set set = { .name = (char *)"odd",
		.metrics = metrics,
		.n_metrics = 60,
		.groups = groups,
		.n_groups = 9 };
	struct snapshot snap = s->snap;
	struct value values[60], ceilings[60];
	struct view_model m = s->model;
	struct view v;

	for (int i = 0; i < 60; i++) {
		metrics[i] = (struct metric){ .name = (char *)"m",
			.label = (char *)"Zeitüberschreitungen der Ausführungseinheiten 計数器",
			.unit_text = (char *)"",
			.group = names[i % 9] };
		values[i] = value_ok(i % 7 ? 1e30 * i : -0.0);
		ceilings[i] = i % 5 ? value_ok(1e-9) : value_none(WHY_DIV_ZERO);
	}
	for (int i = 0; i < 9; i++) {
		snprintf(names[i], sizeof(names[i]), "group%d", i);
		groups[i] = (struct metric_group){ .name = names[i],
			.title = names[i],
			.subtitle = i % 2 ? NULL : (char *)"" };
	}
	snap.set = &set;
	snap.values = values;
	snap.ceilings = ceilings;
	m.set = &set;
	m.snap = &snap;
	m.history = NULL;
	is_int(sweep(&m, false), 0, "nine groups of long labels, all sizes");
	view_init(&v, false, SCHEME_DEFAULT);
	ok(draws(&v, &m, 200, 60, "Utilization") && draws(&v, &m, 200, 60, "continued") &&
			draws(&v, &m, 120, 40, "more: Enter"),
		"four panes, however many groups there are");
	set.n_groups = 0;
	for (int i = 0; i < 60; i++)
		metrics[i].group = NULL;
	is_int(sweep(&m, true), 0, "no groups at all, all sizes");
	ok(draws(&v, &m, 200, 60, "Zeit"), "also without any group");
	snap.set = &s->set;	/* the set was changed, the snapshot is still the old one's */
	is_int(sweep(&m, true), 0, "a snapshot of another set, all sizes");
}

/* A pane keeps so many rows; of more metrics than that those of a group stay, wherever the set has them. */
static void test_many_rows(struct scene *s)
{
	static struct metric metrics[PANE_METRICS + 60];
	static struct value values[ARRAY_LEN(metrics)], ceilings[ARRAY_LEN(metrics)];
	struct metric_set set = { .name = (char *)"many",
		.label = (char *)"",
		.metrics = metrics,
		.n_metrics = ARRAY_LEN(metrics),
		.groups = s->groups,
		.n_groups = 4 };
	struct view_model m = s->model;
	struct snapshot snap = *m.snap;
	struct view v;

	for (size_t i = 0; i < ARRAY_LEN(metrics); i++) {
		metrics[i] = (struct metric){ .name = (char *)"m", .label = (char *)"many", .unit_text = (char *)"" };
		values[i] = value_ok(1);
		ceilings[i] = value_none(WHY_UNSUPPORTED);
	}
	metrics[ARRAY_LEN(metrics) - 1].group = (char *)"utilization";
	metrics[ARRAY_LEN(metrics) - 1].label = (char *)"of a group";
	snap.set = m.set = &set;
	snap.values = values;
	snap.ceilings = ceilings;
	m.snap = &snap;
	m.history = NULL;
	view_init(&v, false, SCHEME_DEFAULT);
	is_int(sweep(&m, false), 0, "%d metrics, all sizes", (int)ARRAY_LEN(metrics));
	ok(draws(&v, &m, 120, 40, "of a group") && draws(&v, &m, 120, 40, "more: Enter"),
		"the one of a group has its row");
}

/* Rows of panes with a bar or a history, of two panes beside each other. */
static int pictures(const struct view_model *m, int w, int h)
{
	struct canvas c = { 0 };
	struct view v;
	int n = 0;

	canvas_resize(&c, w, h);
	view_init(&v, true, SCHEME_DEFAULT);
	view_draw(&v, m, &c);
	for (int y = 0; y < h; y++) {
		bool found[2] = { false };

		for (int x = 0; x < w; x++) {
			unsigned role = c.cells[y * w + x].role;

			found[x >= w / 2] |= role >= ROLE_BAR && role <= ROLE_GRAPH;
		}
		n += found[0] + found[1];
	}
	canvas_release(&c);
	return n;
}

/* The label of one row, whichever, takes no bar and no history from the others. */
static void test_long_label(struct scene *s)
{
	for (int w = 78; w <= 98; w += 5) {
		int all = pictures(&s->model, w, 24), worst = all, at = 0;

		for (int i = 0; i < SCENE_METRICS; i++) {
			char *label = s->metrics[i].label;
			int n;

			s->metrics[i].label = (char *)"of sixteen, just";
			n = pictures(&s->model, w, 24);
			s->metrics[i].label = label;
			if (n < worst) {
				worst = n;
				at = i;
			}
		}
		ok(all > 15 && worst >= all - 3,
			"%d columns: of %d bars and histories %d stay beside a long label (%s)", w,
			all, worst, s->metrics[at].name);
	}
}

/* Bars begin right behind the numbers, whatever the units of rows without a bar; frame and label
 * name units only once. */
static void test_columns(struct scene *s)
{
	struct view_model m = s->model;
	struct view v;

	view_init(&v, true, SCHEME_DEFAULT);
	ok(draws(&v, &m, 120, 40, "/  67.2 #"), "the bar stands behind the roof");
	ok(draws(&v, &m, 120, 40, " msg/s"), "a unit without a bar in its row");
	ok(draws(&v, &m, 80, 24, "/  67.2 #"), "80x24 has roof and bar");
	s->groups[2].subtitle = (char *)"of the roof";
	ok(draws(&v, &m, 120, 40, "- Bandwidth GB/s of the roof -"),
		"the frame gets the unit of all bars");
	s->groups[2].subtitle = NULL;
	ok(draws(&v, &m, 120, 40, "- Bandwidth GB/s -") && draws(&v, &m, 120, 40, "/  67.2 #"),
		"also without other words");
	ok(draws(&v, &m, 120, 40, "GFLOP/s #"), "a row's own unit, before its bar");
	s->metrics[11].label = (char *)"GFLOP/s SP";
	ok(!draws(&v, &m, 120, 40, "GFLOP/s #") && draws(&v, &m, 120, 40, "/ 403.2 #"),
		"not where its label begins with it");
	s->metrics[11].label = (char *)"GFLOP/sum";
	ok(draws(&v, &m, 120, 40, "GFLOP/s #"),
		"the whole unit, not the first letters of another word");
}

/* Rows of one unit have the same decimals, whatever their values are. */
static void test_decimals(struct scene *s)
{
	static const struct {
		double v;
		const char *read, *eu, *gpu;
	} rows[] = {
		{ 0, " 0.0 /  67.2", " 0.00 /    16", " 0.00 W" }, { 0.1, " 0.1 /  67.2", " 0.10 /    16", " 0.10 W" },
		{ 9.96, "10.0 /  67.2", " 9.96 /    16", " 9.96 W" }, { 14.5, "14.5 /  67.2", "14.50 /    16", "14.50 W" },
	};
	struct view v;

	view_init(&v, true, SCHEME_DEFAULT);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		for (int metric = 0; metric < SCENE_METRICS; metric++)
			if (s->values[metric].why == WHY_OK)
				s->values[metric] = value_ok(rows[i].v);
		ok(draws(&v, &s->model, 120, 40, rows[i].read), "%g of 67.2 has one decimal",
			rows[i].v);
		ok(draws(&v, &s->model, 120, 40, rows[i].eu), "%g of 16 has two", rows[i].v);
		ok(draws(&v, &s->model, 120, 40, rows[i].gpu),
			"%g W without a roof has as many as the row with one", rows[i].v);
	}
}

static void test_lines(struct scene *s)
{
	static const char long_status[] = "compute-bound: every FPU is kept busy from registers: "
					  "and this goes on and on and on until the end";
	static const char *const keys[] = { "Help", "Pane", "Explain", "Pause", "Rate", "Set",
		"Devices", "Record", "Quit" };
	struct view_model m = s->model;
	struct snapshot snap = s->snap;
	struct view v;

	m.snap = &snap;
	snprintf(snap.status, sizeof(snap.status), "%s", long_status);
	view_init(&v, false, SCHEME_DEFAULT);
	v.screen = VIEW_LOG;
	ok(draws(&v, &m, 80, 24, "and this goes on and on …\n"),
		"a line that is too long ends with an ellipsis");
	ok(draws(&v, &m, 80, 24, "BANDWIDTH-BOUND: GTI read 57.1 of 67.2 GB/s"),
		"below it stands the answer");
	v.screen = VIEW_OVERVIEW;
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		ok(draws(&v, &m, 80, 24, keys[i]) && draws(&v, &m, 120, 40, keys[i]),
			"80 and 120 columns show %s", keys[i]);
	for (int w = 20; w <= 80; w += 20)
		ok(draws(&v, &m, w, 24, "h Help") && draws(&v, &m, w, 24, "q Quit"),
			"%d columns show how to get help and out", w);
	for (int w = 20; w <= 120; w += 10)
		ok(draws(&v, &m, w, 24,
			   w < 60 ? "14:03:22\n" : "14:03:22"),
			"%d columns show the time", w);
}

/* Clicks along the last line meet every key that stands there, with its command. */
static void test_footer_clicks(struct scene *s)
{
	struct view v;
	int quit = 0, found = 0;

	for (int x = 0; x < 80; x++) {
		struct key_event k = { .code = KEY_MOUSE_, .ch = 1, .x = x, .y = 23 };
		enum command cmd;

		view_init(&v, false, SCHEME_DEFAULT);
		cmd = scene_click(&v, &s->model, &k, 80, 24);
		found += cmd == CMD_QUIT || cmd == CMD_RECORD || cmd == CMD_PAUSE ||
			cmd == CMD_FASTER || cmd == CMD_SETS;
		quit += cmd == CMD_QUIT;
	}
	is_int(quit, 6, "a click on each column of quit quits");
	is_int(found, 6 + 8 + 11 + 8 + 5, "and so with the others");
}

/* To draw the screen anew leaves what is open as it is: a line that is typed, a question, a box, a menu. */
static void test_redraw(struct scene *s)
{
	static const enum command opens[] = { CMD_FIND, CMD_FILTER, CMD_GOTO, CMD_HELP, CMD_SETUP, CMD_SIGNAL, CMD_EXPLAIN };
	const struct key_event redraw = { .code = KEY_CTRL, .ch = 'L' };
	int open = 0, kept = 0;
	unsigned prompts = 0;

	scene_clients(s, &(struct client_choice){ .by_process = true });
	for (int screen = 0; screen < VIEW_SCREENS; screen++)
		for (size_t i = 0; i < ARRAY_LEN(opens); i++) {
			struct view v;

			view_init(&v, false, SCHEME_DEFAULT);
			v.screen = (enum view_screen)screen;
			scene_command(&v, &s->model, opens[i], 120, 40);
			enum prompt_kind prompt = v.prompt.kind;
			enum view_menu menu = v.menu;
			bool help = v.help, explain = v.explain, is_open = prompt || menu || help || explain;
			prompts |= 1u << prompt;
			open += is_open;
			kept += is_open && view_key(&v, &s->model, &redraw, 120, 40) == CMD_REDRAW && v.prompt.kind == prompt &&
				v.menu == menu && v.help == help && v.explain == explain;
			view_release(&v);
		}
	scene_clients_free(s);
	s->model.clients = NULL;
	s->model.client_list = NULL;
	s->model.tracks = NULL;
	is_int(prompts, (2 << PROMPT_QUESTION) - 1, "each kind of line that is typed was opened, and a question");
	is_int(kept, open, "what is open stays when the screen is drawn anew");
}

int main(void)
{
	struct scene *s = scene_new(300);

	setlocale(LC_ALL, "");
	test_sizes(s);
	test_commands(s);
	test_quit_in_boxes(s);
	test_redraw(s);
	test_returned(s);
	test_one_meaning(s);
	test_counters(s);
	test_moves(s);
	test_click(s);
	test_click_on_box(s);
	test_rows(s);
	test_menu_clicks(s, CMD_SETUP, VIEW_OVERVIEW);
	test_menu_clicks(s, CMD_DRAWN, VIEW_ROOFLINE);
	test_menu_clicks(s, CMD_DRAWN, VIEW_MAP);
	test_menu_clicks(s, CMD_SORT, VIEW_PROCS);
	test_rows_apart(s);
	test_many_rows(s);
	test_past(s);
	test_units(s);
	test_honest(s);
	test_odd_sets(s);
	test_columns(s);
	test_long_label(s);
	test_lines(s);
	test_footer_clicks(s);
	test_decimals(s);
	scene_free(s);
	return done_testing();
}
