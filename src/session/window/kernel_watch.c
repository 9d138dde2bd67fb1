/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives what a hub reads to the table of the session. */
#include "config.h"

#include "session/window/kernel_watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/session.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "core/verdict/verdict.h"
#include "kernels/spans/span_hub.h"

#define LAYER "rooftop-spans.so"
#define LAYERS "OPENCL_LAYERS"

/* What is told goes into the table, and where something is recorded into the recording. */
static void take_queue(void *ctx, const struct span_place *p)
{
	struct session *ses = ctx;
	struct kernel_watch *w = &ses->kernels;

	span_table_queue(&w->table, p);
	if (record_is_on(ses))
		span_writer_queue(
			&w->writer, p, w->table.queues[w->table.n_queues - 1].is_of_device);
}

static void take_span(void *ctx, const struct span *s)
{
	struct session *ses = ctx;

	span_table_add(&ses->kernels.table, s);
	if (ses->kernels.begun && record_is_on(ses))
		span_writer_span(&ses->kernels.writer, s);
}

static void take_lost(void *ctx, uint64_t n)
{
	struct kernel_watch *w = &((struct session *)ctx)->kernels;

	span_table_lose(&w->table, n);
	if (w->begun)
		w->writer.lost += n;
}

static void take_nonsense(void *ctx, uint64_t n)
{
	struct kernel_watch *w = &((struct session *)ctx)->kernels;

	w->table.nonsense += n;
	if (w->begun)
		w->writer.nonsense += n;
}

static const struct span_sink *sink_of(struct session *ses, struct span_sink *sink)
{
	*sink = (struct span_sink){ .queue = take_queue,
		.span = take_span,
		.lost = take_lost,
		.nonsense = take_nonsense,
		.ctx = ses };
	return sink;
}

/* The layer lies beside the program in a build tree, and else where it was installed. */
static bool find_layer(struct kernel_watch *w, struct err *err)
{
	ssize_t len = readlink("/proc/self/exe", w->layer, sizeof(w->layer) - 64);
	char *slash = NULL;

	if (len > 0) {
		w->layer[len] = '\0';
		slash = strrchr(w->layer, '/');
	}
	if (slash)
		snprintf(slash + 1, 64, "%s", LAYER);
	if (slash && access(w->layer, R_OK) == 0)
		return true;
	snprintf(w->layer, sizeof(w->layer), "%s", PKGLIBDIR "/" LAYER);
	if (access(w->layer, R_OK) == 0)
		return true;
	err_set(err, ERR_UNSUPPORTED, "there is no %s, which sees kernels", w->layer);
	return err_hint(
		err, "rooftop has to be built with OpenCL's headers of layers (CL/cl_layer.h)");
}

bool kernel_watch_open(struct session *ses, struct err *err)
{
	struct kernel_watch *w = &ses->kernels;
	struct span_sink sink;

	/* A simulated device tells its own launches; programs run on this machine. */
	w->on = ses->dev && ses->dev->spans;
	if (!w->on) {
		if (!find_layer(w, err))
			return false;
		w->hub = span_hub_open(sink_of(ses, &sink), err);
		w->on = w->hub;
	}
	kernel_watch_begin(ses, clock_mono_ns(&ses->clock));
	w->begun = false;
	return w->on;
}

void kernel_watch_tell_children(const struct session *ses)
{
	const char *others = getenv(LAYERS);
	char *list;

	if (!ses->kernels.hub)
		return;
	setenv(span_hub_variable(), span_hub_path(ses->kernels.hub), 1);
	list = xasprintf("%s%s%s", others ? others : "", others && *others ? ":" : "",
		ses->kernels.layer);
	setenv(LAYERS, list, 1);
	free(list);
}

int kernel_watch_fd(const struct session *ses)
{
	return ses->kernels.hub ? span_hub_fd(ses->kernels.hub) : -1;
}

/* --- counters --- */

