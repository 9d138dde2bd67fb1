/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The launcher's keys: what is selected, what is set, and that no load starts without a
 * question. */
#include "config.h"

#include <locale.h>

#include "base/strbuf.h"
#include "tests/tap.h"
#include "tests/ui_scene.h"

static const struct kernel_info kernels[] = {
	{ .name = "flops.private.mad.sp.x1", .family = "private", .op = "mad", .type = "sp", .width = 1, .work.flop = 2, .supported = true },
	{ .name = "flops.private.mad.sp.x4", .family = "private", .op = "mad", .type = "sp", .width = 4, .work.flop = 8, .supported = true },
	{ .name = "flops.private.mad.dp.x4", .family = "private", .op = "mad", .type = "dp", .width = 4, .work.flop = 8, .reason = "no doubles" },
	{ .name = "mem.triad.sp.x4", .family = "triad", .type = "sp", .width = 4, .work.read_bytes = 32, .work.write_bytes = 16, .supported = true },
};

static enum command press(struct view *v, const struct view_model *m, const char *name)
{
	struct key_event k;

	key_parse(name, &k);
	return view_key(v, m, &k, 80, 24);
}

/* Sets the selected field to a text, which a digit begins. */
static enum command type(struct view *v, const struct view_model *m, const char *text)
{
	press(v, m, "9");
	press(v, m, "^U");
	for (; *text; text++)
		press(v, m, *text == ' ' ? "Space" : (char[]){ *text, '\0' });
	return press(v, m, "Enter");
}

static void times(struct view *v, const struct view_model *m)
{
	char text[160];
	struct job job;

	press(v, m, "Tab");
	press(v, m, "Tab");
	press(v, m, "2");
	is_int(v->prompt.kind, PROMPT_VALUE, "a digit begins a number");
	is_str(v->prompt.text, "2", "which has it");
	press(v, m, "5");
	is_int(press(v, m, "Enter"), CMD_NONE, "and Enter takes it");
	is_int(v->screen, VIEW_STRESS, "without a turn to another screen");
	is_int(type(v, m, "30 s"), CMD_NONE, "a time may have a blank before its unit");
	is_int(type(v, m, "abc"), CMD_STRESS_VALUE, "what is none is told");
	view_value_refused(v, text, sizeof(text));
	is_str(text, "time cannot be 'abc': 0.1 to 86400 seconds, also as 500ms or 5m",
		"with what is allowed");
	is_int(type(v, m, "86401"), CMD_STRESS_VALUE, "so is one that is too long");
	view_job(v, m, &job);
	is_int((long)(job.limit_ns / NS_PER_S), 30, "and neither changes anything");
}

static void settings(struct view *v, struct view_model *m)
{
	char text[160];
	struct job job;

	view_job(v, m, &job);
	is_str(job.kernel, "flops.private.mad.sp.x4", "the quick check is selected first");
	ok(job.verify && !job.tune && job.limit_ns == 10 * NS_PER_S && !job.groups,
		"with ten seconds, verified, the shape left open");
	press(v, m, "Right");
	press(v, m, "S-Tab");
	press(v, m, "Right");
	press(v, m, "Up");
	press(v, m, "Left");
	press(v, m, "Tab");
	press(v, m, "Tab");
	view_job(v, m, &job);
	ok(!job.verify && job.tune && job.limit_ns == 20 * NS_PER_S,
		"fields change time, verification and tuning");
	press(v, m, "Tab");
	type(v, m, "96");
	press(v, m, "Tab");
	press(v, m, "Right");
	press(v, m, "Right");
	view_job(v, m, &job);
	ok(job.groups == 96 && job.group_size == 2, "numbers are typed or doubled");
	press(v, m, "Left");
	press(v, m, "Left");
	m->chosen.group_size = 256;
	press(v, m, "Left");
	view_job(v, m, &job);
	is_int((long)job.group_size, 128, "where auto is known, steps begin with it");
	type(v, m, "0");
	view_job(v, m, &job);
	is_int((long)job.group_size, 0, "and 0 is auto");
	m->chosen.group_size = 0;
	type(v, m, "2");
	is_int(type(v, m, "x"), CMD_STRESS_VALUE, "what is no number is told");
	view_job(v, m, &job);
	is_int((long)job.group_size, 2, "and changes nothing");
	times(v, m);
	press(v, m, "v");
	is_int(press(v, m, "Right"), CMD_STRESS_PRESET, "a preset of the menu is told");
	view_preset_chosen(v, m, text, sizeof(text));
	is_str(text, "bandwidth: mem.triad.sp.x4 for 10 s", "with what it is for");
	view_job(v, m, &job);
	ok(!strcmp(job.kernel, "mem.triad.sp.x4") && !job.groups, "it sets everything");
	press(v, m, "Right");
	view_job(v, m, &job);
	is_str(job.kernel, "flops.private.mad.sp.x4",
		"presets without a kernel here are passed over");
	snprintf(v->stress.filter, sizeof(v->stress.filter), "triad");
	press(v, m, "Right");
	press(v, m, "Esc");
	view_job(v, m, &job);
	is_str(job.kernel, "flops.private.mad.sp.x4",
		"a filter does not keep a preset from its kernel");
	press(v, m, "Down");
	view_job(v, m, &job);
	is_str(job.kernel, "flops.private.mad.dp.x4", "rows are chosen with the arrows");
	press(v, m, "Up");
}

