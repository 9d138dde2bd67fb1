/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How fast OA reports become sums: our accumulator on each of its paths, libi915_perf, memcpy and
 * plain reading, in one run. */
#include "config.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/intel/oa/oa_records.h"
#include "base/clock.h"
#include "base/mem.h"

#define REPORTS (1u << 18)
#define STRIDE 264		/* 8 bytes of record header, 256 of report: what the kernel delivers */
#define ROUNDS 5

/* Of libi915_perf.so.1.5 (igt 1.27): one call clears the 64 deltas and adds one pair of records; of
 * the two structures it reads the report format (int at byte 48) and the shift of time stamps (int
 * at byte 168). */
typedef void accumulate_fn(uint64_t *deltas, const void *perf, const void *metric_set,
	const void *record0, const void *record1);

struct bench {
	uint8_t *records;	/* REPORTS records with headers */
	uint8_t *raw;		/* the same without */
	uint8_t *copy;
	accumulate_fn *accumulate;
	uint8_t perf[1024], metric_set[1024];
	uint64_t sums[OA_MAX_COUNTERS];
	volatile uint64_t sink;
};

static void fill(struct bench *b)
{
	static const uint8_t header[8] = { 1, 0, 0, 0, 0, 0, STRIDE & 0xff, STRIDE >> 8 };
	uint32_t words[64] = { 0 };
	uint64_t x = UINT64_C(0x9e3779b97f4a7c15);

	for (size_t i = 0; i < REPORTS; i++) {
		for (int w = 0; w < 64; w++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			words[w] += (uint32_t)(x & 0xffffff);
		}
		words[0] = 1u << 19 | 63;
		memcpy(b->records + i * STRIDE, header, 8);
		memcpy(b->records + i * STRIDE + 8, words, 256);
		memcpy(b->raw + i * 256, words, 256);
	}
}

static void run_library(struct bench *b)
{
	uint64_t deltas[64];

	for (size_t i = 0; i + 1 < REPORTS; i++) {
		b->accumulate(deltas, b->perf, b->metric_set, b->records + i * STRIDE,
			b->records + (i + 1) * STRIDE);
		b->sink += deltas[0];
	}
}

/* The library clears its accumulator at every call, so totals have to be added outside. */
static void run_library_totals(struct bench *b)
{
	uint64_t deltas[64];

	memset(b->sums, 0, sizeof(b->sums));
	for (size_t i = 0; i + 1 < REPORTS; i++) {
		b->accumulate(deltas, b->perf, b->metric_set, b->records + i * STRIDE,
			b->records + (i + 1) * STRIDE);
		for (int k = 0; k < 54; k++)
			b->sums[k] += deltas[k];
	}
}

static void run_ours(struct bench *b, const uint8_t *reports, size_t stride)
{
	struct oa_accum a;

	oa_accum_init(&a, oa_format_by_number(10));
	oa_accum_add(&a, reports, REPORTS, stride);
	oa_accum_take(&a, b->sums);
}

static void run_ours_records(struct bench *b)
{
	run_ours(b, b->records + 8, STRIDE);
}

static void run_ours_raw(struct bench *b)
{
	run_ours(b, b->raw, 256);
}

/* What a stream does: walk the records in buffers of 64 KiB, note reasons and clocks, sum. */
static void run_stream(struct bench *b)
{
	const struct device d = { .oa_format = 10, .timestamp_hz = 12000000 };
	const size_t step = 248 * (size_t)STRIDE;
	struct oa_stream s;

	oa_stream_init(&s, &d, 9, OA_BY_I915, NULL);
	for (size_t at = 0; at < REPORTS * (size_t)STRIDE; at += step) {
		size_t left = REPORTS * (size_t)STRIDE - at;

		oa_stream_records(&s, b->records + at, left < step ? left : step, NULL);
	}
	oa_accum_take(&s.accum, b->sums);
}

static void run_memcpy(struct bench *b)
{
	memcpy(b->copy, b->raw, REPORTS * (size_t)256);
	b->sink += b->copy[b->sink % 1000];
}

static void run_read(struct bench *b)
{
	uint64_t x[4] = { 0 };

	for (size_t i = 0; i < REPORTS * (size_t)256; i += 32) {
		uint64_t v[4];

		memcpy(v, b->raw + i, sizeof(v));
		for (int k = 0; k < 4; k++)
			x[k] ^= v[k];
	}
	b->sink += x[0] ^ x[1] ^ x[2] ^ x[3];
}

