/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows joined to one: sums, means over time, what was not measured, instances. */
#include "config.h"

#include "core/value/sample_sum.h"

#include "base/clock.h"
#include "tests/tap.h"

static const struct counter_desc counters[] = {
	{ "bytes", "B", 32, COUNTER_CUMULATIVE },
	{ "clock", "MHz", 32, COUNTER_GAUGE },
};
static const char names[2][12] = { "core 0", "core 1" };

static const struct feed feed = { .name = "x", .counters = counters, .n_counters = 2 };
static const struct feed cores = { .name = "x",
	.counters = counters,
	.n_counters = 2,
	.scope = "core",
	.n_instances = 2,
	.instances = names };

static struct sample window(int64_t at_ms, int64_t ms, uint64_t bytes, uint64_t mhz)
{
	struct sample s = { .t0_ns = at_ms * NS_PER_MS,
		.t1_ns = (at_ms + ms) * NS_PER_MS,
		.window_ns = ms * NS_PER_MS,
		.reports = 1 };

	s.values[0] = bytes;
	s.values[1] = mhz;
	return s;
}

static void adds_up(void)
{
	struct sample_sum sum;
	struct sample out, s;

	sample_sum_init(&sum, &feed);
	sample_sum_get(&sum, &out);
	is_int(out.why, WHY_NOT_YET, "nothing was added yet");
	s = window(0, 100, 1000, 300);
	sample_sum_add(&sum, &s);
	s = window(100, 300, 100, 1100);
	s.lost = 2;
	s.quality = SAMPLE_LOST;
	sample_sum_add(&sum, &s);
	sample_sum_get(&sum, &out);
	is_int(out.why, WHY_OK, "there is data");
	is_int(out.window_ns, 400 * NS_PER_MS, "windows add up");
	is_int(out.t0_ns, 0, "from the first");
	is_int(out.t1_ns, 400 * NS_PER_MS, "to the last");
	is_int(out.values[0], 1100, "counts add up");
	is_int(out.values[1], 900, "a gauge is its mean over time, not over windows");
	is_int(out.lost, 2, "losses add up");
	is_int(out.quality, SAMPLE_LOST, "flags stay");
	is_int(out.reports, 2, "reports add up");
	sample_sum_clear(&sum);
	sample_sum_get(&sum, &out);
	is_int(out.why, WHY_NOT_YET, "cleared is empty");
	sample_sum_release(&sum);
}

static void gaps(void)
{
	struct sample_sum sum;
	struct sample out, s = window(0, 100, 7, 7);

	sample_sum_init(&sum, &feed);
	s.why = WHY_LOST;
	sample_sum_add(&sum, &s);
	sample_sum_get(&sum, &out);
	is_int(out.why, WHY_LOST, "without data it is the reason that is kept");
	s = window(100, 100, 50, 500);
	sample_sum_add(&sum, &s);
	sample_sum_get(&sum, &out);
	is_int(out.why, WHY_OK, "one good window is data");
	is_int(out.values[0], 50, "what a window without data holds means nothing");
	is_int(out.window_ns, 100 * NS_PER_MS, "a rate is over the time that was measured");
	is_int(sum.missing_ns, 100 * NS_PER_MS, "the other time is known");
	sample_sum_release(&sum);
}

static void instances(void)
{
	uint64_t first[] = { 10, 100, 20, 200 }, second[] = { 1, 300, 2, 400 };
	struct sample_sum sum;
	struct sample out, s = window(0, 100, 30, 150);

	sample_sum_init(&sum, &cores);
	s.instances = first;
	sample_sum_add(&sum, &s);
	s = window(100, 100, 3, 350);
	s.instances = second;
	sample_sum_add(&sum, &s);
	sample_sum_get(&sum, &out);
	ok(out.instances != NULL, "instances are joined as well");
	is_int(out.instances[0], 11, "counts of the first");
	is_int(out.instances[1], 200, "its gauge");
	is_int(out.instances[2], 22, "counts of the second");
	is_int(out.instances[3], 300, "its gauge");
	sample_sum_release(&sum);
}

/* A counter may be missing alone, all the time or for some of it; a unit may be; a window may be
 * told twice. */
