/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts the command, watches it, reports. */
#include "config.h"

#include "cmd/run_cmd.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "session/devices.h"
#include "out/output.h"
#include "session/refresh.h"
#include "out/rows.h"
#include "session/source_watch.h"
#include "out/writer.h"
#include "base/i18n.h"
#include "base/loop.h"
#include "base/mem.h"

#define WINDOW_NS (100 * NS_PER_MS)

extern char **environ;

struct around {
	struct session *session;
	struct loop *loop;
	struct source_watch watch;
	struct window_sum span;
	pid_t pid;		/* 0: not started, or gone */
	int status;		/* as wait() gives it */
	struct rusage used;
	int64_t start_ns;
	double seconds;
	bool started;
	struct err err;
};

static void reap(struct around *r)
{
	if (r->pid > 0 && wait4(r->pid, &r->status, WNOHANG, &r->used) == r->pid)
		r->pid = 0;
}

static void on_tick(void *ctx, uint64_t missed)
{
	struct around *r = ctx;

	(void)missed;
	refresh_tick(r->session);
	source_watch_update(&r->watch, r->session);
	reap(r);	/* should SIGCHLD have been lost */
}

static void on_source(void *ctx, int fd, short revents)
{
	struct around *r = ctx;

	(void)revents;
	source_watch_ready(&r->watch, r->session, fd);
}

/* What the terminal sends reaches the command by itself; what somebody sends to us is meant for
 * it. */
static void on_signal(void *ctx, int signo)
{
	struct around *r = ctx;

	if (signo == SIGCHLD)
		reap(r);
	else if (r->pid > 0 && !loop_signal_by_kernel(r->loop))
		kill(r->pid, signo);
}

/* A fresh process as a shell would start it: no signal blocked, none ignored that was not ignored
 * before us. */
static bool spawn(struct around *r, int *status)
{
	char **argv = r->session->opt->names;
	posix_spawnattr_t attr;
	sigset_t none, defaults;
	int failed;

	sigemptyset(&none);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	sigaddset(&defaults, SIGXFSZ);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &defaults);
	failed = posix_spawnp(&r->pid, argv[0], NULL, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	if (!failed)
		return true;
	r->pid = 0;
	*status = failed == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_EXECUTE;
	errno = failed;
	return err_sys(&r->err, _("cannot run '%s'"), argv[0]);
}

/* Sources deliver from their second window on. */
static bool prime(struct around *r)
{
	while (!r->session->primed)
		if (!loop_once(r->loop, -1, &r->err))
			return false;
	refresh_now(r->session);
	return true;
}

static bool watch(struct around *r, int *status)
{
	struct session *ses = r->session;

	if (!loop_set_tick(r->loop, ses->delay_ns, on_tick, r, &r->err) || !prime(r))
		return false;
	ses->span = &r->span;
	r->start_ns = clock_mono_ns(&ses->clock);
	if (!spawn(r, status))
		return false;
	r->started = true;
	while (r->pid > 0)
		if (!loop_once(r->loop, -1, &r->err))
			return false;
	r->seconds = (double)(clock_mono_ns(&ses->clock) - r->start_ns) / NS_PER_S;
	refresh_now(ses);
	ses->span = NULL;
	window_sum_eval(&r->span, &rotation_active(ses->rotation)->binding);
	return true;
}

/* --- the report --- */

/* A rate times the time is an amount: "GB/s" gives "GB", W gives J, Hz gives cycles. "" for what is
 * no rate. */
static const char *amount_unit(const struct metric *m, char *buf, size_t size)
{
	size_t len = strlen(m->unit_text ? m->unit_text : "");
	int seconds = m->unit.exp[UNIT_SECOND];
	static const char *const others[][2] = { { "W", "J" }, { "Hz", "cycle" } };

	buf[0] = '\0';
	if (seconds != -1 || len >= size)
		return buf;
	if (len > 2 && !strcmp(m->unit_text + len - 2, "/s")) {
		snprintf(buf, size, "%.*s", (int)len - 2, m->unit_text);
		return buf;
	}
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		size_t tail = strlen(others[i][0]);

		if (len >= tail && !strcmp(m->unit_text + len - tail, others[i][0]))
			snprintf(
				buf, size, "%.*s%s", (int)(len - tail), m->unit_text, others[i][1]);
	}
	return buf;
}

