/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: any bytes as an XML file of metric sets, imported with and without a device,
 * programmed, bound and evaluated. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backends/intel/oa/oa_format.h"
#include "backends/intel/oa/oa_profile.h"
#include "backends/intel/oa/oa_xml.h"
#include "backends/intel/platform/platform.h"
#include "base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_problem(void *ctx, const struct err *err)
{
	if (!strchr(err->msg, ':'))
		abort();
	++*(int *)ctx;
}

static void evaluate(const struct metric_set *set, const struct device *dev)
{
	const struct oa_format *format = oa_format_by_number(10);
	struct counter_desc counters[OA_MAX_COUNTERS];
	struct feed feed = { .name = "oa",
		.counters = counters,
		.n_counters = oa_format_counters(format, counters) };
	const struct feed *const feeds[] = { &feed };
	struct value *values = xcalloc((size_t)set->n_metrics + 1, sizeof(*values));
	struct value *ceilings = xcalloc((size_t)set->n_metrics + 1, sizeof(*ceilings));
	struct sample sample = { .window_ns = 1000000 };
	struct metric_binding b;

	for (int i = 0; i < feed.n_counters; i++)
		sample.values[i] = UINT64_C(1) << i % 40;
	metric_bind(&b, set, dev, feeds, 1);
	metric_eval(&b, &sample, values, ceilings);
	for (int i = 0; i < set->n_metrics; i++)
		if ((values[i].why == WHY_OK) == isnan(values[i].v))
			abort();
	metric_unbind(&b);
	free(values);
	free(ceilings);
}

static void import(const char *text, size_t size, const struct device *dev)
{
	static const struct device unknown;
	struct metric_lib lib = { 0 };
	struct err err = { 0 };
	int told = 0;

	if (!oa_xml_load_text(&lib, "f", text, size, read_problem, &told, &err) &&
		(!err.msg[0] || lib.n_sets > 0))
		abort();
	for (int i = 0; i < lib.n_sets; i++) {
		struct oa_profile p;

		oa_xml_fit(lib.sets[i], dev ? dev : &unknown, true);
		if (oa_profile_build(&p, lib.sets[i], dev ? dev : &unknown, NULL, NULL))
			oa_profile_release(&p);
		evaluate(lib.sets[i], dev ? dev : &unknown);
	}
	metric_lib_release(&lib);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = size ? (const char *)data : "";
	struct device dev = {
		.pci_vendor = 0x8086, .pci_device = 0x5916, .pci_revision = 2, .max_hz = 1000000000
	};

	intel_device_identify(&dev, NULL);
	import(text, size, NULL);
	import(text, size, &dev);
	return 0;
}
