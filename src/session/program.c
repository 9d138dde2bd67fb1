/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts and ends the program and its sessions. */
#include "config.h"

#include "session/program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/window/refresh.h"
#include "session/devices/devices.h"
#include "session/window/own_load.h"
#include "session/window/stream_out.h"
#include "base/fsroot.h"
#include "base/mem.h"
#include "base/parse.h"

void program_init(struct program *p, const struct options *opt, bool use_settings)
{
	struct err err = { 0 };

	*p = (struct program){ .opt = opt, .print_problems = true };
	if (opt->fsroot)
		snprintf(p->fs.prefix, sizeof(p->fs.prefix), "%s", opt->fsroot);
	if (opt->config)
		snprintf(p->settings_path, sizeof(p->settings_path), "%s", opt->config);
	/* Files and scripts must not depend on what somebody saved from the screen. */
	else if (use_settings && !settings_default_path(p->settings_path, sizeof(p->settings_path)))
		p->settings_path[0] = '\0';
	struct session *first = program_add_session(p, &opt->devices[0]);
	if (p->settings_path[0]) {
		file_drop_leftovers(p->settings_path);
		if (!settings_load(&p->settings, p->settings_path, &err))
			session_problem(first, &err);
		settings_check(&p->settings, p->settings_path, session_metric_problem, first);
	}
	if (opt->screen)
		settings_set(&p->settings, "screen", opt->screen);
	const char *saved = settings_get(&p->settings, "delay");
	bool good = saved && parse_duration_ns(saved, &p->delay_ns) &&
		p->delay_ns >= 10 * NS_PER_MS && p->delay_ns <= 3600 * NS_PER_S;
	if (!good)
		p->delay_ns = SESSION_DEFAULT_DELAY_NS;
	if (saved && !good) {
		settings_refuse("delay", saved, &err);
		session_problem(first, &err);
	}
	if (opt->delay_ns)
		p->delay_ns = opt->delay_ns;
	first->window.length_ns = p->delay_ns;
}

struct session *program_add_session(struct program *p, const struct device_options *want)
{
	struct session *ses = xcalloc(1, sizeof(*ses));

	ses->program = p;
	ses->opt = p->opt;
	ses->want = want;
	ses->now = xcalloc(1, sizeof(*ses->now));
	ses->window.length_ns = p->delay_ns;
	ses->opened.entry = -1;
	ses->self.cpu_pct = NAN;
	p->sessions = xreallocarray(p->sessions, (size_t)p->n_sessions + 1, sizeof(*p->sessions));
	p->sessions[p->n_sessions++] = ses;
	return ses;
}

void program_close_session(struct program *p, struct session *ses)
{
	struct err err = { 0 };
	int i = 0;

	if (!record_stop(ses, &err))
		session_problem(ses, &err);
	own_load_close(ses);
	kernel_watch_close(ses);
	devices_close(ses);
	client_scan_release(ses);
	metric_lib_release(&ses->sets.lib);
	strbuf_release(&ses->sets.loaded);
	log_release(&ses->log);
	free(ses->now);
	while (p->sessions[i] != ses)
		i++;
	p->n_sessions--;
	memmove(&p->sessions[i], &p->sessions[i + 1],
		(size_t)(p->n_sessions - i) * sizeof(*p->sessions));
	free(ses);
}

void program_release(struct program *p)
{
	stream_out_close(p->stream, NULL);
	while (p->n_sessions)
		program_close_session(p, p->sessions[p->n_sessions - 1]);
	free(p->sessions);
	while (p->n_recorded)
		free(p->recorded[--p->n_recorded]);
	free(p->recorded);
	device_list_release(&p->devices);
	settings_release(&p->settings);
	*p = (struct program){ 0 };
}
