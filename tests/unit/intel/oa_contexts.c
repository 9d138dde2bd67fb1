/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums by context: against the whole, against what i915-perf-reader prints of recordings, and with
 * more contexts than the table has rows. */
#include "config.h"

#include "backends/intel/oa/oa_records.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "backends/intel/oa/oa_accum.h"
#include "backends/intel/platform/platform.h"
#include "base/mem.h"
#include "core/record/record_file.h"
#include "tests/tap.h"
#include "tests/oracle.h"

#define RECORD_BYTES 264
#define GEN9_VALID (1u << 16)
#define GEN9_SWITCH (8u << 19)
#define GEN9_TIMER (1u << 19)
#define IDLE UINT32_MAX
#define LISTING ".reader-all-reports.txt.gz"

/* Samples of a Kaby Lake stream, each later than the one before by another number of ticks, so that
 * no two stretches are alike. */
struct stream {
	uint8_t *p;
	size_t n, room;
	uint32_t timestamp, ticks, a32;
};

static void add_report(struct stream *b, uint32_t context)
{
	uint32_t d[66] = { 1, (uint32_t)RECORD_BYTES << 16 };

	if ((b->n + 1) * RECORD_BYTES > b->room) {
		b->room = 2 * b->room + 64 * RECORD_BYTES;
		b->p = xreallocarray(b->p, b->room, 1);
	}
	b->timestamp += 100 + (uint32_t)(b->n % 7);
	b->ticks += 900 + (uint32_t)(b->n % 13);
	b->a32 += 5000 + (uint32_t)(b->n % 1009) * 100000;
	d[2] = GEN9_SWITCH | 54;
	if (context != IDLE)
		d[2] |= GEN9_VALID;
	d[3] = b->timestamp;
	d[4] = context;
	d[5] = b->ticks;
	for (int i = 36; i < 40; i++)
		d[2 + i] = b->a32 * (uint32_t)(i - 35);
	memcpy(b->p + b->n++ * RECORD_BYTES, d, sizeof(d));
}

static void start(struct oa_stream *s)
{
	struct device d = { .oa_format = 10, .timestamp_hz = 12000000, .platform = "kblgt2" };
	struct err err = { .code = ERR_NONE };

	if (!oa_stream_init(s, &d, 9, OA_BY_I915, &err))
		abort();
}

static const struct hw_context *find(const struct sample *s, enum hw_context_kind kind, uint32_t id)
{
	for (int i = 0; i < s->n_contexts; i++)
		if (s->contexts[i].kind == kind &&
			(kind != HW_CONTEXT_ONE || s->contexts[i].id == id))
			return &s->contexts[i];
	return NULL;
}

/* Says whether the rows have together what an accumulator that knows nothing of contexts has. */
static bool makes_the_whole(const struct sample *s, const uint8_t *records, size_t n)
{
	const struct oa_format *f = oa_format_by_number(10);
	uint64_t whole[OA_MAX_COUNTERS], rows[OA_MAX_COUNTERS] = { 0 };
	struct oa_accum a;
	bool good = true;

	oa_accum_init(&a, f);
	oa_accum_add(&a, records + 8, n, RECORD_BYTES);
	oa_accum_take(&a, whole);
	for (int k = 0; k < oa_format_counters(f, NULL); k++) {
		for (int i = 0; i < s->n_contexts; i++)
			rows[k] += s->contexts[i].values[k];
		good = good && rows[k] == whole[k] && s->values[k] == whole[k];
	}
	return good;
}

