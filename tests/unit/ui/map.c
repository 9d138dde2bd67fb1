/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The map screen: places of cells, figures over them, stale and missing ones, keys, and every size
 * with maps from 1 to 512 cells. */
#include "config.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "tests/tap.h"
#include "ui/screens/grid.h"
#include "ui/frame/screen.h"
#include "ui/frame/view.h"

/* A set of two metrics of cells and one of the device, and a map of n cells. */
struct scene {
	struct metric metrics[3];
	struct metric_set set;
	struct device device;
	struct value values[3], ceilings[3];
	char (*names)[CELL_NAME_SIZE];
	int columns[2];
	struct snapshot snap;
	struct history history, cells;
	struct view_model model;
	struct view view;
};

static void name_cell(char *buf, const char *form, int i, int cols)
{
	if (!strcmp(form, "grid"))
		snprintf(buf, CELL_NAME_SIZE, "R%dE%d", (i / cols) % 100,
			i % 100 % (cols < 100 ? cols : 100));
	else if (!strcmp(form, "EUs"))
		snprintf(buf, CELL_NAME_SIZE, "S0SS%dE%d", (i / cols) % 10, i % cols % 100);
	else
		snprintf(buf, CELL_NAME_SIZE, "core %d", i % 1000);
}

static void fill_cells(struct scene *s, int n, double (*f)(int i))
{
	struct cell_map *map = &s->snap.maps[0];

	history_init(&s->cells, 2 * n, 8);
	for (int w = 0; w < 8; w++) {
		history_open_row(&s->cells);
		for (int i = 0; i < n; i++) {
			double v = f(i);

			map->values[3 * i] = isnan(v) ? value_none(WHY_DIV_ZERO) : value_ok(v);
			map->values[3 * i + 1] = isnan(v) ? value_none(WHY_DIV_ZERO)
							  : value_ok(v * 1e6);
			map->values[3 * i + 2] = value_none(WHY_NOT_IN_SET);
			map->t_ns[i] = s->snap.mono_ns;
			history_set(&s->cells, 2 * i, map->values[3 * i]);
			history_set(&s->cells, 2 * i + 1, map->values[3 * i + 1]);
		}
	}
}

static void scene_init(struct scene *s, int n, const char *form, int cols, double (*f)(int i))
{
	*s = (struct scene){ 0 };
	s->metrics[0] = (struct metric){ .name = (char *)"part",
		.label = (char *)"Part",
		.unit_text = (char *)"%",
		.scope = (char *)"core",
		.unit = { .scale = 0.01 } };
	s->metrics[1] = (struct metric){ .name = (char *)"count",
		.label = (char *)"Count",
		.unit_text = (char *)"",
		.scope = (char *)"core",
		.unit = { .scale = 1 } };
	s->metrics[2] = (struct metric){ .name = (char *)"all",
		.label = (char *)"All",
		.unit_text = (char *)"",
		.scope = (char *)"device",
		.unit = { .scale = 1 } };
	s->set = (struct metric_set){
		.name = (char *)"test", .metrics = s->metrics, .n_metrics = 3
	};
	s->names = xcalloc((size_t)n, sizeof(*s->names));
	s->columns[1] = 1;
	s->snap = (struct snapshot){ .seq = 1,
		.mono_ns = 100 * NS_PER_S,
		.cells_ns = 100 * NS_PER_S,
		.window_ns = NS_PER_S,
		.device = &s->device,
		.set = &s->set,
		.values = s->values,
		.ceilings = s->ceilings,
		.verdict = { .metric = -1 } };
	for (int i = 0; i < 3; i++) {
		s->values[i] = value_ok(50);
		s->ceilings[i] = i == 0 ? value_ok(100) : value_none(WHY_UNSUPPORTED);
	}
	for (int i = 0; i < n; i++)
		name_cell(s->names[i], form, i, cols);
	s->snap.n_maps = 1;
	s->snap.maps[0] = (struct cell_map){ .scope = "core",
		.text = "one shader core",
		.n = n,
		.names = (const char(*)[CELL_NAME_SIZE])s->names,
		.metrics = s->columns,
		.n_metrics = 2,
		.stride = 3 };
	s->snap.maps[0].values = xcalloc((size_t)n * 3, sizeof(struct value));
	s->snap.maps[0].t_ns = xcalloc((size_t)n, sizeof(int64_t));
	history_init(&s->history, 3, 8);
	fill_cells(s, n, f);
	s->model = (struct view_model){ .device = &s->device,
		.set = &s->set,
		.snap = &s->snap,
		.history = &s->history,
		.cell_history = &s->cells,
		.how = "a test",
		.delay_ns = NS_PER_S,
		.self_cpu_pct = NAN };
	view_init(&s->view, false, SCHEME_DEFAULT);
	s->view.screen = VIEW_MAP;
}

