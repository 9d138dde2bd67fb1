/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of deltas: wraps, rebasing, equality of all code paths on hostile data, and agreement with
 * libi915_perf. */
#include "config.h"

#include <inttypes.h>

#include "backends/intel/oa/oa_format.h"
#include "backends/intel/platform/platform.h"
#include "base/mem.h"
#include "tests/tap.h"
#include "tests/unit/intel/by_name.h"
#include "tests/unit/intel/oa_oracle.h"

static const char *const paths[] = { "c", "avx2" };

/* xorshift64*: the same data on every machine. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}

static void put(uint8_t *p, uint64_t v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

/* Writes one counter into a report by the table, the opposite of oa_decode. */
static void put_counter(const struct oa_format *f, uint8_t *report, const char *name, uint64_t v)
{
	int number = atoi(name + 1);

	if (!strcmp(name, "TIMESTAMP"))
		put(report + (f->header_bits == 64 ? 8 : 4), v, f->header_bits / 8);
	else if (!strcmp(name, "GPU_TICKS"))
		put(report + (f->header_bits == 64 ? 24 : 12), v, f->header_bits / 8);
	else
		for (const struct oa_run *r = f->runs; r->count; r++)
			if (r->bank == name[0] && number >= r->first &&
				number < r->first + r->count) {
				put(report + r->low + r->low_bytes * (number - r->first), v,
					r->low_bytes);
				if (r->high_byte)
					report[r->high_byte + number - r->first] = (uint8_t)(v >>
						32);
			}
}

struct wrap_row {
	const char *format;
	const char *counter;
	uint64_t before, now, want;
};

static const struct wrap_row wraps[] = {
	{ "A32u40_A4u32_B8_C8", "TIMESTAMP", 0xffffffff, 0, 1 },
	{ "A32u40_A4u32_B8_C8", "TIMESTAMP", 1, 0, 0xffffffff },
	{ "A32u40_A4u32_B8_C8", "GPU_TICKS", 0xfffffff0, 0x10, 0x20 },
	{ "A32u40_A4u32_B8_C8", "A0", 0xffffffffff, 0, 1 },
	{ "A32u40_A4u32_B8_C8", "A0", 0x00ffffffff, 0x0100000000, 1 },
	{ "A32u40_A4u32_B8_C8", "A0", 0x0100000000, 0x00ffffffff, 0xffffffffff },
	{ "A32u40_A4u32_B8_C8", "A31", 0xff00000005, 0x0000000004, 0x00ffffffff },
	{ "A32u40_A4u32_B8_C8", "A31", 0x7f80000000, 0x8080000000, 0x0100000000 },
	{ "A32u40_A4u32_B8_C8", "A32", 0x80000000, 0x7fffffff, 0xffffffff },
	{ "A32u40_A4u32_B8_C8", "B0", 5, 5, 0 },
	{ "A32u40_A4u32_B8_C8", "C7", 0xffffffff, 0xfffffffe, 0xffffffff },
	{ "A24u40_A14u32_B8_C8", "A3", 0xffffffff, 1, 2 },
	{ "A24u40_A14u32_B8_C8", "A4", 0xffffffffff, 1, 2 },
	{ "A24u40_A14u32_B8_C8", "A23", 0x1234567890, 0x123456788f, 0xffffffffff },
	{ "A24u40_A14u32_B8_C8", "A27", 0xffffffff, 1, 2 },
	{ "A24u40_A14u32_B8_C8", "A28", 0xffffffffff, 1, 2 },
	{ "A24u40_A14u32_B8_C8", "A36", 0xffffffff, 1, 2 },
	{ "A24u40_A14u32_B8_C8", "A37", 0xffffffff, 1, 2 },
	{ "A45_B8_C8", "A0", 0xffffffff, 1, 2 },
	{ "A45_B8_C8", "A44", 0xffffffff, 1, 2 },
	{ "OAM_MPEC8u64_B8_C8", "M0", 0xffffffffffffffff, 1, 2 },
	{ "OAM_MPEC8u64_B8_C8", "TIMESTAMP", 0xffffffffffffff, 1, 2 },
	{ "OAM_MPEC8u64_B8_C8", "GPU_TICKS", 0xffffffffffffffff, 1, 2 },
	{ "OAM_MPEC8u32_B8_C8", "M7", 0xffffffff, 1, 2 },
	{ "PEC64u64", "P63", 0x8000000000000000, 0x7fffffffffffffff, 0xffffffffffffffff },
};

static void test_wraps(const char *path)
{
	for (size_t i = 0; i < ARRAY_LEN(wraps); i++) {
		const struct wrap_row *row = &wraps[i];
		const struct oa_format *f = oa_format_by_name(row->format);
		uint8_t reports[2][1024] = { { 0 }, { 0 } };
		uint64_t values[OA_MAX_COUNTERS];
		int k = oa_format_index(f, row->counter);
		int n = oa_format_counters(f, NULL);
		int others = 0;
		struct oa_accum a;

		put_counter(f, reports[0], row->counter, row->before);
		put_counter(f, reports[1], row->counter, row->now);
		oa_accum_init(&a, f);
		oa_accum_add(&a, reports, 2, sizeof(reports[0]));
		is_int(oa_accum_take(&a, values), 1, "%s: one delta", path);
		for (int j = 0; j < n; j++)
			others += j != k && values[j] != 0;
		ok(values[k] == row->want && !others,
			"%s: %s %s from %#" PRIx64 " to %#" PRIx64 " is %#" PRIx64 " (got %#" PRIx64
			", %d others moved)",
			path, row->format, row->counter, row->before, row->now, row->want,
			values[k], others);
	}
}

