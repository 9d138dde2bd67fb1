/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which metrics are estimates because of what the device's sources count. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/metric/metric.h"

/* The first feed that has the counter is the one that a binding reads. */
static bool is_estimated(
	const char *counter, bool is_share, const struct feed *const *feeds, int n_feeds)
{
	for (int f = 0; f < n_feeds; f++)
		for (int c = 0; c < feeds[f]->n_counters; c++)
			if (!strcmp(feeds[f]->counters[c].name, counter))
				return feeds[f]->estimated == FEED_ESTIMATED ||
					(feeds[f]->estimated && is_share &&
						feeds[f]->counters[c].kind == COUNTER_GAUGE);
	return false;
}

static bool reads_estimate(const struct metric_set *set, const struct metric *m, int *list,
	const struct feed *const *feeds, int n_feeds)
{
	bool is_share = m->unit_text && !strcmp(m->unit_text, "%");
	int n = m->value ? expr_inputs(m->value, list, set->n_inputs) : 0;

	for (int i = 0; i < n; i++) {
		const struct metric_input *in = &set->inputs[list[i]];
		bool is_metric = in->kind == INPUT_METRIC || in->kind == INPUT_MOST;

		if (is_metric && set->metrics[in->metric].flags & METRIC_INFERRED)
			return true;
		if ((in->kind == INPUT_COUNTER || in->kind == INPUT_RATE) &&
			is_estimated(in->name, is_share, feeds, n_feeds))
			return true;
	}
	return false;
}

void metric_set_estimate(struct metric_set *set, const struct feed *const *feeds, int n_feeds)
{
	const unsigned both = METRIC_INFERRED | METRIC_ESTIMATED;
	int *list = xcalloc((size_t)set->n_inputs + 1, sizeof(*list));
	bool any = false;	/* hardly a device has such a feed */

	for (int f = 0; f < n_feeds; f++)
		any |= feeds[f]->estimated;

	for (int i = 0; i < set->n_metrics; i++) {
		struct metric *m = &set->metrics[metric_set_nth(set, i)];

		if (m->flags & METRIC_INFERRED)
			m->flags &= ~both;
		if (any && !(m->flags & METRIC_ESTIMATED) &&
			reads_estimate(set, m, list, feeds, n_feeds))
			m->flags |= both;
	}
	free(list);
}
