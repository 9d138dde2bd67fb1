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

static int told, not_told, wrong, of_load[5], of_clock, of_turns;

static void take_queue(void *ctx, const struct span_place *p)
{
	span_table_queue(&((struct scene *)ctx)->table, p);
}

/* The host's time of a time stamp of the reports. */
static int64_t host_of(struct scene *s, uint32_t stamp)
{
	struct source *oa = s->dev.sources[0];
	uint64_t cpu_ns, now;

	oa->ops->correlate(oa, s->now_ns, &cpu_ns, &now, NULL);
	return (int64_t)cpu_ns + (int64_t)(int32_t)(stamp - (uint32_t)(now << s->dev.stamp_shift)) * NS_PER_S /
		(int64_t)s->dev.device.timestamp_hz;
}

static void take_span(void *ctx, const struct span *s)
{
	struct scene *scene = ctx;
	struct span matched = *s;

	if (scene->table.queues[s->queue].place.by_reports) {
		double ticks = (double)s->start * 1e-9 * (double)scene->dev.device.timestamp_hz;

		matched.is_matched = true;
		matched.start = host_of(scene, (uint32_t)(uint64_t)ticks);
		matched.end = matched.start + s->end - s->start;
	}
	span_table_add(&scene->table, &matched);
}

static void take_lost(void *ctx, uint64_t n)
{
	span_table_lose(&((struct scene *)ctx)->table, n);
}

static void take_pair(void *ctx, const struct report_pair *p, const uint64_t *values)
{
	struct scene *s = ctx;
	const struct span_pair pair = { .t0_ns = host_of(s, p->stamp0), .t1_ns = host_of(s, p->stamp1), .kind = p->kind, .context = p->context, .after_gap = p->after_gap };
	span_count_pair(&s->count, &pair, values);
}

/* What the model counts while kernels run, per nanosecond of them. */
struct model_rates {
	double of[Q_B - Q_A];
};

/* The model's own rates over all launches of a queue that have ended. */
static void model_rates(const struct sim_model *m, int queue, int64_t until_ns, struct model_rates *out)
{
	uint64_t begun[Q_COUNT], ended[Q_COUNT];
	int64_t at_ns = 0, ns = 0;

	*out = (struct model_rates){ 0 };
	while (at_ns < until_ns) {
		int64_t next_ns = course_next_context_change(m->now, at_ns);
		struct course_state state;

		course_at(m->now, at_ns, &state);
		if (state.context == queue && next_ns <= until_ns) {
			course_values(m->now, at_ns, begun);
			course_values(m->now, next_ns, ended);
			for (int a = 0; a < Q_B - Q_A; a++)
				out->of[a] += (double)(ended[Q_A + a] - begun[Q_A + a]);
			ns += next_ns - at_ns;
		}
		if (next_ns == INT64_MAX)
			break;
		at_ns = next_ns;
	}
	for (int a = 0; a < Q_B - Q_A && ns > 0; a++)
		out->of[a] /= (double)ns;
}

