/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills the model of a view, and says what happens. */
#include "config.h"

#include "screen/console.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/program.h"
#include "session/devices/devices.h"
#include "session/window/rotate.h"
#include "out/export/export.h"
#include "session/window/own_load.h"
#include "session/window/playback.h"
#include "session/window/record.h"
#include "session/window/refresh.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "core/snapshot/snapshot.h"

enum phase { PHASE_IDLE, PHASE_MEMORY, PHASE_COMPUTE, PHASE_POWER, PHASE_COUNT };

/* TRANSLATORS: at most 68 columns, the width of the answer on a small screen. */
static const char *const sentences[PHASE_COUNT] = {
	[PHASE_IDLE] = N_("nothing to do: the clock and the power are at their lowest"),
	[PHASE_MEMORY] = N_("arrays are copied: memory is at its roof, and the EUs wait for it"),
	[PHASE_COMPUTE] = N_("every FPU works from registers: no traffic, the pipes are full"),
	[PHASE_POWER] = N_("the same load beside busy CPU cores: the power limit lowers the clock"),
};

static double value_of(const struct snapshot *s, const char *name)
{
	int i = metric_set_index(s->set, name);

	return i >= 0 && s->values[i].why == WHY_OK ? s->values[i].v : NAN;
}

static double share_of(const struct snapshot *s, const char *name)
{
	int i = metric_set_index(s->set, name);

	return i >= 0 && s->values[i].why == WHY_OK && s->ceilings[i].v > 0
		? s->values[i].v / s->ceilings[i].v
		: NAN;
}

/* Returns the sentence that fits the window, translated; NULL when the set lacks what tells the
 * phases apart. */
static const char *tour_sentence(const struct snapshot *s)
{
	double busy = value_of(s, "gpu_busy"), stall = value_of(s, "eu_stall"),
	       power = share_of(s, "power_package");
	enum phase phase = PHASE_COMPUTE;

	if (isnan(busy) || isnan(stall))
		return NULL;
	if (busy < 5)
		phase = PHASE_IDLE;
	else if (stall > 50)
		phase = PHASE_MEMORY;
	else if (power > 0.97)
		phase = PHASE_POWER;
	return _(sentences[phase]);
}

#define MESSAGE_NS (6 * NS_PER_S)

const char *const console_units_names[UNITS_COUNT] = { "own", "per-cycle", "share" };

void console_say(struct console *c, bool is_error, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(c->message, sizeof(c->message), fmt, ap);
	va_end(ap);
	c->message_is_error = is_error;
	c->says_old = false;
	c->message_until_ns = clock_mono_ns(&c->session->clock) + MESSAGE_NS;
	log_add(&c->session->log, clock_wall_ns(&c->session->clock),
		is_error ? LOG_ERROR : LOG_INFO, "%s", c->message);
}

void console_say_err(struct console *c, const struct err *err)
{
	if (err->hint[0])
		console_say(c, true, "%s: %s", err->msg, err->hint);
	else
		console_say(c, true, "%s", err->msg);
}

void console_say_device(struct console *c)
{
	console_say(c, false, _("now using %.90s with metric set %.60s"),
		c->session->dev->device.id, c->session->now->set->name);
}

/* Returns the place of the other open device in the list of devices, or -1 when there is none. */
static int other_entry(const struct console *c)
{
	if (!c->other)
		return -1;
	return c->other->opened.entry;
}

/* Where the device that was selected stands now. */
static int row_of(const struct console *c, const struct device_summary *was)
{
	for (int i = 0; i < c->model.n_devices; i++) {
		int at = (max_of(c->view.device_row, 0) + i) % c->model.n_devices;

		if (c->devices[at].current == was->current && !strcmp(c->devices[at].id, was->id))
			return at;
	}
	return c->view.device_row;
}

static void list_devices(struct console *c)
{
	struct session *ses = c->session;
	struct device_summary selected = { 0 };

	if (c->view.device_row >= 0 && c->view.device_row < c->model.n_devices)
		selected = c->devices[c->view.device_row];
	c->listed_other = other_entry(c);
	c->listed_changes = ses->program->device_changes;
	c->devices = xreallocarray(
		c->devices, ses->program->devices.count + 1, sizeof(*c->devices));
	for (size_t i = 0; i < ses->program->devices.count; i++) {
		devices_summary(ses, (int)i, &c->devices[i]);
		if (c->other && (int)i != ses->opened.entry && (int)i == c->other->opened.entry)
			/* TRANSLATORS: state of a device: it is open in the other half of the
			 * screen. The column is narrow. */
			snprintf(c->devices[i].state, sizeof(c->devices[i].state), "%s",
				_("beside"));
	}
	c->model.devices = c->devices;
	c->model.n_devices = (int)ses->program->devices.count;
	c->view.device_row = row_of(c, &selected);
}

