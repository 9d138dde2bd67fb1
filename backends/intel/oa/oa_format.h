/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of OA report layouts, with one decoder and one accumulator. They are pure: the kernel
 * streams, replay, the model and the tests share them. The layouts are from the PRM Observability
 * chapters; Linux i915_perf.c oa_formats, xe_oa.c; igt lib/i915/perf.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/value/counter.h"

#define OA_MAX_COUNTERS 72	/* TIMESTAMP, GPU_TICKS, then A, B, C (or MPEC, PEC) */

/* A run of count counters of the same shape, numbered from first on ("A4"). Their low parts are
 * consecutive words of low_bytes, from byte low on. high_byte is the first of the consecutive bytes
 * that hold bits 39:32, or 0 when there are none. bits: 32, 40 or 64. */
struct oa_run {
	char bank;		/* 'A', 'B', 'C', 'P' (PEC), 'M' (MPEC) */
	uint8_t first, count;
	uint16_t low;
	uint8_t low_bytes;	/* 4 or 8 */
	uint16_t high_byte;
	uint8_t bits;
};

#define OA_MAX_RUNS 10

struct oa_format {
	const char *name;	/* "A32u40_A4u32_B8_C8" */
	uint8_t i915_format;	/* enum drm_i915_oa_format, 0 when i915 has no number for it */
	/* property OA_FORMAT of xe: type | select << 8 | 64-bit counters << 16 | B and C << 24; 0
	 * when xe has none */
	uint32_t xe_format;
	uint8_t select;		/* hardware Counter Select */
	uint16_t bytes;
	uint8_t header_bits;	/* 32 or 64 */
	bool has_ticks;		/* false on Haswell: no GPU_TICKS in the report */
	struct oa_run runs[OA_MAX_RUNS];
	const char *source;
};

extern const struct oa_format oa_formats[];
extern const size_t oa_format_count;
/* Finds a format by the number that device.oa_format and recordings use: i915's own number, or,
 * above 255, the property of xe. */
const struct oa_format *oa_format_by_number(int number);
int oa_format_number(const struct oa_format *f);
/* Returns the same for the numbers in the files of xe-perf-recorder; 0 means that it has none. */
const struct oa_format *oa_format_by_xe_number(uint32_t number);
uint32_t oa_format_xe_number(const struct oa_format *f);

/* Counters stand in decoded arrays in this order: 0 is TIMESTAMP, 1 is GPU_TICKS (nameless and 0
 * when the format has none), then the runs follow by bank and number. Returns the number of
 * counters, and fills desc (OA_MAX_COUNTERS) when it is not NULL. */
int oa_format_counters(const struct oa_format *f, struct counter_desc *desc);

/* Reads all counter values of one report, which has f->bytes bytes at any alignment. */
void oa_decode(const struct oa_format *f, const void *report, uint64_t *values);

/* The header of a report has RPT_ID, TIME_STAMP, CTX_ID. */
struct oa_header {
	uint64_t id, timestamp;
	uint32_t ctx_id;
};
void oa_read_header(const struct oa_format *f, const void *report, struct oa_header *out);

/* Does the inverse of oa_decode(): writes one report of f->bytes bytes from the header's fields and
 * the values. The time stamp comes from the header, not from values[0]. */
void oa_encode(
	const struct oa_format *f, const struct oa_header *h, const uint64_t *values, void *report);

enum oa_reason {
	OA_REASON_TIMER = 1 << 0,
	OA_REASON_TRIGGER1 = 1 << 1,
	OA_REASON_TRIGGER2 = 1 << 2,
	OA_REASON_CTX_SWITCH = 1 << 3,
	OA_REASON_GO_TRANSITION = 1 << 4,
	OA_REASON_CLK_RATIO = 1 << 5,
	OA_REASON_MMIO = 1 << 6,
};
/* Returns the reasons in a report id; several bits may be set, or none (0). graphics_ver: 7
 * (Haswell: always timer), 8, 9, 11, 12, 20. */
unsigned oa_reasons(int graphics_ver, uint64_t id);
bool oa_ctx_valid(int graphics_ver, uint64_t id);
/* Writes why a report was made, in words of machine output ("timer", "trigger1 context-switch"),
 * and on Gen12 what the id says about triggers: "threshold" (the report trigger compares with one)
 * and "started" (the start trigger has fired). "" where ids do not tell. Returns buf. */
const char *oa_id_text(int graphics_ver, uint64_t id, char *buf, size_t size);
/* Turns the clock ratios in a Gen9+ id into Hz (ratio x 50/3 MHz); slice_hz is unreliable on
 * Gen12. */
void oa_clock_ratios(uint64_t id, uint64_t *unslice_hz, uint64_t *slice_hz);

/* Sums of wrap-safe deltas over consecutive reports. The caller owns the storage. A struct of zeros
 * becomes valid by oa_accum_init(). */
struct oa_accum {
	const struct oa_format *format;
	bool has_base;
	uint8_t base[1024];		/* the previous report */
	uint64_t reports;		/* deltas added since the last take */
	uint64_t sum[OA_MAX_COUNTERS];
};

void oa_accum_init(struct oa_accum *a, const struct oa_format *f);
/* Adds count reports that lie stride bytes apart (stride == bytes for raw buffers, bytes + 8 inside
 * kernel records). The very first report, and the first one after oa_accum_rebase(), only becomes
 * the base. Uses the fastest code that the CPU has. */
void oa_accum_add(struct oa_accum *a, const void *reports, size_t count, size_t stride);
/* Makes the next report a new base, because a buffer was lost. The sums stay. */
void oa_accum_rebase(struct oa_accum *a);
/* Copies the sums (the values of oa_format_counters()) and clears them; the base stays. Returns the
 * number of deltas in them. */
uint64_t oa_accum_take(struct oa_accum *a, uint64_t *values);
/* Returns the name of the code path in use: "avx2", "c". */
const char *oa_accum_path(void);
/* Forces a path by name, for tests and benchmarks. Returns false when the CPU lacks it. */
bool oa_accum_force_path(const char *name);
