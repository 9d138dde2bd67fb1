/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sample is a head and registers; differences are taken within runs of samples that belong
 * together. */
#include "config.h"

#include "backends/adreno/stream_samples.h"

#include <string.h>

#include "backends/adreno/msm_uapi.h"
#include "base/minmax.h"

/* Registers that went back, or a clock that did, are of a GPU that was reset: as after a break,
 * only the next sample has differences. */
static bool went_back(const struct adreno_sums *s, uint64_t ticks, const uint64_t *now)
{
	if (ticks < s->ticks_before)
		return true;
	for (int i = 0; i < s->n; i++)
		if (now[i] < s->before[i])
			return true;
	return false;
}

static void take_sample(struct adreno_sums *s)
{
	struct msm_sample_head head;
	uint64_t now[ADRENO_COUNTERS_MAX];

	memcpy(&head, s->part, sizeof(head));
	memcpy(now, s->part + sizeof(head), (size_t)s->n * sizeof(now[0]));
	s->samples++;
	if (s->has_before && head.number != 0 && !went_back(s, head.ticks, now)) {
		for (int i = 0; i < s->n; i++)
			s->sums[i] += now[i] - s->before[i];
		s->ticks += head.ticks - s->ticks_before;
	} else if (s->has_before) {
		s->breaks++;
	}
	s->has_before = true;
	s->ticks_before = head.ticks;
	memcpy(s->before, now, (size_t)s->n * sizeof(now[0]));
}

void adreno_sums_feed(struct adreno_sums *s, const void *bytes, size_t len)
{
	size_t whole = sizeof(struct msm_sample_head) + (size_t)s->n * sizeof(uint64_t);
	const uint8_t *from = bytes;

	while (len > 0) {
		size_t n = (size_t)min_u64(len, whole - s->part_bytes);

		memcpy(s->part + s->part_bytes, from, n);
		s->part_bytes += n;
		from += n;
		len -= n;
		if (s->part_bytes < whole)
			return;
		take_sample(s);
		s->part_bytes = 0;
	}
}

void adreno_sums_clear(struct adreno_sums *s)
{
	memset(s->sums, 0, sizeof(s->sums));
	s->ticks = s->samples = s->breaks = 0;
}
