/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What metrics are called in Prometheus: rows made by hand, and all shipped sets against the rules that
 * promtool's linter has, so that they hold where promtool is not installed. */
#include "config.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsroot.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "core/metric/metric.h"
#include "data/data.h"
#include "out/export/exposition.h"
#include "tests/tap.h"

/* No metric has the name of a family that the sources name, whatever comes to be one. */
static void test_reserved(void)
{
	struct strbuf pattern = { 0 };
	glob_t files;
	int n = 0, taken = 0;

	strbuf_addf(&pattern, "%s/src/out/export/*.c", getenv("top_srcdir"));
	glob(strbuf_str(&pattern), 0, NULL, &files);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		struct err err = { 0 };
		size_t len;
		char *text = file_read_all(files.gl_pathv[i], 1 << 20, &len, &err);

		for (char *at = text; at && (at = strstr(at, "\"rooftop_")); n++) {
			char name[80];

			at += strlen("\"rooftop_");
			snprintf(name, sizeof(name), "%.*s", (int)strspn(at, "abcdefghijklmnopqrstuvwxyz_"), at);
			struct metric m = { .name = name, .unit_text = (char *)"1" };
			struct metric_family f;
			metric_family_of(&m, false, &f);
			if (strncmp(f.name, "rooftop_metric_", strlen("rooftop_metric_")) != 0) {
				diag("%s: %s", files.gl_pathv[i], name);
				taken++;
			}
		}
		free(text);
	}
	ok(n > 30 && !taken, "no metric takes the name of one of %d families", n);
	globfree(&files);
	strbuf_release(&pattern);
}

static void test_rows(void)
{
	static const struct {
		const char *name, *unit;
		unsigned flags;
		bool cells;
		const char *want, *want_unit;
		enum exposition_type type;
		bool summed;
	} rows[] = {
		{ "gpu_busy", "%", 0, false, "rooftop_gpu_busy_ratio", "ratio", EXPOSITION_GAUGE, false },
		{ "gti_read", "GB/s", 0, false, "rooftop_gti_read_bytes_per_second", "bytes_per_second",
			EXPOSITION_GAUGE, false },
		{ "power_card", "mW", 0, false, "rooftop_power_card_watts", "watts", EXPOSITION_GAUGE,
			false },
		{ "clock", "MHz", 0, false, "rooftop_clock_hertz", "hertz", EXPOSITION_GAUGE, false },
		{ "temperature", "degC", 0, false, "rooftop_temperature_celsius", "celsius",
			EXPOSITION_GAUGE, false },
		{ "temperature", "mdegC", 0, false, "rooftop_temperature_celsius", "celsius",
			EXPOSITION_GAUGE, false },
		{ "fan", "rpm", 0, false, "rooftop_fan_rpm", "rpm", EXPOSITION_GAUGE, false },
		{ "energy_card", "J", 0, false, "rooftop_energy_card_joules", "joules",
			EXPOSITION_COUNTER, true },
		{ "energy_gpu", "uJ", METRIC_TOTAL, false, "rooftop_energy_gpu_joules", "joules",
			EXPOSITION_COUNTER, false },
		{ "energy_gpu", "J", 0, true, "rooftop_cell_energy_gpu_joules", "joules",
			EXPOSITION_GAUGE, false },
		{ "xids", "1", METRIC_TOTAL, false, "rooftop_xids", "", EXPOSITION_COUNTER, false },
		{ "read_bytes", "B", 0, false, "rooftop_read_bytes", "bytes", EXPOSITION_GAUGE, false },
		{ "megabytes", "B", 0, false, "rooftop_megabytes_bytes", "bytes", EXPOSITION_GAUGE, false },
		{ "pixel_count", "1", 0, false, "rooftop_pixel_counted", "", EXPOSITION_GAUGE, false },
		{ "culls_percent", "%", 0, false, "rooftop_culls_ratio", "ratio", EXPOSITION_GAUGE, false },
		{ "GpuBusy.x-1", "1", 0, false, "rooftop_gpubusy_x_1", "", EXPOSITION_GAUGE, false },
		{ "device_busy", "%", 0, false, "rooftop_metric_device_busy_ratio", "ratio", EXPOSITION_GAUGE, false },
		{ "Windows", "1", 0, false, "rooftop_metric_windows", "", EXPOSITION_GAUGE, false },
		{ "cell_busy", "%", 0, false, "rooftop_metric_cell_busy_ratio", "ratio", EXPOSITION_GAUGE, false },
		{ "metric_device", "1", 0, false, "rooftop_metric_metric_device", "", EXPOSITION_GAUGE, false },
		{ "device_busy", "%", 0, true, "rooftop_cell_device_busy_ratio", "ratio", EXPOSITION_GAUGE, false },
		{ "flops", "GFLOP/s/W", 0, false, "rooftop_flops_flops_per_joule", "flops_per_joule",
			EXPOSITION_GAUGE, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct metric m = { .name = (char *)rows[i].name,
			.unit_text = (char *)rows[i].unit, .flags = rows[i].flags };
		struct metric_family f;

		ok(unit_parse(rows[i].unit, strlen(rows[i].unit), &m.unit, NULL), "%s is a unit",
			rows[i].unit);
		metric_family_of(&m, rows[i].cells, &f);
		is_str(f.name, rows[i].want, "%s in %s is called", rows[i].name, rows[i].unit);
		is_str(f.unit, rows[i].want_unit, "  ... and its unit");
		ok(f.type == rows[i].type && f.is_summed == rows[i].summed,
			"  ... and it is the counter or gauge that it should be");
	}
}

/* The rules of promlint (github.com/prometheus/client_golang, prometheus/testutil/promlint). */
static const char *fault_of(const char *name)
{
	static const char *const abbreviated[] = { "s", "ms", "us", "ns", "sec", "b", "kb", "mb", "gb",
		"tb", "pb", "m", "h", "d" };
	static const char *const types[] = { "counter", "gauge", "histogram", "summary" };
	static const char *const other_units[] = { "bits", "minutes", "hours", "days", "weeks",
		"kelvins", "fahrenheit", "rankine", "inches", "yards", "miles", "calories", "pounds",
		"ounces", "milliseconds", "microseconds", "nanoseconds", "kilobytes", "megabytes",
		"gigabytes", "milliwatts", "percent" };
	static const char *const ends[] = { "_count", "_sum", "_bucket", "_total" };
	char copy[200], *word, *rest = copy;

	for (const char *c = name; *c; c++)
		if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c) && *c != '_')
			return "a sign that is no lower-case letter, digit or underscore";
	for (size_t i = 0; i < ARRAY_LEN(ends); i++)
		if (strlen(name) > strlen(ends[i]) &&
			!strcmp(name + strlen(name) - strlen(ends[i]), ends[i]))
			return "an end that belongs to another type";
	snprintf(copy, sizeof(copy), "%s", name);
	while ((word = strsep(&rest, "_"))) {
		for (size_t i = 0; i < ARRAY_LEN(abbreviated); i++)
			if (!strcmp(word, abbreviated[i]))
				return "an abbreviated unit";
		for (size_t i = 0; i < ARRAY_LEN(types); i++)
			if (!strcmp(word, types[i]))
				return "the name of a type";
		for (size_t i = 0; i < ARRAY_LEN(other_units); i++)
			if (!strcmp(word, other_units[i]))
				return "a unit that is no base unit";
	}
	return NULL;
}

