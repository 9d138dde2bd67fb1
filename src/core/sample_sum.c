/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding windows up. */
#include "config.h"

#include "core/sample_sum.h"

#include <math.h>

void sample_sum_add(struct sample_sum *sum, const struct feed *feed, const struct sample *s)
{
	struct sample *to = &sum->sample;

	to->quality |= s->quality;
	to->lost += s->lost;
	if (s->why != WHY_OK) {
		sum->missing_ns += s->t1_ns - s->t0_ns;
		sum->why = s->why;
		return;
	}
	if (to->window_ns == 0)
		to->t0_ns = s->t0_ns;
	to->t1_ns = s->t1_ns;
	to->window_ns += s->window_ns;
	to->reports += s->reports;
	for (int i = 0; i < feed->n_counters; i++) {
		if (feed->counters[i].kind == COUNTER_CUMULATIVE)
			to->values[i] += s->values[i];
		else
			sum->gauge_ns[i] += (double)s->values[i] * (double)s->window_ns;
	}
}

void sample_sum_get(const struct sample_sum *sum, const struct feed *feed, struct sample *out)
{
	*out = sum->sample;
	if (out->window_ns <= 0) {
		out->why = sum->why != WHY_OK ? sum->why : WHY_NOT_YET;
		return;
	}
	for (int i = 0; i < feed->n_counters; i++) {
		if (feed->counters[i].kind != COUNTER_CUMULATIVE)
			out->values[i] = (uint64_t)llround(sum->gauge_ns[i] / (double)out->window_ns);
	}
}
