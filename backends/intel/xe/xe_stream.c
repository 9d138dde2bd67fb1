/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads xe streams: reports lie back to back, and losses are reported apart from them. */
#include "config.h"

#include "backends/intel/xe/xe_device.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "backends/intel/live/oa_live.h"
#include "backends/intel/oa/oa_profile.h"
#include "backends/intel/oa/oa_timer.h"
#include "base/call_watch.h"
#include "base/clock.h"
#include "core/record/record_file.h"

/* A read() that fails reports a loss once. When several fail in a row, the reason is no loss. */
#define MAX_LOSSES 4

struct xe_stream {
	struct oa_live live;	/* its source's descriptor is that of a timer */
	int fd;			/* the stream's */
	struct xe_facts facts;
	uint8_t buf[OA_READ_BYTES];
};

/* The decoder and recordings want records, so a header is put before every report. Reports are read
 * behind the room that the headers need, and move forward. Returns the bytes of records; *got is
 * what read() returned. */
static size_t read_records(struct xe_stream *s, ssize_t *got)
{
	const size_t bytes = s->live.oa.accum.format->bytes,
		     record = sizeof(struct rec_header) + bytes;
	const size_t most = sizeof(s->buf) / record, room = most * sizeof(struct rec_header);
	const struct rec_header h = { .type = REC_SAMPLE, .size = (uint16_t)record };

	*got = driver_read(s->fd, s->buf + room, most * bytes);
	size_t n = *got > 0 ? (size_t)*got / bytes : 0;
	for (size_t i = 0; i < n; i++) {
		memmove(s->buf + i * record + sizeof(h), s->buf + room + i * bytes, bytes);
		memcpy(s->buf + i * record, &h, sizeof(h));
	}
	return n * record;
}

static bool put_loss(struct xe_stream *s, uint32_t type, struct err *err)
{
	const struct rec_header h = { .type = type, .size = sizeof(h) };

	return oa_live_records(&s->live, &h, sizeof(h), err);
}

/* Finds out what EIO was about. Counters that wrapped are no loss, because they are read often
 * enough. */
static bool take_loss(struct xe_stream *s, struct err *err)
{
	struct xe_oa_status status = { 0 };

	if (node_ioctl(s->fd, XE_STREAM_STATUS, &status) < 0 || status.status == 0) {
		errno = EIO;
		return oa_live_fail_read(&s->live, "xe", err);
	}
	if (status.status & XE_OA_BUFFER_OVERFLOW)
		return put_loss(s, REC_BUFFER_LOST, err);
	return !(status.status & XE_OA_REPORT_LOST) || put_loss(s, REC_REPORT_LOST, err);
}

static bool stream_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct xe_stream *s = (struct xe_stream *)src;
	int64_t end_ns = clock_machine_ns() + OA_TURN_NS;
	int losses = 0;

	clock_timer_clear(src->fd);
	for (unsigned i = 0; i < OA_MAX_READS && clock_machine_ns() < end_ns; i++) {
		ssize_t got;
		size_t len = read_records(s, &got);

		s->live.failed = false;
		if (got == 0 || (got < 0 && errno == EAGAIN))
			return oa_live_is_heard(&s->live, now_ns, err);
		if (got < 0 && errno == EIO && losses++ < MAX_LOSSES) {
			if (!take_loss(s, err))
				return false;
		} else if (got < 0 && errno != EINTR) {
			return oa_live_fail_read(&s->live, "xe", err);
		} else if (got > 0 && !oa_live_records(&s->live, s->buf, len, err)) {
			return false;
		}
	}
	return true;
}

static bool stream_correlate(struct source *src, int64_t now_ns, uint64_t *cpu_ns,
	uint64_t *gpu_timestamp, struct err *err)
{
	const struct xe_stream *s = (const struct xe_stream *)src;

	(void)now_ns;
	return xe_node_correlate(&s->live.node, &s->facts, cpu_ns, gpu_timestamp, err);
}

static void stream_close(struct source *src)
{
	struct xe_stream *s = (struct xe_stream *)src;

	driver_close(s->fd);
	oa_live_close(&s->live);
}

static const struct source_ops stream_ops = {
	.ready = stream_ready,
	.collect = oa_live_collect,
	.set_tap = oa_live_set_tap,
	.set_pairs = oa_live_set_pairs,
	.correlate = stream_correlate,
	.close = stream_close,
};

static bool program(
	struct xe_stream *s, const struct device *d, const struct open_options *o, struct err *err)
{
	const struct oa_format *f = s->live.oa.accum.format;
	struct xe_oa_request q = { .unit = s->facts.oa_unit,
		.format = f->xe_format,
		.exponent = oa_timer_exponent(o->oa_period_ns, o->delay_ns, f, d) };
	struct oa_profile p;

	if (!oa_profile_build(&p, o->set, d, oa_config_embedded, err))
		return false;
	oa_live_expect(&s->live, oa_timer_period_ns(q.exponent, s->live.oa.timestamp_hz));
	s->fd = xe_oa_open(&s->live.node, &p, &q, err);
	oa_profile_release(&p);
	if (s->fd < 0)
		return false;
	/* The kernel makes a stream readable as soon as it finds a report, every 5 ms, and only
	 * newer ones can be asked to wait for more. */
	s->live.source.fd = oa_live_timer_open(oa_live_poll_ns(o->delay_ns), err);
	return s->live.source.fd >= 0;
}

struct source *xe_stream_open(struct drm_node *n, const struct xe_facts *f, const struct device *d,
	const struct open_options *o, struct err *err)
{
	struct xe_stream *s = oa_live_new(&stream_ops, sizeof(*s), o->now_ns);

	s->fd = -1;
	s->live.node = *n;
	n->fd = -1;
	s->facts = *f;
	if (oa_live_decode(&s->live, d, o, "xe observation", err) && program(s, d, o, err))
		return &s->live.source;
	source_close(&s->live.source);
	return NULL;
}

static bool program_again(struct oa_live *l, const struct oa_profile *p, struct err *err)
{
	return xe_oa_reprogram(&l->node, ((struct xe_stream *)l)->fd, p, err);
}

bool xe_stream_reprogram(struct source *src, const struct device *d, const struct metric_set *set,
	struct err *err)
{
	return oa_live_reprogram((struct oa_live *)src, d, set, program_again, err);
}
