/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A source that comes and goes passes on who gets its records and its pairs of reports, to each source that takes the
 * place of another one. */
#include "config.h"

#include "backends/common/stand_ins.h"
#include "base/mem.h"
#include "core/record/record_file.h"
#include "tests/tap.h"

/* The source inside, which hands over a pair and a record each time that it is read. */
struct inner {
	struct source source;
	struct record_tap tap;
	struct pair_tap pairs;
};

static struct {
	bool refuses, has_pairs, fails;
	unsigned partial;	/* SAMPLE_PARTIAL: its first report has not come */
	int opened, closed, released;
} world;

static bool inner_ready(struct source *src, int64_t now_ns, struct err *err)
{
	const struct rec_header record = { .type = REC_SAMPLE, .size = sizeof(record) };
	const struct report_pair pair = { .stamp1 = (uint32_t)now_ns };
	struct inner *s = (struct inner *)src;
	const uint64_t none = 0;

	if (world.fails)
		return err_set(err, ERR_SYS, "reset");
	if (s->pairs.pair)
		s->pairs.pair(s->pairs.ctx, &pair, &none);
	if (s->tap.records)
		s->tap.records(s->tap.ctx, &record, sizeof(record));
	return true;
}

static void inner_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	(void)src;
	out->t1_ns = now_ns;
	out->quality = world.partial;
}

static void inner_set_tap(struct source *src, const struct record_tap *to)
{
	((struct inner *)src)->tap = to ? *to : (struct record_tap){ 0 };
}

static bool inner_set_pairs(struct source *src, const struct pair_tap *to)
{
	((struct inner *)src)->pairs = to ? *to : (struct pair_tap){ 0 };
	return true;
}

static void inner_close(struct source *src)
{
	(void)src;
	world.closed++;
}

static const struct source_ops with_pairs = { .size = sizeof(struct inner),
	.ready = inner_ready,
	.collect = inner_collect,
	.set_tap = inner_set_tap,
	.set_pairs = inner_set_pairs,
	.close = inner_close };
static const struct source_ops without_pairs = {
	.size = sizeof(struct inner),
	.ready = inner_ready, .collect = inner_collect, .set_tap = inner_set_tap, .close = inner_close
};

static struct source *inner_open(void *ctx, int64_t now_ns, struct err *err)
{
	(void)ctx;
	(void)now_ns;
	if (world.refuses) {
		err_set(err, ERR_BUSY, "busy");
		return NULL;
	}
	struct inner *s = source_new(world.has_pairs ? &with_pairs : &without_pairs);

	world.opened++;
	return &s->source;
}

static void release(void *ctx)
{
	(void)ctx;
	world.released++;
}

static bool keeps_pace(void *ctx, int64_t window_ns)
{
	(void)ctx;
	return window_ns > 5;
}

static const struct source_opener opener = { .open = inner_open, .release = release, .retime = keeps_pace };

static void count_pair(void *ctx, const struct report_pair *p, const uint64_t *values)
{
	(void)p;
	(void)values;
	++*(int *)ctx;
}

static void count_records(void *ctx, const void *records, size_t len)
{
	int *seen = ctx;
	struct rec_header h;

	(void)len;
	memcpy(&h, records, sizeof(h));
	seen[h.type == REC_BUFFER_LOST]++;
}

static struct source *begin(bool refuses, bool has_pairs)
{
	const struct feed missing = { .name = "oa" };
	struct err err = { 0 };

	memset(&world, 0, sizeof(world));
	world.refuses = refuses;
	world.has_pairs = has_pairs;
	return reopening_source_open(&opener, NULL, inner_open(NULL, 0, &err), &missing, &err);
}

/* Loses the source inside, and gets another one: by a failure, by what the hardware has forgotten, by windows of another
 * length. */
static void lose(struct source *s, int how)
{
	struct err err = { 0 };

	world.fails = how == 0;
	if (how == 0)
		s->ops->ready(s, 1, &err);
	else if (how == 1)
		s->ops->forgotten(s, "the machine slept");
	else
		s->ops->retime(s, 10);
	world.fails = false;
	if (how < 2)
		s->ops->retry(s, 2, NULL);
}

static void test_taps(void)
{
	static const char *const hows[] = { "fails", "has forgotten", "keeps its pace" };

	for (int how = 0; how < 3; how++) {
		int pairs = 0, records[2] = { 0 };
		const struct pair_tap taker = { count_pair, &pairs };
		const struct record_tap to = { .records = count_records, .ctx = records };
		struct source *s = begin(false, true);

		ok(s->ops->set_pairs(s, &taker), "a source that %s hands over pairs", hows[how]);
		s->ops->set_tap(s, &to);
		s->ops->ready(s, 1, NULL);
		lose(s, how);
		s->ops->ready(s, 3, NULL);
		is_int(pairs, 2, "  ... and so does the one that takes its place");
		is_int(records[0] * 10 + records[1], 21, "  ... whose records stand behind a gap");
		ok(s->ops->set_pairs(s, NULL), "  ... until nobody wants them");
		lose(s, how);
		s->ops->ready(s, 4, NULL);
		is_int(pairs, 2, "  ... nor do those that come then");
		is_int(world.opened, 3, "  ... three were opened");
		source_close(s);
		is_int(world.closed * 10 + world.released, 31, "  ... and all of them closed");
	}
}

/* Who was told that there are none is never given one. */
static void test_without_pairs(void)
{
	int pairs = 0;
	const struct pair_tap taker = { count_pair, &pairs };
	struct source *s = begin(false, false);

	ok(!s->ops->set_pairs(s, &taker), "a source without pairs says so");
	source_close(s);
	s = begin(true, true);
	ok(!s->ops->set_pairs(s, &taker), "a source that is refused has none");
	world.refuses = false;
	s->ops->retry(s, 1, NULL);
	s->ops->ready(s, 2, NULL);
	is_int(pairs, 0, "  ... and hands over none when it is granted later");
	source_close(s);
}

/* A window in which nothing has come yet is left out before the first one, and later shown with its reason. */
static void test_partial(void)
{
	static const struct {
		int how;
		enum why want;
		unsigned quality;
		const char *what;
	} rows[] = { { -1, WHY_OK, SAMPLE_PARTIAL, "of a source that was just opened" }, { 0, WHY_NOT_YET, 0, "of one that failed and came back" },
		{ 1, WHY_NOT_YET, 0, "of one that had forgotten" }, { 2, WHY_OK, SAMPLE_PARTIAL, "of one whose windows got another length" } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct sample got = { .why = WHY_OK };
		struct source *s = begin(false, true);

		world.partial = SAMPLE_PARTIAL;
		if (rows[i].how >= 0)
			lose(s, rows[i].how);
		s->ops->collect(s, 9, &got);
		is_int(got.why, rows[i].want, "a partial window %s", rows[i].what);
		is_int(got.quality, rows[i].quality, "  ... is %s", rows[i].quality ? "left out" : "shown");
		s->ops->collect(s, 10, &got);
		is_int(got.quality, SAMPLE_PARTIAL, "  ... and one after it, as when the set has changed, is left out");
		source_close(s);
	}
}

int main(void)
{
	test_taps();
	test_partial();
	test_without_pairs();
	return done_testing();
}