static void parts(void)
{
	enum why none[] = { WHY_OK, WHY_UNSUPPORTED }, late[] = { WHY_NO_COUNTER, WHY_UNSUPPORTED };
	uint64_t first[] = { 10, 100, SAMPLE_NONE, SAMPLE_NONE },
		 second[] = { 30, 300, SAMPLE_NONE, 500 };
	struct sample_sum sum;
	struct sample out, s = window(0, 100, 40, 0);

	sample_sum_init(&sum, &cores);
	s.whys = none;
	s.instances = first;
	sample_sum_add(&sum, &s);
	s.quality = SAMPLE_HELD;
	sample_sum_add(&sum, &s);
	s = window(100, 100, 7, 0);
	s.whys = late;
	sample_sum_add(&sum, &s);
	sample_sum_get(&sum, &out);
	is_int(out.window_ns, 200 * NS_PER_MS, "a window that is told again is not added again");
	is_int(sample_why(&out, 0), WHY_OK, "a counter that had a number has one");
	is_int(out.values[0], 80, "as if the other window had gone on like it");
	is_int(sample_why(&out, 1), WHY_UNSUPPORTED, "one that never had keeps its reason: no 0");
	sample_sum_clear(&sum);
	s = window(0, 100, 10, 100);
	s.instances = first;
	sample_sum_add(&sum, &s);
	s = window(100, 100, 30, 400);
	s.instances = second;
	sample_sum_add(&sum, &s);
	sample_sum_get(&sum, &out);
	is_int(out.instances[0], 40, "units that count add up");
	ok(out.instances[2] == SAMPLE_NONE, "one that never did has no number");
	is_int(out.instances[3], 500, "a gauge is the mean of the windows that had it");
	is_int(sample_why(&out, 1), WHY_OK, "reasons of an earlier span are forgotten");
	sample_sum_release(&sum);
}

static void totals(void)
{
	static const struct counter_desc total[] = { { "joules", "J", 64, COUNTER_TOTAL } };
	static const struct feed energy = { .name = "x", .counters = total, .n_counters = 1 };
	struct sample_sum sum;
	struct sample out, s = window(0, 100, 5, 0);

	sample_sum_init(&sum, &energy);
	sample_sum_add(&sum, &s);
	s = window(100, 300, 9, 0);
	sample_sum_add(&sum, &s);
	sample_sum_get(&sum, &out);
	is_int(out.values[0], 9, "of what grows it is the last value, no mean");
	sample_sum_release(&sum);
}

/* A source that was opened anew may have other counters; the arrays are those of before. */
static void other_counters(void)
{
	struct feed changing = feed;
	struct sample_sum sum;
	struct sample out, s = window(0, 100, 1000, 300);

	sample_sum_init(&sum, &changing);
	sample_sum_add(&sum, &s);
	changing = cores;
	changing.n_counters = 1;
	s = window(100, 100, 7000, 300);
	sample_sum_add(&sum, &s);
	sample_sum_get(&sum, &out);
	is_int(out.values[0], 1000, "what has other counters is not added");
	is_int(sum.missing_ns, 100 * NS_PER_MS, "but missing");
	sample_sum_clear(&sum);
	sample_sum_release(&sum);
}

/* Files may say that windows last centuries. */
static void centuries(void)
{
	struct sample s = window(0, 100, 1000, 300);
	struct sample_sum sum;
	struct sample out;

	sample_sum_init(&sum, &feed);
	s.window_ns = INT64_MAX / 5;
	for (int i = 0; i < 8; i++)
		sample_sum_add(&sum, &s);
	s = (struct sample){ .t0_ns = -INT64_MAX / 4, .t1_ns = INT64_MAX / 4, .why = WHY_GAP };
	for (int i = 0; i < 8; i++)
		sample_sum_add(&sum, &s);
	sample_sum_get(&sum, &out);
	ok(out.window_ns == INT64_MAX / 5 && out.values[0] == 1000, "what is longer than a clock tells is not added");
	ok(sum.missing_ns >= INT64_MAX / 4 && sum.missing_ns + out.window_ns > 0, "but missing");
	sample_sum_release(&sum);
}

int main(void)
{
	centuries();
	totals();
	adds_up();
	parts();
	gaps();
	instances();
	other_counters();
	return done_testing();
}
