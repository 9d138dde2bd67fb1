/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source has gauges: a sample holds what was read last. */
#include "config.h"

#include "backends/mali/dump_sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { CLOCK_NOW, CLOCK_TARGET, CLOCK_COUNTERS };

struct clock_source {
	struct source source;
	struct mali_clock_reader *reader;
	struct counter_desc counters[CLOCK_COUNTERS];
	uint64_t hz[CLOCK_COUNTERS];
	int64_t window_ns;
	bool failed;
};

void *mali_clock_new(const struct mali_clock_ops *ops)
{
	struct mali_clock_reader *r = xcalloc(1, ops->size);

	r->ops = ops;
	return r;
}

void mali_clock_close(struct mali_clock_reader *r)
{
	r->ops->close(r);
	free(r);
}

static bool clock_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct clock_source *s = (struct clock_source *)src;

	s->failed = !s->reader->ops->read(
		s->reader, now_ns, &s->hz[CLOCK_NOW], &s->hz[CLOCK_TARGET], err);
	return !s->failed;
}

static void clock_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct clock_source *s = (struct clock_source *)src;

	source_window(out, &s->window_ns, now_ns);
	out->why = s->hz[CLOCK_NOW] ? WHY_OK : WHY_NOT_YET;
	if (s->failed)
		out->why = WHY_STALE;
	memcpy(out->values, s->hz, sizeof(s->hz));
}

static void clock_close(struct source *src)
{
	mali_clock_close(((struct clock_source *)src)->reader);
}

static const struct source_ops clock_ops = {
	.size = sizeof(struct clock_source),
	.ready = clock_ready, .collect = clock_collect, .close = clock_close,
};

void mali_clock_open(struct open_device *dev, struct mali_clock_reader *r, int64_t now_ns)
{
	static const struct counter_desc counters[CLOCK_COUNTERS] = {
		[CLOCK_NOW] = { "gpu_clock_hz", "Hz", 64, COUNTER_GAUGE },
		[CLOCK_TARGET] = { "gpu_target_hz", "Hz", 64, COUNTER_GAUGE },
	};
	struct clock_source *s = source_new(&clock_ops);

	for (int i = 0; i < CLOCK_COUNTERS; i++)
		s->counters[i] = counters[i];
	if (!r->has_target)
		s->counters[CLOCK_TARGET].name[0] = '\0';
	s->source.look_often = true;
	s->source.feed = (struct feed){ .name = "freq", .counters = s->counters,
		.n_counters = CLOCK_COUNTERS };
	snprintf(s->source.feed.how, sizeof(s->source.feed.how), "%s", r->how);
	s->reader = r;
	s->window_ns = now_ns;
	dev->sources[dev->n_sources++] = &s->source;
}
