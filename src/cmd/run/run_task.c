/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command run with --task: events of the processor that count one command and its children. */
#include "config.h"

#include "cmd/run/run.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "cmd/run/gathered.h"
#include "cmd/run/run_options.h"
#include "backends/card/card.h"
#include "backends/cpu/cpu_task.h"
#include "session/devices/devices.h"
#include "session/program.h"
#include "session/window/sets.h"
#include "out/lines/rows.h"
#include "out/lines/writer.h"
#include "base/ending.h"
#include "base/json.h"
#include "base/loop.h"
#include "base/mem.h"

/* A GPU of which the command may be a client. */
struct task_gpu {
	const char *id;
	struct client_source *source;
	struct run_clients clients;
};

struct alone {
	struct session *session;
	const struct device *device;
	const struct metric_set *set;
	struct loop *loop;
	struct output out;
	struct cpu_task task;
	struct task_gpu *gpus; /* heap */
	int n_gpus;
	struct sample sample;
	struct value *values, *ceilings; /* [set->n_metrics] */
	pid_t pid; /* 0: not started, or gone */
	int status; /* as wait() gives it */
	struct rusage used;
	double seconds;
	bool started;
	int signo; /* the signal that came before the command was started, or 0 */
	struct err err;
};

/* Looks what clients of the command have had of the engines. */
static void look_at_gpus(struct alone *a)
{
	for (int i = 0; i < a->n_gpus && a->pid > 0; i++) {
		struct task_gpu *g = &a->gpus[i];

		g->source->ops->scan(g->source, clock_mono_ns(&a->session->clock),
			&g->clients.table);
		run_clients_take(&g->clients, a->pid);
	}
}

static void open_gpus(struct alone *a)
{
	const struct program *p = a->session->program;

	a->gpus = xcalloc(p->devices.count + 1, sizeof(*a->gpus));
	for (size_t i = 0; i < p->devices.count; i++) {
		const struct device *d = &p->devices.entries[i].device;

		if (!d->simulated && !d->recorded && !strncmp(d->id, "card", 4))
			a->gpus[a->n_gpus++] = (struct task_gpu){
				.id = d->id, .source = fdinfo_open(d, &p->fs) };
	}
}

static void reap(struct alone *a)
{
	if (a->pid > 0 && measured_reap(a->pid, &a->status, &a->used))
		a->pid = 0;
}

static void on_signal(void *ctx, int signo)
{
	struct alone *a = ctx;

	if (signo == SIGCHLD)
		reap(a);
	else if (!a->started)
		a->signo = signo;
	else
		measured_pass_on(a->pid, a->loop, signo);
}

/* SIGCHLD may get lost among others. */
static void on_tick(void *ctx, uint64_t missed)
{
	(void)missed;
	look_at_gpus(ctx);
	reap(ctx);
}

static bool find_processor(struct alone *a)
{
	struct program *p = a->session->program;
	int index = -1;

	if (options_name_device(a->session->opt)) {
		if (!devices_choose(a->session, false, &index, &a->err))
			return false;
	} else {
		for (size_t i = 0; i < p->devices.count && index < 0; i++)
			if (p->devices.entries[i].device.is_processor)
				index = (int)i;
	}
	if (index < 0)
		return err_set(&a->err, ERR_NO_DEVICE, "nothing is known of this processor");
	a->device = &p->devices.entries[index].device;
	return a->device->is_processor ||
		err_set(&a->err, ERR_USAGE,
			"--task counts on the processor, cpu0, and not on '%s'", a->device->id);
}

static bool open_alone(struct alone *a)
{
	static const int signals[] = { ENDING_SIGNALS, SIGUSR1, SIGUSR2, SIGCHLD, 0 };
	struct session *ses = a->session;

	if (!find_processor(a))
		return false;
	a->set = sets_choose(ses, a->device, NULL, &a->err);
	if (!a->set || !cpu_task_open(&a->task, &ses->program->fs, a->set, &a->err))
		return false;
	a->values = xcalloc((size_t)a->set->n_metrics + 1, sizeof(*a->values));
	a->ceilings = xcalloc((size_t)a->set->n_metrics + 1, sizeof(*a->ceilings));
	open_gpus(a);
	ending_hold();
	a->loop = loop_new(signals, &a->err);
	if (!a->loop)
		return false;
	loop_on_signal(a->loop, on_signal, a);
	return loop_set_tick(a->loop, NS_PER_S / 10, on_tick, a, &a->err);
}

