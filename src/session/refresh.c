/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tick drains the sources; the last tick of a window collects, evaluates and flips the snapshots. */
#include "config.h"

#include "session/refresh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/client_scan.h"
#include "session/own_load.h"
#include "session/rotate.h"
#include "base/i18n.h"
#include "base/mem.h"

/* Sources begin in the middle of a report period: a short window that nobody sees takes that, and the first value comes early. */
#define PRIME_NS (100 * NS_PER_MS)
/* Longer windows are drained in between, and correlations of a recording need a tick each second. */
#define TICK_MAX_NS NS_PER_S
/* The two clocks are read one after the other. */
#define SLEPT_MIN_NS (100 * NS_PER_MS)

static int ticks_of(const struct app *a)
{
	return (int)((a->delay_ns + TICK_MAX_NS - 1) / TICK_MAX_NS);
}

/* Of sets in turns the first one that has a live point; the roofline stands still while another set has its turn. */
static const struct rotation_part *roofline_part(const struct app *a)
{
	const struct rotation *r = a->rotation;

	for (int k = 0; k < r->n; k++) {
		bool performance = false, traffic = false;

		for (int i = 0; i < r->part[k].set->n_metrics; i++) {
			performance |= r->part[k].set->metrics[i].roof == ROOF_PERFORMANCE;
			traffic |= r->part[k].set->metrics[i].roof == ROOF_TRAFFIC;
		}
		if (performance && traffic)
			return &r->part[k];
	}
	return &r->part[0];
}

static const struct metric_binding *roofline_binding(const struct app *a)
{
	return a->rotation ? &roofline_part(a)->binding : &a->binding;
}

static void init_snapshot(struct app *a, struct snapshot *s)
{
	if (a->rotation) {
		rotation_init_snapshot(a->rotation, s, &a->dev->device);
		return;
	}
	snapshot_init(s, &a->dev->device, a->set);
	snapshot_init_maps(s, &a->binding);
}

/* Of values that are shown, and of roofs where there are any. */
static void init_history(struct app *a)
{
	int n = a->set->n_metrics;
	bool *kept = xcalloc((size_t)n + 1, sizeof(*kept));

	for (int i = 0; i < n; i++)
		kept[i] = !(a->set->metrics[i].flags & METRIC_HIDDEN);
	history_init_some(&a->history, n, kept, APP_HISTORY_ROWS);
	for (int i = 0; i < n; i++)
		kept[i] = a->set->metrics[i].ceiling;
	history_init_some(&a->roofs, n, kept, APP_HISTORY_ROWS);
	free(kept);
}

static void bind(struct app *a, const struct metric_set *set)
{
	const struct feed *feeds[DEVICE_MAX_SOURCES];

	for (int i = 0; i < a->dev->n_sources; i++)
		feeds[i] = &a->dev->sources[i]->feed;
	a->set = a->rotation ? a->rotation->merged : set;
	a->is_bound = true;
	if (a->rotation)
		rotation_bind(a->rotation, &a->dev->device, feeds, a->dev->n_sources);
	else
		metric_bind(&a->binding, set, &a->dev->device, feeds, a->dev->n_sources);
	for (int i = 0; i < 2; i++)
		init_snapshot(a, &a->snaps[i]);
	roofline_init(&a->roofline, roofline_binding(a), &a->dev->device);
	roofline_measured(&a->roofline, &a->measured);
	init_history(a);
	for (int k = 0; k < a->snaps[0].n_maps; k++)
		history_init(&a->cell_history[k], a->snaps[0].maps[k].n * a->snaps[0].maps[k].n_metrics, APP_CELL_HISTORY_ROWS);
	a->front = 0;
	a->seq = 0;
}

static void unbind(struct app *a)
{
	if (!a->is_bound)
		return;
	for (int i = 0; i < 2; i++)
		snapshot_release(&a->snaps[i]);
	if (!a->rotation)
		metric_unbind(&a->binding);
	history_release(&a->history);
	for (int k = 0; k < SNAPSHOT_MAX_MAPS; k++)
		history_release(&a->cell_history[k]);
	history_release(&a->roofs);
	roofline_release(&a->roofline);
	a->is_bound = false;
}

void refresh_start(struct app *a)
{
	unbind(a);
	bind(a, a->set);
	/* A recording begins with its first report: nothing is cut off there. */
	a->primed = a->dev->device.recorded;
	a->ended = false;
	a->paused = a->step = false;
	a->lost_total = 0;
	a->rotated_ns = clock_mono_ns(&a->clock);
	a->rotation_stuck = false;
	memset(a->source_failed, 0, sizeof(a->source_failed));
	a->retried_ns = clock_mono_ns(&a->clock);
	a->suspended_ns = clock_suspended_ns(&a->clock);
	a->ticks_left = ticks_of(a);
	clients_restart(a);
}