/* Shows the newest problem of the program itself, which is in the log already. When the same device
 * is open in the other half, the driver blames another program for counters that have only one
 * reader. */
static void show_problem(struct console *c)
{
	struct session *ses = c->session;
	bool held = false;

	if (ses->n_problems == c->problems_seen)
		return;
	c->problems_seen = ses->n_problems;
	if (ses->dev && c->other && c->other->opened.entry == ses->opened.entry)
		for (int i = 0; i < ses->dev->n_sources; i++)
			held |= ses->got.samples[i].why == WHY_BUSY;
	if (held) {
		console_say(c, true,
			_("%.90s is open in the other half of the screen: its counters have one "
			  "reader at a time"),
			ses->dev->device.id);
		return;
	}
	snprintf(c->message, sizeof(c->message), "%s",
		log_get(&ses->log, log_count(&ses->log) - 1)->text);
	c->message_is_error = true;
	c->says_old = false;
	c->message_until_ns = clock_mono_ns(&ses->clock) + MESSAGE_NS;
}

static void refuse_setting(struct session *ses, const char *key, const char *value)
{
	struct err err = { 0 };

	settings_refuse(key, value, &err);
	session_problem(ses, &err);
}

static void take_units(struct console *c, const char *units)
{
	for (int i = 0; i < UNITS_COUNT; i++)
		if (!strcmp(units, console_units_names[i])) {
			c->view.units = (enum view_units)i;
			return;
		}
	refuse_setting(c->session, "units", units);
}

void console_init(struct console *c, struct session *ses, bool ascii)
{
	const struct settings *settings = &ses->program->settings;
	const char *saved = settings_get(settings, "scheme");
	const char *screen = settings_get(settings, "screen");
	const char *saved_ascii = settings_get(settings, "ascii");
	const char *saved_mouse = settings_get(settings, "mouse");
	const char *units = settings_get(settings, "units");
	const char *hidden = settings_get(settings, "hidden-panes");
	const char *no_color = getenv("NO_COLOR");
	int scheme = SCHEME_DEFAULT;

	*c = (struct console){
		.session = ses,
		.mouse = !ses->opt->no_mouse && !(saved_mouse && !strcmp(saved_mouse, "off")),
	};
	if (saved && scheme_by_name(saved) >= 0)
		scheme = scheme_by_name(saved);
	else if (saved)
		refuse_setting(ses, "scheme", saved);
	if (ses->opt->no_color || (no_color && *no_color))
		scheme = SCHEME_MONO;
	view_init(&c->view, ascii || (saved_ascii && !strcmp(saved_ascii, "on")),
		(enum scheme)scheme);
	if (screen && view_screen_by_name(screen) >= 0)
		c->view.screen = (enum view_screen)view_screen_by_name(screen);
	else if (screen)
		refuse_setting(ses, "screen", screen);
	if (units)
		take_units(c, units);
	if (hidden)
		snprintf(c->view.hidden, sizeof(c->view.hidden), "%s", hidden);
	if (!process_list_load(settings, &c->view.procs.choice))
		refuse_setting(ses, "processes-sort", settings_get(settings, "processes-sort"));
	if (ses->want->lists_contexts) {
		c->view.procs.contexts = true;
		if (!ses->opt->screen)
			c->view.screen = VIEW_PROCS;
	}
	list_devices(c);
	show_problem(c);
}

void console_release(struct console *c)
{
	canvas_release(&c->canvas);
	view_release(&c->view);
	free(c->devices);
	c->devices = NULL;
	all_devices_release(&c->all);
	process_list_release(&c->procs);
	set_list_release(&c->sets);
	job_log_release(&c->runs);
	kernel_list_release(&c->kernels);
}

/* The catalogue is asked for only where it is shown, because asking may start the worker. */
static void fill_load(struct console *c)
{
	struct session *ses = c->session;
	struct view_model *m = &c->model;

	m->job = ses->load.runner ? &ses->load.state : NULL;
	m->runs = &c->runs;
	if (c->view.screen == VIEW_STRESS) {
		m->kernels = own_load_kernels(ses, "", &m->n_kernels);
		view_job(&c->view, m, &m->chosen);
		own_load_choose(ses, &m->chosen);
	}
	m->may_load = ses->load.agreed;
}

