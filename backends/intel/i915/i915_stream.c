/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads i915 streams of OA reports. */
#include "config.h"

#include "backends/intel/i915/i915_device.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#ifdef HAVE_LIBDRM

#include "backends/intel/oa/oa_timer.h"
#include "base/call_watch.h"
#include "base/clock.h"

struct i915_stream {
	struct i915_live i915;
	struct i915_perf_request request;
	struct topology whole;
	uint8_t buf[OA_READ_BYTES];
};

bool i915_is_built_in(void)
{
	return true;
}

/* --- programming --- */

/* Fills in what stays the same whatever the unit is programmed to count. */
static void prepare_request(
	struct i915_stream *s, const struct device *d, const struct open_options *o)
{
	const struct oa_live *l = &s->i915.live;

	s->request = (struct i915_perf_request){
		.format = d->oa_format,
		.exponent = oa_timer_exponent(
			o->oa_period_ns, o->delay_ns, l->oa.accum.format, d),
		.longest_ns = oa_longest_period_ns(l->oa.accum.format, d),
		.timestamp_hz = l->oa.timestamp_hz,
		.log = o->log,
	};
	oa_live_expect(&s->i915.live, oa_timer_period_ns(s->request.exponent, d->timestamp_hz));
	s->whole = d->topology;
	if (l->oa.graphics_ver == 11 && s->i915.perf_revision >= 4)
		s->request.whole = &s->whole;
	if (s->i915.perf_revision >= 5)
		s->request.poll_period_ns = (uint64_t)oa_live_poll_ns(o->delay_ns);
}

static bool program(struct oa_live *l, const struct oa_profile *p, struct err *err)
{
	struct i915_stream *s = (struct i915_stream *)l;

	return i915_perf_replace(&l->node, &l->source.fd, p, &s->request, err);
}

/* --- reading --- */

static bool stream_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct i915_stream *s = (struct i915_stream *)src;
	struct oa_live *l = &s->i915.live;

	int64_t end_ns = clock_machine_ns() + OA_TURN_NS;

	if (src->fd < 0)
		return err_set(err, ERR_SYS, "%s: its OA stream could not be opened again",
			l->node.card);
	for (unsigned i = 0; i < OA_MAX_READS && clock_machine_ns() < end_ns; i++) {
		ssize_t n = driver_read(src->fd, s->buf, sizeof(s->buf));

		l->failed = false;
		if (n == 0 || (n < 0 && errno == EAGAIN))
			return oa_live_is_heard(l, now_ns, err);
		if (n < 0 && errno != EINTR)
			return oa_live_fail_read(l, "i915", err);
		if (n > 0 && !oa_live_records(l, s->buf, (size_t)n, err))
			return false;
	}
	return true;
}

static void stream_status(struct source *src, char *buf, size_t size)
{
	if (((struct i915_stream *)src)->request.halved)
		snprintf(buf, size, "%s", i915_perf_halved);
}

static void stream_close(struct source *src)
{
	oa_live_close((struct oa_live *)src);
}

static const struct source_ops stream_ops = {
	.ready = stream_ready,
	.collect = oa_live_collect,
	.set_tap = oa_live_set_tap,
	.set_pairs = oa_live_set_pairs,
	.correlate = i915_live_correlate,
	.status = stream_status,
	.close = stream_close,
};

bool i915_stream_reprogram(struct source *src, const struct device *d, const struct metric_set *set,
	struct err *err)
{
	if (src->ops != &stream_ops)
		return err_set(err, ERR_UNSUPPORTED, "%s",
			"the metric set of this source cannot be changed while it is open");
	return oa_live_reprogram((struct oa_live *)src, d, set, program, err);
}

struct source *i915_stream_open(
	const char *card, struct device *d, const struct open_options *o, struct err *err)
{
	struct i915_stream *s = oa_live_new(&stream_ops, sizeof(*s), o->now_ns);
	struct oa_live *l = &s->i915.live;

	if (i915_live_open(&s->i915, card, d, o, "i915 perf", err)) {
		prepare_request(s, d, o);
		if (oa_live_reprogram(l, d, o->set, program, err))
			return &l->source;
	}
	source_close(&l->source);
	return NULL;
}

#else

bool i915_stream_reprogram(struct source *s, const struct device *d, const struct metric_set *set,
	struct err *err)
{
	(void)s;
	(void)d;
	(void)set;
	return err_set(err, ERR_UNSUPPORTED, "%s",
		"this build leaves i915 streams out, for want of libdrm");
}

bool i915_is_built_in(void)
{
	return false;
}

struct source *i915_stream_open(
	const char *card, struct device *d, const struct open_options *o, struct err *err)
{
	(void)d;
	(void)o;
	err_set(err, ERR_UNSUPPORTED,
		"%s: this build leaves i915 streams out, for want of libdrm", card);
	return NULL;
}

#endif