/* Compares what is told of a row with the model. */
static bool check_row(const struct scene *s, const struct sim_model *m, int row, int queue)
{
	const struct feed *f = &s->dev.sources[0]->feed;
	bool unsure[FEED_MAX_COUNTERS];
	const uint64_t *values;
	struct model_rates model;
	uint64_t pairs;
	int64_t ns;

	if (span_count_get(&s->count, &s->table, row, &values, unsure, &ns, &pairs) != SPAN_COUNTED) {
		not_told++;
		return true;
	}
	told++;
	model_rates(m, queue, s->table.settled_ns - OPENED, &model);
	for (int i = 0; i < f->n_counters; i++) {
		int a = f->counters[i].name[0] == 'A' ? atoi(f->counters[i].name + 1) : 0;
		double want = model.of[a], got = (double)values[i] / (double)ns;

		of_turns += unsure[i];
		if (a <= 0 || values[i] < 10000 || unsure[i])
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

static void try(const char *spec, int load, int64_t period_ns)
{
	struct device_list list = { 0 };
	struct scene s = { .now_ns = OPENED };
	struct err err = { 0 };
	const struct span_sink sink = { .queue = take_queue, .span = take_span, .lost = take_lost, .nonsense = take_lost, .ctx = &s };
	const struct open_options o = { .access = "auto", .power = "auto", .oa_period_ns = period_ns,
		.delay_ns = 100 * NS_PER_MS, .now_ns = OPENED };
	int before = told;
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
		span_count_around(&s.count, &(struct span_around){ .t1_ns = s.now_ns });
	}
	span_count_settle(&s.count, &s.table, s.table.settled_ns);
	uint64_t base = (uint64_t)workload_groups(&m->hw, &m->spec.load) * (uint64_t)m->spec.load.items;
	for (int row = 0; row < s.table.n_rows; row++) {
		int queue = 1;

		/* The first kernel of a spec is mad, the second one is stream, or has twice the items. */
		if (!strncmp(s.table.rows[row].name, "stream", 6) || s.table.rows[row].items > base)
			queue = 2;
		good = check_row(&s, m, row, queue) && good;
	}
	wrong += !good;
	of_load[load] += told - before;
	if (strstr(spec, "clock"))
		of_clock += told - before;
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
	/* Alone, in turns, with an end that differs from the begin, in two sizes, and preempted. */
	static const char *const loads[] = { "private.mad.sp.x4", "private.mad.sp.x4/stream.sp.x4", "private.mad.sp.x4+stream.sp.x4",
		"private.mad.sp.x4/private.mad.sp.x4,sizes", "private.mad.sp.x4/stream.sp.x4/private.mad.sp.x4,resumes" };
	static const char *const sizes[] = { "n=64", "n=65536", "n=4096", "n=8192", "n=16384,groups=12", "n=8192,groups=70" };
	static const char *const pauses[] = { "", ",pause=200", ",pause=1000", ",pause=4000" };
	static const char *const how[] = { "", ",span-offset=70", ",span-apart=100", ",span-drift=100",
		",span-jitter=80", ",span-apart=100,span-drift=50,span-jitter=50", ",span-lost=10",
		",span-unseen=2", ",jitter=10", ",lost=3",
		",span-overlap=30,span-apart=100", ",span-overlap=400", ",span-clock=reports", ",span-unseen=2,span-apart=100" };
	static const int64_t periods[] = { 80000, 333000, 1000000 };
	char spec[200];

	for (size_t l = 0; l < ARRAY_LEN(loads); l++)
		for (size_t n = 0; n < ARRAY_LEN(sizes); n++)
			for (size_t p = 0; p < ARRAY_LEN(pauses); p++)
				for (size_t h = 0; h < ARRAY_LEN(how); h++)
					for (size_t k = 0; k < ARRAY_LEN(periods); k++) {
						/* What is new to a kind of load needs one period each. */
						if ((l > 1 || h > 9) && k != (l + n + p + h) % ARRAY_LEN(periods))
							continue;
						if (!in_share())
							continue;
						snprintf(spec, sizeof(spec), "hd620,spans,load=%s,%s%s%s", loads[l],
							sizes[n], pauses[p], how[h]);
						try(spec, (int)l, periods[k]);
					}
	is_int(wrong, 0, "whatever the schedule, a counted kernel has the model's sum, within 2 percent");
	ok(told > 50 / tap_share(), "kernels are counted: %d, and not told %d", told, not_told);
	for (size_t l = 0; l < ARRAY_LEN(loads) - 1; l++)
		ok(of_load[l] > 5 || tap_share() > 1, "  ... of %s: %d", loads[l], of_load[l]);
	printf("# preempted ones: %d\n", of_load[4]);
	ok(of_clock > 15 || tap_share() > 1, "  ... and where one clock stamps both: %d", of_clock);
	ok(of_turns > 5 || tap_share() > 1, "  ... without counters of which their neighbours may have done what their ends seem to: %d", of_turns);
	ok(not_told > 50 / tap_share(), "  ... and where it cannot be known, they are not");
	return done_testing();
}
