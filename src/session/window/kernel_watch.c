/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives what a hub reads to the table of the session. */
#include "config.h"

#include "session/window/kernel_watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/session.h"
#include "session/window/refresh.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "kernels/spans/span_hub.h"

#define LAYER "rooftop-spans.so"
#define LAYERS "OPENCL_LAYERS"

/* What is told goes into the table, and where something is recorded into the recording. */
static void take_queue(void *ctx, const struct span_place *p)
{
	struct session *ses = ctx;
	struct kernel_watch *w = &ses->kernels;

	span_table_queue(&w->table, p);
	if (w->records)
		span_writer_queue(
			&w->writer, p, w->table.queues[w->table.n_queues - 1].is_of_device);
}

static int64_t host_of(const struct session *ses, uint32_t stamp)
{
	int32_t ticks = (int32_t)(stamp - ses->kernels.stamp);

	return ses->kernels.stamp_host_ns +
		(int64_t)ticks * NS_PER_S / (int64_t)ses->dev->device.timestamp_hz;
}

/* Finds the host's time of a span that is told by the clock of reports. */
static void match_span(const struct session *ses, struct span *s)
{
	const struct span_table *t = &ses->kernels.table;

	s->is_matched = ses->kernels.counts && s->queue >= 0 && s->queue < t->n_queues &&
		t->queues[s->queue].place.by_reports && t->queues[s->queue].is_of_device;
	if (!s->is_matched)
		return;
	uint64_t hz = ses->dev->device.timestamp_hz;
	uint64_t sec = (uint64_t)s->start / NS_PER_S, ns = (uint64_t)s->start % NS_PER_S;
	int64_t start_ns = host_of(ses, (uint32_t)(sec * hz + ns * hz / NS_PER_S));
	s->end = start_ns + (s->end - s->start);
	s->start = start_ns;
}

static void take_span(void *ctx, const struct span *s)
{
	struct session *ses = ctx;

	struct kernel_watch *w = &ses->kernels;
	struct span matched = *s;
	match_span(ses, &matched);
	const struct span_told *told = span_table_add(&w->table, &matched);

	if (w->begun && w->records)
		span_writer_span(&w->writer, s);
	if (!told || !w->tap.slice)
		return;
	const struct span_slice slice = { .place = &w->table.queues[s->queue].place,
		.span = s,
		.start_ns = told->start_ns + w->shift_ns,
		.end_ns = told->end_ns + w->shift_ns };
	w->tap.slice(w->tap.ctx, &slice);
}

static void take_around(void *ctx, const struct span_around *a)
{
	struct kernel_watch *w = &((struct session *)ctx)->kernels;

	if (w->counts)
		span_count_around(&w->count, a);
	w->writer.around = *a;
}

static void take_lost(void *ctx, uint64_t n)
{
	struct kernel_watch *w = &((struct session *)ctx)->kernels;

	span_table_lose(&w->table, n);
	if (w->begun)
		w->writer.lost += min_u64(n, INT64_MAX - w->writer.lost);
}

static void take_nonsense(void *ctx, uint64_t n)
{
	struct kernel_watch *w = &((struct session *)ctx)->kernels;

	w->table.nonsense += min_u64(n, INT64_MAX - w->table.nonsense);
	if (w->begun)
		w->writer.nonsense += min_u64(n, INT64_MAX - w->writer.nonsense);
}

