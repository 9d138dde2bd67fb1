/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carries out what keys ask of a view, its device, both halves and the terminal. */
#include "config.h"

#include "screen/split.h"

#include <stdio.h>
#include <string.h>

#include "session/devices/devices.h"
#include "session/window/rotate.h"
#include "session/window/own_load.h"
#include "session/window/playback.h"
#include "session/window/record.h"
#include "session/window/refresh.h"
#include "session/window/sets.h"
#include "out/picture/roofline_plot.h"
#include "base/i18n.h"
#include "base/fsroot.h"
#include "base/mem.h"
#include "base/numeric.h"
#include "base/strbuf.h"

/* step -1 takes the next shorter delay, 1 the next longer one. */
static void change_delay(struct console *c, int step)
{
	static const int delays_ms[] = { 100, 200, 500, 1000, 2000, 5000, 10000 };
	struct session *ses = c->session;
	int64_t best_ns = ses->window.length_ns;

	for (size_t i = 0; i < ARRAY_LEN(delays_ms); i++) {
		int64_t ns = delays_ms[i] * NS_PER_MS;

		if (step < 0 && ns < ses->window.length_ns)
			best_ns = ns;
		if (step > 0 && ns > ses->window.length_ns && best_ns == ses->window.length_ns)
			best_ns = ns;
	}
	if (best_ns < 2 * ses->want->oa_period_ns) {
		console_say(c, false, _("a window of %g s is too short for reports every %g s"),
			(double)best_ns / NS_PER_S, (double)ses->want->oa_period_ns / NS_PER_S);
		return;
	}
	refresh_set_length(ses, best_ns);
	console_say(c, false, _("a window every %g s"), (double)best_ns / NS_PER_S);
}

/* A recording plays faster or slower, everything else is looked at more or less often. */
static void change_pace(struct console *c, int step)
{
	struct err err = { 0 };
	double speed;

	if (!c->model.playback) {
		change_delay(c, step);
		return;
	}
	speed = playback_change_speed(c->session, -step, &err);
	if (speed > 0)
		console_say(c, false, _("the recording plays at %g times its speed"), speed);
	else
		console_say_err(c, &err);
}

static void set_paused(struct console *c, bool paused)
{
	struct err err = { 0 };

	if (!playback_pause(c->session, paused, &err))
		console_say_err(c, &err);
}

/* Goes by a window, which pauses, or to a place. What is no recording only knows the next window
 * while it is paused. */
static void move_in_recording(struct console *c, enum command cmd)
{
	struct session *ses = c->session;
	struct err err = { 0 };
	bool good = true;

	if (!c->model.playback) {
		refresh_show_next(ses);
		if (ses->play.paused && ses->dev->sources[0]->self_paced)
			refresh_now(ses);
		return;
	}
	if (cmd != CMD_SEEK)
		set_paused(c, true);
	if (cmd == CMD_FORTH)
		good = playback_step(ses, &err);
	else
		good = playback_seek(ses, c->view.seek_ns, &err);
	if (!good)
		console_say_err(c, &err);
}

/* Says why the view cannot go to the time that was typed. */
static void say_no_time(struct console *c)
{
	const struct playback *p = c->model.playback;
	const char *text = c->view.prompt.text;

	if (!p && c->view.seek_ns >= 0) {
		console_say(c, true, _("no such time: the last %lld s are kept"),
			(long long)(c->view.seek_ns / NS_PER_S));
		return;
	}
	if (!p) {
		console_say(c, true, _("'%.40s' is no time: 12:30 is a time of day, -45 is 45 s "
				       "ago, 50 %% is the middle"),
			text);
		return;
	}
	long long total_s = p->total_ns / NS_PER_S;
	if (c->view.seek_ns < 0)
		console_say(c, true, _("'%.40s' is no time: 1:30 is a place, -45 goes back 45 s, 50 %% is "
				       "the middle"),
			text);
	else if (total_s < 60)
		console_say(c, true, _("no such time: the recording has %lld s"), total_s);
	else
		console_say(c, true, _("no such time: the recording has %lld min %02lld s"),
			total_s / 60, total_s % 60);
}

