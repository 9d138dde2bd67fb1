/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes windows and kernel runs as a trace for Perfetto. */
#include "config.h"

#include "out/export/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "out/lines/writer.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "core/verdict/verdict.h"

/* Each open device is a process of the trace. These threads of it hold our loads, and what limits
 * the device. */
#define LOADS 1
#define LIMITS 2
#define QUEUES 10 /* the first of those of queues */
#define NO_TRACK (-1) /* in place of the end of a queue's last slice */

bool trace_flush(struct trace *t, struct err *err)
{
	if (output_write(&t->output, &t->buf, err))
		return true;
	output_close(&t->output, false, NULL);
	strbuf_release(&t->buf);
	t->on = false;
	return false;
}

/* The events' clock is in microseconds. */
static void begin_event_of(
	struct trace *t, int pid, int thread, const char *phase, const char *name, int64_t mono_ns)
{
	mono_ns = max_i64(mono_ns, 0);	/* a first window may have begun before its clock */
	strbuf_add(&t->buf, t->any ? ",\n" : "[\n");
	t->any = true;
	strbuf_addf(&t->buf, "{\"ph\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%lld.%03d", phase, pid,
		thread, (long long)(mono_ns / 1000), (int)(mono_ns % 1000));
	json_string(&t->buf, "name", name);
}

static void begin_event(
	struct trace *t, int pid, const char *phase, const char *name, int64_t mono_ns)
{
	begin_event_of(t, pid, LOADS, phase, name, mono_ns);
}

static void name_track(struct trace *t, int pid, int thread, const char *what, const char *name)
{
	begin_event_of(t, pid, thread, "M", what, 0);
	strbuf_add(&t->buf, ",\"args\":{");
	json_string(&t->buf, "name", name);
	strbuf_add(&t->buf, "}}");
}

void trace_begin(struct trace *t, struct trace_device *td, const struct device *d, const char *name)
{
	struct strbuf text = { 0 };

	td->pid = ++t->last_pid;
	snprintf(td->id, sizeof(td->id), "%s", d->id);
	if (d->simulated)
		strbuf_add(&text, "SIMULATED ");
	else if (d->recorded)
		strbuf_add(&text, "RECORDING ");
	strbuf_add(&text, text_or(d->name, d->id));
	if (d->pci_address[0])
		strbuf_addf(&text, " %s", d->pci_address);
	if (strcmp(name, d->id) != 0)
		strbuf_addf(&text, " (%s)", name);
	name_track(t, td->pid, LOADS, "process_name", strbuf_str(&text));
	name_track(t, td->pid, LOADS, "thread_name", "stress kernels");
	name_track(t, td->pid, LIMITS, "thread_name", "limits");
	strbuf_release(&text);
}

bool trace_open(struct trace *t, const char *path, struct err *err)
{
	*t = (struct trace){ 0 };
	t->on = output_open(&t->output, path, OUTPUT_TRUNCATE, err);
	return t->on;
}

/* Writes a run of a kernel as a slice, once the run is over. */
static void job_slice(
	struct trace *t, struct trace_device *td, const struct job_state *now, int64_t mono_ns)
{
	if (job_is_on(td->seen.phase) && !job_is_on(now->phase)) {
		begin_event(t, td->pid, "X", td->job.kernel, td->job_start_ns);
		strbuf_addf(&t->buf,
			",\"dur\":%lld,\"args\":{\"launches\":%llu,\"verified\":%llu,"
			"\"mismatches\":%llu}}",
			(long long)((mono_ns - td->job_start_ns) / 1000),
			(unsigned long long)now->progress.launches_done,
			(unsigned long long)now->progress.verified,
			(unsigned long long)now->progress.mismatches);
	}
	if (!job_is_on(td->seen.phase) && job_is_on(now->phase)) {
		td->job = now->job;
		td->job_start_ns = now->start_mono_ns;
	}
	td->seen = *now;
}

/* Writes what limited the device as a slice as long as the window. The length of a window is that
 * of its source's own clock, so that it may seem to begin before the one before it has ended;
 * slices of a track must not overlap. */