static void test_life(const char *path)
{
	const struct oa_format *f = oa_format_by_number(10);
	uint8_t reports[4][256] = { { 0 } };
	uint64_t values[OA_MAX_COUNTERS];
	int a7 = oa_format_index(f, "A7");
	struct oa_accum a;

	for (int i = 0; i < 4; i++)
		put_counter(f, reports[i], "A7", (uint64_t)(10 * i * i));
	oa_accum_init(&a, f);
	oa_accum_add(&a, reports, 0, 256);
	ok(!a.has_base, "%s: no reports change nothing", path);
	oa_accum_add(&a, reports[0], 1, 256);
	is_int(oa_accum_take(&a, values), 0, "%s: the first report is only the base", path);
	is_int(values[a7], 0, "%s: and adds nothing", path);
	oa_accum_add(&a, reports[1], 1, 256);
	oa_accum_add(&a, reports[2], 1, 256);
	is_int(oa_accum_take(&a, values), 2, "%s: two deltas", path);
	is_int(values[a7], 40, "%s: sum over both", path);
	is_int(oa_accum_take(&a, values), 0, "%s: taking clears the count", path);
	is_int(values[a7], 0, "%s: and the sums", path);
	oa_accum_add(&a, reports[3], 1, 256);
	oa_accum_rebase(&a);
	oa_accum_add(&a, reports[1], 2, 256);
	is_int(oa_accum_take(&a, values), 2, "%s: the first report after a rebase gives no delta",
		path);
	is_int(values[a7], 50 + 30, "%s: sums outlive a rebase", path);
}

/* Deltas one by one through oa_decode: slow and obvious. */
static void reference(const struct oa_format *f, const uint8_t *reports, size_t count,
	size_t stride, uint64_t *sum)
{
	struct counter_desc desc[OA_MAX_COUNTERS];
	uint64_t before[OA_MAX_COUNTERS], now[OA_MAX_COUNTERS];
	int n = oa_format_counters(f, desc);

	memset(sum, 0, OA_MAX_COUNTERS * sizeof(*sum));
	oa_decode(f, reports, before);
	for (size_t i = 1; i < count; i++) {
		oa_decode(f, reports + i * stride, now);
		for (int k = 0; k < n; k++)
			sum[k] += (now[k] - before[k]) &
				(desc[k].bits == 64 ? UINT64_MAX
						    : (UINT64_C(1) << desc[k].bits) - 1);
		memcpy(before, now, sizeof(now));
	}
}

enum filling { FILL_RANDOM, FILL_EXTREMES, FILL_NEAR, FILL_ONES, FILL_KINDS };
static const char *const filling_names[] = { "random", "extremes", "near equal", "all ones" };

/* Extremes: bytes of 00, 7f, 80, ff. Near equal: a few bits differ from the report before. */
static void fill(uint8_t *p, size_t len, size_t stride, enum filling kind, uint64_t seed)
{
	static const uint8_t extremes[] = { 0x00, 0xff, 0x7f, 0x80 };

	for (size_t i = 0; i < len; i++) {
		uint64_t r = next_random(&seed) >> 16;

		if (kind == FILL_RANDOM || (kind == FILL_NEAR && i < stride))
			p[i] = (uint8_t)r;
		else if (kind == FILL_EXTREMES)
			p[i] = extremes[r & 3];
		else if (kind == FILL_ONES)
			p[i] = 0xff;
		else
			p[i] = (uint8_t)(p[i - stride] + (r % 13 == 0 ? 1 : r % 13 == 1 ? -1 : 0));
	}
}

/* In pieces of random length: buffers end anywhere. */
static void add_in_pieces(
	struct oa_accum *a, const uint8_t *reports, size_t count, size_t stride, uint64_t seed)
{
	while (count) {
		size_t n = 1 + (next_random(&seed) >> 20) % 700;

		n = n < count ? n : count;
		oa_accum_add(a, reports, n, stride);
		reports += n * stride;
		count -= n;
	}
}