static const struct span_sink *sink_of(struct session *ses, struct span_sink *sink)
{
	*sink = (struct span_sink){ .queue = take_queue,
		.span = take_span,
		.lost = take_lost,
		.nonsense = take_nonsense,
		.around = take_around,
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
	/* The loader takes colons for ends of paths. */
	if (slash && !strchr(w->layer, ':') && access(w->layer, R_OK) == 0)
		return true;
	snprintf(w->layer, sizeof(w->layer), "%s", PKGLIBDIR "/" LAYER);
	if (access(w->layer, R_OK) == 0)
		return true;
	err_set(err, ERR_UNSUPPORTED, "there is no %s, which sees kernels", w->layer);
	return err_hint(
		err, "rooftop has to be built with OpenCL's headers of layers (CL/cl_layer.h)");
}

bool kernel_watch_open(struct session *ses, bool is_live, struct err *err)
{
	struct kernel_watch *w = &ses->kernels;
	struct span_sink sink;

	/* A simulated device tells its own launches; programs run on this machine. */
	if (!w->on) {
		if (!find_layer(w, err))
			return false;
		w->hub = span_hub_open(sink_of(ses, &sink), is_live, err);
		w->on = w->hub;
	}
	if (w->on)
		kernel_watch_anew(ses);
	return w->on;
}

void kernel_watch_tell_children(const struct session *ses)
{
	const char *others = getenv(LAYERS);
	char *list;

	if (!ses->kernels.hub)
		return;
	list = span_hub_paths(ses->kernels.hub);
	setenv(span_hub_variable(), list, 1);
	free(list);
	list = xasprintf("%s%s%s", text_or(others, ""), others && *others ? ":" : "",
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

/* Returns up to when pairs may be summed up: what is under way may run beside what was told. */
static int64_t told_ns(const struct kernel_watch *w)
{
	int64_t settled_ns = w->table.settled_ns;

	return w->hub ? min_i64(settled_ns, span_hub_told_ns(w->hub)) : settled_ns;
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

	/* What ran before the begin, or between two runs, is not told. Other sets count other events. */
	const struct rotation *r = ses->now->rotation;
	if (pair.t0_ns < w->table.since_ns || r->part[r->active].set != w->set ||
		ses->window.turn != ses->turns.count)
		return;
	if (!span_count_pair(&w->count, &pair, values))
		return;
	span_count_settle(&w->count, &w->table, told_ns(w));
	/* What nobody has told of by now is not waited for: what ran then is not known. */
	if (w->count.n_pairs == SPAN_PAIRS_MAX)
		span_count_drop(&w->count, w->count.pairs[SPAN_PAIRS_MAX / 2].t0_ns);
}

static void begin_counting(struct session *ses)
{
	struct source *s = ses->dev ? ses->dev->sources[0] : NULL;
	struct kernel_watch *w = &ses->kernels;
	const struct pair_tap tap = { take_pair, ses };

	w->counts = s && s->ops->set_pairs && ses->dev->device.timestamp_hz && match_stamps(ses);
	if (!w->counts)
		return;
	w->set = ses->now->rotation->part[0].set;
	span_count_begin(&w->count, &s->feed, ses->got.samples[0].contexts);
	w->counts = s->ops->set_pairs(s, &tap);
	/* What clients did before is none of the first window. */
	if (w->counts)
		client_scan_run(ses, clock_mono_ns(&ses->clock), &ses->clients.unseen);
	w->table.keep_from_ns = w->counts;
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
	w->begins++;
	span_table_clear(&w->table, at_ns, place);
	/* A recording has read the first window by now. */
	if (w->counts && ses->play.as_recorded) {
		span_count_drop(&w->count, at_ns);
		return;
	}
	stop_counting(ses);
	span_count_release(&w->count);
	begin_counting(ses);
}

void kernel_watch_go_on(struct session *ses, int64_t at_ns)
{
	struct kernel_watch *w = &ses->kernels;
	const struct pair_tap tap = { take_pair, ses };
	struct source *s = ses->dev ? ses->dev->sources[0] : NULL;

	w->end_ns = INT64_MAX;
	w->begun = true;
	span_table_skip(&w->table, at_ns);
	w->count.first_ns = at_ns;
	if (w->counts)
		span_count_drop(&w->count, at_ns);
	else if (w->count.n_counters > 0)
		w->counts = match_stamps(ses) && s->ops->set_pairs(s, &tap);
	/* Where nothing is counted nothing would ever let go of what is kept. */
	w->table.keep_from_ns = w->counts;
}

/* Returns this moment by the clock of spans: a recording has one of its own. */
static int64_t now_of_spans(const struct session *ses)
{
	struct source *s = ses->dev ? ses->dev->sources[0] : NULL;
	int64_t now_ns = clock_mono_ns(&ses->clock);
	uint64_t host_ns, stamp;

	if (ses->dev && ses->dev->spans && ses->dev->spans->now)
		return ses->dev->spans->now(ses->dev->spans);
	if (s && ses->dev->device.recorded && s->ops->correlate &&
		s->ops->correlate(s, now_ns, &host_ns, &stamp, NULL))
		return (int64_t)host_ns;
	return now_ns;
}

void kernel_watch_anew(struct session *ses)
{
	if (!ses->kernels.on)
		return;
	kernel_watch_begin(ses, now_of_spans(ses));
	/* Whoever reads a recording of a run begins where its command does. */
	ses->kernels.begun = !ses->play.as_recorded;
}

void kernel_watch_wait(struct session *ses)
{
	ses->kernels.begun = false;
}

static void settle(struct session *ses, int64_t until_ns)
{
	struct kernel_watch *w = &ses->kernels;
	int64_t needs_ns = until_ns;

	span_table_settle(&w->table, min_i64(until_ns, w->end_ns));
	if (w->counts)
		span_count_settle_runs(&w->count, &w->table, told_ns(w));

	/* Spans may be told before the pairs of their time have come, and behind them. Pairs that
	 * come seldom must not keep more commands than the table holds. */
	if (w->table.n_told < SPAN_TOLD_MAX / 2)
		needs_ns = span_count_needs_ns(&w->count);
	else
		span_count_settle(&w->count, &w->table, w->table.settled_ns);
	if (w->counts)
		w->table.keep_from_ns = max_i64(needs_ns - NS_PER_S, 1);
}

/* Brings a recording up to date, which may have begun behind the queues. */
static void record(struct session *ses, int64_t until_ns)
{
	struct kernel_watch *w = &ses->kernels;

	if (w->records) {
		span_writer_flush(&w->writer, until_ns);
		record_records(ses, w->writer.records.s, w->writer.records.len);
		strbuf_clear(&w->writer.records);
	}
	if (w->records == record_is_on(ses))
		return;
	w->records = record_is_on(ses);
	span_writer_release(&w->writer);
	for (int i = 0; w->records && i < w->table.n_queues; i++)
		span_writer_queue(
			&w->writer, &w->table.queues[i].place, w->table.queues[i].is_of_device);
}

void kernel_watch_read(struct session *ses)
{
	struct kernel_watch *w = &ses->kernels;
	struct span_sink sink;
	int64_t now_ns = clock_mono_ns(&ses->clock), until_ns = now_ns, own_ns;

	if (!w->on)
		return;
	if (w->tap.slice)
		w->shift_ns = now_ns - now_of_spans(ses);
	w->reads++;
	record(ses, 0);
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
		/* When a stream began is known from its first window on. */
		if (w->begun && w->table.begin_ns == 0 && ses->dev->spans->now)
			kernel_watch_anew(ses);
	}
	kernel_watch_look_around(ses);
	record(ses, until_ns);
	if (w->counts && ses->got.samples[0].contexts)
		w->count.tells_contexts = true;
	settle(ses, until_ns);
	/* Nothing follows that a run could go on in. */
	if (w->counts && ses->play.ended)
		span_count_settle(&w->count, &w->table, w->table.settled_ns);
}

void kernel_watch_end(struct session *ses, int64_t at_ns)
{
	struct kernel_watch *w = &ses->kernels;

	w->end_ns = at_ns;
	kernel_watch_read(ses);
	if (!w->on)
		return;
	if (w->counts)
		span_count_settle(&w->count, &w->table, told_ns(w));
	/* A recording has read further, and gives what lies there to the next run. */
	if (!ses->play.as_recorded)
		stop_counting(ses);
	/* What is still under way then is not idle: the table ends where everything was told. */
	w->begun = false;
}

void kernel_watch_opened(struct session *ses)
{
	struct kernel_watch *w = &ses->kernels;

	if (ses->dev->spans)
		kernel_watch_close(ses);
	w->on |= ses->dev->spans != NULL;
	if (w->on)
		kernel_watch_anew(ses);
}

void kernel_watch_leave(struct session *ses)
{
	stop_counting(ses);
	if (!ses->kernels.hub)
		kernel_watch_close(ses);
}

void kernel_watch_close(struct session *ses)
{
	const struct kernel_watch next = {
		.tap = ses->kernels.tap, .begins = ses->kernels.begins + 1
	};

	stop_counting(ses);
	span_hub_close(ses->kernels.hub);
	span_table_release(&ses->kernels.table);
	span_count_release(&ses->kernels.count);
	span_writer_release(&ses->kernels.writer);
	ses->kernels = next;
}

void kernel_watch_tap(struct session *ses, const struct span_tap *tap)
{
	ses->kernels.tap = *tap;
}
