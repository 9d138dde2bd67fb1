/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carries out what keys and the view ask of the program. */
#include "config.h"

#include "screen/console.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/program.h"
#include "session/client_scan.h"
#include "session/devices.h"
#include "out/export.h"
#include "session/own_load.h"
#include "session/refresh.h"
#include "out/roofline_plot.h"
#include "session/sets.h"
#include "session/default_name.h"
#include "screen/tour.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "base/strbuf.h"

#define MESSAGE_NS (6 * NS_PER_S)

/* In settings, by enum view_units. */
static const char *const units_names[UNITS_COUNT] = { "own", "per-cycle", "share" };

void console_say(struct console *c, bool is_error, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(c->message, sizeof(c->message), fmt, ap);
	va_end(ap);
	c->message_is_error = is_error;
	c->message_until_ns = clock_mono_ns(&c->session->clock) + MESSAGE_NS;
	log_add(&c->session->log, clock_wall_ns(&c->session->clock),
		is_error ? LOG_ERROR : LOG_INFO, "%s", c->message);
}

void console_say_err(struct console *c, const struct err *err)
{
	console_say(c, true, "%s%s%s", err->msg, err->hint[0] ? ": " : "", err->hint);
}

static void list_devices(struct console *c)
{
	struct session *ses = c->session;

	c->listed_other = c->other ? c->other->current : -1;
	c->devices = xreallocarray(
		c->devices, ses->program->devices.count + 1, sizeof(*c->devices));
	for (size_t i = 0; i < ses->program->devices.count; i++) {
		devices_summary(ses, (int)i, &c->devices[i]);
		if (c->other && (int)i != ses->current && (int)i == c->other->current)
			/* TRANSLATORS: state of a device: it is open in the other half of the
			 * screen. The column is narrow. */
			snprintf(c->devices[i].state, sizeof(c->devices[i].state), "%s",
				_("beside"));
	}
	c->model.devices = c->devices;
	c->model.n_devices = (int)ses->program->devices.count;
}

/* The same device is open in the other half, and some of its counters can be had once only. */
static bool is_held_beside(const struct console *c)
{
	const struct session *ses = c->session;

	for (int i = 0; ses->dev && c->other && c->other->current == ses->current &&
		i < ses->dev->n_sources;
		i++)
		if (ses->samples[i].why == WHY_BUSY)
			return true;
	return false;
}

/* The newest problem of the program itself, which is in the log already. A driver knows no better
 * than to speak of another program. */
static void show_problem(struct console *c)
{
	struct session *ses = c->session;

	if (ses->n_problems == c->problems_seen)
		return;
	c->problems_seen = ses->n_problems;
	if (is_held_beside(c)) {
		console_say(c, true,
			_("%.90s is open in the other half of the screen: its counters have one "
			  "reader at a time"),
			ses->dev->device.id);
		return;
	}
	snprintf(c->message, sizeof(c->message), "%s",
		log_get(&ses->log, log_count(&ses->log) - 1)->text);
	c->message_is_error = true;
	c->message_until_ns = clock_mono_ns(&ses->clock) + MESSAGE_NS;
}

static void load_view(struct console *c)
{
	const char *units = settings_get(&c->session->program->settings, "units"),
		   *hidden = settings_get(&c->session->program->settings, "hidden-panes");

	for (int i = 0; units && i < UNITS_COUNT; i++)
		if (!strcmp(units, units_names[i]))
			c->view.units = (enum view_units)i;
	if (hidden)
		snprintf(c->view.hidden, sizeof(c->view.hidden), "%s", hidden);
	process_list_load(&c->session->program->settings, &c->view.procs.choice);
}

