/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A source that was refused stays in its place and says why it has no samples. */
#include "config.h"

#include "backends/common/stand_ins.h"

#include <stdio.h>
#include <string.h>

struct refused_source {
	struct source source;
	struct err refusal;
	struct counter_desc counters[];
};

enum why refused_why(enum err_code code)
{
	switch (code) {
	case ERR_PERMISSION:
		return WHY_PERMISSION;
	case ERR_UNSUPPORTED:
		return WHY_UNSUPPORTED;
	case ERR_BUSY:
		return WHY_BUSY;
	case ERR_ASLEEP:
		return WHY_ASLEEP;
	case ERR_NO_DEVICE:
		return WHY_GONE;
	default:
		return WHY_NO_SOURCE;
	}
}

static bool refused_ready(struct source *src, int64_t now_ns, struct err *err)
{
	const struct refused_source *s = (const struct refused_source *)src;

	(void)now_ns;
	if (err)
		*err = s->refusal;
	return false;
}

static void refused_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	const struct refused_source *s = (const struct refused_source *)src;

	out->t0_ns = out->t1_ns = now_ns;
	out->why = refused_why(s->refusal.code);
}

static const struct source_ops refused_ops = { .ready = refused_ready, .collect = refused_collect };

struct source *refused_source_open(
	const char *name, const struct counter_desc *counters, int n, const struct err *refusal)
{
	struct refused_source *s = source_new_sized(
		&refused_ops, sizeof(*s) + (size_t)n * sizeof(s->counters[0]));

	s->source.feed = (struct feed){ .counters = s->counters, .n_counters = n };
	s->refusal = *refusal;
	if (n > 0)
		memcpy(s->counters, counters, (size_t)n * sizeof(s->counters[0]));
	snprintf(s->source.feed.name, sizeof(s->source.feed.name), "%s", name);
	snprintf(s->source.feed.how, sizeof(s->source.feed.how), "%s", "refused");
	return &s->source;
}