void console_follow_screen(struct console *c)
{
	struct session *ses = c->session;
	bool on_map = c->view.screen == VIEW_MAP, good;
	struct err err = { 0 };

	if (on_map == ses->map.is_on)
		c->map_refused = false;
	/* What a recording has refused is asked for again when it has ended. */
	if (on_map == ses->map.is_on || (c->map_refused && (on_map || record_is_on(ses))))
		return;
	if (on_map)
		good = map_set_enter(ses, &err);
	else
		good = map_set_leave(ses, &err);
	if (!good && err.code != ERR_NONE) {
		console_say_err(c, &err);
		c->map_refused = true;
	}
	if (!good)
		return;
	c->view.back = 0;
	if (!refresh_snapshot(ses))
		return;
	console_say(c, false, _("switched to set %s; values are %.0f s old until it has counted"),
		ses->now->set->name,
		(double)(clock_mono_ns(&ses->clock) - refresh_snapshot(ses)->mono_ns) / NS_PER_S);
	/* The window itself ends it; a device that gives none does not keep it for ever. */
	c->says_old = true;
	c->message_until_ns = clock_mono_ns(&ses->clock) + ses->window.length_ns + MESSAGE_NS;
}

/* The search for processes starts once they are shown, and then goes on so that it keeps their
 * past. What the user filters on one screen is whole on the others. */
static void fill_processes(struct console *c)
{
	struct client_choice choice = c->view.procs.choice;

	if (c->view.screen == VIEW_PROCS ||
		(c->view.screen == VIEW_OVERVIEW && !view_hides(&c->view, VIEW_PANE_PROCESSES)))
		client_scan_want(c->session, true);
	if (c->view.screen == VIEW_PROCS &&
		(c->view.procs.contexts || !c->session->dev->clients))
		refresh_want_contexts(c->session);
	if (c->view.screen != VIEW_PROCS)
		choice.filter[0] = '\0';
	process_list_update(&c->procs, c->session, &choice, &c->model);
}

/* Programs are listened to from the first look at the screen on; those of this program have to be
 * started anew for it. */
static void watch_kernels(struct console *c)
{
	struct session *ses = c->session;
	struct err err = { 0 };

	if (c->view.screen != VIEW_KERNELS || ses->kernels.on || c->kernels_refused ||
		ses->dev->device.recorded)
		return;
	c->kernels_refused = !kernel_watch_open(ses, true, &err);
	if (c->kernels_refused) {
		console_say_err(c, &err);
		return;
	}
	kernel_watch_tell_children(ses);
	if (!own_load_is_on(ses))
		own_load_close(ses);
}

/* Lines of what is not there any more are not kept, also while the screen pauses. */
static void fill_kernels(struct console *c)
{
	struct session *ses = c->session;
	bool shown = c->view.screen == VIEW_KERNELS || c->view.screen == VIEW_ROOFLINE;

	watch_kernels(c);
	bool is_new = c->kernels_of != ses->kernels.begins;
	if (!shown || is_new)
		c->kernels.n = 0;
	c->kernels_of = ses->kernels.begins;
	if (shown && (is_new || c->kernels.n == 0 ||
			     (!ses->play.paused && c->kernels_read != ses->kernels.reads))) {
		kernel_watch_list(ses, false, &c->kernels);
		c->kernels_read = ses->kernels.reads;
	}
	if (c->view.screen == VIEW_KERNELS || ses->kernels.table.n_rows > 0)
		c->model.kernel_list = &c->kernels;
}

/* Returns the time of day of what is shown: that of a recording where it says so. */
static int64_t shown_wall_ns(struct session *ses)
{
	const struct snapshot *s = refresh_snapshot(ses);

	if (ses->dev->device.recorded && s && s->set == ses->now->set)
		return s->wall_ns;
	return clock_wall_ns(&ses->clock);
}

