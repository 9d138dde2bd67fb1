/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dumps of synthetic Bifrost GPUs: every sum and every derived counter that the oracle names comes out of the blocks and metric files.
 *
 * The vectors' derived values follow libGPUCounters' database. Its C++ library differs from that in MaliExtBusRdStallRate and
 * MaliExtBusWrStallRate: it divides by the bytes of a slice where the equation says slices. The vectors have them as the equation
 * says, and so has rooftop: nothing is excepted here. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "backends/mali/dump_sources.h"
#include "base/fsroot.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "core/metric/metric.h"
#include "tests/oracle.h"
#include "tests/unit/intel/json_scan.h"
#include "tests/unit/mali/mali_rig.h"

#define TOLERANCE 1e-9
#define MAX_FILE_BYTES (1 << 20)
#define SETS 3

static const char *const set_names[SETS] = { "overview", "latency", "libGPUCounters" };

static const struct counter_desc freq_counters[] = {
	{ "gpu_clock_hz", "Hz", 64, COUNTER_GAUGE },
	{ "gpu_target_hz", "Hz", 64, COUNTER_GAUGE },
};

/* One vector: the GPU, its dump, and what rooftop makes of it. */
struct vector {
	struct mali_identity id;
	struct mali_layout layout;
	struct device device;
	struct mali_sums sums;
	struct mali_feed feeds[MALI_FEEDS];
	struct sample samples[MALI_FEEDS + 1];
	double gpu_hz, time_span_s;
	uint8_t dump[MALI_MAX_BLOCKS * MALI_BLOCK_BYTES];
	size_t n_blocks;
	struct value *values[SETS];
	const struct metric_set *sets[SETS];
};

static int compared;

/* Numbers in quotes are hexadecimal. */
static double config_number(struct json *j)
{
	char text[64];

	while (*j->p == ' ')
		j->p++;
	if (*j->p != '"')
		return json_number(j).d;
	json_string(j, text, sizeof(text));
	return (double)strtoull(text, NULL, 16);
}

static void read_config(struct json *j, struct vector *v)
{
	bool first = true;
	char key[64];

	while (json_key(j, &first, key, sizeof(key))) {
		if (!strcmp(key, "gpu") || !strcmp(key, "garbage_absent"))
			json_skip(j);
		else if (!strcmp(key, "gpu_id"))
			v->id.gpu_id = (uint32_t)config_number(j);
		else if (!strcmp(key, "shader_present"))
			v->id.shader_present = (uint64_t)config_number(j);
		else if (!strcmp(key, "l2_slices"))
			v->id.slices = (int)config_number(j);
		else if (!strcmp(key, "l2_features"))
			v->id.l2_features = (uint32_t)config_number(j);
		else if (!strcmp(key, "core_features"))
			v->id.core_features = (uint32_t)config_number(j);
		else if (!strcmp(key, "thread_features"))
			v->id.thread_features = (uint32_t)config_number(j);
		else if (!strcmp(key, "gpu_hz"))
			v->gpu_hz = config_number(j);
		else if (!strcmp(key, "time_span_s"))
			v->time_span_s = config_number(j);
		else if (!strcmp(key, "num_exec_engines"))
			is_int(mali_engines(mali_product_by_id(v->id.gpu_id), &v->id),
				(int)config_number(j), "  execution engines");
		else
			config_number(j);
	}
}

static void read_words(struct json *j, uint8_t *block)
{
	bool first = true;
	uint32_t word;

	for (int i = 0; json_item(j, &first); i++) {
		word = (uint32_t)json_number(j).u;
		if (i < MALI_BLOCK_WORDS)
			memcpy(block + sizeof(word) * (size_t)i, &word, sizeof(word));
	}
}

static void read_blocks(struct json *j, struct vector *v)
{
	bool first = true;

	while (json_item(j, &first)) {
		bool first_key = true;
		char key[16];

		while (json_key(j, &first_key, key, sizeof(key))) {
			if (!strcmp(key, "values") && v->n_blocks < MALI_MAX_BLOCKS)
				read_words(j, v->dump + MALI_BLOCK_BYTES * v->n_blocks++);
			else
				json_skip(j);
		}
	}
}

/* As app does: the three feeds and a clock, one window. */
static bool evaluate(struct vector *v, const struct metric_lib *lib)
{
	struct feed freq = {
		.name = "freq", .counters = freq_counters, .n_counters = ARRAY_LEN(freq_counters)
	};
	const struct feed *feeds[MALI_FEEDS + 1];
	struct err err = { 0 };

	if (!ok(mali_layout_init(&v->layout, &v->id, &err) &&
			    mali_device_fill(&v->device, &v->id, &err) &&
			    mali_sums_add_dump(&v->sums, &v->layout, v->dump,
				    v->n_blocks * MALI_BLOCK_BYTES, &err),
		    "  its %zu blocks are read %s", v->n_blocks, err.msg))
		return false;
	for (int i = 0; i < MALI_FEEDS; i++) {
		mali_feed_init(&v->feeds[i], (enum mali_feed_id)i, &v->layout, "test", false);
		mali_feed_fill(&v->feeds[i], &v->sums, true, &v->samples[i]);
		feeds[i] = &v->feeds[i].feed;
	}
	feeds[MALI_FEEDS] = &freq;
	v->samples[MALI_FEEDS].values[0] = (uint64_t)v->gpu_hz;
	for (int i = 0; i <= MALI_FEEDS; i++)
		v->samples[i].window_ns = (int64_t)(v->time_span_s * 1e9 + 0.5);
	for (int i = 0; i < SETS; i++) {
		struct metric_binding b;
		struct value *ceilings;

		v->sets[i] = metric_lib_find(lib, set_names[i], v->device.platform);
		if (!ok(v->sets[i], "  %s has set %s", v->device.platform, set_names[i]))
			return false;
		v->values[i] = xcalloc((size_t)v->sets[i]->n_metrics, sizeof(struct value));
		ceilings = xcalloc((size_t)v->sets[i]->n_metrics, sizeof(struct value));
		metric_bind(&b, v->sets[i], &v->device, feeds, MALI_FEEDS + 1);
		/* Counters of these vectors are random: shares pass their ceiling. */
		b.keeps_excess = true;
		metric_eval(&b, v->samples, v->values[i], ceilings);
		metric_unbind(&b);
		free(ceilings);
	}
	return true;
}

