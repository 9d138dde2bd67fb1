/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds windows up. */
#include "config.h"

#include "core/value/sample_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/minmax.h"

/* Recordings may say of any window that it was as long as it pleases. */
#define SUM_MAX_NS (INT64_MAX / 4)

static size_t cells(const struct sample_sum *sum)
{
	return (size_t)(1 + sum->n_instances) * (size_t)sum->n_counters;
}

void sample_sum_init(struct sample_sum *sum, const struct feed *feed)
{
	*sum = (struct sample_sum){
		.feed = feed, .n_counters = feed->n_counters, .n_instances = feed->n_instances
	};
	sum->counts = xcalloc(cells(sum) + 1, sizeof(*sum->counts));
	sum->gauge_ns = xcalloc(cells(sum) + 1, sizeof(*sum->gauge_ns));
	sum->have_ns = xcalloc(cells(sum) + 1, sizeof(*sum->have_ns));
	sum->whys = xcalloc((size_t)feed->n_counters + 1, sizeof(*sum->whys));
	if (feed->n_instances > 0)
		sum->instances = xcalloc(cells(sum), sizeof(*sum->instances));
	if (feed->n_code > 0)
		code_table_init(&sum->code, feed->n_code);
}

void sample_sum_release(struct sample_sum *sum)
{
	free(sum->counts);
	free(sum->gauge_ns);
	free(sum->have_ns);
	free(sum->whys);
	free(sum->instances);
	code_table_release(&sum->code);
	*sum = (struct sample_sum){ 0 };
}

void sample_sum_clear(struct sample_sum *sum)
{
	memset(sum->counts, 0, cells(sum) * sizeof(*sum->counts));
	memset(sum->gauge_ns, 0, cells(sum) * sizeof(*sum->gauge_ns));
	memset(sum->have_ns, 0, cells(sum) * sizeof(*sum->have_ns));
	memset(sum->whys, 0, (size_t)sum->n_counters * sizeof(*sum->whys));
	if (sum->code.places)
		code_table_clear(&sum->code);
	sum->sample = (struct sample){ 0 };
	sum->missing_ns = 0;
	sum->why = WHY_OK;
}

/* Row 0 is the source as a whole. */
static void add_row(struct sample_sum *sum, int row, const struct sample *s, const uint64_t *values)
{
	const struct feed *f = sum->feed;
	size_t at = (size_t)row * (size_t)sum->n_counters;

	for (int i = 0; i < sum->n_counters; i++, at++) {
		enum why why = sample_why(s, i);

		if (why != WHY_OK && row == 0)
			sum->whys[i] = why;
		if (why != WHY_OK || values[i] == SAMPLE_NONE)
			continue;
		sum->have_ns[at] += s->window_ns;
		if (f->counters[i].kind == COUNTER_CUMULATIVE)
			sum->counts[at] += values[i];
		else if (f->counters[i].kind == COUNTER_TOTAL)
			sum->gauge_ns[at] = (double)values[i];
		else
			sum->gauge_ns[at] += (double)values[i] * (double)s->window_ns;
	}
}

/* Adds the time of a window without data. A source that has none may know of no time either: then
 * it lacks what has passed since the last window; but one that only begins lacks nothing. */
static void add_missing(struct sample_sum *sum, const struct sample *s, enum why why)
{
	struct sample *to = &sum->sample;
	int64_t from_ns = s->t0_ns;

	if (s->t1_ns == s->t0_ns && why != WHY_NOT_YET && to->t1_ns > 0)
		from_ns = to->t1_ns;
	if (why != WHY_NOT_YET || sum->why == WHY_OK)
		sum->why = why;
	if (s->t1_ns <= from_ns)
		return;
	sum->missing_ns = (int64_t)min_u64((uint64_t)s->t1_ns - (uint64_t)from_ns +
		(uint64_t)sum->missing_ns, SUM_MAX_NS);
	to->t1_ns = s->t1_ns;
}

void sample_sum_add(struct sample_sum *sum, const struct sample *s)
{
	struct sample *to = &sum->sample;

	bool is_other = sum->feed->n_counters != sum->n_counters ||
		sum->feed->n_instances != sum->n_instances ||
		s->window_ns > SUM_MAX_NS - to->window_ns;

	if (s->why == WHY_OK && s->quality & SAMPLE_HELD)
		return;
	to->quality |= s->quality;
	to->lost += s->lost;
	if (s->why != WHY_OK || is_other) {
		add_missing(sum, s, is_other ? WHY_STALE : s->why);
		return;
	}
	if (to->window_ns == 0)
		to->t0_ns = s->t0_ns;
	to->t1_ns = s->t1_ns;
	to->window_ns += s->window_ns;
	to->reports += s->reports;
	add_row(sum, 0, s, s->values);
	for (int k = 0; s->instances && k < sum->n_instances; k++)
		add_row(sum, 1 + k, s, s->instances + (size_t)k * (size_t)sum->n_counters);
	if (s->code && sum->code.places)
		code_table_join(&sum->code, s->code);
}

static void get_row(const struct sample_sum *sum, int row, uint64_t *values)
{
	const struct feed *f = sum->feed;
	size_t at = (size_t)row * (size_t)sum->n_counters;

	for (int i = 0; i < sum->n_counters; i++, at++) {
		double have_ns = (double)sum->have_ns[at];

		if (sum->have_ns[at] == 0)
			values[i] = row ? SAMPLE_NONE : 0;
		else if (f->counters[i].kind != COUNTER_CUMULATIVE)
			values[i] = (uint64_t)llround(f->counters[i].kind == COUNTER_TOTAL
					? sum->gauge_ns[at]
					: sum->gauge_ns[at] / have_ns);
		else if (sum->have_ns[at] == sum->sample.window_ns)
			values[i] = sum->counts[at];
		else
			values[i] = (uint64_t)llround((double)sum->counts[at] *
				((double)sum->sample.window_ns / have_ns));
	}
}

void sample_sum_get(struct sample_sum *sum, struct sample *out)
{
	*out = sum->sample;
	if (out->window_ns <= 0) {
		out->why = sum->why != WHY_OK ? sum->why : WHY_NOT_YET;
		out->t0_ns = out->t1_ns;
		return;
	}
	get_row(sum, 0, out->values);
	for (int i = 0; i < sum->n_counters; i++)
		if (sum->have_ns[i] > 0)
			sum->whys[i] = WHY_OK;
	out->whys = sum->whys;
	for (int k = 0; k < sum->n_instances; k++)
		get_row(sum, 1 + k, sum->instances + (size_t)k * (size_t)sum->n_counters);
	out->instances = sum->instances;
	if (!sum->code.places)
		return;
	code_table_list(&sum->code, &sum->code_list);
	out->code = &sum->code_list;
}
