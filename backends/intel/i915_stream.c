/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading of i915 streams of OA reports. */
#include "config.h"

#include "backends/intel/i915_stream.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/i18n.h"

#ifdef HAVE_LIBDRM

#include "backends/intel/i915_perf.h"
#include "backends/intel/oa_accum.h"
#include "backends/intel/oa_profile.h"
#include "backends/intel/oa_records.h"
#include "backends/intel/oa_timer.h"
#include "backends/intel/platform.h"
#include "base/clock.h"
#include "base/mem.h"
#include "core/recfile.h"

#define READ_BYTES 65536
/* One call drains at most what the kernel's buffer holds, so that a device that is faster than we are cannot keep us for ever. */
#define MAX_READS (OA_BUFFER_BYTES / READ_BYTES + 16)
#define POLLS_PER_WINDOW 10
#define POLL_MIN_NS (5 * NS_PER_MS)
#define POLL_MAX_NS (100 * NS_PER_MS)
/* The signal network settles in about half a millisecond (Linux i915_perf.c, NOA wait); reports before that may show the programming
 * of somebody else. */
#define SETTLE_NS NS_PER_MS

struct i915_stream {
	struct source source;
	struct intel_node node;
	int perf_revision;
	struct oa_stream oa;
	struct record_tap tap;
	int64_t window_ns;		/* where the window being gathered began, by the app's clock */
	bool collected;			/* one window is complete */
	bool failed;
	bool has_first, settled;
	uint32_t first_timestamp;
	int exponent;
	uint8_t buf[READ_BYTES];
};

bool i915_is_built_in(void)
{
	return true;
}

static bool fail_read(const struct i915_stream *s, struct err *err)
{
	const char *card = s->node.card;

	switch (errno) {
	case EIO:
		err_set(err, ERR_SYS, _("%s: the kernel has stopped its OA stream (%s)"), card, strerror(EIO));
		return err_hint(err, _("sudo dmesg | grep i915 tells whether the GPU was reset; then start again"));
	case ENODEV:
		err_set(err, ERR_SYS, _("%s: the GPU is gone (%s)"), card, strerror(ENODEV));
		return err_hint(err, _("sudo dmesg | grep i915 tells why; 'rooftop -L' lists what is left"));
	case ENOSPC:
		err_set(err, ERR_SYS, _("%s: a report does not fit into the %d bytes offered (%s)"), card, READ_BYTES, strerror(ENOSPC));
		return err_hint(err, _("'rooftop doctor' shows the kernel; please report it as a bug"));
	default:
		return err_sys(err, _("%s: cannot read its OA stream"), card);
	}
}

/* --- programming --- */

/* How often the kernel looks for new reports: wake-ups cost, and a window needs some. */
static uint64_t poll_period_ns(int64_t delay_ns)
{
	int64_t ns = delay_ns / POLLS_PER_WINDOW;

	return (uint64_t)(ns < POLL_MIN_NS ? POLL_MIN_NS : ns > POLL_MAX_NS ? POLL_MAX_NS : ns);
}

static bool program(struct i915_stream *s, const struct device *d, const struct open_options *o, struct err *err)
{
	struct i915_perf_request q = {
		.format = d->oa_format,
		.exponent = s->exponent,
		.timestamp_hz = s->oa.timestamp_hz,
		.whole = s->oa.graphics_ver == 11 && s->perf_revision >= 4 ? &d->topology : NULL,
		.poll_period_ns = s->perf_revision >= 5 ? poll_period_ns(o->delay_ns) : 0,
		.log = o->log,
	};
	struct oa_profile p;

	if (!oa_profile_build(&p, o->set, s->oa.graphics_ver, oa_config_embedded, NULL, err))
		return false;
	s->source.fd = i915_perf_open(&s->node, &p, &q, err);
	oa_profile_release(&p);
	return s->source.fd >= 0;
}

/* --- reading --- */

/* Bytes of records at the start that are older than the settled programming. */
static size_t unsettled(struct i915_stream *s, size_t len)
{
	uint64_t settle_ticks = (s->oa.timestamp_hz * SETTLE_NS + NS_PER_S - 1) / NS_PER_S;
	struct rec_header h;
	struct oa_header report;

	for (size_t at = 0; at + sizeof(h) <= len; at += h.size) {
		memcpy(&h, s->buf + at, sizeof(h));
		if (h.size < sizeof(h) || h.size > len - at)
			return at;	/* the decoder tells what is wrong */
		if (h.type != REC_SAMPLE || h.size != sizeof(h) + s->oa.accum.format->bytes)
			continue;
		oa_read_header(s->oa.accum.format, s->buf + at + sizeof(h), &report);
		if (!s->has_first)
			s->first_timestamp = (uint32_t)report.timestamp;
		s->has_first = true;
		s->settled = (uint32_t)report.timestamp - s->first_timestamp >= settle_ticks;
		if (s->settled)
			return at;
	}
	return len;
}

