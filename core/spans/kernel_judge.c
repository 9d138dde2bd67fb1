/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judges a kernel by what was counted of it alone. */
#include "config.h"

#include "core/spans/kernel_judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/snapshot/snapshot.h"
#include "core/verdict/verdict.h"

/* The metric in the unit of its kind; NAN where the set has none. */
static double value_of(const struct metric_set *set, const struct value *values, int metric)
{
	if (metric < 0 || values[metric].why != WHY_OK)
		return NAN;
	return values[metric].v * set->metrics[metric].unit.scale;
}

/* What the metrics of a kernel's own sums say of it. The session's roofline is about windows, so
 * each kernel has one of its own. */
static void judge(const struct kernel_judge *by, const struct snapshot *s, struct kernel_line *out)
{
	const struct job_state no_job = { .phase = JOB_IDLE };
	struct snapshot with = *s;
	struct roofline own;
	struct verdict v;

	roofline_init(&own, by->binding, s->device);
	roofline_measured(&own, by->measured);
	roofline_update(&own, by->binding, s->values, &no_job, 0);
	roofline_set_ceilings(&own, s->set, s->ceilings);
	roofline_take_ceilings(&own, s->ceilings);
	with.roofline = &own;
	verdict_make(&with, NULL, &v);
	/* The bound of what is not known is what is not counted. */
	snprintf(out->bound, sizeof(out->bound), "%s",
		*v.bound && v.kind != VERDICT_UNKNOWN ? v.bound : verdict_kind_name(v.kind));
	verdict_sentence(&v, false, out->sentence, sizeof(out->sentence));
	out->headroom = v.headroom;
	out->gflops = value_of(s->set, s->values, own.performance) / 1e9;
	/* The outermost memory comes last; its traffic is what one speaks of, also where it is not
	 * sure. */
	for (int i = 0; i < own.n_views; i++) {
		int traffic = own.views[i].traffic;
		double bytes_per_s = value_of(s->set, s->values, traffic);

		out->points[i] = own.views[i].live;
		if (isnan(bytes_per_s) &&
			(traffic < 0 || s->values[traffic].why != WHY_NOT_BY_CONTEXT))
			continue;
		out->gbytes_per_s = bytes_per_s / 1e9;
		out->flop_per_byte = own.views[i].live.intensity;
	}
	roofline_release(&own);
}

void kernel_judge(const struct kernel_judge *by, const uint64_t *counts, const bool *unsure,
	int64_t ns, struct kernel_line *out)
{
	enum why whys[FEED_MAX_COUNTERS] = { WHY_OK };
	struct sample *samples = xcalloc((size_t)by->n_sources, sizeof(*samples));
	size_t n = (size_t)by->binding->set->n_metrics + 1;
	struct value *values = xcalloc(2 * n, sizeof(*values));
	const struct snapshot s = { .device = by->device,
		.set = by->binding->set,
		.values = values,
		.ceilings = values + n,
		.window_ns = ns };

	for (int i = 1; i < by->n_sources; i++)
		samples[i].why = WHY_UNSUPPORTED;
	samples[0] = (struct sample){ .window_ns = ns, .reports = out->pairs, .whys = whys };
	for (int i = 0; i < by->feed->n_counters; i++)
		whys[i] = unsure[i] ? WHY_NOT_BY_CONTEXT : WHY_OK;
	memcpy(samples[0].values, counts, (size_t)by->feed->n_counters * sizeof(*counts));
	metric_eval(by->binding, samples, values, values + n);
	judge(by, &s, out);
	free(values);
	free(samples);
}