void console_init(struct console *c, struct session *ses, bool ascii)
{
	const char *saved = settings_get(&ses->program->settings, "scheme"),
		   *screen = settings_get(&ses->program->settings, "screen");
	int scheme = saved ? scheme_by_name(saved) : SCHEME_DEFAULT;
	const char *no_color = getenv("NO_COLOR"),
		   *saved_ascii = settings_get(&ses->program->settings, "ascii");
	const char *saved_mouse = settings_get(&ses->program->settings, "mouse");

	memset(c, 0, sizeof(*c));
	c->session = ses;
	c->mouse = !ses->opt->no_mouse && !(saved_mouse && !strcmp(saved_mouse, "off"));
	if (ses->opt->no_color || (no_color && *no_color))
		scheme = SCHEME_MONO;
	view_init(&c->view, ascii || (saved_ascii && !strcmp(saved_ascii, "on")),
		scheme >= 0 ? (enum scheme)scheme : SCHEME_DEFAULT);
	if (screen && view_screen_by_name(screen) >= 0)
		c->view.screen = (enum view_screen)view_screen_by_name(screen);
	load_view(c);
	list_devices(c);
	show_problem(c);
}

void console_release(struct console *c)
{
	canvas_release(&c->canvas);
	free(c->devices);
	c->devices = NULL;
	process_list_release(&c->procs);
	job_log_release(&c->runs);
}

/* The catalogue is asked for only where it is shown: it may start the worker. */
static void fill_load(struct console *c)
{
	struct session *ses = c->session;
	struct view_model *m = &c->model;

	m->kernels = NULL;
	m->n_kernels = 0;
	if (c->view.screen == VIEW_STRESS)
		m->kernels = own_load_kernels(ses, &m->n_kernels);
	m->job = ses->load.runner ? &ses->load.state : NULL;
	m->runs = &c->runs;
	m->may_load = ses->load.agreed;
}

/* Of a recording the reports are of one set: another set's map would show other events. Sets in
 * turns have their maps all at once. */
static const struct metric_set *map_set(const struct session *ses)
{
	bool has_turns = ses->rotation->n_maps > 0;

	return ses->dev->device.recorded || has_turns
		? NULL
		: sets_next_map(ses, ses->dev->device.platform);
}

static void fill_model(struct console *c)
{
	struct session *ses = c->session;
	struct view_model *m = &c->model;
	const struct metric_set *other_map = c->view.screen == VIEW_MAP ? map_set(ses) : NULL;

	if (clock_mono_ns(&ses->clock) >= c->message_until_ns)
		c->message[0] = '\0';
	if (c->listed_other != (c->other ? c->other->current : -1))
		list_devices(c);
	m->place = c->place;
	m->of_two = c->of_two;
	m->device = &ses->dev->device;
	m->set = ses->set;
	m->snap = refresh_snapshot(ses);
	m->history = &ses->history;
	m->cell_history = ses->cell_history;
	m->map_set = other_map ? other_map->name : NULL;
	m->roofs = &ses->roofs;
	m->how = ses->dev->sources[0]->feed.how;
	m->no_device = ses->no_device[0] ? ses->no_device : NULL;
	m->message = c->message;
	m->message_is_error = c->message_is_error;
	m->checks = ses->dev->checks;
	m->n_checks = ses->dev->n_checks;
	m->log = &ses->log;
	m->wall_ns = clock_wall_ns(&ses->clock);
	m->delay_ns = ses->delay_ns;
	m->paused = ses->paused;
	if (!ses->paused)
		c->view.back = 0;
	m->back = c->view.back;
	m->units = c->view.units;
	m->mouse = c->mouse;
	m->notes = NULL;
	m->n_notes = 0;
	if ((ses->opt->tour || (ses->no_device[0] && ses->dev->device.simulated)) && m->snap &&
		!m->back)
		m->n_notes = tour_notes(m->snap, &m->notes);
	m->recording = record_is_on(ses);
	m->self_cpu_pct = ses->self_cpu_pct;
	/* Once seen, it keeps its past. */
	if (c->view.screen == VIEW_PROCS ||
		(c->view.screen == VIEW_OVERVIEW && !view_hides(&c->view, VIEW_PANE_PROCESSES)))
		client_scan_want(ses, true);
	process_list_update(&c->procs, ses, &c->view.procs.choice, m);
	fill_load(c);
}

void console_draw(struct console *c, int w, int h)
{
	fill_model(c);
	canvas_resize(&c->canvas, w, h);
	view_draw(&c->view, &c->model, &c->canvas);
}

