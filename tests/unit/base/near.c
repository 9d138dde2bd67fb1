/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The nearest names: what is a slip of the fingers, what is a part of a name, and what is far off. */
#include "config.h"

#include "base/near.h"

#include <string.h>

#include "base/mem.h"
#include "tests/tap.h"

static const char *const names[] = { "stress", "sweep", "run", "diff", "gpu_busy", "gpu_time",
	"dram_throughput_most", "dram_reads", "dram_written_bytes", "power_package" };

static void test_nearest(void)
{
	static const struct {
		const char *word, *best;
		bool is_slip;
	} rows[] = {
		{ "stres", "stress", true },
		{ "sterss", "stress", true },
		{ "swep", "sweep", true },
		{ "GPU_BUSY", "gpu_busy", true },
		{ "gpu_bussy", "gpu_busy", true },
		{ "rn", "run", true },
		{ "dram_reads", "dram_reads", true },
		{ "package", "power_package", true },
		{ "pakage", "power_package", false },
		{ "writen", "dram_written_bytes", false },
		{ "frobnicate", NULL, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct near near;

		near_begin(&near, rows[i].word);
		for (size_t k = 0; k < ARRAY_LEN(names); k++)
			near_try(&near, names[k], names[k]);
		ok(near_is_slip(&near) == rows[i].is_slip, "'%s' is a slip: %d", rows[i].word,
			rows[i].is_slip);
		if (rows[i].best)
			ok(!strcmp(near.best[0].name, rows[i].best), "'%s' is nearest to %s, got %s",
				rows[i].word, rows[i].best, near.best[0].name);
	}
}

/* Whatever the order in which names are tried, the best three are in order, each once. */
static void test_order(void)
{
	const size_t n = ARRAY_LEN(names);

	for (size_t first = 0; first < n; first++) {
		struct near near;

		near_begin(&near, "dram");
		for (size_t k = 0; k < 2 * n; k++)
			near_try(&near, names[(first + k) % n], names[(first + k) % n]);
		ok(*near.best[0].name && *near.best[1].name && *near.best[2].name &&
				near.best[0].distance <= near.best[1].distance &&
				near.best[1].distance <= near.best[2].distance,
			"begun with %s the three are in order", names[first]);
		ok(strcmp(near.best[0].name, near.best[1].name) && strcmp(near.best[1].name, near.best[2].name) &&
				strcmp(near.best[0].name, near.best[2].name),
			"begun with %s each is one", names[first]);
		ok(!strcmp(near.best[0].name, "dram_reads"), "begun with %s the best is %s",
			names[first], near.best[0].name);
	}
}

/* A text that a name goes by counts for the name, and what is not alike is not told. */
static void test_hint(void)
{
	static const struct {
		const char *word, *want;
	} rows[] = {
		{ "EU activ", "similar: eu_active; all are listed" },
		{ "busy", "similar: gpu_busy; all are listed" },
		{ "gpu_bsy", "similar: gpu_busy, gpu_time; all are listed" },
		{ "zzzzzz", "all are listed" },
		{ "nonsense", "all are listed" },
		{ "x", "all are listed" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct err err = { 0 };
		struct near near;

		near_begin(&near, rows[i].word);
		near_try(&near, "eu_active", "eu_active");
		near_try(&near, "EU active", "eu_active");
		near_try(&near, "GPU busy", "gpu_busy");
		near_try(&near, "GPU time", "gpu_time");
		near_hint(&near, "all are listed", &err);
		ok(!strcmp(err.hint, rows[i].want), "'%s': %s", rows[i].word, err.hint);
	}
}

int main(void)
{
	test_nearest();
	test_order();
	test_hint();
	return done_testing();
}
