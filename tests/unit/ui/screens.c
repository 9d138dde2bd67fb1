/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Screens with more in them than fits: a thousand processes, more kernels than the catalogue has, a
 * roofline; in every size. */
#include "config.h"

#include <locale.h>
#include <math.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "tests/tap.h"
#include "tests/ui_scene.h"

#define MANY_KERNELS 700
#define MANY_PROCESSES 1000
#define MANY_ROWS 10000
#define PLOT_RIGHT 78	/* last column and row of the roofline's plot on 80x24 */
#define PLOT_BOTTOM 18

static struct kernel_info *many_kernels(void)
{
	struct kernel_info *k = xcalloc(MANY_KERNELS, sizeof(*k));

	for (int i = 0; i < MANY_KERNELS; i++) {
		snprintf(k[i].name, sizeof(k[i].name), "flops.test.op%d.sp.x4", i);
		snprintf(k[i].text, sizeof(k[i].text), "the kernel number %d", i);
		k[i].work.flop = 8;
		k[i].supported = true;
	}
	return k;
}

static char *text_of(struct view *v, const struct view_model *m, int w, int h)
{
	struct canvas c = { 0 };
	struct strbuf b = { 0 };
	char *text;

	canvas_resize(&c, w, h);
	view_draw(v, m, &c);
	canvas_dump_text(&c, &b);
	text = xstrdup(strbuf_str(&b));
	strbuf_release(&b);
	canvas_release(&c);
	return text;
}

static bool shows(struct view *v, const struct view_model *m, int w, int h, const char *what)
{
	char *text = text_of(v, m, w, h);
	bool found = strstr(text, what);

	free(text);
	return found;
}

/* A character of the screen of 80x24. */
static uint32_t cell_at(struct view *v, const struct view_model *m, int x, int y)
{
	struct canvas c = { 0 };
	uint32_t ch;

	canvas_resize(&c, 80, 24);
	view_draw(v, m, &c);
	ch = c.cells[y * c.w + x].ch;
	canvas_release(&c);
	return ch;
}

static void click(struct view *v, const struct view_model *m, int x, int y)
{
	struct key_event k = { .code = KEY_MOUSE_, .ch = 1, .x = x, .y = y };

	scene_click(v, m, &k, 80, 24);
}

/* All sizes of all screens; a wrong one would run over its canvas (with sanitizers) or leave it
 * clipped. */
static void sizes(struct view_model *m, const char *what)
{
	struct canvas c = { 0 };
	struct view v;
	int bad = 0;

	view_init(&v, false, SCHEME_DEFAULT);
	for (int screen = 0; screen < VIEW_SCREENS; screen++)
		for (int w = 1; w < 210; w += w < 50 ? 3 : 17)
			for (int h = 1; h < 65; h += h < 20 ? 1 : 9) {
				if (!in_share())
					continue;
				v.screen = (enum view_screen)screen;
				v.explain = h % 5 == 4;
				canvas_resize(&c, w, h);
				view_draw(&v, m, &c);
				bad += c.clip.w != w || c.clip.h != h;
			}
	canvas_release(&c);
	is_int(bad, 0, "all screens in all sizes, %s", what);
}

static void launcher(struct scene *s)
{
	struct kernel_info *kernels = many_kernels();
	struct job_state running = { .phase = JOB_RUNNING, .progress.elapsed_ns = NS_PER_S };
	struct view_model m = s->model;
	struct view v;
	struct job job;

	view_init(&v, false, SCHEME_DEFAULT);
	v.screen = VIEW_STRESS;
	m.kernels = kernels;
	m.n_kernels = MANY_KERNELS;
	scene_command(&v, &m, CMD_BOTTOM, 80, 24);
	view_job(&v, &m, &job);
	is_str(job.kernel, "flops.test.op699.sp.x4", "the last of many kernels can be chosen");
	ok(shows(&v, &m, 80, 24, "of 700"), "and all are counted");
	click(&v, &m, 5, 4);
	view_job(&v, &m, &job);
	is_str(job.kernel, "flops.test.op691.sp.x4", "a click chooses the row that is there");
	ok(shows(&v, &m, 20, 4, "op691"), "the smallest screen has a row of the list");
	click(&v, &m, 45, 4);
	is_int(v.stress.field, 3, "a click chooses the field that is there");
	v.stress.field = 0;
	click(&v, &m, 45, 8);
	is_int(v.stress.field, 0, "a click where no field is drawn chooses none");
	m.job = &running;
	ok(!shows(&v, &m, 80, 12, "work-groups"),
		"a running kernel takes the place of the fields on a low screen");
	for (int y = 3; y < 7; y++) {
		struct key_event k = { .code = KEY_MOUSE_, .ch = 1, .x = 45, .y = y };

		scene_click(&v, &m, &k, 80, 12);
	}
	is_int(v.stress.field, 0, "and no click reaches them there");
	sizes(&m, "many kernels and a running one");
	free(kernels);
}

