/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The joined window of a run: what was before it, its clocks, why a counter has no number. */
#include "config.h"

#include "session/window/window_sum.h"

#include <math.h>

#include "base/clock.h"
#include "cmd/load/jobs.h"
#include "tests/tap.h"

enum { E_PACKAGE, E_CORES, E_DRAM, E_GPU, E_COUNT };

static const struct counter_desc oa_counters[] = {
	{ "TIMESTAMP", "tick", 32, COUNTER_CUMULATIVE },
	{ "GPU_TICKS", "cycle", 32, COUNTER_CUMULATIVE },
};
static const struct counter_desc power_counters[E_COUNT] = {
	[E_PACKAGE] = { "energy_package_uj", "uJ", 64, COUNTER_CUMULATIVE },
	[E_CORES] = { "energy_cores_uj", "uJ", 64, COUNTER_CUMULATIVE },
	[E_DRAM] = { "energy_dram_uj", "uJ", 64, COUNTER_CUMULATIVE },
	[E_GPU] = { "energy_gpu_uj", "uJ", 64, COUNTER_CUMULATIVE },
};
static const enum why power_whys[E_COUNT] = { [E_GPU] = WHY_UNSUPPORTED };

static struct source oa = {
	.feed = { .name = "oa", .counters = oa_counters, .n_counters = 2 }
};
static struct source power = {
	.feed = { .name = "power", .counters = power_counters, .n_counters = E_COUNT }
};
static struct open_device dev = { .sources = { &oa, &power }, .n_sources = 2 };
static const struct metric_set set;

/* A window of the OA unit, whose own clock runs at rate. */
static struct sample oa_window(int64_t at_ms, int64_t ms, double rate, uint64_t mhz)
{
	struct sample s = { .t0_ns = at_ms * NS_PER_MS,
		.t1_ns = (at_ms + ms) * NS_PER_MS,
		.window_ns = llround((double)ms * rate * NS_PER_MS),
		.reports = (uint64_t)ms };

	s.values[1] = mhz * 1000 * (uint64_t)ms;
	return s;
}

static struct sample power_window(int64_t at_ms, int64_t ms, uint64_t package_w)
{
	struct sample s = { .t0_ns = at_ms * NS_PER_MS,
		.t1_ns = (at_ms + ms) * NS_PER_MS,
		.window_ns = ms * NS_PER_MS,
		.whys = power_whys };

	s.values[E_PACKAGE] = package_w * 1000 * (uint64_t)ms;
	s.values[E_CORES] = 2000 * (uint64_t)ms;
	s.values[E_DRAM] = 1000 * (uint64_t)ms;
	return s;
}

/* Joins what was added; the metrics of an empty set are no concern here. */
static void join(struct window_sum *s)
{
	for (int i = 0; i < dev.n_sources; i++)
		sample_sum_get(&s->sums[i], &s->joined[i]);
}

static void add(struct window_sum *s, struct sample a, struct sample b)
{
	const struct sample both[] = { a, b };

	window_sum_add(s, both);
}

/* Counters that change every 50 ms have windows of 250 ms: the first one holds idle time. */
static void leaves_out_what_was_before(void)
{
	struct window_sum s;
	enum why why;

	window_sum_init(&s, &dev, &set, NULL);
	window_sum_clear(&s, 1000 * NS_PER_MS);
	add(&s, oa_window(1000, 100, 1, 1000), power_window(800, 250, 3));
	add(&s, oa_window(1100, 250, 1, 1000), power_window(1050, 250, 12));
	add(&s, oa_window(1350, 250, 1, 1000), power_window(1300, 250, 14));
	join(&s);
	is_near(power_plane_w(&s, PLANE_PACKAGE, &why), 13, 1e-6 * 13,
		"power of before is left out");
	is_near(power_plane_w(&s, PLANE_DUARTE, &why), 10, 1e-6 * 10,
		"package less cores less DRAM");
	is_int(why, WHY_OK, "which is known");
	ok(isnan(power_plane_w(&s, PLANE_GPU, &why)), "a plane that nobody counts has no power");
	is_int(why, WHY_UNSUPPORTED, "and its reason");
	window_sum_clear(&s, 1000 * NS_PER_MS);
	add(&s, oa_window(1000, 100, 1, 1000), power_window(800, 250, 3));
	join(&s);
	ok(isnan(power_plane_w(&s, PLANE_PACKAGE, &why)), "a run that is too short has no power");
	is_int(why, WHY_NOT_YET, "not yet");
	window_sum_clear(&s, 1000 * NS_PER_MS);
	add(&s, oa_window(1000, 100, 1, 1000), power_window(996, 250, 3));
	join(&s);
	is_near(power_plane_w(&s, PLANE_PACKAGE, &why), 3, 1e-6 * 3,
		"a little of before does no harm");
	window_sum_clear(&s, 0);
	add(&s, oa_window(1000, 100, 1, 1000), power_window(800, 250, 3));
	join(&s);
	is_near(power_plane_w(&s, PLANE_PACKAGE, &why), 3, 1e-6 * 3,
		"without a beginning all counts");
	window_sum_release(&s);
}

