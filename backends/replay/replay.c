/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording as a device. Its reports take the same way as live ones, at the pace at which they
 * were recorded. */
#include "config.h"

#include "backends/common/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/intel/oa/oa_records.h"
#include "backends/intel/platform/platform.h"
#include "backends/replay/stream.h"
#include "backends/replay/timeline.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "core/record/record_file.h"
#include "core/value/sample_sum.h"
#include "core/record/device_records.h"
#include "core/record/stream_records.h"

/* --- sources beside the first --- */

struct side_source {
	struct source source;
	struct rec_feed feed;
	struct rec_sample newest;
	struct sample_sum sum;
	int n;			/* samples of the window that is being gathered */
	bool is_summed;		/* the first of them is in the sum */
	bool has_any;
};

static void side_collect(struct source *source, int64_t now_ns, struct sample *out)
{
	struct side_source *s = (struct side_source *)source;

	out->t0_ns = out->t1_ns = now_ns;
	out->why = WHY_NOT_YET;
	if (s->n > 1)
		sample_sum_get(&s->sum, out);
	/* Windows that only repeat the one before them have no sum. */
	if (s->has_any && out->why == WHY_NOT_YET)
		*out = s->newest.sample;
	/* The windows of the replay are shorter than those of the recording. */
	if (s->n == 0 && s->has_any)
		out->quality |= SAMPLE_HELD;
	s->n = 0;
}

static void side_close(struct source *source)
{
	struct side_source *s = (struct side_source *)source;

	sample_sum_release(&s->sum);
	rec_sample_release(&s->newest);
	free(s->feed.instances);
}

static const struct source_ops side_ops = {
	.size = sizeof(struct side_source),
	.ready = source_always_ready, .collect = side_collect, .close = side_close,
};

/* Returns a source of the feed that the record describes and writes its number, or NULL when the
 * record makes no sense. */
static struct source *side_source_new(const struct rec *feed, int *id)
{
	struct side_source *s = source_new(&side_ops);

	if (!rec_take_feed(feed, id, &s->feed)) {
		source_close(&s->source);
		return NULL;
	}
	s->source.feed = s->feed.feed;
	s->source.feed.counters = s->feed.counters;
	s->source.feed.instances = (const char(*)[12])s->feed.instances;
	sample_sum_init(&s->sum, &s->source.feed);
	return &s->source;
}

/* Hands a sample over; what makes no sense is passed over. */
static void side_source_take(struct source *source, const struct rec *sample)
{
	struct side_source *s = (struct side_source *)source;

	if (s->n == 1 && !s->is_summed) {
		sample_sum_clear(&s->sum);
		sample_sum_add(&s->sum, &s->newest.sample);
	}
	s->is_summed = sample->type == REC_CELLS;
	if (s->is_summed)
		rec_take_cells(sample, &s->source.feed, &s->newest);
	if (s->is_summed || !rec_take_sample(sample, &s->source.feed, &s->newest))
		return;
	s->has_any = true;
	if (s->n++ > 0)
		sample_sum_add(&s->sum, &s->newest.sample);
}

static void side_source_news(struct source *source, const struct rec *feed)
{
	struct side_source *s = (struct side_source *)source;

	rec_take_feed_news(feed, &s->feed);
	memcpy(source->feed.how, s->feed.feed.how, sizeof(source->feed.how));
	source->feed.estimated = s->feed.feed.estimated;
}

/* Forgets what was handed over: the place in the recording is another one. */
static void side_source_clear(struct source *source)
{
	struct side_source *s = (struct side_source *)source;

	s->n = 0;
	s->has_any = false;
}

