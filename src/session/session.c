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

static void load_settings(struct app *a, bool use_settings)
{
	const char *delay;
	struct err err = { 0 };

	/* Files and scripts must not depend on what somebody saved from the screen. */
	if (!use_settings && !a->opt->config)
		a->settings_path[0] = '\0';
	else if (a->opt->config)
		snprintf(a->settings_path, sizeof(a->settings_path), "%s", a->opt->config);
	else if (!settings_default_path(a->settings_path, sizeof(a->settings_path)))
		a->settings_path[0] = '\0';
	if (a->settings_path[0] && !settings_load(&a->settings, a->settings_path, &err))
		app_problem(a, &err);
	if (a->opt->screen)
		settings_set(&a->settings, "screen", a->opt->screen);
	a->delay_ns = a->opt->delay_ns;
	delay = settings_get(&a->settings, "delay");
	if (a->delay_ns == 0 && delay && parse_duration_ns(delay, &a->delay_ns))
		if (a->delay_ns < 10 * NS_PER_MS || a->delay_ns > 3600 * NS_PER_S)
			a->delay_ns = 0;
	if (a->delay_ns == 0)
		a->delay_ns = APP_DEFAULT_DELAY_NS;
}

static void init(struct app *a, const struct options *opt)
{
	memset(a, 0, sizeof(*a));
	a->opt = opt;
	a->current = -1;
	a->self_cpu_pct = NAN;
	if (opt->fsroot)
		snprintf(a->fs.prefix, sizeof(a->fs.prefix), "%s", opt->fsroot);
}

void app_init(struct app *a, const struct options *opt, bool use_settings)
{
	init(a, opt);
	a->print_problems = true;
	load_settings(a, use_settings);
}

void app_init_beside(struct app *a, const struct app *first, const struct options *opt)
{
	init(a, opt);
	a->print_problems = first->print_problems;
	a->clock = first->clock;
	settings_copy(&a->settings, &first->settings);
	snprintf(a->settings_path, sizeof(a->settings_path), "%s", first->settings_path);
	a->delay_ns = first->delay_ns;
}

void app_release(struct app *a)
{
	struct err err = { 0 };

	if (!record_stop(a, &err))
		app_problem(a, &err);
	/* Its socket and its file go away whatever became of the recording. */
	if (!export_close(a, &err))
		app_problem(a, &err);
	load_close(a);
	devices_close(a);
	clients_release(a);
	device_list_release(&a->devices);
	metric_lib_release(&a->lib);
	strbuf_release(&a->loaded);
	settings_release(&a->settings);
	log_release(&a->log);
	init(a, a->opt);
}

void app_problem(struct app *a, const struct err *err)
{
	a->n_problems++;
	log_err(&a->log, clock_wall_ns(&a->clock), err);
	if (a->print_problems)
		app_print_err(err);
}

void app_metric_problem(void *app, const struct err *err)
{
	app_problem(app, err);
}

/* Messages quote files, and what stands in a file must not command the terminal. */
static void print_line(const char *text)
{
	fputs("rooftop: ", stderr);
	for (; *text; text++)
		fputc((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text, stderr);
	fputc('\n', stderr);
}

void app_print_err(const struct err *err)
{
	print_line(err->msg);
	if (err->hint[0])
		print_line(err->hint);
}

enum status app_status(const struct err *err)
{
	switch (err->code) {
	case ERR_USAGE: return STATUS_USAGE;
	case ERR_UNSUPPORTED:
	case ERR_NO_DEVICE: return STATUS_NO_DEVICE;
	case ERR_PERMISSION: return STATUS_NO_RIGHT;
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

void app_virtual_clock(struct app *a, int64_t start_wall_ns)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	int64_t wall_ns = start_wall_ns ? start_wall_ns : clock_wall_ns(&a->clock);
	uint64_t seconds;

	if (epoch && parse_u64_range(epoch, 0, INT64_MAX / NS_PER_S / 2, &seconds))
		wall_ns = (int64_t)seconds * NS_PER_S;
	/* Monotonic time from a round number, so that what a script or a replay prints does not depend on when it runs. */
	clock_init_virtual(&a->clock, 1000 * NS_PER_S, wall_ns);
}