void refresh_rebind(struct app *a, const struct metric_set *set)
{
	unbind(a);
	bind(a, set);
}

void refresh_stop(struct app *a)
{
	unbind(a);
	rotation_free(a->rotation);
	a->rotation = NULL;
}

void refresh_retime(struct app *a)
{
	a->ticks_left = ticks_of(a);
}

int64_t refresh_period_ns(const struct app *a)
{
	if (!a->primed)
		return a->delay_ns < PRIME_NS ? a->delay_ns : PRIME_NS;
	return a->delay_ns / ticks_of(a);
}

const struct snapshot *refresh_snapshot(const struct app *a)
{
	return a->is_bound && a->snaps[a->front].seq > 0 ? &a->snaps[a->front] : NULL;
}

/* A problem is told once, and again after the source has worked in between. */
static bool drain_source(struct app *a, int i, int64_t now_ns)
{
	struct source *s = a->dev->sources[i];
	struct err err = { 0 };
	bool good = s->ops->ready(s, now_ns, &err);

	if (!good && !a->source_failed[i])
		app_problem(a, &err);
	a->source_failed[i] = !good;
	return good;
}

static void drain(struct app *a, int64_t now_ns)
{
	for (int i = 0; i < a->dev->n_sources; i++)
		drain_source(a, i, now_ns);
}

bool refresh_ready(struct app *a, int fd)
{
	bool good = true;

	for (int i = 0; a->dev && i < a->dev->n_sources; i++) {
		if (a->dev->sources[i]->fd == fd)
			good = drain_source(a, i, clock_mono_ns(&a->clock)) && good;
	}
	return good;
}

/* A source that was refused or lost its device comes back by itself: after a sysctl, a file mode, a plug. */
static void retry(struct app *a, int64_t now_ns)
{
	bool due = now_ns - a->retried_ns >= REFRESH_RETRY_NS;

	for (int i = 0; due && i < a->dev->n_sources; i++) {
		struct source *s = a->dev->sources[i];
		struct err err = { 0 };

		if (a->samples[i].why == WHY_OK || a->samples[i].why == WHY_NOT_YET || !s->ops->retry)
			continue;
		a->retried_ns = now_ns;
		if (!s->ops->retry(s, now_ns, &err))
			continue;
		log_add(&a->log, clock_wall_ns(&a->clock), LOG_INFO, _("%s: %s delivers now"), a->dev->device.id, s->feed.name);
		if (s->rebind)
			refresh_rebind(a, a->set);
		s->rebind = false;
	}
}

/* After a suspend the hardware has forgotten its programming, and a window with the night in it is none. */
static void resume(struct app *a, int64_t now_ns)
{
	int64_t slept_ns = clock_suspended_ns(&a->clock) - a->suspended_ns;

	if (slept_ns < SLEPT_MIN_NS)
		return;
	a->suspended_ns += slept_ns;
	for (int i = 0; i < a->dev->n_sources; i++)
		if (a->dev->sources[i]->ops->resumed)
			a->dev->sources[i]->ops->resumed(a->dev->sources[i], now_ns);
	log_add(&a->log, clock_wall_ns(&a->clock), LOG_INFO, _("the machine slept for %.1f s: counting begins again"),
		(double)slept_ns / NS_PER_S);
	a->primed = false;
	a->retried_ns = now_ns - REFRESH_RETRY_NS;
}

static void collect(struct app *a, int64_t now_ns)
{
	for (int i = 0; i < a->dev->n_sources; i++) {
		memset(&a->samples[i], 0, sizeof(a->samples[i]));
		a->dev->sources[i]->ops->collect(a->dev->sources[i], now_ns, &a->samples[i]);
		a->lost_total += a->samples[i].lost;
		if (i == 0 && (a->samples[i].quality & SAMPLE_LAST))
			a->ended = true;
	}
	load_count_energy(a);
	if (a->span)
		span_add(a->span, a->samples);
}

static void measure_self(struct app *a)
{
	int64_t cpu_ns = clock_self_cpu_ns(), mono_ns = clock_mono_ns(&a->clock);

	if (a->self_mono_ns && mono_ns > a->self_mono_ns && !a->clock.is_virtual)
		a->self_cpu_pct = 100.0 * (double)(cpu_ns - a->self_cpu_ns) / (double)(mono_ns - a->self_mono_ns);
	a->self_cpu_ns = cpu_ns;
	a->self_mono_ns = mono_ns;
}

/* What the primary source says of itself, else why another one gives nothing. */
static void fill_status(struct app *a, struct snapshot *s)
{
	s->status[0] = '\0';
	for (int i = 0; i < a->dev->n_sources && !s->status[0]; i++) {
		struct source *source = a->dev->sources[i];

		if (source->ops->status && (i == 0 || a->samples[i].why != WHY_OK))
			source->ops->status(source, s->status, sizeof(s->status));
	}
}

