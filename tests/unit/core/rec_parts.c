/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of constants, roofs, feeds and samples come back as they were written; cut, foreign and
 * hostile ones are refused, and longer ones of newer programs are read. */
#include "config.h"

#include "core/record/device_records.h"
#include "core/record/mark_records.h"

#include <math.h>

#include "base/mem.h"
#include "core/record/span_records.h"
#include "core/record/stream_records.h"
#include "tests/tap.h"

static const struct counter_desc counters[] = { { "energy_gpu_uj", "uJ", 64, COUNTER_CUMULATIVE },
	{ "clock", "MHz", 32, COUNTER_GAUGE } };
static const char instances[][12] = { "core 0", "core 1", "core 2" };
static const struct feed feed = { .name = "power", .how = "fake", .counters = counters, .n_counters = 2,
	.scope = "core", .n_instances = 3, .instances = instances };

/* The one record that was added, as a reader gives it. */
static struct rec as_rec(const struct strbuf *b)
{
	struct rec_header h;

	memcpy(&h, b->s, sizeof(h));
	return (struct rec){ .type = h.type, .payload = b->s + sizeof(h), .size = h.size - sizeof(h) };
}

/* Every shorter record is refused or read without looking beyond it: it lies at the end of its own
 * memory. */
static void cut_everywhere(const struct rec *rec, bool (*take)(const struct rec *cut))
{
	int taken = 0;

	for (size_t size = 0; size < rec->size; size++) {
		uint8_t *copy = xmalloc(size + 1);
		struct rec cut = { .type = rec->type, .payload = copy, .size = size };

		memcpy(copy, rec->payload, size);
		taken += take(&cut);
		free(copy);
	}
	ok(taken < 8, "  ... but not when it is cut (%d times padding was)", taken);
}

static bool take_consts(const struct rec *rec)
{
	struct device d = { .n_consts = 0 };

	return rec_take_consts(rec, &d);
}

static void test_consts(void)
{
	struct device d = { .n_consts = 0 }, back = { .n_consts = 0 };
	struct strbuf b = { 0 };
	const struct device_const *c;
	struct rec rec;

	device_set_const(&d, "eu_count", 24);
	device_set_roof(&d, "dram_bytes_per_s", 456e9, ROOF_DATA_SHEET, true, "a sheet")->reach = 0.87;
	device_disprove(&d, "dram_bytes_per_s");
	device_set_const(&d, "broken", NAN);
	rec_add_consts(&b, &d);
	rec = as_rec(&b);
	is_int(rec.type, REC_CONSTS, "constants have a type of their own");
	is_int((long)b.len % 8, 0, "  ... and a size that is a multiple of 8");
	device_set_const(&back, "eu_count", 20);
	ok(rec_take_consts(&rec, &back), "constants come back");
	is_near(device_const(&back, "eu_count")->v, 24, 0, "  ... in place of what tables say");
	c = device_const(&back, "dram_bytes_per_s");
	ok(c && c->source == ROOF_DATA_SHEET && c->uncertain && c->disproved && !strcmp(c->origin, "a sheet"),
		"  ... with source, doubt and origin");
	is_near(c->reach, 0.87, 1e-12, "  ... and what parts reach");
	ok(!device_const(&back, "broken"), "  ... but nothing that is no number");
	cut_everywhere(&rec, take_consts);
	for (int i = 0; i < DEVICE_MAX_CONSTS; i++) {
		char name[16];

		snprintf(name, sizeof(name), "c%d", i);
		if (back.n_consts < DEVICE_MAX_CONSTS)
			device_set_const(&back, name, i);
	}
	device_set_const(&d, "one_too_many", 1);
	strbuf_clear(&b);
	rec_add_consts(&b, &d);
	rec = as_rec(&b);
	ok(rec_take_consts(&rec, &back) && back.n_consts == DEVICE_MAX_CONSTS, "more constants than there is room for");
	strbuf_release(&b);
}

static bool take_roofs(const struct rec *rec)
{
	struct roof_file f;

	return rec_take_roofs(rec, &f);
}

