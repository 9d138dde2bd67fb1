/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every equation of Intel's XML over windows of 1 ms to an hour with counters at full speed: it
 * gives what single reports give, where Intel's 64 bits have room for them. */
#include "config.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backends/intel/oa/oa_format.h"
#include "backends/intel/oa/oa_xml.h"
#include "backends/intel/platform/platform.h"
#include "base/clock.h"
#include "base/mem.h"
#include "core/metric/metric.h"
#include "tests/tap.h"

/* A report and the windows that are compared with it, in milliseconds. */
#define REPORT_MS 1
static const int64_t windows_ms[] = { 2, 17, 150, 1000, 9600, 18000, 100000, 1600000, 3600000 };

struct bench {
	struct device dev;
	struct feed feed;
	struct counter_desc counters[OA_MAX_COUNTERS];
	uint64_t per_ms[OA_MAX_COUNTERS];
	int metrics, undefined, wrapped, wrong;
};

/* A whole part of the platform, with every constant that its equations name. */
static bool make_device(struct bench *b, const char *platform)
{
	static const char *const counts[] = { "l3_bank_count", "l3_node_count", "sqidi_count",
		"compute_engine_count", "copy_engine_count", "geometry_pipe_count",
		"color_pipe_count", "depth_pipe_count", "subslice_count_slice0123",
		"eu_per_subslice" };
	const struct intel_platform *p = intel_platform_by_name(platform);

	b->dev = (struct device){
		.pci_vendor = INTEL_PCI_VENDOR, .min_hz = 300000000, .max_hz = 2000000000
	};
	for (int i = 0; p && i < intel_pci_id_count && !b->dev.platform[0]; i++) {
		b->dev.pci_device = intel_pci_ids[i].id;
		if (strcmp(intel_pci_ids[i].platform, platform) ||
			!intel_device_identify(&b->dev, NULL))
			b->dev.platform[0] = '\0';
	}
	if (!b->dev.platform[0])
		return false;
	if (!b->dev.topology.eus)
		intel_topology_make(
			&b->dev.topology, 2, 4, 8, p->max_slices, p->max_subslices, p->max_eus);
	if (!b->dev.timestamp_hz)
		b->dev.timestamp_hz = 19200000;
	intel_device_set_consts(&b->dev);
	for (size_t i = 0; i < ARRAY_LEN(counts); i++)
		device_set_const(&b->dev, counts[i], 8);
	return true;
}

/* No counter of a report is faster than one event for each EU and clock. Counters differ, so that no
 * difference of two is 0; the first ones are the fastest, or the last ones. */
static void make_counters(struct bench *b, bool falling)
{
	const struct oa_format *f = oa_format_by_number(b->dev.oa_format);
	uint64_t full = b->dev.max_hz / 1000 * (uint64_t)b->dev.topology.eus;

	b->feed = (struct feed){ .name = "oa",
		.counters = b->counters,
		.n_counters = oa_format_counters(f, b->counters) };
	for (int i = 0; i < b->feed.n_counters; i++)
		b->per_ms[i] = full - full / 1000 * (uint64_t)(falling ? i : OA_MAX_COUNTERS - i);
	b->per_ms[0] = b->dev.timestamp_hz / 1000;
	b->per_ms[1] = b->dev.max_hz / 1000;
}

static void fill(const struct bench *b, struct sample *s, int64_t ms)
{
	*s = (struct sample){ .window_ns = ms * NS_PER_MS };
	for (int i = 0; i < b->feed.n_counters; i++)
		s->values[i] = b->per_ms[i] * (uint64_t)ms;
}

static bool is_close(double got, double want, double slack)
{
	return fabs(got - want) <= 2e-3 * fabs(want) + slack;
}

/* Counters that grow with time leave an equation two choices: to be the same in every window, or to
 * grow with it. Each report may have lost a fraction of a count. */
static void compare(
	struct bench *b, const struct metric *m, double report, struct value window, int64_t ms)
{
	double times = (double)ms / REPORT_MS, cut = m->flags & METRIC_INTEGER ? 1 : 0;

