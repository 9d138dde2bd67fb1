/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: any bytes as a metric file (what follows a byte 0xff is the file "b" to include),
 * loaded, bound, evaluated, explained. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/explain/explain.h"
#include "core/metric/metric.h"
#include "core/snapshot/snapshot.h"
#include "core/verdict/verdict.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *include_second(void *ctx, const char *name)
{
	return !strcmp(name, "b") ? ctx : NULL;
}

static void read_problem(void *ctx, const struct err *err)
{
	if (!strchr(err->msg, ':'))
		abort();
	++*(int *)ctx;
}

static void run_set(const struct metric_set *set)
{
	static const struct counter_desc counters[] = {
		{ "A7", "cycle", 40, COUNTER_CUMULATIVE }, { "GPU_TICKS", "cycle", 32, COUNTER_CUMULATIVE }, { "g", "MHz", 64, COUNTER_GAUGE },
	};
	static const struct feed feed = { .name = "oa", .counters = counters, .n_counters = 3 };
	static const struct sample sample = { .window_ns = 1000000,
		.values = { 24000000, 1000000, 300 } };
	const struct feed *feeds[] = { &feed };
	struct strbuf text = { 0 };
	struct device dev = { 0 };
	struct metric_binding b;
	struct snapshot snap;
	struct verdict v;
	char buf[160];

	device_set_const(&dev, "eu_count", 24);
	metric_bind(&b, set, &dev, feeds, 1);
	snapshot_init(&snap, &dev, set);
	metric_eval(&b, &sample, snap.values, snap.ceilings);
	memcpy(snap.inputs, b.inputs, (size_t)set->n_inputs * sizeof(*b.inputs));
	verdict_make(&snap, NULL, &v);
	verdict_sentence(&v, true, buf, sizeof(buf));
	verdict_explain(&v, &snap, &text);
	for (int i = 0; i < set->n_metrics; i++) {
		if ((snap.values[i].why == WHY_OK) == isnan(snap.values[i].v))
			abort();
		if (i < 4)
			explain_metric(&text, set, i, &snap, NULL);
	}
	strbuf_release(&text);
	snapshot_release(&snap);
	metric_unbind(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *mark = size ? memchr(data, 0xff, size) : NULL;
	size_t first = mark ? (size_t)(mark - data) : size;
	char *a = xstrndup(size ? (const char *)data : "", first);
	char *b = mark ? xstrndup((const char *)mark + 1, size - first - 1) : xstrdup("");
	struct metric_lib lib = { 0 };
	int told = 0;
	int problems = metric_lib_load(&lib, "a", a, include_second, b, read_problem, &told);

	if (told > problems + 1 || (problems > 0) != (told > 0))
		abort();
	for (int i = 0; i < lib.n_sets; i++)
		run_set(lib.sets[i]);
	metric_lib_release(&lib);
	free(a);
	free(b);
	return 0;
}