static void test_roofs(void)
{
	struct roof_file f = { .device = "card0", .runner = "OpenCL", .n = 2, .records = {
		{ ROOF_BYTES, "DRAM", 29e9, 0, 1795269802000000000, "mem.copy" }, { ROOF_FLOP, "sp.mad", -1, 1e9, 1, "x" } } }, back;
	struct strbuf b = { 0 };
	struct rec rec;

	rec_add_roofs(&b, &f);
	rec = as_rec(&b);
	ok(rec_take_roofs(&rec, &back) && back.n == 1, "measured roofs come back, one of less than nothing does not");
	ok(!strcmp(back.records[0].name, "DRAM") && back.records[0].wall_ns == 1795269802000000000 && !strcmp(back.runner, "OpenCL"),
		"  ... with name, time and runner");
	cut_everywhere(&rec, take_roofs);
	strbuf_release(&b);
}

static bool take_feed(const struct rec *rec)
{
	struct rec_feed f = { .instances = NULL };
	int id;
	bool good = rec_take_feed(rec, &id, &f);

	free(f.instances);
	return good;
}

static bool take_sample(const struct rec *rec)
{
	struct rec_sample s = { .instances = NULL };
	bool good = rec_take_sample(rec, &feed, &s);

	rec_sample_release(&s);
	return good;
}

static void test_feed_and_sample(void)
{
	static const uint64_t cells[] = { 1, 2, 3, 4, 5, UINT64_MAX };
	static const enum why whys[] = { WHY_OK, WHY_PERMISSION };
	const struct sample s = { .t0_ns = 5, .t1_ns = 15, .window_ns = 10, .reports = 1, .quality = SAMPLE_HELD | SAMPLE_LAST,
		.values = { 77, 88 }, .whys = whys, .instances = cells };
	struct rec_feed f;
	struct rec_sample back = { .instances = NULL };
	struct strbuf b = { 0 };
	struct rec rec;
	int id = -1;

	rec_add_feed(&b, 3, &feed);
	rec = as_rec(&b);
	ok(rec_take_feed(&rec, &id, &f) && id == 3, "a feed comes back with its number");
	ok(!strcmp(f.feed.name, "power") && !strcmp(f.counters[1].unit, "MHz") && f.counters[0].kind == COUNTER_CUMULATIVE &&
			!strcmp(f.instances[2], "core 2"), "  ... its counters and instances");
	ok(!f.feed.estimated, "  ... and it counts");
	cut_everywhere(&rec, take_feed);
	free(f.instances);
	strbuf_clear(&b);
	struct feed bound = feed;
	bound.estimated = true;
	rec_add_feed(&b, 3, &bound);
	rec = as_rec(&b);
	ok(rec_take_feed(&rec, &id, &f) && f.feed.estimated, "an estimate comes back as one");
	free(f.instances);
	/* a program that knows version 1 wrote no more */
	struct rec_part *part = (struct rec_part *)(b.s + sizeof(struct rec_header));
	size_t more = part->head_bytes - 112, rest = b.len - sizeof(struct rec_header) - sizeof(*part) - part->head_bytes;
	char *end = b.s + sizeof(struct rec_header) + sizeof(*part) + part->head_bytes;
	memmove(end - more, end, rest);
	part->head_bytes = 112;
	part->version = 1;
	rec.size -= more;
	ok(rec_take_feed(&rec, &id, &f) && !f.feed.estimated && !strcmp(f.counters[1].unit, "MHz") && !strcmp(f.instances[2], "core 2"),
		"a feed of version 1 has no estimate");
	free(f.instances);
	strbuf_clear(&b);
	rec_add_sample(&b, 3, &feed, &s, false);
	rec = as_rec(&b);
	is_int(rec_feed_of(&rec), 3, "a sample names its feed");
	ok(rec_take_sample(&rec, &feed, &back), "  ... and comes back");
	ok(back.sample.window_ns == 10 && back.sample.values[0] == 77 && back.sample.instances[5] == UINT64_MAX, "  ... with values and cells");
	ok(sample_why(&back.sample, 1) == WHY_PERMISSION && back.sample.quality == SAMPLE_HELD, "  ... and reasons; the end is the replay's own");
	cut_everywhere(&rec, take_sample);
	for (int i = 0; i < 2; i++) {
		struct sample far = s;

		*(i ? &far.t1_ns : &far.t0_ns) = i ? INT64_MAX : INT64_MIN;
		struct strbuf other = { 0 };
		rec_add_sample(&other, 3, &feed, &far, false);
		rec = as_rec(&other);
		ok(!rec_take_sample(&rec, &feed, &back), "a time that no clock has makes no sense");
		strbuf_release(&other);
	}
	/* that of another device is not ours */
	rec = as_rec(&b);
	((struct rec_part *)(b.s + sizeof(struct rec_header)))->device = 1;
	ok(!rec_take_sample(&rec, &feed, &back), "a sample of another device is passed over");
	rec_sample_release(&back);
	strbuf_release(&b);
}

