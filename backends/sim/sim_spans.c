/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells the launches of the simulated GPU's load, with clocks and losses as the spec wants them. What a
 * launch is comes from the course of the model: a stretch of time in which one context runs. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/sim/model/course.h"
#include "backends/sim/sim_model.h"
#include "base/clock.h"
#include "base/mem.h"
#include "core/spans/span.h"

#define QUEUES_MAX 8
/* How long before its start a launch is queued, how long the call takes, and when its end is seen. */
#define QUEUED_NS (30 * 1000)
#define CALL_NS (5 * 1000)
#define SEEN_NS (40 * 1000)
/* A clock of a device does not begin at the machine's start. */
#define CLOCK_BASE_NS NS_PER_S

struct sim_spans {
	struct span_source source;
	struct sim_model *m;
	char names[QUEUES_MAX][48];
	int n_queues;
	bool told; /* the queues */
	int64_t at_ns; /* model time up to which launches were told */
	uint64_t index[QUEUES_MAX], launches, random;
	bool preempted; /* a launch of the first queue, which began then */
	int64_t begun_ns;
};

/* Returns a number from 0 to most - 1. */
static int64_t chance(struct sim_spans *s, int64_t most)
{
	s->random = s->random * 6364136223846793005u + 1442695040888963407u;
	return most > 0 ? (int64_t)((s->random >> 33) % (uint64_t)most) : 0;
}

static int64_t device_time(struct sim_spans *s, int64_t host_ns, int64_t apart_ns)
{
	const struct sim_span_spec *how = &s->m->spec.spans;
	uint64_t hz = s->m->unit.c.timestamp_hz, ticks;

	if (how->by_reports) {
		ticks = oa_unit_timestamp(&s->m->unit, sim_model_time(s->m, host_ns + apart_ns));
		return (int64_t)(ticks / hz * NS_PER_S + ticks % hz * NS_PER_S / hz);
	}
	int64_t drift_ns = (host_ns - s->m->opened_ns) / 1000 * (int64_t)how->drift_ppm / 1000;

	return host_ns + CLOCK_BASE_NS + how->offset_ns + drift_ns + apart_ns +
		chance(s, how->jitter_ns);
}

static void tell_queues(struct sim_spans *s, const struct span_sink *sink)
{
	for (int i = 0; i <= s->n_queues && !s->told; i++) {
		struct span_place p = { .number = i, .pid = SIM_FIRST_PID,
			.out_of_order = i == 0, .by_reports = s->m->spec.spans.by_reports };

		snprintf(p.device, sizeof(p.device), "%s", s->m->spec.machine.name);
		snprintf(p.pci_address, sizeof(p.pci_address), "%s", "own");
		snprintf(p.maker, sizeof(p.maker), "model");
		sink->queue(sink->ctx, &p);
	}
	s->told = true;
}

static void tell(struct sim_spans *s, const struct span_sink *sink, int queue, int64_t from_ns,
	int64_t to_ns)
{
	const struct sim_span_spec *how = &s->m->spec.spans;
	int64_t start_ns = s->m->opened_ns + from_ns;
	int64_t end_ns = s->m->opened_ns + to_ns + how->overlap_ns;

	if ((uint32_t)queue == how->unseen)
		return;
	struct span span = { .queue = queue,
		.name = s->names[queue - 1],
		.is_kernel = true,
		.index = ++s->index[queue - 1],
		.items = (uint64_t)workload_groups(&s->m->hw, &s->m->spec.load) *
			(uint64_t)s->m->spec.load.items *
			(uint64_t)(s->m->spec.load.sizes ? queue : 1),
		.queued = device_time(s, start_ns - QUEUED_NS + CALL_NS / 2, 0),
		.start = device_time(s, start_ns, how->apart_ns),
		.end = device_time(s, end_ns, how->apart_ns),
		.before = start_ns - QUEUED_NS,
		.after = start_ns - QUEUED_NS + CALL_NS,
		.seen = end_ns + SEEN_NS };

	if (span.end < span.start)
		span.end = span.start;
	if (how->lost_every && ++s->launches % how->lost_every == 0)
		sink->lost(sink->ctx, 1);
	else
		sink->span(sink->ctx, &span);
}

/* A launch that was preempted goes on in the next stretch of its context, and is one. */
static void tell_stretch(struct sim_spans *s, const struct span_sink *sink, int queue,
	int64_t from_ns, int64_t to_ns)
{
	if (s->m->spec.load.resumes && queue == 1) {
		s->preempted = !s->preempted;
		if (s->preempted) {
			s->begun_ns = from_ns;
			return;
		}
		from_ns = s->begun_ns;
	}
	tell(s, sink, queue, from_ns, to_ns);
}

static int64_t read_spans(struct span_source *source, int64_t now_ns, const struct span_sink *sink)
{
	struct sim_spans *s = (struct sim_spans *)source;
	int64_t to_ns = sim_model_time(s->m, now_ns) - SEEN_NS - s->m->spec.spans.overlap_ns;
	struct course_state at;

	tell_queues(s, sink);
	while (s->at_ns < to_ns) {
		int64_t next_ns = course_next_context_change(s->m->now, s->at_ns);

		if (next_ns > to_ns)
			break;
		course_at(s->m->now, s->at_ns, &at);
		if (at.context > 0 && at.context <= s->n_queues)
			tell_stretch(s, sink, at.context, s->at_ns, next_ns);
		s->at_ns = next_ns;
	}
	return s->m->opened_ns + (s->preempted ? s->begun_ns : s->at_ns);
}

static void close_spans(struct span_source *source)
{
	sim_model_drop(((struct sim_spans *)source)->m);
	free(source);
}

struct span_source *sim_spans_open(struct sim_model *m)
{
	struct sim_spans *s = xcalloc(1, sizeof(*s));
	const char *at = m->spec.load.load;

	s->source = (struct span_source){ .read = read_spans, .close = close_spans };
	s->m = m;
	m->users++;
	s->random = m->spec.load.seed;
	while (*at && s->n_queues < QUEUES_MAX) {
		size_t len = strcspn(at, "/");

		snprintf(s->names[s->n_queues++], sizeof(s->names[0]), "%.*s", (int)len, at);
		at += len + (at[len] == '/');
	}
	return &s->source;
}
