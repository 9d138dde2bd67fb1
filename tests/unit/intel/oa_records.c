/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walking records of an OA stream: losses, gaps, odd sizes, damaged ends. */
#include "config.h"

#include "backends/intel/oa/oa_records.h"

#include <inttypes.h>

#include "backends/intel/platform/platform.h"
#include "base/mem.h"
#include "tests/tap.h"
#include "tests/unit/intel/by_name.h"

/* Commands to build a buffer: samples whose A7 is the argument and whose time stamp goes on by
 * 12000 (1 ms), status records, junk. */
enum op { END, SAMPLE, LOST, BUFFER_LOST, UNKNOWN, SHORT_SAMPLE, ZEROED, RATIO, CUT };

struct step {
	enum op op;
	int arg;
};

struct walk_row {
	const char *what;
	struct step steps[8];
	bool good;
	enum why why;
	uint64_t a7;
	int64_t window_ns;
	uint64_t reports, lost;
	uint32_t quality;
};

static const struct walk_row rows[] = {
	{ "nothing", { { END, 0 } }, true, WHY_NOT_YET, 0, 0, 0, 0, 0 },
	{ "one report", { { SAMPLE, 5 } }, true, WHY_NOT_YET, 0, 0, 1, 0, 0 },
	{ "three reports", { { SAMPLE, 5 }, { SAMPLE, 9 }, { SAMPLE, 20 } }, true, WHY_OK, 15, 2000000, 3, 0, 0 },
	{ "a lost report: the delta spans the gap", { { SAMPLE, 5 }, { LOST, 0 }, { SAMPLE, 20 } },
	  true, WHY_OK, 15, 1000000, 2, 1, SAMPLE_LOST },
	{ "a lost buffer: counting starts anew", { { SAMPLE, 5 }, { SAMPLE, 6 }, { BUFFER_LOST, 0 }, { SAMPLE, 100 }, { SAMPLE, 102 } },
	  true, WHY_OK, 3, 2000000, 4, 1, SAMPLE_LOST | SAMPLE_GAP },
	{ "only a loss", { { BUFFER_LOST, 0 } }, true, WHY_LOST, 0, 0, 0, 1, SAMPLE_LOST | SAMPLE_GAP },
	{ "unknown types are skipped by size", { { SAMPLE, 5 }, { UNKNOWN, 24 }, { SAMPLE, 7 }, { UNKNOWN, 8 } },
	  true, WHY_OK, 2, 1000000, 2, 0, 0 },
	{ "a sample of another size is lost", { { SAMPLE, 5 }, { SHORT_SAMPLE, 136 }, { SAMPLE, 7 } },
	  true, WHY_OK, 2, 1000000, 2, 1, SAMPLE_LOST },
	{ "a report that has not landed is lost", { { SAMPLE, 5 }, { ZEROED, 0 }, { SAMPLE, 7 } },
	  true, WHY_OK, 2, 1000000, 2, 1, SAMPLE_LOST },
	{ "a clock ratio report", { { SAMPLE, 5 }, { RATIO, 6 } }, true, WHY_OK, 1, 1000000, 2, 0, SAMPLE_FREQ_CHANGE },
	{ "size 0 ends the walk", { { SAMPLE, 5 }, { SAMPLE, 6 }, { UNKNOWN, 0 }, { SAMPLE, 7 } }, false, WHY_OK, 1, 1000000, 2, 0, 0 },
	{ "size 7 ends the walk", { { UNKNOWN, 7 } }, false, WHY_NOT_YET, 0, 0, 0, 0, 0 },
	{ "a cut sample ends the walk", { { SAMPLE, 5 }, { SAMPLE, 6 }, { SAMPLE, 9 }, { CUT, 1 } }, false, WHY_OK, 1, 1000000, 2, 0, 0 },
	{ "a cut header ends the walk", { { SAMPLE, 5 }, { SAMPLE, 6 }, { LOST, 0 }, { CUT, 5 } }, false, WHY_OK, 1, 1000000, 2, 0, 0 },
};