/* Which instructions counters belong to comes back with them, or not at all. */
static void test_code(void)
{
	static const uint64_t cells[] = { 1, 2, 3, 4, 5, 6 };
	static struct code_list code = { .exact = true, .rest = { .sum = 12, .counts = { 3, 9 } } };
	const struct sample s = { .t0_ns = 5, .t1_ns = 15, .window_ns = 10, .instances = cells, .code = &code };
	struct rec_sample back = { .instances = NULL };
	struct feed told = feed;
	struct strbuf b = { 0 };
	struct rec_feed f;
	int id, wrong = 0;

	told.n_code = 2;
	for (int i = 0; i < CODE_PLACES; i++)
		code.places[i] = (struct code_place){ 0x100 + 16 * (uint64_t)i, 3000 + (uint64_t)i, { (uint64_t)i, 3000 } };
	rec_add_feed(&b, 1, &told);
	struct rec rec = as_rec(&b);
	ok(rec_take_feed(&rec, &id, &f) && f.feed.n_code == 2, "a feed says that it tells instructions");
	free(f.instances);
	for (int n = 0; n <= CODE_PLACES; n += CODE_PLACES / 2) {
		code.n = n;
		strbuf_clear(&b);
		rec_add_sample(&b, 1, &told, &s, n > 0);
		rec = as_rec(&b);
		ok(rec_take_sample(&rec, &told, &back) && back.sample.code && back.sample.code->n == n, "%d places come back", n);
		ok(back.code->exact && !memcmp(back.code->places, code.places, (size_t)n * sizeof(code.places[0])) &&
				!memcmp(&back.code->rest, &code.rest, sizeof(code.rest)), "  ... as they were, and the rest");
		ok(back.sample.instances[5] == 6, "  ... and cells stand before them");
	}
	ok(rec_take_sample(&rec, &feed, &back) && !back.sample.code, "a feed that tells none has none");
	for (size_t size = rec.size; size > 0; size--) {
		void *cut = malloc(size);

		memcpy(cut, rec.payload, size);
		if (rec_take_sample(&(struct rec){ .type = rec.type, .payload = cut, .size = size }, &told, &back))
			wrong += (back.sample.code != NULL) != (size == rec.size);
		free(cut);
	}
	is_int(wrong, 0, "a list that is cut is none");
	strbuf_clear(&b);
	rec_add_sample(&b, 1, &told, &(struct sample){ .instances = cells }, true);
	rec = as_rec(&b);
	ok(rec_take_sample(&rec, &told, &back) && !back.sample.code, "a window without a list has none");
	rec_sample_release(&back);
	/* a record has at most 64 kB */
	told.n_instances = 4000;
	uint64_t *many = xcalloc(2 * 4000, sizeof(*many));
	strbuf_clear(&b);
	rec_add_sample(&b, 1, &told, &(struct sample){ .instances = many, .code = &code }, true);
	rec = as_rec(&b);
	is_int(rec.type, REC_CELLS, "cells that fit without the list alone stand before it");
	free(many);
	strbuf_release(&b);
}

/* Newer programs add to the ends of heads and rows. */
static void test_newer(void)
{
	const struct rec_part part = { .version = 2, .count = 2, .head_bytes = 64, .row_bytes = 24 };
	uint8_t bytes[sizeof(part) + 64 + 48] = { 0 };
	struct rec rec = { .type = REC_SOURCE_SAMPLE, .payload = bytes, .size = sizeof(bytes) };
	struct feed plain = feed;
	struct rec_sample back = { .instances = NULL };

	plain.n_instances = 0;
	memcpy(bytes, &part, sizeof(part));
	bytes[sizeof(part) + 16] = 9;	/* window_ns */
	bytes[sizeof(part) + 64] = 7;
	bytes[sizeof(part) + 64 + 24] = 8;
	bytes[sizeof(part) + 64 + 24 + 8] = 200;	/* a reason that is not known here */
	ok(rec_take_sample(&rec, &plain, &back), "a record of a newer version is read");
	ok(back.sample.window_ns == 9 && back.sample.values[0] == 7 && back.sample.values[1] == 8, "  ... by the lengths that it names");
	ok(sample_why(&back.sample, 1) != WHY_OK, "  ... and a reason of a later day is a reason");
}