static void evaluate(struct app *a, struct snapshot *s)
{
	if (a->rotation) {
		rotation_eval(a->rotation, a->samples, s);
		return;
	}
	metric_eval(&a->binding, a->samples, s->values, s->ceilings);
	metric_maps_fill(&a->binding, s->maps, s->n_maps);
	if (a->set->n_inputs)
		memcpy(s->inputs, a->binding.inputs, (size_t)a->set->n_inputs * sizeof(*s->inputs));
}

static void update_roofline(struct app *a, const struct snapshot *s, int64_t now_ns)
{
	const struct rotation_part *p = a->rotation ? roofline_part(a) : NULL;

	if (!p)
		roofline_update(&a->roofline, &a->binding, s->values, &s->job, now_ns);
	else if (p == &a->rotation->part[a->rotation->active])
		roofline_update(&a->roofline, &p->binding, p->snap.values, &s->job, now_ns);
}

static void fill(struct app *a, struct snapshot *s, int64_t now_ns)
{
	s->seq = ++a->seq;
	s->mono_ns = now_ns;
	s->wall_ns = clock_wall_ns(&a->clock);
	s->window_ns = a->samples[0].window_ns;
	s->quality = 0;
	s->reports = a->samples[0].reports;
	s->lost = 0;
	for (int i = 0; i < a->dev->n_sources; i++) {
		s->quality |= a->samples[i].quality;
		s->lost += a->samples[i].lost;
	}
	s->lost_total = a->lost_total;
	evaluate(a, s);
	s->clients = clients_scan(a, now_ns);
	s->verdict = verdict_make(a->set, s->values, s->ceilings);
	load_state(a, &s->job);
	update_roofline(a, s, now_ns);
	s->roofline = &a->roofline;
	fill_status(a, s);
}

static void push_cells(struct app *a, const struct snapshot *s)
{
	for (int k = 0; k < s->n_maps; k++) {
		const struct cell_map *map = &s->maps[k];
		struct history *h = &a->cell_history[k];

		history_open_row(h);
		for (int i = 0; i < map->n * map->n_metrics; i++)
			history_set(h, i, cell_value(map, i / map->n_metrics, map->metrics[i % map->n_metrics]));
	}
}

/* The end of a window. Partial ones and an empty end of a recording are dropped. */
static bool end_window(struct app *a, int64_t now_ns)
{
	struct snapshot *back;

	collect(a, now_ns);
	retry(a, now_ns);
	back = &a->snaps[1 - a->front];
	if (a->clock.is_virtual && a->dev->sources[0]->self_paced) {
		clock_advance(&a->clock, a->samples[0].window_ns);
		now_ns = clock_mono_ns(&a->clock);
	}
	measure_self(a);
	if (a->samples[0].quality & SAMPLE_PARTIAL)
		return false;
	if (a->ended && a->samples[0].why != WHY_OK)
		return false;
	fill(a, back, now_ns);
	a->front = 1 - a->front;
	history_push(&a->history, back->values);
	push_cells(a, back);
	history_push(&a->roofs, back->ceilings);
	rotate_after_window(a, now_ns);
	return true;
}

static bool finish_tick(struct app *a, int64_t now_ns)
{
	bool self_paced = a->dev->sources[0]->self_paced;

	a->ticks_left = ticks_of(a);
	if (a->paused && !a->step) {
		/* The device goes on; its windows pass unseen, so that the next one shown is whole. A paced one waits. */
		if (!self_paced)
			collect(a, now_ns);
		return false;
	}
	a->step = false;
	return end_window(a, now_ns);
}

bool refresh_tick(struct app *a)
{
	int64_t now_ns = clock_mono_ns(&a->clock);
	bool self_paced = a->dev->sources[0]->self_paced;

	if (a->ended || (self_paced && a->paused && !a->step))
		return false;
	load_ready(a);
	resume(a, now_ns);
	drain(a, now_ns);
	if (!a->primed) {
		collect(a, now_ns);
		retry(a, now_ns);
		measure_self(a);
		a->primed = true;
		a->ticks_left = ticks_of(a);
		return false;
	}
	if (--a->ticks_left > 0 && !(self_paced && a->clock.is_virtual))
		return false;
	return finish_tick(a, now_ns);
}

bool refresh_now(struct app *a)
{
	int64_t now_ns = clock_mono_ns(&a->clock);

	if (a->ended || !a->primed)
		return false;
	drain(a, now_ns);
	return finish_tick(a, now_ns);
}

bool refresh_virtual_step(struct app *a)
{
	if (!a->dev->sources[0]->self_paced)
		clock_advance(&a->clock, refresh_period_ns(a));
	return refresh_tick(a);
}
