/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first screen with every kind of answer and in every state: what stands in its first lines, in
 * which colours, and what a device without some of its sensors shows. */
#include "config.h"

#include <locale.h>

#include "base/fsroot.h"
#include "tests/tap.h"
#include "tests/ui_scene.h"
#include "ui/screens/overview.h"
#include "core/verdict/verdict.h"

/* An answer, with the sentences that the design gives it. */
static const struct row {
	enum verdict_kind kind;
	const char *bound, *line, *brief, *because, *try;
	double share, headroom;
	unsigned flags;
	enum role role;
} rows[] = {
	{ VERDICT_LOST, "", "card0 went away 12 s ago", "card0 went away 12 s ago", "", "nothing to do, it is opened again when it comes back", NAN, NAN, 0, ROLE_BAD },
	{ VERDICT_MEASURING, "", "the first result comes in 1 s", "the first result comes in 1 s", "", "", NAN, NAN, 0, ROLE_TITLE },
	{ VERDICT_ASLEEP, "", "the device sleeps and is left asleep", "the device sleeps, left asleep", "", "a program that uses it wakes it", NAN, NAN, 0, ROLE_TITLE },
	{ VERDICT_PERMISSION, "", "the counters of this GPU are closed to you", "counters closed to you", "", "", NAN, NAN, 0, ROLE_WARN },
	{ VERDICT_IDLE, "busy", "busy 0 %% of the time", "busy 0 %% of the time", "the clock is at 300 MHz; 2.5 W", "start a program", NAN, NAN, 0, ROLE_TITLE },
	{ VERDICT_HOST, "busy", "the GPU has work 43 %% of the time", "the GPU has work 43 %% of the time", "./train uses a whole CPU core", "larger batches, fewer launches", 0.43, 2.33, 0, ROLE_WARN },
	{ VERDICT_PARTLY_IDLE, "busy", "the GPU has work 43 %% of the time", "the GPU has work 43 %% of the time", "the nearest roof is DRAM, 31 %%", "find what the program waits for", 0.43, 2.33, 0, ROLE_TITLE },
	{ VERDICT_LAUNCH, "gaps", "nothing runs 76 %% of EU time, a thread lives 0.5 us", "nothing runs 76 %% of EU time", "", "merge launches, or put more work into each", 0.24, 4.2, 0, ROLE_WARN },
	{ VERDICT_PARALLELISM, "groups", "slots 21 %% used, no work 62 %% of EU time", "slots 21 %% used", "", "more and smaller work-groups", 0.38, 2.63, 0, ROLE_WARN },
	{ VERDICT_HEAT, "temperature", "clock 600 of 1050 MHz, 57 %%", "clock 600 of 1050 MHz, 57 %%", "the hardware reports heat, 96 C", "more cooling", 0.57, 1.75, 0, ROLE_BAD },
	{ VERDICT_POWER, "package", "clock 2044 of 2491 MHz, 82 %%", "clock 2044 of 2491 MHz, 82 %%", "96 of 100 W", "a higher power limit", 0.82, 1.22, VERDICT_AT_MOST, ROLE_BAD },
	{ VERDICT_CURRENT, "gpu", "clock 600 of 1050 MHz, 57 %%", "clock 600 of 1050 MHz, 57 %%", "the hardware reports current", "", 0.57, 1.75, 0, ROLE_BAD },
	{ VERDICT_CLOCK, "setting", "clock 600 of 1050 MHz, 57 %%", "clock 600 of 1050 MHz, 57 %%", "gt_max_freq_mhz is 600", "raise that setting", 0.57, 1.75, 0, ROLE_BAD },
	{ VERDICT_PIPE, "fpu0", "FPU0 busy 100 %%, FP64 100 of 101 GFLOP/s", "FPU0 busy 100 %%", "FPU0 100 %%, FPU1 0 %%", "fewer or cheaper instructions", 1, 1, 0, ROLE_GOOD },
	{ VERDICT_BANDWIDTH, "dram", "DRAM 476 of 560 GB/s, 85 %% (data sheet)", "DRAM 476 of 560 GB/s, 85 %% (data sheet)", "the EUs wait 92 %% of the time", "move fewer bytes for each FLOP", 0.85, 1.18, 0, ROLE_WARN },
	{ VERDICT_MIX, "fpu0", "the EUs work 92 %% of the time, no pipe is full", "the EUs work 92 %%, no pipe is full", "", "fewer instructions, wider SIMD", 0.92, 1.09, 0, ROLE_WARN },
	{ VERDICT_UNKNOWN, "dram", "memory moves 29.0 GB/s, limit not known", "memory moves 29.0 GB/s, no limit known", "EUs wait 93 %%", "\"rooftop calibrate\" measures the limit", NAN, NAN, 0, ROLE_WARN },
	{ VERDICT_LATENCY, "l3", "EUs wait 81 %%, nearest is L3 at 23 %%", "EUs wait 81 %%, nearest is L3 at 23 %%", "", "more independent loads", 0.23, 4.35, 0, ROLE_WARN },
	{ VERDICT_NONE, "dram", "nearest are DRAM 55 %% and FPU0 52 %%", "nearest are DRAM 55 %% and FPU0 52 %%", "", "", 0.55, 1.82, 0, ROLE_TITLE },
	{ VERDICT_NO_COUNTERS, "", "busy 98 %%, what limits it is not known", "busy 98 %%, the limit is not known", "the driver gives no counters", "compare with a load of known size", NAN, NAN, 0, ROLE_TITLE },
};