/* The cells of a machine of 768 processors need several records. left_out: one of them that is not read. */
static void test_many_cells(int left_out)
{
	enum { COUNTERS = 18, CPUS = 768 };
	static struct counter_desc events[COUNTERS];
	static uint64_t cells[COUNTERS * CPUS];
	const struct feed f = { .name = "events", .counters = events, .n_counters = COUNTERS, .n_instances = CPUS };
	const struct sample s = { .t1_ns = 10, .window_ns = 10, .reports = 1, .instances = cells };
	struct rec_sample back = { .instances = NULL };
	struct strbuf b = { 0 };
	int records = 0, taken = 0, wrong = 0, none = 0;

	/* The file ended between these and their sample, and is read again from its start. */
	memset(cells, 0x77, sizeof(cells));
	rec_add_sample(&b, 3, &f, &s, false);
	struct rec cut = as_rec(&b);
	if (left_out > 0)
		rec_take_cells(&cut, &f, &back);
	strbuf_clear(&b);
	for (int i = 0; i < COUNTERS * CPUS; i++)
		cells[i] = 1000 + (uint64_t)i;
	rec_add_sample(&b, 3, &f, &s, false);
	for (size_t at = 0; at < b.len; records++) {
		struct strbuf rest = { .s = b.s + at, .len = b.len - at };
		const struct rec rec = as_rec(&rest);

		at += rec.size + sizeof(struct rec_header);
		if (rec.type == REC_CELLS && records != left_out)
			rec_take_cells(&rec, &f, &back);
		else if (rec.type == REC_SOURCE_SAMPLE)
			taken += rec_take_sample(&rec, &f, &back);
	}
	for (int i = 0; i < COUNTERS * CPUS; i++) {
		none += back.instances[i] == SAMPLE_NONE;
		wrong += back.instances[i] != SAMPLE_NONE && back.instances[i] != cells[i];
	}
	ok(records > 1 && taken == 1 && back.sample.instances, "a sample of many cells has %d records", records);
	is_int(wrong, 0, "  ... and comes back");
	is_int(none > 0, left_out < records - 1, "  ... what was not told is none, in record %d", left_out);
	rec_sample_release(&back);
	strbuf_release(&b);
}

/* What a reader knows of a device behind a row of records. */
struct known {
	double eu_count, roof;
	int n_feeds, n_marks;
	uint32_t turn;
	uint64_t lost;
	char how[sizeof(feed.how)];
};

static void read_known(struct strbuf *b, int device, struct known *k)
{
	struct rec_stream_device about;
	struct device consts = { .n_consts = 0 };
	struct roof_file roofs;
	struct rec_feed f;
	struct rec rec;
	int id;

	*k = (struct known){ .n_feeds = 0 };
	for (size_t end = 0, at = 0; rec_at(b, &end, &rec); at = end) {
		if (rec_device_of(&rec) != device)
			continue;
		rec_of_device(b->s + at, end - at, 0);
		if (rec.type == REC_DEVICE && rec_take_device(&rec, &about))
			k->turn = about.device.recording.turn;
		if (rec.type == REC_CONSTS && rec_take_consts(&rec, &consts))
			k->eu_count = device_const(&consts, "eu_count")->v;
		if (rec.type == REC_ROOFS && rec_take_roofs(&rec, &roofs))
			k->roof = roofs.records[0].value;
		if (rec.type == REC_FEED && rec_take_feed(&rec, &id, &f)) {
			k->n_feeds |= 1 << id;
			snprintf(k->how, sizeof(k->how), "%s", f.feed.how);
			free(f.instances);
		}
		if (rec.type == REC_SPANS)
			k->lost += rec_spans_of(&rec);
		k->n_marks += rec.type == REC_MARK;
		rec_of_device(b->s + at, end - at, device);
	}
}

