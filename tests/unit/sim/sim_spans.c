/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels of the simulated GPU, told with clocks that differ, drift and jitter, with losses, unseen work,
 * and periods of all kinds: what is counted of a kernel is the model's own sum for it, within 2 %, or it
 * is not told. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/common/backend.h"
#include "backends/sim/model/course.h"
#include "backends/sim/sim_model.h"
#include "base/clock.h"
#include "base/mem.h"
#include "core/metric/metric.h"
#include "core/roofline/roofline.h"
#include "core/spans/kernel_judge.h"
#include "core/spans/span_count.h"
#include "core/spans/span_table.h"
#include "data/data.h"
#include "tests/tap.h"

#define OPENED NS_PER_S
#define LENGTH (700 * NS_PER_MS)

struct scene {
	struct open_device dev;
	struct span_table table;
	struct span_count count;
	int64_t now_ns;
	struct metric_binding binding;
};

static struct metric_lib lib;
static const struct metric_set *set; /* by which kernels are judged */
static int told, not_told, wrong, of_load[5], of_clock, of_turns, said_in_part;

static const char *find_include(void *ctx, const char *name)
{
	(void)ctx;
	return packed_find(metric_files, name, "");
}

static void problem(void *ctx, const struct err *err)
{
	(void)ctx;
	printf("# %s\n", err->msg);
}

static void load_set(const char *platform)
{
	set = metric_lib_find(&lib, "memory", platform);
	if (!set) {
		printf("Bail out! there is no set for %s\n", platform);
		exit(1);
	}
	if (set->is_head)
		metric_lib_load_body(&lib, set, find_include(NULL, set->file), find_include, NULL, problem, NULL);
}

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
	double of[Q_P]; /* by enum quantity */
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
			for (int q = 0; q < Q_P; q++)
				out->of[q] += (double)(ended[q] - begun[q]);
			ns += next_ns - at_ns;
		}
		if (next_ns == INT64_MAX)
			break;
		at_ns = next_ns;
	}
	for (int q = 0; q < Q_P && ns > 0; q++)
		out->of[q] /= (double)ns;
}

/* Which quantity of the model a counter is; -1: none that kernels do. */
static int quantity_of(const char *name)
{
	static const int banks[] = { Q_A, Q_B, Q_C };
	const char *bank = strchr("ABC", *name);

	if (!strcmp(name, "GPU_TICKS"))
		return Q_TICKS;
	return *name && bank && name[1] >= '0' && name[1] <= '9' ? banks[bank - (const char *)"ABC"] + atoi(name + 1) : -1;
}

static bool agrees(double v, double want, double within)
{
	return fabs(v - want) <= within * fabs(want);
}

/* What is said of a kernel is what is said by the model's own sums of all its runs, or less where the ends of its runs are not
 * known. */
static bool check_said(const struct kernel_line *k, const struct kernel_line *model, bool in_part)
{
	bool less = in_part && (!strcmp(k->bound, "unknown") || !strcmp(k->bound, "no_counters"));
	bool good = (less || !strcmp(k->bound, model->bound)) &&
		(agrees(k->headroom, model->headroom, 0.02) || (isnan(k->headroom) && (less || isnan(model->headroom)))) &&
		(agrees(k->gflops, model->gflops, 0.02) || (in_part && isnan(k->gflops))) &&
		(agrees(k->gbytes_per_s, model->gbytes_per_s, 0.02) || (in_part && isnan(k->gbytes_per_s))) &&
		(agrees(k->flop_per_byte, model->flop_per_byte, 0.04) || (in_part && isnan(k->flop_per_byte)));

	said_in_part += in_part && !less;
	if (!good)
		printf("#   in part %d: %s, headroom %g, %g GFLOP/s, %g GB/s, %g FLOP/byte; by the model %s, %g, %g, %g, %g\n", in_part,
			k->bound, k->headroom, k->gflops, k->gbytes_per_s, k->flop_per_byte, model->bound, model->headroom,
			model->gflops, model->gbytes_per_s, model->flop_per_byte);
	return good;
}