static bool draws(struct view *v, const struct view_model *m, int w, int h, const char *text)
{
	struct canvas c = { 0 };
	struct strbuf b = { 0 };
	bool found;

	canvas_resize(&c, w, h);
	view_draw(v, m, &c);
	canvas_dump_text(&c, &b);
	found = strstr(strbuf_str(&b), text);
	strbuf_release(&b);
	canvas_release(&c);
	return found;
}

static void questions(struct view *v, struct view_model *m)
{
	struct job_state running = { .phase = JOB_RUNNING };

	m->may_load = false;
	is_int(press(v, m, "Enter"), CMD_NONE, "Enter starts nothing yet");
	is_int(v->prompt.kind, PROMPT_QUESTION, "it asks");
	for (int w = 120; w >= 40; w -= 40)
		ok(draws(v, m, w, 24, "A load heats") && draws(v, m, w, 24, "s?") &&
				draws(v, m, w, 24, "Esc cancel"),
			"%d columns show all of the question and the answers", w);
	is_int(press(v, m, "n"), CMD_NONE, "no is no");
	press(v, m, "Enter");
	is_int(press(v, m, "y"), CMD_STRESS_YES, "yes starts");
	m->may_load = true;
	is_int(press(v, m, "Enter"), CMD_STRESS_START, "it asks once");
	for (int field = 1; field < 7; field++) {
		press(v, m, "Tab");
		is_int(press(v, m, "Enter"), CMD_STRESS_START, "Enter starts in field %d, too", field);
	}
	press(v, m, "Tab");
	ok(draws(v, m, 120, 24, "1-8 Screens"), "the list's footer says that digits turn screens");
	press(v, m, "Tab");
	ok(draws(v, m, 120, 24, "0-9 Value") && draws(v, m, 120, 24, "auto: the start chooses"),
		"that of a number that they make it, and what auto is");
	m->chosen.groups = 63;
	ok(draws(v, m, 120, 24, "[auto (63)]"), "as a number where that is known");
	m->chosen.groups = 0;
	is_int(press(v, m, "Enter"), CMD_STRESS_START, "a start in that field");
	for (int step = 0; step < 2; step++) {
		m->job = step ? NULL : &running;
		ok(draws(v, m, 120, 24, "1-8 Screens"),
			"leaves the digits to the screens, and the end of the run does not change that (%d)",
			step);
	}
	press(v, m, "Right");
	ok(draws(v, m, 120, 24, "0-9 Value"), "until the field is changed");
	press(v, m, "Left");
	press(v, m, "S-Tab");
	m->job = &running;
	is_int(press(v, m, "Enter"), CMD_STRESS_END, "Enter stops what runs here");
	is_int(press(v, m, "x"), CMD_STRESS_STOP, "x stops what runs anywhere");
	press(v, m, "1");
	is_int(press(v, m, "x"), CMD_STRESS_STOP, "and so does x on every screen");
	m->job = NULL;
}

static void runs(void)
{
	struct job_log *l = xcalloc(1, sizeof(*l));
	struct job_state st = { .phase = JOB_RUNNING, .progress.elapsed_ns = NS_PER_S, .energy_uj = 5e6 };

	snprintf(st.kernel.name, sizeof(st.kernel.name), "a");
	ok(!job_log_update(l, &st, 1), "a running job is no run yet");
	st.phase = JOB_DONE;
	ok(job_log_update(l, &st, 2), "an ended one is");
	ok(!job_log_update(l, &st, 3), "once");
	ok(fabs(job_log_get(l, 0)->watts - 5) < 1e-9, "joules over seconds are watts");
	for (int i = 0; i < JOB_LOG_RUNS + 3; i++) {
		snprintf(st.kernel.name, sizeof(st.kernel.name), "b%d", i);
		st.phase = JOB_RUNNING;
		job_log_update(l, &st, 4);
		st.phase = i % 2 ? JOB_FAILED : JOB_DONE;
		job_log_update(l, &st, 5);
	}
	is_int(job_log_len(l), JOB_LOG_RUNS, "the oldest are forgotten");
	ok(!job_log_find(l, "a") && job_log_find(l, "b66") && !job_log_find(l, "b65"),
		"good runs are found by their kernel");
	job_log_release(l);
	is_int(job_log_len(l), 0, "a released one is empty");
	free(l);
}

int main(void)
{
	struct scene *s = scene_new(1);
	struct view v;

	setlocale(LC_ALL, "");
	view_init(&v, false, SCHEME_DEFAULT);
	v.screen = VIEW_STRESS;
	s->device.simulated = false;
	s->model.kernels = kernels;
	s->model.n_kernels = ARRAY_LEN(kernels);
	settings(&v, &s->model);
	questions(&v, &s->model);
	runs();
	scene_free(s);
	return done_testing();
}
