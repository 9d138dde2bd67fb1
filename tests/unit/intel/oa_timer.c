/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Periods of the OA timer against the kernel's arithmetic, and what the choice of one has to
 * respect. */
#include "config.h"

#include "backends/intel/oa/oa_timer.h"

#include <math.h>

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

/* The time stamps and highest clocks of parts, by format (a row of each shape). */
static struct device part(uint64_t timestamp_hz, uint64_t max_hz, int eus)
{
	return (struct device){ .timestamp_hz = timestamp_hz, .max_hz = max_hz, .topology.eus = eus };
}

static void test_choice(void)
{
	const struct oa_format *f = oa_format_by_number(5);	/* A32u40_A4u32_B8_C8 */
	struct device d = part(12000000, 1050000000, 24), unknown = part(12000000, 0, 24), fast = part(38400000, 1050000000, 24);
	int e = oa_timer_exponent(0, NS_PER_S, f, &d);

	ok(oa_timer_period_ns(e, 12000000) <= 10 * NS_PER_MS &&
			oa_timer_period_ns(e + 1, 12000000) > 10 * NS_PER_MS,
		"a second: the longest period up to 10 ms");
	e = oa_timer_exponent(0, 50 * NS_PER_MS, f, &d);
	ok(oa_timer_period_ns(e, 12000000) <= 5 * NS_PER_MS, "50 ms: ten reports or more");
	e = oa_timer_exponent(3600 * NS_PER_S, NS_PER_S, f, &d);
	ok(oa_timer_period_ns(e, 12000000) * 1.05 < (double)(UINT64_C(1) << 31),
		"half a turn of the tick counter is the most");
	e = oa_timer_exponent(3600 * NS_PER_S, NS_PER_S, f, &unknown);
	ok(oa_timer_period_ns(e, 12000000) * 4.0 <= (double)(UINT64_C(1) << 31),
		"  ... at 4 GHz where the clock is not known");
	e = oa_timer_exponent(1000, 10 * NS_PER_S, f, &fast);
	ok(10 * NS_PER_S / oa_timer_period_ns(e, 38400000) <= OA_BUFFER_BYTES / 2 / REPORT,
		"a window fits into half a buffer");
	is_int(oa_timer_exponent(1, NS_PER_MS, f, &d), 5, "there is a fastest");
}

/* What no counter of any format may do between two reports, whatever is wished: turn. Sums over EUs advance by their
 * number in each clock. */
static void test_turns(void)
{
	static const int eus[] = { 0, 10, 20, 40, 72, 96, 512 };

	for (size_t i = 0; i < oa_format_count; i++)
		for (size_t k = 0; k < sizeof(eus) / sizeof(eus[0]); k++)
			for (uint64_t hz = 0; hz <= 3000000000; hz += 1000000000) {
				const struct oa_format *f = &oa_formats[i];
				struct device d = part(12500000, hz, eus[k]);
				double s = (double)oa_timer_period_ns(oa_timer_exponent(NS_PER_S * 100, NS_PER_S, f, &d),
					d.timestamp_hz) / NS_PER_S;
				double clocks = s * (hz ? (double)hz : 4e9), worst = clocks / 0x1p32;
				int n = eus[k] ? eus[k] : 96;

				for (int r = 0; r < OA_MAX_RUNS && f->runs[r].count; r++) {
					bool sums = f->runs[r].bank == 'A' && (f->runs[r].bits != 32 || !f->has_ticks);
					double turns = clocks * (sums ? n : 1) / ldexp(1, f->runs[r].bits);

					worst = turns > worst ? turns : worst;
				}
				ok(worst <= 0.5, "%s, %d EUs at %d MHz: %.3f turns", f->name, eus[k], (int)(hz / 1000000), worst);
			}
}

int main(void)
{
	test_rates();
	test_choice();
	test_turns();
	return done_testing();
}
