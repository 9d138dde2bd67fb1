/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts the command, watches it, and reports. */
#include "config.h"

#include "cmd/run/run.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "cmd/load/jobs.h"
#include "cmd/run/gathered.h"
#include "cmd/run/run_options.h"
#include "session/program.h"
#include "session/devices/devices.h"
#include "session/window/refresh.h"
#include "base/ending.h"
#include "base/loop.h"
#include "base/mem.h"
#include "base/minmax.h"

#define WINDOW_NS (100 * NS_PER_MS)
/* How long signals and windows wait for markers. */
#define MARKERS_NS (20 * NS_PER_MS)

static void reap(struct around *r)
{
	if (r->pid > 0 && measured_reap(r->pid, &r->status, &r->used))
		r->pid = 0;
}

/* Before a command has begun, and between two, markers mark nothing. */
static void look_for_markers(struct around *r)
{
	if (r->takes_markers)
		run_markers_read(r, MARKERS_NS);
	else
		run_markers_drop(r);
}

static void on_tick(void *ctx, struct session *ses)
{
	struct around *r = ctx;

	look_for_markers(r);
	bool is_new = refresh_tick(ses);
	if (is_new && r->started) {
		run_window(r);
		run_clients_look(r);
		r->clients.looked = true;
	}
	keeper_tick(&r->keeper, is_new);
	reap(r);	/* SIGCHLD may have been lost */
}

/* The same where nothing is counted. */
static void on_look(void *ctx, uint64_t missed)
{
	(void)missed;
	look_for_markers(ctx);
	kernel_watch_read(((struct around *)ctx)->session);
	reap(ctx);
}

static void on_marker(void *ctx, int fd, short revents)
{
	(void)fd;
	(void)revents;
	look_for_markers(ctx);
}

/* So many programs can call at once that they do not wait for the next window. */
static void on_program(void *ctx, int fd, short revents)
{
	struct around *r = ctx;

	(void)revents;
	kernel_watch_read(r->session);
	if (kernel_watch_fd(r->session) < 0)
		loop_remove_fd(r->loop, fd);
}

/* Before there is a command, signals are for us, and a marker marks nothing. */
static void on_signal(void *ctx, int signo)
{
	struct around *r = ctx;
	bool of_user = signo == SIGUSR1 || signo == SIGUSR2;

	if (signo != SIGCHLD && !of_user)
		r->ending = true;
	if (signo == SIGCHLD)
		reap(r);
	else if (r->by_signal && of_user && r->pid > 0)
		run_markers_signal(r, signo);
	else if (r->by_signal && of_user)
		return;
	else if (!r->started)
		r->signo = signo;
	else
		measured_pass_on(r->pid, r->loop, signo);
}

/* Keeps the metrics of the run that has just ended. */
static void keep_metrics(struct around *r, struct one_run *run)
{
	struct session *ses = r->session;
	size_t size = (size_t)ses->now->set->n_metrics * sizeof(*run->values);

	window_sum_eval(&r->sum, &rotation_active(ses->now->rotation)->binding);
	window_sum_verdict(&r->sum, rotation_active(ses->now->rotation)->set, &run->verdict);
	run->values = xmalloc(size + 1);
	memcpy(run->values, r->sum.values, size);
	run->shares = xcalloc((size_t)ses->now->set->n_metrics + 1, sizeof(*run->shares));
	run->whys = xcalloc((size_t)ses->now->set->n_metrics + 1, sizeof(*run->whys));
	for (int i = 0; i < ses->now->set->n_metrics; i++)
		run->shares[i] = window_sum_share(&r->sum,
			&rotation_active(ses->now->rotation)->binding, i, &run->whys[i]);
	r->windows += r->sum.windows;
	r->lost += r->sum.lost;
}

/* Keeps what the run gave that has just ended, after so long. */
static void run_keep(struct around *r, int64_t length_ns)
{
	struct one_run *run = &r->runs[r->n_runs++];

	run->seconds = (double)length_ns / NS_PER_S;
	run->user_s = measured_seconds(&r->used.ru_utime);
	run->system_s = measured_seconds(&r->used.ru_stime);
	if (r->counts)
		keep_metrics(r, run);
	else
		verdict_state(&run->verdict, VERDICT_NO_COUNTERS);
	if (WIFSIGNALED(r->status) || !r->bad)
		r->bad = r->status;
}

/* Begins a run that started_ns is the time of; windows from from_ns on belong to it. Kernels of all
 * runs are one table. */