static void verdict_slice(struct trace *t, struct trace_device *td, const struct snapshot *s)
{
	const struct verdict *v = &s->verdict;
	int64_t begin_ns = s->mono_ns - s->window_ns;
	char text[240];

	if (begin_ns < td->limits_ns)
		begin_ns = td->limits_ns;
	td->limits_ns = s->mono_ns;

	begin_event_of(
		t, td->pid, LIMITS, "X", verdict_headline(v, true, text, sizeof(text)), begin_ns);
	strbuf_addf(
		&t->buf, ",\"dur\":%lld,\"args\":{", (long long)((s->mono_ns - begin_ns) / 1000));
	json_string(&t->buf, "kind", verdict_kind_name(v->kind));
	json_string(&t->buf, "bound", text_or(v->bound, NULL));
	json_number(&t->buf, "share", v->share);
	json_number(&t->buf, "headroom", v->headroom);
	/* Once it told that the answer was of an earlier window, which it is not any more. */
	json_bool(&t->buf, "kept", false);
	json_string(&t->buf, "sentence", verdict_sentence(v, true, text, sizeof(text)));
	strbuf_add(&t->buf, "}}");
}

/* Viewers draw a value until the next one of its track, so one that ends is brought down to where
 * nothing is drawn; the slice of the limits says why. */
static void end_series(struct trace *t, struct trace_device *td, int i, int64_t mono_ns)
{
	struct trace_series *s = &td->series[i];

	if (!s->label)
		return;
	begin_event(t, td->pid, "C", s->label, mono_ns);
	strbuf_add(&t->buf, ",\"args\":{");
	json_number(&t->buf, s->name, 0);
	strbuf_add(&t->buf, "}}");
	free(s->label);
	free(s->name);
	*s = (struct trace_series){ NULL, NULL };
}

/* Keeps the track under which a metric stands; another set has another one in its place. */
static void go_on_with(struct trace *t, struct trace_device *td, int i, const char *label,
	const char *name, int64_t mono_ns)
{
	struct trace_series *s = &td->series[i];

	if (s->label && strcmp(s->label, label) != 0)
		end_series(t, td, i, mono_ns);
	if (s->label)
		return;
	s->label = xstrdup(label);
	s->name = xstrdup(name);
}

/* Makes room for so many metrics, and ends those of a longer set. */
static void fit_series(struct trace *t, struct trace_device *td, int n, int64_t mono_ns)
{
	for (int i = n; i < td->n_series; i++)
		end_series(t, td, i, mono_ns);
	if (n == td->n_series)
		return;
	td->series = xreallocarray(td->series, (size_t)n + 1, sizeof(*td->series));
	for (int i = td->n_series; i < n; i++)
		td->series[i] = (struct trace_series){ NULL, NULL };
	td->n_series = n;
}

/* Gives a track to a queue at its first command. */
static void name_queue(struct trace *t, struct trace_device *td, const struct span_place *p)
{
	char name[120];

	if (p->number >= td->n_queues)
		td->queue_ends_ns = xreallocarray(
			td->queue_ends_ns, (size_t)p->number + 1, sizeof(*td->queue_ends_ns));
	while (td->n_queues <= p->number)
		td->queue_ends_ns[td->n_queues++] = NO_TRACK;
	if (td->queue_ends_ns[p->number] != NO_TRACK)
		return;
	td->queue_ends_ns[p->number] = 0;
	snprintf(name, sizeof(name), "queue %d of process %u: %s", p->number, p->pid, p->device);
	name_track(t, td->pid, QUEUES + p->number, "thread_name", name);
}