static struct verdict answer(const struct row *r)
{
	struct verdict v = { .kind = r->kind,
		.metric = -1,
		.value = NAN,
		.roof = NAN,
		.share = r->share,
		.headroom = r->headroom,
		.flags = r->flags,
		.line = { .fmt = r->line },
		.brief = { .fmt = r->brief },
		.because = { { .fmt = r->because } },
		.try = { .fmt = r->try } };

	snprintf(v.bound, sizeof(v.bound), "%s", r->bound);
	return v;
}

static void draw(struct canvas *c, const struct view_model *m, int w, int h)
{
	struct view v;

	view_init(&v, false, SCHEME_DEFAULT);
	canvas_resize(c, w, h);
	view_draw(&v, m, c);
}

static char *first_lines(const struct canvas *c, int n)
{
	struct strbuf b = { 0 };
	char *end;

	canvas_dump_text(c, &b);
	end = b.len ? (char *)strbuf_str(&b) : NULL;
	while (end && n-- > 0 && (end = strchr(end, '\n')))
		end++;
	if (end)
		*end = '\0';
	char *text = xstrdup(strbuf_str(&b));
	strbuf_release(&b);
	return text;
}

static int cells_in(const struct canvas *c, enum role role)
{
	int n = 0;

	for (int i = 0; i < c->w * c->h; i++)
		n += c->cells[i].role == role && c->cells[i].ch != ' ';
	return n;
}

static const struct {
	int w, h;
} sizes[] = { { 120, 40 }, { 80, 24 }, { 40, 10 } };

/* KIND, resource, share and headroom stand in the first five lines, whatever the answer is. The
 * pictures of all of them are in tests/golden/answer.txt. */