#define LIST_ROWS 30

/* Whichever row of LIST_ROWS is chosen, it stands on the screen, however low that is. Rows are told from each other by their numbers. */
static void chosen_in_sight(struct view *v, const struct view_model *m, const char *what)
{
	for (int h = 10; h < 40; h += 3) {
		int seen = 0;

		scene_command(v, m, CMD_TOP, 120, h);
		for (int i = 0; i < LIST_ROWS; i++) {
			char name[20];

			snprintf(name, sizeof(name), "row%02d", i);
			seen += shows(v, m, 120, h, name);
			scene_command(v, m, CMD_DOWN, 120, h);
		}
		is_int(seen, LIST_ROWS, "%s on %d lines: each row is in sight when it is chosen", what, h);
	}
}

static void processes(struct scene *s)
{
	struct view_model m = s->model;
	struct view v;
	char *text, *wide;

	view_init(&v, false, SCHEME_DEFAULT);
	v.screen = VIEW_PROCS;
	s->clients = (struct client_table){ .n_engines = 1, .hidden = 3 };
	snprintf(s->clients.engines[0], sizeof(s->clients.engines[0]), "render");
	for (int i = 0; i < MANY_PROCESSES; i++)
		scene_client(s, 100000 + i, (uint64_t)i, "someone",
			i % 2 ? "/usr/lib/a very long command with --many "
				"--options=of-which-each-is-long"
			      : "映画 再生 --全画面 とても長い名前のプログラム",
			(double)(MANY_PROCESSES - i) / 20, 0, 1 << 20, i);
	client_select(&s->clients, &v.procs.choice, &s->client_list);
	m.clients = &s->clients;
	m.client_list = &s->client_list;
	m.clients_how = "DRM fdinfo";
	sizes(&m, "a thousand processes with long and wide names");
	text = text_of(&v, &m, 80, 24);
	ok(strstr(text, "100000") && !strstr(text, "100030"), "the busiest come first");
	wide = strstr(text, "映画");
	ok(wide && (strstr(wide, "…") || strstr(wide, "全")), "wide names stand in their column");
	free(text);
	scene_command(&v, &m, CMD_BOTTOM, 80, 24);
	ok(shows(&v, &m, 80, 24, "▸ 100999"), "the last one can be reached");
	ok(shows(&v, &m, 40, 24, "3 processes of others hidden"),
		"what is hidden is said whole on a narrow screen");
	int busy = metric_set_index(&s->set, "gpu_busy"), asleep = metric_set_index(&s->set, "rc6");
	const struct metric counters[] = { s->metrics[busy], s->metrics[asleep] };
	const struct value values[] = { s->values[busy], s->values[asleep] };
	s->metrics[busy].limit.while_awake = true;
	s->metrics[asleep].limit.role = LIMIT_ASLEEP;
	s->metrics[asleep].unit.scale = 0.01;
	s->values[busy] = value_ok(80);
	s->values[asleep] = value_ok(50);
	ok(shows(&v, &m, 80, 24, "by its counters 40.0 %"),
		"the counters' busy time is of all time, as that of processes is");
	s->metrics[busy] = counters[0];
	s->metrics[asleep] = counters[1];
	s->values[busy] = values[0];
	s->values[asleep] = values[1];
	scene_clients_free(s);
	s->clients = (struct client_table){ .n_engines = 1 };
	for (int i = 0; i < LIST_ROWS; i++) {
		char name[20];

		snprintf(name, sizeof(name), "row%02d", i);
		scene_client(s, 100 + i, (uint64_t)i, "someone", name, LIST_ROWS - i, 0, 1 << 20, i);
	}
	client_select(&s->clients, &v.procs.choice, &s->client_list);
	v.procs.details = false;	/* they have the name, too */
	chosen_in_sight(&v, &m, "processes");
	scene_clients_free(s);
	s->clients = (struct client_table){ 0 };
	s->client_list = (struct client_list){ 0 };
}