static void run_begin(struct around *r, int64_t from_ns, int64_t started_ns)
{
	if (r->counts) {
		window_sum_clear(&r->sum, from_ns);
		window_sum_clear(&r->phase_sum, from_ns);
	}
	r->command_ns = r->phase_ns = started_ns;
	if (r->n_runs == 0)
		kernel_watch_begin(r->session, started_ns);
	else
		kernel_watch_go_on(r->session, started_ns);
}

/* Tabs are between the words, and so in none of them. */
static void mark_words(const struct around *r, struct rec_mark *m)
{
	struct strbuf words = { 0 };

	for (int i = 0; i < r->n_words; i++) {
		strbuf_add(&words, i ? "\t" : "");
		for (const char *c = r->words[i]; *c; c++)
			strbuf_addc(&words, *c == '\t' ? ' ' : *c);
	}
	snprintf(m->text, sizeof(m->text), "%s", strbuf_str(&words));
	strbuf_release(&words);
}

static int64_t microseconds(const struct timeval *t)
{
	return (int64_t)t->tv_sec * 1000000 + t->tv_usec;
}

/* A signal may have come that the loop has not taken yet. */
static bool is_asked_to_end(const struct around *r)
{
	return r->ending || ending_signal() != 0;
}

static bool run_once(struct around *r, int *status)
{
	struct session *ses = r->session;
	/* The counters are read after this. A window counted from the command's start would miss
	 * the time of the reading, and a short command has no other window. */
	struct rec_mark mark = { .kind = REC_MARK_BEGIN, .t_ns = clock_mono_ns(&ses->clock),
		.length_ns = ses->window.length_ns };

	if (r->counts)
		keeper_tick(&r->keeper, refresh_now(ses));
	if (!loop_once(r->loop, 0, &r->err) || (r->signo && !r->started))
		return false;
	if (is_asked_to_end(r))
		return true;
	mark.started_ns = clock_mono_ns(&ses->clock);
	run_begin(r, mark.t_ns, mark.started_ns);
	mark_words(r, &mark);
	record_mark(ses, &mark);
	r->signalled = 0;
	run_markers_drop(r);
	if (r->counts)
		refresh_add_up(ses, &r->sum);
	if (!measured_start(ses->opt->names, &r->pid, status, &r->err))
		return false;
	r->started = r->takes_markers = true;
	while (r->pid > 0)
		if (!loop_once(r->loop, -1, &r->err))
			return false;
	struct rec_mark end = { .kind = REC_MARK_END,
		.length_ns = clock_mono_ns(&ses->clock) - mark.started_ns,
		.user_us = microseconds(&r->used.ru_utime),
		.system_us = microseconds(&r->used.ru_stime),
		.wait_status = r->status };
	/* No more than the FIFO holds is of this run. Who wants an end does not wait for it. */
	run_markers_read(r, is_asked_to_end(r) ? NS_PER_S : 60 * NS_PER_S);
	r->takes_markers = false;
	r->phases_left_out += run_markers_drop(r);
	run_phase(r, "");
	refresh_add_up(ses, NULL);
	if (r->clients.looked)	/* a scan may have been under way */
		run_clients_look(r);
	run_clients_sum(r, end.text, sizeof(end.text));
	end.t_ns = r->phase_ns;
	kernel_watch_end(ses, end.t_ns);
	record_mark(ses, &end);
	run_keep(r, end.length_ns);
	return true;
}

/* Waits until the sources deliver, which they do from their second window on. The command does not
 * wait for a long one. */
static bool begin_windows(struct around *r)
{
	struct session *ses = r->session;

	if (!r->counts)
		return loop_set_tick(r->loop, WINDOW_NS, on_look, r, &r->err);
	if (!session_ticks_start(&r->ticks, ses, r->loop, on_tick, r, &r->err))
		return false;
	while (!ses->window.primed && !r->signo)
		if (!loop_once(r->loop, -1, &r->err))
			return false;
	return !r->signo && session_ticks_again(&r->ticks, &r->err);
}

/* Fails where nothing tells what the device does and somebody needs it: its clocks and watts alone
 * do not. */