/* What the screen shows of the session, whatever its screen is. */
static void fill_session(struct console *c)
{
	struct session *ses = c->session;
	struct view_model *m = &c->model;

	*m = (struct view_model){
		.device = &ses->dev->device,
		.set = ses->now->set,
		.snap = refresh_snapshot(ses),
		.history = &ses->now->history,
		.cell_history = ses->now->cell_history,
		.sets = c->sets.summary,
		.n_sets = c->sets.n,
		.home_set = map_set_home(ses),
		.roofs = &ses->now->roofs,
		.how = ses->dev->sources[0]->feed.how,
		.host = ses->program->host,
		.message = c->message,
		.message_is_error = c->message_is_error,
		.devices = m->devices,
		.n_devices = m->n_devices,
		.checks = ses->dev->checks,
		.n_checks = ses->dev->n_checks,
		.log = &ses->log,
		.wall_ns = shown_wall_ns(ses),
		.delay_ns = ses->window.length_ns,
		.paused = ses->play.paused,
		.mouse = c->mouse,
		.place = c->place,
		.of_two = c->of_two,
		.back = c->view.back,
		.units = c->view.units,
		.recording = record_is_on(ses),
		.self_cpu_pct = ses->self.cpu_pct,
	};
}

void console_fill_model(struct console *c)
{
	struct session *ses = c->session;
	struct view_model *m = &c->model;
	const struct metric_set *other_map = NULL;

	if (clock_mono_ns(&ses->clock) >= c->message_until_ns) {
		snprintf(c->message, sizeof(c->message), "%s",
			ses->play.ended ? _("end of the recording") : "");
		c->message_is_error = false;
	}
	if (c->listed_other != other_entry(c) ||
		c->listed_changes != ses->program->device_changes)
		list_devices(c);
	if (!ses->play.paused)
		c->view.back = 0;
	fill_session(c);
	if (c->view.screen == VIEW_ALL) {
		all_devices_update(&c->all, c->session, &c->view.all_row);
		c->model.lines = c->all.line;
		c->model.n_lines = c->all.n;
	}
	if (c->view.screen == VIEW_MAP)
		other_map = map_set_find(ses);
	if (other_map)
		m->map_set = other_map->name;
	if (ses->now->is_bound)
		m->bound = &ses->now->snaps[ses->now->front];
	if (playback_get(ses, &c->playback))
		m->playback = &c->playback;
	if (ses->opened.no_device[0])
		m->no_device = ses->opened.no_device;
	if ((ses->opt->tour || (ses->opened.no_device[0] && ses->dev->device.simulated)) && m->snap &&
		!m->back)
		m->tour = tour_sentence(m->snap);
	fill_processes(c);
	fill_load(c);
	fill_kernels(c);
}

void console_draw(struct console *c, int w, int h)
{
	console_fill_model(c);
	if (c->canvas.w != w || c->canvas.h != h)
		canvas_resize(&c->canvas, w, h);
	view_draw(&c->view, &c->model, &c->canvas);
	c->is_drawn = true;
}

int console_selected_device(struct console *c, struct session **open)
{
	int row = view_selected_device(&c->view), line = view_selected_line(&c->view, &c->model);

	if (line >= 0) {
		*open = c->all.session[line];
		row = c->all.entry[line];
	}
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

	if (row == ses->opened.entry && !ses->opened.stands_in)
		return true;
	bool recorded = record_is_on(ses);
	if (!devices_open(ses, row, NULL, err))
		return false;
	devices_user_chose(ses);
	c->view.screen = VIEW_OVERVIEW;
	list_devices(c);
	console_say_device(c);
	if (recorded)
		console_say(c, false, _("recorded to '%.300s'"), ses->recorder.path);
	return true;
}

/* Says how a run went when it has ended. */
static void follow_load(struct console *c)
{
	struct session *ses = c->session;
	const struct job_state *st = &ses->load.state;
	const char *name = text_or(st->kernel.name, st->job.kernel);

	if (!job_log_update(&c->runs, st, clock_wall_ns(&ses->clock)))
		return;
	if (st->phase == JOB_FAILED)
		console_say_err(c, &st->err);
	else if (st->progress.mismatches)
		console_say(c, true, _("%s: %llu wrong results"), name,
			(unsigned long long)st->progress.mismatches);
	else
		console_say(c, false, _("%s has ended"), name);
}

void console_after_tick(struct console *c, bool is_new)
{
	struct session *ses = c->session;
	struct err err = { 0 };

	if (is_new && c->says_old)
		c->message_until_ns = 0;
	playback_follow(ses);
	show_problem(c);
	console_follow_screen(c);
	follow_load(c);
	if (!record_service(ses, &err))
		console_say_err(c, &err);
	if (!export_service(ses, is_new, &err))
		console_say_err(c, &err);
	if (ses->play.ended && !c->was_ended) {
		console_say(c, false, _("end of the recording"));
		c->message_until_ns = 0;
	}
	c->was_ended = ses->play.ended;
	/* This comes last, because what it opens has no window yet. */
	if (devices_look_for(ses)) {
		list_devices(c);
		console_say_device(c);
	}
}
