/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of PMUs and events in a small sysfs, and what of them cannot be read. */
#include "config.h"

#include "backends/perf/perf_event.h"

#include <unistd.h>

#include "tests/fstree.h"
#include "tests/tap.h"

#define DEVICES "/sys/bus/event_source/devices"

static struct fsroot fs;

static void make_pmus(void)
{
	fstree_put(&fs, DEVICES "/power/type", "21");
	fstree_put(&fs, DEVICES "/power/cpumask", "0,16");
	fstree_put(&fs, DEVICES "/power/format/event", "config:0-7");
	fstree_put(&fs, DEVICES "/power/events/energy-pkg", "event=0x02");
	fstree_put(&fs, DEVICES "/power/events/energy-pkg.scale", "2.3283064365386962890625e-10");
	fstree_put(&fs, DEVICES "/power/events/energy-pkg.unit", "Joules");
	fstree_put(&fs, DEVICES "/power/events/energy-bad", "event=0x02");
	fstree_put(&fs, DEVICES "/power/events/energy-bad.scale", "2,3e-10");
	fstree_put(&fs, DEVICES "/cpu/type", "4");
	fstree_put(&fs, DEVICES "/cpu/format/event", "config:0-7,32-35");
	fstree_put(&fs, DEVICES "/cpu/format/umask", "config:8-15");
	fstree_put(&fs, DEVICES "/cpu/format/edge", "config:18");
	fstree_put(&fs, DEVICES "/cpu/format/offcore", "config1:0-63");
	fstree_put(&fs, DEVICES "/broken/type", "many");
}

static void test_lists(void)
{
	static const struct {
		const char *text;
		int n, last;
	} rows[] = { { "0", 1, 0 }, { "0-3,8", 5, 8 }, { "0,16", 2, 16 }, { "", 0, -1 },
		{ "x", 0, -1 }, { "3-", 0, -1 }, { "0-100", 8, 7 }, { "1,,2", 1, 1 },
		{ "2147483648", 0, -1 }, { "3-2147483648", 0, -1 },
		{ "7,99999999999999999999", 1, 7 } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int cpus[8];
		int n = perf_cpu_list(rows[i].text, cpus, 8);

		is_int(n, rows[i].n, "list '%s'", rows[i].text);
		is_int(n ? cpus[n - 1] : -1, rows[i].last, "  ... its last");
	}
}

static void test_events(void)
{
	struct err err = { 0 };
	struct perf_pmu pmu;
	struct perf_event e;

	ok(perf_pmu_find(&fs, "power", &pmu, &err), "PMU power %s", err.msg);
	is_int(pmu.type, 21, "  ... its type");
	is_int(pmu.n_cpus == 2 ? pmu.cpus[1] : -1, 16, "  ... a CPU of each package");
	ok(perf_pmu_event(&fs, &pmu, "energy-pkg", &e, &err), "energy-pkg %s", err.msg);
	is_int(e.config, 2, "  ... its config");
	is_near(e.scale * 4294967296, 1, 1e-12, "  ... its scale");
	is_str(e.unit, "Joules", "  ... its unit");
	ok(!perf_pmu_event(&fs, &pmu, "energy-gpu", &e, &err), "an event that is not there");
	is_int(err.code, ERR_UNSUPPORTED, "  ... %s", err.msg);
	ok(!perf_pmu_event(&fs, &pmu, "energy-bad", &e, &err), "a scale with a comma: %s", err.msg);
	is_int(err.code, ERR_PARSE, "  ... is a mistake of the file");
	ok(!perf_pmu_find(&fs, "broken", &pmu, &err), "a type that is no number: %s", err.msg);
	ok(!perf_pmu_find(&fs, "absent", &pmu, &err), "no PMU: %s", err.msg);
	is_int(err.code, ERR_UNSUPPORTED, "  ... is unsupported");
}

static void test_terms(void)
{
	static const struct { const char *terms; unsigned long long config, config1; } rows[] = {
		{ "event=0x03,umask=0xff", 0xff03, 0 }, { "event=0xfff", 0xf000000ff, 0 }, { "event=0xc7,umask=0x3,edge", 0x403c7, 0 },
		{ "config=0x1f03", 0x1f03, 0 }, { "event=1,offcore=0xffffffffffffffff", 1, 0xffffffffffffffff },
	};
	static const char *const bad[] = { "event=0x1000", "umask=256", "nothing=1", "event=x",
		"=1", "event=0x03,,umask=1", "edge=2" };
	struct err err = { 0 };
	struct perf_pmu pmu;
	struct perf_event e;

	ok(perf_pmu_find(&fs, "cpu", &pmu, &err), "PMU cpu %s", err.msg);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ok(perf_pmu_terms(&fs, &pmu, rows[i].terms, &e, &err), "'%s' %s", rows[i].terms,
			err.msg);
		ok(e.config == rows[i].config && e.config1 == rows[i].config1, "  ... is 0x%llx",
			rows[i].config);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ok(!perf_pmu_terms(&fs, &pmu, bad[i], &e, &err), "'%s' is refused", bad[i]);
}

static void test_open(void)
{
	struct perf_event e = { .type = 1 };
	struct perf_group g = { .n = 0 };
	struct err err = { 0 };

	ok(!perf_group_add(&fs, &g, &e, 0, &err), "no events below a prefix: %s", err.msg);
	is_int(g.n, 0, "  ... nothing is open");
}

int main(void)
{
	fstree_new(&fs);
	make_pmus();
	test_lists();
	test_events();
	test_terms();
	test_open();
	fstree_remove(&fs);
	return done_testing();
}