static void found_devices(const struct scene *s)
{
	static struct device_summary found[LIST_ROWS];
	struct view_model m = s->model;
	struct view v;

	view_init(&v, false, SCHEME_DEFAULT);
	v.screen = VIEW_DEVICES;
	for (int i = 0; i < LIST_ROWS; i++) {
		found[i] = m.devices[0];
		snprintf(found[i].id, sizeof(found[i].id), "row%02d", i);
	}
	m.devices = found;
	m.n_devices = LIST_ROWS;
	chosen_in_sight(&v, &m, "what was found");
}

/* 403.2 and 50.4 GFLOP/s, L3 and DRAM of 201.6 and 34.1 GB/s; the point is at 1/8 FLOP/B. */
static struct roofline *a_roofline(struct scene *s)
{
	static const struct {
		enum roof_role role;
		const char *name, *label;
		double bound;
	} rows[] = { { ROOF_FLOP, "sp.mad", "SP mad", 403.2e9 },
		{ ROOF_FLOP, "dp.add", "DP add", 50.4e9 }, { ROOF_BYTES, "L3", "L3", 201.6e9 },
		{ ROOF_BYTES, "DRAM", "DRAM", 34.1e9 } };
	struct roofline *r = xcalloc(1, sizeof(*r));

	r->set = &s->set;
	r->performance = 11;
	r->clock_hz = r->max_hz = 1050e6;
	r->estimated = true;
	r->n_roofs = (int)ARRAY_LEN(rows);
	for (int i = 0; i < r->n_roofs; i++) {
		r->roofs[i] = (struct roof){ .role = rows[i].role,
			.label = rows[i].label,
			.theory = value_ok(rows[i].bound),
			.measured = NAN };
		snprintf(r->roofs[i].name, sizeof(r->roofs[i].name), "%s", rows[i].name);
	}
	r->n_views = 2;
	for (int i = 0; i < r->n_views; i++) {
		r->views[i] = (struct roof_view){ .roof = 2 + i,
			.traffic = i ? 25 : 18,
			.live = { 0.125, 4e9, NS_PER_S },
			.why = WHY_OK,
			.predicted = { NAN, NAN, 0 } };
		snprintf(r->views[i].level, sizeof(r->views[i].level), "%s", rows[2 + i].name);
	}
	return r;
}

/* Opens the line and types; it stays open. */
static void search(struct view *v, const struct view_model *m, const char *text)
{
	v->prompt.kind = PROMPT_NONE;
	scene_command(v, m, CMD_FIND, 120, 40);
	for (; *text; text++) {
		struct key_event k = { .code = KEY_CHAR, .ch = (uint32_t)*text };

		view_key(v, m, &k, 120, 40);
	}
}

/* The box that explains a row begins at its top for the next one. */
static void search_explained(const struct scene *s)
{
	const struct view_model *m = &s->model;
	struct view v;

	view_init(&v, false, SCHEME_DEFAULT);
	v.screen = VIEW_COUNTERS;
	snprintf(v.find, sizeof(v.find), "rate");
	scene_command(&v, m, CMD_EXPLAIN, 60, 12);
	scene_command(&v, m, CMD_DOWN, 60, 12);
	is_int(v.explain_top, 1, "the box is scrolled");
	int metric = v.counters.metric;
	scene_command(&v, m, CMD_FIND_NEXT, 60, 12);
	ok(v.counters.metric != metric, "the next row is found");
	is_int(v.explain_top, 0, "it is explained from the top on");
}