/* Matches the reports' time stamps with the host's clock anew: from one window to the next they do
 * not drift apart. */
static bool match_stamps(struct session *ses)
{
	struct source *s = ses->dev->sources[0];
	uint64_t cpu_ns, stamp;

	if (!s->ops->correlate ||
		!s->ops->correlate(s, clock_mono_ns(&ses->clock), &cpu_ns, &stamp, NULL))
		return false;
	ses->kernels.stamp_host_ns = (int64_t)cpu_ns;
	ses->kernels.stamp = (uint32_t)(stamp << ses->dev->stamp_shift);
	return true;
}

static int64_t host_of(const struct session *ses, uint32_t stamp)
{
	int32_t ticks = (int32_t)(stamp - ses->kernels.stamp);

	return ses->kernels.stamp_host_ns +
		(int64_t)ticks * NS_PER_S / (int64_t)ses->dev->device.timestamp_hz;
}

static void take_pair(void *ctx, const struct report_pair *p, const uint64_t *values)
{
	struct session *ses = ctx;
	struct kernel_watch *w = &ses->kernels;
	const struct span_pair pair = { .t0_ns = host_of(ses, p->stamp0),
		.t1_ns = host_of(ses, p->stamp1),
		.kind = p->kind,
		.context = p->context,
		.after_gap = p->after_gap };

	if (!span_count_pair(&w->count, &pair, values))
		return;
	span_count_settle(&w->count, &w->table, w->table.settled_ns);
	/* What nobody has told of by now is not waited for. */
	if (w->count.n_pairs == SPAN_PAIRS_MAX)
		span_count_settle(&w->count, &w->table, pair.t1_ns);
}

static void begin_counting(struct session *ses)
{
	struct source *s = ses->dev ? ses->dev->sources[0] : NULL;
	struct kernel_watch *w = &ses->kernels;
	const struct pair_tap tap = { take_pair, ses };

	w->counts = s && s->ops->set_pairs && ses->dev->device.timestamp_hz && match_stamps(ses);
	if (!w->counts)
		return;
	span_count_begin(&w->count, &s->feed, ses->got.samples[0].contexts);
	w->counts = s->ops->set_pairs(s, &tap);
}

static void stop_counting(struct session *ses)
{
	struct source *s = ses->dev ? ses->dev->sources[0] : NULL;

	if (ses->kernels.counts && s && s->ops->set_pairs)
		s->ops->set_pairs(s, NULL);
	ses->kernels.counts = false;
	ses->kernels.table.keep_from_ns = 0;
}

/* --- reading --- */

void kernel_watch_begin(struct session *ses, int64_t at_ns)
{
	struct kernel_watch *w = &ses->kernels;
	const char *place = "";

	if (ses->dev)
		place = ses->dev->spans ? SPAN_OWN_DEVICE : ses->dev->device.pci_address;
	w->end_ns = INT64_MAX;
	w->begun = true;
	span_table_clear(&w->table, at_ns, place);
	/* A recording has read the first window by now. */
	if (w->counts && ses->play.as_recorded) {
		span_count_drop(&w->count, at_ns);
		return;
	}
	stop_counting(ses);
	begin_counting(ses);
}

static void settle(struct session *ses, int64_t until_ns)
{
	struct kernel_watch *w = &ses->kernels;

	/* Pairs that come seldom must not keep more commands than the table holds. */
	if (w->counts && w->table.n_told > SPAN_TOLD_MAX / 2)
		span_count_settle(&w->count, &w->table, w->table.settled_ns);
	int64_t oldest_ns = span_count_oldest_ns(&w->count);

	/* Spans may be told before the pairs of their time have come, and behind them. */
	if (oldest_ns == INT64_MAX)
		oldest_ns = until_ns - NS_PER_S;
	if (w->counts)
		w->table.keep_from_ns = oldest_ns > NS_PER_S ? oldest_ns - NS_PER_S : 1;
	span_table_settle(&w->table, min_i64(until_ns, w->end_ns));
}

