/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts the command, watches it, and reports. */
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

#include "session/program.h"
#include "session/devices.h"
#include "out/output.h"
#include "session/refresh.h"
#include "out/rows.h"
#include "session/source_watch.h"
#include "out/write_verdict.h"
#include "out/writer.h"
#include "base/ending.h"
#include "base/i18n.h"
#include "base/json.h"
#include "base/loop.h"
#include "base/mem.h"

#define WINDOW_NS (100 * NS_PER_MS)

extern char **environ;

struct around {
	struct session *session;
	struct loop *loop;
	struct source_watch watch;
	struct window_sum sum;
	struct verdict verdict;	/* of the command's whole time */
	pid_t pid;		/* 0: not started, or gone */
	int status;		/* as wait() gives it */
	struct rusage used;
	int64_t start_ns;
	double seconds;
	bool started;
	int signo;		/* the signal that came before the command was started, or 0 */
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
	reap(r);	/* SIGCHLD may have been lost */
}

static void on_source(void *ctx, int fd, short revents)
{
	struct around *r = ctx;

	(void)revents;
	source_watch_ready(&r->watch, r->session, fd);
}

/* Passes on a signal that somebody sends to us, because it is meant for the command. A signal of
 * the terminal reaches the command by itself. Before there is a command, signals are for us. */
static void on_signal(void *ctx, int signo)
{
	struct around *r = ctx;

	if (signo == SIGCHLD)
		reap(r);
	else if (!r->started)
		r->signo = signo;
	else if (r->pid > 0 && !loop_signal_by_kernel(r->loop))
		kill(r->pid, signo);
}

/* Starts the command as a shell would: no signal is blocked, and only those are ignored that were
 * ignored when we started. */
static bool spawn(struct around *r, int *status)
{
	char **argv = r->session->opt->names;
	posix_spawnattr_t attr;
	sigset_t none, defaults;

	sigemptyset(&none);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	sigaddset(&defaults, SIGXFSZ);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &defaults);
	int failed = posix_spawnp(&r->pid, argv[0], NULL, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	if (!failed)
		return true;
	r->pid = 0;
	*status = STATUS_CANNOT_EXECUTE;
	if (failed == ENOENT)
		*status = STATUS_NOT_FOUND;
	errno = failed;
	return err_sys(&r->err, _("cannot run '%s'"), argv[0]);
}

static bool watch(struct around *r, int *status)
{
	struct session *ses = r->session;

	if (!loop_set_tick(r->loop, ses->delay_ns, on_tick, r, &r->err))
		return false;
	/* Sources deliver from their second window on. */
	while (!ses->primed && !r->signo)
		if (!loop_once(r->loop, -1, &r->err))
			return false;
	refresh_now(ses);
	if (!loop_once(r->loop, 0, &r->err) || r->signo)
		return false;
	ses->sum = &r->sum;
	r->start_ns = clock_mono_ns(&ses->clock);
	if (!spawn(r, status))
		return false;
	r->started = true;
	while (r->pid > 0)
		if (!loop_once(r->loop, -1, &r->err))
			return false;
	r->seconds = (double)(clock_mono_ns(&ses->clock) - r->start_ns) / NS_PER_S;
	refresh_now(ses);
	ses->sum = NULL;
	window_sum_eval(&r->sum, &rotation_active(ses->rotation)->binding);
	window_sum_verdict(&r->sum, rotation_active(ses->rotation)->set, &r->verdict);
	ending_decided();
	return true;
}

/* --- the report --- */

/* Makes the unit of an amount, which is a rate times the time: "GB/s" gives "GB", W gives J, Hz
 * gives cycles. It is "" for a metric that is no rate. */
static void amount_unit(const struct metric *m, char *buf, size_t size)
{
	static const char *const units[][2] = { { "/s", "" }, { "W", "J" }, { "Hz", "cycle" } };
	const char *rate = writer_unit(m);
	size_t len = strlen(rate);

	buf[0] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(units) && m->unit.exp[UNIT_SECOND] == -1; i++) {
		size_t tail = strlen(units[i][0]);

		if (len < tail || strcmp(rate + len - tail, units[i][0]))
			continue;
		snprintf(buf, size, "%.*s%s", (int)(len - tail), rate, units[i][1]);
		return;
	}
}

