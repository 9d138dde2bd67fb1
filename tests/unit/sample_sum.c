/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows joined to one: sums, means over time, what was not measured, instances. */
#include "config.h"

#include "core/sample_sum.h"

#include "base/clock.h"
#include "tests/tap.h"

static const struct counter_desc counters[] = {
	{ "bytes", "B", 32, COUNTER_CUMULATIVE },
	{ "clock", "MHz", 32, COUNTER_GAUGE },
};
static const char names[2][12] = { "core 0", "core 1" };

static const struct feed feed = { .name = "x", .counters = counters, .n_counters = 2 };
static const struct feed cores = { .name = "x", .counters = counters, .n_counters = 2, .scope = "core", .n_instances = 2,
	.instances = names };

static struct sample window(int64_t at_ms, int64_t ms, uint64_t bytes, uint64_t mhz)
{
	struct sample s = { .t0_ns = at_ms * NS_PER_MS, .t1_ns = (at_ms + ms) * NS_PER_MS, .window_ns = ms * NS_PER_MS, .reports = 1 };

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

int main(void)
{
	adds_up();
	gaps();
	instances();
	return done_testing();
}
