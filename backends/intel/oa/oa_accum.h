/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decoder and the accumulators of OA reports share this header; nobody else includes it. */
#pragma once

#include <endian.h>
#include <string.h>

#include "backends/intel/oa/oa_format.h"

/* The positions in decoded arrays. */
enum { OA_TIMESTAMP, OA_GPU_TICKS, OA_FIRST_RUN };

/* A 64-bit header holds a time stamp of 56 bits (igt tests/intel/xe_oa.c). */
#define OA_TIMESTAMP64_BITS 56
#define OA_TIMESTAMP64_MASK ((UINT64_C(1) << OA_TIMESTAMP64_BITS) - 1)

static inline int oa_timestamp_bits(const struct oa_format *f)
{
	return f->header_bits == 64 ? OA_TIMESTAMP64_BITS : 32;
}

/* Reports are little endian and lie at any address. */
static inline uint32_t oa_get_u32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return le32toh(v);
}

static inline uint64_t oa_get_u64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return le64toh(v);
}

/* How often each counter went down from one report to the next. Together with the first and the
 * last report, that gives the sum of all deltas. */
struct oa_wraps {
	uint64_t dword[64];	/* 32-bit counters, by dword of the report */
	uint64_t a40[32];	/* counters with dword 4 + i and byte 160 + i */
};

/* Returns whether the report has the shape that oa_wraps describes. */
bool oa_avx2_fits(const struct oa_format *f);
/* Returns whether this CPU has AVX2. */
bool oa_avx2_available(void);
/* Counts wraps between prev and reports[0], reports[0] and reports[1], ... of 256-byte reports that
 * lie stride bytes apart. */
void oa_avx2_count_wraps(struct oa_wraps *w, const uint8_t *prev, const uint8_t *reports,
	size_t count, size_t stride);
