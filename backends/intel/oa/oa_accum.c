/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of wrap-safe deltas over consecutive OA reports: plain C for every format, and a choice of
 * faster code. */
#include "config.h"

#include "backends/intel/oa/oa_format.h"

#include <assert.h>
#include <string.h>

#include "backends/intel/oa/oa_accum.h"
#include "base/mem.h"
#include "core/value/accum.h"

/* Adds count >= 1 reports; prev is the one before the first. */
typedef void add_fn(struct oa_accum *a, const uint8_t *prev, const uint8_t *reports, size_t count,
	size_t stride);

struct accum_path {
	const char *name;
	bool (*available)(void);
	bool (*fits)(const struct oa_format *f);
	add_fn *add;
};

static void add_header(
	const struct oa_format *f, const uint8_t *before, const uint8_t *now, uint64_t *sum)
{
	struct oa_header b, n;

	oa_read_header(f, before, &b);
	oa_read_header(f, now, &n);
	sum[OA_TIMESTAMP] += accum_delta(b.timestamp, n.timestamp, (unsigned)oa_timestamp_bits(f));
	if (f->header_bits == 64)
		sum[OA_GPU_TICKS] += oa_get_u64(now + 24) - oa_get_u64(before + 24);
	else if (f->has_ticks)
		sum[OA_GPU_TICKS] += (uint32_t)(oa_get_u32(now + 12) - oa_get_u32(before + 12));
}

static void add_run(const struct oa_run *r, const uint8_t *restrict before,
	const uint8_t *restrict now, uint64_t *restrict sum)
{
	unsigned low = r->low;
	unsigned high = r->high_byte;

	if (r->bits == 32) {
		for (unsigned i = 0; i < r->count; i++)
			sum[i] += (uint32_t)(oa_get_u32(now + low + 4 * i) -
				oa_get_u32(before + low + 4 * i));
	} else if (r->bits == 40) {
		for (unsigned i = 0; i < r->count; i++) {
			uint64_t b = oa_get_u32(before + low + 4 * i) |
				(uint64_t)before[high + i] << 32;
			uint64_t n = oa_get_u32(now + low + 4 * i) | (uint64_t)now[high + i] << 32;

			sum[i] += accum_delta(b, n, 40);
		}
	} else {
		for (unsigned i = 0; i < r->count; i++)
			sum[i] += accum_delta(oa_get_u64(before + low + 8 * i),
				oa_get_u64(now + low + 8 * i), 64);
	}
}

static void add_plain(struct oa_accum *a, const uint8_t *prev, const uint8_t *reports, size_t count,
	size_t stride)
{
	const struct oa_format *f = a->format;

	for (; count > 0; count--, prev = reports, reports += stride) {
		uint64_t *sum = a->sum + OA_FIRST_RUN;

		add_header(f, prev, reports, a->sum);
		for (const struct oa_run *r = f->runs; r->count > 0; sum += r->count, r++)
			add_run(r, prev, reports, sum);
	}
}

/* The sum of deltas modulo 2^bits is last - first, plus 2^bits for every time that the counter went
 * down. */
static void add_avx2(struct oa_accum *a, const uint8_t *prev, const uint8_t *reports, size_t count,
	size_t stride)
{
	uint64_t first[OA_MAX_COUNTERS], last[OA_MAX_COUNTERS];
	struct oa_wraps w = { { 0 }, { 0 } };
	int k = OA_FIRST_RUN;

	oa_avx2_count_wraps(&w, prev, reports, count, stride);
	oa_decode(a->format, prev, first);
	oa_decode(a->format, reports + (count - 1) * stride, last);
	a->sum[OA_TIMESTAMP] += last[OA_TIMESTAMP] - first[OA_TIMESTAMP] + (w.dword[1] << 32);
	if (a->format->has_ticks)
		a->sum[OA_GPU_TICKS] += last[OA_GPU_TICKS] - first[OA_GPU_TICKS] +
			(w.dword[3] << 32);
	for (const struct oa_run *r = a->format->runs; r->count > 0; r++)
		for (unsigned i = 0; i < r->count; i++, k++) {
			unsigned dword = r->low / 4u + i;

			a->sum[k] += last[k] - first[k] +
				(r->bits == 40 ? w.a40[dword - 4] << 40 : w.dword[dword] << 32);
		}
}

static bool always(void)
{
	return true;
}

static bool fits_all(const struct oa_format *f)
{
	(void)f;
	return true;
}

/* The paths in order of preference; the last one can do everything. */
static const struct accum_path paths[] = {
	{ "avx2", oa_avx2_available, oa_avx2_fits, add_avx2 },
	{ "c", always, fits_all, add_plain },
};

/* Only tests and benchmarks set it. */
static const struct accum_path *forced;

static const struct accum_path *best_path(void)
{
	const struct accum_path *p = paths;

	if (forced)
		return forced;
	while (!p->available())
		p++;
	return p;
}

const char *oa_accum_path(void)
{
	return best_path()->name;
}

bool oa_accum_force_path(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		if (strcmp(paths[i].name, name) == 0 && paths[i].available()) {
			forced = &paths[i];
			return true;
		}
	return false;
}

void oa_accum_init(struct oa_accum *a, const struct oa_format *f)
{
	assert(f->bytes <= sizeof(a->base));
	*a = (struct oa_accum){ .format = f };
}

void oa_accum_add(struct oa_accum *a, const void *reports, size_t count, size_t stride)
{
	const struct accum_path *path = best_path();
	const uint8_t *p = reports;
	const uint8_t *prev = a->base;

	if (count == 0)
		return;
	if (!path->fits(a->format))
		path = &paths[ARRAY_LEN(paths) - 1];
	if (!a->has_base) {
		prev = p;
		p += stride;
		count--;
	}
	if (count > 0)
		path->add(a, prev, p, count, stride);
	a->reports += count;
	a->has_base = true;
	memcpy(a->base, count > 0 ? p + (count - 1) * stride : prev, a->format->bytes);
}

void oa_accum_rebase(struct oa_accum *a)
{
	a->has_base = false;
}

uint64_t oa_accum_take(struct oa_accum *a, uint64_t *values)
{
	uint64_t reports = a->reports;

	memcpy(values, a->sum, (size_t)oa_format_counters(a->format, NULL) * sizeof(*values));
	memset(a->sum, 0, sizeof(a->sum));
	a->reports = 0;
	return reports;
}
