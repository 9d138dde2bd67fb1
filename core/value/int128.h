/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integers with a sign and 127 bits, because compilers have none of their own for machines of 32
 * bits. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Two's complement: the value is hi * 2^64 + lo. */
struct int128 {
	uint64_t lo;
	int64_t hi;
};

static inline struct int128 int128_u64(uint64_t v)
{
	return (struct int128){ .lo = v };
}

static inline bool int128_is_u64(struct int128 v)
{
	return v.hi == 0;
}

/* Truncates d, which must lie between -2^126 and 2^126. */
struct int128 int128_from_double(double d);
/* Rounds to the nearest double, and to the even one of two. */
double int128_to_double(struct int128 v);
/* Returns a number below, equal to or above 0, as a is to b. */
int int128_compare(struct int128 a, struct int128 b);
struct int128 int128_and(struct int128 a, struct int128 b);
struct int128 int128_or(struct int128 a, struct int128 b);
/* These return false when the result does not fit. */
bool int128_add(struct int128 a, struct int128 b, struct int128 *out);
bool int128_sub(struct int128 a, struct int128 b, struct int128 *out);
bool int128_mul(struct int128 a, struct int128 b, struct int128 *out);
/* Divides and truncates; false also when b is 0. */
bool int128_div(struct int128 a, struct int128 b, struct int128 *out);
