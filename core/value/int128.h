/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integers with a sign and 127 bits, because compilers have none of their own for machines of 32
 * bits. */
#ifndef CORE_VALUE_INT128_H
#define CORE_VALUE_INT128_H

#include <stdbool.h>
#include <stdint.h>

/* Two's complement: the value is hi * 2^64 + lo. */
struct wide {
	uint64_t lo;
	int64_t hi;
};

static inline struct wide wide_u64(uint64_t v)
{
	return (struct wide){ .lo = v };
}

static inline bool wide_is_u64(struct wide v)
{
	return v.hi == 0;
}

/* Truncates d, which must lie between -2^126 and 2^126. */
struct wide wide_from_double(double d);
/* Rounds to the nearest double, and to the even one of two. */
double wide_to_double(struct wide v);
/* Returns a number below, equal to or above 0, as a is to b. */
int wide_compare(struct wide a, struct wide b);
struct wide wide_and(struct wide a, struct wide b);
struct wide wide_or(struct wide a, struct wide b);
/* These return false when the result does not fit. */
bool wide_add(struct wide a, struct wide b, struct wide *out);
bool wide_sub(struct wide a, struct wide b, struct wide *out);
bool wide_mul(struct wide a, struct wide b, struct wide *out);
/* Divides and truncates; false also when b is 0. */
bool wide_div(struct wide a, struct wide b, struct wide *out);

#endif