static size_t put_header(uint8_t *p, uint32_t type, uint16_t size)
{
	memset(p, 0, 8);
	memcpy(p, &type, 4);
	memcpy(p + 6, &size, 2);
	return size;
}

static size_t put_sample(uint8_t *p, uint32_t id, uint32_t timestamp, uint32_t a7)
{
	uint32_t ctx_id = 0x1234;

	put_header(p, 1, 264);
	memset(p + 8, 0, 256);
	memcpy(p + 8, &id, 4);
	memcpy(p + 12, &timestamp, 4);
	memcpy(p + 16, &ctx_id, 4);
	memcpy(p + 8 + 44, &a7, 4);
	return 264;
}

/* Into an exactly fitting heap block, so that the sanitizers see a read beyond it. */
static uint8_t *build(const struct step *s, size_t *len)
{
	uint8_t big[4096];
	size_t n = 0;
	uint32_t now = 0xffffff00;	/* wraps on the way */

	for (; s->op != END; s++) {
		uint32_t value = (uint32_t)s->arg;

		now += s->op == SAMPLE || s->op == RATIO ? 12000 : 0;
		if (s->op == SAMPLE)
			n += put_sample(big + n, 1u << 19 | 63, now, value);
		else if (s->op == RATIO)
			n += put_sample(big + n, 1u << 24 | 30, now, value);
		else if (s->op == ZEROED)
			n += put_sample(big + n, 0, 0, value);
		else if (s->op == CUT)
			n -= value;
		else if (s->op == LOST || s->op == BUFFER_LOST)
			n += put_header(big + n, s->op == LOST ? 2 : 3, 8);
		else if (put_header(big + n, s->op == UNKNOWN ? 70000 : 1, (uint16_t)value) < 8)
			n += 8;
		else
			n += value;
	}
	*len = n;
	return memcpy(xmalloc(n + 1), big, n);
}

static void start(struct oa_stream *s, int graphics_ver)
{
	struct device d = { .oa_format = 10, .timestamp_hz = 12000000 };

	ok(oa_stream_init(s, &d, graphics_ver, OA_BY_I915, NULL), "format 10 opens");
}

static void test_row(const struct walk_row *row)
{
	struct err err = { .code = ERR_NONE };
	struct sample out = { .why = WHY_OK };
	struct oa_stream s;
	size_t len;
	uint8_t *buf = build(row->steps, &len);

	start(&s, 9);
	ok(oa_stream_records(&s, buf, len, &err) == row->good, "%s: %s", row->what,
		row->good ? "walked" : "ends");
	ok((err.code == ERR_PARSE) == !row->good, "%s: error '%s'", row->what, err.msg);
	oa_stream_take(&s, &out);
	is_int(out.why, row->why, "%s: why", row->what);
	is_int(out.values[oa_format_index(s.accum.format, "A7")], row->a7, "%s: A7", row->what);
	is_int(out.window_ns, row->window_ns, "%s: window", row->what);
	is_int(out.reports, row->reports, "%s: reports", row->what);
	is_int(out.lost, row->lost, "%s: losses", row->what);
	is_int(out.quality, row->quality, "%s: quality", row->what);
	free(buf);
}