static void scene_release(struct scene *s)
{
	free(s->names);
	free(s->snap.maps[0].values);
	free(s->snap.maps[0].t_ns);
	history_release(&s->cells);
	history_release(&s->history);
}

static double ramp(int i)
{
	return i % 101;
}

static double holes(int i)
{
	return i % 3 == 1 ? NAN : i % 101;
}

static char *picture(struct scene *s, int w, int h)
{
	struct canvas c = { 0 };
	struct strbuf text = { 0 };
	char *copy;

	canvas_resize(&c, w, h);
	view_draw(&s->view, &s->model, &c);
	canvas_dump_text(&c, &text);
	copy = xstrdup(strbuf_str(&text));
	strbuf_release(&text);
	canvas_release(&c);
	return copy;
}

static bool shows(struct scene *s, int w, int h, const char *what)
{
	char *text = picture(s, w, h);
	bool found = strstr(text, what) != NULL;

	if (!found)
		fprintf(stderr, "%s\n", text);
	free(text);
	return found;
}

static void test_grid(void)
{
	struct scene s;
	struct grid g;
	int row, col;

	scene_init(&s, 8, "grid", 4, ramp);
	ok(grid_make(&g, &s.snap.maps[0], 3), "R0E0 to R1E3 have rows and columns");
	is_int(g.rows * 10 + g.cols, 24, "two rows of four");
	is_str(g.row[1], "R1", "named");
	is_str(g.col[3], "E3", "both");
	grid_place(&g, &s.snap.maps[0], 6, &row, &col);
	is_int(row * 10 + col, 12, "the seventh stands in the second row");
	is_int(grid_cell(&g, &s.snap.maps[0], 1, 2), 6, "and is found there");
	is_int(grid_cell(&g, &s.snap.maps[0], 2, 0), -1, "there is no third row");
	scene_release(&s);
	scene_init(&s, 24, "EUs", 8, ramp);
	ok(grid_make(&g, &s.snap.maps[0], 3), "so have the EUs of three subslices");
	is_int(g.rows * 10 + g.cols, 38, "a row for each subslice");
	is_str(g.row[2], "S0SS2", "named by slice and subslice");
	is_str(g.col[7], "E7", "its EUs are columns");
	is_int(grid_cell(&g, &s.snap.maps[0], 1, 2), 10, "and stand there");
	scene_release(&s);
	scene_init(&s, 10, "flow", 0, ramp);
	ok(!grid_make(&g, &s.snap.maps[0], 4), "cores have neither");
	is_int(g.rows * 10 + g.cols, 34, "ten in rows of four");
	is_int(grid_cell(&g, &s.snap.maps[0], 2, 1), 9, "the last one");
	is_int(grid_cell(&g, &s.snap.maps[0], 2, 2), -1, "and nothing after it");
	scene_release(&s);
}

