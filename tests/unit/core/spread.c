/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spreads and tests of groups: known numbers, and how often noise alone is taken for a change. */
#include "config.h"

#include "core/value/spread.h"

#include <stdint.h>

#include "base/mem.h"
#include "tests/tap.h"

/* --- Student's t, against the density itself and against printed tables --- */

/* Integrates the density by Simpson's rule: nothing of the product is used. */
static double p_by_integral(double t, double degrees)
{
	const int steps = 200000;
	double norm = exp(lgamma((degrees + 1) / 2) - lgamma(degrees / 2)) / sqrt(degrees * M_PI);
	double sum = 0;

	for (int i = 0; i <= steps; i++) {
		double x = t * i / steps;
		double weight = i == 0 || i == steps ? 1 : 2 + 2 * (i % 2);

		sum += weight * pow(1 + x * x / degrees, -(degrees + 1) / 2);
	}
	return 1 - 2 * norm * sum * t / steps / 3;
}

static void test_student(void)
{
	/* NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2: critical values of t */
	static const struct { double t, degrees, p; } table[] = {
		{ 12.706, 1, 0.05 }, { 63.657, 1, 0.01 }, { 4.303, 2, 0.05 }, { 2.776, 4, 0.05 },
		{ 2.228, 10, 0.05 }, { 3.169, 10, 0.01 }, { 1.984, 100, 0.05 },
	};

	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		is_near(spread_student_p(table[i].t, table[i].degrees), table[i].p, 2e-4 * table[i].p * 5,
			"t %g of %g degrees", table[i].t, table[i].degrees);
	for (double degrees = 1; degrees < 3000; degrees *= 2.7)
		for (double t = 0.1; t < 8; t *= 2.1)
			if (in_share_of(8))
				is_near(spread_student_p(t, degrees), p_by_integral(t, degrees), 1e-9,
					"integral to %g with %g degrees", t, degrees);
	ok(isnan(spread_student_p(1, 0)), "no degrees of freedom, no p");
}

static void test_welch(void)
{
	/* By hand: means 2.5 and 5, variances 5/3 and 4, so that t = 2.5 / sqrt(5/12 + 4/3), and by
	 * the formula of Welch and Satterthwaite 3.2347 degrees of freedom. */
	const double a[] = { 1, 2, 3, 4 }, b[] = { 3, 5, 7 };
	const double same[] = { 5, 5, 5 }, more[] = { 6, 6, 6 }, nearly[] = { 5.001, 5.001, 5.001 };

	is_near(spread_welch(a, 4, b, 3), p_by_integral(2.5 / sqrt(1.75), 1.75 * 1.75 / (25 / 432.0 + 8 / 9.0)),
		1e-9, "two groups");
	is_near(spread_welch(b, 3, a, 4), spread_welch(a, 4, b, 3), 1e-12, "either way round");
	is_near(spread_welch(same, 3, same, 3), 1, 0, "the same group twice");
	ok(spread_welch(same, 3, more, 3) < 1e-6, "a fifth more that never varies");
	ok(spread_welch(same, 3, nearly, 3) > 0.5, "less than anything repeats is nothing");
	ok(isnan(spread_welch(same, 1, more, 3)), "one run is no group");
}

static void test_adjust(void)
{
	/* By hand: 4 tests; 0.01 * 4 / 1, 0.02 * 4 / 2, 0.03 * 4 / 3, 0.5 * 4 / 4, least from the end */
	double p[] = { 0.5, 0.01, NAN, 0.03, 0.02 };

	spread_adjust(p, ARRAY_LEN(p));
	is_near(p[0], 0.5, 1e-12, "the largest stays");
	is_near(p[1], 0.04, 1e-12, "the smallest is not more than the next");
	is_near(p[4], 0.04, 1e-12, "the second");
	is_near(p[3], 0.04, 1e-12, "the third");
	ok(isnan(p[2]), "what was not tested stays so");
}

/* --- noise --- */

static uint64_t random_state;

static double uniform(void)
{
	/* xorshift64*, Vigna 2016 */
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return (double)((random_state * 0x2545f4914f6cdd1dull) >> 11) / 9007199254740992.0;
}

static double normal(void)
{
	return sqrt(-2 * log(1 - uniform())) * cos(2 * M_PI * uniform());
}

/* A run of n windows whose neighbours have that correlation: 100 with deviation 10. */
static struct spread noisy_run(int n, double correlation, double more)
{
	struct series s = { 0 };
	double x = normal();

	for (int i = 0; i < n; i++) {
		series_add(&s, 100 + more + 10 * x);
		x = correlation * x + sqrt(1 - correlation * correlation) * normal();
	}
	return series_spread(&s);
}

