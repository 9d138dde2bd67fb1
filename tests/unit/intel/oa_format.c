/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report layouts: every row of the table is sound, and decodes a counting pattern to the values of
 * its manual page. */
#include "config.h"

#include "backends/intel/oa/oa_format.h"

#include <inttypes.h>

#include "base/mem.h"
#include "tests/tap.h"
#include "tests/unit/intel/by_name.h"

static size_t header_end(const struct oa_format *f)
{
	if (f->header_bits == 64)
		return 32;
	return f->has_ticks ? 16 : 12;
}

/* Every byte of a report belongs to at most one counter, none to the header and a counter. */
static bool claim(char *owner, size_t from, size_t n, size_t bytes)
{
	for (size_t i = from; i < from + n; i++) {
		if (i >= bytes || owner[i])
			return false;
		owner[i] = 1;
	}
	return true;
}

static void test_rows(void)
{
	for (size_t i = 0; i < oa_format_count; i++) {
		const struct oa_format *f = &oa_formats[i];
		struct counter_desc desc[OA_MAX_COUNTERS];
		char owner[1024] = { 0 };
		bool sound = claim(owner, 0, header_end(f), f->bytes);
		bool named = true;
		int n = oa_format_counters(f, desc);

		for (const struct oa_run *r = f->runs; r->count; r++) {
			sound &= claim(owner, r->low, (size_t)r->count * r->low_bytes, f->bytes);
			sound &= r->low % r->low_bytes == 0 &&
				(r->bits == 40) == (r->high_byte != 0) &&
				r->bits >= 8 * r->low_bytes;
			if (r->high_byte)
				sound &= claim(owner, r->high_byte, r->count, f->bytes);
		}
		ok(sound, "%s: counters lie inside %u bytes and do not overlap", f->name, f->bytes);
		for (int k = 0; k < n; k++)
			named &= k == 1 && !f->has_ticks ? oa_format_index(f, desc[k].name) == -1
							 : oa_format_index(f, desc[k].name) == k;
		ok(named, "%s: %d names lead back to their positions", f->name, n);
		ok(oa_format_by_name(f->name) == f, "%s: found by name", f->name);
		if (f->i915_format)
			ok(oa_format_by_number(f->i915_format) == f, "%s: found by number %d",
				f->name, f->i915_format);
		ok(oa_format_number(f) == 0 || oa_format_by_number(oa_format_number(f)) == f,
			"%s: found by its own number", f->name);
		ok(f->source && f->source[0], "%s: has a source", f->name);
	}
	is_str(oa_format_by_number(0x10105)->name, "PEC64u64",
		"the number of xe for what i915 has none for");
	for (int number = 1; number <= 14; number++)
		ok(oa_format_by_number(number) != NULL, "i915 format %d has a row", number);
	ok(!oa_format_by_number(0), "number 0 is no format");
	ok(!oa_format_by_number(15) && !oa_format_by_number(-1),
		"numbers outside the enum are no formats");
	ok(!oa_format_by_name("A99"), "unknown name");
}

struct pattern_row {
	const char *format;
	const char *counter;
	uint64_t want;
};