void trace_span(struct trace *t, struct trace_device *td, const struct span_slice *s)
{
	const char *group = s->span->is_kernel ? "kernel" : "command";
	int thread = QUEUES + s->place->number;

	if (!t->on || !td->pid)
		return;
	name_queue(t, td, s->place);
	if (s->place->out_of_order) {
		/* Viewers match these by their ids alone, whatever their threads are. */
		uint64_t id = s->span->index << 16 | (uint16_t)s->place->number;

		begin_event_of(t, td->pid, thread, "b", s->span->name, s->start_ns);
		strbuf_addf(&t->buf, ",\"cat\":\"%s\",\"id\":%llu}", group, (unsigned long long)id);
		begin_event_of(t, td->pid, thread, "e", s->span->name,
			max_i64(s->end_ns, s->start_ns));
		strbuf_addf(&t->buf, ",\"cat\":\"%s\",\"id\":%llu}", group, (unsigned long long)id);
		return;
	}
	/* Clocks are matched anew from time to time, and slices of a track must not overlap. */
	int64_t *end_ns = &td->queue_ends_ns[s->place->number];
	int64_t start_ns = max_i64(s->start_ns, *end_ns);
	*end_ns = max_i64(s->end_ns, start_ns);
	begin_event_of(t, td->pid, thread, "X", s->span->name, start_ns);
	strbuf_addf(&t->buf, ",\"cat\":\"%s\",\"dur\":%lld.%03d,\"args\":{\"items\":%llu}}", group,
		(long long)((*end_ns - start_ns) / 1000), (int)((*end_ns - start_ns) % 1000),
		(unsigned long long)s->span->items);
}

void trace_leave(struct trace *t, struct trace_device *td, int64_t mono_ns)
{
	struct job_state last = td->seen;

	last.phase = JOB_IDLE;
	if (t->on && td->pid) {
		job_slice(t, td, &last, mono_ns);
		fit_series(t, td, 0, td->limits_ns);
	}
	/* What a trace that could not be written has left open. */
	for (int i = 0; i < td->n_series; i++) {
		free(td->series[i].label);
		free(td->series[i].name);
	}
	free(td->queue_ends_ns);
	td->queue_ends_ns = NULL;
	td->n_queues = 0;
	free(td->series);
	td->series = NULL;
	td->n_series = 0;
	td->pid = 0;
	td->limits_ns = 0;
}

/* A value is placed at the beginning of its window. One that is missing, or was measured in an
 * earlier turn, ends what was drawn. */
bool trace_window(struct trace *t, struct trace_device *td, const struct snapshot *s,
	const char *name, struct err *err)
{
	const int64_t begin_ns = s->mono_ns - s->window_ns;
	struct strbuf label = { 0 };

	if (td->pid == 0 || strcmp(td->id, s->device->id) != 0) {
		trace_leave(t, td, begin_ns);
		trace_begin(t, td, s->device, name);
	}
	/* Behind a window that nothing follows nothing is drawn; sets in turns settle as long as
	 * they count. */
	if (begin_ns - td->limits_ns >= 2 * s->window_ns)
		fit_series(t, td, 0, td->limits_ns);
	fit_series(t, td, s->set->n_metrics, begin_ns);
	for (int i = 0; i < s->set->n_metrics; i++) {
		const struct metric *m = &s->set->metrics[i];

		if (!writer_shows(m))
			continue;
		if (snapshot_is_kept(s, i) || writer_why(s->values[i])) {
			end_series(t, td, i, begin_ns);
			continue;
		}
		if (m->flags & METRIC_ESTIMATED)
			strbuf_addc(&label, '~');
		strbuf_add(&label, writer_label(m));
		if (*writer_unit(m))
			strbuf_addf(&label, " [%s]", writer_unit(m));
		go_on_with(t, td, i, strbuf_str(&label), m->name, begin_ns);
		begin_event(t, td->pid, "C", strbuf_str(&label), begin_ns);
		strbuf_add(&t->buf, ",\"args\":{");
		json_number(&t->buf, m->name, s->values[i].v);
		strbuf_add(&t->buf, "}}");
		strbuf_clear(&label);
	}
	strbuf_release(&label);
	verdict_slice(t, td, s);
	job_slice(t, td, &s->job, s->mono_ns);
	return trace_flush(t, err);
}

bool trace_close(struct trace *t, struct err *err)
{
	if (!t->on)
		return true;
	strbuf_add(&t->buf, "\n]\n");
	output_live(&t->output, NULL);
	/* Without a window there is no new trace, and an older one stays. */
	bool good = (t->output.has_old || trace_flush(t, err)) &&
		output_close(&t->output, true, err);
	t->on = false;
	strbuf_release(&t->buf);
	return good;
}
