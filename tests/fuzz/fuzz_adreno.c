/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as the stream of samples of msm: however reads cut it, the sums are the same. */
#include "config.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backends/adreno/msm_uapi.h"
#include "backends/adreno/stream_samples.h"
#include "base/mem.h"

#define SELECTOR_BYTES 2

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Each read has a heap block of its own, so that a sanitizer sees a step beyond its end. */
static void feed(struct adreno_sums *s, const uint8_t *data, size_t size, size_t step)
{
	for (size_t at = 0; at < size; at += step) {
		size_t n = size - at < step ? size - at : step;
		uint8_t *part = xcalloc(n, 1);

		memcpy(part, data + at, n);
		adreno_sums_feed(s, part, n);
		free(part);
	}
}

static void compare(const struct adreno_sums *a, const struct adreno_sums *b)
{
	if (a->samples != b->samples || a->breaks != b->breaks || a->ticks != b->ticks ||
		a->part_bytes != b->part_bytes || memcmp(a->sums, b->sums, sizeof(a->sums)) != 0)
		abort();
}

/* First two bytes: counters, and the bytes of a read. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct adreno_sums whole = { .n = 0 }, cut = { .n = 0 };

	if (size < SELECTOR_BYTES)
		return 0;
	whole.n = cut.n = data[0] % (ADRENO_COUNTERS_MAX + 1);
	size_t step = 1 + data[1];
	size_t bytes = sizeof(struct msm_sample_head) + (size_t)whole.n * sizeof(uint64_t);

	data += SELECTOR_BYTES;
	size -= SELECTOR_BYTES;
	if (size)
		feed(&whole, data, size, size);
	feed(&cut, data, size, step);
	compare(&whole, &cut);
	if (whole.samples != size / bytes || whole.breaks > whole.samples)
		abort();
	adreno_sums_clear(&whole);
	if (whole.ticks || whole.samples || whole.breaks)
		abort();
	return 0;
}
