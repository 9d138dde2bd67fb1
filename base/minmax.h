/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says which of two numbers is the smaller and the larger one, and what is in the middle of many. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static inline int min_of(int a, int b)
{
	return a < b ? a : b;
}

static inline int max_of(int a, int b)
{
	return a > b ? a : b;
}

/* low to high, both included; below either, low wins. */
static inline int clamp(int v, int low, int high)
{
	return max_of(low, min_of(v, high));
}

static inline uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static inline int64_t min_i64(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t max_i64(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* For qsort() of doubles, none of which is NAN: the smallest comes first. */
static inline int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts n numbers, none of which is NAN, and returns their median; NAN where there is none. */
static inline double sort_median(double *v, int n)
{
	qsort(v, (size_t)n, sizeof(*v), compare_doubles);
	return n > 0 ? (v[(n - 1) / 2] + v[n / 2]) / 2 : NAN;
}
