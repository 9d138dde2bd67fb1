/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects from a source several times in a window, and joins what it gave. */
#include "config.h"

#include "backends/common/stand_ins.h"

#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/minmax.h"
#include "core/value/sample_sum.h"

#define LOOKS_IN_WINDOW 4
#define PERIOD_MIN_NS (25 * NS_PER_MS)	/* files of drivers may ask their firmware */
#define PERIOD_MAX_NS NS_PER_S

struct looks {
	struct source source;
	struct source *inner;
	struct sample_sum sum;		/* of the window that runs */
	struct sample last;		/* the last window, for one in which the source only repeats itself */
	struct sample look;
	enum why whys[FEED_MAX_COUNTERS];	/* of the last one */
	bool disagrees[FEED_MAX_COUNTERS];	/* some look of the window that runs was contradicted */
	bool has_last, looks_once;
	bool is_model;			/* it can be asked of moments that have passed */
	int64_t looked_ns;		/* 0: never */
};

/* Takes over what the source is, and says whether it is looked at but once in a window. */
static void take_feed(struct looks *s)
{
	uint8_t before = s->source.feed.estimated;

	s->source.feed = s->inner->feed;
	if (s->looks_once && s->inner->feed.estimated == FEED_EXACT)
		s->source.feed.estimated = FEED_ONE_LOOK;
	s->source.rebind |= s->inner->rebind || s->source.feed.estimated != before;
	s->inner->rebind = false;
}

static void set_period(struct looks *s, int64_t window_ns)
{
	int64_t wanted_ns = min_i64(window_ns / LOOKS_IN_WINDOW, PERIOD_MAX_NS);
	int64_t period_ns = max_i64(wanted_ns, PERIOD_MIN_NS);

	s->looks_once = 2 * period_ns > window_ns;
	if (s->looks_once)
		period_ns = 0;
	clock_timer_set(s->source.fd, period_ns, period_ns);
	take_feed(s);
}

static void add_look(struct looks *s, int64_t now_ns)
{
	s->look = (struct sample){ 0 };
	s->looked_ns = now_ns;
	s->inner->ops->collect(s->inner, now_ns, &s->look);
	sample_sum_add(&s->sum, &s->look);
	for (int i = 0; i < s->source.feed.n_counters; i++)
		s->disagrees[i] |= sample_why(&s->look, i) == WHY_DISAGREES;
}

static bool looks_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct looks *s = (struct looks *)src;
	bool good = s->inner->ops->ready(s->inner, now_ns, err);

	if (clock_timer_clear(src->fd))
		add_look(s, now_ns);
	if (s->inner->rebind)
		take_feed(s);
	return good;
}

static void keep(struct looks *s, const struct sample *window)
{
	s->last = *window;
	for (int i = 0; i < s->source.feed.n_counters; i++)
		s->whys[i] = s->disagrees[i] ? WHY_DISAGREES : sample_why(window, i);
	s->last.whys = s->whys;
	s->has_last = true;
}

/* By a virtual clock no timer is over, so a model is asked of each second since the last look. */
static void look_back(struct looks *s, int64_t now_ns)
{
	int64_t passed_ns = now_ns - s->looked_ns;
	int64_t n = min_i64(passed_ns / PERIOD_MAX_NS, LOOKS_BACK_MAX);

	if (!s->is_model || !s->looked_ns || n < 2)
		return;
	for (int64_t i = 1; i <= n; i++) {
		int64_t t_ns = look_time_ns(now_ns, passed_ns, i, n);

		s->inner->ops->ready(s->inner, t_ns, NULL);
		if (i < n)
			add_look(s, t_ns);
	}
}

static void looks_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct looks *s = (struct looks *)src;

	look_back(s, now_ns);
	add_look(s, now_ns);
	bool held = s->look.why == WHY_OK && s->look.quality & SAMPLE_HELD;
	if (s->sum.sample.window_ns > 0) {
		sample_sum_get(&s->sum, out);
		keep(s, out);
		out->whys = s->whys;
	} else if (held && s->has_last) {
		*out = s->last;
		out->quality |= SAMPLE_HELD;
	} else {
		*out = s->look;
		s->has_last = false;
	}
	sample_sum_clear(&s->sum);
	memset(s->disagrees, 0, sizeof(s->disagrees));
}

static void looks_retime(struct source *src, int64_t window_ns)
{
	struct looks *s = (struct looks *)src;

	set_period(s, window_ns);
	if (s->inner->ops->retime)
		s->inner->ops->retime(s->inner, window_ns);
}

static void looks_close(struct source *src)
{
	struct looks *s = (struct looks *)src;

	source_close(s->inner);
	sample_sum_release(&s->sum);
	close(src->fd);
}

static const struct source_ops ops = {
	.size = sizeof(struct looks),
	.ready = looks_ready, .collect = looks_collect, .retime = looks_retime,
	.close = looks_close,
};

static struct source *look_often(struct source *inner, bool is_model, int64_t window_ns)
{
	struct looks *s = source_new(&ops);

	s->source.fd = clock_timer_open();
	s->source.feed = inner->feed;
	if (s->source.fd < 0) {	/* one look at the end of a window is left */
		source_close(&s->source);
		return inner;
	}
	s->inner = inner;
	s->is_model = is_model;
	sample_sum_init(&s->sum, &inner->feed);
	set_period(s, window_ns);
	s->source.rebind = false;
	return &s->source;
}

void open_device_look_often(struct open_device *dev, int64_t window_ns)
{
	for (int i = 0; i < dev->n_sources; i++)
		if (dev->sources[i]->look_often)
			dev->sources[i] = look_often(
				dev->sources[i], dev->device.simulated, window_ns);
}