static double seconds_of(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

static void report_head(const struct around *r, struct strbuf *out)
{
	const struct session *ses = r->session;
	bool simulated = ses->dev->device.simulated;
	struct strbuf words = { 0 };
	char sentence[240];

	for (int i = 0; i < ses->opt->n_names; i++)
		strbuf_add_word(&words, " ", ses->opt->names[i]);
	strbuf_addf(out, "%s%s\n", simulated ? "SIM " : "",
		verdict_sentence(&r->verdict, false, sentence, sizeof(sentence)));
	strbuf_addf(out, "%srooftop: %s\n", simulated ? "SIM " : "", strbuf_str(&words));
	strbuf_addf(out, "%s (%s), %s%s%s\n", ses->dev->device.id, ses->dev->device.name,
		_("metric set "), ses->set->name, simulated ? ", SIMULATED" : "");
	strbuf_addf(out,
		_("%.6f s elapsed, %.6f s user, %.6f s system, %llu windows, %llu losses of "
		  "reports\n\n"),
		r->seconds, seconds_of(&r->used.ru_utime), seconds_of(&r->used.ru_stime),
		(unsigned long long)r->sum.windows, (unsigned long long)r->sum.lost);
	strbuf_release(&words);
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
	char unit[32];

	rows_begin(&rows, form, columns, (int)ARRAY_LEN(columns), out);
	for (int i = 0; i < r->session->set->n_metrics; i++) {
		const struct metric *m = &r->session->set->metrics[i];
		const struct value *v = &r->sum.values[i];
		const char *why = "";

		if (!writer_shows(m))
			continue;
		if (v->why != WHY_OK && (form == OUTPUT_JSON || form == OUTPUT_CSV))
			why = why_name(v->why);
		else if (v->why != WHY_OK)
			why = _(why_brief(v->why));
		amount_unit(m, unit, sizeof(unit));
		rows_text(&rows, m->name);
		rows_text(&rows, writer_label(m));
		rows_number(&rows, v->v);
		rows_text(&rows, writer_unit(m));
		rows_number(&rows, *unit ? v->v * r->seconds : NAN);
		rows_text(&rows, unit);
		rows_text(&rows, why);
		rows_bool(&rows, r->session->dev->device.simulated);
		rows_end(&rows);
	}
}

static void json_head(const struct around *r, struct strbuf *out)
{
	const struct session *ses = r->session;
	int status = -1, signo = 0;

	if (WIFEXITED(r->status))
		status = WEXITSTATUS(r->status);
	if (WIFSIGNALED(r->status))
		signo = WTERMSIG(r->status);
	strbuf_addc(out, '{');
	json_integer(out, "v", 1);
	json_bool(out, "header", true);
	json_open(out, "command", '[');
	for (int i = 0; i < ses->opt->n_names; i++)
		json_string(out, NULL, ses->opt->names[i]);
	strbuf_addc(out, ']');
	json_string(out, "device", ses->dev->device.id);
	json_string(out, "set", ses->set->name);
	json_bool(out, "sim", ses->dev->device.simulated);
	json_number(out, "seconds", r->seconds);
	json_number(out, "user_s", seconds_of(&r->used.ru_utime));
	json_number(out, "system_s", seconds_of(&r->used.ru_stime));
	json_integer(out, "status", status);
	json_integer(out, "signal", signo);
	json_integer(out, "windows", (long long)r->sum.windows);
	json_integer(out, "lost", (long long)r->sum.lost);
	json_verdict(out, &r->verdict, r->verdict.since_ns);
	strbuf_add(out, "}\n");
}

/* Writes to standard error, so that the command's output stays what it is. */
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
	static const int signals[] = { ENDING_SIGNALS, SIGUSR1, SIGUSR2, SIGCHLD, 0 };
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
	if (ses->program->devices.entries[index].device.recorded)
		return err_set(
			&r->err, ERR_USAGE, _("a recording does not count what a command does"));
	if (!devices_open(ses, index, NULL, &r->err))
		return false;
	window_sum_init(&r->sum, ses->dev, ses->set);
	ending_hold();
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

	r->session = ses;
	bool good = open_all(r) && watch(r, &status) && report(r, form);
	*signo = r->signo;
	if (!good && !r->signo) {
		enum status failed = session_fail(&r->err);

		if (status == STATUS_FAILURE)
			status = (int)failed;
	}
	if (r->started && WIFSIGNALED(r->status))
		*signo = WTERMSIG(r->status);
	else if (r->started && good)
		status = WEXITSTATUS(r->status);
	ses->sum = NULL;
	loop_free(r->loop);
	window_sum_release(&r->sum);
	free(r);
	return status;
}
