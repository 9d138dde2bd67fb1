/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What sources that fetch single OA reports have in common. */
#include "config.h"

#include "backends/intel/i915/i915_device.h"

#ifdef HAVE_LIBDRM

#include <stdio.h>

#include "backends/intel/oa/oa_accum.h"
#include "backends/intel/oa/oa_timer.h"
#include "backends/intel/platform/platform.h"
#include "base/clock.h"
#include "base/minmax.h"

#define POLL_MIN_NS NS_PER_MS

bool i915_live_open(struct i915_live *s, const char *card, struct device *d,
	const struct open_options *o, const char *how, struct err *err)
{
	s->perf_revision = 1;
	if (!drm_node_open(&s->live.node, o->fs, card, err))
		return false;
	bool identified = i915_node_identify(&s->live.node, d, &s->perf_revision, err);
	intel_device_set_consts(d);
	return identified && oa_live_decode(&s->live, d, o, how, err);
}

bool i915_live_correlate(struct source *src, int64_t now_ns, uint64_t *cpu_ns,
	uint64_t *gpu_timestamp, struct err *err)
{
	(void)now_ns;
	return i915_node_correlate(
		&((const struct i915_live *)src)->live.node, cpu_ns, gpu_timestamp, err);
}

/* Adds a record, as the kernel's stream would give it, to the recording and to the sums. */
static bool add_record(struct oa_poll *p, enum rec_type type, struct err *err)
{
	size_t bytes = type == REC_SAMPLE ? p->i915.live.oa.accum.format->bytes : 0;

	p->record.header = (struct rec_header){ .type = type,
		.size = (uint16_t)(sizeof(p->record.header) + bytes) };
	return oa_live_records(&p->i915.live, &p->record, p->record.header.size, err);
}

static bool poll_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct oa_poll *p = (struct oa_poll *)src;

	clock_timer_clear(src->fd);
	enum oa_fetch got = p->ops->fetch(p, p->record.report, err);
	bool good = got != OA_FETCH_FAILED;
	if (got == OA_FETCH_REPORT && p->fetched_ns && now_ns - p->fetched_ns > p->turn_ns)
		got = OA_FETCH_REBASE;
	if (got == OA_FETCH_REPORT || got == OA_FETCH_REBASE)
		p->fetched_ns = now_ns;
	if (got == OA_FETCH_REBASE)
		good = add_record(p, REC_BUFFER_LOST, err);
	if (good && got != OA_FETCH_NONE)
		good = add_record(p, REC_SAMPLE, err);
	p->i915.live.failed = !good;
	return good;
}

static void poll_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	oa_live_collect(src, now_ns, out);
	/* What is read here is no report of the unit: it has no context, and no clock of its moment
	 * in its id. */
	out->contexts = NULL;
	out->n_contexts = 0;
	out->tells_clock = false;
	out->clock_low_hz = out->clock_high_hz = 0;
	if (((const struct oa_poll *)src)->of_context && out->why == WHY_OK &&
		out->values[OA_GPU_TICKS] == 0)
		out->why = WHY_OTHER_CONTEXT;
}

static void poll_status(struct source *src, char *buf, size_t size)
{
	snprintf(buf, size, "%s", ((const struct oa_poll *)src)->note);
}

static void poll_close(struct source *src)
{
	struct oa_poll *p = (struct oa_poll *)src;

	p->ops->stop(p);
	oa_live_close(&p->i915.live);
}

static int64_t period_of(const struct oa_poll *p, int64_t window_ns)
{
	int64_t ns = p->wished_ns > 0 ? p->wished_ns : oa_live_poll_ns(window_ns);

	return max_i64(POLL_MIN_NS, min_i64(ns, p->longest_ns));
}

static void poll_retime(struct source *src, int64_t window_ns)
{
	int64_t period_ns = period_of((struct oa_poll *)src, window_ns);

	clock_timer_set(src->fd, period_ns, period_ns);
}

static const struct source_ops source_ops = {
	.retime = poll_retime,
	.ready = poll_ready,
	.collect = poll_collect,
	.set_tap = oa_live_set_tap,
	.correlate = i915_live_correlate,
	.status = poll_status,
	.close = poll_close,
};

void *oa_poll_new(const struct oa_poll_ops *ops, int64_t now_ns)
{
	struct oa_poll *p = oa_live_new(&source_ops, ops->size, now_ns);

	p->ops = ops;
	return p;
}

bool oa_poll_init(struct oa_poll *p, const char *card, struct device *d,
	const struct open_options *o, const char *how, struct err *err)
{
	if (o->has_context)
		return err_set(err, ERR_USAGE,
			"%s: --context goes by reports, which --access perf gives", card);
	if (i915_live_open(&p->i915, card, d, o, how, err))
		return true;
	drm_node_close(&p->i915.live.node);
	return false;
}

bool oa_poll_start(
	struct oa_poll *p, const struct device *d, const struct open_options *o, struct err *err)
{
	p->wished_ns = o->oa_period_ns;
	/* A process may get its turn late. */
	p->longest_ns = oa_longest_period_ns(p->i915.live.oa.accum.format, d);
	p->turn_ns = 2 * p->longest_ns;
	p->longest_ns /= 2;
	p->i915.live.source.fd = oa_live_timer_open(period_of(p, o->delay_ns), err);
	return p->i915.live.source.fd >= 0;
}

#endif