/* step -1: the next shorter delay, 1: the next longer one. */
static void change_delay(struct console *c, int step)
{
	static const int delays_ms[] = { 100, 200, 500, 1000, 2000, 5000, 10000 };
	struct session *ses = c->session;
	int64_t best_ns = ses->delay_ns;

	for (size_t i = 0; i < ARRAY_LEN(delays_ms); i++) {
		int64_t ns = delays_ms[i] * NS_PER_MS;

		if (step < 0 && ns < ses->delay_ns)
			best_ns = ns;
		if (step > 0 && ns > ses->delay_ns && best_ns == ses->delay_ns)
			best_ns = ns;
	}
	ses->delay_ns = best_ns;
	refresh_retime(ses);
	c->retick = true;
	console_say(c, false, _("a window every %g s"), (double)best_ns / NS_PER_S);
}

static void toggle_pause(struct console *c)
{
	c->session->paused = !c->session->paused;
	c->session->step = false;
}

static void step_window(struct console *c)
{
	if (!c->session->paused)
		return;
	c->session->step = true;
	if (c->session->dev->sources[0]->self_paced)
		refresh_now(c->session);
}

static void toggle_recording(struct console *c)
{
	struct session *ses = c->session;
	struct err err = { 0 };

	if (record_is_on(ses)) {
		if (record_stop(ses, &err))
			console_say(c, false, _("recorded to '%.300s'"), ses->recorder.path);
		else
			console_say_err(c, &err);
		return;
	}
	if (record_start(ses, ses->want->record, ses->want->overwrite, &err))
		console_say(c, false, _("recording to '%.300s'"), ses->recorder.path);
	else
		console_say_err(c, &err);
}

int console_selected_device(struct console *c)
{
	int row = view_selected_device(&c->view);

	if (row < 0 || row >= c->model.n_devices)
		return -1;
	if (c->devices[row].usable)
		return row;
	console_say(c, true, "%.90s: %.250s", c->devices[row].id, c->devices[row].reason);
	return -1;
}

bool console_use_device(struct console *c, int row, struct err *err)
{
	struct session *ses = c->session;

	if (row == ses->current && !ses->stands_in)
		return true;
	if (!devices_open(ses, row, NULL, err))
		return false;
	ses->no_device[0] = '\0';
	c->view.focus = 0;
	c->view.screen = VIEW_OVERVIEW;
	c->retick = true;
	list_devices(c);
	console_say(c, false, _("now using %.90s with metric set %.60s"), ses->dev->device.id,
		ses->set->name);
	return true;
}

static void use_selected(struct console *c)
{
	int row = console_selected_device(c);
	struct err err = { 0 };

	if (row >= 0 && !console_use_device(c, row, &err))
		console_say_err(c, &err);
}

static bool is_made_with(const struct device *d, const struct metric_set *set)
{
	return !strcmp(d->recorded_set, set->name);
}

/* A recording's counters are what they are: only the equations change. A device is opened again,
 * for other events. */
static void use_set(struct console *c, const struct metric_set *set)
{
	struct session *ses = c->session;
	const struct metric_set *old = ses->rotation->part[0].set;
	struct err err = { 0 }, again = { 0 };
	int index = ses->current;

	if (ses->dev->device.recorded) {
		refresh_use_set(ses, set);
		if (is_made_with(&ses->dev->device, set))
			console_say(c, false, _("metric set %s"), set->name);
		else
			console_say(c, true,
				_("metric set %s: the recording was made with another one, so some "
				  "equations do not fit it"),
				set->name);
		return;
	}
	if (devices_open(ses, index, set->name, &err)) {
		c->retick = true;
		console_say(c, false, _("metric set %s: %s"), set->name, i18n_optional(set->label));
		return;
	}
	console_say_err(c, &err);
	if (ses->dev)
		return;
	c->retick = true;
	if (!devices_open(ses, index, old->name, &again))
		devices_stand_in(ses, index, old, &again);
}

static void next_set(struct console *c)
{
	const struct metric_set *set = sets_next(c->session, c->session->dev->device.platform);

	if (set == c->session->set)
		console_say(c, false, _("this device has no other metric set"));
	else
		use_set(c, set);
}

