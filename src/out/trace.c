/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "out/trace.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "out/writer.h"
#include "base/clock.h"

/* Each device that was open is a process of the trace; this thread of it has our loads. */
#define LOADS 1

static bool flush(struct trace *t, struct err *err)
{
	if (output_write(&t->output, &t->buf, err))
		return true;
	output_close(&t->output, false, NULL);
	strbuf_release(&t->buf);
	t->on = false;
	return false;
}

/* The events' clock is in microseconds. */
static void begin_event(struct trace *t, const char *phase, const char *name, int64_t mono_ns)
{
	strbuf_add(&t->buf, t->any ? ",\n" : "[\n");
	t->any = true;
	strbuf_addf(&t->buf,
		"{\"ph\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%lld.%03d,\"name\":", phase, t->pid,
		LOADS, (long long)(mono_ns / 1000), (int)(mono_ns % 1000));
	strbuf_add_json(&t->buf, name);
}

static void name_track(struct trace *t, const char *what, const char *name)
{
	begin_event(t, "M", what, 0);
	strbuf_add(&t->buf, ",\"args\":{\"name\":");
	strbuf_add_json(&t->buf, name);
	strbuf_add(&t->buf, "}}");
}

static void begin_device(struct trace *t, const struct device *d)
{
	struct strbuf name = { 0 };

	t->pid++;
	snprintf(t->device, sizeof(t->device), "%s", d->id);
	strbuf_addf(&name, "%s%s%s",
		d->simulated	      ? "SIMULATED "
			: d->recorded ? "RECORDING "
				      : "",
		d->name[0] ? d->name : d->id, d->pci_address[0] ? " " : "");
	strbuf_add(&name, d->pci_address);
	name_track(t, "process_name", strbuf_str(&name));
	name_track(t, "thread_name", "stress kernels");
	strbuf_release(&name);
}

bool trace_open(struct trace *t, const char *path, const struct device *d, struct err *err)
{
	*t = (struct trace){ 0 };
	if (!output_open(&t->output, path, OUTPUT_TRUNCATE, err))
		return false;
	t->on = true;
	begin_device(t, d);
	return flush(t, err);
}

static void counter(struct trace *t, const struct metric *m, int64_t mono_ns, double v)
{
	struct strbuf name = { 0 };

	strbuf_addf(&name, "%s%s%s%s%s", m->flags & METRIC_ESTIMATED ? "~" : "",
		m->label ? m->label : m->name, m->unit_text && *m->unit_text ? " [" : "",
		m->unit_text ? m->unit_text : "", m->unit_text && *m->unit_text ? "]" : "");
	begin_event(t, "C", strbuf_str(&name), mono_ns);
	strbuf_add(&t->buf, ",\"args\":{");
	strbuf_add_json(&t->buf, m->name);
	strbuf_addc(&t->buf, ':');
	strbuf_add_double(&t->buf, v);
	strbuf_add(&t->buf, "}}");
	strbuf_release(&name);
}

/* A run of a kernel is a slice that is written when it is over. */
static void job_slice(struct trace *t, const struct job_state *now, int64_t mono_ns)
{
	if (job_is_on(t->seen.phase) && !job_is_on(now->phase)) {
		begin_event(t, "X", t->job.kernel, t->job_start_ns);
		strbuf_addf(&t->buf,
			",\"dur\":%lld,\"args\":{\"launches\":%llu,\"verified\":%llu,"
			"\"mismatches\":%llu}}",
			(long long)((mono_ns - t->job_start_ns) / 1000),
			(unsigned long long)now->launches_done, (unsigned long long)now->verified,
			(unsigned long long)now->mismatches);
	}
	if (!job_is_on(t->seen.phase) && job_is_on(now->phase)) {
		t->job = now->job;
		t->job_start_ns = now->start_mono_ns;
	}
	t->seen = *now;
}

void trace_leave(struct trace *t, int64_t mono_ns)
{
	struct job_state last = t->seen;

	last.phase = JOB_IDLE;
	if (t->on)
		job_slice(t, &last, mono_ns);
	t->device[0] = '\0';
}

/* A value stands from the beginning of its window. What is missing, or was measured in an earlier
 * turn, has no event: no zero, and nothing twice. */
bool trace_window(struct trace *t, const struct snapshot *s, struct err *err)
{
	if (strcmp(t->device, s->device->id) != 0) {
		trace_leave(t, s->mono_ns - s->window_ns);
		begin_device(t, s->device);
	}
	for (int i = 0; i < s->set->n_metrics; i++) {
		const struct metric *m = &s->set->metrics[i];

		if (writer_shows(m) && !snapshot_is_kept(s, i) && s->values[i].why == WHY_OK &&
			isfinite(s->values[i].v))
			counter(t, m, s->mono_ns - s->window_ns, s->values[i].v);
	}
	job_slice(t, &s->job, s->mono_ns);
	return flush(t, err);
}

bool trace_close(struct trace *t, struct err *err)
{
	bool good;

	if (!t->on)
		return true;
	strbuf_add(&t->buf, "\n]\n");
	good = flush(t, err) && output_close(&t->output, true, err);
	t->on = false;
	strbuf_release(&t->buf);
	return good;
}