/* Of a report whose byte i holds i modulo 256: a dword at byte 0x10 reads 0x13121110. */
static const struct pattern_row patterns[] = {
	{ "A13", "TIMESTAMP", 0x07060504 },
	{ "A13", "A0", 0x0f0e0d0c },
	{ "A13", "A12", 0x3f3e3d3c },
	{ "A29", "A28", 0x7f7e7d7c },
	{ "A13_B8_C8", "A12", 0x3f3e3d3c },
	{ "A13_B8_C8", "B0", 0x43424140 },
	{ "A13_B8_C8", "C7", 0x7f7e7d7c },
	{ "B4_C8", "B0", 0x13121110 },
	{ "B4_C8", "B3", 0x1f1e1d1c },
	{ "B4_C8", "C0", 0x23222120 },
	{ "A45_B8_C8", "TIMESTAMP", 0x07060504 },
	{ "A45_B8_C8", "A0", 0x0f0e0d0c },
	{ "A45_B8_C8", "A44", 0xbfbebdbc },
	{ "A45_B8_C8", "B0", 0xc3c2c1c0 },
	{ "A45_B8_C8", "C2", 0xebeae9e8 },
	{ "A45_B8_C8", "C7", 0xfffefdfc },
	{ "B4_C8_A16", "A29", 0x43424140 },
	{ "B4_C8_A16", "A44", 0x7f7e7d7c },
	{ "B4_C8_A16", "C7", 0x3f3e3d3c },
	{ "C4_B8", "GPU_TICKS", 0x0f0e0d0c },
	{ "C4_B8", "C0", 0x13121110 },
	{ "C4_B8", "B0", 0x23222120 },
	{ "A12", "A7", 0x13121110 },
	{ "A12", "A18", 0x3f3e3d3c },
	{ "A12_B8_C8", "A7", 0x13121110 },
	{ "A12_B8_C8", "B0", 0x43424140 },
	{ "A12_B8_C8", "C0", 0x63626160 },
	{ "A32u40_A4u32_B8_C8", "TIMESTAMP", 0x07060504 },
	{ "A32u40_A4u32_B8_C8", "GPU_TICKS", 0x0f0e0d0c },
	{ "A32u40_A4u32_B8_C8", "A0", 0xa013121110 },
	{ "A32u40_A4u32_B8_C8", "A7", 0xa72f2e2d2c },
	{ "A32u40_A4u32_B8_C8", "A31", 0xbf8f8e8d8c },
	{ "A32u40_A4u32_B8_C8", "A32", 0x93929190 },
	{ "A32u40_A4u32_B8_C8", "A35", 0x9f9e9d9c },
	{ "A32u40_A4u32_B8_C8", "B0", 0xc3c2c1c0 },
	{ "A32u40_A4u32_B8_C8", "C7", 0xfffefdfc },
	{ "OAR_A32u40_A4u32_B8_C8", "A31", 0xbf8f8e8d8c },
	{ "A24u40_A14u32_B8_C8", "A0", 0x13121110 },
	{ "A24u40_A14u32_B8_C8", "A3", 0x1f1e1d1c },
	{ "A24u40_A14u32_B8_C8", "A4", 0xa423222120 },
	{ "A24u40_A14u32_B8_C8", "A23", 0xb76f6e6d6c },
	{ "A24u40_A14u32_B8_C8", "A24", 0x73727170 },
	{ "A24u40_A14u32_B8_C8", "A28", 0xbc83828180 },
	{ "A24u40_A14u32_B8_C8", "A31", 0xbf8f8e8d8c },
	{ "A24u40_A14u32_B8_C8", "A36", 0xa3a2a1a0 },
	{ "A24u40_A14u32_B8_C8", "A37", 0xbbbab9b8 },
	{ "A24u40_A14u32_B8_C8", "B7", 0xdfdedddc },
	{ "OAM_MPEC8u64_B8_C8", "TIMESTAMP", 0x0e0d0c0b0a0908 },
	{ "OAM_MPEC8u64_B8_C8", "GPU_TICKS", 0x1f1e1d1c1b1a1918 },
	{ "OAM_MPEC8u64_B8_C8", "M0", 0x2726252423222120 },
	{ "OAM_MPEC8u64_B8_C8", "M7", 0x5f5e5d5c5b5a5958 },
	{ "OAM_MPEC8u64_B8_C8", "B0", 0x63626160 },
	{ "OAM_MPEC8u64_B8_C8", "C0", 0x83828180 },
	{ "OAM_MPEC8u32_B8_C8", "M7", 0x3f3e3d3c },
	{ "OAM_MPEC8u32_B8_C8", "B0", 0x43424140 },
	{ "OAM_MPEC8u32_B8_C8", "C7", 0x7f7e7d7c },
	{ "PEC64u64", "P0", 0x2726252423222120 },
	{ "PEC64u64", "P63", 0x1f1e1d1c1b1a1918 },
	{ "OAC_A24u64_B8_C8", "A28", 0xa7a6a5a4a3a2a1a0 },
	{ "OAC_A24u64_B8_C8", "B0", 0xe3e2e1e0 },
	{ "OAC_A24u64_B8_C8", "C7", 0x1f1e1d1c },
};

static void test_patterns(void)
{
	uint8_t bytes[1025];
	uint64_t values[OA_MAX_COUNTERS];

	for (size_t i = 0; i < sizeof(bytes) - 1; i++)
		bytes[1 + i] = (uint8_t)i;	/* an odd address on purpose */
	for (size_t i = 0; i < ARRAY_LEN(patterns); i++) {
		const struct pattern_row *row = &patterns[i];
		const struct oa_format *f = oa_format_by_name(row->format);
		int k = oa_format_index(f, row->counter);

		oa_decode(f, bytes + 1, values);
		ok(k >= 0 && values[k] == row->want, "%s %s is %#" PRIx64 " (got %#" PRIx64 ")",
			row->format, row->counter, row->want, k >= 0 ? values[k] : 0);
	}
	oa_decode(oa_format_by_number(5), bytes + 1, values);
	is_int(values[1], 0, "Haswell reports have no GPU_TICKS: 0");
}

