/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says what worked beside the kernels that are watched, as far as reports do not tell it: other
 * programs, and the engines for copies and video. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "session/session.h"
#include "base/mem.h"

/* Less than a hundredth of a window is idle. */
#define LEAST 0.01

/* By the words of this program and of drivers: i915 says render, xe rcs. */
static bool is_compute(const char *engine)
{
	static const char *const names[] = { "render", "compute", "rcs", "ccs" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (!strncmp(engine, names[i], strlen(names[i])))
			return true;
	return false;
}

static enum span_others judge(double busy)
{
	if (isnan(busy))
		return OTHERS_NOT_KNOWN;
	return busy > LEAST ? OTHERS_BUSY : OTHERS_IDLE;
}

/* Returns the source that counts engines one by one, and which of its counters does; -1: none. */
static int engine_source(const struct session *ses, int *counter)
{
	for (int i = 0; i < ses->dev->n_sources; i++) {
		const struct feed *f = &ses->dev->sources[i]->feed;

		for (int k = 0; k < f->n_counters && f->n_instances > 0; k++)
			if (!strcmp(f->counters[k].name, "engine_busy_ns")) {
				*counter = k;
				return i;
			}
	}
	return -1;
}

static enum span_others counted_engines(const struct session *ses, int source, int counter)
{
	const struct feed *f = &ses->dev->sources[source]->feed;
	const struct sample *s = &ses->got.samples[source];
	enum span_others all = OTHERS_IDLE;

	if (sample_why(s, counter) != WHY_OK || !s->instances || s->window_ns <= 0)
		return OTHERS_NOT_KNOWN;
	for (int i = 0; i < f->n_instances; i++) {
		uint64_t ns = s->instances[(size_t)i * (size_t)f->n_counters + (size_t)counter];
		double busy = ns == SAMPLE_NONE ? NAN : (double)ns / (double)s->window_ns;

		if (!is_compute(f->instances[i]) && judge(busy) > all)
			all = judge(busy);
	}
	return all;
}

static bool is_ours(const struct session *ses, int64_t pid)
{
	const struct span_table *t = &ses->kernels.table;

	for (int i = 0; i < t->n_queues; i++)
		if ((int64_t)t->queues[i].place.pid == pid)
			return true;
	return false;
}

/* Sums up what clients did, by their driver. Those that nobody may look into may do anything. */
static void add_clients(const struct session *ses, const struct client_table *t,
	struct span_around *a)
{
	double others = 0, engines = 0;

	if (!t || t->why != WHY_OK || t->hidden > 0)
		others = engines = NAN;
	for (size_t i = 0; t && t->why == WHY_OK && i < t->n_rows; i++) {
		const struct client_row *r = &t->rows[i];

		for (int k = 0; k < t->n_engines; k++) {
			double busy = (double)r->busy_pct[k] / 100;

			if (!is_compute(t->engines[k]))
				engines += busy;
			else if (!is_ours(ses, r->pid))
				others += busy;
		}
	}
	a->clients = judge(others);
	a->engines = judge(engines);
}

bool kernel_watch_asks_clients(const struct session *ses)
{
	int counter;

	return ses->kernels.counts && !ses->dev->device.recorded && ses->dev->clients &&
		(!ses->kernels.count.tells_contexts || engine_source(ses, &counter) < 0);
}

void kernel_watch_window(struct session *ses, const struct client_table *clients)
{
	struct kernel_watch *w = &ses->kernels;

	if (w->counts && !ses->dev->device.recorded)
		w->window = (struct window_ended){ clock_mono_ns(&ses->clock), clients };
}

void kernel_watch_look_around(struct session *ses)
{
	struct kernel_watch *w = &ses->kernels;
	struct span_around a = { .t1_ns = w->window.end_ns };
	int counter, source;

	if (!a.t1_ns)
		return;
	add_clients(ses, w->window.clients, &a);
	w->window = (struct window_ended){ 0, NULL };
	source = engine_source(ses, &counter);
	if (source >= 0)
		a.engines = counted_engines(ses, source, counter);
	span_count_around(&w->count, &a);
	w->writer.around = a;
}