static void test_stats(void)
{
	struct cell_stats st;
	struct scene s;

	scene_init(&s, 6, "flow", 0, holes);	/* 0 -- 2 3 -- 5 */
	st = cell_stats_make(&s.snap, &s.snap.maps[0], 0, NS_PER_S);
	is_int(st.n * 100 + st.stale * 10 + st.none, 402, "four numbers, two without");
	is_near(st.mean, 2.5, 1e-12, "the mean of those with a number");
	is_near(st.imbalance, 2, 1e-12, "largest over mean");
	s.snap.maps[0].t_ns[5] = s.snap.mono_ns - 3 * NS_PER_S;
	st = cell_stats_make(&s.snap, &s.snap.maps[0], 0, NS_PER_S);
	is_int(st.n * 100 + st.stale * 10 + st.none, 312, "an old one is left out");
	is_near(st.max, 3, 0, "of the largest too");
	ok(shows(&s, 120, 40, "5.0?"), "and has a mark");
	ok(shows(&s, 120, 40, "3 cells, 1 stale ?, 2 missing x"), "the pane counts them");
	ok(shows(&s, 120, 40, "age 0.0 to 3.0 s"), "ages are told");
	scene_release(&s);
	scene_init(&s, 4, "flow", 0, holes);
	for (int i = 0; i < 4; i++)
		s.snap.maps[0].values[3 * i] = value_ok(0);
	st = cell_stats_make(&s.snap, &s.snap.maps[0], 0, NS_PER_S);
	ok(isnan(st.imbalance), "zeros have no imbalance");
	scene_release(&s);
}

/* A key as the user types it on an 80x24 screen. */
static enum command press(struct scene *s, const char *key)
{
	struct canvas c = { 0 };
	struct key_event k;

	canvas_resize(&c, 80, 24);
	view_draw(&s->view, &s->model, &c);
	canvas_release(&c);
	return key_parse(key, &k) ? view_key(&s->view, &s->model, &k, 80, 24) : CMD_QUIT;
}

static void test_keys(void)
{
	struct scene s;

	scene_init(&s, 8, "grid", 4, ramp);
	press(&s, "Right");
	press(&s, "Down");
	is_int(s.view.map.cell, 5, "right and down");
	press(&s, "Down");
	is_int(s.view.map.cell, 5, "no further");
	press(&s, "Left");
	press(&s, "Up");
	is_int(s.view.map.cell, 0, "left and up");
	press(&s, "Left");
	is_int(s.view.map.cell, 0, "no further");
	press(&s, "End");
	is_int(s.view.map.cell, 7, "the last one");
	ok(shows(&s, 80, 24, "core: Part %"), "the first metric");
	press(&s, "Tab");
	ok(shows(&s, 80, 24, "core: Count"), "the next one");
	ok(shows(&s, 80, 24, " Tab metric 2 of 2 "), "of two");
	press(&s, "S-Tab");
	is_int(s.view.map.metric, 0, "and back");
	press(&s, "S-Tab");
	is_int(s.view.map.metric, 1, "and around");
	press(&s, "v");
	press(&s, "Right");
	is_int(s.view.map.metric, 0, "the menu of what is drawn has it, too");
	press(&s, "Down");
	is_int(press(&s, "Enter"), CMD_MAP_SET, "another set is the program's business");
	press(&s, "End");
	press(&s, "Right");
	press(&s, "Esc");
	ok(shows(&s, 80, 24, "[0123456789]"), "digits on demand");
	press(&s, "v");
	press(&s, "End");
	press(&s, "Left");
	press(&s, "Up");
	press(&s, "Right");
	press(&s, "Esc");
	ok(shows(&s, 80, 24, "] 7 "), "the scale ends at the highest cell");
	s.view.map.cell = 99;
	s.view.map.metric = -3;
	s.view.map.map = 5;
	ok(shows(&s, 80, 24, "core: Part %"), "a place of another set does no harm");
	is_int(press(&s, "Left"), CMD_NONE, "nor do keys there");
	is_int(s.view.map.cell, 6, "from the last cell on");
	scene_release(&s);
}

static void test_no_map(void)
{
	struct scene s;

	scene_init(&s, 8, "grid", 4, ramp);
	s.snap.n_maps = 0;
	ok(shows(&s, 120, 24, "no other set of this device has a map"), "no set has one");
	s.model.map_set = "eumap";
	s.model.paused = true;
	ok(shows(&s, 80, 24, "The map has a set of its own, eumap, which counts when"),
		"another set has one, which a paused screen does not count");
	s.model.paused = false;
	s.model.recording = true;
	ok(shows(&s, 80, 24, "a recording holds what one"), "nor one that records");
	s.model.recording = false;
	s.model.map_set = NULL;
	s.device.recorded = true;
	ok(shows(&s, 80, 24, "It is what the recording holds."), "a recording stays what it is");
	s.snap.n_maps = 1;
	s.model.bound = &s.snap;
	s.model.snap = NULL;
	ok(shows(&s, 80, 24, "core: Part %"), "before the first window the map has its cells");
	s.model.bound = NULL;
	ok(shows(&s, 80, 24, "no complete window"), "nothing measured yet");
	press(&s, "Enter");
	ok(!s.view.explain, "nothing to explain");
	scene_release(&s);
}