static void knows_its_clocks(void)
{
	struct window_sum s;
	struct window_sum_times t;

	window_sum_init(&s, &dev, &set, NULL);
	ok(isnan(s.hz_min) && isnan(s.hz_max), "no window has no clock");
	ok(!window_sum_times(&s, "nothing", &t), "nor is there one that counts nothing");
	is_int(window_sum_why(&s, "nothing"), WHY_NO_SOURCE, "for want of a source");
	window_sum_clear(&s, 0);
	add(&s, oa_window(0, 100, 1, 1050), power_window(0, 100, 3));
	add(&s, oa_window(100, 100, 1, 300), power_window(100, 100, 3));
	add(&s, oa_window(200, 100, 1, 900), power_window(200, 100, 3));
	is_near(s.hz_min, 300e6, 1e-6 * 300e6, "the slowest clock");
	is_near(s.hz_max, 1050e6, 1e-6 * 1050e6, "and the fastest");
	join(&s);
	is_near(window_sum_rate(&s, "GPU_TICKS"), 750e6, 1e-6 * 750e6, "the mean is by time");
	window_sum_clear(&s, 0);
	ok(isnan(s.hz_min), "which are forgotten");
	add(&s, oa_window(0, 1000, 1.01, 1000), power_window(0, 1000, 3));
	join(&s);
	ok(window_sum_times(&s, "TIMESTAMP", &t), "the time stamp has a time of its own");
	is_near(t.own_ns / t.host_ns, 1.01, 1e-6 * 1.01, "which may be one percent off");
	is_near(t.apart_ns, 1.01e6, 1e-6 * 1.01e6, "and is known to a report");
	window_sum_release(&s);
}

/* A plane that was refused in half of the windows: what was counted is its energy, and its power is that of the time in which it was. A source
 * that was away adds nothing either. */
static void amounts_are_what_was_counted(void)
{
	static const char text[] =
		"counter energy_package_uj uJ\ncounter energy_cores_uj uJ\n"
		"set tiny\n  platforms any\n"
		"  metric joules\n    unit J\n    value energy_package_uj\n"
		"  metric both\n    unit J\n    value energy_package_uj + energy_cores_uj\n"
		"  metric watts\n    unit W\n    value rate(energy_package_uj)\n";
	static const enum why refused[E_COUNT] = { [E_PACKAGE] = WHY_STALE, [E_GPU] = WHY_UNSUPPORTED };
	const struct feed *feeds[] = { &oa.feed, &power.feed };
	struct metric_lib lib = { 0 };
	struct metric_binding b;
	struct window_sum s;
	enum why why;

	is_int(metric_lib_load(&lib, "f", text, NULL, NULL, NULL, NULL), 0, "the file has no mistake");
	const struct metric_set *tiny = metric_lib_find(&lib, "tiny", "any");
	metric_bind(&b, tiny, &dev.device, feeds, 2);
	window_sum_init(&s, &dev, tiny, NULL);
	window_sum_clear(&s, 0);
	for (int i = 0; i < 10; i++) {
		struct sample p = power_window(100 * i, 100, 10);

		if (i % 2)
			p.whys = refused;
		/* Not every source that is away knows since when. */
		if (i >= 8)
			p = (struct sample){ .t0_ns = i == 8 ? p.t0_ns : p.t1_ns, .t1_ns = p.t1_ns, .why = WHY_ASLEEP };
		add(&s, oa_window(100 * i, 100, 1, 1000), p);
	}
	window_sum_eval(&s, &b);
	is_near(s.values[2].v, 10, 1e-6, "watts of the time in which the plane was counted");
	is_near(s.values[0].v, 4, 1e-6, "joules that were counted in four windows of ten");
	is_near(window_sum_share(&s, &b, 0, &why), 0.4, 1e-6, "which is its share");
	is_near(s.values[2].v * window_sum_share(&s, &b, 2, &why), s.values[0].v, 1e-6, "energy is power by measured time");
	window_sum_clear(&s, 1000 * NS_PER_MS);
	for (int i = 10; i < 20; i++) {
		struct sample p = power_window(100 * i, 100, 10);

		if (i < 15)
			p = (struct sample){ .t0_ns = p.t1_ns, .t1_ns = p.t1_ns, .why = i < 13 ? WHY_STALE : WHY_NOT_YET };
		add(&s, oa_window(100 * i, 100, 1, 1000), p);
	}
	window_sum_eval(&s, &b);
	is_near(window_sum_share(&s, &b, 0, &why), 5.0 / 8, 1e-6, "a source that was refused first lacks that time, but not that in which it began");
	is_int(why, WHY_STALE, "and has that reason");
	window_sum_release(&s);
	metric_unbind(&b);
	metric_lib_release(&lib);
}

int main(void)
{
	amounts_are_what_was_counted();
	leaves_out_what_was_before();
	knows_its_clocks();
	return done_testing();
}
