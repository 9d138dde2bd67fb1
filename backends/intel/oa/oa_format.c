/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layouts of OA reports as rows of a table, and the one decoder that walks them. */
#include "config.h"

#include "backends/intel/oa/oa_format.h"

#include <assert.h>
#include <endian.h>
#include <stdio.h>
#include <string.h>

#include "backends/intel/oa/oa_accum.h"
#include "base/mem.h"

/* A run of counters is written as first number, count, byte of the first low part, and byte of the
 * first high part. */
#define R32(bank, first, n, low) { bank, first, n, low, 4, 0, 32 }
#define R40(bank, first, n, low, high) { bank, first, n, low, 4, high, 40 }
#define R64(bank, first, n, low) { bank, first, n, low, 8, 0, 64 }
#define B8_C8(b) R32('B', 0, 8, b), R32('C', 0, 8, (b) + 32)

/* Some sources disagree: igt's offsets for A12 (byte 12), B4_C8_A16 (A at byte 60) and Haswell's
 * C4_B8 (B at byte 28) would make counters overlap. The rows here follow the manuals, where every
 * dword has one owner. OAC_A24u64_B8_C8 lacks its first 16 A counters, because no source at hand
 * says which ones they are. The xe formats PEC64u32, PEC32*, PEC36*, PEC64u64_B8_C8 and
 * OAC_A22u32_R2u32_B8_C8 have no rows, because only their sizes are known. */
const struct oa_format oa_formats[] = {
	{ "A13", 1, 0, 0, 64, 32, false, { R32('A', 0, 13, 12) }, "igt lib/i915/perf.c; Linux oa_formats" },
	{ "A29", 2, 0, 1, 128, 32, false, { R32('A', 0, 29, 12) }, "igt lib/i915/perf.c; Linux oa_formats" },
	{ "A13_B8_C8", 3, 0, 2, 128, 32, false, { R32('A', 0, 13, 12), B8_C8(64) }, "igt lib/i915/perf.c; Linux oa_formats" },
	{ "B4_C8", 4, 0, 4, 64, 32, false, { R32('B', 0, 4, 16), R32('C', 0, 8, 32) }, "igt lib/i915/perf.c; Linux oa_formats" },
	{ "A45_B8_C8", 5, 0, 5, 256, 32, false, { R32('A', 0, 45, 12), B8_C8(192) }, "igt lib/i915/perf.c; Linux oa_formats" },
	{ "B4_C8_A16", 6, 0, 6, 128, 32, false, { R32('A', 29, 16, 64), R32('B', 0, 4, 16), R32('C', 0, 8, 32) },
	  "Linux oa_formats; A at 64 computed: 16 + 4 x 4 + 8 x 4" },
	{ "C4_B8", 7, 0x700, 7, 64, 32, true, { R32('B', 0, 8, 32), R32('C', 0, 4, 16) }, "PRM Observability, counter select 0b111" },
	{ "A12", 8, 0, 0, 64, 32, true, { R32('A', 7, 12, 16) }, "PRM Observability, counter select 0b000" },
	{ "A12_B8_C8", 9, 0x200, 2, 128, 32, true, { R32('A', 7, 12, 16), B8_C8(64) }, "PRM Observability, counter select 0b010" },
	{ "A32u40_A4u32_B8_C8", 10, 0x500, 5, 256, 32, true, { R40('A', 0, 32, 16, 160), R32('A', 32, 4, 144), B8_C8(192) },
	  "PRM Observability, counter select 0b101; igt perf_data_reader.c" },
	{ "OAR_A32u40_A4u32_B8_C8", 11, 0x501, 5, 256, 32, true, { R40('A', 0, 32, 16, 160), R32('A', 32, 4, 144), B8_C8(192) },
	  "PRM Observability, counter select 0b101; Linux oa_formats" },
	{ "A24u40_A14u32_B8_C8", 12, 0x500, 5, 256, 32, true,
	  { R32('A', 0, 4, 16), R40('A', 4, 20, 32, 164), R32('A', 24, 4, 112), R40('A', 28, 4, 128, 188), R32('A', 32, 5, 144),
	    R32('A', 37, 1, 184), B8_C8(192) }, "igt lib/i915/perf.c" },
	{ "OAM_MPEC8u64_B8_C8", 13, 0x104, 1, 192, 64, true, { R64('M', 0, 8, 32), B8_C8(96) }, "igt lib/i915/perf.c, tests/intel/xe_oa.c" },
	{ "OAM_MPEC8u32_B8_C8", 14, 0x204, 2, 128, 64, true, { R32('M', 0, 8, 32), B8_C8(64) }, "igt lib/i915/perf.c, tests/intel/xe_oa.c" },
	{ "PEC64u64", 0, 0x10105, 1, 576, 64, true, { R64('P', 0, 64, 32) }, "igt tests/intel/xe_oa.c; Linux xe_oa.c" },
	{ "OAC_A24u64_B8_C8", 0, 0x103, 1, 320, 64, true, { R64('A', 28, 8, 160), B8_C8(224) }, "igt tests/intel/xe_oa.c" },
};