static void test_series(void)
{
	const double v[] = { 3, 5, 4, 6, 2, 4, 7, 1 };
	struct series s = { 0 };

	ok(isnan(series_spread(&s).mean), "an empty series has no mean");
	for (size_t i = 0; i < ARRAY_LEN(v); i++) {
		series_add(&s, 1e9 + v[i]);
		series_add(&s, NAN);
	}
	const struct spread out = series_spread(&s);
	is_int(s.n, 8, "what is no number is left out");
	is_near(out.mean, 1e9 + 4, 1e-6, "mean");
	is_near(out.deviation, 2, 1e-6, "deviation, beside a large mean");
	is_near(out.independent, 8, 1e-6, "values that swing back count as they are");
	is_near(out.half, sqrt(4 * 7 / 8.0 / (1 - 1 / 8.0)), 1e-6, "half of it");
}

/* Pairs of runs of nothing but noise, which one run each must not call a change. Runs that are long
 * beside what they remember are right in nearly all cases; those that are not say so. */
static void test_one_run(void)
{
	static const struct { int n; double correlation, wrong; } rows[] = {
		{ 5, 0, 0.05 }, { 10, 0, 0.03 }, { 30, 0, 0.005 }, { 30, 0.5, 0.01 }, { 60, 0.8, 0.02 },
		{ 100, 0.9, 0.03 }, { 600, 0.99, 0.05 }, { 60, 0.99, 0.05 },
	};
	const int pairs = 2000 / tap_share() / (tap_share() > 16 ? 2 : 1);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		int moved = 0, told = 0;

		for (int seed = 1; seed <= pairs; seed++) {
			random_state = (uint64_t)seed * 0x9e3779b97f4a7c15ull;
			struct spread a = noisy_run(rows[i].n, rows[i].correlation, 0);
			struct spread b = noisy_run(rows[i].n, rows[i].correlation, 0);

			told += isfinite(a.half + b.half);
			moved += fabs(a.mean - b.mean) > a.half + b.half;
		}
		diag("%d windows, correlation %g: %d of %d told, %d wrong", rows[i].n,
			rows[i].correlation, told, pairs, moved);
		ok(moved <= rows[i].wrong * pairs, "noise of %d windows with correlation %g", rows[i].n,
			rows[i].correlation);
	}
}

static void test_one_run_power(void)
{
	const int pairs = tap_share() > 16 ? 50 : 500;
	int moved = 0;

	for (int seed = 1; seed <= pairs; seed++) {
		random_state = (uint64_t)seed * 0x9e3779b97f4a7c15ull;
		struct spread a = noisy_run(60, 0.5, 0), b = noisy_run(60, 0.5, 40);

		moved += fabs(a.mean - b.mean) > a.half + b.half;
	}
	ok(moved > pairs * 0.9, "a change of four deviations is found: %d of %d", moved, pairs);
}

/* Returns how many of so many comparisons of noise, five runs on each side and forty metrics, name
 * any metric. */
static int name_metrics(int pairs, double deviation_a, double deviation_b)
{
	enum { METRICS = 40, RUNS = 5 };
	int wrong = 0;

	for (int seed = 1; seed <= pairs; seed++) {
		double p[METRICS], a[RUNS], b[RUNS];
		bool any = false;

		random_state = (uint64_t)seed * 0x9e3779b97f4a7c15ull;
		for (int i = 0; i < METRICS; i++) {
			for (int k = 0; k < RUNS; k++) {
				a[k] = 100 + deviation_a * normal();
				b[k] = 100 + deviation_b * normal();
			}
			p[i] = spread_welch(a, RUNS, b, RUNS);
		}
		spread_adjust(p, METRICS);
		for (int i = 0; i < METRICS; i++)
			any = any || p[i] < 0.05;
		wrong += any;
	}
	return wrong;
}

/* One in twenty comparisons of noise may name a metric. Welch's test is known to be a little
 * generous far out in its tails where deviations differ, and many metrics go far out. */
static void test_many_runs(void)
{
	const int pairs = 2000 / tap_share() / (tap_share() > 16 ? 2 : 1);
	/* four deviations of such a count */
	const double more = 4 * sqrt(pairs * 0.05 * 0.95);
	int alike = name_metrics(pairs, 5, 5), threefold = name_metrics(pairs, 5, 15);

	diag("%d of %d comparisons of noise name a metric, %d where one side varies threefold", alike,
		pairs, threefold);
	ok(alike < pairs * 0.05 + more, "noise is seldom a change");
	ok(threefold < pairs * 0.08 + more, "nor where the deviations differ");
}

int main(void)
{
	test_student();
	test_welch();
	test_adjust();
	test_series();
	test_one_run();
	test_one_run_power();
	test_many_runs();
	return done_testing();
}
