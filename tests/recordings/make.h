/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings made byte by byte, good ones and odd ones, for the tests of everything that reads
 * them. */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/intel/platform/platform.h"
#include "core/record/record_file.h"

/* Grows; release with free(b.p). */
struct bytes {
	uint8_t *p;
	size_t len, cap;
};

#define MAKE_HZ 12000000u
#define MAKE_PERIOD 120000u	/* ticks between reports: 10 ms */
#define MAKE_REPORT 256u

static inline void make_bytes(struct bytes *b, const void *p, size_t len)
{
	if (b->len + len > b->cap) {
		b->cap = (b->len + len) * 2;
		b->p = realloc(b->p, b->cap);
		if (!b->p)
			abort();
	}
	if (len)
		memcpy(b->p + b->len, p, len);
	b->len += len;
}

static inline void make_header(struct bytes *b, uint32_t type, unsigned size)
{
	struct rec_header h = { .type = type, .size = (uint16_t)size };

	make_bytes(b, &h, sizeof(h));
}

static inline void make_record(struct bytes *b, uint32_t type, const void *payload, size_t len)
{
	make_header(b, type, (unsigned)(sizeof(struct rec_header) + len));
	make_bytes(b, payload, len);
}

static inline void make_version(struct bytes *b, uint32_t version)
{
	uint32_t v[2] = { version, 0 };

	make_record(b, REC_VERSION, v, sizeof(v));
}

/* An HD 620 (Kaby Lake GT2). */
static inline struct rec_device_info make_device(void)
{
	struct rec_device_info info = {
		.timestamp_hz = MAKE_HZ,
		.device_id = 0x5916,
		.revision = 2,
		.min_hz = 300000000,
		.max_hz = 1050000000,
		.oa_format = 10,
	};

	snprintf(info.set_name, sizeof(info.set_name), "RenderBasic");
	snprintf(info.guid, sizeof(info.guid), "99c1a40e-a090-4354-86e3-4d068bb1917e");
	return info;
}

static inline void make_info(struct bytes *b)
{
	struct rec_device_info info = make_device();

	make_record(b, REC_DEVICE_INFO, &info, sizeof(info));
}

/* 1 slice of 3 subslices of 8 EUs, padded to 8 bytes if wanted. */
static inline size_t make_topology_image(uint8_t *raw)
{
	struct topology t = { .threads_per_eu = 7, .subslice_mask_stride = 3 };

	intel_topology_make(&t, 1, 3, 8, 1, 3, 8);
	memcpy(raw, t.raw, t.raw_len);
	return t.raw_len;
}

static inline void make_topology(struct bytes *b, bool padded)
{
	uint8_t raw[sizeof(((struct topology *)0)->raw) + 8] = { 0 };
	size_t len = make_topology_image(raw);

	make_record(b, REC_TOPOLOGY, raw, padded ? (len + 7) / 8 * 8 : len);
}

static inline void make_correlation(struct bytes *b, uint64_t cpu_ns, uint64_t gpu)
{
	uint64_t pair[2] = { cpu_ns, gpu };

	make_record(b, REC_CORRELATION, pair, sizeof(pair));
}

/* The i-th report at that time stamp: timer, valid context, 900 MHz; A(k) counts (k + 1) x 1000 x i
 * beyond its 40 bits. */
static inline void make_report(uint8_t *report, uint32_t timestamp, unsigned i)
{
	uint32_t d[64] = { 1u << 19 | 1u << 16 | 54, timestamp, 0x1234, 9000000u * i };

	for (unsigned k = 0; k < 32; k++) {
		uint64_t v = (UINT64_C(0xffffff0000) + (uint64_t)(k + 1) * 1000 * i) &
			((UINT64_C(1) << 40) - 1);

		d[4 + k] = (uint32_t)v;
		d[40 + k / 4] |= (uint32_t)(v >> 32) << k % 4 * 8;
	}
	for (unsigned k = 36; k < 40; k++)
		d[k] = k * i;
	for (unsigned k = 48; k < 64; k++)
		d[k] = 0xffffff00u + k * i;
	memcpy(report, d, sizeof(d));
}

static inline void make_sample(struct bytes *b, uint32_t timestamp, unsigned i)
{
	uint8_t report[MAKE_REPORT];

	make_report(report, timestamp, i);
	make_record(b, REC_SAMPLE, report, sizeof(report));
}

static inline void make_samples(struct bytes *b, uint32_t first, unsigned from, unsigned count)
{
	for (unsigned i = from; i < from + count; i++)
		make_sample(b, first + MAKE_PERIOD * i, i);
}

static inline void make_start(struct bytes *b)
{
	make_version(b, 1);
	make_info(b);
	make_topology(b, true);
}

/* A whole good recording: n reports 10 ms apart between two correlations, CPU time 1000 s + 10 ms
 * per report. */
static inline void make_good(struct bytes *b, unsigned n)
{
	make_start(b);
	make_correlation(b, 1000000000000, UINT64_C(0x340000000) + 0x1000);
	make_samples(b, 0x40001000, 0, n);
	make_correlation(b, 1000000000000 + UINT64_C(10000000) * n,
		UINT64_C(0x340000000) + 0x1000 + (uint64_t)MAKE_PERIOD * n);
}

/* Path in a new private folder, and the end of both. */
struct temp_file {
	char dir[64];
	char path[96];
};

static inline void temp_open(struct temp_file *t)
{
	snprintf(t->dir, sizeof(t->dir), "rectest.XXXXXX");
	if (!mkdtemp(t->dir))
		abort();
	snprintf(t->path, sizeof(t->path), "%s/file", t->dir);
}

static inline void temp_write(const struct temp_file *t, const void *p, size_t len)
{
	FILE *f = fopen(t->path, "we");

	if (!f || (len && fwrite(p, 1, len, f) != len) || fclose(f))
		abort();
}

static inline void temp_close(const struct temp_file *t)
{
	unlink(t->path);
	rmdir(t->dir);
}
