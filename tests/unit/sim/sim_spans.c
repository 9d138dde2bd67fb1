/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels of the simulated GPU, told with clocks that differ, drift and jitter, with losses, unseen work,
 * and periods of all kinds: what is counted of a kernel is the model's own sum for it, within 2 %, or it
 * is not told. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "backends/common/backend.h"
#include "backends/sim/model/course.h"
#include "backends/sim/sim_model.h"
#include "base/clock.h"
#include "base/mem.h"
#include "core/spans/span_count.h"
#include "core/spans/span_table.h"
#include "tests/tap.h"

#define OPENED NS_PER_S
#define LENGTH (700 * NS_PER_MS)

struct scene {
	struct open_device dev;
	struct span_table table;
	struct span_count count;
	int64_t now_ns;
};

static int told, not_told, wrong;

static void take_queue(void *ctx, const struct span_place *p)
{
	span_table_queue(&((struct scene *)ctx)->table, p);
}

static void take_span(void *ctx, const struct span *s)
{
	span_table_add(&((struct scene *)ctx)->table, s);
}

static void take_lost(void *ctx, uint64_t n)
{
	span_table_lose(&((struct scene *)ctx)->table, n);
}

static void take_pair(void *ctx, const struct report_pair *p, const uint64_t *values)
{
	struct scene *s = ctx;
	struct source *oa = s->dev.sources[0];
	uint64_t cpu_ns, stamp, hz = s->dev.device.timestamp_hz;

	oa->ops->correlate(oa, s->now_ns, &cpu_ns, &stamp, NULL);
	uint32_t base = (uint32_t)(stamp << s->dev.stamp_shift);
	const struct span_pair pair = {
		.t0_ns = (int64_t)cpu_ns + (int64_t)(int32_t)(p->stamp0 - base) * NS_PER_S / (int64_t)hz,
		.t1_ns = (int64_t)cpu_ns + (int64_t)(int32_t)(p->stamp1 - base) * NS_PER_S / (int64_t)hz,
		.kind = p->kind, .context = p->context, .after_gap = p->after_gap };
	span_count_pair(&s->count, &pair, values);
}

/* The model's own sum of a counter and the time, over all launches of a queue. */
static double model_rate(const struct sim_model *m, int queue, int counter)
{
	int64_t at_ns = 0, ns = 0;
	double sum = 0;

	while (at_ns < LENGTH) {
		int64_t next_ns = course_next_context_change(m->now, at_ns);
		struct course_state state;

		course_at(m->now, at_ns, &state);
		if (state.context == queue) {
			sum += (double)(course_value(m->now, (enum quantity)(Q_A + counter), next_ns) -
				course_value(m->now, (enum quantity)(Q_A + counter), at_ns));
			ns += next_ns - at_ns;
		}
		if (next_ns == INT64_MAX)
			break;
		at_ns = next_ns;
	}
	return ns > 0 ? sum / (double)ns : 0;
}

/* Compares what is told of a row with the model. */
static bool check_row(const struct scene *s, const struct sim_model *m, int row, int queue)
{
	const struct feed *f = &s->dev.sources[0]->feed;
	const uint64_t *values;
	uint64_t pairs;
	int64_t ns;

	if (span_count_get(&s->count, &s->table, row, &values, &ns, &pairs) != SPAN_COUNTED) {
		not_told++;
		return true;
	}
	told++;
	for (int i = 0; i < f->n_counters; i++) {
		int a = f->counters[i].name[0] == 'A' ? atoi(f->counters[i].name + 1) : 0;
		double want = a > 0 ? model_rate(m, queue, a) : 0, got = (double)values[i] / (double)ns;

		if (a <= 0 || values[i] < 10000)
			continue;
		if (got > want * 1.02 || got < want * 0.98) {
			printf("#   %s: counted %g, the model has %g\n", f->counters[i].name, got, want);
			return false;
		}
	}
	return true;
}

struct sim_spans_view {
	struct span_source source;
	struct sim_model *m;
};

