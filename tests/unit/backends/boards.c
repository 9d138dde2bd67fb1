/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readers of boards by themselves: the table of queues of v3d, names of its counters, and the samples of msm's
 * stream, however a read cuts them. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "backends/adreno/msm_uapi.h"
#include "backends/adreno/stream_samples.h"
#include "backends/v3d/v3d_sources.h"
#include "base/mem.h"
#include "tests/tap.h"

static void test_queues(void)
{
	static const char *const bad[] = { "", "queue\ttimestamp\tjobs\truntime\n", "head\nbin 1 2\n",
		"head\nbin 1 x 3\n", "head\nbin 1 2 -3\n", "head\nbin 1 2 99999999999999999999999\n" };
	struct v3d_queue_stats s;

	ok(v3d_queue_parse("queue\ttimestamp\tjobs\truntime\nbin\t239043069420\t22620\t17438164056\n"
			   "csd\t239043069420\t3168\t10787905530\nlater\t239043069420\t1\t2\n",
		   &s),
		"a table with a queue that is not known yet");
	ok(s.has[V3D_QUEUE_BIN] && s.has[V3D_QUEUE_CSD] && !s.has[V3D_QUEUE_RENDER], "  has two that are");
	is_int((long long)s.busy_ns[V3D_QUEUE_BIN], 17438164056, "  the time of one");
	is_int((long long)s.jobs[V3D_QUEUE_CSD], 3168, "  the jobs of the other");
	is_int((long long)s.timestamp_ns, 239043069420, "  and when it was written");
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		ok(!v3d_queue_parse(bad[i], &s), "no table: %zu", i);
}

static void test_names(void)
{
	static const struct {
		const char *kernel, *name;
	} rows[] = {
		{ "cycle-count", "cycle_count" }, { "QPU-total-idle-clk-cycles", "QPU_idle_clk_cycles" },
		{ "L2T-total-cache-hit", "L2T_cache_hit" }, { "", "" }, { "total-", "" },
		{ "QPU-total-active-clk-cycles-vertex-coord-shading",
			"QPU_active_clk_cycles_vertex_coord_shading" },
	};
	char name[48], small[8];

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		v3d_counter_name(rows[i].kernel, name, sizeof(name));
		is_str(name, rows[i].name, "the name of '%s'", rows[i].kernel);
	}
	v3d_counter_name("QPU-stalls-TMU", small, sizeof(small));
	is_str(small, "QPU_sta", "a name is cut to size");
}

#define COUNTERS 3
#define SAMPLES 500

static uint32_t seed = 1;

static uint32_t random_below(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

/* Makes samples with gaps, and adds up by itself what belongs together. */
static size_t make_stream(uint8_t *bytes, uint64_t want[COUNTERS], uint64_t *ticks, uint64_t *breaks)
{
	uint64_t now[COUNTERS] = { 1000, 1ULL << 40, 0 };
	struct msm_sample_head h = { .ticks = 5000 };
	size_t at = 0;

	for (int i = 0; i < SAMPLES; i++) {
		bool begins = i == 0 || random_below(20) == 0;
		uint32_t clock = 1 + random_below(1000);

		h.number = begins ? 0 : h.number + 1;
		h.ticks += clock;
		*ticks += begins ? 0 : clock;
		*breaks += begins && i > 0;
		for (int c = 0; c < COUNTERS; c++) {
			uint32_t step = random_below(1000000);

			/* A GPU that slept has lost what its registers held. */
			now[c] = begins ? step : now[c] + step;
			want[c] += begins ? 0 : step;
		}
		memcpy(bytes + at, &h, sizeof(h));
		memcpy(bytes + at + sizeof(h), now, sizeof(now));
		at += sizeof(h) + sizeof(now);
	}
	return at;
}

static void test_cuts(void)
{
	static uint8_t bytes[SAMPLES * (16 + COUNTERS * 8)];
	int wrong = 0;

	for (int round = 0; round < 200; round++) {
		struct adreno_sums s = { .n = COUNTERS };
		uint64_t want[COUNTERS] = { 0 }, ticks = 0, breaks = 0;
		size_t len = make_stream(bytes, want, &ticks, &breaks);

		for (size_t at = 0, n; at < len; at += n) {
			n = 1 + random_below(round % 2 ? 90 : 7);
			if (n > len - at)
				n = len - at;
			adreno_sums_feed(&s, bytes + at, n);
		}
		wrong += memcmp(s.sums, want, sizeof(want)) != 0 || s.ticks != ticks || s.breaks != breaks ||
			s.samples != SAMPLES;
	}
	is_int(wrong, 0, "however samples are cut, their sums are the same");
}

static void test_reset(void)
{
	struct adreno_sums s = { .n = 1 };
	const uint64_t stream[][3] = { { 100, 5, 1000 }, { 200, 6, 1500 }, { 300, 7, 10 }, { 400, 8, 30 } };

	for (size_t i = 0; i < ARRAY_LEN(stream); i++)
		adreno_sums_feed(&s, stream[i], sizeof(stream[i]));
	is_int((long long)s.sums[0], 520, "registers that went back begin a run");
	is_int((long long)s.breaks, 1, "  which is a break");
	adreno_sums_clear(&s);
	adreno_sums_feed(&s, (const uint64_t[]){ 500, 9, 50 }, 24);
	is_int((long long)s.sums[0], 20, "what was taken is forgotten, the last sample is not");
}

int main(void)
{
	test_queues();
	test_names();
	test_cuts();
	test_reset();
	return done_testing();
}
