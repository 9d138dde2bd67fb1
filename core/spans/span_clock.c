/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intersects bounds of the newest commands, so that clocks may drift. */
#include "config.h"

#include "core/spans/span_table.h"

#include "base/clock.h"

/* Two crystals drift apart by some 50 us in a second at most; older bounds are forgotten. */
#define STRETCH_NS NS_PER_S
/* Bounds may seem to contradict each other by so much: clocks drift within a stretch, and drivers
 * stamp the queueing by another clock than the beginning. */
#define DRIFT_NS (3 * NS_PER_MS / 10)

static void narrow(struct span_bounds *b, int64_t low, int64_t high)
{
	if (!b->any || low > b->low)
		b->low = low;
	if (!b->any || high < b->high)
		b->high = high;
	b->any = true;
}

bool span_clock_learn(struct span_clock *c, const struct span *s)
{
	int64_t low = s->before - s->start, high = s->seen - s->end;

	if (s->queued) {
		/* Drivers stamp this in the call, on the way to the queue. */
		low = s->before - s->queued;
		if (s->after - s->queued < high)
			high = s->after - s->queued;
	}
	if (low > high + DRIFT_NS)
		return false;
	if (!c->now.any || s->seen - c->now.since_ns > STRETCH_NS) {
		c->before = c->now;
		c->now = (struct span_bounds){ .since_ns = s->seen };
	}
	narrow(&c->now, low, high);
	if (c->now.low > c->now.high + DRIFT_NS) {
		/* One of the clocks was set, or the program's times are none. */
		c->before = c->now = (struct span_bounds){ .any = false };
		c->now.since_ns = s->seen;
		narrow(&c->now, low, high);
	}
	return true;
}

int64_t span_clock_offset(const struct span_clock *c, int64_t *doubt_ns)
{
	struct span_bounds b = c->now;

	*doubt_ns = INT64_MAX;
	if (!b.any)
		return 0;
	if (c->before.any && c->before.low <= b.high && c->before.high >= b.low)
		narrow(&b, c->before.low, c->before.high);
	*doubt_ns = b.high > b.low ? (b.high - b.low + 1) / 2 : DRIFT_NS;
	return b.low + (b.high - b.low) / 2;
}
