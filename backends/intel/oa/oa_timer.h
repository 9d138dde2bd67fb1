/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often the OA unit reports: 2^(exponent + 1) ticks of its time stamp. */
#pragma once

#include <stdint.h>

#include "backends/intel/oa/oa_format.h"
#include "core/value/device.h"

#define OA_BUFFER_BYTES (16u << 20)	/* of every driver so far */

/* Returns the longest time between two reports of the format: half a turn of the counter that turns
 * first at the device's highest clock. Ticks advance once a clock, and A counters that are sums
 * over the EUs once for each of them (Mesa src/intel/perf/intel_perf_query.c leaves the same room).
 * Clocks and EUs that are not known are taken for more than any part has. */
int64_t oa_longest_period_ns(const struct oa_format *f, const struct device *d);
/* Returns the exponent of the longest period that is not above the wish (0: a tenth of the window,
 * at most 10 ms) and that two limits allow: oa_longest_period_ns(), and half a buffer of reports
 * for each window. */
int oa_timer_exponent(int64_t wish_ns, int64_t delay_ns, const struct oa_format *f,
	const struct device *d);
/* Returns the period in ns: 2^(exponent + 1) ticks of the time stamp. */
int64_t oa_timer_period_ns(int exponent, uint64_t timestamp_hz);
/* Returns the reports a second as i915 computes them for its limit: from a period that is rounded
 * up, 0 when it is above a second. */
uint64_t oa_timer_rate(int exponent, uint64_t timestamp_hz);
