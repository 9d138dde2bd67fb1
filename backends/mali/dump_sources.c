/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One dump serves three sources: whoever of them collects first closes the window for all. */
#include "config.h"

#include "backends/mali/dump_sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/common/stand_ins.h"
#include "base/clock.h"
#include "base/mem.h"

/* 32 bits hold four seconds of a counter that counts each clock of 1 GHz. What a full one does is
 * not documented. */
#define NARROW_MAX_NS (4 * NS_PER_S)

/* Freed with the last source. */
struct group {
	struct mali_dumper *dumper;
	struct mali_sums gathered, window;	/* since the last window, and the last window */
	int64_t gathered_ns, window_ns;
	uint64_t dumps, window_dumps;
	int64_t began_ns, ended_ns;		/* the last window, by the app's clock */
	int64_t dumped_ns;
	bool running, restarted, overrun, window_overrun;
	/* since it was opened: what fails now is no refusal */
	bool delivered;
	struct err failure;
	int users;
};

struct unit_source {
	struct source source;
	struct group *g;
	struct mali_feed feed;
};

void *mali_dumper_new(const struct mali_dumper_ops *ops, const char *how)
{
	struct mali_dumper *d = xcalloc(1, ops->size);

	d->ops = ops;
	snprintf(d->how, sizeof(d->how), "%s", how);
	return d;
}

void mali_dumper_stop(struct mali_dumper *d)
{
	if (d->ops->stop)
		d->ops->stop(d);
}

void mali_dumper_close(struct mali_dumper *d)
{
	if (d->ops->close)
		d->ops->close(d);
	mali_dumper_stop(d);
	free(d);
}

static void clear(struct group *g)
{
	memset(&g->gathered, 0, sizeof(g->gathered));
	g->gathered_ns = 0;
	g->dumps = 0;
	g->overrun = false;
}

static bool hint_at_hang(struct err *err)
{
	return err_hint(err, "%s",
		"sudo dmesg | grep -e panfrost -e mali tells whether it hangs; it is tried again "
		"by itself");
}

static bool start(struct group *g, int64_t now_ns, struct err *err)
{
	clear(g);
	g->failure = (struct err){ .code = ERR_NONE };
	g->running = g->dumper->ops->start(g->dumper, now_ns, &g->failure);
	if (!g->running && g->dumper->is_late) {
		err_set(&g->failure, ERR_SYS, "%s: the GPU does not answer", g->dumper->name);
		hint_at_hang(&g->failure);
	}
	g->dumped_ns = now_ns;
	if (!g->running && err)
		*err = g->failure;
	return g->running;
}

/* A late answer is reported only when the next one has not come either, because a busy machine may
 * take its time once. */
static bool dump(struct group *g, int64_t now_ns, struct err *err)
{
	bool was_late = g->dumper->is_late;

	g->running = g->dumper->ops->dump(
		g->dumper, now_ns, &g->gathered, &g->gathered_ns, &g->failure);
	if (g->running && g->dumper->is_late) {
		if (!was_late)
			return true;
		err_set(err, ERR_SYS, "%s: the GPU has not handed over its counters yet",
			g->dumper->name);
		return hint_at_hang(err);
	}
	if (g->dumper->is_narrow && now_ns - g->dumped_ns > NARROW_MAX_NS)
		g->overrun = true;
	g->dumped_ns = now_ns;
	if (g->running) {
		g->dumps++;
		g->delivered = true;
		return true;
	}
	mali_dumper_stop(g->dumper);
	clear(g);
	if (err)
		*err = g->failure;
	return false;
}

/* Only the first source reports what fails, because the others share the same dump. */
static bool front_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct group *g = ((struct unit_source *)src)->g;

	if (g->running)
		return now_ns <= g->dumped_ns || dump(g, now_ns, err);
	if (g->dumper->is_late && start(g, now_ns, err)) {
		g->restarted = true;
		return true;
	}
	if (err)
		*err = g->failure;
	return false;
}

static void end_window(struct group *g, int64_t now_ns)
{
	if (now_ns == g->ended_ns)
		return;
	g->window = g->gathered;
	g->window_ns = g->gathered_ns;
	g->window_dumps = g->dumps;
	g->window_overrun = g->overrun;
	g->began_ns = g->ended_ns;
	g->ended_ns = now_ns;
	clear(g);
}

static void collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct unit_source *s = (struct unit_source *)src;
	struct group *g = s->g;
	bool is_first = s->source.ops->retry != NULL;

	end_window(g, now_ns);
	out->t0_ns = g->began_ns;
	out->t1_ns = g->ended_ns;
	out->window_ns = now_ns - g->began_ns;
	if (!g->running) {
		out->why = g->delivered ? WHY_STALE : refused_why(g->failure.code);
		return;
	}
	out->window_ns = g->window_ns;
	out->reports = g->window_dumps;
	if (g->window_overrun) {
		out->why = WHY_LOST;
		out->quality |= SAMPLE_LOST;
		out->lost = is_first;
	} else if (g->window_ns <= 0) {
		out->why = g->dumper->is_late ? WHY_STALE : WHY_NOT_YET;
	}
	if (g->restarted && is_first) {
		out->quality |= SAMPLE_GAP;
		g->restarted = false;
	}
	mali_feed_fill(&s->feed, &g->window, g->dumper->has_cycles, out);
}

static bool retry(struct source *src, int64_t now_ns, struct err *err)
{
	struct group *g = ((struct unit_source *)src)->g;

	if (!g->running)
		g->restarted = start(g, now_ns, err);
	return g->running && !g->dumper->is_late;
}

static void status(struct source *src, char *buf, size_t size)
{
	struct group *g = ((struct unit_source *)src)->g;

	/* The end of the window may be the start of another load. */
	if (g->running && g->dumper->ops->status)
		g->dumper->ops->status(g->dumper, (g->began_ns + g->ended_ns) / 2, buf, size);
}

static void close_source(struct source *src)
{
	struct unit_source *s = (struct unit_source *)src;

	if (--s->g->users == 0) {
		mali_dumper_close(s->g->dumper);
		free(s->g);
	}
}

static const struct source_ops front_ops = {
	.size = sizeof(struct unit_source),
	.ready = front_ready,
	.collect = collect,
	.retry = retry,
	.status = status,
	.close = close_source,
};
static const struct source_ops other_ops = {
	.size = sizeof(struct unit_source),
	.ready = source_always_ready, .collect = collect, .close = close_source,
};

bool mali_dump_sources_open(struct open_device *dev, const struct mali_layout *l, struct mali_dumper *d,
	int64_t now_ns, struct err *err)
{
	struct group *g = xcalloc(1, sizeof(*g));

	g->dumper = d;
	g->began_ns = g->ended_ns = now_ns;
	start(g, now_ns, err);
	for (int i = 0; i < MALI_FEEDS; i++) {
		struct unit_source *s = source_new(i == MALI_FEED_FRONT ? &front_ops : &other_ops);

		mali_feed_init(&s->feed, (enum mali_feed_id)i, l, d->how, d->has_cycles);
		s->source.feed = s->feed.feed;
		s->g = g;
		g->users++;
		dev->sources[dev->n_sources++] = &s->source;
	}
	return g->running;
}