static void test_kinds(struct scene *s)
{
	char path[512], kind[64], room[64], line[160];
	struct strbuf all = { 0 };
	struct canvas c = { 0 };
	const char *top = getenv("top_srcdir");
	char *seen[ARRAY_LEN(rows)][ARRAY_LEN(sizes)] = { { NULL } };
	size_t len;
	int alike = 0;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		for (size_t k = 0; k < ARRAY_LEN(sizes); k++) {
			s->snap.verdict = answer(&rows[i]);
			verdict_headline(&s->snap.verdict, false, kind, sizeof(kind));
			verdict_headroom(&s->snap.verdict, false, room, sizeof(room));
			draw(&c, &s->model, sizes[k].w, sizes[k].h);
			char *text = first_lines(&c, 5);
			verdict_line(&s->snap.verdict, false, false, line, sizeof(line));
			bool told = strstr(text, line) != NULL;
			verdict_line(&s->snap.verdict, true, false, line, sizeof(line));
			ok((told || strstr(text, line)) && strstr(text, kind) && strstr(text, room),
				"%s at %dx%d: kind, resource and headroom", kind, sizes[k].w,
				sizes[k].h);
			bool colour = false;
			for (int n = 0; n < c.w * 5; n++)
				colour |= c.cells[n].role == rows[i].role &&
					c.cells[n].ch == (uint32_t)kind[0];
			ok(colour, "in its colour");
			for (size_t n = 0; n < i; n++)
				alike += !strcmp(seen[n][k], text);
			seen[i][k] = text;
			text = first_lines(&c, 7);
			char *below = strchr(text, '\n') + 1;	/* the header; the tabs, where there are any */
			if (sizes[k].h >= 14)
				below = strchr(below, '\n') + 1;
			strbuf_addf(&all, "=== %s %dx%d\n%s", verdict_kind_name(rows[i].kind),
				sizes[k].w, sizes[k].h, below);
			free(text);
		}
	is_int(alike, 0, "without attributes all answers differ");
	for (size_t i = 0; i < ARRAY_LEN(rows) * ARRAY_LEN(sizes); i++)
		free(seen[i / ARRAY_LEN(sizes)][i % ARRAY_LEN(sizes)]);
	snprintf(path, sizeof(path), "%s/tests/golden/answer.txt", top ? top : ".");
	if (getenv("UPDATE_GOLDEN")) {
		FILE *f = fopen(path, "w");

		ok(f && fputs(strbuf_str(&all), f) >= 0, "written");
		if (f)
			fclose(f);
	} else {
		char *want = file_read_all(path, 1 << 20, &len, NULL);

		ok(want && !strcmp(want, strbuf_str(&all)), "the pictures are those of answer.txt");
		free(want);
	}
	strbuf_release(&all);
	canvas_release(&c);
}

/* The best possible load has no red cell, and what holds the clock down has one and a word. Without
 * attributes all answers differ by their words alone. */
static void test_colours(struct scene *s)
{
	int metric = metric_set_index(&s->set, "helper");
	struct canvas c = { 0 };

	s->snap.verdict = answer(&rows[13]);
	for (int i = 0; i < SCENE_METRICS; i++)
		if (s->values[i].why == WHY_OK && s->ceilings[i].why == WHY_OK)
			s->values[i] = s->ceilings[i];
	draw(&c, &s->model, 120, 40);
	is_int(cells_in(&c, ROLE_BAD), 0, "full bars are not red");
	ok(cells_in(&c, ROLE_BAR) > 50, "but green");
	s->metrics[metric].limit = (struct metric_limit){ .role = LIMIT_REASON, .word = "heat" };
	draw(&c, &s->model, 120, 40);
	char *text = first_lines(&c, 40);
	ok(cells_in(&c, ROLE_BAD) >= 4 && strstr(text, "!heat"), "a throttle reason is, and says !");
	free(text);
	s->values[metric] = value_ok(0);
	draw(&c, &s->model, 120, 40);
	text = first_lines(&c, 40);
	ok(!cells_in(&c, ROLE_BAD) && strstr(text, "throttle  none"), "none is not");
	free(text);
	s->metrics[metric].limit = (struct metric_limit){ 0 };
	canvas_release(&c);
}

