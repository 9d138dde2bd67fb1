/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes windows from the records of a live stream. */
#include "config.h"

#include "backends/intel/live/oa_live.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "backends/intel/platform/platform.h"
#include "base/call_watch.h"
#include "base/clock.h"
#include "core/record/record_file.h"

#define POLLS_PER_WINDOW 5
#define POLL_MIN_NS (5 * NS_PER_MS)
#define POLL_MAX_NS (100 * NS_PER_MS)
/* A unit that has been silent for so many of its periods, and for so long, has stopped. */
#define SILENT_PERIODS 10
#define SILENT_MIN_NS NS_PER_S
/* The signal network settles in about half a millisecond (Linux i915_perf.c, xe_oa.c: NOA wait);
 * reports before that may show the programming of somebody else. */
#define SETTLE_NS NS_PER_MS

void *oa_live_new(const struct source_ops *ops, size_t size, int64_t now_ns)
{
	struct oa_live *l = source_new_sized(ops, size);

	l->node.fd = -1;
	l->window_ns = l->heard_ns = now_ns;
	return l;
}

bool oa_live_decode(struct oa_live *l, const struct device *d, const struct open_options *o,
	const char *how, struct err *err)
{
	enum oa_maker maker = strcmp(d->driver, "xe") ? OA_BY_I915 : OA_BY_XE;

	if (!oa_stream_init(&l->oa, d, intel_platform_by_name(d->platform)->graphics_ver, maker,
		    err) ||
		(o->has_context && !oa_stream_set_context(&l->oa, o->context, err)))
		return false;
	oa_stream_feed(&l->oa, how, &l->source.feed);
	return true;
}

void oa_live_expect(struct oa_live *l, int64_t period_ns)
{
	l->silence_ns = SILENT_PERIODS * period_ns;
	if (l->silence_ns < SILENT_MIN_NS)
		l->silence_ns = SILENT_MIN_NS;
	l->heard = true;
}

bool oa_live_is_heard(struct oa_live *l, int64_t now_ns, struct err *err)
{
	if (l->heard)
		l->heard_ns = now_ns;
	l->heard = false;
	if (!l->silence_ns || now_ns - l->heard_ns < l->silence_ns)
		return true;
	l->failed = l->source.reset = true;
	err_set(err, ERR_SYS, "%s: its OA unit has written no report for %.1f s: the GPU was reset",
		l->node.card, (double)(now_ns - l->heard_ns) / NS_PER_S);
	return err_hint(err, "counting begins again in some seconds; sudo dmesg tells why");
}

void oa_live_close(struct oa_live *l)
{
	driver_close(l->source.fd);
	drm_node_close(&l->node);
}

int64_t oa_live_poll_ns(int64_t delay_ns)
{
	int64_t ns = delay_ns / POLLS_PER_WINDOW;

	if (ns < POLL_MIN_NS)
		return POLL_MIN_NS;
	if (ns > POLL_MAX_NS)
		return POLL_MAX_NS;
	return ns;
}