const size_t oa_format_count = ARRAY_LEN(oa_formats);

const struct oa_format *oa_format_by_number(int number)
{
	for (size_t i = 0; number > 0 && i < oa_format_count; i++)
		if (number <= UINT8_MAX ? oa_formats[i].i915_format == number
					: oa_formats[i].xe_format == (uint32_t)number)
			return &oa_formats[i];
	return NULL;
}

/* The names stand in the order of enum intel_xe_oa_format_name (igt-gpu-tools lib/xe/xe_oa.h), from
 * 1 on. */
static const char *const xe_names[] = { "C4_B8", "A12", "A12_B8_C8", "A32u40_A4u32_B8_C8",
	"OAR_A32u40_A4u32_B8_C8", "A24u40_A14u32_B8_C8", "OAC_A24u64_B8_C8",
	"OAC_A22u32_R2u32_B8_C8", "OAM_MPEC8u64_B8_C8", "OAM_MPEC8u32_B8_C8", "PEC64u64" };

const struct oa_format *oa_format_by_xe_number(uint32_t number)
{
	for (size_t i = 0; number > 0 && number <= ARRAY_LEN(xe_names) && i < oa_format_count; i++)
		if (!strcmp(oa_formats[i].name, xe_names[number - 1]))
			return &oa_formats[i];
	return NULL;
}

uint32_t oa_format_xe_number(const struct oa_format *f)
{
	for (uint32_t i = 0; i < ARRAY_LEN(xe_names); i++)
		if (!strcmp(f->name, xe_names[i]))
			return i + 1;
	return 0;
}

int oa_format_number(const struct oa_format *f)
{
	return f->i915_format ? f->i915_format : (int)f->xe_format;
}

static void describe(struct counter_desc *d, const char *name, const char *unit, int bits)
{
	*d = (struct counter_desc){ .bits = (uint8_t)bits, .kind = COUNTER_CUMULATIVE };
	snprintf(d->name, sizeof(d->name), "%s", name);
	snprintf(d->unit, sizeof(d->unit), "%s", unit);
}

/* From Gen8 on A0 and the flexible counters A7 to A20 count clocks (PRM Observability, aggregating
 * counters). */
static bool counts_cycles(const struct oa_format *f, char bank, int number)
{
	return bank == 'A' && f->has_ticks && f->header_bits == 32 &&
		(number == 0 || (number >= 7 && number <= 20));
}

int oa_format_counters(const struct oa_format *f, struct counter_desc *desc)
{
	char name[16];
	int n = OA_FIRST_RUN;

	if (desc) {
		describe(&desc[OA_TIMESTAMP], "TIMESTAMP", "tick", oa_timestamp_bits(f));
		/* The counter is nameless where there is none: what stands in its place would be
		 * taken for a count of 0. */
		describe(&desc[OA_GPU_TICKS], f->has_ticks ? "GPU_TICKS" : "", "cycle",
			f->header_bits);
	}
	for (const struct oa_run *r = f->runs; r->count > 0; r++)
		for (int i = r->first; i < r->first + r->count; i++, n++) {
			if (!desc)
				continue;
			snprintf(name, sizeof(name), "%c%d", r->bank, i);
			describe(&desc[n], name, counts_cycles(f, r->bank, i) ? "cycle" : "1",
				r->bits);
		}
	assert(n <= OA_MAX_COUNTERS);
	return n;
}

static uint64_t run_value(const struct oa_run *r, const uint8_t *report, int i)
{
	if (r->low_bytes == 8)
		return oa_get_u64(report + r->low + 8 * i);
	uint64_t v = oa_get_u32(report + r->low + 4 * i);
	if (r->high_byte)
		v |= (uint64_t)report[r->high_byte + i] << 32;
	return v;
}

void oa_decode(const struct oa_format *f, const void *report, uint64_t *values)
{
	const uint8_t *p = report;
	struct oa_header h;

	oa_read_header(f, report, &h);
	*values++ = h.timestamp;
	if (f->header_bits == 64)
		*values++ = oa_get_u64(p + 24);
	else
		*values++ = f->has_ticks ? oa_get_u32(p + 12) : 0;
	for (const struct oa_run *r = f->runs; r->count > 0; r++)
		for (int i = 0; i < r->count; i++)
			*values++ = run_value(r, p, i);
}

static void put_u32(uint8_t *p, uint32_t v)
{
	v = htole32(v);
	memcpy(p, &v, sizeof(v));
}

static void put_u64(uint8_t *p, uint64_t v)
{
	v = htole64(v);
	memcpy(p, &v, sizeof(v));
}

static void put_run(const struct oa_run *r, const uint64_t *values, uint8_t *report)
{
	/* Every byte of the report could be one of r's, as far as a compiler knows. */
	const struct oa_run run = *r;
	uint8_t *low = report + run.low, *high = report + run.high_byte;

	if (run.low_bytes == 8)
		for (int i = 0; i < run.count; i++)
			put_u64(low + 8 * i, values[i]);
	else
		for (int i = 0; i < run.count; i++)
			put_u32(low + 4 * i, (uint32_t)values[i]);
	for (int i = 0; run.high_byte && i < run.count; i++)
		high[i] = (uint8_t)(values[i] >> 32);
}

