/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carries out what the view leaves to the program. */
#include "config.h"

#include "app/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/devices.h"
#include "app/refresh.h"
#include "app/sets.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "base/strbuf.h"

#define MESSAGE_NS (6 * NS_PER_S)

void session_say(struct session *s, bool is_error, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->message, sizeof(s->message), fmt, ap);
	va_end(ap);
	s->message_is_error = is_error;
	s->message_until_ns = clock_mono_ns(&s->app->clock) + MESSAGE_NS;
	log_add(&s->app->log, clock_wall_ns(&s->app->clock), is_error ? LOG_ERROR : LOG_INFO, "%s", s->message);
}

static void say_err(struct session *s, const struct err *err)
{
	session_say(s, true, "%s%s%s", err->msg, err->hint[0] ? ": " : "", err->hint);
}

static void list_devices(struct session *s)
{
	struct app *a = s->app;

	s->devices = xreallocarray(s->devices, a->devices.count + 1, sizeof(*s->devices));
	for (size_t i = 0; i < a->devices.count; i++)
		devices_summary(a, (int)i, &s->devices[i]);
	s->model.devices = s->devices;
	s->model.n_devices = (int)a->devices.count;
}

void session_init(struct session *s, struct app *a, bool ascii)
{
	const char *saved = settings_get(&a->settings, "scheme"), *screen = settings_get(&a->settings, "screen");
	int scheme = saved ? scheme_by_name(saved) : SCHEME_DEFAULT;
	const char *no_color = getenv("NO_COLOR"), *saved_ascii = settings_get(&a->settings, "ascii");
	const char *saved_mouse = settings_get(&a->settings, "mouse");

	memset(s, 0, sizeof(*s));
	s->app = a;
	s->mouse = !a->opt->no_mouse && !(saved_mouse && !strcmp(saved_mouse, "off"));
	if (a->opt->no_color || (no_color && *no_color))
		scheme = SCHEME_MONO;
	view_init(&s->view, ascii || (saved_ascii && !strcmp(saved_ascii, "on")),
		scheme >= 0 ? (enum scheme)scheme : SCHEME_DEFAULT);
	if (screen && !strcmp(screen, "devices"))
		s->view.screen = VIEW_DEVICES;
	else if (screen && !strcmp(screen, "log"))
		s->view.screen = VIEW_LOG;
	list_devices(s);
	if (a->n_problems > 0)
		session_say(s, true, "%s", log_get(&a->log, log_count(&a->log) - 1)->text);
}

void session_release(struct session *s)
{
	canvas_release(&s->canvas);
	free(s->devices);
	s->devices = NULL;
}

static void fill_model(struct session *s)
{
	struct app *a = s->app;
	struct view_model *m = &s->model;

	if (clock_mono_ns(&a->clock) >= s->message_until_ns)
		s->message[0] = '\0';
	m->device = &a->dev->device;
	m->set = a->set;
	m->snap = refresh_snapshot(a);
	m->history = &a->history;
	m->how = a->dev->sources[0]->feed.how;
	m->no_device = a->no_device[0] ? a->no_device : NULL;
	m->message = s->message;
	m->message_is_error = s->message_is_error;
	m->checks = a->dev->checks;
	m->n_checks = a->dev->n_checks;
	m->log = &a->log;
	m->wall_ns = clock_wall_ns(&a->clock);
	m->delay_ns = a->delay_ns;
	m->paused = a->paused;
	m->recording = record_is_on(a);
	m->self_cpu_pct = a->self_cpu_pct;
}

void session_draw(struct session *s, int w, int h)
{
	fill_model(s);
	canvas_resize(&s->canvas, w, h);
	view_draw(&s->view, &s->model, &s->canvas);
}

/* step -1: the next shorter delay, 1: the next longer one. */
static void change_delay(struct session *s, int step)
{
	static const int delays_ms[] = { 100, 200, 500, 1000, 2000, 5000, 10000 };
	struct app *a = s->app;
	int64_t best_ns = a->delay_ns;

	for (size_t i = 0; i < ARRAY_LEN(delays_ms); i++) {
		int64_t ns = delays_ms[i] * NS_PER_MS;

		if (step < 0 && ns < a->delay_ns)
			best_ns = ns;
		if (step > 0 && ns > a->delay_ns && best_ns == a->delay_ns)
			best_ns = ns;
	}
	a->delay_ns = best_ns;
	refresh_retime(a);
	s->retick = true;
	session_say(s, false, _("a window every %g s"), (double)best_ns / NS_PER_S);
}

static void toggle_pause(struct session *s)
{
	s->app->paused = !s->app->paused;
	s->app->step = false;
}

static void step_window(struct session *s)
{
	if (!s->app->paused)
		return;
	s->app->step = true;
	if (s->app->dev->sources[0]->self_paced)
		refresh_now(s->app);
}