struct count_row {
	int i915_format;
	int counters;
};

static void test_counts(void)
{
	static const struct count_row rows[] = {
		{ 1, 15 }, { 2, 31 }, { 3, 31 }, { 4, 14 }, { 5, 63 }, { 6, 30 }, { 7, 14 }, { 8, 14 }, { 9, 30 }, { 10, 54 }, { 11, 54 },
		{ 12, 56 }, { 13, 26 }, { 14, 26 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		is_int(oa_format_counters(oa_format_by_number(rows[i].i915_format), NULL),
			rows[i].counters, "counters of format %d", rows[i].i915_format);
}

static void test_bad_names(void)
{
	static const char *const names[] = {
		"",
		"A",
		"A36",
		"A00",
		"A0x1",
		"A-1",
		"A 1",
		"A1 ",
		"B8",
		"C8",
		"D0",
		"P0",
		"a0",
		"A4294967296",
		"A18446744073709551616",
		"TIMESTAMPS",
		"GPU_TICK",
	};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		is_int(oa_format_index(oa_format_by_number(10), names[i]), -1,
			"format 10 has no '%s'", names[i]);
}

struct unit_row {
	int i915_format;
	const char *counter;
	const char *unit;
	int bits;
};

static void test_units(void)
{
	static const struct unit_row rows[] = {
		{ 10, "TIMESTAMP", "tick", 32 }, { 10, "GPU_TICKS", "cycle", 32 }, { 10, "A0", "cycle", 40 }, { 10, "A6", "1", 40 },
		{ 10, "A7", "cycle", 40 }, { 10, "A20", "cycle", 40 }, { 10, "A21", "1", 40 }, { 10, "A32", "1", 32 }, { 10, "C7", "1", 32 },
		{ 12, "A0", "cycle", 32 }, { 12, "A4", "1", 40 }, { 5, "A0", "1", 32 }, { 5, "A7", "1", 32 }, { 13, "M0", "1", 64 },
		{ 5, "TIMESTAMP", "tick", 32 },
		{ 13, "TIMESTAMP", "tick", 56 }, { 13, "GPU_TICKS", "cycle", 64 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct oa_format *f = oa_format_by_number(rows[i].i915_format);
		struct counter_desc desc[OA_MAX_COUNTERS];
		int k = oa_format_index(f, rows[i].counter);

		oa_format_counters(f, desc);
		is_str(desc[k].unit, rows[i].unit, "unit of %s in %s", rows[i].counter, f->name);
		is_int(desc[k].bits, rows[i].bits, "bits of %s in %s", rows[i].counter, f->name);
		is_int(desc[k].kind, COUNTER_CUMULATIVE, "%s in %s is cumulative", rows[i].counter,
			f->name);
		is_str(desc[1].name, f->has_ticks ? "GPU_TICKS" : "",
			"%s offers clocks only if it has them", f->name);
	}
}

struct id_row {
	int graphics_ver;
	uint64_t id;
	unsigned reasons;
	const char *name;
	bool valid;
};

/* Reason bits from 19 on; context valid: bit 25 on Gen8, bit 16 on Gen9 to Gen11. */
static const struct id_row ids[] = {
	{ 7, 0x00090007, OA_REASON_TIMER, "timer", false },
	{ 7, 0xffffffff, OA_REASON_TIMER, "timer", false },
	{ 8, 0x00080000, OA_REASON_TIMER, "timer", false },
	{ 8, 0x02080000, OA_REASON_TIMER, "timer", true },
	{ 8, 0x00010000, 0, "unknown", false },
	{ 8, 0x01000000, 0, "unknown", false },
	{ 8, 0x00800000, OA_REASON_GO_TRANSITION, "go-transition", false },
	{ 9, 0x00090000, OA_REASON_TIMER, "timer", true },
	{ 9, 0x02100000, OA_REASON_TRIGGER1, "trigger1", false },
	{ 9, 0x00200000, OA_REASON_TRIGGER2, "trigger2", false },
	{ 9, 0x00410000, OA_REASON_CTX_SWITCH, "context-switch", true },
	{ 9, 0x01000000, OA_REASON_CLK_RATIO, "clock-ratio-change", false },
	{ 9, 0x01080000, OA_REASON_CLK_RATIO | OA_REASON_TIMER, "timer", false },
	{ 9, 0x02000000, 0, "unknown", false },
	{ 10, 0x00410000, OA_REASON_CTX_SWITCH, "context-switch", true },
	{ 11, 0x02010000, 0, "unknown", true },
	{ 12, 0x02000000, OA_REASON_MMIO, "mmio-trigger", true },
	{ 12, 0x00000000, 0, "unknown", true },
	{ 12, 0x00c00000, OA_REASON_CTX_SWITCH | OA_REASON_GO_TRANSITION, "context-switch", true },
	{ 20, 0x02080000, OA_REASON_MMIO | OA_REASON_TIMER, "timer", true },
};

static void test_ids(void)
{
	for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
		const struct id_row *row = &ids[i];
		unsigned reasons = oa_reasons(row->graphics_ver, row->id);

		is_int(reasons, row->reasons, "gen %d id %#" PRIx64 ": reasons", row->graphics_ver,
			row->id);
		is_str(oa_reason_name(reasons), row->name, "gen %d id %#" PRIx64 ": name",
			row->graphics_ver, row->id);
		ok(oa_ctx_valid(row->graphics_ver, row->id) == row->valid,
			"gen %d id %#" PRIx64 ": context is %svalid", row->graphics_ver, row->id,
			row->valid ? "" : "not ");
	}
}

static void test_id_texts(void)
{
	static const struct { int ver; uint64_t id; const char *want; } rows[] = {
		{ 7, 0x00080000, "" }, { 8, 0x00080000, "timer" }, { 8, 0x02180000, "timer trigger1" },
		{ 8, 0x01000000, "" }, { 9, 0x01060000, "clock-ratio-change" }, { 11, 0x02000000, "" },
		{ 12, 0x00160000, "trigger1 threshold started" }, { 12, 0x00240000, "trigger2 started" },
		{ 12, 0x02400000, "context-switch mmio-trigger" }, { 12, 0x00010000, "" },
		{ 20, 0x000e0000, "timer" },
	};
	char buf[96], small[8];

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		is_str(oa_id_text(rows[i].ver, rows[i].id, buf, sizeof(buf)), rows[i].want,
			"gen %d id %#" PRIx64 ": words", rows[i].ver, rows[i].id);
	is_str(oa_id_text(12, 0x03fe0000, small, sizeof(small)), "timer t", "a text that does not fit is cut");
}

struct ratio_row {
	uint64_t id;
	uint64_t unslice_hz, slice_hz;
};

/* 50/3 MHz a step: 63 steps are 1050 MHz. Slice: low part in 31:25, high part in 10:9. */
static void test_ratios(void)
{
	static const struct ratio_row rows[] = {
		{ 0, 0, 0 },
		{ 63, 1050000000, 0 },
		{ 1, 16666666, 0 },
		{ 0x1ff, 8516666666, 0 },
		{ 63u << 25 | 63, 1050000000, 1050000000 },
		{ 0x7fu << 25, 0, 2116666666 },
		{ 1u << 9, 0, 2133333333 },
		{ 3u << 9 | 0x7fu << 25, 0, 8516666666 },
		{ 0x01fff800, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		uint64_t unslice_hz, slice_hz;

		oa_clock_ratios(rows[i].id, &unslice_hz, &slice_hz);
		is_int(unslice_hz, rows[i].unslice_hz, "id %#" PRIx64 ": unslice", rows[i].id);
		is_int(slice_hz, rows[i].slice_hz, "id %#" PRIx64 ": slice", rows[i].id);
	}
}

static void test_headers(void)
{
	uint8_t bytes[600];
	struct oa_header h;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i + 1);
	oa_read_header(oa_format_by_number(10), bytes, &h);
	ok(h.id == 0x04030201 && h.timestamp == 0x08070605 && h.ctx_id == 0x0c0b0a09,
		"header of 32-bit fields");
	oa_read_header(oa_format_by_name("PEC64u64"), bytes, &h);
	ok(h.id == 0x0807060504030201 && h.timestamp == 0x0f0e0d0c0b0a09 && h.ctx_id == 0x14131211,
		"header of 64-bit fields");
}

int main(void)
{
	test_rows();
	test_patterns();
	test_counts();
	test_bad_names();
	test_units();
	test_ids();
	test_id_texts();
	test_ratios();
	test_headers();
	return done_testing();
}