void kernel_watch_read(struct session *ses)
{
	struct kernel_watch *w = &ses->kernels;
	struct span_sink sink;
	int64_t now_ns = clock_mono_ns(&ses->clock), until_ns = now_ns, own_ns;

	if (!w->on)
		return;
	if (w->counts)
		match_stamps(ses);
	if (w->hub) {
		until_ns = span_hub_read(w->hub, now_ns);
		w->programs = span_hub_programs(w->hub, &w->refused);
		w->unended = span_hub_unended(w->hub);
	}
	if (ses->dev && ses->dev->spans) {
		own_ns = ses->dev->spans->read(ses->dev->spans, now_ns, sink_of(ses, &sink));
		/* A recording has a clock of its own. */
		if (ses->dev->device.recorded || own_ns < until_ns)
			until_ns = own_ns;
	}
	if (record_is_on(ses)) {
		span_writer_flush(&w->writer, until_ns);
		record_records(ses, w->writer.records.s, w->writer.records.len);
		strbuf_clear(&w->writer.records);
	}
	if (w->counts && ses->got.samples[0].contexts)
		w->count.tells_contexts = true;
	settle(ses, until_ns);
}

void kernel_watch_end(struct session *ses, int64_t at_ns)
{
	struct kernel_watch *w = &ses->kernels;

	w->end_ns = at_ns;
	/* What a program has half written when it died is given up the second time. */
	kernel_watch_read(ses);
	kernel_watch_read(ses);
	if (!w->on)
		return;
	if (w->counts)
		span_count_settle(&w->count, &w->table, w->table.settled_ns);
	stop_counting(ses);
	span_table_settle(&w->table, at_ns);
	/* Another run may follow. */
	w->end_ns = INT64_MAX;
}

void kernel_watch_close(struct session *ses)
{
	stop_counting(ses);
	span_hub_close(ses->kernels.hub);
	span_table_release(&ses->kernels.table);
	span_count_release(&ses->kernels.count);
	span_writer_release(&ses->kernels.writer);
	ses->kernels = (struct kernel_watch){ .on = false };
}

/* --- figures --- */

static void why_text_of(const struct session *ses, enum span_why why, const struct span_row *r,
	char *out, size_t size)
{
	static const char *const texts[] = {
		[SPAN_COUNTED] = "",
		[SPAN_NO_KERNEL] = "it is no kernel",
		[SPAN_NO_REPORTS] =
			"the device gives no reports between which counters could be told",
		[SPAN_OTHER_DEVICE] = "it is not known to run on the device that is counted",
		[SPAN_LOST_SOME] = "commands were not told, and may have run beside it",
		[SPAN_UNSEEN] = "the device worked while no command was known of",
		[SPAN_FOREIGN] = "others used the device meanwhile",
		[SPAN_NO_CONTEXTS] = "the reports do not say whose work they count",
		[SPAN_BESIDE] = "other commands ran beside it",
		[SPAN_SIZES] = "it runs in more sizes than are told apart",
		[SPAN_ENDS] = "its ends differ from its middle, or too much of them was not seen: "
			      "longer runs help",
	};
	double run_us = (double)r->sum_ns / (double)r->calls / 1e3;
	double every_us = (double)ses->kernels.count.distance_ns / 1e3;

	if (why == SPAN_SHORT)
		snprintf(out, size, "runs last %.3g us, reports come every %.3g us%s", run_us,
			every_us, every_us > 150 ? ": -p 100us" : "");
	else
		snprintf(out, size, "%s", texts[why]);
}

/* The metric with a unit, or of a role; NAN where the set has none. */
static double value_of(const struct metric_set *set, const struct value *values, int metric)
{
	if (metric < 0 || values[metric].why != WHY_OK)
		return NAN;
	return values[metric].v * set->metrics[metric].unit.scale;
}