struct replay {
	struct source source;
	struct oa_stream stream;
	struct rec_reader *reader;
	struct timeline line;
	struct record_tap tap;
	struct rec next;		/* read, not yet due */
	bool has_next, jumped;		/* it is a report before which the GPU's clock jumped */
	bool ended;			/* nothing follows next */
	struct err failure;		/* why reading ended early */
	bool failure_told, per_report, per_window;
	struct rec_marks marks;		/* read, and not taken yet */
	struct replay_spans *spans;	/* the open device's */
	/* with per_window: the CPU times between which the window lies; the first has no begin yet */
	int64_t window_end_ns, window_begin_ns;
	bool has_begin;
	char report_why[96];		/* of the last report of a window, when it is a pair */
	/* at from_ns of the session's clock it was at this place */
	int64_t from_ns, from_position_ns;
	double speed;
	bool stands;			/* it does not move on by itself */
	int64_t position_ns;		/* elapsed time of the recording */
	bool seen_report;
	uint32_t last_timestamp;	/* of the newest report read, at last_ticks */
	int64_t last_ticks;
	bool has_fed;
	int64_t fed_ticks;		/* the newest report in the stream */
	void *fed;			/* its record, of fed_bytes */
	size_t fed_bytes;
	int64_t seen_ns;		/* of the session's clock */
	int64_t window_ticks;		/* where the window being gathered began */
	int64_t delay_ns;		/* how long its windows were to be when it was opened */
	struct source *sides[REC_MAX_FEEDS];	/* by the number of their feed; NULL: none */
	struct device *device;		/* of the open device */
	struct client_table clients;	/* of the last window; WHY_NOT_YET where it has none */
};

struct replay_clients {
	struct client_source source;
	struct replay *replay;
};

/* A damaged file ends early, which the user must hear of. */
static void end(struct replay *r, const struct err *why)
{
	const struct err *damage = &rec_summary(r->reader)->damage;

	r->ended = true;
	if (why->code != ERR_END)
		r->failure = *why;
	else if (damage->code != ERR_NONE)
		err_set(&r->failure, damage->code, "the recording ends early: %s", damage->msg);
}

/* Reads ahead by one record. False when none follows. */
static bool load(struct replay *r)
{
	struct err e = { 0 };
	uint32_t now;

	if (r->has_next || r->ended)
		return r->has_next;
	if (!rec_next(r->reader, &r->next, &e)) {
		end(r, &e);
		return false;
	}
	r->has_next = true;
	if (rec_is_report(r->reader, &r->next)) {
		now = rec_timestamp(r->reader, &r->next);
		r->jumped = false;
		if (r->seen_report)
			r->last_ticks += rec_step(r->reader, &r->next, r->last_timestamp, &r->jumped);
		r->last_timestamp = now;
		r->seen_report = true;
	}
	return true;
}

/* Takes the end of a window, as the clock of the program that recorded gave it. */
static void take_window(struct replay *r)
{
	int64_t end_ns;

	if (!rec_take_window(&r->next, &end_ns))
		return;
	r->window_begin_ns = r->window_end_ns;
	r->has_begin = r->window_end_ns != 0;
	r->window_end_ns = end_ns;
}

/* Cannot fail: the reader hands over whole records only. */
static void give(struct replay *r, const void *record, size_t size)
{
	oa_stream_records(&r->stream, record, size, NULL);
	if (r->tap.records)
		r->tap.records(r->tap.ctx, record, size);
}

/* The report stays the last one that was fed; behind a jump the source hears of a gap before it. */
static void keep_report(struct replay *r, const uint8_t *record, size_t size)
{
	static const struct rec_header lost = { .type = REC_BUFFER_LOST, .size = sizeof(lost) };

	r->fed_ticks = r->last_ticks;
	r->has_fed = true;
	if (!r->fed)
		r->fed = xmalloc(size);
	r->fed_bytes = size;
	memcpy(r->fed, record, size);
	if (r->jumped)
		give(r, &lost, sizeof(lost));
	r->jumped = false;
}

