/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ties the device's recording tap to the file writer. */
#include "config.h"

#include "session/window/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "session/program.h"
#include "session/session.h"
#include "session/window/sets.h"
#include "session/window/rotate.h"
#include "session/window/stream_out.h"
#include "backends/common/counter_family.h"
#include "base/i18n.h"
#include "base/loop.h"
#include "base/minmax.h"
#include "base/parse.h"
#include "base/strbuf.h"
#include "core/record/device_records.h"
#include "core/record/stream_records.h"
#include "session/input_files.h"
#include "base/mem.h"

#define CORRELATION_NS NS_PER_S

static void fail(struct recorder *r, const struct err *err)
{
	if (!r->failed)
		r->err = *err;
	r->failed = true;
}

static void take_records(void *ctx, const void *records, size_t len)
{
	struct recorder *r = ctx;
	struct err err = { 0 };

	if (!r->failed && !rec_write_records(r->writer, records, len, &err))
		fail(r, &err);
}

/* Writes a pair of times. Reports can be played without, so a pair that cannot be had ends no
 * recording; it is noted once. */
static void correlate(struct session *ses, int64_t now_ns)
{
	struct recorder *r = &ses->recorder;
	uint64_t cpu_ns, gpu_timestamp;
	struct err err = { 0 };

	if (r->failed || !r->source->ops->correlate)
		return;
	if (!r->source->ops->correlate(r->source, now_ns, &cpu_ns, &gpu_timestamp, &err)) {
		if (!r->without_pair)
			log_err(&ses->log, clock_wall_ns(&ses->clock), &err);
		r->without_pair = true;
		return;
	}
	r->without_pair = false;
	r->correlated_ns = now_ns;
	if (!rec_write_correlation(r->writer, cpu_ns, gpu_timestamp, &err))
		fail(r, &err);
}

/* Writes the first word of a directive of the set, or "" when there is none or set is NULL. */
static void directive_word(const struct metric_set *set, const char *key, char *buf, size_t size)
{
	int pos = 0;
	const struct set_directive *d = set ? metric_set_directive(set, key, &pos) : NULL;

	buf[0] = '\0';
	if (d)
		snprintf(buf, size, "%.*s", (int)strcspn(d->args, " \t"), d->args);
}

static void fill_info(const struct device *d, const struct report_form *form,
	const struct metric_set *set, const char *set_name, struct rec_device_info *info)
{
	char name[256];

	/* Every byte goes into the file, so those between the members are cleared, too. */
	memset(info, 0, sizeof(*info));
	info->timestamp_hz = d->timestamp_hz;
	info->device_id = d->pci_device;
	info->revision = d->pci_revision;
	info->min_hz = (uint32_t)min_u64(d->min_hz, UINT32_MAX);
	info->max_hz = (uint32_t)min_u64(d->max_hz, UINT32_MAX);
	info->oa_format = form->number;
	directive_word(set, "records_as", name, sizeof(name));
	if (*name)
		set_name = name;
	snprintf(info->set_name, sizeof(info->set_name), "%s", set_name);
	directive_word(set, "guid", info->guid, sizeof(info->guid));
	if (d->recorded)
		snprintf(info->guid, sizeof(info->guid), "%s", d->recording.guid);
}

/* Adds what the counters of a set count that was made for this run, because no other file knows
 * it. */
static void add_events(const struct metric_set *set, struct strbuf *text)
{
	const struct set_directive *d;
	struct strbuf events = { 0 }, booleans = { 0 };
	int pos = 0;

	if (set && (d = metric_set_directive(set, CHOSEN_IN, &pos)))
		strbuf_addf(&events, RECORDED_IN "%s", d->args);
	pos = 0;
	while (set && (d = metric_set_directive(set, "program", &pos))) {
		if (!strcmp(d->file, RECORDED_WISH))
			strbuf_add_word(&booleans, ";", d->args);
		else if (!strcmp(set->name, CHOSEN_SET))
			strbuf_add_word(&events, " ", d->args + strcspn(d->args, " ") + 1);
	}
	if (booleans.len)
		strbuf_addf(text, "booleans=%s\n", strbuf_str(&booleans));
	strbuf_release(&booleans);
	if (events.len)
		strbuf_addf(text, "events=%s\n", strbuf_str(&events));
	strbuf_release(&events);
}

/* Writes what a replay cannot know otherwise: the device's constants, its measured roofs, and the
 * shapes of the sources beside the reports. */
