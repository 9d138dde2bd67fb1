/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes everything on to a source while there is one, and says why while there is none. */
#include "config.h"

#include "backends/common/stand_ins.h"

#include <stdio.h>
#include <string.h>

#include "core/record/record_file.h"

struct reopening {
	struct source source;
	const struct source_opener *opener;
	void *ctx;
	struct source *inner;		/* NULL: refusal says why */
	struct err refusal;
	int64_t now_ns;			/* when it was last asked */
	bool delivered;			/* it was open before, so what it gave is stale now */
	bool came_back;			/* the inner source is not the first one, and gave nothing yet */
	struct record_tap tap;
	struct pair_tap pairs;		/* pair NULL: nobody gets them */
	int room;
	/* [room] outlive the inner source: equations are bound to them */
	struct counter_desc counters[];
};

static void copy_counters(struct reopening *h, const struct counter_desc *counters, int n)
{
	if (n > h->room)
		n = h->room;
	h->source.feed.n_counters = n;
	h->source.feed.counters = h->counters;
	if (n > 0)
		memcpy(h->counters, counters, (size_t)n * sizeof(h->counters[0]));
}

static void adopt(struct reopening *h, struct source *inner)
{
	const struct rec_header gap = { .type = REC_BUFFER_LOST, .size = sizeof(gap) };

	h->inner = inner;
	h->source.fd = inner->fd;
	h->source.feed = inner->feed;
	copy_counters(h, inner->feed.counters, inner->feed.n_counters);
	if (h->tap.records && inner->ops->set_tap) {
		/* A recording learns that what was counted before and after does not belong
		 * together. */
		if (h->delivered)
			h->tap.records(h->tap.ctx, &gap, sizeof(gap));
		inner->ops->set_tap(inner, &h->tap);
	}
	if (h->pairs.pair && inner->ops->set_pairs)
		inner->ops->set_pairs(inner, &h->pairs);
	h->came_back = h->delivered;
	h->delivered = true;
}

static void lose(struct reopening *h, const struct err *why)
{
	h->refusal = *why;
	source_close(h->inner);
	h->inner = NULL;
	h->source.fd = -1;
}

static bool reopening_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct reopening *h = (struct reopening *)src;
	struct err why = { 0 };

	h->now_ns = now_ns;
	if (h->inner && h->inner->ops->ready(h->inner, now_ns, &why))
		return true;
	if (h->inner) {
		src->reset = h->inner->reset;
		lose(h, &why);
	}
	if (err)
		*err = h->refusal;
	return false;
}

static void reopening_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct reopening *h = (struct reopening *)src;

	if (h->inner) {
		h->inner->ops->collect(h->inner, now_ns, out);
		/* Windows of a source that is not heard again yet are shown, and not left out as
		 * before its first one. */
		bool is_new = h->came_back && out->quality & SAMPLE_PARTIAL;
		h->came_back &= out->why != WHY_OK;
		if (is_new) {
			out->quality &= ~(unsigned)SAMPLE_PARTIAL;
			out->why = out->why == WHY_OK ? WHY_NOT_YET : out->why;
		}
		return;
	}
	out->t0_ns = out->t1_ns = now_ns;
	out->why = refused_why(h->refusal.code);
	if (out->why == WHY_NO_SOURCE && h->delivered)
		out->why = WHY_STALE;
}

static void reopening_set_tap(struct source *src, const struct record_tap *tap)
{
	struct reopening *h = (struct reopening *)src;

	h->tap = tap ? *tap : (struct record_tap){ 0 };
	if (h->inner && h->inner->ops->set_tap)
		h->inner->ops->set_tap(h->inner, tap);
}

static bool reopening_set_pairs(struct source *src, const struct pair_tap *tap)
{
	struct reopening *h = (struct reopening *)src;
	bool good = h->inner && h->inner->ops->set_pairs && h->inner->ops->set_pairs(h->inner, tap);

	h->pairs = good && tap ? *tap : (struct pair_tap){ 0 };
	return good;
}

