/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes windows of recorded samples: one is handed on as it is, several are joined. */
#include "config.h"

#include "backends/replay/side_source.h"

#include <stdlib.h>

#include "core/value/sample_sum.h"

struct side_source {
	struct source source;
	struct rec_feed feed;
	struct rec_sample newest;
	struct sample_sum sum;
	int n;			/* samples of the window that is being gathered */
	bool has_any;
};

static void side_collect(struct source *source, int64_t now_ns, struct sample *out)
{
	struct side_source *s = (struct side_source *)source;

	out->t0_ns = out->t1_ns = now_ns;
	out->why = WHY_NOT_YET;
	if (s->n > 1)
		sample_sum_get(&s->sum, out);
	else if (s->has_any)
		*out = s->newest.sample;
	/* The windows of the replay are shorter than those of the recording. */
	if (s->n == 0 && s->has_any)
		out->quality |= SAMPLE_HELD;
	s->n = 0;
}

static void side_close(struct source *source)
{
	struct side_source *s = (struct side_source *)source;

	sample_sum_release(&s->sum);
	free(s->newest.instances);
	free(s->feed.instances);
}

static const struct source_ops side_ops = {
	.size = sizeof(struct side_source),
	.ready = source_always_ready, .collect = side_collect, .close = side_close,
};

struct source *side_source_new(const struct rec *feed, int *id)
{
	struct side_source *s = source_new(&side_ops);

	if (!rec_take_feed(feed, id, &s->feed)) {
		source_close(&s->source);
		return NULL;
	}
	s->source.feed = s->feed.feed;
	s->source.feed.counters = s->feed.counters;
	s->source.feed.instances = (const char(*)[12])s->feed.instances;
	sample_sum_init(&s->sum, &s->source.feed);
	return &s->source;
}

void side_source_take(struct source *source, const struct rec *sample)
{
	struct side_source *s = (struct side_source *)source;

	if (s->n == 1) {
		sample_sum_clear(&s->sum);
		sample_sum_add(&s->sum, &s->newest.sample);
	}
	if (!rec_take_sample(sample, &s->source.feed, &s->newest))
		return;
	s->has_any = true;
	if (s->n++ > 0)
		sample_sum_add(&s->sum, &s->newest.sample);
}

void side_source_clear(struct source *source)
{
	struct side_source *s = (struct side_source *)source;

	s->n = 0;
	s->has_any = false;
}
