/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hands on what was read of spans. */
#include "config.h"

#include "backends/replay/stream.h"

#include <stdlib.h>

#include "base/mem.h"

static int64_t read_spans(struct span_source *s, int64_t now_ns, const struct span_sink *sink)
{
	(void)now_ns;
	return span_reader_tell(&((struct replay_spans *)s)->reader, sink);
}

static void close_spans(struct span_source *s)
{
	span_reader_release(&((struct replay_spans *)s)->reader);
	free(s);
}

static int64_t place_of(struct span_source *s)
{
	return ((struct replay_spans *)s)->place_ns;
}

struct replay_spans *replay_spans_new(bool has_place)
{
	struct replay_spans *s = xcalloc(1, sizeof(*s));

	s->source = (struct span_source){ .read = read_spans, .close = close_spans };
	if (has_place)
		s->source.now = place_of;
	return s;
}