/* The events begin with the command's exec, so nothing of ours is counted. */
static bool count(struct alone *a, int *status)
{
	struct session *ses = a->session;
	const struct feed *feed = &a->task.feed;
	struct metric_binding binding = { 0 };

	if (!loop_once(a->loop, 0, &a->err) || a->signo)
		return false;
	int64_t start_ns = clock_mono_ns(&ses->clock);
	if (!measured_start(ses->opt->names, &a->pid, status, &a->err))
		return false;
	a->started = true;
	while (a->pid > 0)
		if (!loop_once(a->loop, -1, &a->err))
			return false;
	int64_t elapsed_ns = clock_mono_ns(&ses->clock) - start_ns;
	a->seconds = (double)elapsed_ns / NS_PER_S;
	ending_decided();
	if (!cpu_task_read(&a->task, elapsed_ns, &a->sample, &a->err))
		return false;
	metric_bind(&binding, a->set, a->device, &feed, 1);
	metric_eval(&binding, &a->sample, a->values, a->ceilings);
	metric_unbind(&binding);
	return true;
}

/* --- the report --- */

static void text_head(const struct alone *a, struct strbuf *out)
{
	const struct options *opt = a->session->opt;

	strbuf_add(out, "rooftop:");
	for (int i = 0; i < opt->n_names; i++)
		strbuf_addf(out, " %s", opt->names[i]);
	strbuf_addf(out, "\n%s (%s), %s%s, %s\n", a->device->id, a->device->name, "metric set ",
		a->set->name, "only the command and its children, in user mode");
	for (int i = 0; i < a->n_gpus; i++)
		run_clients_report(&a->gpus[i].clients, a->gpus[i].id, out);
	strbuf_addf(out, "%.6f s elapsed, %.6f s user, %.6f s system\n\n", a->seconds,
		measured_seconds(&a->used.ru_utime), measured_seconds(&a->used.ru_stime));
}

/* Chosen events have a prefix that people did not type. */
static const char *event_name(const struct alone *a, int i)
{
	const char *name = a->task.counters[i].name;

	if (!strncmp(name, CPU_CHOSEN, strlen(CPU_CHOSEN)))
		name += strlen(CPU_CHOSEN);
	return name;
}

/* Counts stand whole, so that they can be compared digit by digit. */
static void text_events(const struct alone *a, struct strbuf *out)
{
	for (int i = 0; i < a->task.n; i++) {
		const struct cpu_task_event *e = &a->task.events[i];
		const char *name = event_name(a, i);

		if (a->task.whys[i] == WHY_OK)
			strbuf_addf(out, "%20llu  %-24s %s",
				(unsigned long long)a->sample.values[i], name, e->terms);
		else
			strbuf_addf(out, "%20s  %-24s %s", "--", name, e->terms);
		if (a->task.whys[i] != WHY_OK && !e->n_fds)
			strbuf_addf(out, "  (%s)", e->refusal.msg);
		else if (a->task.whys[i] != WHY_OK)
			strbuf_addf(out, "  (%s)", why_text(a->task.whys[i]));
		else if (e->counted < 1)
			strbuf_addf(out, "  (~ counted %.0f %% of the time, and scaled)",
				100 * e->counted);
		strbuf_addc(out, '\n');
	}
	strbuf_addc(out, '\n');
}

static void json_head(const struct alone *a, struct strbuf *out)
{
	measured_json_begin(a->session->opt->names, a->session->opt->n_names, out);
	json_bool(out, "task", true);
	json_string(out, "device", a->device->id);
	json_string(out, "name", a->device->name);
	json_string(out, "set", a->set->name);
	json_number(out, "seconds", a->seconds);
	json_number(out, "user_s", measured_seconds(&a->used.ru_utime));
	json_number(out, "system_s", measured_seconds(&a->used.ru_stime));
	json_open(out, "own_clients_s", '{');
	for (int i = 0; i < a->n_gpus; i++)
		run_clients_json(&a->gpus[i].clients, a->gpus[i].id, out);
	strbuf_addc(out, '}');
	measured_json_status(a->status, out);
	strbuf_add(out, "}\n");
}