/* Every sign of health is on the screen; without one sensor only its own is missing. */
static void test_health(struct scene *s)
{
	static const struct {
		const char *metric, *text;
		enum limit_role role;
		double v, roof;
	} signs[] = { { "gpu_busy", "busy ", LIMIT_BUSY, 97, 100 }, { "clock_actual", "clock ", LIMIT_CLOCK, 800, 1050 },
		{ "power_package", "power ", LIMIT_POWER, 14, 15 }, { "mix_mov", "throttle ", LIMIT_REASON, 0, 1 },
		{ "mix_send", "VRAM ", LIMIT_MEMORY, 1.5, 17.2 }, { "ai_l3", "temp ", LIMIT_TEMPERATURE, 71, 100 },
		{ "ai_gti", "fan ", LIMIT_FAN, 1800, NAN }, { "rc6", "asleep ", LIMIT_ASLEEP, 0, 100 } };
	struct metric saved[SCENE_METRICS];
	struct canvas c = { 0 };
	int bad = 0;

	s->snap.verdict = answer(&rows[1]);
	memcpy(saved, s->metrics, sizeof(saved));
	for (int i = 0; i < SCENE_METRICS; i++)
		if (s->metrics[i].limit.role < LIMIT_WORKING || s->metrics[i].limit.role > LIMIT_EMPTY)
			s->metrics[i].limit.role = LIMIT_NONE;
	for (size_t i = 0; i < ARRAY_LEN(signs); i++) {
		int metric = metric_set_index(&s->set, signs[i].metric);

		s->metrics[metric].limit.role = signs[i].role;
		s->metrics[metric].label = (char *)"-";
		s->values[metric] = value_ok(signs[i].v);
		s->ceilings[metric] = isnan(signs[i].roof) ? value_none(WHY_UNSUPPORTED)
							   : value_ok(signs[i].roof);
	}
	for (int gone = -1; gone < (int)ARRAY_LEN(signs); gone++)
		for (size_t k = 0; k < 2; k++) {
			struct history *history = (struct history *)s->model.history;
			int metric = gone < 0 ? 0 : metric_set_index(&s->set, signs[gone].metric);
			struct value was = s->values[metric];

			/* Nothing of the past keeps its place. */
			s->model.history = NULL;
			if (gone >= 0)
				s->values[metric] = value_none(WHY_NO_SOURCE);
			draw(&c, &s->model, sizes[k].w, sizes[k].h);
			char *text = first_lines(&c, 12);
			for (size_t i = 0; i < ARRAY_LEN(signs); i++)
				if (!!strstr(text, signs[i].text) == ((int)i == gone)) {
					diag("%dx%d, without %d: %s", sizes[k].w, sizes[k].h, gone,
						signs[i].text);
					bad++;
				}
			free(text);
			s->values[metric] = was;
			s->model.history = history;
		}
	is_int(bad, 0, "eight signs of health, each with its own sensor");
	/* A sleep of which the clock knows nothing takes nothing from it, and none makes it faster than it can be. */
	static const struct {
		double clock, asleep;
		bool is_awake;
		const char *text;
	} clocks[] = { { 200, 50, false, " 400 of 1050 MHz" }, { 200, 50, true, " 200 of 1050 MHz" },
		{ 800, 50, false, "1050 of 1050 MHz" }, { 1100, 50, false, "1100 of 1050 MHz" } };
	for (size_t i = 0; i < ARRAY_LEN(clocks); i++) {
		int metric = metric_set_index(&s->set, "clock_actual");

		s->metrics[metric].limit.while_awake = clocks[i].is_awake;
		s->values[metric] = value_ok(clocks[i].clock);
		s->values[metric_set_index(&s->set, "rc6")] = value_ok(clocks[i].asleep);
		draw(&c, &s->model, 120, 40);
		char *text = first_lines(&c, 12);
		ok(strstr(text, clocks[i].text), "the clock while awake: %s", clocks[i].text);
		free(text);
	}
	memcpy(s->metrics, saved, sizeof(saved));
	canvas_release(&c);
}

/* Rows, "more", "unavailable" and "need permission" add up to the metrics of the set. */
static void test_sum(struct scene *s)
{
	int visible = 0, counted = 0;
	struct overview_list l;
	struct canvas c = { 0 };
	struct view v;

	view_init(&v, false, SCHEME_DEFAULT);
	overview_list_make(&l, &v, &s->model);
	for (int i = 0; i < OVERVIEW_PANES; i++)
		counted += l.rows[i].pane.n + l.rows[i].in_bar + l.rows[i].apart + l.rows[i].unavailable +
			l.rows[i].denied;
	for (int i = 0; i < SCENE_METRICS; i++)
		visible += !(s->metrics[i].flags & METRIC_HIDDEN);
	is_int(counted, visible, "every metric of the set is in a pane or counted there");
	is_int(l.rows[OVERVIEW_BANDWIDTH].denied, 2, "two lack a permission");
	for (int w = 80; w <= 200; w += 20) {
		draw(&c, &s->model, w, 24);
		char *text = first_lines(&c, 24);
		ok(strstr(text, "Utilization") && strstr(text, "FLOP/cycle") &&
				strstr(text, "Bandwidth") && strstr(text, "Power"),
			"%d columns: the four panes by name", w);
		ok(!strstr(text, " -- "), "and no row without a number");
		free(text);
	}
	for (int i = 0; i < SCENE_METRICS; i++)
		s->values[i] = value_none(WHY_PERMISSION);
	s->model.history = NULL;
	draw(&c, &s->model, 80, 24);
	char *text = first_lines(&c, 24);
	ok(strstr(text, "Utilization") && strstr(text, "Power") && strstr(text, "need permission"),
		"also without any permission");
	free(text);
	s->model.history = &s->history;
	canvas_release(&c);
}

