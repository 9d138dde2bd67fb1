/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the records of a live stream to windows. */
#include "config.h"

#include "backends/intel/live/oa_live.h"

#include <errno.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "core/recfile.h"

#define POLLS_PER_WINDOW 5
#define POLL_MIN_NS (5 * NS_PER_MS)
#define POLL_MAX_NS (100 * NS_PER_MS)
/* The signal network settles in about half a millisecond (Linux i915_perf.c, xe_oa.c: NOA wait); reports before that may show the
 * programming of somebody else. */
#define SETTLE_NS NS_PER_MS

int64_t oa_live_poll_ns(int64_t delay_ns)
{
	int64_t ns = delay_ns / POLLS_PER_WINDOW;

	return ns < POLL_MIN_NS ? POLL_MIN_NS : ns > POLL_MAX_NS ? POLL_MAX_NS : ns;
}

int oa_live_timer_open(int64_t period_ns, struct err *err)
{
	struct timespec each = { .tv_sec = period_ns / NS_PER_S, .tv_nsec = period_ns % NS_PER_S };
	struct itimerspec t = { .it_interval = each, .it_value = each };
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	if (fd >= 0 && timerfd_settime(fd, 0, &t, NULL) == 0)
		return fd;
	err_sys(err, _("cannot make a timer for OA counters"));
	if (fd >= 0)
		close(fd);
	return -1;
}

void oa_live_timer_clear(int fd)
{
	uint64_t expirations;

	if (read(fd, &expirations, sizeof(expirations)) < 0)
		return;	/* a tick came first */
}

/* Bytes of records at the start that are older than the settled programming. */
static size_t unsettled(struct oa_live *l, const uint8_t *buf, size_t len)
{
	uint64_t settle_ticks = (l->oa.timestamp_hz * SETTLE_NS + NS_PER_S - 1) / NS_PER_S;
	struct rec_header h;
	struct oa_header report;

	for (size_t at = 0; at + sizeof(h) <= len; at += h.size) {
		memcpy(&h, buf + at, sizeof(h));
		if (h.size < sizeof(h) || h.size > len - at)
			return at;	/* the decoder tells what is wrong */
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
	size_t skipped = l->settled ? 0 : unsettled(l, p, len);

	if (skipped == len)
		return true;
	if (l->tap.records)
		l->tap.records(l->tap.ctx, p + skipped, len - skipped);
	l->failed = !oa_stream_records(&l->oa, p + skipped, len - skipped, err);
	return !l->failed;
}

void oa_live_collect(struct oa_live *l, int64_t now_ns, struct sample *out)
{
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
	l->collected = l->collected || out->why == WHY_OK || out->why == WHY_OTHER_CONTEXT;
}

void oa_live_restart(struct oa_live *l)
{
	struct sample gone = { .why = WHY_OK };

	oa_stream_take(&l->oa, &gone);
	oa_accum_rebase(&l->oa.accum);
	l->collected = l->has_first = l->settled = false;
}

void oa_live_set_tap(struct oa_live *l, const struct record_tap *tap)
{
	l->tap = tap ? *tap : (struct record_tap){ 0 };
}

bool oa_live_fail_read(struct oa_live *l, const char *card, const char *driver, struct err *err)
{
	l->failed = true;
	switch (errno) {
	case EIO:
		err_set(err, ERR_SYS, _("%s: the kernel has stopped its OA stream (%s)"), card, strerror(EIO));
		return err_hint(err, _("sudo dmesg | grep %s tells whether the GPU was reset; it is opened again every few seconds"), driver);
	case ENODEV:
		err_set(err, ERR_NO_DEVICE, _("%s: the GPU is gone (%s)"), card, strerror(ENODEV));
		return err_hint(err, _("sudo dmesg | grep %s tells why; it is looked for every few seconds"), driver);
	case ENOSPC:
		err_set(err, ERR_SYS, _("%s: a report does not fit into the %d bytes offered (%s)"), card, OA_READ_BYTES, strerror(ENOSPC));
		return err_hint(err, _("'rooftop doctor' shows the kernel; please report it as a bug"));
	default:
		return err_sys(err, _("%s: cannot read its OA stream"), card);
	}
}