void oa_encode(
	const struct oa_format *f, const struct oa_header *h, const uint64_t *values, void *report)
{
	uint8_t *p = report;

	memset(p, 0, f->bytes);
	if (f->header_bits == 64) {
		put_u64(p, h->id);
		put_u64(p + 8, h->timestamp);
		put_u32(p + 16, h->ctx_id);
		put_u64(p + 24, values[1]);
	} else {
		put_u32(p, (uint32_t)h->id);
		put_u32(p + 4, (uint32_t)h->timestamp);
		put_u32(p + 8, h->ctx_id);
		if (f->has_ticks)
			put_u32(p + 12, (uint32_t)values[1]);
	}
	values += 2;
	for (const struct oa_run *r = f->runs; r->count > 0; values += r->count, r++)
		put_run(r, values, p);
}

void oa_read_header(const struct oa_format *f, const void *report, struct oa_header *out)
{
	const uint8_t *p = report;

	if (f->header_bits == 64) {
		out->id = oa_get_u64(p);
		out->timestamp = oa_get_u64(p + 8) & OA_TIMESTAMP64_MASK;
		out->ctx_id = oa_get_u32(p + 16);
	} else {
		out->id = oa_get_u32(p);
		out->timestamp = oa_get_u32(p + 4);
		out->ctx_id = oa_get_u32(p + 8);
	}
}

/* What a report id means in each generation. valid_bit -1 means never valid, OA_ALWAYS means
 * always. On Gen12 the kernel has replaced the context id of foreign contexts already, and bit 16
 * means "timer enabled" in Intel's manual. */
#define OA_ALWAYS 64

struct id_layout {
	uint8_t first_ver;	/* of a range that ends where the next row begins */
	uint8_t reasons;	/* bits defined from bit 19 on; 0: every report is a timer report */
	int8_t valid_bit;
	const char *source;
};

static const struct id_layout id_layouts[] = {
	{ 12, 0x7f, OA_ALWAYS, "Linux i915_perf.c gen12 reason mask; libi915_perf context rule" },
	{ 9, 0x3f, 16, "Linux i915_perf.c gen8 and gen11 reason mask" },
	{ 8, 0x1f, 25, "Linux i915_perf.c; PRM BDW: no clock ratio reason" },
	{ 0, 0, -1, "Haswell has no reason field" },
};

static const struct id_layout *id_layout(int graphics_ver)
{
	const struct id_layout *l = id_layouts;

	while (graphics_ver < l->first_ver && l < &id_layouts[ARRAY_LEN(id_layouts) - 1])
		l++;
	return l;
}

unsigned oa_reasons(int graphics_ver, uint64_t id)
{
	const struct id_layout *l = id_layout(graphics_ver);

	return l->reasons ? (unsigned)(id >> 19) & l->reasons : OA_REASON_TIMER;
}

const char *oa_id_text(int graphics_ver, uint64_t id, char *buf, size_t size)
{
	static const struct {
		uint8_t first_ver, last_ver, bit;
		const char *word;
	} words[] = {
		{ 8, UINT8_MAX, 19, "timer" },
		{ 8, UINT8_MAX, 20, "trigger1" },
		{ 8, UINT8_MAX, 21, "trigger2" },
		{ 8, UINT8_MAX, 22, "context-switch" },
		{ 8, UINT8_MAX, 23, "go-transition" },
		{ 9, UINT8_MAX, 24, "clock-ratio-change" },
		{ 12, UINT8_MAX, 25, "mmio-trigger" },
		/* Tiger Lake's manual, report format; later ones are not described. */
		{ 12, 12, 17, "threshold" },
		{ 12, 12, 18, "started" },
	};
	size_t n = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(words) && n < size; i++)
		if (graphics_ver >= words[i].first_ver && graphics_ver <= words[i].last_ver &&
			id >> words[i].bit & 1)
			n += (size_t)snprintf(
				buf + n, size - n, n ? " %s" : "%s", words[i].word);
	return buf;
}

bool oa_ctx_valid(int graphics_ver, uint64_t id)
{
	int bit = id_layout(graphics_ver)->valid_bit;

	if (bit == OA_ALWAYS)
		return true;
	return bit >= 0 && (id >> bit & 1);
}

/* The unslice ratio is in bits 8:0; the slice ratio is in 31:25 (low part) and 10:9 (high part).
 * See igt tests/intel/perf.c. */
void oa_clock_ratios(uint64_t id, uint64_t *unslice_hz, uint64_t *slice_hz)
{
	uint64_t unslice = id & 0x1ff;
	uint64_t slice = (id >> 25 & 0x7f) | (id >> 9 & 0x3) << 7;

	*unslice_hz = unslice * 50000000 / 3;
	*slice_hz = slice * 50000000 / 3;
}