static void next_map_set(struct console *c)
{
	const struct metric_set *set = map_set(c->session);

	if (set)
		use_set(c, set);
	else
		console_say(c, false, _("no other metric set of this device has a map"));
}

/* What the other half, or another program, has saved meanwhile stays. */
static bool reread_settings(struct session *ses, struct err *err)
{
	struct settings now = { 0 };

	if (!settings_load(&now, ses->program->settings_path, err) && err->code != ERR_PARSE) {
		settings_release(&now);
		return false;
	}
	settings_release(&ses->program->settings);
	ses->program->settings = now;
	return true;
}

static void save_settings(struct console *c)
{
	struct session *ses = c->session;
	struct settings *set = &ses->program->settings;
	char delay[32], key[128];
	struct err err = { 0 };

	if (!ses->program->settings_path[0]) {
		console_say(c, true, _("there is no place for settings: --config FILE names one"));
		return;
	}
	if (!reread_settings(ses, &err)) {
		console_say_err(c, &err);
		return;
	}
	snprintf(delay, sizeof(delay), "%lldms", (long long)(ses->delay_ns / NS_PER_MS));
	settings_set(set, "delay", delay);
	settings_set(set, "scheme", scheme_name(c->view.scheme));
	settings_set(set, "ascii", c->view.ascii ? "on" : "off");
	settings_set(set, "mouse", c->mouse ? "on" : "off");
	if (ses->rotation->n == 1) {
		settings_set(set, "set", ses->set->name);
		sets_key(&ses->dev->device, key, sizeof(key));
		settings_set(set, key, ses->set->name);
	}
	settings_set(set, "units", units_names[c->view.units]);
	settings_set(set, "hidden-panes", c->view.hidden);
	settings_set(set, "screen", view_screen_name(c->view.screen));
	process_list_save(set, &c->view.procs.choice);
	if (settings_save(set, ses->program->settings_path, &err))
		console_say(c, false, _("settings saved to '%.300s'"), ses->program->settings_path);
	else
		console_say_err(c, &err);
}

static void start_load(struct console *c)
{
	struct err err = { 0 };
	struct job job;

	view_job(&c->view, &c->model, &job);
	if (own_load_start(c->session, &job, &err))
		console_say(
			c, false, _("%s for %g s"), job.kernel, (double)job.limit_ns / NS_PER_S);
	else
		console_say_err(c, &err);
}

/* What a run came to, once it has ended. */
static void follow_load(struct console *c)
{
	struct session *ses = c->session;
	const struct job_state *st = &ses->load.state;
	const char *name = st->kernel.name[0] ? st->kernel.name : st->job.kernel;

	if (!job_log_update(&c->runs, st, clock_wall_ns(&ses->clock)))
		return;
	if (st->phase == JOB_FAILED)
		console_say_err(c, &st->err);
	else if (st->mismatches)
		console_say(c, true, _("%s: %llu wrong results"), name,
			(unsigned long long)st->mismatches);
	else
		console_say(c, false, _("%s has ended"), name);
}

/* A new file beside where the program was started. */
static void write_roofline(struct console *c)
{
	struct session *ses = c->session;
	struct err err = { 0 };
	char path[64], note[200];

	if (!default_file_name(&ses->clock, "rooftop-roofline", ".svg", path, sizeof(path)))
		return;
	snprintf(note, sizeof(note), "%s%.60s, %.60s",
		ses->dev->device.simulated ? "SIMULATED, " : "", ses->dev->device.id,
		ses->set->name);
	if (roofline_plot(&ses->roofline, ses->dev->device.name, note, path, &err))
		console_say(c, false, _("plot written to '%s'"), path);
	else
		console_say_err(c, &err);
}

static void send_signal(struct console *c, enum command cmd)
{
	struct err err = { 0 };

	if (process_list_signal(c->session, cmd, c->view.procs.pid, &err))
		console_say(
			c, false, _("signal sent to process %lld"), (long long)c->view.procs.pid);
	else
		console_say_err(c, &err);
}