static bool reopening_correlate(struct source *src, int64_t now_ns, uint64_t *cpu_ns,
	uint64_t *gpu_timestamp, struct err *err)
{
	struct reopening *h = (struct reopening *)src;

	if (!h->inner)
		return err_set(err, ERR_UNSUPPORTED, "%s", h->refusal.msg);
	if (!h->inner->ops->correlate)
		return err_set(err, ERR_UNSUPPORTED, "%s", "this source has no clock");
	return h->inner->ops->correlate(h->inner, now_ns, cpu_ns, gpu_timestamp, err);
}

static bool reopening_retry(struct source *src, int64_t now_ns, struct err *err)
{
	struct reopening *h = (struct reopening *)src;
	struct err why = { 0 };

	if (h->inner)
		return !h->inner->ops->retry || h->inner->ops->retry(h->inner, now_ns, err);
	struct source *inner = h->opener->open(h->ctx, now_ns, &why);
	if (!inner) {
		h->refusal = why;
		if (err)
			*err = why;
		return false;
	}
	src->rebind = !h->delivered;
	adopt(h, inner);
	return true;
}

static void reopening_retime(struct source *src, int64_t window_ns)
{
	struct reopening *h = (struct reopening *)src;
	bool keeps_pace = h->opener->retime && h->opener->retime(h->ctx, window_ns);
	struct err paced = { 0 };

	if (h->inner && h->inner->ops->retime) {
		h->inner->ops->retime(h->inner, window_ns);
	} else if (h->inner && keeps_pace) {
		err_set(&paced, ERR_BUSY, "it is opened anew for windows of another length");
		lose(h, &paced);
		reopening_retry(src, h->now_ns, NULL);
		h->came_back = false;	/* who chose the length waits for a whole window */
	}
}

static void reopening_forgotten(struct source *src, const char *why)
{
	struct reopening *h = (struct reopening *)src;
	struct err lost = { 0 };

	err_set(&lost, ERR_SYS, "%s", why);
	if (h->inner)
		lose(h, &lost);
}

static void reopening_status(struct source *src, char *buf, size_t size)
{
	struct reopening *h = (struct reopening *)src;

	if (!h->inner)
		snprintf(buf, size, "%s", h->refusal.msg);
	else if (h->inner->ops->status)
		h->inner->ops->status(h->inner, buf, size);
}

static void reopening_close(struct source *src)
{
	struct reopening *h = (struct reopening *)src;

	source_close(h->inner);
	h->opener->release(h->ctx);
}

static const struct source_ops reopening_ops = {
	.ready = reopening_ready,
	.collect = reopening_collect,
	.set_tap = reopening_set_tap,
	.set_pairs = reopening_set_pairs,
	.correlate = reopening_correlate,
	.retry = reopening_retry,
	.retime = reopening_retime,
	.forgotten = reopening_forgotten,
	.status = reopening_status,
	.close = reopening_close,
};

struct source *reopening_source_open(const struct source_opener *opener, void *ctx,
	struct source *inner, const struct feed *missing, const struct err *refusal)
{
	int room = inner ? inner->feed.n_counters : missing->n_counters;
	struct reopening *h = source_new_sized(
		&reopening_ops, sizeof(*h) + (size_t)room * sizeof(h->counters[0]));

	h->opener = opener;
	h->ctx = ctx;
	h->room = room;
	if (inner) {
		adopt(h, inner);
		return &h->source;
	}
	h->refusal = *refusal;
	copy_counters(h, missing->counters, missing->n_counters);
	snprintf(h->source.feed.name, sizeof(h->source.feed.name), "%s", missing->name);
	snprintf(h->source.feed.how, sizeof(h->source.feed.how), "%s", "refused");
	return &h->source;
}

struct source *reopening_source_inner(struct source *s)
{
	if (s->ops != &reopening_ops)
		return NULL;
	return ((struct reopening *)s)->inner;
}

void reopening_source_changed(struct source *s)
{
	struct reopening *h = (struct reopening *)s;

	s->fd = h->inner->fd;
	copy_counters(h, h->inner->feed.counters, h->inner->feed.n_counters);
}

void *reopening_source_ctx(struct source *s)
{
	return ((struct reopening *)s)->ctx;
}
