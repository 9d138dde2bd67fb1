/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matches a device's clock with CLOCK_MONOTONIC by what must hold for every command: it was put
 * into its queue during the call, and ended before it was seen to end. */
#ifndef CORE_SPANS_SPAN_CLOCK_H
#define CORE_SPANS_SPAN_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/spans/span.h"

/* Bounds of host time minus device time, from the commands of one stretch of time. */
struct span_bounds {
	int64_t low, high, since_ns;
	bool any;
};

/* A zero-initialised clock knows nothing. */
struct span_clock {
	struct span_bounds now, before;
	unsigned jumps; /* how often the bounds contradicted each other */
};

/* Learns from a command. Returns false when its times contradict each other. */
bool span_clock_learn(struct span_clock *c, const struct span *s);
/* Returns host time minus device time; *doubt_ns is by how much that may be wrong, INT64_MAX while
 * nothing is known. */
int64_t span_clock_offset(const struct span_clock *c, int64_t *doubt_ns);

#endif
