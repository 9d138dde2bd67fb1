/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts how often the counters of 256-byte OA reports wrap, eight or thirty-two counters at a
 * time. */
#include "config.h"

#include "backends/intel/oa/oa_accum.h"
#include "base/minmax.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
#define AVX2_INLINE AVX2 __attribute__((always_inline)) static inline

/* Wraps are counted in bytes, so that no more reports than this are taken at a time. */
#define MAX_BLOCK 255

/* The vectors hold eight 32-bit counters each: header and A0-A3; A24-A27; A32-A35; A36 and A37; B;
 * C. Dwords 8 to 23 hold 40-bit counters in every layout. */
#define N_VECTORS 6
static const uint8_t first_dword[N_VECTORS] = { 0, 24, 32, 40, 48, 56 };

struct block_counts {
	/* per 32-bit lane: reports in which the counter did not go down */
	__m256i kept[N_VECTORS];
	__m256i wraps40;		/* per byte: reports in which it did */
};

AVX2_INLINE __m256i load(const uint8_t *p)
{
	return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

/* Returns all ones in the 32-bit lanes where the counter did not go down. */
AVX2_INLINE __m256i not_below(const uint8_t *prev, const uint8_t *now, int dword)
{
	__m256i n = load(now + 4 * dword);

	return _mm256_cmpeq_epi32(_mm256_max_epu32(n, load(prev + 4 * dword)), n);
}

/* Returns all ones in bytes i where the 40-bit number of byte 160 + i and dword 4 + i went down:
 * the high byte fell, or it stayed while the low part fell. */
AVX2_INLINE __m256i below40(const uint8_t *prev, const uint8_t *now)
{
	const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
	__m256i a = _mm256_packs_epi32(not_below(prev, now, 4), not_below(prev, now, 12));
	__m256i b = _mm256_packs_epi32(not_below(prev, now, 20), not_below(prev, now, 28));
	__m256i low_kept = _mm256_permutevar8x32_epi32(_mm256_packs_epi16(a, b), order);
	__m256i high_now = load(now + 160);
	__m256i high_prev = load(prev + 160);
	__m256i equal = _mm256_cmpeq_epi8(high_now, high_prev);
	__m256i high_kept = _mm256_cmpeq_epi8(_mm256_max_epu8(high_now, high_prev), high_now);
	__m256i kept = _mm256_andnot_si256(_mm256_andnot_si256(low_kept, equal), high_kept);

	return _mm256_xor_si256(kept, _mm256_set1_epi8(-1));
}

AVX2_INLINE void count_pair(struct block_counts *c, const uint8_t *prev, const uint8_t *now)
{
	/* The seven sums are written out so that all of them stay in registers. */
	c->kept[0] = _mm256_sub_epi32(c->kept[0], not_below(prev, now, 0));
	c->kept[1] = _mm256_sub_epi32(c->kept[1], not_below(prev, now, 24));
	c->kept[2] = _mm256_sub_epi32(c->kept[2], not_below(prev, now, 32));
	c->kept[3] = _mm256_sub_epi32(c->kept[3], not_below(prev, now, 40));
	c->kept[4] = _mm256_sub_epi32(c->kept[4], not_below(prev, now, 48));
	c->kept[5] = _mm256_sub_epi32(c->kept[5], not_below(prev, now, 56));
	c->wraps40 = _mm256_sub_epi8(c->wraps40, below40(prev, now));
}

AVX2 static void count_block(struct oa_wraps *w, const uint8_t *prev, const uint8_t *reports,
	size_t count, size_t stride)
{
	struct block_counts c;
	uint32_t kept[8];
	uint8_t wraps40[32];

	for (int v = 0; v < N_VECTORS; v++)
		c.kept[v] = _mm256_setzero_si256();
	c.wraps40 = _mm256_setzero_si256();
	for (size_t i = 0; i < count; i++, prev = reports, reports += stride)
		count_pair(&c, prev, reports);
	for (int v = 0; v < N_VECTORS; v++) {
		_mm256_storeu_si256((__m256i *)(void *)kept, c.kept[v]);
		for (int i = 0; i < 8; i++)
			w->dword[first_dword[v] + i] += count - kept[i];
	}
	_mm256_storeu_si256((__m256i *)(void *)wraps40, c.wraps40);
	for (int i = 0; i < 32; i++)
		w->a40[i] += wraps40[i];
}

bool oa_avx2_available(void)
{
	return __builtin_cpu_supports("avx2");
}

void oa_avx2_count_wraps(struct oa_wraps *w, const uint8_t *prev, const uint8_t *reports,
	size_t count, size_t stride)
{
	while (count > 0) {
		size_t n = min_u64(count, MAX_BLOCK);

		count_block(w, prev, reports, n, stride);
		prev = reports + (n - 1) * stride;
		reports += n * stride;
		count -= n;
	}
}

/* Returns whether block_counts has a lane or a byte for every counter of the run. */
static bool counted(const struct oa_run *r)
{
	unsigned dword = r->low / 4u;
	unsigned end = dword + r->count;

	if (r->bits == 40)
		return dword >= 4 && end <= 36 && r->high_byte == 160 + dword - 4;
	return r->bits == 32 && (end <= 8 || (dword >= 24 && end <= 64));
}

bool oa_avx2_fits(const struct oa_format *f)
{
	bool all = f->bytes == 256 && f->header_bits == 32;

	for (const struct oa_run *r = f->runs; r->count > 0; r++)
		all &= counted(r);
	return all;
}

#else

bool oa_avx2_available(void)
{
	return false;
}

bool oa_avx2_fits(const struct oa_format *f)
{
	(void)f;
	return false;
}

void oa_avx2_count_wraps(struct oa_wraps *w, const uint8_t *prev, const uint8_t *reports,
	size_t count, size_t stride)
{
	(void)w, (void)prev, (void)reports, (void)count, (void)stride;
}

#endif