static void test_switches(void)
{
	static const uint32_t order[] = { 0x21, 0x21, 0x42, 0x42, IDLE, 0x21, 0x42, 0x21, IDLE,
		0x21 };
	struct stream b = { .p = NULL };
	struct sample out = { .why = WHY_OK };
	struct oa_stream s;

	start(&s);
	for (size_t i = 0; i < ARRAY_LEN(order); i++)
		add_report(&b, order[i]);
	ok(oa_stream_records(&s, b.p, b.n * RECORD_BYTES, NULL), "records of three contexts");
	oa_stream_take(&s, &out);
	is_int(out.n_contexts, 3, "two contexts and an idle GPU");
	ok(makes_the_whole(&out, b.p, b.n), "and together what the GPU counted");
	is_int((int64_t)find(&out, HW_CONTEXT_ONE, 0x21)->switches, 3, "switches to the first");
	is_int((int64_t)find(&out, HW_CONTEXT_ONE, 0x42)->switches, 2, "to the second");
	is_int((int64_t)find(&out, HW_CONTEXT_IDLE, 0)->switches, 2, "to none");
	is_int((int64_t)find(&out, HW_CONTEXT_ONE, 0x21)->reports, 4,
		"what a report begins is its context's");
	memset(&out, 0, sizeof(out));
	oa_stream_take(&s, &out);
	is_int(out.n_contexts, 0, "a window without reports has no rows");
	add_report(&b, 0x21);
	oa_stream_records(&s, b.p + (b.n - 1) * RECORD_BYTES, RECORD_BYTES, NULL);
	oa_stream_take(&s, &out);
	ok(out.n_contexts == 1 && out.contexts[0].id == 0x21 && out.contexts[0].switches == 0,
		"what ran before goes on without a switch");
	free(b.p);
}

/* Nobody knows what ran while reports were lost. */
static void test_lost(void)
{
	static const uint32_t order[] = { 0x21, 0x21, 0x42, 0x42, 0x21 };
	const uint32_t lost[2] = { 2, 8u << 16 };
	struct stream b = { .p = NULL };
	struct sample out = { .why = WHY_OK };
	struct oa_stream s;

	start(&s);
	for (size_t i = 0; i < ARRAY_LEN(order); i++)
		add_report(&b, order[i]);
	oa_stream_records(&s, b.p, 3 * RECORD_BYTES, NULL);
	oa_stream_records(&s, lost, sizeof(lost), NULL);
	oa_stream_records(&s, b.p + 3 * RECORD_BYTES, 2 * RECORD_BYTES, NULL);
	oa_stream_take(&s, &out);
	const struct hw_context *first = find(&out, HW_CONTEXT_ONE, 0x21),
				*second = find(&out, HW_CONTEXT_ONE, 0x42),
				*others = find(&out, HW_CONTEXT_OTHERS, 0);
	ok(first && first->reports == 2 && !first->whole, "before a loss the context is known");
	ok(second && second->reports == 1 && !second->whole, "and after it");
	ok(others && others->reports == 1, "what spans it is nobody's");
	ok(makes_the_whole(&out, b.p, b.n), "and part of the whole");
	free(b.p);
}

/* A hundred thousand contexts in a window: the table holds the last ones, and nothing is lost. */
static void test_many(bool chosen)
{
	struct stream b = { .p = NULL };
	struct sample out = { .why = WHY_OK };
	struct oa_stream s;
	uint64_t reports = 0;
	int not_whole = 0;

	start(&s);
	if (chosen)
		oa_stream_set_context(&s, 3, NULL);
	for (uint32_t i = 0; i < 100000; i++)
		add_report(&b, i % 50000 + 1);
	ok(oa_stream_records(&s, b.p, b.n * RECORD_BYTES, NULL), "100000 switches are read");
	oa_stream_take(&s, &out);
	is_int(out.n_contexts, HW_CONTEXTS_NAMED + 1, "the table is full");
	for (int i = 0; i < out.n_contexts; i++) {
		reports += out.contexts[i].reports;
		not_whole += out.contexts[i].kind == HW_CONTEXT_ONE && !out.contexts[i].whole;
	}
	is_int((int64_t)reports, 99999, "every difference is in a row");
	is_int(not_whole, chosen ? HW_CONTEXTS_NAMED - 1 : HW_CONTEXTS_NAMED,
		"rows that others may hold a part of say so");
	if (chosen) {
		const struct hw_context *c = find(&out, HW_CONTEXT_ONE, 3);

		ok(c && c->whole && c->reports == 2, "the chosen context keeps its row");
		is_int((int64_t)out.values[OA_TIMESTAMP], (int64_t)c->values[OA_TIMESTAMP],
			"and the window is that row");
	} else {
		ok(makes_the_whole(&out, b.p, b.n), "the sum of all rows is the whole");
		ok(find(&out, HW_CONTEXT_ONE, 50000), "the last context has a row");
		ok(!find(&out, HW_CONTEXT_ONE, 49000), "an earlier one is with the others");
	}
	free(b.p);
}