/* Refused counters: the commands that open them take the place of the reasons. */
static void test_ways(struct scene *s)
{
	struct canvas c = { 0 };

	s->snap.verdict = answer(&rows[3]);
	snprintf(s->checks[1].hint, sizeof(s->checks[1].hint), "%s",
		"for this program: sudo setcap x; until reboot: sudo sysctl y=0");
	for (size_t k = 0; k < 2; k++) {
		draw(&c, &s->model, sizes[k].w, sizes[k].h);
		char *text = first_lines(&c, 6);
		ok(strstr(text, "for this program  sudo setcap x") &&
				strstr(text, "until reboot      sudo sysctl y=0"),
			"%dx%d: a command in each line", sizes[k].w, sizes[k].h);
		free(text);
	}
	s->checks[1].hint[0] = '\0';
	canvas_release(&c);
}

/* The past has the answer of its own window. */
static void test_past(struct scene *s)
{
	int busy = metric_set_index(&s->set, "gpu_busy");
	struct canvas c = { 0 };

	s->snap.verdict = answer(&rows[13]);
	for (int i = 0; i < 2; i++) {
		s->values[busy] = value_ok(i ? 97 : 0);
		history_push(&s->history, s->values);
	}
	for (int back = 0; back < 2; back++) {
		s->model.back = back;
		draw(&c, &s->model, 120, 40);
		char *text = first_lines(&c, 5);
		ok(strstr(text, back ? "What limited it (past)" : "What limits it (simulated)") &&
				strstr(text, back ? "IDLE" : "PIPE FULL"),
			"the answer %d windows back", back);
		free(text);
	}
	s->model.back = 0;
	canvas_release(&c);
}

/* A minute of a load that never stands still: no label changes its cell. */
static void test_steady(struct scene *s)
{
	scene_step(s, 99);
	for (size_t k = 0; k < 2; k++) {
		struct canvas first = { 0 }, c = { 0 };
		int moved = 0, labels = 0;

		draw(&first, &s->model, sizes[k].w, sizes[k].h);
		for (int t = 0; t < 60; t++) {
			scene_step(s, 100 + t);
			draw(&c, &s->model, sizes[k].w, sizes[k].h);
			for (int i = 0; i < c.w * c.h; i++) {
				labels += first.cells[i].role == ROLE_LABEL;
				if (first.cells[i].role == ROLE_LABEL &&
					(c.cells[i].role != ROLE_LABEL ||
						c.cells[i].ch != first.cells[i].ch) &&
					moved++ < 3)
					diag("%dx%d: cell %d, %d", c.w, c.h, i % c.w, i / c.w);
			}
		}
		ok(labels > 60 * 100, "%dx%d: %d cells of labels", sizes[k].w, sizes[k].h,
			labels / 60);
		is_int(moved, 0, "none of them has moved in 60 windows");
		canvas_release(&first);
		canvas_release(&c);
	}
}

/* Words that mean nothing to a user are on no picture of the first screen. */
static void test_words(struct scene *s)
{
	static const char *const avoided[] = { "latency?", "AI ", "at most /", "no right",
		"may not read", "no source", "unsupported", "Rest ", "Per W ", "RC6", "degC",
		"0 counted", "clock rests" };
	struct canvas c = { 0 };
	int found = 0;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		for (size_t k = 0; k < ARRAY_LEN(sizes); k++) {
			s->snap.verdict = answer(&rows[i]);
			draw(&c, &s->model, sizes[k].w, sizes[k].h);
			char *text = first_lines(&c, sizes[k].h);
			for (size_t n = 0; n < ARRAY_LEN(avoided); n++)
				if (strstr(text, avoided[n]) && found++ < 5)
					diag("%dx%d has '%s'", sizes[k].w, sizes[k].h, avoided[n]);
			free(text);
		}
	is_int(found, 0, "words to avoid");
	canvas_release(&c);
}

int main(void)
{
	struct scene *s = scene_new(60);

	setlocale(LC_ALL, "");
	s->checks[1].hint[0] = '\0';
	test_kinds(s);
	test_past(s);
	test_ways(s);
	test_steady(s);
	test_words(s);
	test_health(s);
	test_colours(s);
	test_sum(s);
	scene_free(s);
	return done_testing();
}
