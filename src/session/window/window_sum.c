/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joins windows into one. */
#include "config.h"

#include "session/window/window_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "core/verdict/verdict.h"

static int counter_index(const struct feed *f, const char *name)
{
	for (int k = 0; k < f->n_counters; k++)
		if (!strcmp(f->counters[k].name, name))
			return k;
	return -1;
}

void window_sum_init(struct window_sum *s, const struct open_device *dev,
	const struct metric_set *set, const struct roof_file *measured)
{
	*s = (struct window_sum){ .dev = dev, .measured = measured };
	s->hz_min = s->hz_max = NAN;
	for (int i = 0; i < dev->n_sources; i++) {
		sample_sum_init(&s->sums[i], &dev->sources[i]->feed);
		s->ticks[i] = counter_index(&dev->sources[i]->feed, "GPU_TICKS");
	}
	s->values = xcalloc((size_t)set->n_metrics + 1, sizeof(*s->values));
	s->ceilings = xcalloc((size_t)set->n_metrics + 1, sizeof(*s->ceilings));
}

void window_sum_release(struct window_sum *s)
{
	for (int i = 0; s->dev && i < s->dev->n_sources; i++)
		sample_sum_release(&s->sums[i]);
	metric_maps_release(s->maps, s->n_maps);
	s->n_maps = 0;
	roofline_release(&s->roofline);
	free(s->values);
	free(s->ceilings);
	s->values = s->ceilings = NULL;
	s->dev = NULL;
}

void window_sum_clear(struct window_sum *s, int64_t from_ns)
{
	for (int i = 0; i < s->dev->n_sources; i++) {
		sample_sum_clear(&s->sums[i]);
		s->sums[i].sample.t1_ns = from_ns;
	}
	s->windows = s->lost = 0;
	s->from_ns = from_ns;
	s->hz_min = s->hz_max = NAN;
}

/* Keeps how far the clock moves from window to window. */
static void see_clock(struct window_sum *s, int source, const struct sample *sample)
{
	int k = s->ticks[source];

	if (k < 0 || sample_why(sample, k) != WHY_OK || sample->window_ns <= 0)
		return;
	double hz = (double)sample->values[k] * NS_PER_S / (double)sample->window_ns;
	s->hz_min = fmin(s->hz_min, hz);
	s->hz_max = fmax(s->hz_max, hz);
}

void window_sum_add(struct window_sum *s, const struct sample *samples)
{
	for (int i = 0; i < s->dev->n_sources; i++) {
		int64_t before_ns = s->from_ns - samples[i].t0_ns;

		/* More than a tenth of it lies before the sum. */
		if (before_ns > 0 && before_ns > (samples[i].t1_ns - samples[i].t0_ns) / 10)
			continue;
		sample_sum_add(&s->sums[i], &samples[i]);
		s->lost += samples[i].lost;
		see_clock(s, i, &samples[i]);
	}
	s->windows++;
}

/* The share of the time in which a source had a number of its counter, or of any with -1; within:
 * of the time in which it had others. */
static double share_of(const struct sample_sum *sum, int counter, bool within, enum why *why)
{
	int64_t have_ns = sum->sample.window_ns;
	double all_ns = (double)(have_ns + (within ? 0 : sum->missing_ns));

	if (counter >= 0)
		have_ns = sum->have_ns[counter];
	*why = sum->missing_ns > 0 ? sum->why : WHY_NOT_YET;
	return all_ns > 0 ? (double)have_ns / all_ns : 1;
}

static double share_in(const struct window_sum *s, const struct metric_binding *b, int metric,
	bool within, enum why *why)
{
	const struct metric *m = &b->set->metrics[metric];
	double least = 1;
	int n;

	*why = WHY_OK;
	if (b->set->from_xml)
		return share_of(&s->sums[0], -1, within, why);
	const int *list = metric_rests_on(b->set, m->value, &n);
	for (int i = 0; i < n; i++) {
		enum why here = WHY_OK;
		double share = 1;

		if (b->at[list[i]].feed >= 0)
			share = share_of(&s->sums[b->at[list[i]].feed], b->at[list[i]].counter,
				within, &here);
		if (share < least) {
			least = share;
			*why = here;
		}
	}
	return least;
}

double window_sum_share(const struct window_sum *s, const struct metric_binding *b, int metric,
	enum why *why)
{
	return share_in(s, b, metric, false, why);
}

/* A counter that lacks some windows of its source is scaled up to all of them, as rates need it; an
 * amount is what was counted. */