static bool check_counters(struct around *r)
{
	const struct metric_set *set = run_set(r);
	const struct device *d = &r->session->dev->device;

	if (r->session->opt->run->need_counters)
		refresh_now(r->session);
	/* Counters whose reports come later are not refused. */
	const struct snapshot *s = refresh_snapshot(r->session);
	if (!s || !r->session->opt->run->need_counters)
		return true;
	for (int i = 0; i < set->n_metrics; i++) {
		enum limit_role role = set->metrics[i].limit.role;
		enum why why = s->values[i].why;

		if ((role == LIMIT_WORKING || role == LIMIT_PIPE || role == LIMIT_LEVEL) &&
			why != WHY_UNSUPPORTED && why != WHY_NO_SOURCE && why != WHY_PERMISSION)
			return true;
	}
	err_set(&r->err, ERR_NO_DEVICE, "no counter of '%s' can be read", d->id);
	return err_hint(&r->err, "'rooftop doctor' says why, and what would allow it");
}

static bool watch(struct around *r, int *status)
{
	int wanted = jobs_runs(r->session->opt);

	r->runs = xcalloc((size_t)wanted, sizeof(*r->runs));
	if (!begin_windows(r) || (r->counts && !check_counters(r)))
		return false;
	/* A run that a signal ended is the last one: somebody wants an end. */
	while (r->n_runs < wanted && !is_asked_to_end(r) && !WIFSIGNALED(r->status))
		if (!run_once(r, status)) {
			/* What an earlier command left may still send signals. */
			if (r->started)
				ending_decided();
			return false;
		}
	/* One that came before there was a command is for us. */
	if (r->n_runs == 0 && !r->signo)
		r->signo = ending_signal();
	ending_decided();
	return r->n_runs > 0;
}

/* Makes ready for the windows of the device that was opened. */
static void run_gather(struct around *r)
{
	struct session *ses = r->session;

	r->counts = true;
	window_sum_init(&r->sum, ses->dev, ses->now->set, &ses->opened.measured);
	window_sum_init(&r->phase_sum, ses->dev, ses->now->set, &ses->opened.measured);
}

/* Adds a word of the command. */
static void run_add_word(struct around *r, const char *word)
{
	r->words = xreallocarray(r->words, (size_t)r->n_words + 1, sizeof(*r->words));
	r->words[r->n_words++] = xstrdup(word);
}

static bool open_device(struct around *r)
{
	struct session *ses = r->session;
	int index;

	if (!devices_choose(ses, false, &index, &r->err))
		return false;
	if (ses->program->devices.entries[index].device.recorded)
		return err_set(
			&r->err, ERR_USAGE, "a recording does not count what a command does");
	return devices_open(ses, index, NULL, &r->err);
}

/* Opens the device. Where none can be read the command runs all the same, unless the line itself is
 * wrong or somebody needs the counters. */
static bool open_counters(struct around *r)
{
	struct session *ses = r->session;

	if (ses->opt->delay_ns == 0)
		refresh_set_length(ses, WINDOW_NS);
	if (r->missing.code != ERR_NONE)
		return true;
	if (open_device(r)) {
		run_gather(r);
		return true;
	}
	if (r->err.code == ERR_USAGE)
		return false;
	if (ses->opt->run->need_counters) {
		r->err.code = ERR_NO_DEVICE;
		return false;
	}
	r->missing = r->err;
	r->err = (struct err){ 0 };
	return true;
}

static bool open_kernels(struct around *r)
{
	if (!r->session->opt->run->kernels)
		return true;
	if (!kernel_watch_open(r->session, false, &r->err))
		return false;
	kernel_watch_wait(r->session);
	kernel_watch_tell_children(r->session);
	return true;
}

static bool open_around(struct around *r)
{
	static const int signals[] = { ENDING_SIGNALS, SIGUSR1, SIGUSR2, SIGCHLD, 0 };

	if (!open_counters(r) || !run_markers_open(r, &r->err) || !open_kernels(r))
		return false;
	ending_hold();
	r->loop = loop_new(signals, &r->err);
	if (!r->loop)
		return false;
	loop_on_signal(r->loop, on_signal, r);
	if (r->markers >= 0)
		loop_add_fd(r->loop, r->markers, POLLIN, on_marker, r);
	loop_add_fd(r->loop, kernel_watch_fd(r->session), POLLIN, on_program, r);
	for (int i = 0; i < r->session->opt->n_names; i++)
		run_add_word(r, r->session->opt->names[i]);
	/* Where nothing is counted there is nothing to keep, which the report says. */
	return !r->counts || keeper_begin(&r->keeper, r->session, r->loop, &r->err);
}

static bool open_recording(struct around *r)
{
	struct session *ses = r->session;
	int index;

	session_virtual_clock(ses, 0);
	refresh_as_recorded(ses);
	if (!devices_choose(ses, false, &index, &r->err) ||
		!devices_open(ses, index, NULL, &r->err))
		return false;
	run_gather(r);
	return true;
}