static void feed(struct replay *r)
{
	const uint8_t *record = (const uint8_t *)r->next.payload - sizeof(struct rec_header);
	size_t size = r->next.size + sizeof(struct rec_header);
	int side;

	r->has_next = false;
	switch (r->next.type) {
	/* What a live stream could not have delivered stays out; a new recording writes its own
	 * (correlations through correlate). */
	case REC_VERSION:
	case REC_DEVICE_INFO:
	case REC_TOPOLOGY:
	case REC_CORRELATION:
	case REC_ROOFTOP:
	case REC_ROOFS:
		return;
	case REC_FEED:
		side = rec_feed_of(&r->next);
		if (r->has_fed && side >= 0 && r->sides[side]) {
			side_source_news(r->sides[side], &r->next);
			r->source.rebind = true;
		}
		return;
	case REC_CONSTS:
		/* Those before the first report are known. */
		if (r->has_fed && rec_take_consts(&r->next, r->device))
			r->source.rebind = true;
		return;
	case REC_WINDOW:
		/* Its processes stand behind it. */
		client_table_note(&r->clients, WHY_NOT_YET);
		if (r->per_window)
			take_window(r);
		return;
	case REC_CLIENTS:
		rec_take_clients(&r->next, &r->clients);
		return;
	case REC_MARK:
		rec_marks_add(&r->marks, &r->next);
		return;
	case REC_SOURCE_SAMPLE:
	case REC_CELLS:
		side = rec_feed_of(&r->next);
		if (side >= 0 && r->sides[side])
			side_source_take(r->sides[side], &r->next);
		return;
	}
	if (span_reader_knows(r->next.type)) {
		if (r->spans)
			span_kept_add(&r->spans->reader.kept, &r->next);
		return;
	}
	if (rec_is_report(r->reader, &r->next))
		keep_report(r, record, size);
	give(r, record, size);
}

static bool is_due(const struct replay *r)
{
	return !rec_is_report(r->reader, &r->next) ||
		timeline_elapsed_ns(&r->line, r->last_ticks) <= r->position_ns;
}

static int64_t position(const struct replay *r, int64_t now_ns)
{
	double ns = (double)(now_ns - r->from_ns) * r->speed;

	if (r->stands)
		return r->from_position_ns;
	if (ns >= (double)(INT64_MAX / 2))
		return INT64_MAX / 2;
	return r->from_position_ns + (int64_t)ns;
}

/* A clock ends windows a little late, and a recording remembers where. A window that would end
 * close to such a place ends there, so that it holds the same reports and samples. */
static int64_t at_window_end(const struct replay *r, int64_t position_ns)
{
	size_t n, low = 0, high;
	const int64_t *ends = rec_windows(r->reader, &n);
	int64_t slack_ns = r->delay_ns / 8, best_ns = position_ns;

	for (high = n; low < high;) {
		size_t mid = low + (high - low) / 2;

		if (timeline_elapsed_ns(&r->line, ends[mid]) < position_ns)
			low = mid + 1;
		else
			high = mid;
	}
	/* A recorder that was kept from its turn was later still, as long as its windows were to be
	 * as long as these. */
	if (low > 0 && low < n &&
		llabs(timeline_elapsed_ns(&r->line, ends[low]) -
			timeline_elapsed_ns(&r->line, ends[low - 1]) - r->delay_ns) <
			r->delay_ns / 2)
		slack_ns = r->delay_ns / 2;
	for (size_t i = low ? low - 1 : 0; i < n && i <= low; i++) {
		int64_t end_ns = timeline_elapsed_ns(&r->line, ends[i]);

		if (llabs(end_ns - position_ns) >= slack_ns)
			continue;
		slack_ns = llabs(end_ns - position_ns);
		best_ns = end_ns;
	}
	return best_ns;
}

/* Reads up to the end of the next window. Several may end where no report lies between them. */
static void read_window(struct replay *r)
{
	for (bool ended = false; !ended && load(r);) {
		ended = r->next.type == REC_WINDOW;
		feed(r);
	}
	r->position_ns = timeline_elapsed_ns(&r->line, r->fed_ticks);
}