struct contender {
	const char *name;
	const char *path;	/* of the accumulator, NULL: none */
	void (*run)(struct bench *b);
	bool library;
	bool sums;		/* leaves the sums of all reports */
	double mreports[ROUNDS];
};

static struct contender contenders[] = {
	{ .name = "libi915_perf accumulate", .run = run_library, .library = true },
	{ .name = "libi915_perf accumulate + totals", .run = run_library_totals, .library = true, .sums = true },
	{ .name = "rooftop c, 256-byte reports", .path = "c", .run = run_ours_raw, .sums = true },
	{ .name = "rooftop c, 264-byte records", .path = "c", .run = run_ours_records, .sums = true },
	{ .name = "rooftop avx2, 256-byte reports", .path = "avx2", .run = run_ours_raw, .sums = true },
	{ .name = "rooftop avx2, 264-byte records", .path = "avx2", .run = run_ours_records, .sums = true },
	{ .name = "rooftop avx2, whole stream reader", .path = "avx2", .run = run_stream, .sums = true },
	{ .name = "memcpy of the reports", .run = run_memcpy },
	{ .name = "reading the reports (xor)", .run = run_read },
};

static bool can_run(const struct contender *c, const struct bench *b)
{
	if (c->library)
		return b->accumulate != NULL;
	return !c->path || oa_accum_force_path(c->path);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* All contenders in turn, so that a busy machine is busy for all. False when sums differ from the
 * reference. */
static bool run_rounds(struct bench *b)
{
	const struct clock machine = { .is_virtual = false };
	uint64_t want[OA_MAX_COUNTERS];
	bool same = true;

	oa_accum_force_path("c");
	run_ours_raw(b);
	memcpy(want, b->sums, sizeof(want));
	for (int round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < ARRAY_LEN(contenders); i++) {
			struct contender *c = &contenders[i];
			int64_t t0;

			if (!can_run(c, b))
				continue;
			t0 = clock_mono_ns(&machine);
			c->run(b);
			c->mreports[round] = REPORTS * 1e3 / (double)(clock_mono_ns(&machine) - t0);
			if (c->sums && memcmp(want, b->sums, 54 * sizeof(want[0]))) {
				printf("%s: its sums differ\n", c->name);
				same = false;
			}
		}
	return same;
}

static void print_results(double library, double copy)
{
	printf("%-36s %12s %8s %12s %10s\n", "", "M reports/s", "GB/s", "x library", "x memcpy");
	for (size_t i = 0; i < ARRAY_LEN(contenders); i++) {
		double m = contenders[i].mreports[ROUNDS / 2];

		if (m > 0)
			printf("%-36s %12.2f %8.2f %12.1f %10.2f\n", contenders[i].name, m,
				m * 256 / 1e3, library > 0 ? m / library : 0, m / copy);
		else
			printf("%-36s %12s\n", contenders[i].name, "not here");
	}
}

static void load_library(struct bench *b)
{
	static const int format = 10;
	void *lib = dlopen("libi915_perf.so.1.5", RTLD_NOW | RTLD_LOCAL);

	if (lib)
		*(void **)&b->accumulate = dlsym(lib, "intel_perf_accumulate_reports");
	memcpy(b->metric_set + 48, &format, sizeof(format));
}

int main(void)
{
	struct bench *b = xcalloc(1, sizeof(*b));
	bool same;

	b->records = xmalloc(REPORTS * (size_t)STRIDE);
	b->raw = xmalloc(REPORTS * (size_t)256);
	b->copy = xcalloc(REPORTS, 256);
	fill(b);
	load_library(b);
	same = run_rounds(b);
	for (size_t i = 0; i < ARRAY_LEN(contenders); i++)
		qsort(contenders[i].mreports, ROUNDS, sizeof(double), by_value);
	printf("%u A32u40_A4u32_B8_C8 reports, medians of %d rounds\n", REPORTS, ROUNDS);
	print_results(contenders[0].mreports[ROUNDS / 2], contenders[7].mreports[ROUNDS / 2]);
	free(b->records);
	free(b->raw);
	free(b->copy);
	free(b);
	return same ? 0 : 1;
}
