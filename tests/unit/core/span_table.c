/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of kernels against programs that tell more than a device can do: its sums still hold, and
 * what it keeps and how long it takes stay bounded. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "core/record/span_records.h"
#include "core/spans/span_table.h"
#include "tests/tap.h"

#define STEP_NS 1000

static void begin(struct span_table *t)
{
	const struct span_place p = { .number = 0, .pid = 1, .out_of_order = true, .device = "one" };

	*t = (struct span_table){ 0 };
	span_table_clear(t, 1, "");
	span_table_queue(t, &p);
}

/* A command of a device whose clock is the host's. */
static void add(struct span_table *t, int64_t start_ns, int64_t end_ns)
{
	const struct span s = { .name = "kernel", .is_kernel = true, .items = 1, .index = 1,
		.queued = start_ns, .start = start_ns, .end = end_ns,
		.before = start_ns - 10, .after = start_ns + 10, .seen = end_ns + 20 };

	span_table_add(t, &s);
}

static bool sums_hold(const struct span_table *t)
{
	int64_t own_ns = 0;

	for (int i = 0; i < t->n_rows; i++)
		own_ns += t->rows[i].own_ns;
	return own_ns == t->busy_ns && t->busy_ns + t->idle_ns == t->settled_ns - t->begin_ns;
}

/* All run at once, and none ends before the last one begins. */
static void test_crowd(int n)
{
	struct span_table t;
	int64_t end_ns = 1000 + (int64_t)n * STEP_NS;

	begin(&t);
	for (int i = 0; i < n; i++)
		add(&t, 1000 + i * STEP_NS, end_ns + i * STEP_NS);
	for (int i = 1; i <= 4; i++)
		span_table_settle(&t, i * (end_ns + n * STEP_NS) / 4);
	ok(sums_hold(&t), "%d commands at once: the shares are the time", n);
	is_int((long)(t.late > 0), n > 256, "  ... and whether some have none is said");
	ok(t.late <= (uint64_t)n, "  ... once each");
	is_int((long)t.rows[0].calls, n, "  ... and each is a call");
	span_table_release(&t);
}

/* Commands whose time nobody accounts for are kept only up to a bound. */
static void test_room(void)
{
	struct span_table t;

	begin(&t);
	for (int i = 0; i < 2 * SPAN_TOLD_MAX; i++)
		add(&t, 1000 + (int64_t)i * STEP_NS, 1500 + (int64_t)i * STEP_NS);
	is_int((long)t.n_told, SPAN_TOLD_MAX, "what is not settled is kept up to a bound");
	is_int((long)t.late, SPAN_TOLD_MAX, "  ... and the others are said to have no share");
	is_int((long)t.rows[0].calls, 2 * SPAN_TOLD_MAX, "  ... but each is a call");
	span_table_settle(&t, 1000 + (int64_t)SPAN_TOLD_MAX * STEP_NS);
	ok(sums_hold(&t), "  ... and the shares are the time");
	is_int((long)t.n_told, 0, "  ... and behind it there is room");
	span_table_release(&t);
}

/* A command of twelve seconds is told when it has ended; until then nothing behind its begin is settled, and many others are told. */
static void test_long(void)
{
	int n = SPAN_TOLD_MAX / 2 + 20000;
	int64_t each_ns = 12 * NS_PER_S / n;
	struct span_table t;

	begin(&t);
	t.keep_from_ns = 1;
	for (int i = 0; i < n; i++) {
		add(&t, 1000 + i * each_ns, 1000 + (i + 1) * each_ns);
		span_table_settle(&t, 900);
		t.keep_from_ns = 1;
	}
	is_int((long)t.n_told, n, "%d commands beside one that has not ended are kept", n);
	add(&t, 1000, 1000 + n * each_ns);
	span_table_settle(&t, 1000 + n * each_ns);
	ok(sums_hold(&t) && t.late == 0, "  ... and all have a share of their time");
	is_int((long)t.n_told, n + 1, "  ... and stay until their counts are known");
	t.keep_from_ns = n * each_ns;
	span_table_settle(&t, 1001 + n * each_ns);
	ok(t.n_told < 3, "  ... and no longer");
	span_table_release(&t);
}

/* Durations that no sum can hold. */
static void test_ages(void)
{
	struct span_table t;
	int64_t age_ns = INT64_MAX / 8;

	begin(&t);
	for (int i = 0; i < 3; i++)
		span_table_lose(&t, UINT64_MAX / 2);
	ok(t.lost == INT64_MAX, "more than any number of lost commands is the largest number");
	for (int i = 0; i < 20; i++)
		add(&t, 1000, age_ns);
	ok(t.rows[0].sum_ns > 0 && t.rows[0].calls + t.nonsense == 20 && t.nonsense > 0,
		"durations whose sum would overflow are nonsense");
	span_table_settle(&t, 5000);
	ok(sums_hold(&t), "  ... and the shares are the time");
	span_table_release(&t);
}

