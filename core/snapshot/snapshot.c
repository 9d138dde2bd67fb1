/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Storage of a snapshot. */
#include "config.h"

#include "core/snapshot/snapshot.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

void snapshot_init(struct snapshot *s, const struct device *device, const struct metric_set *set)
{
	size_t n = (size_t)set->n_metrics;
	size_t n_inputs = (size_t)set->n_inputs;

	*s = (struct snapshot){
		.device = device,
		.set = set,
		.verdict = { .kind = VERDICT_MEASURING, .metric = -1 },
		.values = xcalloc(n + 1, sizeof(*s->values)),
		.ceilings = xcalloc(n + 1, sizeof(*s->ceilings)),
		.inputs = xcalloc(n_inputs + 1, sizeof(*s->inputs)),
	};
	for (int k = 0; k < 2; k++) {
		s->half_values[k] = xcalloc(n + 1, sizeof(struct value));
		s->half_ceilings[k] = xcalloc(n + 1, sizeof(struct value));
	}
	for (size_t i = 0; i < n; i++)
		s->values[i] = s->ceilings[i] = value_none(WHY_NOT_YET);
	for (size_t i = 0; i < n_inputs; i++)
		s->inputs[i] = (struct expr_input){ .d = NAN, .why = WHY_NOT_YET };
}

void snapshot_init_maps(struct snapshot *s, const struct metric_binding *b)
{
	s->n_maps = metric_maps_init(b, s->maps, SNAPSHOT_MAX_MAPS);
	s->feeds = b->feeds;
	s->n_feeds = b->n_feeds;
}

void snapshot_release(struct snapshot *s)
{
	metric_maps_release(s->maps, s->n_maps);
	for (int k = 0; k < 2; k++) {
		free(s->half_values[k]);
		free(s->half_ceilings[k]);
	}
	free(s->values);
	free(s->ceilings);
	free(s->inputs);
	*s = (struct snapshot){ 0 };
}

int asleep_metric(const struct metric_set *set, int metric,
	struct value (*value)(const void *ctx, int metric), const void *ctx)
{
	struct value most = value_none(WHY_NOT_YET);
	int found = -1;

	const struct metric_limit *l = &set->metrics[metric].limit;
	if (!l->while_awake || l->role == LIMIT_CLOCK)
		return -1;
	for (int i = 0; i < set->n_metrics; i++) {
		struct value v;

		if (set->metrics[i].limit.role != LIMIT_ASLEEP)
			continue;
		v = value(ctx, i);
		if (v.why == WHY_OK && (found < 0 || v.v > most.v)) {
			found = i;
			most = v;
		}
	}
	return found;
}

static struct value value_in_snapshot(const void *ctx, int metric)
{
	const struct snapshot *s = ctx;

	return s->values[metric];
}

int snapshot_asleep(const struct snapshot *s, int metric)
{
	return asleep_metric(s->set, metric, value_in_snapshot, s);
}

struct value snapshot_of_all_time(const struct snapshot *s, int metric)
{
	int of = snapshot_asleep(s, metric);
	double asleep = NAN;

	if (of >= 0)
		asleep = s->values[of].v * s->set->metrics[of].unit.scale;
	return value_of_all_time(s->values[metric], asleep);
}
