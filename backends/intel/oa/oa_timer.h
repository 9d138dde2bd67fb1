/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often the OA unit reports: 2^(exponent + 1) ticks of its time stamp. */
#ifndef BACKENDS_INTEL_OA_OA_TIMER_H
#define BACKENDS_INTEL_OA_OA_TIMER_H

#include <stddef.h>
#include <stdint.h>

#define OA_BUFFER_BYTES (16u << 20)	/* of every driver so far */

/* Returns the exponent of the longest period that is not above the wish (0: a tenth of the window,
 * at most 10 ms) and that two limits allow: half a turn of the 32-bit tick counter at max_hz (0:
 * unknown), and half a buffer of reports for each window. */
int oa_timer_exponent(int64_t wish_ns, int64_t delay_ns, uint64_t timestamp_hz, uint64_t max_hz,
	size_t report_bytes);
/* Returns the period in ns: 2^(exponent + 1) ticks of the time stamp. */
int64_t oa_timer_period_ns(int exponent, uint64_t timestamp_hz);
/* Returns the reports a second as i915 computes them for its limit: from a period that is rounded
 * up, 0 when it is above a second. */
uint64_t oa_timer_rate(int exponent, uint64_t timestamp_hz);

#endif