/* A command of half a minute, of which nobody has told while it ran, is no idle time. */
static void test_late(void)
{
	struct span_table t;

	begin(&t);
	span_table_clear(&t, 10 * NS_PER_S, "");
	add(&t, 5 * NS_PER_S, 12 * NS_PER_S);
	span_table_settle(&t, 20 * NS_PER_S);
	is_int((long)(t.idle_ns / NS_PER_S), 8, "a command that began before the table has its part of the time");
	is_int((long)t.late, 0, "  ... and is not late");
	span_table_settle(&t, 20 * NS_PER_S);
	add(&t, 5 * NS_PER_S, 21 * NS_PER_S);
	is_int((long)t.late, 1, "  ... but where it is told of much later");
	t.late = 0;
	add(&t, 20 * NS_PER_S - NS_PER_MS, 21 * NS_PER_S);
	is_int((long)t.late, 0, "  ... nor what began as the time was settled");
	add(&t, 13 * NS_PER_S, 33 * NS_PER_S);
	is_int((long)t.late, 1, "a command of which seconds are accounted for without it is late");
	span_table_settle(&t, 40 * NS_PER_S);
	ok(sums_hold(&t), "  ... and the shares are the time");
	span_table_skip(&t, 60 * NS_PER_S);
	add(&t, 38 * NS_PER_S, 61 * NS_PER_S);
	is_int((long)t.late, 1, "  ... and what lies before a gap is the gap's");
	long spans = (long)t.spans;
	add(&t, 45 * NS_PER_S, 59 * NS_PER_S);
	ok(t.late == 1 && (long)t.spans == spans, "  ... what ran within it is not late, and none of the table's");
	span_table_release(&t);
}

struct names {
	long spans, others, wrong;
};

static void take_queue(void *ctx, const struct span_place *p)
{
	(void)ctx;
	(void)p;
}

static void take_span(void *ctx, const struct span *s)
{
	struct names *n = ctx;
	char want[32];

	snprintf(want, sizeof(want), "name %llu", (unsigned long long)s->items);
	n->others += !strcmp(s->name, "(other kernels)");
	n->wrong += strcmp(s->name, want) && strcmp(s->name, "(other kernels)");
	n->spans++;
}

static void take_number(void *ctx, uint64_t n)
{
	((struct names *)ctx)->wrong += (long)n;
}

/* A program with more kernels than there are numbers for names: what finds no room is told under a name of its own. */
#define NAMES 100000
#define NUMBERS 65535
#define TIMES 12

static void keep_all(struct span_kept *k, const struct strbuf *records)
{
	for (size_t at = 0; at < records->len;) {
		struct rec_header h;

		memcpy(&h, records->s + at, sizeof(h));
		const struct rec rec = { .type = h.type, .payload = records->s + at + sizeof(h), .size = h.size - sizeof(h) };
		span_kept_add(k, &rec);
		at += h.size;
	}
}

static void test_names(void)
{
	const struct span_place place = { .number = 0, .pid = 1, .device = "one" };
	struct span_writer w = { 0 };
	struct span_reader r = { 0 };
	struct names got = { 0 };
	const struct span_sink sink = { .queue = take_queue, .span = take_span, .lost = take_number, .nonsense = take_number, .ctx = &got };
	char name[32];
	/* So many take an emulator seconds. With fewer, each finds room. */
	const bool all = tap_share() <= 16;
	const int names = all ? NAMES : 2000;

	span_writer_queue(&w, &place, true);
	for (int i = 0; i < names; i++) {
		snprintf(name, sizeof(name), "name %d", i);
		const struct span s = { .name = name, .is_kernel = true, .items = (uint64_t)i, .index = 1, .queued = 1, .start = 2,
			.end = 3, .before = 1, .after = 1, .seen = 4 };

		span_writer_span(&w, &s);
	}
	span_writer_flush(&w, 5);
	keep_all(&r.kept, &w.records);
	span_reader_tell(&r, &sink);
	is_int(got.spans, names, "so many names: each span is in the recording");
	is_int(got.others, all ? NAMES - NUMBERS : 0, "  ... those without room under one name");
	is_int(got.wrong, 0, "  ... and none under another one's");
	/* More of them than are kept between two looks. */
	got.spans = 0;
	for (int i = 0; i < TIMES; i++)
		keep_all(&r.kept, &w.records);
	ok((r.kept.lost > 0) == all && r.kept.records.len <= 64 << 20, "%d times as many: 64 MB of them are kept at most", TIMES);
	span_reader_tell(&r, &sink);
	is_int(got.spans + got.wrong, (long)TIMES * names, "  ... and how many were not is told");
	is_int((long)r.kept.lost, 0, "  ... once");
	span_writer_release(&w);
	span_reader_release(&r);
}

int main(void)
{
	test_names();
	test_crowd(3);
	test_crowd(256);
	test_crowd(257);
	test_crowd(20000);
	test_room();
	test_long();
	test_ages();
	test_late();
	return done_testing();
}
