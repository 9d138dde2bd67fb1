/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arithmetic of two words. */
#include "config.h"

#include "core/value/int128.h"

#include <math.h>

/* The same bits without a sign. */
struct magnitude {
	uint64_t hi, lo;
};

static struct int128 from_bits(uint64_t hi, uint64_t lo)
{
	return (struct int128){ .lo = lo, .hi = (int64_t)hi };
}

static struct magnitude negated(uint64_t hi, uint64_t lo)
{
	return (struct magnitude){ .hi = ~hi + (lo == 0), .lo = ~lo + 1 };
}

/* The lowest number has a magnitude, 2^127. */
static struct magnitude magnitude_of(struct int128 v)
{
	if (v.hi < 0)
		return negated((uint64_t)v.hi, v.lo);
	return (struct magnitude){ .hi = (uint64_t)v.hi, .lo = v.lo };
}

static bool with_sign(struct magnitude m, bool is_negative, struct int128 *out)
{
	if (is_negative)
		m = negated(m.hi, m.lo);
	*out = from_bits(m.hi, m.lo);
	return (out->hi < 0) == is_negative || (m.hi | m.lo) == 0;
}

struct int128 int128_from_double(double d)
{
	double size = fabs(trunc(d));
	uint64_t hi = (uint64_t)(size * 0x1p-64);
	struct magnitude m = { .hi = hi, .lo = (uint64_t)(size - (double)hi * 0x1p64) };
	struct int128 out;

	with_sign(m, d < 0, &out);
	return out;
}

double int128_to_double(struct int128 v)
{
	struct magnitude m = magnitude_of(v);
	int exponent = 0;

	if (m.hi) {
		int free_bits = __builtin_clzll(m.hi);
		uint64_t top = m.hi, rest = m.lo;

		if (free_bits) {
			top = m.hi << free_bits | m.lo >> (64 - free_bits);
			rest = m.lo << free_bits;
		}
		/* What is left only decides whether this is half way between two doubles. */
		m.lo = top | (rest != 0);
		exponent = 64 - free_bits;
	}
	double size = ldexp((double)m.lo, exponent);
	return v.hi < 0 ? -size : size;
}

int int128_compare(struct int128 a, struct int128 b)
{
	if (a.hi != b.hi)
		return a.hi < b.hi ? -1 : 1;
	return (a.lo > b.lo) - (a.lo < b.lo);
}

struct int128 int128_and(struct int128 a, struct int128 b)
{
	return (struct int128){ .lo = a.lo & b.lo, .hi = a.hi & b.hi };
}

struct int128 int128_or(struct int128 a, struct int128 b)
{
	return (struct int128){ .lo = a.lo | b.lo, .hi = a.hi | b.hi };
}

bool int128_add(struct int128 a, struct int128 b, struct int128 *out)
{
	uint64_t lo = a.lo + b.lo;

	*out = from_bits((uint64_t)a.hi + (uint64_t)b.hi + (lo < a.lo), lo);
	return (a.hi < 0) != (b.hi < 0) || (out->hi < 0) == (a.hi < 0);
}

bool int128_sub(struct int128 a, struct int128 b, struct int128 *out)
{
	*out = from_bits((uint64_t)a.hi - (uint64_t)b.hi - (a.lo < b.lo), a.lo - b.lo);
	return (a.hi < 0) == (b.hi < 0) || (out->hi < 0) == (a.hi < 0);
}

/* Returns all 128 bits of a product of two words. */
static struct magnitude product(uint64_t a, uint64_t b)
{
	uint64_t a_lo = (uint32_t)a, a_hi = a >> 32, b_lo = (uint32_t)b, b_hi = b >> 32;
	uint64_t low = a_lo * b_lo, cross = a_hi * b_lo + (low >> 32);
	uint64_t other = a_lo * b_hi + (uint32_t)cross;

	return (struct magnitude){ .hi = a_hi * b_hi + (cross >> 32) + (other >> 32),
		.lo = other << 32 | (uint32_t)low };
}

bool int128_mul(struct int128 a, struct int128 b, struct int128 *out)
{
	struct magnitude x = magnitude_of(a), y = magnitude_of(b), p = product(x.lo, y.lo);
	struct magnitude left = product(x.hi, y.lo), right = product(x.lo, y.hi);
	uint64_t hi = p.hi + left.lo + right.lo;
	/* One of left and right is 0 whenever the product fits. */
	bool fits = (x.hi == 0 || y.hi == 0) && left.hi == 0 && right.hi == 0 && hi >= p.hi;

	p.hi = hi;
	return with_sign(p, (a.hi < 0) != (b.hi < 0), out) && fits;
}

bool int128_div(struct int128 a, struct int128 b, struct int128 *out)
{
	struct magnitude x = magnitude_of(a), y = magnitude_of(b), quotient = { 0, 0 },
			 rest = { 0, 0 };

	*out = int128_u64(0);
	if ((y.hi | y.lo) == 0)
		return false;
	if ((x.hi | y.hi) == 0) {
		quotient.lo = x.lo / y.lo;
		return with_sign(quotient, (a.hi < 0) != (b.hi < 0), out);
	}
	/* Long division, bit by bit: it is rare. The rest stays below 2^127, as y does not exceed
	 * it. */
	for (int bit = 127; bit >= 0; bit--) {
		uint64_t word = bit >= 64 ? x.hi : x.lo;

		rest.hi = rest.hi << 1 | rest.lo >> 63;
		rest.lo = rest.lo << 1 | (word >> (bit & 63) & 1);
		quotient.hi = quotient.hi << 1 | quotient.lo >> 63;
		quotient.lo <<= 1;
		if (rest.hi > y.hi || (rest.hi == y.hi && rest.lo >= y.lo)) {
			rest.hi -= y.hi + (rest.lo < y.lo);
			rest.lo -= y.lo;
			quotient.lo |= 1;
		}
	}
	return with_sign(quotient, (a.hi < 0) != (b.hi < 0), out);
}