static bool take(struct i915_stream *s, size_t len, struct err *err)
{
	size_t skipped = s->settled ? 0 : unsettled(s, len);

	if (skipped == len)
		return true;
	if (s->tap.records)
		s->tap.records(s->tap.ctx, s->buf + skipped, len - skipped);
	return oa_stream_records(&s->oa, s->buf + skipped, len - skipped, err);
}

static bool stream_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct i915_stream *s = (struct i915_stream *)src;

	(void)now_ns;
	for (unsigned i = 0; i < MAX_READS; i++) {
		ssize_t n = read(src->fd, s->buf, sizeof(s->buf));

		s->failed = n < 0 && errno != EAGAIN && errno != EINTR;
		if (s->failed)
			return fail_read(s, err);
		if (n == 0 || (n < 0 && errno == EAGAIN))
			return true;
		if (n > 0 && !take(s, (size_t)n, err)) {
			s->failed = true;
			return false;
		}
	}
	return true;
}

static void stream_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct i915_stream *s = (struct i915_stream *)src;

	oa_stream_take(&s->oa, out);
	out->t0_ns = s->window_ns;
	out->t1_ns = now_ns;
	s->window_ns = now_ns;
	if (s->failed) {
		out->why = WHY_STALE;
		return;
	}
	if (!s->collected)
		out->quality |= SAMPLE_PARTIAL;
	s->collected = s->collected || out->why == WHY_OK;
}

static void stream_set_tap(struct source *src, const struct record_tap *tap)
{
	struct i915_stream *s = (struct i915_stream *)src;

	s->tap = tap ? *tap : (struct record_tap){ 0 };
}

static bool stream_correlate(struct source *src, int64_t now_ns, uint64_t *cpu_ns, uint64_t *gpu_timestamp, struct err *err)
{
	const struct i915_stream *s = (const struct i915_stream *)src;

	(void)now_ns;
	return i915_node_correlate(&s->node, cpu_ns, gpu_timestamp, err);
}

static void stream_close(struct source *src)
{
	struct i915_stream *s = (struct i915_stream *)src;

	if (src->fd >= 0)
		close(src->fd);
	intel_node_close(&s->node);
	free(s);
}

static const struct source_ops stream_ops = {
	.ready = stream_ready,
	.collect = stream_collect,
	.set_tap = stream_set_tap,
	.correlate = stream_correlate,
	.close = stream_close,
};

struct source *i915_stream_open(const char *card, struct device *d, const struct open_options *o, struct err *err)
{
	const struct intel_platform *p = intel_platform_by_name(d->platform);
	struct i915_stream *s = xcalloc(1, sizeof(*s));
	bool identified;

	s->source = (struct source){ .ops = &stream_ops, .fd = -1, .priv = s };
	s->node.fd = -1;
	s->perf_revision = 1;
	s->window_ns = o->now_ns;
	if (!intel_node_open(&s->node, o->fs, card, err))
		goto fail;
	identified = i915_node_identify(&s->node, d, &s->perf_revision, err);
	intel_device_set_consts(d);
	if (!identified || !oa_stream_init(&s->oa, d, p->graphics_ver, err))
		goto fail;
	s->exponent = oa_timer_exponent(o->oa_period_ns, o->delay_ns, d->timestamp_hz, d->max_hz, s->oa.accum.format->bytes);
	if (!program(s, d, o, err))
		goto fail;
	snprintf(s->source.feed.name, sizeof(s->source.feed.name), "oa");
	snprintf(s->source.feed.how, sizeof(s->source.feed.how), "i915 perf");
	s->source.feed.counters = s->oa.counters;
	s->source.feed.n_counters = s->oa.n_counters;
	return &s->source;
fail:
	stream_close(&s->source);
	return NULL;
}

#else

bool i915_is_built_in(void)
{
	return false;
}

struct source *i915_stream_open(const char *card, struct device *d, const struct open_options *o, struct err *err)
{
	(void)d;
	(void)o;
	err_set(err, ERR_UNSUPPORTED, _("%s: this build leaves i915 streams out, for want of libdrm"), card);
	return NULL;
}

#endif
