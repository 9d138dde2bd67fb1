/* SPDX-License-Identifier: GPL-3.0-or-later */
/* OA report layouts as a table, one decoder, one accumulator. Pure: shared by the kernel streams,
 * replay, the model and the tests. Layouts: PRM Observability chapters; Linux i915_perf.c
 * oa_formats, xe_oa.c; igt lib/i915/perf.c. */
#ifndef BACKENDS_INTEL_OA_OA_FORMAT_H
#define BACKENDS_INTEL_OA_OA_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/counter.h"

#define OA_MAX_COUNTERS 72	/* TIMESTAMP, GPU_TICKS, then A, B, C (or MPEC, PEC) */

/* A run of counters with the same shape: count counters from number first ("A4"), low parts as
 * consecutive words of low_bytes from byte low; high_byte: first of consecutive bytes that hold
 * bits 39:32, 0 when there are none. bits: 32, 40 or 64. */
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
/* The number is that of device.oa_format and of recordings: i915's own, or, above 255, the property
 * of xe. */
const struct oa_format *oa_format_by_number(int number);
const struct oa_format *oa_format_by_name(const char *name);

/* Position of counters in decoded arrays: 0 TIMESTAMP, 1 GPU_TICKS (nameless and 0 when the format
 * has none), then the runs in order of bank and number. Returns the number of counters and fills
 * desc (OA_MAX_COUNTERS) when not NULL. */
int oa_format_counters(const struct oa_format *f, struct counter_desc *desc);
/* Index of "A7", "B0", "TIMESTAMP", ...; -1 when the format lacks it. */
int oa_format_index(const struct oa_format *f, const char *name);

/* The number of a format, for device.oa_format. */
int oa_format_number(const struct oa_format *f);

/* Reads all counter values of one report, which has f->bytes bytes at any alignment. */
void oa_decode(const struct oa_format *f, const void *report, uint64_t *values);

/* The header of a report: RPT_ID, TIME_STAMP, CTX_ID. */
struct oa_header {
	uint64_t id, timestamp;
	uint32_t ctx_id;
};
void oa_read_header(const struct oa_format *f, const void *report, struct oa_header *out);

/* The inverse of oa_decode(): header fields and values (values[0], the time stamp, is the header's)
 * of one report of f->bytes bytes. */
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
/* graphics_ver: 7 (Haswell: always timer), 8, 9, 11, 12, 20. Several bits may be set; 0 when
 * none. */
unsigned oa_reasons(int graphics_ver, uint64_t id);
/* Name of the lowest set reason as i915-perf-reader prints it: "timer", "trigger1",
 * "context-switch", "unknown", ... */
const char *oa_reason_name(unsigned reasons);
bool oa_ctx_valid(int graphics_ver, uint64_t id);
/* Clock ratios of Gen9+ ids in Hz (ratio x 50/3 MHz); slice_hz is unreliable on Gen12. */
void oa_clock_ratios(uint64_t id, uint64_t *unslice_hz, uint64_t *slice_hz);

/* Sums of wrap-safe deltas over consecutive reports. Storage is the caller's; all zero plus
 * oa_accum_init is a valid start. */
struct oa_accum {
	const struct oa_format *format;
	int timestamp_shift;		/* 0; reports' time stamps are used as they are */
	bool has_base;
	uint8_t base[1024];		/* the previous report */
	uint64_t reports;		/* deltas added since the last take */
	uint64_t sum[OA_MAX_COUNTERS];
};

void oa_accum_init(struct oa_accum *a, const struct oa_format *f);
/* Adds count reports that lie stride bytes apart (stride == bytes for raw buffers, bytes + 8 inside
 * kernel records). The first one ever, or after oa_accum_rebase, only becomes the base. Uses the
 * fastest code the CPU has. */
void oa_accum_add(struct oa_accum *a, const void *reports, size_t count, size_t stride);
/* The next report starts anew: buffer lost. Sums stay. */
void oa_accum_rebase(struct oa_accum *a);
/* Copies the sums (oa_format_counters() values) and clears them; the base stays. Returns the number
 * of deltas summed. */
uint64_t oa_accum_take(struct oa_accum *a, uint64_t *values);
/* Name of the code path in use: "avx2", "c". */
const char *oa_accum_path(void);
/* For tests and benchmarks: forces a path by name; false when the CPU lacks it. */
bool oa_accum_force_path(const char *name);

#endif
