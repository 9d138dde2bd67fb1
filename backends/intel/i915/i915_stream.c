/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading of i915 streams of OA reports. */
#include "config.h"

#include "backends/intel/i915/i915_stream.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/i18n.h"

#ifdef HAVE_LIBDRM

#include "backends/intel/i915/i915_perf.h"
#include "backends/intel/live/oa_live.h"
#include "backends/intel/oa/oa_profile.h"
#include "backends/intel/oa/oa_timer.h"
#include "backends/intel/platform/platform.h"
#include "base/mem.h"

struct i915_stream {
	struct source source;
	struct drm_node node;
	int perf_revision;
	struct oa_live live;
	int exponent;
	uint8_t buf[OA_READ_BYTES];
};

bool i915_is_built_in(void)
{
	return true;
}

/* --- programming --- */

static bool program(struct i915_stream *s, const struct device *d, const struct open_options *o, struct err *err)
{
	struct i915_perf_request q = {
		.format = d->oa_format,
		.exponent = s->exponent,
		.timestamp_hz = s->live.oa.timestamp_hz,
		.whole = s->live.oa.graphics_ver == 11 && s->perf_revision >= 4 ? &d->topology : NULL,
		.poll_period_ns = s->perf_revision >= 5 ? (uint64_t)oa_live_poll_ns(o->delay_ns) : 0,
		.log = o->log,
	};
	struct oa_profile p;

	if (!oa_profile_build(&p, o->set, s->live.oa.graphics_ver, oa_config_embedded, NULL, err))
		return false;
	s->source.fd = i915_perf_open(&s->node, &p, &q, err);
	oa_profile_release(&p);
	return s->source.fd >= 0;
}

/* --- reading --- */

static bool stream_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct i915_stream *s = (struct i915_stream *)src;

	(void)now_ns;
	for (unsigned i = 0; i < OA_MAX_READS; i++) {
		ssize_t n = read(src->fd, s->buf, sizeof(s->buf));

		s->live.failed = false;
		if (n == 0 || (n < 0 && errno == EAGAIN))
			return true;
		if (n < 0 && errno != EINTR)
			return oa_live_fail_read(&s->live, s->node.card, "i915", err);
		if (n > 0 && !oa_live_records(&s->live, s->buf, (size_t)n, err))
			return false;
	}
	return true;
}

static void stream_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	oa_live_collect(&((struct i915_stream *)src)->live, now_ns, out);
}

static void stream_set_tap(struct source *src, const struct record_tap *tap)
{
	oa_live_set_tap(&((struct i915_stream *)src)->live, tap);
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
	drm_node_close(&s->node);
	free(s);
}

static const struct source_ops stream_ops = {
	.ready = stream_ready,
	.collect = stream_collect,
	.set_tap = stream_set_tap,
	.correlate = stream_correlate,
	.close = stream_close,
};

bool i915_stream_reprogram(struct source *src, const struct metric_set *set, struct err *err)
{
	struct i915_stream *s = (struct i915_stream *)src;
	struct oa_profile p;
	bool good;

	if (src->ops != &stream_ops || s->perf_revision < 2)
		return err_set(err, ERR_UNSUPPORTED, "%s", _("the metric set of this source cannot be changed while it is open"));
	if (!oa_profile_build(&p, set, s->live.oa.graphics_ver, oa_config_embedded, NULL, err))
		return false;
	good = i915_perf_reconfigure(&s->node, src->fd, &p, err);
	oa_profile_release(&p);
	if (good)
		oa_live_restart(&s->live);
	return good;
}

struct source *i915_stream_open(const char *card, struct device *d, const struct open_options *o, struct err *err)
{
	const struct intel_platform *p = intel_platform_by_name(d->platform);
	struct i915_stream *s = xcalloc(1, sizeof(*s));
	bool identified;

	s->source = (struct source){ .ops = &stream_ops, .fd = -1, .priv = s };
	s->node.fd = -1;
	s->perf_revision = 1;
	s->live.window_ns = o->now_ns;
	if (!drm_node_open(&s->node, o->fs, card, err))
		goto fail;
	identified = i915_node_identify(&s->node, d, &s->perf_revision, err);
	intel_device_set_consts(d);
	if (!identified || !oa_stream_init(&s->live.oa, d, p->graphics_ver, err))
		goto fail;
	if (o->has_context)
		oa_stream_set_context(&s->live.oa, o->context);
	s->exponent = oa_timer_exponent(o->oa_period_ns, o->delay_ns, d->timestamp_hz, d->max_hz, s->live.oa.accum.format->bytes);
	if (!program(s, d, o, err))
		goto fail;
	snprintf(s->source.feed.name, sizeof(s->source.feed.name), "oa");
	snprintf(s->source.feed.how, sizeof(s->source.feed.how), "i915 perf");
	s->source.feed.counters = s->live.oa.counters;
	s->source.feed.n_counters = s->live.oa.n_counters;
	return &s->source;
fail:
	stream_close(&s->source);
	return NULL;
}

#else

bool i915_stream_reprogram(struct source *s, const struct metric_set *set, struct err *err)
{
	(void)s;
	(void)set;
	return err_set(err, ERR_UNSUPPORTED, "%s", _("this build leaves i915 streams out, for want of libdrm"));
}

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