static void scale_amounts(struct window_sum *s, const struct metric_binding *b)
{
	enum why why;

	for (int i = 0; i < b->set->n_metrics; i++)
		if (s->values[i].why == WHY_OK && metric_is_amount(b, i))
			s->values[i].v *= share_in(s, b, i, true, &why);
}

static const struct job_state no_job;

void window_sum_eval(struct window_sum *s, struct metric_binding *binding)
{
	for (int i = 0; i < s->dev->n_sources; i++)
		sample_sum_get(&s->sums[i], &s->joined[i]);
	metric_eval(binding, s->joined, s->values, s->ceilings);
	scale_amounts(s, binding);
	/* The binding may be another one than the last time: its names are lent. */
	metric_maps_release(s->maps, s->n_maps);
	s->n_maps = metric_maps_init(binding, s->maps, SNAPSHOT_MAX_MAPS);
	metric_maps_fill(binding, s->maps, s->n_maps);
	/* Roofs that follow the clock follow that of the joined windows. */
	roofline_release(&s->roofline);
	roofline_init(&s->roofline, binding, &s->dev->device);
	roofline_measured(&s->roofline, s->measured);
	roofline_update(&s->roofline, binding, s->values, &no_job, s->joined[0].t1_ns);
	roofline_set_ceilings(&s->roofline, binding->set, s->ceilings);
}

void window_sum_verdict(
	const struct window_sum *s, const struct metric_set *set, struct verdict *out)
{
	struct snapshot joined = { .device = &s->dev->device,
		.set = set,
		.values = s->values,
		.ceilings = s->ceilings,
		.roofline = &s->roofline,
		.why = s->joined[0].why,
		.mono_ns = s->joined[0].t1_ns,
		.cells_ns = s->joined[0].t1_ns,
		.window_ns = s->joined[0].window_ns,
		.n_maps = s->n_maps };

	memcpy(joined.maps, s->maps, sizeof(joined.maps));
	verdict_make(&joined, NULL, out);
	if (out->kind == VERDICT_MEASURING)
		verdict_too_short(out);
}

/* Finds a counter that has a number in the joined windows. Returns NULL, and why, when none has. */
static const struct sample *find(const struct window_sum *s, const char *name,
	const struct counter_desc **desc, uint64_t *value, enum why *why)
{
	*why = WHY_NO_SOURCE;
	for (int i = 0; s->dev && i < s->dev->n_sources; i++) {
		const struct feed *f = &s->dev->sources[i]->feed;
		const struct sample *joined = &s->joined[i];
		int k = counter_index(f, name);

		if (k < 0)
			continue;
		*why = sample_why(joined, k);
		if (*why == WHY_OK && joined->window_ns <= 0)
			*why = WHY_NOT_YET;
		if (*why != WHY_OK)
			continue;
		*desc = &f->counters[k];
		*value = joined->values[k];
		return joined;
	}
	return NULL;
}

/* Returns the counter's value in base units, or NAN. */
static double base_value(const struct window_sum *s, const char *counter, int64_t *window_ns)
{
	const struct counter_desc *desc;
	struct unit unit;
	uint64_t value;
	enum why why;
	const struct sample *joined = find(s, counter, &desc, &value, &why);

	if (!joined || !unit_parse(desc->unit, strlen(desc->unit), &unit, NULL))
		return NAN;
	*window_ns = joined->window_ns;
	return (double)value * unit.scale;
}

double window_sum_rate(const struct window_sum *s, const char *counter)
{
	int64_t window_ns = 0;
	double v = base_value(s, counter, &window_ns);

	return v / ((double)window_ns / NS_PER_S);
}

double window_sum_gauge(const struct window_sum *s, const char *counter)
{
	int64_t window_ns;

	return base_value(s, counter, &window_ns);
}

enum why window_sum_why(const struct window_sum *s, const char *counter)
{
	const struct counter_desc *desc;
	uint64_t value;
	enum why why;

	find(s, counter, &desc, &value, &why);
	return why;
}

bool window_sum_times(
	const struct window_sum *s, const char *counter, struct window_sum_times *out)
{
	const struct counter_desc *desc;
	uint64_t value;
	enum why why;
	const struct sample *joined = find(s, counter, &desc, &value, &why);

	if (!joined)
		return false;
	out->host_ns = (double)(joined->t1_ns - joined->t0_ns);
	out->own_ns = (double)joined->window_ns;
	out->apart_ns = 0;
	if (joined->reports > 0)
		out->apart_ns = out->own_ns / (double)joined->reports;
	return true;
}