static void add_row(struct rows *rows, const char *name, const char *label, double mean,
	const char *unit, double total, const char *total_unit, bool estimated)
{
	rows_text(rows, name);
	rows_text(rows, label);
	rows_in(rows, unit, mean);
	rows_scaled(rows, mean, estimated);
	rows_unit(rows);
	rows_in(rows, total_unit, total);
	rows_scaled(rows, total, estimated);
	rows_unit(rows);
}

/* Files have a row for each event; in text these stand above the table. */
static void event_rows(const struct alone *a, struct rows *rows)
{
	for (int i = 0; i < a->task.n; i++) {
		double v = NAN, counted = NAN;
		const char *why = "";

		if (a->task.whys[i] == WHY_OK) {
			v = (double)a->sample.values[i];
			counted = a->task.events[i].counted;
		} else {
			why = why_name(a->task.whys[i]);
		}
		add_row(rows, event_name(a, i), a->task.events[i].terms, v / a->seconds,
			"1/s", v, "", counted < 1);
		rows_number(rows, counted);
		rows_text(rows, why);
		rows_end(rows);
	}
}

static void metric_rows(const struct alone *a, struct rows *rows)
{
	bool scaled = false;
	char unit[32];

	for (int i = 0; i < a->task.n; i++)
		scaled |= a->task.whys[i] == WHY_OK && a->task.events[i].counted < 1;
	for (int i = 0; i < a->set->n_metrics; i++) {
		const struct metric *m = &a->set->metrics[i];
		double v = writer_number(a->values[i]);

		if (!writer_shows(m) || !isfinite(v))
			continue;
		run_cmd_amount_unit(a->set, m, unit, sizeof(unit));
		add_row(rows, m->name, writer_label(m), v, writer_unit(m),
			*unit ? v * a->seconds : NAN, unit,
			scaled || m->flags & METRIC_ESTIMATED);
		rows_number(rows, NAN);
		rows_text(rows, "");
		rows_end(rows);
	}
}

static bool report(struct alone *a, enum output_form form)
{
	static const struct column columns[] = {
		{ "metric", NULL, 0, true },
		{ "label", "metric", 18, true },
		{ "mean", "mean", 9, false },
		{ "unit", "unit", 12, true },
		{ "total", "total", 9, false },
		{ "total_unit", "unit", 8, true },
		{ "counted", NULL, 0, false },
		{ "why", NULL, 0, true },
	};
	struct strbuf text = { 0 };
	struct rows rows;

	for (int i = 0; i < a->n_gpus; i++)
		run_clients_total(&a->gpus[i].clients);
	if (form == OUTPUT_JSON) {
		json_head(a, &text);
	} else if (form != OUTPUT_CSV) {
		text_head(a, &text);
		text_events(a, &text);
	}
	rows_begin(&rows, form, columns, (int)ARRAY_LEN(columns), &text);
	if (form == OUTPUT_JSON || form == OUTPUT_CSV)
		event_rows(a, &rows);
	metric_rows(a, &rows);
	bool good = measured_report(&a->out, &text, &a->err);
	strbuf_release(&text);
	return good;
}

static void alone_free(struct alone *a)
{
	output_close(&a->out, false, NULL);
	cpu_task_close(&a->task);
	loop_free(a->loop);
	for (int i = 0; i < a->n_gpus; i++) {
		client_source_close(a->gpus[i].source);
		run_clients_release(&a->gpus[i].clients);
	}
	free(a->gpus);
	free(a->values);
	free(a->ceilings);
	free(a);
}

int run_task_cmd(struct session *ses, enum output_form form, int *signo)
{
	struct alone *a = xcalloc(1, sizeof(*a));
	int status = STATUS_FAILURE;

	a->session = ses;
	bool good = measured_check(ses->opt, &status, &a->err);
	const bool counts = good && open_alone(a);
	/* Without events the command runs all the same, unless somebody needs them. */
	if (good && !counts && a->err.code != ERR_USAGE && !ses->opt->run->need_counters) {
		status = run_cmd(ses, form, &a->err, signo);
		alone_free(a);
		return status;
	}
	if (good && !counts && a->err.code != ERR_USAGE)
		a->err.code = ERR_NO_DEVICE;
	good = counts && run_command_output(ses->opt, &a->out, &a->err) && count(a, &status) &&
		report(a, form);
	const struct run_end end = { .good = good,
		.signo = a->signo,
		.started = a->started,
		.wait_status = a->status,
		.status = status };
	status = measured_end(&end, &a->err, signo);
	alone_free(a);
	return status;
}