static bool replay_ready(struct source *s, int64_t now_ns, struct err *err)
{
	struct replay *r = (struct replay *)s;

	r->seen_ns = now_ns;
	if (r->per_report) {
		while (r->stream.accum.reports == 0 && load(r))
			feed(r);
		r->position_ns = timeline_elapsed_ns(&r->line, r->fed_ticks);
	} else if (r->per_window) {
		read_window(r);
	} else {
		r->position_ns = at_window_end(r, position(r, now_ns));
		while (load(r) && is_due(r))
			feed(r);
	}
	if (r->failure.code == ERR_NONE || r->failure_told)
		return true;
	r->failure_told = true;
	if (err)
		*err = r->failure;
	return false;
}

/* They stand behind the window that they are of, and behind what was learned in it. */
static void clients_scan(struct client_source *s, int64_t now_ns, struct client_table *out)
{
	struct replay *r = ((struct replay_clients *)s)->replay;

	(void)now_ns;
	while (load(r) && (r->next.type == REC_CLIENTS || r->next.type == REC_CONSTS ||
			r->next.type == REC_ROOFS || r->next.type == REC_FEED))
		feed(r);
	client_table_copy(out, &r->clients);
}

static const struct client_source_ops clients_ops = {
	.size = sizeof(struct replay_clients), .scan = clients_scan,
};

/* Losses that follow the last report belong to its window. */
static void finish(struct replay *r, struct sample *out)
{
	out->quality |= r->stream.quality | SAMPLE_LAST;
	out->lost += r->stream.lost;
	if (r->failure.code != ERR_NONE && out->why != WHY_OK)
		out->why = WHY_STALE;
}

static void replay_collect(struct source *s, int64_t now_ns, struct sample *out)
{
	struct replay *r = (struct replay *)s;

	(void)now_ns;
	oa_stream_take(&r->stream, out);
	if (r->per_report)
		out->report_why = oa_id_text(r->stream.graphics_ver, r->stream.last_id,
			r->report_why, sizeof(r->report_why));
	/* A window without reports ends where the recording is now. */
	int64_t end_ticks = r->fed_ticks;
	if (!r->per_report && !r->per_window && r->fed_ticks <= r->window_ticks && out->why == WHY_NOT_YET)
		end_ticks = timeline_ticks(&r->line, r->position_ns);
	if (end_ticks < r->window_ticks)
		end_ticks = r->window_ticks;
	out->t0_ns = timeline_host_ns(&r->line, r->window_ticks);
	out->t1_ns = timeline_host_ns(&r->line, end_ticks);
	if (r->per_window && r->has_begin && r->window_begin_ns <= r->window_end_ns) {
		out->t0_ns = r->window_begin_ns;
		out->t1_ns = r->window_end_ns;
	}
	r->window_ticks = end_ticks;
	if (r->per_report)
		while (load(r) && !rec_is_report(r->reader, &r->next))
			feed(r);
	/* A failure has its own, last sample, after ready() has told it. */
	if (r->ended && !r->has_next && (r->failure.code == ERR_NONE || r->failure_told))
		finish(r, out);
}

static void replay_set_tap(struct source *s, const struct record_tap *tap)
{
	struct replay *r = (struct replay *)s;
	struct strbuf begin = { 0 };

	r->tap = tap ? *tap : (struct record_tap){ 0 };
	/* Where a window begins it is whole in the new recording, too, if that has the report before it. */
	if (!tap || !r->has_fed || r->fed_ticks != r->window_ticks)
		return;
	strbuf_addn(&begin, r->fed, r->fed_bytes);
	rec_add_window(&begin, r->seen_ns);
	r->tap.records(r->tap.ctx, begin.s, begin.len);
	strbuf_release(&begin);
}

/* The pair lies behind every report that was handed over, and not behind the first one to come,
 * because readers look for correlations around reports. */
