/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A source that may come and go: it may be granted later, or lost and found with its device. */
#ifndef BACKENDS_COMMON_REOPENING_H
#define BACKENDS_COMMON_REOPENING_H

#include "backends/common/backend.h"

/* How the source is opened, and opened again. Its feed is the same each time. */
struct source_opener {
	/* NULL with err when it is refused. */
	struct source *(*open)(void *ctx, int64_t now_ns, struct err *err);
	void (*release)(void *ctx);
	/* Optional. Windows are so long from now on. True: a source that is open keeps the pace that it
	 * was opened with, so another one takes its place. */
	bool (*retime)(void *ctx, int64_t window_ns);
};

/* When there is no source yet, inner is NULL, refusal says why, and missing has the name and the
 * counters that it will have, which are copied. Takes ctx over. Reading that fails closes the inner
 * source: descriptors of a device that is gone would keep its number from the one that comes after.
 * retry() opens it again. */
struct source *reopening_source_open(const struct source_opener *opener, void *ctx,
	struct source *inner, const struct feed *missing, const struct err *refusal);
/* The source inside, or NULL. */
struct source *reopening_source_inner(struct source *s);
/* The ctx that reopening_source_open() was given. */
void *reopening_source_ctx(struct source *s);
/* Tells the source that the inner one may have another descriptor now, and its counters other
 * names. */
void reopening_source_changed(struct source *s);

#endif