static void test_property(
	const char *path, const struct oa_format *f, enum filling kind, size_t gap)
{
	const size_t count = 1500;
	size_t stride = f->bytes + gap;
	size_t len = (count - 1) * stride + f->bytes;
	uint8_t *data = xmalloc(len + gap);	/* not one byte too many: the sanitizers watch */
	uint8_t *reports = data + gap;
	uint64_t want[OA_MAX_COUNTERS], got[OA_MAX_COUNTERS];
	int n = oa_format_counters(f, NULL);
	int wrong = 0;
	struct oa_accum a;

	fill(reports, len, stride, kind, 0x9e3779b97f4a7c15 + f->bytes + gap);
	reference(f, reports, count, stride, want);
	oa_accum_init(&a, f);
	add_in_pieces(&a, reports, count, stride, 77 + f->bytes);
	is_int(oa_accum_take(&a, got), count - 1, "%s %s: deltas counted", path, f->name);
	for (int k = 0; k < n; k++)
		wrong += got[k] != want[k];
	ok(wrong == 0, "%s %s, %s bytes, stride %zu: %d of %d sums are wrong", path, f->name,
		filling_names[kind], stride, wrong, n);
	free(data);
}

static void test_path(const char *path)
{
	if (!oa_accum_force_path(path)) {
		diag("this CPU has no %s", path);
		return;
	}
	is_str(oa_accum_path(), path, "path %s is in use", path);
	test_wraps(path);
	test_life(path);
	for (size_t i = 0; i < oa_format_count; i++)
		for (enum filling kind = 0; kind < FILL_KINDS; kind++)
			for (size_t gap = 0; gap <= 8; gap += kind == FILL_RANDOM ? 1 : 8)
				if (in_share_of(8))
					test_property(path, &oa_formats[i], kind, gap);
}

/* The library's array: time, then the clock where the report has one, A, B, C. */
static bool same_deltas(
	const char *line, bool shifted_time, const struct oa_format *f, const uint64_t *values)
{
	const char *p = json_at(line, "deltas");
	int n = oa_format_counters(f, NULL);
	bool same = p != NULL;

	for (int k = 0; same && k < n; k++) {
		char *end;
		uint64_t want;

		if (k == 1 && !f->has_ticks)
			continue;
		want = strtoull(p + 1, &end, 10);
		same = end != p + 1 && (want == values[k] || (k == 0 && shifted_time));
		p = end;
	}
	return same && *p == ']';
}

static bool same_reasons(const char *line, int graphics_ver, const uint8_t reports[2][256])
{
	const char *p = json_at(line, "reason");
	char want[80];
	struct oa_header h[2];

	for (int i = 0; i < 2; i++)
		oa_read_header(oa_format_by_number(10), reports[i], &h[i]);
	snprintf(want, sizeof(want), "[\"%s\",\"%s\"]",
		oa_reason_name(oa_reasons(graphics_ver, h[0].id)),
		oa_reason_name(oa_reasons(graphics_ver, h[1].id)));
	return p && !strncmp(p, want, strlen(want));
}

/* What the first line says of the device. */
struct oracle_device {
	struct device d;
	int graphics_ver;
	bool shifted_time;	/* the library shifts time stamps right by one */
};

static bool read_device(const char *line, struct oracle_device *out)
{
	*out = (struct oracle_device){
		.d = { .pci_vendor = 0x8086, .pci_device = (uint32_t)json_u64(line, "devid") },
		.graphics_ver = (int)json_u64(line, "graphics_ver"),
		.shifted_time = json_u64(line, "oa_timestamp_shift") != 0,
	};
	return intel_device_identify(&out->d, NULL);
}

static void test_oracle(const struct oracle_files *files, const char *name)
{
	int pairs = 0, wrong = 0, wrong_reasons = 0;
	struct oracle_device device;
	struct oracle o;

	if (!oracle_open(&o, files, name))
		return;
	const char *line = oracle_line(&o);
	if (!ok(line && read_device(line, &device), "%s: its device is known", name)) {
		oracle_close(&o);
		return;
	}
	const struct oa_format *f = oa_format_by_number(device.d.oa_format);
	while ((line = oracle_line(&o))) {
		uint8_t reports[2][256];
		uint64_t values[OA_MAX_COUNTERS];
		struct oa_accum a;

		if (!json_is(line, "t", "pair") || !in_share_of(8))
			continue;
		pairs++;
		if (json_hex(line, "r0", reports[0], 256) != 256 ||
			json_hex(line, "r1", reports[1], 256) != 256) {
			wrong++;
			continue;
		}
		oa_accum_init(&a, f);
		oa_accum_add(&a, reports, 2, 256);
		oa_accum_take(&a, values);
		wrong += !same_deltas(line, device.shifted_time, f, values);
		wrong_reasons += !same_reasons(line, device.graphics_ver, reports);
	}
	ok(pairs > 0, "%s: %d pairs of reports", name, pairs);
	is_int(wrong, 0, "%s: pairs with a delta that differs from libi915_perf", name);
	is_int(wrong_reasons, 0, "%s: pairs with a reason that differs from libi915_perf", name);
	oracle_close(&o);
}

int main(void)
{
	static struct oracle_files files;
	const char *best = oa_accum_path();

	ok(!oa_accum_force_path("abacus"), "an unknown path is refused");
	is_str(oa_accum_path(), best, "and changes nothing");
	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		test_path(paths[i]);
	oa_accum_force_path(best);
	if (oracle_list(&files, "oa", ORACLE_LINES))
		for (int i = 0; i < files.n; i++)
			test_oracle(&files, files.names[i]);
	return done_testing();
}