static void test_windows(void)
{
	static const struct step first[] = { { SAMPLE, 5 }, { LOST, 0 }, { SAMPLE, 6 },
		{ END, 0 } };
	static const struct step second[] = { { SAMPLE, 8 }, { RATIO, 9 }, { END, 0 } };
	struct sample out = { .why = WHY_OK }, empty = { .why = WHY_OK };
	struct oa_stream s;
	size_t len;
	uint8_t *buf = build(first, &len);

	start(&s, 9);
	oa_stream_records(&s, buf, len, NULL);
	free(buf);
	oa_stream_take(&s, &out);
	is_int(s.last_unslice_hz, 1050000000, "unslice clock of the last report");
	buf = build(second, &len);
	memset(&out, 0, sizeof(out));
	out.quality = SAMPLE_PARTIAL;
	oa_stream_records(&s, buf, len, NULL);
	free(buf);
	oa_stream_take(&s, &out);
	is_int(out.lost, 0, "losses belong to one window");
	is_int(out.quality, SAMPLE_PARTIAL | SAMPLE_FREQ_CHANGE,
		"flags of the caller stay, flags of older windows go");
	is_int(out.values[oa_format_index(s.accum.format, "A7")], 3,
		"the base is the last report of the window before");
	is_int(s.last_unslice_hz, 500000000, "new unslice clock");
	oa_stream_take(&s, &empty);
	is_int(empty.why, WHY_NOT_YET, "a window without reports has no values");
	is_int(empty.reports, 0, "and no reports");
}

static void test_generations(void)
{
	static const struct step steps[] = { { SAMPLE, 5 }, { RATIO, 6 }, { END, 0 } };
	struct sample out = { .why = WHY_OK };
	struct oa_stream s;
	size_t len;
	uint8_t *buf = build(steps, &len);

	start(&s, 8);
	oa_stream_records(&s, buf, len, NULL);
	free(buf);
	oa_stream_take(&s, &out);
	is_int(out.quality, 0, "Gen8 ids have no clock ratio reason");
	is_int(s.last_unslice_hz, 0, "and no clock ratio");
}

/* The part of the field that is a context's number: other bits may differ. */
static void test_context_masks(void)
{
	static const struct {
		const char *platform;
		uint32_t format, mask;
	} formats[] = { { "kblgt2", 10, 0x1fffff }, { "tglgt2", 10, 0x1fffff },
		{ "acmgt3", 12, 0x7fff80 }, { "lnl", 0x10105, 0x7fff80 }, { "", 10, 0x1fffff } };
	struct oa_stream s;

	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		struct device d = { .oa_format = (int)formats[i].format, .timestamp_hz = 12000000 };

		snprintf(d.platform, sizeof(d.platform), "%s", formats[i].platform);
		oa_stream_init(&s, &d, 12, OA_BY_I915, NULL);
		oa_stream_set_context(&s, UINT32_MAX, NULL);
		is_int(s.context, formats[i].mask, "bits of a context on '%s'", formats[i].platform);
	}
}

static void test_refusals(void)
{
	struct device d = { .oa_format = 0, .timestamp_hz = 12000000 };
	struct err err = { .code = ERR_NONE };
	struct oa_stream s;

	ok(!oa_stream_init(&s, &d, 9, OA_BY_I915, &err) && err.code == ERR_UNSUPPORTED, "no format: %s",
		err.msg);
	d.oa_format = 99;
	ok(!oa_stream_init(&s, &d, 9, OA_BY_I915, &err), "unknown format: %s", err.msg);
	d.oa_format = 10;
	d.timestamp_hz = 0;
	ok(!oa_stream_init(&s, &d, 9, OA_BY_I915, &err), "no time stamp frequency: %s", err.msg);
	d.timestamp_hz = UINT64_MAX;
	ok(!oa_stream_init(&s, &d, 9, OA_BY_I915, &err), "impossible time stamp frequency: %s", err.msg);
}

/* A hundred thousand seconds of ticks in one window must not overflow the conversion to
 * nanoseconds. */
static void test_long_window(void)
{
	struct sample out = { .why = WHY_OK };
	struct oa_stream s;

	start(&s, 9);
	s.accum.sum[0] = UINT64_C(12000000) * 100000 + 6;
	s.accum.reports = 1;
	oa_stream_take(&s, &out);
	is_int(out.window_ns, INT64_C(100000000000500), "100000 s and half a microsecond");
}

int main(void)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		test_row(&rows[i]);
	test_windows();
	test_generations();
	test_context_masks();
	test_refusals();
	test_long_window();
	return done_testing();
}
