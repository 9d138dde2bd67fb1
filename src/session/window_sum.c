/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joins windows into one. */
#include "config.h"

#include "session/window_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "core/snapshot.h"

void window_sum_init(
	struct window_sum *s, const struct open_device *dev, const struct metric_set *set)
{
	*s = (struct window_sum){ .dev = dev };
	for (int i = 0; i < dev->n_sources; i++)
		sample_sum_init(&s->sums[i], &dev->sources[i]->feed);
	s->values = xcalloc((size_t)set->n_metrics + 1, sizeof(*s->values));
	s->ceilings = xcalloc((size_t)set->n_metrics + 1, sizeof(*s->ceilings));
}

void window_sum_release(struct window_sum *s)
{
	for (int i = 0; s->dev && i < s->dev->n_sources; i++)
		sample_sum_release(&s->sums[i]);
	free(s->values);
	free(s->ceilings);
	s->values = s->ceilings = NULL;
	s->dev = NULL;
}

void window_sum_clear(struct window_sum *s)
{
	for (int i = 0; i < s->dev->n_sources; i++)
		sample_sum_clear(&s->sums[i]);
	s->windows = s->lost = 0;
}

void window_sum_add(struct window_sum *s, const struct sample *samples)
{
	for (int i = 0; i < s->dev->n_sources; i++) {
		sample_sum_add(&s->sums[i], &samples[i]);
		s->lost += samples[i].lost;
	}
	s->windows++;
}

void window_sum_eval(struct window_sum *s, struct metric_binding *binding)
{
	for (int i = 0; i < s->dev->n_sources; i++)
		sample_sum_get(&s->sums[i], &s->joined[i]);
	metric_eval(binding, s->joined, s->values, s->ceilings);
}

void window_sum_verdict(
	const struct window_sum *s, const struct metric_set *set, struct verdict *out)
{
	const struct snapshot joined = { .device = &s->dev->device,
		.set = set,
		.values = s->values,
		.ceilings = s->ceilings,
		.why = s->joined[0].why,
		.mono_ns = s->joined[0].t1_ns };

	verdict_make(&joined, NULL, out);
}

double window_sum_rate(const struct window_sum *s, const char *counter)
{
	struct unit unit;

	for (int i = 0; s->dev && i < s->dev->n_sources; i++) {
		const struct feed *f = &s->dev->sources[i]->feed;
		const struct sample *joined = &s->joined[i];

		for (int k = 0; k < f->n_counters; k++) {
			const struct counter_desc *c = &f->counters[k];

			if (strcmp(c->name, counter) || sample_why(joined, k) != WHY_OK)
				continue;
			if (joined->window_ns <= 0 ||
				!unit_parse(c->unit, strlen(c->unit), &unit, NULL))
				return NAN;
			return (double)joined->values[k] * unit.scale /
				((double)joined->window_ns / NS_PER_S);
		}
	}
	return NAN;
}
