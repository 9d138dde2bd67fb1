/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deviations, correlated neighbours, and Welch's t test. */
#include "config.h"

#include "core/value/spread.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

/* --- series --- */

void series_add(struct series *s, double v)
{
	if (!isfinite(v))
		return;
	if (s->n == 0)
		s->first = v;
	double x = v - s->first;
	s->sum += x;
	s->squares += x * x;
	if (s->n > 0)
		s->lagged += s->last * x;
	s->last = x;
	s->n++;
}

/* Returns the correlation of neighbours without its bias, 0 to 1: that values swing back is not
 * used to trust a mean more. m is the mean relative to the first value, which is 0 there. */
static double neighbours(const struct series *s, double m, double variation)
{
	double n = (double)s->n;
	double together = s->lagged - m * (2 * s->sum - s->last) + (n - 1) * m * m;
	double r = together / variation;

	r += (1 + 3 * r) / n;
	return fmin(fmax(r, 0), 1);
}

/* Returns the value that Student's t exceeds, to either side, in 5 % of all cases. */
static double student_quantile(double degrees)
{
	double low = 0, high = 1000;

	for (int i = 0; i < 50; i++) {
		double t = (low + high) / 2;

		if (spread_student_p(t, degrees) > 0.05)
			low = t;
		else
			high = t;
	}
	return high;
}

struct spread series_spread(const struct series *s)
{
	struct spread out = { NAN, NAN, NAN, NAN };
	double n = (double)s->n;

	if (s->n == 0)
		return out;
	double m = s->sum / n, variation = fmax(s->squares - n * m * m, 0);
	out.mean = s->first + m;
	if (s->n < 2)
		return out;
	out.deviation = sqrt(variation / (n - 1));
	out.independent = n;
	if (variation > 0) {
		double r = neighbours(s, m, variation);
		out.independent = n * (1 - r) / (1 + r);
	}
	if (out.independent < 2)
		return out;
	/* Values that resemble each other keep close to the mean of their own run. */
	double whole = sqrt(variation / n / (1 - 1 / out.independent));
	double t = student_quantile(out.independent - 1);
	out.half = whole * fmax(1, t / sqrt(out.independent));
	return out;
}

/* --- Student's t --- */

/* The continued fraction of the incomplete beta function (DLMF 8.17.22), from its end to its front:
 * below the mean of the distribution it is exact long before so many terms. */
static double beta_fraction(double a, double b, double x)
{
	double f = 1;

	for (int i = 200; i > 0; i--) {
		double m = floor(i / 2.0);
		double term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));

		if (i % 2)
			term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		f = 1 + term / f;
	}
	return 1 / f;
}

/* The regularized incomplete beta function I_x(a, b). */
static double beta_share(double a, double b, double x)
{
	if (x <= 0)
		return 0;
	if (x >= 1)
		return 1;
	if (x > (a + 1) / (a + b + 2))
		return 1 - beta_share(b, a, 1 - x);
	double front = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x);
	return exp(front) * beta_fraction(a, b, x) / a;
}

double spread_student_p(double t, double degrees)
{
	if (!(degrees > 0) || isnan(t))
		return NAN;
	return beta_share(degrees / 2, 0.5, degrees / (degrees + t * t));
}

static void mean_and_variance(const double *v, size_t n, double *mean, double *variance)
{
	*mean = *variance = 0;
	for (size_t i = 0; i < n; i++)
		*mean += v[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		*variance += (v[i] - *mean) * (v[i] - *mean) / (double)(n - 1);
}

double spread_welch(const double *a, size_t n_a, const double *b, size_t n_b)
{
	double mean[2], variance[2];

	if (n_a < 2 || n_b < 2)
		return NAN;
	mean_and_variance(a, n_a, &mean[0], &variance[0]);
	mean_and_variance(b, n_b, &mean[1], &variance[1]);
	if (mean[0] == mean[1])
		return 1;
	double least = SPREAD_FLOOR * fmax(fabs(mean[0]), fabs(mean[1]));
	double of_a = fmax(variance[0], least * least) / (double)n_a;
	double of_b = fmax(variance[1], least * least) / (double)n_b;
	double t = (mean[1] - mean[0]) / sqrt(of_a + of_b);
	double degrees = (of_a + of_b) * (of_a + of_b) /
		(of_a * of_a / (double)(n_a - 1) + of_b * of_b / (double)(n_b - 1));
	return spread_student_p(t, degrees);
}

static int by_p(const void *a, const void *b)
{
	double x = **(double *const *)a, y = **(double *const *)b;

	return (x > y) - (x < y);
}

void spread_adjust(double *p, size_t n)
{
	double **sorted = xcalloc(n + 1, sizeof(*sorted)), least = 1;
	size_t tests = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(p[i]))
			sorted[tests++] = &p[i];
	qsort(sorted, tests, sizeof(*sorted), by_p);
	for (size_t i = tests; i > 0; i--) {
		least = fmin(least, *sorted[i - 1] * (double)tests / (double)i);
		*sorted[i - 1] = least;
	}
	free(sorted);
}