/* Takes the words of the command that began. */
static void begin_recorded(struct around *r, const struct rec_mark *m)
{
	const char *word = m->text;

	r->runs = xreallocarray(r->runs, (size_t)r->n_runs + 1, sizeof(*r->runs));
	run_begin(r, m->t_ns, m->started_ns);
	r->started = true;
	r->used = (struct rusage){ 0 };
	r->status = 0;
	if (m->length_ns > 0)
		r->session->window.length_ns = m->length_ns;
	while (r->n_runs == 0) {
		size_t len = strcspn(word, "\t");
		char *copy = xasprintf("%.*s", (int)len, word);

		run_add_word(r, copy);
		free(copy);
		if (!word[len])
			break;
		word += len + 1;
	}
}

static void end_recorded(struct around *r, const struct rec_mark *m)
{
	kernel_watch_end(r->session, m->t_ns);
	r->started = false;
	r->status = m->wait_status;
	r->used.ru_utime = (struct timeval){ m->user_us / 1000000, m->user_us % 1000000 };
	r->used.ru_stime = (struct timeval){ m->system_us / 1000000, m->system_us % 1000000 };
	run_clients_recall(r, m->text);
	run_keep(r, m->length_ns);
}

static void take_marks(struct around *r)
{
	struct source *s = r->session->dev->sources[0];
	struct rec_mark m;

	while (s->ops->mark && s->ops->mark(s, &m)) {
		if (m.kind == REC_MARK_BEGIN && !r->started)
			begin_recorded(r, &m);
		else if (m.kind == REC_MARK_PHASE && r->started)
			run_phase_change(r, m.t_ns, m.text);
		else if (m.kind == REC_MARK_END && r->started)
			end_recorded(r, &m);
	}
}

/* Reads a recording of a run in place of a run: its windows and marks take the place of the
 * command. */
static bool run_replay(struct around *r)
{
	struct session *ses = r->session;

	if (!open_recording(r))
		return false;
	while (!ses->play.ended) {
		bool is_new = refresh_virtual_step(ses);

		take_marks(r);
		if (r->started)
			kernel_watch_read(ses);
		if (!is_new || !r->started)
			continue;
		window_sum_add(&r->sum, ses->got.samples);
		run_window(r);
	}
	take_marks(r);
	/* The recording was cut, or its program killed: what there is counts. */
	if (r->started) {
		err_set(&r->err, ERR_NONE, "the recording ends before the command did");
		session_print_err(&r->err);
		int64_t end_ns = max_i64(ses->got.samples[0].t1_ns, r->command_ns);
		run_phase_change(r, end_ns, "");
		run_keep(r, end_ns - r->command_ns);
		r->started = false;
	}
	if (r->n_runs > 0)
		return true;
	err_set(&r->err, ERR_USAGE, "'%s' is no recording of a run", ses->opened.name);
	return err_hint(&r->err, "rooftop run -w FILE -- COMMAND makes one");
}

int run_cmd(struct session *ses, enum output_form form, const struct err *missing, int *signo)
{
	struct around *r = xcalloc(1, sizeof(*r));
	int status = STATUS_FAILURE;

	r->session = ses;
	if (missing)
		r->missing = *missing;
	r->markers = r->fifo.folder = -1;
	const bool replayed = run_is_replayed(ses->opt);
	bool good = (replayed || measured_check(ses->opt, &status, &r->err)) &&
		run_command_output(ses->opt, &r->out, &r->err);
	if (replayed)
		good = good && run_replay(r);
	else
		good = good && open_around(r) && watch(r, &status);
	good = good && run_report(r, form);
	if (good && !r->started)
		status = STATUS_GOOD;
	good = keeper_end(&r->keeper, good, &r->err);
	const struct run_end end = { .good = good,
		.signo = r->signo,
		.started = r->started,
		.wait_status = r->bad,
		.status = status };
	status = measured_end(&end, &r->err, signo);
	output_close(&r->out, false, NULL);
	refresh_add_up(ses, NULL);
	session_ticks_stop(&r->ticks);
	loop_free(r->loop);
	window_sum_release(&r->sum);
	for (int i = 0; i < r->n_runs; i++) {
		free(r->runs[i].values);
		free(r->runs[i].shares);
		free(r->runs[i].whys);
	}
	run_windows_release(r);
	for (int i = 0; i < r->n_words; i++)
		free(r->words[i]);
	free(r->words);
	free(r->runs);
	free(r);
	return status;
}