/* What the launcher was set to, or what it does not take. */
static void say_setting(struct console *c, enum command cmd)
{
	char text[sizeof(c->message)];

	if (cmd == CMD_STRESS_PRESET)
		view_preset_chosen(&c->view, &c->model, text, sizeof(text));
	else
		view_value_refused(&c->view, text, sizeof(text));
	console_say(c, cmd == CMD_STRESS_VALUE, "%s", text);
}

static void carry_out(struct console *c, enum command cmd)
{
	switch (cmd) {
	case CMD_QUIT: c->quit = true; break;
	case CMD_SUSPEND: c->suspend = true; break;
	case CMD_REDRAW: c->redraw = true; break;
	case CMD_FASTER: change_delay(c, -1); break;
	case CMD_SLOWER: change_delay(c, 1); break;
	case CMD_PAUSE: toggle_pause(c); break;
	case CMD_STEP: step_window(c); break;
	case CMD_RESET: history_reset_extremes(&c->session->history); break;
	case CMD_RECORD: toggle_recording(c); break;
	case CMD_NEXT_SET: next_set(c); break;
	case CMD_MAP_SET: next_map_set(c); break;
	case CMD_USE_DEVICE: use_selected(c); break;
	case CMD_SIGNAL_TERM:
	case CMD_SIGNAL_KILL:
	case CMD_SIGNAL_INT:
	case CMD_SIGNAL_STOP:
	case CMD_SIGNAL_CONT: send_signal(c, cmd); break;
	case CMD_STRESS_YES:
		c->session->load.agreed = true;
		start_load(c);
		break;
	case CMD_STRESS_START: start_load(c); break;
	case CMD_STRESS_END: own_load_stop(c->session); break;
	case CMD_STRESS_PRESET:
	case CMD_STRESS_VALUE: say_setting(c, cmd); break;
	case CMD_STRESS_STOP:
		own_load_stop(c->session);
		c->asked = cmd;
		break;
	case CMD_BESIDE:
	case CMD_OTHER_HALF:
	case CMD_CLOSE_OTHER: c->asked = cmd; break;
	case CMD_ROOF_WRITE: write_roofline(c); break;
	case CMD_MOUSE:
		c->mouse = !c->mouse;
		c->remouse = true;
		break;
	case CMD_SAVE: save_settings(c); break;
	default: break;	/* the view's own */
	}
}

static int columns(const struct console *c)
{
	return c->canvas.w > 0 ? c->canvas.w : 80;
}

static int rows(const struct console *c)
{
	return c->canvas.h > 0 ? c->canvas.h : 24;
}

void console_command(struct console *c, enum command cmd)
{
	fill_model(c);
	carry_out(c, view_command(&c->view, &c->model, cmd, columns(c), rows(c)));
}

void console_key(struct console *c, const struct key_event *k)
{
	enum command cmd;
	int w = columns(c), h = rows(c);

	if (k->code == KEY_EOF_) {
		c->quit = true;
		return;
	}
	fill_model(c);
	if (k->code == KEY_MOUSE_)
		cmd = view_click(&c->view, &c->model, k, w, h);
	else
		cmd = view_key(&c->view, &c->model, k, w, h);
	carry_out(c, cmd);
}

static void look_for_device(struct console *c)
{
	if (!devices_look_for(c->session))
		return;
	c->retick = true;
	list_devices(c);
	console_say(c, false, _("now using %.90s with metric set %.60s"),
		c->session->dev->device.id, c->session->set->name);
}

void console_after_tick(struct console *c, bool is_new)
{
	struct session *ses = c->session;
	bool was_ended = ses->ended && c->message_until_ns == INT64_MAX;
	struct err err = { 0 };

	show_problem(c);
	follow_load(c);
	if (!record_service(ses, &err))
		console_say_err(c, &err);
	if (!export_service(ses, is_new, &err))
		console_say_err(c, &err);
	if (ses->ended && !was_ended) {
		console_say(c, false, _("end of the recording"));
		c->message_until_ns = INT64_MAX;
	}
	/* Last: what it opens has no window yet. */
	look_for_device(c);
}