static void beside_graphs(struct scene *s, struct view_model *m)
{
	struct key_event k = { .code = KEY_MOUSE_, .ch = 1, .x = 110, .y = 15 };
	struct view v;

	view_init(&v, false, SCHEME_DEFAULT);
	ok(shows(&v, m, 120, 40, "Roofline DRAM, GFLOP/s"),
		"the overview has a small roofline where there is room");
	ok(!shows(&v, m, 80, 24, "Roofline"), "and none where there is not");
	scene_click(&v, m, &k, 120, 40);
	is_int(v.screen, VIEW_ROOFLINE, "a click on it turns to its screen");
	v.screen = VIEW_OVERVIEW;
	view_hide(&v, VIEW_PANE_ROOFLINE, true);
	ok(!shows(&v, m, 120, 40, "Roofline DRAM, GFLOP/s"), "it can be hidden");
	view_hide(&v, VIEW_PANE_ROOFLINE, false);
	s->clients = (struct client_table){ .n_engines = 1 };
	snprintf(s->clients.engines[0], sizeof(s->clients.engines[0]), "render");
	scene_client(s, 4711, 1, "me", "busy-program", 50, 0, 1 << 20, 1);
	client_select(&s->clients, &v.procs.choice, &s->client_list);
	m->clients = &s->clients;
	m->client_list = &s->client_list;
	m->clients_how = "DRM fdinfo";
	v.screen = VIEW_OVERVIEW;
	ok(shows(&v, m, 120, 40, "busy-program"), "processes are shown");
	view_hide(&v, VIEW_PANE_PROCESSES, true);
	ok(!shows(&v, m, 120, 40, "busy-program"), "and can be hidden");
	view_hide(&v, VIEW_PANE_PROCESSES, false);
	k.x = 60;
	k.y = 35;
	scene_click(&v, m, &k, 120, 40);
	is_int(v.screen, VIEW_PROCS, "a click on them turns to their screen");
	scene_clients_free(s);
	m->clients = NULL;
	m->client_list = NULL;
}

static void all_devices(struct scene *s)
{
	static struct device_line many[LIST_ROWS];
	struct view_model m = s->model;
	struct device_line line = { .id = "card0", .open = true, .memory_gb = 3.2, .memory_all_gb = NAN };
	struct view v;

	view_init(&v, false, SCHEME_DEFAULT);
	v.screen = VIEW_ALL;
	m.lines = &line;
	m.n_lines = 1;
	ok(shows(&v, &m, 200, 24, " 3.2 GB"), "memory whose size is not known stands alone");
	for (int i = 0; i < LIST_ROWS; i++) {
		many[i] = line;
		snprintf(many[i].id, sizeof(many[i].id), "row%02d", i);
	}
	m.lines = many;
	m.n_lines = LIST_ROWS;
	chosen_in_sight(&v, &m, "devices");
}

static void roofline(struct scene *s)
{
	struct view_model m = s->model;
	struct roofline *r = a_roofline(s);
	struct view v;

	view_init(&v, false, SCHEME_DEFAULT);
	v.screen = VIEW_ROOFLINE;
	s->snap.roofline = r;
	ok(shows(&v, &m, 120, 40, "SP mad    403.2  theory") &&
			shows(&v, &m, 120, 40, "DP add     50.4  theory"),
		"roofs have the decimals of the highest");
	ok(shows(&v, &m, 120, 40, "▸DRAM    0.125   4.263     1.07x") &&
			shows(&v, &m, 120, 40, " L3      0.125   25.20     6.30x"),
		"a row for each level: intensity, what is allowed there, headroom");
	ok(shows(&v, &m, 80, 24, "roof 4.263 (DRAM), headroom 1.07x"),
		"in one line it says which roof");
	ok(shows(&v, &m, 40, 10, "DRAM: 0.125 FLOP/B  headroom 1.07x"),
		"and on a narrow screen at least the headroom");
	const double clock_hz = r->clock_hz;
	v.roof.per_cycle = true;
	ok(shows(&v, &m, 120, 40, "FLOP/cycle, GB/s"), "roofs per cycle say so");
	r->clock_hz = NAN;
	ok(shows(&v, &m, 120, 40, "GFLOP/s, GB/s"), "  ... and in seconds where no clock is known");
	r->clock_hz = clock_hz;
	v.roof.per_cycle = false;
	search(&v, &m, "l3");
	ok(shows(&v, &m, 120, 40, "▸L3") && v.prompt.kind == PROMPT_FIND,
		"a level is found by its name");
	search(&v, &m, "nothing");
	ok(shows(&v, &m, 120, 40, "not found"), "what is not there is said so");
	search(&v, &m, "dram");
	ok(!shows(&v, &m, 120, 40, "not found") && shows(&v, &m, 120, 40, "▸DRAM"),
		"and no more when something is found again");
	view_release(&v);
	v.prompt.kind = PROMPT_NONE;
	r->views[1].live.intensity = INFINITY;
	is_int(cell_at(&v, &m, PLOT_RIGHT, 15), '>',
		"a point without bytes is an arrow at the right");
	r->views[1].live = (struct roof_point){ 0.125, 1e6, NS_PER_S };
	is_int(cell_at(&v, &m, 13, PLOT_BOTTOM), 'v',
		"one below the plot an arrow at its lower end");
	scene_command(&v, &m, CMD_MARK, 120, 40);
	ok(shows(&v, &m, 120, 40, "1 DRAM: 0.125 FLOP/B"), "kept points are listed");
	scene_command(&v, &m, CMD_EXPLAIN, 120, 40);
	ok(shows(&v, &m, 120, 40, "SP rate (gflops_sp)"), "e explains what is measured");
	scene_command(&v, &m, CMD_CLOSE, 120, 40);
	r->views[1].why = WHY_UNSUPPORTED;
	ok(shows(&v, &m, 120, 40, "does not count what it needs"), "what is missing to the point");
	r->views[1].why = WHY_PERMISSION;
	ok(shows(&v, &m, 120, 40, "no point now: it needs a permission"), "why there is no point");
	scene_command(&v, &m, CMD_EXPLAIN, 120, 40);
	ok(shows(&v, &m, 120, 40, "DRAM read (dram_read): --") &&
			shows(&v, &m, 120, 40, "a udev rule, see rooftop doctor"),
		"e explains what is missing, and the way out");
	r->roofs[1].theory = value_none(WHY_UNKNOWN_CONST);
	beside_graphs(s, &m);
	r->roofs[3].theory = value_none(WHY_UNKNOWN_CONST);
	v.explain = false;
	ok(shows(&v, &m, 120, 40, "▸L3"),
		"a level without a known bandwidth is not the first choice");
	scene_command(&v, &m, CMD_PANE_NEXT, 120, 40);
	ok(shows(&v, &m, 120, 40, "▸DRAM"), "but can be chosen");
	sizes(&m, "a roofline with a roof and a point that are unknown");
	s->snap.roofline = NULL;
	free(r);
}

