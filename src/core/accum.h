/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wrap-safe differences of hardware counters. The only place that subtracts them. */
#ifndef CORE_ACCUM_H
#define CORE_ACCUM_H

#include <stdint.h>

/* now - before modulo 2^bits, bits 1 to 64; bits above the width are ignored in both. */
static inline uint64_t accum_delta(uint64_t before, uint64_t now, unsigned bits)
{
	uint64_t mask = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;

	return (now - before) & mask;
}

#endif
