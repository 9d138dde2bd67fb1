/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes with unsigned fixed-point numbers of 32 fractional bits: sums and products are exact, so
 * that model counters never drift or step back. */
#pragma once

#include <stdint.h>

struct q32 {
	uint64_t whole;
	uint32_t frac;
};

/* Converts v, which must be below 2^63; rounding errors below 0 become 0. */
static inline struct q32 q32_from_double(double v)
{
	struct q32 r = { 0 };

	if (!(v > 0))
		return r;
	r.whole = (uint64_t)v;
	r.frac = (uint32_t)((v - (double)r.whole) * 4294967296.0);
	return r;
}

/* A sum of products; its fraction may hold more than one carry. */
struct q32_sum {
	uint64_t whole;
#ifdef __SIZEOF_INT128__
	unsigned __int128 frac;
#else
	uint64_t frac;
#endif
};

/* Adds a * n, modulo 2^64 in the whole part. */
static inline void q32_sum_add(struct q32_sum *sum, const struct q32 *a, uint64_t n)
{
#ifdef __SIZEOF_INT128__
	sum->whole += a->whole * n;
	sum->frac += (unsigned __int128)a->frac * n;
#else
	uint64_t low = (n & UINT32_MAX) * a->frac;

	sum->whole += a->whole * n + (n >> 32) * a->frac + (low >> 32);
	sum->frac += (uint32_t)low;
#endif
}

static inline struct q32 q32_of_sum(const struct q32_sum *sum)
{
	return (struct q32){ .whole = sum->whole + (uint64_t)(sum->frac >> 32),
		.frac = (uint32_t)sum->frac };
}

/* Returns a + b * n, modulo 2^64 in the whole part. */
static inline struct q32 q32_add(struct q32 a, struct q32 b, uint64_t n)
{
	struct q32_sum sum = { a.whole, a.frac };

	q32_sum_add(&sum, &b, n);
	return q32_of_sum(&sum);
}

/* Returns a / n rounded down, for n from 1 to 2^32 - 1: n times of it are never above a. */
static inline struct q32 q32_div(struct q32 a, uint64_t n)
{
	uint64_t rest = a.whole % n;

	return (struct q32){ .whole = a.whole / n, .frac = (uint32_t)((rest << 32 | a.frac) / n) };
}