/* Nobody reads three devices, of which two tell of turns, limits and kernels. */
static void test_waiting(void)
{
	struct span_place place = { .number = 0, .device = "a GPU" };
	struct strbuf b = { 0 };
	struct rec_mark mark = { .kind = REC_MARK_BEGIN };
	struct known all, left;
	size_t before;

	for (int i = 0; i < 2000; i++) {
		int device = i % 7 ? 2 * (i % 2) : 1;
		struct device d = { .id = "sim", .platform = "gen9", .recording = { .turns = "one other", .turn = 1 + (uint32_t)i % 9 } };
		struct roof_file roofs = { .n = 1, .records = { { .role = ROOF_BYTES, .name = "DRAM", .value = 1 + i, .kernel = "k" } } };
		struct span_writer w = { 0 };
		struct feed f = feed;
		size_t at = b.len;

		device_set_const(&d, "eu_count", i);
		snprintf(f.how, sizeof(f.how), "turn %d", i);
		rec_add_device(&b, &d, 2);
		if (i % 50 < 9) {
			rec_add_consts(&b, &d);
			rec_add_roofs(&b, &roofs);
		}
		for (int k = 0; k < 2; k++)
			rec_add_feed(&b, k, &f);
		if (i % 100 == 0)
			rec_add_mark(&b, &mark);
		span_writer_queue(&w, &place, true);
		for (int k = 0; k < 3; k++)
			span_writer_span(&w, &(struct span){ .name = "a kernel", .index = (uint64_t)k });
		span_writer_flush(&w, i);
		strbuf_addn(&b, w.records.s, w.records.len);
		span_writer_release(&w);
		rec_of_device(b.s + at, b.len - at, device);
	}
	struct strbuf thin = { 0 };
	strbuf_addn(&thin, b.s, b.len);
	rec_drop_old(&thin);
	before = thin.len;
	rec_drop_old(&thin);
	ok(thin.len == before && thin.len < b.len / 4, "of %zu bytes that nobody reads %zu wait", b.len, thin.len);
	for (int device = 0; device < 4; device++) {
		read_known(&b, device, &all);
		read_known(&thin, device, &left);
		ok(left.eu_count == all.eu_count && left.roof == all.roof && left.turn == all.turn && !strcmp(left.how, all.how) &&
			(device == 3 || left.turn) && left.n_feeds == all.n_feeds && left.n_marks == all.n_marks, "device %d is known as if all had been read", device);
		ok(left.lost == all.lost && (device == 3 || left.lost > 500), "  ... and %d spans are lost", (int)left.lost);
	}
	strbuf_release(&thin);
	strbuf_release(&b);
}

/* Records that have no rows may say that they have many: what stands behind them is not there. */
static void test_rows_of_nothing(void)
{
	const struct rec_mark m = { .kind = REC_MARK_BEGIN, .text = "hello" };
	struct strbuf b = { 0 };
	struct rec_part part;
	struct rec_mark back;

	rec_add_mark(&b, &m);
	struct rec rec = as_rec(&b);
	ok(rec_take_mark(&rec, &back) && !strcmp(back.text, "hello"), "a mark comes back");
	memcpy(&part, rec.payload, sizeof(part));
	part.count = part.row_bytes = UINT16_MAX;
	memcpy(b.s + sizeof(struct rec_header), &part, sizeof(part));
	ok(!rec_take_mark(&rec, &back), "but not behind rows that it does not hold");
	strbuf_release(&b);
}

/* Shares that are none are not known, and no window ends before or behind all time. */
static void test_nonsense(void)
{
	static const int64_t ends[] = { INT64_MIN, -5, 1000, INT64_MAX };
	struct client_table t = { .n_engines = 1 }, back = { .n_engines = 0 };
	struct client_row *r = client_table_add(&t, 7);
	struct strbuf b = { 0 };
	int64_t end_ns;
	uint64_t left_out;

	r->busy_pct[0] = INFINITY;
	r->cpu_pct = -INFINITY;
	rec_add_clients(&b, &t, true);
	struct rec rec = as_rec(&b);
	ok(rec_take_clients(&rec, &back) && back.rows[0].pid == 7 && isnan(back.rows[0].busy_pct[0]) && isnan(back.rows[0].cpu_pct),
		"a share without end is none");
	free(t.rows);
	free(back.rows);
	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		strbuf_clear(&b);
		rec_add_stream_window(&b, ends[i], 0);
		rec = as_rec(&b);
		is_int(rec_take_stream_window(&rec, &end_ns, &left_out), i == 1 || i == 2, "a window that ends at %lld", (long long)ends[i]);
	}
	strbuf_release(&b);
}

int main(void)
{
	test_nonsense();
	test_waiting();
	test_consts();
	test_roofs();
	test_feed_and_sample();
	test_code();
	test_newer();
	test_rows_of_nothing();
	for (int left_out = 0; left_out < 3; left_out++)
		test_many_cells(left_out);
	for (int why = 0; why < WHY_COUNT; why++)
		is_int(rec_why_of(rec_why_code((enum why)why)), why, "the reason '%s' comes back", why_name((enum why)why));
	return done_testing();
}
