/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of Mali GPUs with made-up numbers: everything that Arm's database derives from them comes out of the
 * tables and the metric files. valhall_vectors.py has computed what is expected by the database's own
 * words, shifts and equations; where the database's table is at hand, it does so for all products, and the words
 * are compared in both directions. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/mali/dump_sources.h"
#include "base/fsroot.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "tests/oracle.h"
#include "tests/unit/mali/mali_rig.h"

#define SPAN_NS 500000000
#define TOLERANCE 1e-9
#define GPU_HZ 800000000

/* Words of each block, by layout: counted by hand in libGPUCounters 2.4, hardwarelayout. */
static const struct {
	uint32_t gpu_id;
	const char *platform;
	int words[4], block_words;	/* by enum mali_block */
} layouts[] = {
	{ 0x90000010, "g77", { 27, 20, 48, 56 }, 64 }, { 0x90910010, "g57", { 27, 20, 48, 56 }, 64 },
	{ 0x90930010, "g57", { 27, 20, 48, 56 }, 64 }, { 0x92020010, "g78", { 27, 20, 48, 57 }, 64 },
	{ 0x90040010, "g68", { 27, 20, 48, 57 }, 64 }, { 0x90050010, "g78ae", { 27, 20, 48, 57 }, 64 },
	{ 0xa8620010, "g710", { 34, 20, 45, 57 }, 64 }, { 0xa0030010, "g510", { 34, 20, 45, 57 }, 64 },
	{ 0xac040010, "g310", { 34, 20, 45, 57 }, 64 }, { 0xa8670010, "g610", { 34, 20, 45, 57 }, 64 },
	{ 0xb8a20010, "g715", { 34, 19, 45, 76 }, 128 }, { 0xb8a30010, "g615", { 34, 19, 45, 76 }, 128 },
	{ 0xc8700010, "g720", { 34, 22, 45, 84 }, 128 }, { 0xc8710010, "g620", { 34, 22, 45, 84 }, 128 },
	{ 0xd8300010, "g725", { 39, 23, 45, 102 }, 128 }, { 0xd8310010, "g625", { 39, 23, 45, 102 }, 128 },
	{ 0xe8300010, "g1ultra", { 39, 23, 42, 110 }, 128 }, { 0xe8310010, "g1premium", { 39, 23, 42, 110 }, 128 },
	{ 0xe8330010, "g1pro", { 39, 23, 42, 110 }, 128 },
};

static void test_tables(void)
{
	static const char *const names[] = { "front end", "tiler", "L2", "shader core" };

	for (size_t i = 0; i < ARRAY_LEN(layouts); i++) {
		struct mali_identity id = { .gpu_id = layouts[i].gpu_id, .shader_present = 7, .slices = 1 };
		const struct mali_product *p = mali_product_by_id(id.gpu_id);
		struct mali_layout l;
		struct err err = { 0 };

		if (!ok(p && !strcmp(p->platform, layouts[i].platform), "%08x is %s", id.gpu_id,
			    layouts[i].platform))
			continue;
		ok(mali_layout_init(&l, &id, &err), "  it has a layout %s", err.msg);
		is_int(l.words, layouts[i].block_words, "  words of a block");
		for (int b = MALI_JM; b <= MALI_SC; b++) {
			struct counter_desc desc[MALI_MAX_WORDS];
			uint8_t words[MALI_MAX_WORDS];
			int n = mali_counters(p, (enum mali_block)b, desc, words), twice = 0;

			for (int k = 1; k < n; k++)
				twice += words[k] <= words[k - 1];
			is_int(n, layouts[i].words[b], "  counters of its %s", names[b]);
			is_int(twice, 0, "  each word counts one thing");
			ok(n > 0 && words[n - 1] < l.words, "  and lies in the block");
		}
	}
}