int oa_live_timer_open(int64_t period_ns, struct err *err)
{
	int fd = clock_timer_open();

	if (fd >= 0 && clock_timer_set(fd, period_ns, period_ns))
		return fd;
	err_sys(err, "cannot make a timer for OA counters");
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Returns how many bytes at the start are records from before the programming had settled. */
static size_t unsettled(struct oa_live *l, const uint8_t *buf, size_t len)
{
	uint64_t settle_ticks = (l->oa.timestamp_hz * SETTLE_NS + NS_PER_S - 1) / NS_PER_S;
	struct rec_header h;
	struct oa_header report;

	for (size_t at = 0; at + sizeof(h) <= len; at += h.size) {
		memcpy(&h, buf + at, sizeof(h));
		if (h.size < sizeof(h) || h.size > len - at)
			return at;	/* the decoder reports what is wrong */
		if (h.type != REC_SAMPLE || h.size != sizeof(h) + l->oa.accum.format->bytes)
			continue;
		oa_read_header(l->oa.accum.format, buf + at + sizeof(h), &report);
		if (!l->has_first)
			l->first_timestamp = (uint32_t)report.timestamp;
		l->has_first = true;
		l->settled = (uint32_t)report.timestamp - l->first_timestamp >= settle_ticks;
		if (l->settled)
			return at;
	}
	return len;
}

bool oa_live_records(struct oa_live *l, const void *buf, size_t len, struct err *err)
{
	const uint8_t *p = buf;
	size_t skipped = 0;

	l->heard = true;
	/* Fewer bytes than a report has are losses alone. */
	l->losses = len < (size_t)l->oa.accum.format->bytes ? l->losses + 1 : 0;
	if (l->losses > OA_MAX_LOSSES) {
		l->failed = l->source.reset = true;
		err_set(err, ERR_SYS, "%s: its OA unit tells of losses alone: the GPU is gone, or hangs",
			l->node.card);
		return err_hint(err, "sudo dmesg tells why; it is opened again every few seconds");
	}
	if (!l->settled)
		skipped = unsettled(l, p, len);
	if (skipped == len)
		return true;
	if (l->tap.records)
		l->tap.records(l->tap.ctx, p + skipped, len - skipped);
	l->failed = !oa_stream_records(&l->oa, p + skipped, len - skipped, err);
	return !l->failed;
}

void oa_live_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct oa_live *l = (struct oa_live *)src;

	oa_stream_take(&l->oa, out);
	out->t0_ns = l->window_ns;
	out->t1_ns = now_ns;
	l->window_ns = now_ns;
	if (l->failed) {
		out->why = WHY_STALE;
		return;
	}
	if (!l->collected)
		out->quality |= SAMPLE_PARTIAL;
	l->collected = l->collected || out->why == WHY_OK || out->why == WHY_OTHER_CONTEXT ||
		out->why == WHY_LOST;
}

bool oa_live_set_pairs(struct source *src, const struct pair_tap *tap)
{
	oa_stream_set_pairs(&((struct oa_live *)src)->oa, tap);
	return true;
}

void oa_live_set_tap(struct source *src, const struct record_tap *tap)
{
	((struct oa_live *)src)->tap = tap ? *tap : (struct record_tap){ 0 };
}

static void restart(struct oa_live *l)
{
	struct sample gone = { .why = WHY_OK };

	oa_stream_take(&l->oa, &gone);
	oa_accum_rebase(&l->oa.accum);
	l->collected = l->has_first = l->settled = false;
	l->heard = true;
}

bool oa_live_reprogram(struct oa_live *l, const struct device *d, const struct metric_set *set,
	bool (*program)(struct oa_live *l, const struct oa_profile *p, struct err *err),
	struct err *err)
{
	struct oa_profile p;

	if (!oa_profile_build(&p, set, d, oa_config_embedded, err))
		return false;
	bool good = program(l, &p, err);
	oa_profile_release(&p);
	/* Counters begin at zero, also where only the old programming could be had again. */
	restart(l);
	return good;
}

bool oa_live_fail_read(struct oa_live *l, const char *driver, struct err *err)
{
	const char *card = l->node.card;

	l->failed = true;
	switch (errno) {
	case EIO:
		err_set(err, ERR_SYS, "%s: the kernel has stopped its OA stream (%s)", card,
			strerror(EIO));
		return err_hint(err,
			"sudo dmesg | grep %s tells whether the GPU was reset; it is opened "
			"again every few seconds",
			driver);
	case ENODEV:
		err_set(err, ERR_NO_DEVICE, "%s: the GPU is gone (%s)", card, strerror(ENODEV));
		return err_hint(err,
			"sudo dmesg | grep %s tells why; it is looked for every few seconds",
			driver);
	case ENOSPC:
		err_set(err, ERR_SYS, "%s: a report does not fit into the %d bytes offered (%s)",
			card, OA_READ_BYTES, strerror(ENOSPC));
		return err_hint(
			err, "'rooftop doctor' shows the kernel; please report it as a bug");
	default:
		return err_sys(err, "%s: cannot read its OA stream", card);
	}
}