static double seconds_of(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

static void report_head(const struct around *r, struct strbuf *out)
{
	const struct session *ses = r->session;

	strbuf_addf(out, "%srooftop: ", ses->dev->device.simulated ? "SIM " : "");
	for (int i = 0; i < ses->opt->n_names; i++)
		strbuf_addf(out, "%s%s", i ? " " : "", ses->opt->names[i]);
	strbuf_addf(out, "\n%s (%s), %s%s%s\n", ses->dev->device.id, ses->dev->device.name,
		_("metric set "), ses->set->name, ses->dev->device.simulated ? ", SIMULATED" : "");
	strbuf_addf(out,
		_("%.6f s elapsed, %.6f s user, %.6f s system, %llu windows, %llu losses of "
		  "reports\n\n"),
		r->seconds, seconds_of(&r->used.ru_utime), seconds_of(&r->used.ru_stime),
		(unsigned long long)r->span.windows, (unsigned long long)r->span.lost);
}

static void report_rows(const struct around *r, enum output_form form, struct strbuf *out)
{
	static const struct column columns[] = {
		{ "metric", NULL, 0, true },
		{ "label", N_("metric"), 18, true },
		{ "mean", N_("mean"), 9, false },
		{ "unit", N_("unit"), 12, true },
		{ "total", N_("total"), 9, false },
		{ "total_unit", N_("unit"), 8, true },
		{ "why", N_("why not"), 0, true },
		{ "sim", NULL, 0, false },
	};
	struct rows rows;
	bool machine = form == OUTPUT_JSON || form == OUTPUT_CSV;
	char unit[32];

	rows_begin(&rows, form, columns, (int)ARRAY_LEN(columns), out);
	for (int i = 0; i < r->session->set->n_metrics; i++) {
		const struct metric *m = &r->session->set->metrics[i];
		const struct value *v = &r->span.values[i];
		bool amount = *amount_unit(m, unit, sizeof(unit));

		if (!writer_shows(m))
			continue;
		rows_text(&rows, m->name);
		rows_text(&rows, m->label ? m->label : m->name);
		rows_number(&rows, v->v);
		rows_text(&rows, m->unit_text ? m->unit_text : "");
		rows_number(&rows, amount ? v->v * r->seconds : NAN);
		rows_text(&rows, unit);
		rows_text(&rows,
			v->why == WHY_OK  ? ""
				: machine ? why_name(v->why)
					  : _(why_brief(v->why)));
		rows_bool(&rows, r->session->dev->device.simulated);
		rows_end(&rows);
	}
}

static void json_head(const struct around *r, struct strbuf *out)
{
	const struct session *ses = r->session;

	strbuf_add(out, "{\"v\":1,\"header\":true,\"command\":[");
	for (int i = 0; i < ses->opt->n_names; i++) {
		strbuf_add(out, i ? "," : "");
		strbuf_add_json(out, ses->opt->names[i]);
	}
	strbuf_add(out, "],\"device\":");
	strbuf_add_json(out, ses->dev->device.id);
	strbuf_add(out, ",\"set\":");
	strbuf_add_json(out, ses->set->name);
	strbuf_addf(out, ",\"sim\":%s,\"seconds\":", ses->dev->device.simulated ? "true" : "false");
	strbuf_add_double(out, r->seconds);
	strbuf_add(out, ",\"user_s\":");
	strbuf_add_double(out, seconds_of(&r->used.ru_utime));
	strbuf_add(out, ",\"system_s\":");
	strbuf_add_double(out, seconds_of(&r->used.ru_stime));
	strbuf_addf(out, ",\"status\":%d,\"signal\":%d,\"windows\":%llu,\"lost\":%llu}\n",
		WIFEXITED(r->status) ? WEXITSTATUS(r->status) : -1,
		WIFSIGNALED(r->status) ? WTERMSIG(r->status) : 0,
		(unsigned long long)r->span.windows, (unsigned long long)r->span.lost);
}

/* To standard error, so that the command's output stays what it is. */
static bool report(struct around *r, enum output_form form)
{
	const char *path = r->session->opt->output;
	struct output out = { .fd = STDERR_FILENO };
	struct strbuf text = { 0 };
	bool good = !path || output_open(&out, path, OUTPUT_TRUNCATE, &r->err);

	if (form == OUTPUT_JSON)
		json_head(r, &text);
	else if (form != OUTPUT_CSV)
		report_head(r, &text);
	report_rows(r, form, &text);
	good = output_close(&out, good && output_write(&out, &text, &r->err), &r->err);
	strbuf_release(&text);
	return good;
}

static bool open_all(struct around *r)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD,
		0 };
	struct session *ses = r->session;
	int index;

	if (ses->opt->n_names == 0) {
		err_set(&r->err, ERR_USAGE, _("no command was given"));
		return err_hint(&r->err, _("rooftop run [OPTION...] [--] COMMAND [ARGUMENT...]"));
	}
	if (ses->opt->delay_ns == 0)
		ses->delay_ns = WINDOW_NS;
	if (!devices_choose(ses, false, &index, &r->err))
		return false;
	if (ses->devices.entries[index].device.recorded)
		return err_set(
			&r->err, ERR_USAGE, _("a recording does not count what a command does"));
	if (!devices_open(ses, index, NULL, &r->err))
		return false;
	window_sum_init(&r->span, ses->dev, ses->set);
	r->loop = loop_new(signals, &r->err);
	if (!r->loop)
		return false;
	loop_on_signal(r->loop, on_signal, r);
	source_watch_init(&r->watch, r->loop, on_source, r);
	source_watch_update(&r->watch, ses);
	return true;
}

int run_cmd(struct session *ses, enum output_form form, int *signo)
{
	struct around *r = xcalloc(1, sizeof(*r));
	int status = STATUS_FAILURE;
	bool good;

	r->session = ses;
	good = open_all(r) && watch(r, &status) && report(r, form);
	if (!good) {
		session_print_err(&r->err);
		status = status == STATUS_FAILURE ? (int)session_status(&r->err) : status;
	}
	if (r->started && WIFSIGNALED(r->status))
		*signo = WTERMSIG(r->status);
	else if (r->started && good)
		status = WEXITSTATUS(r->status);
	ses->span = NULL;
	loop_free(r->loop);
	window_sum_release(&r->span);
	free(r);
	return status;
}