/* Names of templates are long and differ at their ends; of what has only begun no share is known. */
static void kernel_table(struct scene *s)
{
	struct kernel_list l = { .n = MANY_ROWS, .why_empty = "", .programs = 1 };
	char(*names)[300] = xcalloc(MANY_ROWS, sizeof(*names));
	struct view_model m = s->model;
	struct view v;
	int reached = 0;

	l.lines = xcalloc(MANY_ROWS, sizeof(*l.lines));
	for (int i = 0; i < MANY_ROWS; i++) {
		memset(names[i], 'x', 250);
		snprintf(names[i] + 250, sizeof(names[i]) - 250, "%d", i);
		l.lines[i] = (struct kernel_line){ .name = names[i], .items = 1, .calls = 1, .share = NAN,
			.overlap = NAN, .headroom = NAN, .gflops = NAN, .gbytes_per_s = NAN, .flop_per_byte = NAN };
	}
	view_init(&v, false, SCHEME_DEFAULT);
	v.screen = VIEW_KERNELS;
	m.kernel_list = &l;
	for (int i = 0; i < 100; i++) {
		reached += !strcmp(v.kernels.name, i ? names[i] : "");
		scene_command(&v, &m, CMD_DOWN, 80, 24);
	}
	is_int(reached, 100, "each of the kernels with long names can be chosen");
	v.explain = true;
	ok(shows(&v, &m, 80, 24, "time only") && !shows(&v, &m, 80, 24, "nan"),
		"what is not known of a kernel has no number");
	sizes(&m, "ten thousand kernels");
	v.explain = false;
	for (int i = 0; i < LIST_ROWS; i++)
		snprintf(names[i], sizeof(names[i]), "row%02d", i);
	l.n = LIST_ROWS;
	chosen_in_sight(&v, &m, "kernels");
	free(l.lines);
	free(names);
}

int main(void)
{
	struct scene *s;

	setlocale(LC_ALL, "");
	if (MB_CUR_MAX == 1)
		skip_all("needs a UTF-8 locale");
	s = scene_new(20);
	launcher(s);
	processes(s);
	found_devices(s);
	all_devices(s);
	roofline(s);
	kernel_table(s);
	search_explained(s);
	scene_free(s);
	return done_testing();
}
