/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes what read() gives of a stream of counters apart, and adds up the differences of its samples. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ADRENO_COUNTERS_MAX 48

/* n counters; the rest is the sums' own. Begin with zeros but for n. */
struct adreno_sums {
	int n;
	bool has_before;
	uint64_t before[ADRENO_COUNTERS_MAX];
	uint64_t ticks_before;
	/* since the sums were taken last */
	uint64_t sums[ADRENO_COUNTERS_MAX];
	uint64_t ticks;
	uint64_t samples;
	uint64_t breaks;	/* samples that do not belong to the one before */
	/* the beginning of a sample whose end has not been read */
	uint8_t part[16 + ADRENO_COUNTERS_MAX * 8];
	size_t part_bytes;
};

/* Takes bytes as read() gave them, whole samples or not. */
void adreno_sums_feed(struct adreno_sums *s, const void *bytes, size_t len);
/* Forgets the sums, but not the last sample. */
void adreno_sums_clear(struct adreno_sums *s);