static bool write_parts(struct session *ses, const struct source *reports, struct err *err)
{
	struct strbuf parts = { 0 };

	rec_add_consts(&parts, &ses->dev->device);
	rec_add_roofs(&parts, &ses->opened.measured);
	for (int i = 0; i < ses->dev->n_sources; i++)
		if (ses->dev->sources[i] != reports)
			rec_add_feed(&parts, i, &ses->dev->sources[i]->feed);
	bool good = rec_write_records(ses->recorder.writer, parts.s, parts.len, err);
	strbuf_release(&parts);
	return good;
}

void record_window(struct session *ses, int64_t now_ns)
{
	struct recorder *r = &ses->recorder;
	struct err err = { 0 };

	if (!r->writer || r->failed)
		return;
	strbuf_clear(&r->parts);
	for (int i = 0; i < ses->dev->n_sources; i++)
		if (ses->dev->sources[i] != r->source)
			rec_add_sample(&r->parts, i, &ses->dev->sources[i]->feed,
				&ses->got.samples[i], false);
	rec_add_window(&r->parts, now_ns);
	if (!rec_write_records(r->writer, r->parts.s, r->parts.len, &err))
		fail(r, &err);
}

void record_records(struct session *ses, const char *records, size_t len)
{
	struct recorder *r = &ses->recorder;
	struct err err = { 0 };

	if (r->stream)
		stream_out_records(r->stream, r->device, records, len);
	if (r->writer && !r->failed && !rec_write_records(r->writer, records, len, &err))
		fail(r, &err);
}

void record_mark(struct session *ses, const struct rec_mark *m)
{
	struct strbuf record = { 0 };

	rec_add_mark(&record, m);
	record_records(ses, record.s, record.len);
	strbuf_release(&record);
}

/* Returns the source whose reports a recording holds, or NULL. */
static struct source *find_recorded(const struct session *ses)
{
	for (int i = 0; i < ses->dev->n_sources; i++)
		if (ses->dev->sources[i]->ops->set_tap)
			return ses->dev->sources[i];
	return NULL;
}

/* The set whose events the reports hold. For a recording it is the set that it was made with,
 * whatever equations are in use now; NULL when it is not known here. */
static const struct metric_set *set_of(const struct session *ses)
{
	const struct device *d = &ses->dev->device;

	if (d->recorded && *d->recording.set)
		return sets_of_recording((struct session *)ses, d);
	return ses->now->rotation->part[0].set;
}

/* Returns the time of day, since 1970, at time 0 of this session's samples; 0 when it is not known. */
static uint64_t epoch_ns(const struct session *ses)
{
	const struct device *d = &ses->dev->device;
	int64_t ns = clock_wall_ns(&ses->clock) - clock_mono_ns(&ses->clock);

	if (d->recorded)
		return d->recording.epoch_ns;
	return ns > 0 ? (uint64_t)ns : 0;
}

static bool takes_turns(const struct session *ses)
{
	return ses->now->rotation->n > 1 && !ses->now->rotation->is_glance;
}

/* Says which sets take turns, and whose turn it is. */
static void describe_turns(const struct rotation *r, struct recorded *out)
{
	struct strbuf names = { 0 };

	for (int k = 0; k < r->n; k++)
		strbuf_add_word(&names, " ", r->part[k].set->name);
	snprintf(out->set, sizeof(out->set), "%s", r->set->name);
	snprintf(out->turns, sizeof(out->turns), "%s", strbuf_str(&names));
	out->turn = (uint32_t)r->active;
	strbuf_release(&names);
}

/* Copies the open device, with what a recording says of its set. */
static void describe(const struct session *ses, struct device *out)
{
	const struct metric_set *set = set_of(ses);
	const struct rotation *r = ses->now->rotation;
	struct strbuf text = { 0 };

	*out = ses->dev->device;
	out->recording.epoch_ns = epoch_ns(ses);
	if (set)
		snprintf(out->recording.set, sizeof(out->recording.set), "%s", set->name);
	if (out->recorded)
		return;
	if (takes_turns(ses))
		describe_turns(r, &out->recording);
	else
		directive_word(set, "guid", out->recording.guid, sizeof(out->recording.guid));
	for (int k = 0; k < (takes_turns(ses) ? r->n : 1); k++)
		add_events(r->part[k].set, &text);
	parse_pair(strbuf_str(&text), '\n', "events", out->recording.events,
		sizeof(out->recording.events));
	parse_pair(strbuf_str(&text), '\n', "booleans", out->recording.booleans,
		sizeof(out->recording.booleans));
	strbuf_release(&text);
}