/* Engines by core variant: libGPUCounters, num_exec_engines.cpp. */
static void test_engines(void)
{
	static const struct {
		uint32_t gpu_id, core_features;
		int engines;
	} rows[] = {
		{ 0x90000010, 0, 1 }, { 0xa8620010, 0, 2 }, { 0xac040010, 1, 1 }, { 0xac040010, 2, 2 },
		{ 0xac040010, 6, 1 }, { 0xac040010, 7, 0 }, { 0xa0030010, 4, 2 }, { 0xa0030010, 5, 0 },
		{ 0xb8a20010, 2, 2 }, { 0xc8700010, 0, 0 }, { 0xc8700010, 1, 1 }, { 0xc8700010, 4, 2 },
		{ 0xe8300010, 0, 1 }, { 0xe8300010, 4, 2 }, { 0xe8300010, 15, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct mali_identity id = { .gpu_id = rows[i].gpu_id, .shader_present = 1, .slices = 1,
			.core_features = rows[i].core_features };

		is_int(mali_engines(mali_product_by_id(id.gpu_id), &id), rows[i].engines,
			"%08x, variant %u: engines", id.gpu_id, id.core_features);
	}
}

/* --- the vectors --- */

static struct {
	struct mali_identity id;
	struct mali_layout layout;
	struct device device;
	struct mali_sums sums;
	struct mali_feed feeds[MALI_FEEDS];
	struct sample samples[MALI_FEEDS + 1];
	const struct metric_set *set;
	struct value *values;
	int words, compared;	/* of the database that came by */
} g;

/* As valhall_vectors.py has it. */
static uint64_t word_of(int block, int instance, int index)
{
	return ((uint64_t)block * 7919 + (uint64_t)instance * 104729 + (uint64_t)index * 1299709 + 17) * 31 %
		1000003;
}

static void fill_blocks(int slices, int cores)
{
	const int instances[] = { 1, 1, slices, cores };

	for (int b = MALI_JM; b <= MALI_SC; b++)
		for (int i = 0; i < instances[b]; i++) {
			uint64_t values[MALI_MAX_WORDS];

			for (int w = 0; w < MALI_MAX_WORDS; w++)
				values[w] = word_of(b, i, w);
			ok(mali_sums_add64(&g.sums, &g.layout, (enum mali_block)b, i, values, g.layout.words),
				"  block %d of kind %d", i, b);
		}
}

static bool evaluate(const struct metric_lib *lib, const char *set)
{
	static const struct counter_desc clock = { "gpu_clock_hz", "Hz", 64, COUNTER_GAUGE };
	struct feed freq = { .name = "freq", .counters = &clock, .n_counters = 1 };
	const struct feed *feeds[MALI_FEEDS + 1];
	struct metric_binding b;

	for (int i = 0; i < MALI_FEEDS; i++) {
		mali_feed_init(&g.feeds[i], (enum mali_feed_id)i, &g.layout, "test", false);
		mali_feed_fill(&g.feeds[i], &g.sums, true, &g.samples[i]);
		feeds[i] = &g.feeds[i].feed;
	}
	feeds[MALI_FEEDS] = &freq;
	g.samples[MALI_FEEDS].values[0] = GPU_HZ;
	for (int i = 0; i <= MALI_FEEDS; i++)
		g.samples[i].window_ns = SPAN_NS;
	g.set = metric_lib_find(lib, set, g.device.platform);
	if (!ok(g.set, "  %s has the set %s", g.device.platform, set))
		return false;
	g.values = xcalloc((size_t)g.set->n_metrics, sizeof(*g.values));
	struct value *ceilings = xcalloc((size_t)g.set->n_metrics, sizeof(*ceilings));
	metric_bind(&b, g.set, &g.device, feeds, MALI_FEEDS + 1);
	b.keeps_excess = true;	/* these blocks are random: shares pass their ceiling */
	metric_eval(&b, g.samples, g.values, ceilings);
	metric_unbind(&b);
	free(ceilings);
	return true;
}

static void end(struct strbuf *bad);
static void compare_own(const struct metric_lib *lib, struct strbuf *bad);

static bool begin(const char *line, const struct metric_lib *lib, struct strbuf *bad)
{
	char name[24];
	unsigned gpu_id;
	int slices, cores;
	struct err err = { 0 };

	if (sscanf(line, "gpu %23s %x %d %d", name, &gpu_id, &slices, &cores) != 4)
		return false;
	end(bad);
	memset(&g, 0, sizeof(g));
	g.id = (struct mali_identity){ .gpu_id = gpu_id, .shader_present = (1u << cores) - 1,
		.slices = slices, .l2_features = 7u << 24, .core_features = 1 };
	ok(mali_layout_init(&g.layout, &g.id, &err) && mali_device_fill(&g.device, &g.id, &err), "%s %s", name,
		err.msg);
	fill_blocks(slices, cores);
	if (!evaluate(lib, "libGPUCounters"))
		return false;
	compare_own(lib, bad);
	return true;
}

/* What the overview calls by a name of its own, and Arm's names for it. */
static const struct {
	const char *own, *arm[2];
} own_names[] = {
	{ "tiles_unchanged", { "MaliFragTileKillRate" } },
	{ "fragments_per_pixel", { "MaliFragOverdraw" } },
	{ "early_killed", { "MaliFragEZSKillRate" } },
	{ "culled_facing", { "MaliGeomFaceCullRate", "MaliGeomFaceXYPlaneCullRate" } },
	{ "culled_plane", { "MaliGeomPlaneCullRate", "MaliGeomZPlaneCullRate" } },
	{ "culled_scissor", { "MaliGeomScissorCullRate" } },
	{ "culled_sample", { "MaliGeomSampleCullRate" } },
	{ "primitives_visible", { "MaliGeomVisibleRate" } },
};

static struct value arm_value(const struct metric_set *set, const struct value *values, const char *const names[2])
{
	for (int i = 0; i < 2 && names[i]; i++)
		if (metric_set_index(set, names[i]) >= 0)
			return values[metric_set_index(set, names[i])];
	return value_none(WHY_NOT_IN_SET);
}

static void compare_one(const char *own, double want, bool share, struct strbuf *bad)
{
	int at = metric_set_index(g.set, own);

	if (at < 0) {
		strbuf_addf(bad, " %s: no %s", g.device.platform, own);
		return;
	}
	struct value got = g.values[at];
	if (share)	/* Arm's shares end at 0 and 100 % */
		got.v = fmin(100, fmax(0, got.v));
	if (got.why != WHY_OK || fabs(got.v - want) > TOLERANCE * fmax(fabs(want), 1e-3))
		strbuf_addf(bad, " %s: %s %.12g (%s), not %.12g", g.device.platform, own, got.v,
			why_name(got.why), want);
}

/* The overview of the same blocks: nothing lacks a source but clocks and watts, which other files tell, and the
 * temperature, which nothing tells, and its own names are Arm's numbers. */
static void compare_own(const struct metric_lib *lib, struct strbuf *bad)
{
	const struct metric_set *arm_set = g.set;
	struct value *arm = g.values;
	static const char *const issues[2] = { "MaliTexIssueCy" };
	static const char *const untold[] = { "power_gpu", "gpu_clock_target", "temperature" };

	if (!evaluate(lib, "overview"))
		return;
	for (int i = 0; i < g.set->n_metrics; i++) {
		bool is_untold = false;

		for (size_t k = 0; k < ARRAY_LEN(untold); k++)
			is_untold |= !strcmp(g.set->metrics[i].name, untold[k]);
		if (g.values[i].why == WHY_NO_SOURCE && !is_untold)
			strbuf_addf(bad, " %s: %s has no source", g.device.platform, g.set->metrics[i].name);
	}
	if (!mali_is_bifrost(g.layout.product)) {
		for (size_t i = 0; i < ARRAY_LEN(own_names); i++) {
			struct value want = arm_value(arm_set, arm, own_names[i].arm);

			if (want.why == WHY_OK)
				compare_one(own_names[i].own, want.v,
					strstr(own_names[i].arm[0], "Rate") != NULL, bad);
		}
		compare_one("texture_use",
			100 * arm_value(arm_set, arm, issues).v / __builtin_popcountll(g.id.shader_present) /
				(GPU_HZ * (double)SPAN_NS / 1e9),
			false, bad);
	}
	free(g.values);
	g.set = arm_set;
	g.values = arm;
}

/* "word BLOCK INDEX SHIFT SIZE NAME": the table has it. */
static void compare_word(const char *line, struct strbuf *bad)
{
	int block, index, shift, size;
	char name[64];

	if (sscanf(line, "word %d %d %d %d %63s", &block, &index, &shift, &size, name) != 5) {
		strbuf_addf(bad, " not understood: %s", line);
		return;
	}
	int at = mali_word(g.layout.product, (enum mali_block)block, name);

	g.words++;
	if (at != index || (at >= 0 && g.layout.shift[block][at] != shift) || g.layout.words != size)
		strbuf_addf(bad, " %s %s: word %d << %d of %d, not %d << %d of %d", g.device.platform, name, at,
			at < 0 ? 0 : g.layout.shift[block][at], g.layout.words, index, shift, size);
}

/* Words that only Mesa names, on Bifrost. */
static bool is_of_mesa(const char *name)
{
	static const char *const starts[] = { "VFETCH_STALL", "WRBUF_", "COMPUTE_STARVING", "EXEC_ACTIVE", "ARITH_" };

	for (size_t i = 0; i < ARRAY_LEN(starts); i++)
		if (!strncmp(name, starts[i], strlen(starts[i])))
			return true;
	return false;
}

/* Ends a product: what rooftop counts and the database does not have. */
static void end(struct strbuf *bad)
{
	int counters = 0;

	for (int b = MALI_JM; b <= MALI_SC && g.words; b++) {
		struct counter_desc desc[MALI_MAX_WORDS];
		uint8_t words[MALI_MAX_WORDS];
		int n = mali_counters(g.layout.product, (enum mali_block)b, desc, words);

		for (int i = 0; i < n; i++)
			counters += !mali_is_bifrost(g.layout.product) || !is_of_mesa(desc[i].name);
	}
	if (counters != g.words)
		strbuf_addf(bad, " %s: %d words, the database has %d", g.device.platform, counters, g.words);
	int metrics = 0;
	for (int i = 0; g.set && i < g.set->n_metrics; i++)
		metrics += !strncmp(g.set->metrics[i].name, "Mali", 4);
	if (metrics != g.compared)
		strbuf_addf(bad, " %s: %d metrics, %d compared", g.device.platform, metrics, g.compared);
	free(g.values);
	g.values = NULL;
}

/* Returns whether the set has the metric. */
static bool compare(const char *name, const char *want, struct strbuf *bad)
{
	int at = metric_set_index(g.set, name);
	double expected = strtod(want, NULL);

	if (at < 0)
		return false;
	struct value got = g.values[at];
	g.compared++;
	if (!strcmp(want, "-")) {
		if (got.why != WHY_DIV_ZERO)
			strbuf_addf(bad, " %s: %g where the divisor is 0", name, got.v);
	} else if (got.why != WHY_OK ||
		fabs(got.v - expected) > TOLERANCE * fmax(fabs(expected), 1e-3)) {
		strbuf_addf(bad, " %s %s: %.12g (%s), not %s", g.device.platform, name, got.v, why_name(got.why),
			want);
	}
	return true;
}

static void test_vectors(const struct metric_lib *lib, const char *text)
{
	struct strbuf bad = { 0 };
	int compared = 0, missing = 0;
	char line[128], name[64], want[48];

	for (const char *p = text; p && *p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL) {
		snprintf(line, sizeof(line), "%.*s", (int)strcspn(p, "\n"), p);
		if (!strncmp(line, "gpu ", 4)) {
			if (!begin(line, lib, &bad))
				break;
			continue;
		}
		if (!strncmp(line, "word ", 5)) {
			compare_word(line, &bad);
			continue;
		}
		if (sscanf(line, "%63s %47s", name, want) != 2)
			continue;
		bool found = compare(name, want, &bad);
		compared += found;
		missing += !found;
	}
	end(&bad);
	is_str(strbuf_str(&bad), "", "all %d numbers and the words agree", compared);
	ok(compared > 1000, "they are many");
	is_int(missing, 0, "the sets have every counter of Arm's database");
	strbuf_release(&bad);
}

/* Returns what the script computes of the database's table, or NULL. args: as on its command line. */
static char *computed(const char *table, const char *args)
{
	struct strbuf command = { 0 };
	struct strbuf out = { 0 };
	char buf[4096];
	size_t n;

	strbuf_addf(&command, "python3 '%s/tests/unit/mali/valhall_vectors.py' '%s' %s", getenv("top_srcdir"), table, args);
	FILE *f = popen(strbuf_str(&command), "r");
	while (f && (n = fread(buf, 1, sizeof(buf), f)) > 0)
		strbuf_addn(&out, buf, n);
	bool good = f && pclose(f) == 0;
	strbuf_release(&command);
	char *text = good ? xstrdup(strbuf_str(&out)) : NULL;
	strbuf_release(&out);
	return text;
}

/* All products of the database's table, and what is committed is what the script makes of it. */
static void test_database(const struct metric_lib *lib, const char *committed)
{
	struct oracle_files files;
	char table[2200];

	if (!oracle_list(&files, "mali-layouts", ".table"))
		return;
	snprintf(table, sizeof(table), "%s/arm.table", files.folder);
	char *some = computed(table, ""), *all = computed(table, "all");
	is_str(some, committed, "the committed vectors are those of the database");
	if (ok(all, "%s is understood", table))
		test_vectors(lib, all);
	free(some);
	free(all);
}

/* The overview's own metrics against numbers worked out by hand from the words of one core at work. */
static void test_overview(const struct metric_lib *lib)
{
	struct err err = { 0 };
	const uint64_t active = 200000000;

	memset(&g, 0, sizeof(g));
	g.id = (struct mali_identity){ .gpu_id = 0xa8620010, .shader_present = 3, .slices = 1,
		.l2_features = 7u << 24 };
	ok(mali_layout_init(&g.layout, &g.id, &err) && mali_device_fill(&g.device, &g.id, &err), "a G710 MP2 %s",
		err.msg);
	const struct mali_product *p = g.layout.product;
	uint64_t *front = g.sums.words[mali_sums_row(MALI_JM, 0)];
	front[mali_word(p, MALI_JM, "GPU_ACTIVE")] = active;
	for (int core = 0; core < 2; core++) {
		uint64_t *sc = g.sums.words[mali_sums_row(MALI_SC, core)];

		sc[mali_word(p, MALI_SC, "EXEC_CORE_ACTIVE")] = active;
		sc[mali_word(p, MALI_SC, "EXEC_INSTR_FMA")] = active / 2;
		sc[mali_word(p, MALI_SC, "EXEC_INSTR_CVT")] = active / 4;
	}
	if (!evaluate(lib, "overview"))
		return;
	/* 200 million clocks of 400 million in half a second at 800 MHz: half busy. */
	const struct {
		const char *name;
		double want;
	} rows[] = {
		{ "gpu_busy", 50 }, { "SC.EXEC_CORE_UTILIZATION", 100 }, { "arithmetic_use", 37.5 },
		{ "arithmetic_fullest", 37.5 }, { "core_spread", 1 },
		/* half of the active clocks of two cores with 64 multiply-adds: 0.5 * 0.5 * 2 * 128 * 0.8 */
		{ "flop_at_most", 0.25 * 2 * 128 * 0.8 }, { "load_store_use", 0 },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		int at = metric_set_index(g.set, rows[i].name);

		if (ok(at >= 0, "overview has %s", rows[i].name))
			ok(fabs(g.values[at].v - rows[i].want) < 1e-6 * fmax(1, rows[i].want),
				"%s is %g (%s), %g wanted", rows[i].name, g.values[at].v,
				why_name(g.values[at].why), rows[i].want);
	}
	free(g.values);
	g.values = NULL;
}

int main(void)
{
	struct metric_lib lib = { 0 };
	struct err err = { 0 };
	char path[512];
	size_t len;

	test_tables();
	test_engines();
	mali_rig_load(&lib, "valhall.metrics");
	mali_rig_load(&lib, "mali.metrics");
	snprintf(path, sizeof(path), "%s/tests/unit/mali/valhall_vectors.txt", getenv("top_srcdir"));
	char *text = file_read_all(path, 1 << 20, &len, &err);
	if (ok(text, "the vectors %s", err.msg)) {
		test_vectors(&lib, text);
		test_database(&lib, text);
	}
	test_overview(&lib);
	free(text);
	metric_lib_release(&lib);
	return done_testing();
}
