/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wrap-safe differences of hardware counters. No other code subtracts them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Returns now - before modulo 2^bits; bits is 1 to 64. Bits above that width are ignored in
 * both. */
static inline uint64_t accum_delta(uint64_t before, uint64_t now, unsigned bits)
{
	uint64_t mask = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;

	return (now - before) & mask;
}

/* The difference of counts that never run full (64 bits, or kept by a driver). Returns false when
 * the count went back or grew by more than limit in one window: then there is no number. */
static inline bool accum_forward(uint64_t before, uint64_t now, uint64_t limit, uint64_t *delta)
{
	*delta = now - before;
	return now >= before && *delta <= limit;
}
