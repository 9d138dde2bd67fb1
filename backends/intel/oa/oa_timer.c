/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the OA timer's exponent. */
#include "config.h"

#include "backends/intel/oa/oa_timer.h"

#include <math.h>

#include "base/clock.h"

#define DEFAULT_PERIOD_NS (10 * NS_PER_MS)
#define REPORTS_PER_WINDOW 10
#define MIN_EXPONENT 5
#define MAX_EXPONENT 31
#define FASTEST_HZ UINT64_C(4000000000)	/* faster than any GPU so far */
#define MOST_EUS 96	/* of parts whose reports have sums of 32 or 40 bits: Xe-LP */

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

int64_t oa_longest_period_ns(const struct oa_format *f, const struct device *d)
{
	int eus = d->topology.eus > 0 ? d->topology.eus : MOST_EUS;
	double hz = (double)(d->max_hz >= 1000000 ? d->max_hz : FASTEST_HZ), clocks = 0x1p31;

	for (const struct oa_run *r = f->runs; r < f->runs + OA_MAX_RUNS; r++) {
		bool is_sum = r->bank == 'A' && (r->bits > 32 || !f->has_ticks);
		double turn = ldexp(1, r->bits - 1) / (is_sum ? eus : 1);

		if (r->count && turn < clocks)
			clocks = turn;
	}
	return (int64_t)(clocks / hz * NS_PER_S);
}

int oa_timer_exponent(
	int64_t wish_ns, int64_t delay_ns, const struct oa_format *f, const struct device *d)
{
	uint64_t timestamp_hz = d->timestamp_hz;
	int64_t longest_ns = oa_longest_period_ns(f, d);
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
			(int64_t)(OA_BUFFER_BYTES / 2 / f->bytes))
		exponent++;
	return exponent;
}