void record_facts(struct session *ses, bool is_turn)
{
	struct recorder *r = &ses->recorder;
	struct device described;
	struct err err = { 0 };

	if (r->stream) {
		describe(ses, &described);
		stream_out_facts(r->stream, ses, &described, r->device, is_turn);
	} else if (r->writer && !r->failed && !write_parts(ses, r->source, &err)) {
		fail(r, &err);
	}
}

bool record_into(struct session *ses, struct stream_out *stream, struct err *err)
{
	struct recorder *r = &ses->recorder;
	struct device described;

	if (!rotate_end_glance(ses, err))
		return false;
	memset(r, 0, sizeof(*r));
	describe(ses, &described);
	r->device = stream_out_add(stream, ses, &described, err);
	if (r->device < 0)
		return false;
	r->stream = stream;
	return true;
}

/* A device without reports, and sets in turns, of which a file of reports holds one, are recorded
 * window by window, as into a stream. */
static bool start_file(struct session *ses, const char *path, bool overwrite, struct err *err)
{
	struct recorder *r = &ses->recorder;
	char name[sizeof(r->path)];

	if (path)
		snprintf(name, sizeof(name), "%s", path);
	else if (!default_file_name(&ses->clock, "rooftop", ".rooftop", name, sizeof(name)))
		return err_set(err, ERR_SYS, _("cannot make a file name from the date"));
	struct stream_out *stream = stream_out_open(name, overwrite, 1, err);
	if (!stream)
		return false;
	if (!record_into(ses, stream, err)) {
		stream_out_close(stream, NULL);
		return false;
	}
	r->owns_stream = true;
	snprintf(r->path, sizeof(r->path), "%s", name);
	return true;
}

void record_whole_window(struct session *ses, int64_t now_ns, const struct client_table *users)
{
	struct recorder *r = &ses->recorder;

	if (r->stream) {
		stream_out_window(r->stream, ses, r->device, now_ns, users);
	} else if (users && r->writer) {
		strbuf_clear(&r->parts);
		rec_add_clients(&r->parts, users, ses->opt->clients);
		record_records(ses, r->parts.s, r->parts.len);
	}
}

bool record_start(struct session *ses, const char *path, bool overwrite, struct err *err)
{
	struct recorder *r = &ses->recorder;
	struct source *s;
	struct rec_device_info info;
	struct report_form form = { 0 };
	struct strbuf text = { 0 };

	if (record_is_on(ses))
		return err_set(err, ERR_BUSY, _("already recording to '%s'"), r->path);
	if (!ses->dev)
		return err_set(err, ERR_NO_DEVICE, "%s", _("no device is open"));
	s = find_recorded(ses);
	if (!s || takes_turns(ses))
		return start_file(ses, path, overwrite, err);
	if (!rotate_end_glance(ses, err))
		return false;
	memset(r, 0, sizeof(*r));
	if (path)
		snprintf(r->path, sizeof(r->path), "%s", path);
	else if (!default_file_name(&ses->clock, "rooftop", ".i915perf", r->path, sizeof(r->path)))
		return err_set(err, ERR_SYS, _("cannot make a file name from the date"));
	const struct device *d = &ses->dev->device;
	const struct metric_set *set = set_of(ses);
	const char *set_name = set ? set->name : d->recording.set;
	const struct counter_family *family = counter_family_of(d);
	if (family && family->tell_reports)
		family->tell_reports(d, &s->feed, &form);
	fill_info(d, &form, set, set_name, &info);
	strbuf_addf(&text, "set=%s\ndevice=%s\nsimulated=%d\nrooftop=" PACKAGE_VERSION "\n",
		set_name, d->id, d->simulated);
	if (epoch_ns(ses))
		strbuf_addf(&text, "epoch_ns=%" PRIu64 "\n", epoch_ns(ses));
	if (form.absent.len)
		strbuf_addf(&text, "absent=%s\n", strbuf_str(&form.absent));
	strbuf_release(&form.absent);
	add_events(set, &text);
	const struct rec_start start = { .is_xe = form.is_xe,
		.info = &info,
		.topology = d->topology.raw,
		.topology_len = d->topology.raw_len,
		.rooftop_text = strbuf_str(&text) };
	r->writer = rec_create(r->path, overwrite, &start, err);
	strbuf_release(&text);
	if (!r->writer)
		return false;
	if (!write_parts(ses, s, err)) {
		rec_finish(r->writer, NULL);
		r->writer = NULL;
		return false;
	}
	r->source = s;
	r->tap = (struct record_tap){ .records = take_records, .ctx = r };
	correlate(ses, clock_mono_ns(&ses->clock));
	s->ops->set_tap(s, &r->tap);
	return true;
}