static void toggle_loop(struct console *c)
{
	struct session *ses = c->session;

	if (!c->model.playback) {
		console_say(c, false, "%s", _("only a recording can begin again"));
		return;
	}
	playback_loop(ses, !ses->loops);
	if (ses->loops)
		console_say(c, false, "%s", _("the recording begins again at its end"));
	else
		console_say(c, false, "%s", _("the recording stops at its end"));
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
	if (record_start_named(ses, &err))
		console_say(c, false, _("recording to '%.300s'"), ses->recorder.path);
	else
		console_say_err(c, &err);
}

/* Opens the selected device, in the other half when beside is set. */
static void open_selected(struct split *s, struct console *c, bool beside)
{
	struct session *ses = NULL;
	int row = console_selected_device(c, &ses);
	struct err err = { 0 };
	bool good = true;

	if (ses) {
		split_show(s, ses, beside);
		return;
	}

	if (row >= 0 && beside)
		good = split_open(s, row, &err);
	else if (row >= 0)
		good = console_use_device(c, row, &err);
	if (!good)
		console_say_err(c, &err);
}

/* Uses another set. A recording cannot change its counters, so only the equations change; any other
 * device is opened again for other events. A NULL set means that there is none, as the text none
 * says. */
static void use_set(struct console *c, const struct metric_set *set, const char *none)
{
	struct session *ses = c->session;
	const struct metric_set *old;
	struct err err = { 0 }, again = { 0 };
	int index = ses->opened.entry;

	if (!set) {
		console_say(c, false, "%s", none);
		return;
	}
	if (ses->dev->device.recorded &&
		(sets_is_profile(set) || *ses->dev->device.recording.turns)) {
		console_say(c, true,
			_("'%s' is recorded: only the sets that it was made with take turns in it"),
			ses->dev->device.id);
		return;
	}
	/* The map gives back what it has put aside; it finds its set again by itself. */
	map_set_leave(ses, NULL);
	map_set_forget(ses);
	old = ses->now->rotation->part[0].set;
	if (ses->dev->device.recorded) {
		refresh_use_set(ses, set);
		if (!strcmp(ses->dev->device.recording.set, set->name))
			console_say(c, false, _("metric set %s"), set->name);
		else
			console_say(c, true,
				_("metric set %s: the recording was made with another one, so some "
				  "equations do not fit it"),
				set->name);
		return;
	}
	bool recorded = record_is_on(ses);
	if (devices_open(ses, index, set->name, &err)) {
		if (recorded)
			console_say(c, false, _("metric set %s; recorded to '%.300s'"), set->name,
				ses->recorder.path);
		else
			console_say(c, false, _("metric set %s: %s"), set->name,
				text_or(set->label, ""));
		return;
	}
	console_say_err(c, &err);
	if (ses->dev)
		return;
	if (!devices_open(ses, index, text_or(ses->opened.set, NULL), &again))
		devices_stand_in(ses, index, old, &again);
}

/* Turns the map to the next set that has one. A recording has no other, because its reports are of
 * one set and another map would show other events. */
static void next_map(struct console *c)
{
	struct session *ses = c->session;
	struct err err = { 0 };

	if (map_set_next(ses, &err))
		console_say(c, false, _("the map counts with the set %s"), ses->now->set->name);
	else if (err.code != ERR_NONE)
		console_say_err(c, &err);
	else
		console_say(c, false, "%s", _("no other metric set of this device has a map"));
}

/* Reads the settings again, so that what the other half or another program has saved stays. */
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
	numeric_print(delay, sizeof(delay), "%.10gms", (double)ses->window.length_ns / NS_PER_MS);
	settings_set(set, "delay", delay);
	settings_set(set, "scheme", scheme_name(c->view.scheme));
	settings_set(set, "ascii", c->view.ascii ? "on" : "off");
	settings_set(set, "mouse", c->mouse ? "on" : "off");
	if (map_set_rotation(ses)->n == 1 || map_set_rotation(ses)->is_glance) {
		const char *name = map_set_rotation(ses)->set->name;

		settings_set(set, "set", name);
		sets_key(&ses->dev->device, key, sizeof(key));
		settings_set(set, key, name);
	}
	settings_set(set, "units", console_units_names[c->view.units]);
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