	if (window.why == WHY_OK &&
		(is_close(window.v, report, cut) ||
			is_close(window.v, report * times, cut * times)))
		return;
	if (b->wrong++ < 10)
		diag("%s over %lld ms: %.9g (%s), of one report %.9g", m->origin, (long long)ms,
			window.v, why_name(window.why), report);
}

static void try_set(struct bench *b, const struct metric_set *set)
{
	const struct feed *const feeds[] = { &b->feed };
	size_t n = (size_t)set->n_metrics + 1;
	struct value *report = xcalloc(n, sizeof(*report)), *window = xcalloc(n, sizeof(*window)),
		     *ceilings = xcalloc(n, sizeof(*ceilings));
	struct metric_binding wide, narrow;
	struct sample s;

	metric_bind(&wide, set, &b->dev, feeds, 1);
	metric_bind(&narrow, set, &b->dev, feeds, 1);
	narrow.width = EXPR_64_BITS;
	fill(b, &s, REPORT_MS);
	metric_eval(&narrow, &s, report, ceilings);
	metric_eval(&wide, &s, window, ceilings);
	for (int i = 0; i < set->n_metrics; i++) {
		bool is_defined = report[i].why == WHY_OK && window[i].why == WHY_OK &&
			is_close(window[i].v, report[i].v, 0);

		b->metrics++;
		b->undefined += !is_defined;
		if (!is_defined)
			report[i] = value_none(WHY_OUT_OF_RANGE);
	}
	for (size_t w = 0; w < ARRAY_LEN(windows_ms); w++) {
		fill(b, &s, windows_ms[w]);
		metric_eval(&wide, &s, window, ceilings);
		for (int i = 0; i < set->n_metrics; i++)
			if (report[i].why == WHY_OK)
				compare(b, &set->metrics[i], report[i].v, window[i], windows_ms[w]);
	}
	metric_eval(&narrow, &s, ceilings, ceilings);
	for (int i = 0; i < set->n_metrics; i++) {
		b->wrapped += report[i].why == WHY_OK && !is_close(ceilings[i].v, window[i].v, 0);
	}
	metric_unbind(&wide);
	metric_unbind(&narrow);
	free(report);
	free(window);
	free(ceilings);
}

static void ignore(void *ctx, const struct err *err)
{
	(void)ctx;
	(void)err;
}

static void try_file(const char *folder, const char *name, int *wrapped)
{
	struct bench b = { .metrics = 0 };
	struct metric_lib lib = { 0 };
	struct err err = { 0 };
	char path[4096], platform[24];

	snprintf(platform, sizeof(platform), "%s", name + strlen("oa-"));
	platform[strcspn(platform, ".")] = '\0';
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	if (!ok(oa_xml_load(&lib, path, ignore, NULL, &err), "%s is read %s", name, err.msg))
		return;
	if (ok(make_device(&b, platform), "%s: there is such a part", platform)) {
		for (int i = 0; i < 2 * lib.n_sets; i++) {
			make_counters(&b, i % 2);
			try_set(&b, lib.sets[i / 2]);
		}
		is_int(b.wrong, 0, "%s: values of %d equations in %zu windows", platform, b.metrics,
			ARRAY_LEN(windows_ms));
		diag("%d of them wrap in 64 bits within an hour, %d in a single report", b.wrapped,
			b.undefined);
		*wrapped += b.wrapped;
	}
	metric_lib_release(&lib);
}

static int is_xml(const struct dirent *d)
{
	return strstr(d->d_name, ".xml.gz") != NULL;
}

int main(void)
{
	const char *oracle = getenv("ROOFTOP_ORACLE");
	struct dirent **files = NULL;
	int wrapped = 0;
	char folder[2048];

	snprintf(folder, sizeof(folder), "%s/xml", oracle ? oracle : "");
	int n = scandir(folder, &files, is_xml, alphasort);
	if (n < 0)
		skip(1, "Intel's XML files are not here: set ROOFTOP_ORACLE");
	for (int i = 0; i < n; i++) {
		if (in_share())
			try_file(folder, files[i]->d_name, &wrapped);
		free(files[i]);
	}
	free(files);
	ok_of_all(n < 0 || wrapped > 1000, "%d values of an hour would have wrapped in 64 bits", wrapped);
	return done_testing();
}
