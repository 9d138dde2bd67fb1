/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversion between the clocks of a recording; what the file says of them may be nonsense and must
 * only not overflow. */
#include "config.h"

#include "backends/replay/timeline.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"

#define FAR (INT64_C(1) << 61)
#define GPU_MASK ((UINT64_C(1) << 36) - 1)

static int64_t to_int(double v)
{
	if (!(v > -(double)FAR))
		return -FAR;
	return v < (double)FAR ? (int64_t)v : FAR;
}

void timeline_init(struct timeline *t, const struct rec_reader *r, uint64_t hz, int64_t origin_ns)
{
	size_t n;
	const struct rec_correlation *all = rec_correlations(r, &n);

	*t = (struct timeline){
		.hz = hz, .origin_ns = origin_ns, .first_gpu = rec_summary(r)->first_timestamp
	};
	t->points = xcalloc(n, sizeof(*t->points));
	for (size_t i = 0; i < n; i++) {
		const struct rec_correlation *last = NULL;

		if (t->n_points)
			last = &t->points[t->n_points - 1];
		if (all[i].cpu_ns > (uint64_t)FAR ||
			(last && (all[i].ticks <= last->ticks || all[i].cpu_ns <= last->cpu_ns)))
			continue;
		t->points[t->n_points++] = all[i];
	}
	if (t->n_points > 0)
		t->first_gpu = (t->points[0].gpu_timestamp - (uint64_t)t->points[0].ticks) &
			GPU_MASK;
}

void timeline_release(struct timeline *t)
{
	free(t->points);
	*t = (struct timeline){ 0 };
}

int64_t timeline_elapsed_ns(const struct timeline *t, int64_t ticks)
{
	return to_int((double)ticks * (double)NS_PER_S / (double)t->hz);
}

int64_t timeline_ticks(const struct timeline *t, int64_t elapsed_ns)
{
	return to_int((double)elapsed_ns * (double)t->hz / (double)NS_PER_S);
}

/* The last pair of neighbours whose first one is not after ticks, else the first pair. */
static size_t pair_for(const struct timeline *t, int64_t ticks)
{
	size_t low = 0, high = t->n_points - 2;

	while (low < high) {
		size_t middle = low + (high - low + 1) / 2;

		if (t->points[middle].ticks <= ticks)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

int64_t timeline_host_ns(const struct timeline *t, int64_t ticks)
{
	if (t->n_points == 0)
		return t->origin_ns + timeline_elapsed_ns(t, ticks);
	if (t->n_points == 1)
		return (int64_t)t->points[0].cpu_ns +
			timeline_elapsed_ns(t, ticks - t->points[0].ticks);
	const struct rec_correlation *a = &t->points[pair_for(t, ticks)];
	const struct rec_correlation *b = a + 1;
	double ns_per_tick = (double)(b->cpu_ns - a->cpu_ns) / (double)(b->ticks - a->ticks);
	return (int64_t)a->cpu_ns + to_int((double)(ticks - a->ticks) * ns_per_tick);
}

uint64_t timeline_gpu(const struct timeline *t, int64_t ticks)
{
	return (t->first_gpu + (uint64_t)ticks) & GPU_MASK;
}