bool record_is_on(const struct session *ses)
{
	return ses->recorder.writer || ses->recorder.stream;
}

bool record_service(struct session *ses, struct err *err)
{
	int64_t now_ns = clock_mono_ns(&ses->clock);

	if (ses->recorder.stream) {
		if (stream_out_service(ses->recorder.stream, err))
			return true;
		record_stop(ses, NULL);
		return false;
	}
	if (!ses->recorder.writer)
		return true;
	if (now_ns - ses->recorder.correlated_ns >= CORRELATION_NS)
		correlate(ses, now_ns);
	return !ses->recorder.failed || record_stop(ses, err);
}

bool record_is_full(const struct session *ses)
{
	return ses->recorder.stream && outlet_is_full(&ses->recorder.stream->outlet);
}

void record_watch(struct session *ses, struct loop *loop)
{
	if (ses->recorder.stream)
		loop_watch_outlet(loop, &ses->recorder.stream->outlet);
}

static bool stop(struct session *ses, struct err *err)
{
	struct recorder *r = &ses->recorder;
	int64_t now_ns = clock_mono_ns(&ses->clock);
	struct err last = { 0 };

	if (r->stream) {
		struct stream_out *stream = r->owns_stream ? r->stream : NULL;

		r->stream = NULL;
		return stream_out_close(stream, err);
	}
	if (!r->writer)
		return true;
	/* What is still in the kernel's buffer belongs to the recording, and the last pair must
	 * come after the last report. */
	if (!r->failed && !r->source->ops->ready(r->source, now_ns, &last))
		log_err(&ses->log, clock_wall_ns(&ses->clock), &last);
	r->source->ops->set_tap(r->source, NULL);
	correlate(ses, now_ns);
	bool good = rec_finish(r->writer, &last);
	r->writer = NULL;
	strbuf_release(&r->parts);
	if (r->failed)
		last = r->err;
	if ((r->failed || !good) && err) {
		*err = last;
		err_hint(err, _("recording stopped; what '%.200s' holds can be read"), r->path);
	}
	return good && !r->failed;
}

bool record_stop(struct session *ses, struct err *err)
{
	bool good = stop(ses, err);

	ses->program->recording_failed |= !good && ses->want->record;
	return good;
}

/* --- names, so that none replaces what this run reads or has recorded --- */

#define NUMBER_MAX 99

bool default_file_name(
	const struct clock *clock, const char *stem, const char *end, char *buf, size_t size)
{
	time_t s = (time_t)(clock_wall_ns(clock) / NS_PER_S);
	char stamp[32], number[8] = "";
	struct tm tm;

	if (!localtime_r(&s, &tm) || !strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &tm))
		return false;
	for (int i = 2; i <= NUMBER_MAX; i++) {
		snprintf(buf, size, "%s-%s%s%s", stem, stamp, number, end);
		if (access(buf, F_OK))
			break;
		snprintf(number, sizeof(number), "-%d", i);
	}
	return true;
}

/* Returns FILE or FILE.DEVICE; heap. */
static char *name_of(const struct session *ses)
{
	const struct device_options *want = ses->want;

	if (!want->record_each)
		return xstrdup(want->record);
	char *path = xasprintf("%s.%s", want->record, ses->opened.name);
	for (char *id = path + strlen(want->record); *id; id++)
		if (*id == '/')
			*id = '_';
	return path;
}

static bool was_recorded(const struct program *p, const char *path)
{
	for (int i = 0; i < p->n_recorded; i++)
		if (!strcmp(p->recorded[i], path))
			return true;
	return false;
}

bool record_start_named(struct session *ses, struct err *err)
{
	const struct device_options *want = ses->want;
	struct program *p = ses->program;

	if (!want->record)
		return record_start(ses, NULL, false, err);
	char *first = name_of(ses), *path = xstrdup(first);
	for (int i = 2; was_recorded(p, path); i++) {
		free(path);
		path = xasprintf("%s-%d", first, i);
	}
	bool good = input_files_spare(ses->opt, path, err) &&
		record_start(ses, path, ses->opt->overwrite, err);
	if (good) {
		p->recorded = xreallocarray(
			p->recorded, (size_t)p->n_recorded + 1, sizeof(*p->recorded));
		p->recorded[p->n_recorded++] = path;
	} else {
		free(path);
	}
	free(first);
	return good;
}