/* Which ids are of an idle GPU, and that masks are used. */
static void test_validity(void)
{
	static const struct {
		const char *platform, *what;
		enum oa_maker maker;
		int format, ver;
		uint32_t id, context;
		uint32_t work;
		enum hw_context_kind kind;
		uint32_t want;
	} rows[] = {
		{ "bdw", "Gen8: bit 25", OA_BY_I915, 10, 8, 1u << 25, 0x21, 0, HW_CONTEXT_ONE, 0x21 },
		{ "bdw", "Gen8: bit 16 means nothing", OA_BY_I915, 10, 8, 1u << 16, 0x21, 0, HW_CONTEXT_IDLE, 0 },
		{ "kblgt2", "Gen9: bit 16", OA_BY_I915, 10, 9, 1u << 16, 0x21, 0, HW_CONTEXT_ONE, 0x21 },
		{ "kblgt2", "Gen9: bit 25 is a clock's", OA_BY_I915, 10, 9, 1u << 25, 0x21, 0, HW_CONTEXT_IDLE, 0 },
		{ "kblgt2", "Gen9: bits above 20 are no part of it", OA_BY_I915, 10, 9, 1u << 16, 0x800021, 0, HW_CONTEXT_ONE, 0x21 },
		{ "tglgt2", "Gen12: i915 has replaced invalid ones", OA_BY_I915, 10, 12, 0, 0x21, 0, HW_CONTEXT_ONE, 0x21 },
		{ "tglgt2", "Gen12: by this number", OA_BY_I915, 10, 12, 1u << 16, UINT32_MAX, 0, HW_CONTEXT_IDLE, 0 },
		{ "tglgt2", "Gen12: xe hands over what the hardware wrote", OA_BY_XE, 10, 12, 0, 0x21, 0, HW_CONTEXT_IDLE, 0 },
		{ "tglgt2", "Gen12: which has the bit while a context runs", OA_BY_XE, 10, 12, 1u << 16, 0x21, 0, HW_CONTEXT_ONE, 0x21 },
		{ "acmgt3", "Gen12.55: the timer does not tell, and nothing is counted", OA_BY_I915, 12, 12, 0, 0x180, 0, HW_CONTEXT_IDLE, 0 },
		{ "acmgt3", "Gen12.55: the timer does not tell, and work is", OA_BY_I915, 12, 12, 0, 0x180, 1, HW_CONTEXT_ONE, 0x180 },
		{ "acmgt3", "Gen12.55: bits 7 to 22", OA_BY_I915, 12, 12, 1u << 16, 0x1ff, 0, HW_CONTEXT_ONE, 0x180 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct device d = { .oa_format = rows[i].format, .timestamp_hz = 12000000 };
		struct sample out = { .why = WHY_OK };
		struct oa_stream s;
		uint32_t r[2][66] = { { 0 } };

		snprintf(d.platform, sizeof(d.platform), "%s", rows[i].platform);
		if (!oa_stream_init(&s, &d, rows[i].ver, rows[i].maker, NULL))
			abort();
		for (uint32_t k = 0; k < 2; k++) {
			r[k][0] = 1;
			r[k][1] = (uint32_t)RECORD_BYTES << 16;
			r[k][2] = GEN9_TIMER | rows[i].id;
			r[k][3] = 1000 + k;
			r[k][4] = rows[i].context;
			r[k][2 + 12] = k * rows[i].work;	/* low part of an A counter */
		}
		oa_stream_records(&s, r, sizeof(r), NULL);
		oa_stream_take(&s, &out);
		ok(out.n_contexts == 1 && out.contexts[0].kind == rows[i].kind &&
				out.contexts[0].id == rows[i].want,
			"%s: %#x", rows[i].what, out.n_contexts ? out.contexts[0].id : 0);
	}
}

/* From Gen12.55 on only the report of a switch tells what runs, whichever of its two readings holds: whether reports of the timer have
 * the bit of a context that runs, or have it clear always. */
static void test_switch_tells(bool timer_has_bit)
{
	static const struct {
		uint32_t reason, context;	/* 0: a switch to none */
	} steps[] = { { 8, 0x100 }, { 1, 0x100 }, { 1, 0x100 }, { 8, 0 }, { 1, 0x100 }, { 1, 0x100 }, { 8, 0x180 }, { 1, 0x180 }, { 8, 0x100 }, { 1, 0x100 } };
	struct device d = { .oa_format = 12, .timestamp_hz = 19200000, .platform = "acmgt3" };
	struct sample out = { .why = WHY_OK };
	struct oa_stream s;
	uint32_t r[ARRAY_LEN(steps)][66] = { { 0 } }, runs = 0;

	if (!oa_stream_init(&s, &d, 12, OA_BY_I915, NULL))
		abort();
	for (uint32_t k = 0; k < ARRAY_LEN(steps); k++) {
		if (steps[k].reason == 8)
			runs = steps[k].context;
		r[k][0] = 1;
		r[k][1] = (uint32_t)RECORD_BYTES << 16;
		r[k][2] = steps[k].reason << 19 | (runs && (timer_has_bit || steps[k].reason == 8) ? GEN9_VALID : 0);
		r[k][3] = 1000 + 10 * k;
		r[k][4] = runs ? runs : 0x100;
		r[k][2 + 12] = k;
	}
	oa_stream_records(&s, r, sizeof(r), NULL);
	oa_stream_take(&s, &out);
	const struct hw_context *first = find(&out, HW_CONTEXT_ONE, 0x100), *second = find(&out, HW_CONTEXT_ONE, 0x180),
				*idle = find(&out, HW_CONTEXT_IDLE, 0);
	ok(first && first->reports == 4, "%d: the first context ran before its switch away and after that back", timer_has_bit);
	ok(idle && idle->reports == 3, "%d: then none, whose number stays", timer_has_bit);
	ok(second && second->reports == 2, "%d: then the second", timer_has_bit);
	is_int(out.n_contexts, 3, "and no other");
}

static void test_haswell(void)
{
	struct device d = { .oa_format = 5, .timestamp_hz = 12500000, .platform = "hsw" };
	struct sample out = { .why = WHY_OK };
	struct err err = { .code = ERR_NONE };
	struct oa_stream s;

	oa_stream_init(&s, &d, 7, OA_BY_I915, NULL);
	ok(!oa_stream_set_context(&s, 1, &err), "Haswell cannot choose one: %s", err.msg);
	oa_stream_take(&s, &out);
	ok(!out.contexts && !out.tells_clock, "and hands out no rows and no clocks");
}

/* --- what i915-perf-reader prints --- */

struct theirs {
	uint32_t id;
	uint64_t reports, clocks;
};

/* Adds up the differences of a listing by the context that they stand under. Below each context
 * stand the values of the whole stretch, and then those of each difference. Returns the contexts, and
 * the number of their stretches. */
static int read_listing(const char *path, struct theirs *t, int room, int *stretches)
{
	gzFile f = gzopen(path, "rb");
	char line[256];
	int n = 0, now = -1;
	bool in_report = false;

	*stretches = 0;
	while (f && gzgets(f, line, sizeof(line))) {
		unsigned id;
		unsigned long long v;

		if (sscanf(line, "hw_id=%x", &id) == 1) {
			for (now = 0; now < n && t[now].id != id; now++)
				;
			if (now == n && n < room)
				t[n++] = (struct theirs){ .id = id };
			++*stretches;
			in_report = false;
		} else if (!strncmp(line, " report", 7)) {
			in_report = true;
		} else if (in_report && sscanf(line, " GpuCoreClocks: %llu", &v) == 1) {
			t[now].clocks += v;
			t[now].reports++;
		}
	}
	if (f)
		gzclose(f);
	return n;
}

static uint64_t count_switches(const struct oa_stream *s)
{
	uint64_t n = 0;

	for (int i = 0; i < s->contexts.rows.n; i++)
		n += s->contexts.rows.row[i].switches;
	return n;
}

/* Reads all reports of a recording as one window. Counts the switches before the last report, with
 * which no difference begins. */
static bool read_recording(
	const char *path, struct oa_stream *s, struct sample *out, uint64_t *switches)
{
	struct err err = { .code = ERR_NONE };
	struct rec_reader *r = rec_open(path, &err);
	struct rec rec;
	const struct intel_platform *p = NULL;

	if (!r)
		return false;
	struct device d = { .pci_vendor = 0x8086, .pci_device = rec_summary(r)->info.device_id };
	bool good = intel_device_identify(&d, &err) && (p = intel_platform_by_name(d.platform));
	d.oa_format = (int)rec_summary(r)->info.oa_format;
	d.timestamp_hz = rec_summary(r)->info.timestamp_hz;
	good = good && oa_stream_init(s, &d, p->graphics_ver, OA_BY_I915, &err);
	/* The header of a record lies right before its payload. */
	while (good && rec_next(r, &rec, &err))
		if (rec.type == REC_SAMPLE) {
			*switches = count_switches(s);
			oa_stream_records(s,
				(const uint8_t *)rec.payload - sizeof(struct rec_header),
				rec.size + sizeof(struct rec_header), NULL);
		}
	rec_close(r);
	oa_stream_take(s, out);
	return good;
}

static void test_recording(const char *dir, const char *name)
{
	char path[2300];
	struct theirs t[16];
	struct sample out = { .why = WHY_OK };
	struct oa_stream *s = xcalloc(1, sizeof(*s));
	int stretches, n, same = 0;
	uint64_t switches = 0;

	snprintf(path, sizeof(path), "%s/%s" LISTING, dir, name);
	n = read_listing(path, t, (int)ARRAY_LEN(t), &stretches);
	snprintf(path, sizeof(path), "%s/%s.i915perf", dir, name);
	if (!read_recording(path, s, &out, &switches)) {
		ok(false, "%s: cannot be read", name);
		goto out;
	}
	for (int i = 0; i < n; i++) {
		enum hw_context_kind kind = t[i].id == IDLE ? HW_CONTEXT_IDLE : HW_CONTEXT_ONE;
		const struct hw_context *c = find(&out, kind, t[i].id);

		same += c && c->clocks == t[i].clocks && c->reports == t[i].reports;
		if (!c || c->clocks != t[i].clocks)
			diag("%s: %#x: %" PRIu64 " and not %" PRIu64, name, t[i].id,
				c ? c->clocks : 0, t[i].clocks);
	}
	is_int(out.n_contexts, n, "%s: as many contexts as i915-perf-reader names", name);
	is_int(same, n, "%s: each has the clocks and reports that it prints", name);
	is_int((int64_t)switches + 1, stretches, "%s: and there are as many stretches", name);
out:
	free(s);
}

int main(void)
{
	static struct oracle_files files;

	test_switches();
	test_lost();
	test_many(false);
	test_many(true);
	test_validity();
	test_switch_tells(false);
	test_switch_tells(true);
	test_haswell();
	if (oracle_list(&files, "recordings", LISTING))
		for (int i = 0; i < files.n; i++)
			if (strcmp(files.names[i], "hsw"))
				test_recording(files.folder, files.names[i]);
	return done_testing();
}