/* The outermost traffic that is counted, as the roofline has it. */
static int traffic_of(const struct metric_set *set, const struct value *values)
{
	int found = -1;

	for (int i = 0; i < set->n_metrics; i++)
		if (set->metrics[i].roof == ROOF_TRAFFIC && values[i].why == WHY_OK)
			found = i;
	return found;
}

/* The metrics of the set over what was counted of the kernel alone, and what they say of it. */
static void eval(const struct session *ses, const uint64_t *counts, int64_t ns, uint64_t pairs,
	struct kernel_figures *out)
{
	struct rotation_part *part = rotation_active(ses->now->rotation);
	const struct metric_set *set = part->set;
	struct sample *samples = xcalloc((size_t)ses->dev->n_sources, sizeof(*samples));
	size_t n = (size_t)set->n_metrics + 1;
	struct value *values = xcalloc(2 * n, sizeof(*values)), *ceilings = values + n;
	struct roofline *roofline = &ses->now->roofline;
	const struct feed *feed = &ses->dev->sources[0]->feed;

	for (int i = 1; i < ses->dev->n_sources; i++)
		samples[i].why = WHY_UNSUPPORTED;
	samples[0] = (struct sample){ .window_ns = ns, .reports = pairs };
	memcpy(samples[0].values, counts, (size_t)feed->n_counters * sizeof(*counts));
	metric_eval(&part->binding, samples, values, ceilings);
	struct snapshot s = { .device = &ses->dev->device,
		.set = set,
		.values = values,
		.ceilings = ceilings,
		.roofline = roofline,
		.window_ns = ns };
	roofline_set_ceilings(roofline, set, ceilings);
	struct verdict v;
	verdict_make(&s, NULL, &v);
	snprintf(out->bound, sizeof(out->bound), "%s",
		*v.bound ? v.bound : verdict_kind_name(v.kind));
	out->headroom = v.headroom;
	out->gflops = value_of(set, values, roofline->performance) / 1e9;
	out->gbytes_per_s = value_of(set, values, traffic_of(set, values)) / 1e9;
	if (out->gbytes_per_s > 0)
		out->flop_per_byte = out->gflops / out->gbytes_per_s;
	free(values);
	free(samples);
}

void kernel_watch_figures(
	const struct session *ses, const struct span_row *r, struct kernel_figures *out)
{
	const struct kernel_watch *w = &ses->kernels;
	const uint64_t *values;
	uint64_t pairs;
	int64_t ns;
	int row = (int)(r - w->table.rows);

	*out = (struct kernel_figures){ .gflops = NAN,
		.gbytes_per_s = NAN,
		.flop_per_byte = NAN,
		.headroom = NAN,
		.counted_time = NAN,
		.counted_calls = NAN };
	enum span_why why = span_count_get(&w->count, &w->table, row, &values, &ns, &pairs);
	out->counted = why == SPAN_COUNTED;
	if (!ses->dev)
		snprintf(out->why, sizeof(out->why), "no device is counted");
	else
		why_text_of(ses, why, r, out->why, sizeof(out->why));
	if (!out->counted || !ses->dev)
		return;
	out->counted_time = (double)ns / (double)r->sum_ns;
	out->counted_calls = (double)w->count.rows[row].calls / (double)r->calls;
	eval(ses, values, ns, pairs, out);
}

const char *kernel_watch_why_empty(const struct session *ses)
{
	const struct kernel_watch *w = &ses->kernels;

	if (w->table.n_rows > 0)
		return "";
	if (ses->dev && ses->dev->spans)
		return N_("the device, or its recording, tells of no kernel");
	if (w->programs > 0)
		return N_("programs loaded the layer and ran no kernel");
	if (w->refused > 0)
		return N_("what came up was no layer of this version and this user");
	return N_("no layer came up: the program uses no OpenCL, a loader that takes no layers "
		  "(ocl-icd before 2.3.0, oclgrind), or a driver without the loader");
}