static bool agree(double got, double want)
{
	return fabs(got - want) <= TOLERANCE * fmax(fabs(want), 1e-12);
}

/* base: the expected value is in base units (a fraction), else in the metric's (percent). */
static void compare(
	const struct vector *v, const char *name, struct number want, bool base, struct strbuf *bad)
{
	const struct metric *m = NULL;
	struct value got = { 0 };

	for (int i = base ? 0 : SETS - 1; i < SETS && !m; i++) {
		int at = metric_set_index(v->sets[i], name);

		if (at >= 0) {
			m = &v->sets[i]->metrics[at];
			got = v->values[i][at];
		}
	}
	compared++;
	if (!m)
		strbuf_addf(bad, " %s: no metric", name);
	else if (want.is_null && got.why != WHY_DIV_ZERO)
		strbuf_addf(bad, " %s: %g where the divisor is 0", name, got.v);
	else if (!want.is_null &&
		(got.why != WHY_OK || !agree(base ? got.v * m->unit.scale : got.v, want.d)))
		strbuf_addf(
			bad, " %s: %.17g (%s), not %.17g", name, got.v, why_name(got.why), want.d);
}

static void compare_sum(
	const struct vector *v, const char *name, struct number want, struct strbuf *bad)
{
	for (int f = 0; f < MALI_FEEDS; f++)
		for (int c = 0; c < v->feeds[f].feed.n_counters; c++)
			if (!strcmp(v->feeds[f].counters[c].name, name)) {
				if (v->samples[f].values[c] != want.u)
					strbuf_addf(bad, " %s: %llu, not %llu", name,
						(unsigned long long)v->samples[f].values[c],
						(unsigned long long)want.u);
				compared++;
				return;
			}
	strbuf_addf(bad, " %s: no counter", name);
}

/* {"name": 12} or {"name": {"unit": "percent", "value": 12}}. */
static struct number read_value(struct json *j)
{
	struct number n = { .is_null = true };
	bool first = true;
	char key[16];

	while (*j->p == ' ')
		j->p++;
	if (*j->p != '{')
		return json_number(j);
	while (json_key(j, &first, key, sizeof(key))) {
		if (!strcmp(key, "value"))
			n = json_number(j);
		else
			json_skip(j);
	}
	return n;
}

static void read_values(struct json *j, const struct vector *v, const char *what)
{
	bool first = true, seed = !strcmp(what, "seed_derived"),
	     extra = !strcmp(what, "mesa_extra_sums");
	struct strbuf bad = { 0 };
	char name[64];
	int n = 0;

	while (json_key(j, &first, name, sizeof(name))) {
		struct number want = read_value(j);

		n++;
		if (extra)
			compare_sum(v, name, want, &bad);
		else
			compare(v, name, want, seed, &bad);
	}
	is_str(strbuf_str(&bad), "", "  %s: all %d agree", what, n);
	strbuf_release(&bad);
}

static void test_vector(const char *path, const char *name, const struct metric_lib *lib)
{
	static const char *const lists[] = { "raw_sums", "mesa_extra_sums", "derived",
		"seed_derived" };
	struct vector *v = xcalloc(1, sizeof(*v));
	struct err err = { 0 };
	size_t len;
	char *text = file_read_all(path, MAX_FILE_BYTES, &len, &err), key[64];
	struct json j = { .p = text };
	bool first = true, good = false;
	int found = 0;

	ok(text, "%s %s", name, err.msg);
	while (text && json_key(&j, &first, key, sizeof(key))) {
		bool known = false;

		for (size_t i = 0; i < ARRAY_LEN(lists); i++)
			known |= !strcmp(key, lists[i]);
		if (!strcmp(key, "config")) {
			read_config(&j, v);
		} else if (!strcmp(key, "blocks")) {
			read_blocks(&j, v);
			good = evaluate(v, lib);
		} else if (known && good) {
			read_values(&j, v, key);
			found++;
		} else {
			json_skip(&j);
		}
	}
	ok(text && !j.bad, "  the file is of the known format");
	is_int(found, (long long)ARRAY_LEN(lists), "  lists of values");
	for (int i = 0; i < SETS; i++)
		free(v->values[i]);
	free(v);
	free(text);
}

int main(void)
{
	static struct oracle_files files;
	struct metric_lib lib = { 0 };
	char path[4096];

	if (!oracle_list(&files, "mali", ".json"))
		return done_testing();
	mali_rig_lib(&lib);
	for (int i = 0; i < files.n; i++) {
		snprintf(path, sizeof(path), "%s/%s.json", files.folder, files.names[i]);
		test_vector(path, files.names[i], &lib);
	}
	metric_lib_release(&lib);
	ok(compared > 0, "%d values were compared", compared);
	return done_testing();
}
