/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integers of 128 bits against rows, and against the compiler's own where it has them. */
#include "config.h"

#include "core/value/int128.h"

#include <math.h>
#include <stddef.h>

#include "base/mem.h"
#include "tests/tap.h"

#define TOP INT64_MIN

static void test_rows(void)
{
	static const struct {
		const char *what;
		bool (*fn)(struct int128 a, struct int128 b, struct int128 *out);
		struct int128 a, b, want;
		bool fits;
	} rows[] = {
		{ "2^64 - 1 + 1", int128_add, { UINT64_MAX, 0 }, { 1, 0 }, { 0, 1 }, true },
		{ "0 - 1", int128_sub, { 0, 0 }, { 1, 0 }, { UINT64_MAX, -1 }, true },
		{ "largest + 1", int128_add, { UINT64_MAX, INT64_MAX }, { 1, 0 }, { 0, TOP }, false },
		{ "lowest - 1", int128_sub, { 0, TOP }, { 1, 0 }, { UINT64_MAX, INT64_MAX }, false },
		{ "0 - lowest", int128_sub, { 0, 0 }, { 0, TOP }, { 0, TOP }, false },
		{ "(2^64 - 1)^2", int128_mul, { UINT64_MAX, 0 }, { UINT64_MAX, 0 }, { 1, -2 }, false },
		{ "2^63 * 2^63", int128_mul, { 1ull << 63, 0 }, { 1ull << 63, 0 }, { 0, 1ll << 62 }, true },
		{ "2^64 * -2^63", int128_mul, { 0, 1 }, { 1ull << 63, -1 }, { 0, TOP }, true },
		{ "2^64 * 2^64", int128_mul, { 0, 1 }, { 0, 1 }, { 0, 0 }, false },
		{ "3 * -5", int128_mul, { 3, 0 }, { -5ull, -1 }, { -15ull, -1 }, true },
		{ "-7 / 2", int128_div, { -7ull, -1 }, { 2, 0 }, { -3ull, -1 }, true },
		{ "lowest / -1", int128_div, { 0, TOP }, { -1ull, -1 }, { 0, TOP }, false },
		{ "lowest / lowest", int128_div, { 0, TOP }, { 0, TOP }, { 1, 0 }, true },
		{ "largest / 10", int128_div, { UINT64_MAX, INT64_MAX }, { 10, 0 },
			{ 0xccccccccccccccccull, 0x0cccccccccccccccll }, true },
		{ "1 / 0", int128_div, { 1, 0 }, { 0, 0 }, { 0, 0 }, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct int128 got;
		bool fits = rows[i].fn(rows[i].a, rows[i].b, &got);

		ok(fits == rows[i].fits, "%s %s", rows[i].what, rows[i].fits ? "fits" : "does not fit");
		if (rows[i].fits)
			ok(int128_compare(got, rows[i].want) == 0, "%s is %lld * 2^64 + %llu", rows[i].what,
				(long long)got.hi, (unsigned long long)got.lo);
	}
}

static void test_doubles(void)
{
	static const double exact[] = { 0, 1, -1, 0x1p52, 0x1p53, 0x1p63, 0x1p64, -0x1p64, 0x1p100, -0x1.fffffffffffffp125,
		0x1.8p64 };
	/* Doubles have 53 bits: these lie just below, at and above the middle of two. */
	static const struct {
		struct int128 v;
		double want;
	} rounded[] = {
		{ { 0x7ff, 1 }, 0x1p64 }, { { 0x800, 1 }, 0x1p64 }, { { 0x801, 1 }, 0x1.0000000000001p64 },
		{ { 0x1800, 1 }, 0x1.0000000000002p64 }, { { UINT64_MAX, 0 }, 0x1p64 }, { { 1, TOP }, -0x1p127 },
		{ { 0, TOP }, -0x1p127 }, { { 1, 1ll << 52 }, 0x1p116 }, { { 1ull << 63, 1ll << 53 }, 0x1p117 },
	};

	for (size_t i = 0; i < ARRAY_LEN(exact); i++)
		is_near(int128_to_double(int128_from_double(exact[i])), exact[i], 0, "%a and back", exact[i]);
	is_near(int128_to_double(int128_from_double(-1.75)), -1, 0, "a fraction is cut off");
	for (size_t i = 0; i < ARRAY_LEN(rounded); i++)
		is_near(int128_to_double(rounded[i].v), rounded[i].want, 0, "%a is the nearest double", rounded[i].want);
}

#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 own;

static own own_of(struct int128 v)
{
	return (own)((unsigned __int128)(uint64_t)v.hi << 64 | v.lo);
}

/* xorshift: each run has the same numbers. */
static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Numbers of all lengths, and of both signs. */
static struct int128 any(uint64_t *state)
{
	unsigned length = next(state) % 129;
	struct int128 v = { next(state), (int64_t)next(state) };

	if (length < 64)
		v = int128_u64(length ? v.lo >> (64 - length) : 0);
	else if (length < 128)
		v.hi &= (int64_t)((UINT64_C(1) << (length - 64)) - 1);
	if (next(state) & 1)
		int128_sub(int128_u64(0), v, &v);
	return v;
}

static int differences(struct int128 a, struct int128 b)
{
	own x = own_of(a), y = own_of(b), want;
	struct int128 got;
	bool fits = int128_add(a, b, &got);
	int n = fits == __builtin_add_overflow(x, y, &want) || own_of(got) != want;

	fits = int128_sub(a, b, &got);
	n += fits == __builtin_sub_overflow(x, y, &want) || own_of(got) != want;
	fits = int128_mul(a, b, &got);
	n += fits == __builtin_mul_overflow(x, y, &want) || (fits && own_of(got) != want);
	if (y && y != -1)
		n += !int128_div(a, b, &got) || own_of(got) != x / y;
	n += int128_compare(a, b) != (x > y) - (x < y);
	n += own_of(int128_and(a, b)) != (x & y) || own_of(int128_or(a, b)) != (x | y);
	n += int128_to_double(a) < (double)x || int128_to_double(a) > (double)x;
	return n;
}

static void test_compiler(void)
{
	uint64_t state = 88172645463325252;
	int n = 0;

	for (int i = 0; i < 200000; i++)
		n += differences(any(&state), any(&state)) != 0;
	is_int(n, 0, "200000 pairs of numbers have the results of the compiler's own");
}
#endif

int main(void)
{
	test_rows();
	test_doubles();
#ifdef __SIZEOF_INT128__
	test_compiler();
#endif
	return done_testing();
}
