/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the OA timer's exponent. */
#include "config.h"

#include "backends/intel/oa/oa_timer.h"

#include "base/clock.h"

#define DEFAULT_PERIOD_NS (10 * NS_PER_MS)
#define REPORTS_PER_WINDOW 10
#define MIN_EXPONENT 5
#define MAX_EXPONENT 31
#define FASTEST_HZ UINT64_C(4000000000)	/* faster than any GPU so far */

int64_t oa_timer_period_ns(int exponent, uint64_t timestamp_hz)
{
	return (int64_t)((UINT64_C(1) << (exponent + 1)) * NS_PER_S / timestamp_hz);
}

uint64_t oa_timer_rate(int exponent, uint64_t timestamp_hz)
{
	uint64_t period_ns = ((UINT64_C(1) << (exponent + 1)) * NS_PER_S + timestamp_hz - 1) /
		timestamp_hz;

	return period_ns ? (uint64_t)NS_PER_S / period_ns : (uint64_t)NS_PER_S;
}

int oa_timer_exponent(int64_t wish_ns, int64_t delay_ns, uint64_t timestamp_hz, uint64_t max_hz,
	size_t report_bytes)
{
	uint64_t mhz = (max_hz >= 1000000 ? max_hz : FASTEST_HZ) / 1000000;
	int64_t longest_ns = (int64_t)((UINT64_C(1) << 31) * 1000 / mhz);
	int64_t period_ns = wish_ns > 0 ? wish_ns : DEFAULT_PERIOD_NS;
	int exponent = MIN_EXPONENT;

	if (wish_ns <= 0 && delay_ns > 0 && delay_ns / REPORTS_PER_WINDOW < period_ns)
		period_ns = delay_ns / REPORTS_PER_WINDOW;
	if (period_ns > longest_ns)
		period_ns = longest_ns;
	while (exponent < MAX_EXPONENT &&
		oa_timer_period_ns(exponent + 1, timestamp_hz) <= period_ns)
		exponent++;
	while (exponent < MAX_EXPONENT &&
		oa_timer_period_ns(exponent + 1, timestamp_hz) <= longest_ns &&
		delay_ns / oa_timer_period_ns(exponent, timestamp_hz) >
			(int64_t)(OA_BUFFER_BYTES / 2 / report_bytes))
		exponent++;
	return exponent;
}