/* Compares what is told of a row with the model. */
static bool check_row(struct scene *s, const struct sim_model *m, int row, int queue)
{
	const struct feed *f = &s->dev.sources[0]->feed;
	static const bool sure[FEED_MAX_COUNTERS];
	static const struct roof_file no_roofs;
	const struct kernel_judge by = { &s->binding, &s->dev.device, f, s->dev.n_sources, &no_roofs };
	struct kernel_line by_counts = { .gflops = NAN, .gbytes_per_s = NAN, .flop_per_byte = NAN }, by_model = by_counts;
	uint64_t all[FEED_MAX_COUNTERS];
	bool unsure[FEED_MAX_COUNTERS], in_part = false;
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
		int q = quantity_of(f->counters[i].name);
		double want = q < 0 ? 0 : model.of[q], got = (double)values[i] / (double)ns;

		all[i] = q < 0 ? values[i] : (uint64_t)(want * (double)ns);
		in_part |= unsure[i];
		of_turns += unsure[i];
		if (q < Q_A || values[i] < 10000 || unsure[i])
			continue;
		if (got > want * 1.02 || got < want * 0.98) {
			printf("#   %s: counted %g, the model has %g\n", f->counters[i].name, got, want);
			return false;
		}
	}
	by_counts.pairs = by_model.pairs = pairs;
	kernel_judge(&by, values, unsure, ns, &by_counts);
	kernel_judge(&by, all, sure, ns, &by_model);
	return check_said(&by_counts, &by_model, in_part);
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
		.delay_ns = 100 * NS_PER_MS, .now_ns = OPENED, .set = set };
	const struct feed *feeds[DEVICE_MAX_SOURCES];
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
	for (int i = 0; i < s.dev.n_sources; i++)
		feeds[i] = &s.dev.sources[i]->feed;
	metric_bind(&s.binding, o.set, &s.dev.device, feeds, s.dev.n_sources);
	span_table_clear(&s.table, OPENED, "own");
	span_count_begin(&s.count, &oa->feed, true);
	for (int i = 0; i < oa->feed.n_counters; i++)
		good &= s.count.is_work[i] ==
			(quantity_of(oa->feed.counters[i].name) > Q_A);
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
	metric_unbind(&s.binding);
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
	static const char *const others[][2] = { { "tgl", "tglgt2" }, { "dg2", "acmgt3" }, { "mtl", "mtlgt2" } };
	static const int size_of[] = { 1, 4, 5 }, how_of[] = { 0, 7, 12 };
	static const int64_t periods[] = { 80000, 333000, 1000000 };
	char spec[200];
	int tried = 0;

	for (const struct packed_file *e = metric_files; e->name; e++)
		if (packed_serves(e, NULL))
			metric_lib_load_heads(&lib, e->name, packed_text(e), NULL, problem, NULL);
	load_set("kblgt2");
	for (size_t l = 0; l < ARRAY_LEN(loads); l++)
		for (size_t n = 0; n < ARRAY_LEN(sizes); n++)
			for (size_t p = 0; p < ARRAY_LEN(pauses); p++)
				for (size_t h = 0; h < ARRAY_LEN(how); h++)
					for (size_t k = 0; k < ARRAY_LEN(periods); k++) {
						/* One period each: neighbours have the others. */
						if (k != (l + n + p + h) % ARRAY_LEN(periods))
							continue;
						/* Each takes an emulator a third of a second. */
						if (!in_share() || (tap_share() > 16 && tried++ % 3))
							continue;
						snprintf(spec, sizeof(spec), "hd620,spans,load=%s,%s%s%s", loads[l],
							sizes[n], pauses[p], how[h]);
						try(spec, (int)l, periods[k]);
					}
	/* With pipes that are not sure it is not known whether there is too little work. */
	try("hd620,spans,load=private.mad.sp.x8,n=6187,groups=50,pause=3914,span-apart=28,jitter=11", 0, 960000);
	/* Spans that last longer than the runs. */
	try("hd620,spans,load=private.mad.sp.x1,n=187091,groups=15,pause=4945,jitter=9,span-jitter=98,span-overlap=339", 0, 167000);
	load_set("mtlgt2");
	try("mtl,spans,load=private.mad.sp.x4,n=16384,pause=4392,span-overlap=56", 0, 94000);
	/* Other devices have other counters, of which other ones are not sure. */
	for (size_t i = 0; i < ARRAY_LEN(others) * 3 * 3 * 2 * 3; i++) {
		const char *const *device = others[i / 54];

		if (!in_share())
			continue;
		load_set(device[1]);
		snprintf(spec, sizeof(spec), "%s,spans,load=%s,%s%s%s", device[0], loads[i % 3], sizes[size_of[i / 3 % 3]],
			pauses[i / 9 % 2 * 2], how[how_of[i / 18 % 3]]);
		try(spec, (int)(i % 3), periods[0]);
	}
	is_int(wrong, 0, "whatever the schedule, a counted kernel has the model's sum, within 2 percent");
	ok(told > 50 / tap_share(), "kernels are counted: %d, and not told %d", told, not_told);
	for (size_t l = 0; l < ARRAY_LEN(loads) - 1; l++)
		ok_of_all(of_load[l] > 5, "  ... of %s: %d", loads[l], of_load[l]);
	printf("# preempted ones: %d\n", of_load[4]);
	ok_of_all(of_clock > 15, "  ... and where one clock stamps both: %d", of_clock);
	ok_of_all(of_turns > 5, "  ... without counters of which their neighbours may have done what their ends seem to: %d", of_turns);
	ok(said_in_part > 50 / tap_share(), "  ... and are judged without these as with them: %d", said_in_part);
	ok(not_told > 50 / tap_share(), "  ... and where it cannot be known, they are not");
	metric_lib_release(&lib);
	return done_testing();
}