static void toggle_recording(struct session *s)
{
	struct app *a = s->app;
	struct err err = { 0 };

	if (record_is_on(a)) {
		if (record_stop(a, &err))
			session_say(s, false, _("recorded to '%.300s'"), a->recorder.path);
		else
			say_err(s, &err);
		return;
	}
	if (record_start(a, a->opt->record, a->opt->overwrite, &err))
		session_say(s, false, _("recording to '%.300s'"), a->recorder.path);
	else
		say_err(s, &err);
}

static void use_device(struct session *s)
{
	struct app *a = s->app;
	int row = view_selected_device(&s->view);
	struct err err = { 0 };

	if (row < 0 || row >= s->model.n_devices || row == a->current)
		return;
	if (!s->devices[row].usable) {
		session_say(s, true, "%.90s: %.250s", s->devices[row].id, s->devices[row].reason);
		return;
	}
	if (!devices_open(a, row, NULL, &err)) {
		say_err(s, &err);
		return;
	}
	a->no_device[0] = '\0';
	s->view.focus = 0;
	s->view.screen = VIEW_OVERVIEW;
	s->retick = true;
	list_devices(s);
	session_say(s, false, _("now using %.90s with metric set %.60s"), a->dev->device.id, a->set->name);
}

static bool is_made_with(const struct device *d, const struct metric_set *set)
{
	return !strcmp(d->recorded_set, set->name);
}

/* A recording's counters are what they are: only the equations change. A device is opened again, for other events. */
static void next_set(struct session *s)
{
	struct app *a = s->app;
	const struct metric_set *set = sets_next(a, a->dev->device.platform), *old = a->set;
	struct err err = { 0 }, again = { 0 };
	int index = a->current;

	if (set == old) {
		session_say(s, false, _("this device has no other metric set"));
		return;
	}
	if (a->dev->device.recorded) {
		refresh_rebind(a, set);
		if (is_made_with(&a->dev->device, set))
			session_say(s, false, _("metric set %s"), set->name);
		else
			session_say(s, true,
				_("metric set %s: the recording was made with another one, so some equations do not fit it"),
				set->name);
		return;
	}
	if (devices_open(a, index, set->name, &err)) {
		s->retick = true;
		session_say(s, false, _("metric set %s: %s"), set->name, set->label ? set->label : "");
		return;
	}
	say_err(s, &err);
	if (a->dev)
		return;
	if (!devices_open(a, index, old->name, &again)) {
		app_problem(a, &again);
		s->quit = true;
	}
}

static void save_settings(struct session *s)
{
	static const char *const screens[] = { "overview", "devices", "log" };
	struct app *a = s->app;
	struct settings *set = &a->settings;
	char delay[32];
	struct err err = { 0 };

	if (!a->settings_path[0]) {
		session_say(s, true, _("there is no place for settings: neither XDG_CONFIG_HOME nor HOME is set"));
		return;
	}
	snprintf(delay, sizeof(delay), "%lldms", (long long)(a->delay_ns / NS_PER_MS));
	settings_set(set, "delay", delay);
	settings_set(set, "scheme", scheme_name(s->view.scheme));
	settings_set(set, "ascii", s->view.ascii ? "on" : "off");
	settings_set(set, "mouse", s->mouse ? "on" : "off");
	settings_set(set, "set", a->set->name);
	settings_set(set, "screen", screens[s->view.screen]);
	if (settings_save(set, a->settings_path, &err))
		session_say(s, false, _("settings saved to '%.300s'"), a->settings_path);
	else
		say_err(s, &err);
}

static void carry_out(struct session *s, enum command cmd)
{
	switch (cmd) {
	case CMD_QUIT: s->quit = true; break;
	case CMD_SUSPEND: s->suspend = true; break;
	case CMD_REDRAW: s->redraw = true; break;
	case CMD_FASTER: change_delay(s, -1); break;
	case CMD_SLOWER: change_delay(s, 1); break;
	case CMD_PAUSE: toggle_pause(s); break;
	case CMD_STEP: step_window(s); break;
	case CMD_RESET: history_reset_extremes(&s->app->history); break;
	case CMD_RECORD: toggle_recording(s); break;
	case CMD_NEXT_SET: next_set(s); break;
	case CMD_USE_DEVICE: use_device(s); break;
	case CMD_SAVE: save_settings(s); break;
	default: break;	/* the view's own */
	}
}

void session_key(struct session *s, const struct key_event *k)
{
	enum command cmd;
	int w = s->canvas.w > 0 ? s->canvas.w : 80, h = s->canvas.h > 0 ? s->canvas.h : 24;

	if (k->code == KEY_EOF_) {
		s->quit = true;
		return;
	}
	fill_model(s);
	if (k->code == KEY_MOUSE_)
		cmd = view_click(&s->view, &s->model, k, w, h);
	else
		cmd = view_command(&s->view, &s->model, key_command(k), w, h);
	carry_out(s, cmd);
}

void session_after_tick(struct session *s)
{
	struct app *a = s->app;
	bool was_ended = a->ended && s->message_until_ns == INT64_MAX;
	struct err err = { 0 };

	if (!record_service(a, &err))
		say_err(s, &err);
	if (a->ended && !was_ended) {
		session_say(s, false, _("end of the recording"));
		s->message_until_ns = INT64_MAX;
	}
}