static bool replay_correlate(struct source *s, int64_t now_ns, uint64_t *cpu_ns,
	uint64_t *gpu_timestamp, struct err *err)
{
	struct replay *r = (struct replay *)s;
	int64_t ticks = r->fed_ticks;

	(void)err;
	if (!r->per_report)
		ticks = timeline_ticks(&r->line, position(r, now_ns));
	if (ticks <= r->fed_ticks)
		ticks = r->fed_ticks + 1;
	if (!r->has_fed)
		ticks = 0;
	*cpu_ns = (uint64_t)timeline_host_ns(&r->line, ticks);
	*gpu_timestamp = timeline_gpu(&r->line, ticks) >> rec_summary(r->reader)->clock_shift;
	return true;
}

static const char *duration_text(int64_t ns, char *buf, size_t size)
{
	long long s = ns / NS_PER_S;

	if (ns < 0)
		s = 0;
	if (s >= 3600)
		snprintf(buf, size, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
	else
		snprintf(buf, size, "%02lld:%02lld", s / 60, s % 60);
	return buf;
}

static int64_t total_ns(const struct replay *r)
{
	return timeline_elapsed_ns(&r->line, rec_summary(r->reader)->span_ticks);
}

static void replay_playback(const struct source *s, struct playback *out)
{
	const struct replay *r = (const struct replay *)s;

	*out = (struct playback){ .position_ns = r->position_ns,
		.total_ns = total_ns(r),
		.speed = r->speed,
		.damaged = rec_summary(r->reader)->damage.code != ERR_NONE };
	if (out->position_ns > out->total_ns)
		out->position_ns = out->total_ns;
	if (out->position_ns < 0)
		out->position_ns = 0;
}

static void replay_status(struct source *s, char *buf, size_t size)
{
	const struct replay *r = (const struct replay *)s;
	const struct rec_summary *sum = rec_summary(r->reader);
	struct playback now;
	char at[32], total[32];

	/* While a clock moves it, the bar of the screen says where it is, which a sentence of the
	 * last window's end would contradict. */
	*buf = '\0';
	if (!s->self_paced)
		return;
	replay_playback(s, &now);
	duration_text(now.position_ns, at, sizeof(at));
	duration_text(now.total_ns, total, sizeof(total));
	if (sum->damage.code != ERR_NONE)
		snprintf(buf, size, "recording %s of %s (the file is damaged: its good part)",
			at, total);
	else
		snprintf(buf, size, "recording %s of %s", at, total);
}

/* The next window begins at the newest report. */
static void forget_gathered(struct replay *r)
{
	struct sample gone = { .why = WHY_OK };

	for (int i = 0; i < REC_MAX_FEEDS; i++)
		if (r->sides[i])
			side_source_clear(r->sides[i]);
	oa_stream_take(&r->stream, &gone);
	r->window_ticks = r->fed_ticks;
}

/* Reads from the start again when the place is behind. What lies before it is not summed up, but
 * the last report before it is where the next window begins. */
static bool jump_to(struct replay *r, int64_t position_ns, struct err *err)
{
	const struct record_tap tap = r->tap;
	bool back = !r->seen_report || timeline_elapsed_ns(&r->line, r->last_ticks) > position_ns;

	if (back && !rec_rewind(r->reader, err))
		return false;
	if (back) {
		r->has_next = r->ended = r->seen_report = false;
		client_table_note(&r->clients, WHY_NOT_YET);
		r->last_ticks = 0;
	}
	if (back && r->spans)
		r->spans->reader.until_ns = 0;
	r->tap = (struct record_tap){ 0 };
	oa_accum_rebase(&r->stream.accum);
	while (load(r) && is_due(r)) {
		if (rec_is_report(r->reader, &r->next))
			oa_accum_rebase(&r->stream.accum);
		feed(r);
	}
	r->tap = tap;
	forget_gathered(r);
	return true;
}

static bool replay_play(struct source *s, int64_t now_ns, const struct playback *from, bool jump,
	struct err *err)
{
	struct replay *r = (struct replay *)s;

	r->position_ns = from->position_ns;
	if (jump && !jump_to(r, from->position_ns, err))
		return false;
	/* Those of what was left out. */
	if (jump)
		rec_marks_release(&r->marks);
	r->from_position_ns = from->position_ns;
	r->from_ns = now_ns;
	r->speed = from->speed;
	r->stands = from->paused;
	return true;
}

static bool replay_set_pairs(struct source *s, const struct pair_tap *tap)
{
	oa_stream_set_pairs(&((struct replay *)s)->stream, tap);
	return true;
}

static bool replay_mark(struct source *s, struct rec_mark *out)
{
	return rec_marks_next(&((struct replay *)s)->marks, out);
}

static void replay_close(struct source *s)
{
	struct replay *r = (struct replay *)s;

	timeline_release(&r->line);
	rec_marks_release(&r->marks);
	free(r->clients.rows);
	free(r->fed);
	rec_close(r->reader);
}

static const struct source_ops replay_ops = {
	.size = sizeof(struct replay),
	.ready = replay_ready,
	.collect = replay_collect,
	.set_tap = replay_set_tap,
	.correlate = replay_correlate,
	.status = replay_status,
	.playback = replay_playback,
	.play = replay_play,
	.mark = replay_mark,
	.set_pairs = replay_set_pairs,
	.close = replay_close,
};

/* The name under which our own program knows the set comes before the one for other readers. */
static void set_recorded(struct device *d, const struct rec_summary *sum)
{
	char simulated[8] = "", epoch_ns[24];

	d->recorded = true;
	if (!parse_pair(sum->rooftop, '\n', "epoch_ns", epoch_ns, sizeof(epoch_ns)) ||
		!parse_u64_range(epoch_ns, 0, INT64_MAX / 2, &d->recording.epoch_ns))
		d->recording.epoch_ns = 0;
	if (!parse_pair(sum->rooftop, '\n', "set", d->recording.set, sizeof(d->recording.set)))
		snprintf(d->recording.set, sizeof(d->recording.set), "%.63s", sum->info.set_name);
	snprintf(d->recording.guid, sizeof(d->recording.guid), "%.39s", sum->info.guid);
	parse_pair(sum->rooftop, '\n', "simulated", simulated, sizeof(simulated));
	parse_pair(sum->rooftop, '\n', "events", d->recording.events, sizeof(d->recording.events));
	parse_pair(sum->rooftop, '\n', "booleans", d->recording.booleans,
		sizeof(d->recording.booleans));
	d->simulated = strcmp(simulated, "1") == 0;
}

static bool check_info(const char *path, const struct rec_summary *sum, struct err *err)
{
	const struct rec_device_info *info = &sum->info;

	if (!sum->has_info) {
		err_set(err, ERR_PARSE, "'%s' does not say which device it is of", path);
		return err_hint(err, "%s", sum->damage.msg);
	}
	if (!sum->has_topology) {
		err_set(err, ERR_PARSE, "'%s' does not say which slices and EUs its device has",
			path);
		return err_hint(err, "%s", sum->damage.msg);
	}
	if (info->timestamp_hz < 1000 || info->timestamp_hz > 4000000000u)
		return err_set(err, ERR_PARSE,
			"'%s' names the impossible time stamp frequency %llu Hz", path,
			(unsigned long long)info->timestamp_hz);
	return true;
}

static const struct oa_format *format_of(const struct rec_summary *sum)
{
	if (sum->is_xe)
		return oa_format_by_xe_number(sum->info.oa_format);
	return oa_format_by_number((int)sum->info.oa_format);
}

static bool fill_device(
	struct device *d, const char *path, const struct rec_summary *sum, struct err *err)
{
	const struct rec_device_info *info = &sum->info;
	struct err e = { 0 };

	if (!check_info(path, sum, err))
		return false;
	memset(d, 0, sizeof(*d));
	snprintf(d->id, sizeof(d->id), "file:%.90s", path);
	snprintf(d->driver, sizeof(d->driver), "recording");
	d->pci_vendor = 0x8086;
	d->pci_device = info->device_id;
	d->pci_revision = info->revision;
	d->timestamp_hz = info->timestamp_hz;
	d->min_hz = info->min_hz;
	d->max_hz = info->max_hz;
	if (!intel_device_identify(d, &e) ||
		!intel_topology_parse(&d->topology, sum->topology, sum->topology_len, &e))
		return err_set(err, e.code, "'%s': %s", path, e.msg);
	if (format_of(sum))
		d->oa_format = oa_format_number(format_of(sum));
	intel_device_set_consts(d);
	set_recorded(d, sum);
	return true;
}

static bool replay_resolve(
	const struct fsroot *fs, const char *spec, struct device_list *out, struct err *err)
{
	struct device_entry *e;
	struct device d;
	bool good = false;

	(void)fs;
	if (!spec || !*spec || strlen(spec) >= sizeof(e->spec))
		return err_set(err, ERR_USAGE, "the path of a recording has 1 to %zu bytes",
			sizeof(e->spec) - 1);
	if (stream_is(spec))
		return stream_resolve(fs, spec, out, err);
	struct rec_reader *reader = rec_open(spec, err);
	if (!reader || !fill_device(&d, spec, rec_summary(reader), err))
		goto out;
	e = device_list_add(out, &replay_backend);
	e->device = d;
	snprintf(e->spec, sizeof(e->spec), "%s", spec);
	e->usable = true;
	good = true;
out:
	rec_close(reader);
	return good;
}

static bool check_samples(const char *path, const struct rec_summary *sum, struct err *err)
{
	const struct oa_format *f = format_of(sum);

	if (!f)
		return err_set(err, ERR_UNSUPPORTED, "'%s' names the unknown report format %u",
			path, sum->info.oa_format);
	if (sum->sample_size && sum->sample_size != f->bytes)
		return err_set(err, ERR_PARSE,
			"'%s' contradicts itself: its reports have %zu bytes, those of its "
			"format %s have %u",
			path, sum->sample_size, f->name, f->bytes);
	if (sum->samples >= 2)
		return true;
	err_set(err, ERR_PARSE,
		sum->samples == 1 ? "'%s' has %llu report, values need at least two"
			: "'%s' has %llu reports, values need at least two",
		path, (unsigned long long)sum->samples);
	return err_hint(err, "%s", sum->damage.msg);
}

static void add_check(struct open_device *dev, const struct rec_summary *sum)
{
	struct device_check *c = &dev->checks[dev->n_checks++];

	snprintf(c->source, sizeof(c->source), "%s", "recording");
	snprintf(
		c->gives, sizeof(c->gives), "%llu OA reports", (unsigned long long)sum->samples);
	snprintf(c->status, sizeof(c->status), "ok");
	if (sum->damage.code != ERR_NONE)
		snprintf(c->reason, sizeof(c->reason), "%s", sum->damage.msg);
}

/* Time begins with the recorder's first time pair where that lies shortly before the first report:
 * windows of so many seconds are then the same as those of the program that recorded. */
static void start(struct replay *r, const struct device *d, const struct open_options *o)
{
	int64_t lead_ns = 0;
	size_t n_windows;

	oa_stream_feed(&r->stream, d->simulated ? "simulated recording" : "recording",
		&r->source.feed);
	r->per_report = o->per_report;
	rec_windows(r->reader, &n_windows);
	r->per_window = o->per_window && n_windows > 1;
	r->source.self_paced = r->per_report || r->per_window;
	r->delay_ns = o->delay_ns;
	r->seen_ns = o->now_ns;
	client_table_note(&r->clients, WHY_NOT_YET);
	r->speed = o->speed > 0 ? o->speed : 1;
	timeline_init(&r->line, r->reader, d->timestamp_hz, o->now_ns);
	if (r->line.n_points > 0)
		lead_ns = -timeline_elapsed_ns(&r->line, r->line.points[0].ticks);
	if (lead_ns < 0 || lead_ns > NS_PER_S)
		lead_ns = 0;
	r->from_ns = o->now_ns + (int64_t)((double)lead_ns / r->speed);
}

/* Drops counters whose columns hold nothing. Our own recordings name the counters that their device
 * does not offer. */
static void drop_absent(struct oa_stream *stream, const char *text)
{
	char absent[512];
	const char *at = absent, *word;
	size_t len;

	if (!parse_pair(text, '\n', "absent", absent, sizeof(absent)))
		return;
	while (parse_word(&at, &word, &len)) {
		for (int i = 0; i < stream->n_counters; i++) {
			if (strncmp(stream->counters[i].name, word, len) == 0 &&
				!stream->counters[i].name[len])
				stream->counters[i].name[0] = '\0';
		}
	}
}

/* The first window that a recording saw the end of had begun before it, so that windows begin there
 * that are the same as while it was made. */
static bool skip_lead(struct replay *r, struct err *err)
{
	size_t n;
	const int64_t *ends = rec_windows(r->reader, &n);

	if (n < 2 || r->per_report)
		return true;
	if (r->per_window) {
		read_window(r);
		forget_gathered(r);
		return true;
	}
	r->position_ns = timeline_elapsed_ns(&r->line, ends[0]);
	r->from_position_ns += r->position_ns;
	return jump_to(r, r->position_ns, err);
}

/* Reads what the file says of its device and sources before its first report. Recordings of other
 * programs, and older ones, say nothing. */
static bool read_parts(struct replay *r, struct open_device *dev, struct err *err)
{
	struct rec rec;

	while (rec_next(r->reader, &rec, NULL) && rec.type != REC_SAMPLE) {
		struct source *side = NULL;
		int id = -1;

		if (rec.type == REC_CONSTS)
			rec_take_consts(&rec, &dev->device);
		if (rec.type == REC_ROOFS)
			dev->has_roofs = rec_take_roofs(&rec, &dev->roofs);
		if (rec.type == REC_FEED && dev->n_sources < DEVICE_MAX_SOURCES)
			side = side_source_new(&rec, &id);
		if (side && r->sides[id]) {
			source_close(side);
		} else if (side) {
			r->sides[id] = side;
			dev->sources[dev->n_sources++] = side;
		}
	}
	return rec_rewind(r->reader, err);
}

static bool replay_open(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err)
{
	if (e->shared)
		return stream_open(e, o, dev, err);
	struct replay *r = source_new(&replay_ops);
	const struct rec_summary *sum;
	struct device d;

	r->reader = rec_open(e->spec, err);
	if (!r->reader)
		goto fail;
	/* The summary is read again, as the file may be another one by now. */
	sum = rec_summary(r->reader);
	if (!fill_device(&d, e->spec, sum, err) || !check_samples(e->spec, sum, err) ||
		!oa_stream_init(&r->stream, &d, intel_platform_by_name(d.platform)->graphics_ver,
			sum->is_xe ? OA_BY_XE : OA_BY_I915, err) ||
		(o->has_context && !oa_stream_set_context(&r->stream, o->context, err)))
		goto fail;
	drop_absent(&r->stream, sum->rooftop);
	start(r, &d, o);
	*dev = (struct open_device){ .device = d };
	r->device = &dev->device;
	dev->sources[dev->n_sources++] = &r->source;
	add_check(dev, sum);
	if (sum->has_spans) {
		r->spans = replay_spans_new(false);
		dev->spans = &r->spans->source;
	}
	if (sum->has_clients) {
		struct replay_clients *c = client_source_new(&clients_ops, "recording");

		c->replay = r;
		dev->clients = &c->source;
	}
	dev->stamp_shift = sum->clock_shift;
	if (read_parts(r, dev, err) && skip_lead(r, err))
		return true;
	open_device_close(dev);
	return false;
fail:
	source_close(&r->source);
	return false;
}

const struct backend replay_backend = {
	.name = "file",
	.description = "recordings of OA reports, in the formats of i915-perf-recorder and xe-perf-recorder",
	.never_by_default = true,
	.resolve = replay_resolve,
	.open = replay_open,
};