static void test_click(void)
{
	struct key_event k = { .code = KEY_MOUSE_, .ch = 1, .x = 0, .y = 0 };
	bool seen[8] = { false };
	struct canvas c = { 0 };
	int hit = 0;
	struct scene s;

	scene_init(&s, 8, "grid", 4, ramp);
	canvas_resize(&c, 80, 24);
	view_draw(&s.view, &s.model, &c);
	for (k.y = 3; k.y < 12; k.y++)
		for (k.x = 0; k.x < 80; k.x++) {
			view_click(&s.view, &s.model, &k, &c);
			ok(s.view.map.cell >= 0 && s.view.map.cell < 8,
				"a click at %d,%d stays on the map", k.x, k.y);
			hit += !seen[s.view.map.cell];
			seen[s.view.map.cell] = true;
		}
	is_int(hit, 8, "each cell can be clicked");
	int list, row, rows = 0;
	for (k.y = 12; k.y < 24; k.y++) {
		if (!offered_row(&c, 4, k.y, &list, &row))
			continue;
		k.x = 4;
		view_click(&s.view, &s.model, &k, &c);
		rows += s.view.map.cell == row;
	}
	ok(rows > 0, "and %d rows of their past", rows);
	canvas_release(&c);
	scene_release(&s);
}

/* Canary around the canvas is the sanitizer's business; here every size must draw, and lines must
 * have the width. */
static void test_sizes(void)
{
	static const struct { int n; const char *form; int cols; } maps[] = {
		{ 1, "flow", 0 }, { 3, "flow", 0 }, { 8, "grid", 4 }, { 24, "flow", 0 }, { 96, "grid", 16 }, { 128, "flow", 0 }, { 512, "flow", 0 },
	};
	static const int widths[] = { 1, 5, 19, 20, 21, 40, 60, 79, 80, 100, 120, 200, 300 };
	static const int heights[] = { 1, 3, 4, 5, 8, 10, 12, 24, 30, 40, 60, 80 };

	for (size_t i = 0; i < ARRAY_LEN(maps); i++) {
		int drawn = 0, tried = 0;
		struct scene s;

		scene_init(&s, maps[i].n, maps[i].form, maps[i].cols, holes);
		for (int mode = 0; mode < 4; mode++) {
			s.view.ascii = mode & 1;
			s.view.map.digits = mode & 2;
			s.view.map.cell = mode * maps[i].n / 4;
			for (size_t w = 0; w < ARRAY_LEN(widths); w++)
				for (size_t h = 0; h < ARRAY_LEN(heights); h++) {
					if (!in_share())
						continue;
					char *text = picture(&s, widths[w], heights[h]);

					tried++;
					drawn += text[0] != '\0';
					free(text);
				}
		}
		is_int(drawn, tried, "%d cells (%s) in %d sizes", maps[i].n, maps[i].form, tried);
		scene_release(&s);
	}
}

static void test_compact(void)
{
	struct scene s;

	scene_init(&s, 96, "flow", 0, ramp);
	ok(shows(&s, 80, 24, "[0123456789]"), "96 cells at 80x24 are digits");
	press(&s, "/");
	press(&s, "4");
	press(&s, "2");
	press(&s, "Enter");
	is_int(s.view.map.cell, 42, "a cell is found by its name");
	ok(shows(&s, 80, 24, "core 42  42.0 %"), "and says its number where it is a digit");
	ok(shows(&s, 80, 24, "core 0  00000000 00111111 11112222"), "eight by eight");
	ok(shows(&s, 80, 24, "96 cells, one shader core"), "and say what they are");
	scene_release(&s);
}

int main(void)
{
	test_grid();
	test_stats();
	test_keys();
	test_no_map();
	test_click();
	test_sizes();
	test_compact();
	return done_testing();
}