/* One name has one type and one unit, whichever device has it. */
struct seen {
	struct metric_family family;
	const char *set;
};

static int by_name(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	return strcmp(x->family.name, y->family.name);
}

static const char *find_include(void *ctx, const char *name)
{
	(void)ctx;
	return packed_find(metric_files, name, "");
}

static void no_problem(void *ctx, const struct err *err)
{
	(void)ctx;
	(void)err;
}

static void test_shipped(void)
{
	struct metric_lib lib = { 0 };
	struct seen *all = NULL;
	size_t n = 0, cap = 0;
	int faults = 0, clashes = 0, n_sets = 0;

	for (const struct packed_file *e = metric_files; e->name; e++)
		if (packed_serves(e, NULL) && in_share())
			metric_lib_load(&lib, e->name, packed_text(e), find_include, NULL, no_problem, NULL);
	for (int k = 0; k < lib.n_sets; k++) {
		const struct metric_set *set = lib.sets[k];

		n_sets++;
		for (int i = 0; i < 2 * set->n_metrics; i++) {
			const struct metric *m = &set->metrics[i / 2];
			const char *fault;

			if (m->flags & METRIC_HIDDEN)
				continue;
			all = array_grow(all, n, &cap, sizeof(*all));
			metric_family_of(m, i % 2, &all[n].family);
			all[n].set = set->name;
			fault = fault_of(all[n].family.name);
			if (fault)
				diag("%s of set %s has %s", all[n].family.name, set->name, fault);
			faults += fault != NULL;
			n++;
		}
	}
	qsort(all, n, sizeof(*all), by_name);
	for (size_t i = 1; i < n; i++) {
		const struct metric_family *a = &all[i - 1].family, *b = &all[i].family;

		if (strcmp(a->name, b->name) || (a->type == b->type && !strcmp(a->unit, b->unit)))
			continue;
		diag("%s is not the same in %s and %s", a->name, all[i - 1].set, all[i].set);
		clashes++;
	}
	ok(n_sets > 50 / tap_share(), "the shipped sets are looked at: %d", n_sets);
	ok(faults == 0, "no name breaks a rule of the linter");
	ok(clashes == 0, "no name has two types or units");
	free(all);
	metric_lib_release(&lib);
}

int main(void)
{
	test_rows();
	test_reserved();
	test_shipped();
	return done_testing();
}
