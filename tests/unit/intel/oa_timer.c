/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Periods of the OA timer against the kernel's arithmetic, and what the choice of one has to
 * respect. */
#include "config.h"

#include "backends/intel/oa/oa_timer.h"

#include "base/clock.h"
#include "tests/tap.h"

#define REPORT 256

/* The fastest exponent that i915's default limit of 100000 reports a second allows, worked out by
 * hand: 2^(e+1) / f >= 10 us. */
static void test_rates(void)
{
	static const struct {
		uint64_t hz;
		int exponent;
	} rows[] = { { 12000000, 6 }, { 12500000, 6 }, { 19200000, 7 }, { 24000000, 7 },
		{ 25000000, 7 }, { 38400000, 8 } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ok(oa_timer_rate(rows[i].exponent, rows[i].hz) <= 100000,
			"%d Hz: exponent %d is allowed", (int)rows[i].hz, rows[i].exponent);
		ok(oa_timer_rate(rows[i].exponent - 1, rows[i].hz) > 100000,
			"  ... the one below is not");
	}
	is_int(oa_timer_rate(31, 12000000), 0, "below once a second the rate is 0");
	is_int(oa_timer_period_ns(13, 12000000), 1365333, "2^14 ticks of 12 MHz");
}

static void test_choice(void)
{
	int e = oa_timer_exponent(0, NS_PER_S, 12000000, 1050000000, REPORT);

	ok(oa_timer_period_ns(e, 12000000) <= 10 * NS_PER_MS &&
			oa_timer_period_ns(e + 1, 12000000) > 10 * NS_PER_MS,
		"a second: the longest period up to 10 ms");
	e = oa_timer_exponent(0, 50 * NS_PER_MS, 12000000, 1050000000, REPORT);
	ok(oa_timer_period_ns(e, 12000000) <= 5 * NS_PER_MS, "50 ms: ten reports or more");
	e = oa_timer_exponent(3600 * NS_PER_S, NS_PER_S, 12000000, 1050000000, REPORT);
	ok(oa_timer_period_ns(e, 12000000) * 1.05 < (double)(UINT64_C(1) << 31),
		"half a turn of the tick counter is the most");
	e = oa_timer_exponent(3600 * NS_PER_S, NS_PER_S, 12000000, 0, REPORT);
	ok(oa_timer_period_ns(e, 12000000) * 4.0 <= (double)(UINT64_C(1) << 31),
		"  ... at 4 GHz where the clock is not known");
	e = oa_timer_exponent(1000, 10 * NS_PER_S, 38400000, 1050000000, REPORT);
	ok(10 * NS_PER_S / oa_timer_period_ns(e, 38400000) <= OA_BUFFER_BYTES / 2 / REPORT,
		"a window fits into half a buffer");
	is_int(oa_timer_exponent(1, NS_PER_MS, 12000000, 1050000000, REPORT), 5,
		"there is a fastest");
}

int main(void)
{
	test_rates();
	test_choice();
	return done_testing();
}