/* Writes a new file into the folder where the program was started. */
static void write_roofline(struct console *c)
{
	struct session *ses = c->session;
	struct err err = { 0 };
	char path[64], note[200];

	if (!default_file_name(&ses->clock, "rooftop-roofline", ".svg", path, sizeof(path)))
		return;
	snprintf(note, sizeof(note), "%s%.60s, %.60s",
		ses->dev->device.simulated ? "SIMULATED, " : "", ses->dev->device.id,
		ses->now->set->name);
	kernel_watch_list(ses, false, &c->kernels);
	if (roofline_plot(&ses->now->roofline, &c->kernels, ses->dev->device.name, note, path, &err))
		console_say(c, false, _("plot written to '%s'"), path);
	else
		console_say_err(c, &err);
}

/* Writes what is on the screen, both halves where there are two. */
static void write_screen(struct split *s, struct console *c)
{
	struct strbuf out = { 0 };
	struct err err = { 0 };
	char path[64];

	if (!default_file_name(
		    &c->session->clock, "rooftop-screen", ".txt", path, sizeof(path)))
		return;
	canvas_dump_text(split_draw(s, NULL, s->w, s->h), &out);
	if (file_replace(path, strbuf_str(&out), out.len, &err))
		console_say(c, false, _("screen written to '%s'"), path);
	else
		console_say_err(c, &err);
	strbuf_release(&out);
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

/* Says what the launcher was set to, or what it does not take. */
static void say_setting(struct console *c, enum command cmd)
{
	char text[sizeof(c->message)];

	if (cmd == CMD_STRESS_PRESET)
		view_preset_chosen(&c->view, &c->model, text, sizeof(text));
	else
		view_value_refused(&c->view, text, sizeof(text));
	console_say(c, cmd == CMD_STRESS_VALUE, "%s", text);
}

/* Loads of the screen Stress. */
static void carry_out_load(struct split *s, struct console *c, enum command cmd)
{
	struct session *ses = c->session;

	switch (cmd) {
	case CMD_STRESS_YES:
		own_load_agree(ses);
		start_load(c);
		break;
	case CMD_STRESS_START: start_load(c); break;
	case CMD_STRESS_END: own_load_stop(ses); break;
	case CMD_STRESS_PRESET:
	case CMD_STRESS_VALUE: say_setting(c, cmd); break;
	case CMD_STRESS_STOP:
		/* A user in a hurry wants quiet, so this stops the load in either half. */
		for (int i = 0; i < s->n; i++)
			own_load_stop(s->half[i]->session);
		break;
	default: break;
	}
}

/* Devices and halves; the view handles what is left. */
static void carry_out_device(struct split *s, struct console *c, enum command cmd)
{
	struct session *ses = c->session;

	switch (cmd) {
	case CMD_USE_DEVICE: open_selected(s, c, false); break;
	case CMD_LOOK_AGAIN:
		device_changes_follow(ses->program, clock_mono_ns(&ses->clock), true);
		console_say(c, false,
			ngettext("looked again: %zu device is listed",
				"looked again: %zu devices are listed",
				(unsigned long)ses->program->devices.count),
			ses->program->devices.count);
		break;
	case CMD_BESIDE: open_selected(s, c, true); break;
	case CMD_OTHER_HALF: split_turn(s); break;
	case CMD_CLOSE_OTHER: split_close_other(s); break;
	default: break;
	}
}

/* Carries out what is not the view's. */
static void carry_out(struct split *s, struct console *c, enum command cmd)
{
	struct session *ses = c->session;

	switch (cmd) {
	case CMD_QUIT: s->driver->quit(s->driver_ctx); break;
	case CMD_SUSPEND: s->driver->suspend(s->driver_ctx); break;
	case CMD_REDRAW: s->driver->redraw(s->driver_ctx); break;
	case CMD_MOUSE:
		c->mouse = !c->mouse;
		split_share_look(s, c);
		s->driver->mouse(s->driver_ctx, c->mouse);
		break;
	case CMD_FASTER: change_pace(c, -1); break;
	case CMD_SLOWER: change_pace(c, 1); break;
	case CMD_PAUSE: set_paused(c, !ses->play.paused); break;
	case CMD_BACK:
	case CMD_FORTH:
	case CMD_SEEK: move_in_recording(c, cmd); break;
	case CMD_LOOP: toggle_loop(c); break;
	case CMD_RESET:
		if (c->view.screen == VIEW_KERNELS)
			kernel_watch_anew(ses);
		else
			history_reset_extremes(&ses->now->history);
		break;
	case CMD_MARK:
		console_say(c, false, _("moments marked: %d; [ and ] go to them, X forgets them"),
			c->view.n_marks);
		break;
	case CMD_EXPLAIN: console_say(c, false, _("nothing here has an explanation")); break;
	case CMD_RECORD: toggle_recording(c); break;
	case CMD_GOTO_TIME: say_no_time(c); break;
	case CMD_SETS: set_list_make(&c->sets, ses); break;
	case CMD_USE_SET:
		if (c->view.chosen_set < c->sets.n)
			use_set(c, c->sets.set[c->view.chosen_set], "");
		break;
	case CMD_NEXT_SET:
		use_set(c, sets_next(ses, ses->dev->device.platform, false),
			_("this device has no other metric set"));
		break;
	case CMD_MAP_SET: next_map(c); break;
	case CMD_SIGNAL_TERM:
	case CMD_SIGNAL_KILL:
	case CMD_SIGNAL_INT:
	case CMD_SIGNAL_STOP:
	case CMD_SIGNAL_CONT: send_signal(c, cmd); break;
	case CMD_WRITE_SCREEN: write_screen(s, c); break;
	case CMD_WRITE_PLOT: write_roofline(c); break;
	case CMD_SAVE: save_settings(c); break;
	default:
		carry_out_load(s, c, cmd);
		carry_out_device(s, c, cmd);
	}
}

/* Gives the key to the view. One that has no meaning anywhere says so, once. */
static enum command key_of_view(struct console *c, const struct key_event *k, int w, int h)
{
	const bool typed = c->view.prompt.kind != PROMPT_NONE;
	const enum command cmd = view_key(&c->view, &c->model, k, w, h);

	if (typed || c->told_key || k->code != KEY_CHAR || k->ch <= ' ' || k->ch > '~' ||
		key_command(k) != CMD_NONE || c->view.prompt.kind != PROMPT_NONE)
		return cmd;
	c->told_key = true;
	console_say(c, false, _("the key %c has no meaning; h lists the keys"), (char)k->ch);
	return cmd;
}

/* Gives a key to the view and carries out the command that comes of it. */
static void view_takes(struct split *s, struct console *c, const struct key_event *k)
{
	int w = c->canvas.w, h = c->canvas.h;
	enum command cmd;

	if (w <= 0)
		w = 80;
	if (h <= 0)
		h = 24;
	/* Keys and clicks are about rows of the last frame, and the key before may have changed
	 * what these are. */
	if (c->is_drawn)
		console_fill_model(c);
	else
		console_draw(c, w, h);
	c->is_drawn = false;
	if (k->code == KEY_MOUSE_)
		cmd = view_click(&c->view, &c->model, k, &c->canvas);
	else
		cmd = key_of_view(c, k, w, h);
	split_share_look(s, c);
	carry_out(s, c, cmd);
	for (int i = 0; i < s->n; i++)
		console_follow_screen(&s->half[i]->console);
}

/* Gives a mouse event to the half below it, which a click gives the focus, or to the words of the
 * last line, which is below both halves. */
static void mouse_key(struct split *s, const struct key_event *k)
{
	int i = halves_at(&s->layout, k->x, k->y);
	struct key_event here = *k;
	struct console *c;
	enum command cmd;

	if (i >= 0) {
		if (k->ch == 1)
			split_focus(s, i);
		here.x -= s->layout.half[i].x;
		here.y -= s->layout.half[i].y;
		view_takes(s, &s->half[i]->console, &here);
	} else if (k->ch == 1) {
		c = split_focused(s);
		c->view.prompt.kind = PROMPT_NONE;
		cmd = view_command_at(&s->canvas, k->x, k->y);
		console_fill_model(c);
		cmd = view_command(&c->view, &c->model, cmd, c->canvas.w, c->canvas.h);
		split_share_look(s, c);
		carry_out(s, c, cmd);
	}
}

void dispatch_key(struct split *s, const struct key_event *k)
{
	split_place(s);
	if (k->code == KEY_EOF_)
		s->driver->quit(s->driver_ctx);
	else if (s->both && k->code == KEY_MOUSE_)
		mouse_key(s, k);
	else
		view_takes(s, split_focused(s), k);
}