static void try(const char *spec, int64_t period_ns)
{
	struct device_list list = { 0 };
	struct scene s = { .now_ns = OPENED };
	struct err err = { 0 };
	const struct span_sink sink = { take_queue, take_span, take_lost, take_lost, &s };
	const struct open_options o = { .access = "auto", .power = "auto", .oa_period_ns = period_ns,
		.delay_ns = 100 * NS_PER_MS, .now_ns = OPENED };
	bool good = true;
	const struct pair_tap pairs = { take_pair, &s };

	if (!sim_backend.resolve(NULL, spec, &list, &err) ||
		!sim_backend.open(&list.entries[0], &o, &s.dev, &err)) {
		ok(false, "%s opens: %s", spec, err.msg);
		return;
	}
	const struct sim_model *m = ((struct sim_spans_view *)s.dev.spans)->m;
	struct source *oa = s.dev.sources[0];
	span_table_clear(&s.table, OPENED, "own");
	span_count_begin(&s.count, &oa->feed, true);
	for (int i = 0; i < oa->feed.n_counters; i++)
		good &= s.count.is_work[i] ==
			(oa->feed.counters[i].name[0] == 'A' && strcmp(oa->feed.counters[i].name, "A0"));
	ok(good && s.count.busy >= 0 && !strcmp(oa->feed.counters[s.count.busy].name, "A0"),
		"%s: the counters of work and of busy time are known", spec);
	oa->ops->set_pairs(oa, &pairs);
	s.table.keep_from_ns = 1;
	for (; s.now_ns < OPENED + LENGTH; s.now_ns += 20 * NS_PER_MS) {
		struct sample sample = { .why = WHY_OK };

		oa->ops->ready(oa, s.now_ns, NULL);
		oa->ops->collect(oa, s.now_ns, &sample);
		span_table_settle(&s.table, s.dev.spans->read(s.dev.spans, s.now_ns, &sink));
	}
	span_count_settle(&s.count, &s.table, s.table.settled_ns);
	for (int row = 0; row < s.table.n_rows; row++) {
		int queue = 1;

		/* The first kernel of a spec is mad, the second one is stream. */
		if (!strncmp(s.table.rows[row].name, "stream", 6))
			queue = 2;
		good = check_row(&s, m, row, queue) && good;
	}
	wrong += !good;
	if (!good)
		ok(false, "%s, a report every %lld us: counted as the model, or not told", spec,
			(long long)period_ns / 1000);
	span_count_release(&s.count);
	span_table_release(&s.table);
	open_device_close(&s.dev);
	device_list_release(&list);
}

int main(void)
{
	static const char *const loads[] = { "private.mad.sp.x4", "private.mad.sp.x4/stream.sp.x4" };
	static const char *const sizes[] = { "n=64", "n=512", "n=4096", "n=8192", "n=16384,groups=12" };
	static const char *const pauses[] = { "", ",pause=200", ",pause=1000", ",pause=4000" };
	static const char *const how[] = { "", ",span-offset=70", ",span-apart=100", ",span-drift=100",
		",span-jitter=80", ",span-apart=100,span-drift=50,span-jitter=50", ",span-lost=10",
		",span-unseen=2", ",jitter=10", ",lost=3" };
	static const int64_t periods[] = { 80000, 333000, 1000000 };
	char spec[200];

	for (size_t l = 0; l < ARRAY_LEN(loads); l++)
		for (size_t n = 0; n < ARRAY_LEN(sizes); n++)
			for (size_t p = 0; p < ARRAY_LEN(pauses); p++)
				for (size_t h = 0; h < ARRAY_LEN(how); h++)
					for (size_t k = 0; k < ARRAY_LEN(periods); k++) {
						if (!in_share())
							continue;
						snprintf(spec, sizeof(spec), "hd620,spans,load=%s,%s%s%s", loads[l],
							sizes[n], pauses[p], how[h]);
						try(spec, periods[k]);
					}
	is_int(wrong, 0, "whatever the schedule, a counted kernel has the model's sum, within 2 percent");
	ok(told > 50 / tap_share(), "kernels are counted: %d, and not told %d", told, not_told);
	ok(not_told > 50 / tap_share(), "  ... and where it cannot be known, they are not");
	return done_testing();
}
