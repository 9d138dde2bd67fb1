/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Start, end, problems and time of the program. */
#include "config.h"

#include "session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/client_scan.h"
#include "session/devices.h"
#include "session/own_load.h"
#include "session/refresh.h"
#include "base/parse.h"

static void load_settings(struct session *ses, bool use_settings)
{
	const char *delay;
	struct err err = { 0 };

	/* Files and scripts must not depend on what somebody saved from the screen. */
	if (!use_settings && !ses->opt->config)
		ses->settings_path[0] = '\0';
	else if (ses->opt->config)
		snprintf(ses->settings_path, sizeof(ses->settings_path), "%s", ses->opt->config);
	else if (!settings_default_path(ses->settings_path, sizeof(ses->settings_path)))
		ses->settings_path[0] = '\0';
	if (ses->settings_path[0] && !settings_load(&ses->settings, ses->settings_path, &err))
		session_problem(ses, &err);
	if (ses->opt->screen)
		settings_set(&ses->settings, "screen", ses->opt->screen);
	ses->delay_ns = ses->opt->delay_ns;
	delay = settings_get(&ses->settings, "delay");
	if (ses->delay_ns == 0 && delay && parse_duration_ns(delay, &ses->delay_ns))
		if (ses->delay_ns < 10 * NS_PER_MS || ses->delay_ns > 3600 * NS_PER_S)
			ses->delay_ns = 0;
	if (ses->delay_ns == 0)
		ses->delay_ns = SESSION_DEFAULT_DELAY_NS;
}

static void init(struct session *ses, const struct options *opt)
{
	memset(ses, 0, sizeof(*ses));
	ses->opt = opt;
	ses->current = -1;
	ses->self_cpu_pct = NAN;
	if (opt->fsroot)
		snprintf(ses->fs.prefix, sizeof(ses->fs.prefix), "%s", opt->fsroot);
}

void session_init(struct session *ses, const struct options *opt, bool use_settings)
{
	init(ses, opt);
	ses->print_problems = true;
	load_settings(ses, use_settings);
}

void session_init_beside(
	struct session *ses, const struct session *first, const struct options *opt)
{
	init(ses, opt);
	ses->print_problems = first->print_problems;
	ses->clock = first->clock;
	settings_copy(&ses->settings, &first->settings);
	snprintf(ses->settings_path, sizeof(ses->settings_path), "%s", first->settings_path);
	ses->delay_ns = first->delay_ns;
}

void session_release(struct session *ses)
{
	struct err err = { 0 };

	if (!record_stop(ses, &err))
		session_problem(ses, &err);
	/* Its socket and its file go away whatever became of the recording. */
	if (!export_close(ses, &err))
		session_problem(ses, &err);
	own_load_close(ses);
	devices_close(ses);
	clients_release(ses);
	device_list_release(&ses->devices);
	metric_lib_release(&ses->lib);
	strbuf_release(&ses->loaded);
	settings_release(&ses->settings);
	log_release(&ses->log);
	init(ses, ses->opt);
}

void session_problem(struct session *ses, const struct err *err)
{
	ses->n_problems++;
	log_err(&ses->log, clock_wall_ns(&ses->clock), err);
	if (ses->print_problems)
		session_print_err(err);
}

void session_metric_problem(void *app, const struct err *err)
{
	session_problem(app, err);
}

/* Messages quote files, and what stands in a file must not command the terminal. */
static void print_line(const char *text)
{
	fputs("rooftop: ", stderr);
	for (; *text; text++)
		fputc((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text, stderr);
	fputc('\n', stderr);
}

void session_print_err(const struct err *err)
{
	print_line(err->msg);
	if (err->hint[0])
		print_line(err->hint);
}

enum status session_status(const struct err *err)
{
	switch (err->code) {
	case ERR_USAGE: return STATUS_USAGE;
	case ERR_UNSUPPORTED:
	case ERR_NO_DEVICE: return STATUS_NO_DEVICE;
	case ERR_PERMISSION: return STATUS_NO_PERMISSION;
	case ERR_NONE:
	case ERR_SYS:
	case ERR_PARSE:
	case ERR_BUSY:
	case ERR_ASLEEP:
	case ERR_END:
		break;
	}
	return STATUS_FAILURE;
}

enum status session_fail(const struct err *err)
{
	session_print_err(err);
	return session_status(err);
}

void session_virtual_clock(struct session *ses, int64_t start_wall_ns)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	int64_t wall_ns = start_wall_ns ? start_wall_ns : clock_wall_ns(&ses->clock);
	uint64_t seconds;

	if (epoch && parse_u64_range(epoch, 0, INT64_MAX / NS_PER_S / 2, &seconds))
		wall_ns = (int64_t)seconds * NS_PER_S;
	/* Monotonic time from a round number, so that what a script or a replay prints does not
	 * depend on when it runs. */
	clock_init_virtual(&ses->clock, 1000 * NS_PER_S, wall_ns);
}
