/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decoding of EU stall records, and their stream. */
#include "config.h"

#include "backends/intel/xe_stall.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/intel/platform.h"
#include "backends/intel/xe_oa.h"
#include "base/i18n.h"
#include "base/mem.h"

#define COUNT_BITS 8
#define READ_RECORDS 1024
#define MAX_READS 4096		/* more than the kernel's buffers hold: 512 KiB for each of 64 Xe cores */
#define MAX_RECORD_BYTES 256

const struct counter_desc xe_stall_counters[XE_STALL_COUNTERS] = {
	[STALL_ACTIVE] = { "stall_active", "1", 64, COUNTER_CUMULATIVE },
	[STALL_TDR] = { "stall_tdr", "1", 64, COUNTER_CUMULATIVE },
	[STALL_OTHER] = { "stall_other", "1", 64, COUNTER_CUMULATIVE },
	[STALL_CONTROL] = { "stall_control", "1", 64, COUNTER_CUMULATIVE },
	[STALL_PIPE] = { "stall_pipe", "1", 64, COUNTER_CUMULATIVE },
	[STALL_SEND] = { "stall_send", "1", 64, COUNTER_CUMULATIVE },
	[STALL_DIST_ACC] = { "stall_dist_acc", "1", 64, COUNTER_CUMULATIVE },
	[STALL_SBID] = { "stall_sbid", "1", 64, COUNTER_CUMULATIVE },
	[STALL_SYNC] = { "stall_sync", "1", 64, COUNTER_CUMULATIVE },
	[STALL_FETCH] = { "stall_fetch", "1", 64, COUNTER_CUMULATIVE },
	[STALL_SAMPLES] = { "stall_samples", "1", 64, COUNTER_CUMULATIVE },
};

/* Address first, then counts of 8 bits each, one behind the other, lowest bits first. Ponte Vecchio has no TDR. */
#define REASONS_OF_XE2 { STALL_TDR, STALL_OTHER, STALL_CONTROL, STALL_PIPE, STALL_SEND, STALL_DIST_ACC, STALL_SBID, STALL_SYNC, \
	STALL_FETCH, STALL_ACTIVE }

static const struct xe_stall_layout {
	int first_verx10, last_verx10;
	int address_bits;
	int n;
	uint8_t order[STALL_REASONS];
} layouts[] = {
	{ 126, 126, 29, 9, { STALL_ACTIVE, STALL_OTHER, STALL_CONTROL, STALL_PIPE, STALL_SEND, STALL_DIST_ACC, STALL_SBID, STALL_SYNC,
	  STALL_FETCH } },
	{ 200, 349, 29, 10, REASONS_OF_XE2 },
	{ 350, 999, 61, 10, REASONS_OF_XE2 },
};

const struct xe_stall_layout *xe_stall_layout(int graphics_verx10)
{
	for (size_t i = 0; i < ARRAY_LEN(layouts); i++)
		if (graphics_verx10 >= layouts[i].first_verx10 && graphics_verx10 <= layouts[i].last_verx10)
			return &layouts[i];
	return NULL;
}

/* Eight bits from any position on. */
static unsigned get_count(const uint8_t *p, int bit)
{
	return (p[bit / 8] >> bit % 8 | (unsigned)p[bit / 8 + 1] << (8 - bit % 8)) & 0xff;
}

void xe_stall_add(const struct xe_stall_layout *l, const void *record, uint64_t sums[XE_STALL_COUNTERS])
{
	for (int i = 0; i < l->n; i++) {
		unsigned count = get_count(record, l->address_bits + COUNT_BITS * i);

		sums[l->order[i]] += count;
		sums[STALL_SAMPLES] += count;
	}
}

void xe_stall_make(const struct xe_stall_layout *l, uint64_t address, const uint8_t counts[STALL_REASONS], void *record)
{
	uint8_t *p = record;

	memset(p, 0, XE_STALL_RECORD_BYTES);
	for (int bit = 0; bit < l->address_bits; bit++)
		p[bit / 8] |= (uint8_t)((address >> bit & 1) << bit % 8);
	for (int i = 0; i < l->n; i++)
		for (int b = 0; b < COUNT_BITS; b++) {
			int bit = l->address_bits + COUNT_BITS * i + b;

			p[bit / 8] |= (uint8_t)((counts[l->order[i]] >> b & 1) << bit % 8);
		}
}

bool xe_stall_wanted(const struct metric_set *set)
{
	for (int i = 0; i < set->n_inputs; i++)
		for (int k = 0; set->inputs[i].kind == INPUT_COUNTER && k < XE_STALL_COUNTERS; k++)
			if (!strcmp(set->inputs[i].name, xe_stall_counters[k].name))
				return true;
	return false;
}

/* --- the source --- */

struct stall_source {
	struct source source;
	char card[32];
	const struct xe_stall_layout *layout;
	size_t record_bytes;
	int64_t window_ns;
	bool collected, failed;
	uint64_t sums[XE_STALL_COUNTERS];
	uint64_t records, lost;
	uint8_t *buf;
};

static bool fail_read(struct stall_source *s, struct err *err)
{
	s->failed = true;
	if (errno != ENODEV)
		return err_sys(err, _("%s: cannot read its EU stall samples"), s->card);
	err_set(err, ERR_SYS, _("%s: EU stall sampling ended: the GPU was reset or is gone (%s)"), s->card, strerror(ENODEV));
	return err_hint(err, _("sudo dmesg | grep xe tells why; opening the device again starts it anew"));
}

static void take(struct stall_source *s, size_t len)
{
	for (size_t at = 0; at + s->record_bytes <= len; at += s->record_bytes, s->records++)
		xe_stall_add(s->layout, s->buf + at, s->sums);
}

/* EIO once: the hardware had no room for samples and dropped some. */
static bool stall_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct stall_source *s = (struct stall_source *)src;
	int losses = 0;

	(void)now_ns;
	for (int i = 0; i < MAX_READS; i++) {
		ssize_t n = read(src->fd, s->buf, READ_RECORDS * s->record_bytes);

		s->failed = false;
		if (n == 0 || (n < 0 && errno == EAGAIN))
			return true;
		if (n < 0 && errno == EIO && !losses++)
			s->lost++;
		else if (n < 0 && errno != EINTR)
			return fail_read(s, err);
		else if (n > 0)
			take(s, (size_t)n);
	}
	return true;
}

static void stall_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct stall_source *s = (struct stall_source *)src;

	out->why = s->failed ? WHY_STALE : now_ns > s->window_ns ? WHY_OK : WHY_NOT_YET;
	out->t0_ns = s->window_ns;
	out->t1_ns = now_ns;
	out->window_ns = now_ns - s->window_ns;
	out->reports = s->records;
	out->lost = s->lost;
	out->quality = (s->lost ? SAMPLE_LOST : 0) | (s->collected ? 0 : SAMPLE_PARTIAL);
	memcpy(out->values, s->sums, sizeof(s->sums));
	memset(s->sums, 0, sizeof(s->sums));
	s->records = s->lost = 0;
	s->collected = true;
	s->window_ns = now_ns;
}

static void stall_close(struct source *src)
{
	struct stall_source *s = (struct stall_source *)src;

	if (src->fd >= 0)
		close(src->fd);
	free(s->buf);
	free(s);
}

static const struct source_ops stall_ops = { .ready = stall_ready, .collect = stall_collect, .close = stall_close };

static bool open_stream(struct stall_source *s, const struct intel_node *n, const struct xe_facts *f, struct err *err)
{
	if (!f->stall_record_bytes || !s->layout) {
		err_set(err, ERR_UNSUPPORTED, _("%s: this kernel or GPU samples no EU stalls"), n->card);
		return err_hint(err, _("Linux 6.15 is the first that does, on Ponte Vecchio, Lunar Lake, Battlemage and later"));
	}
	if (f->stall_record_bytes < XE_STALL_RECORD_BYTES || f->stall_record_bytes > MAX_RECORD_BYTES)
		return err_set(err, ERR_UNSUPPORTED, _("%s: EU stall records of %llu bytes are not known"), n->card,
			(unsigned long long)f->stall_record_bytes);
	s->record_bytes = (size_t)f->stall_record_bytes;
	s->buf = xcalloc(READ_RECORDS, s->record_bytes);
	s->source.fd = xe_stall_open(n, f, err);
	return s->source.fd >= 0;
}

struct source *xe_stall_source_open(const struct intel_node *n, const struct xe_facts *f, const struct device *d,
	const struct open_options *o, struct err *err)
{
	const struct intel_platform *p = intel_platform_by_name(d->platform);
	struct stall_source *s = xcalloc(1, sizeof(*s));

	s->source = (struct source){ .ops = &stall_ops, .fd = -1, .priv = s };
	s->layout = xe_stall_layout(p->graphics_verx10);
	s->window_ns = o->now_ns;
	snprintf(s->card, sizeof(s->card), "%s", n->card);
	if (!open_stream(s, n, f, err)) {
		stall_close(&s->source);
		return NULL;
	}
	snprintf(s->source.feed.name, sizeof(s->source.feed.name), "stall");
	snprintf(s->source.feed.how, sizeof(s->source.feed.how), "xe EU stall sampling");
	s->source.feed.counters = xe_stall_counters;
	s->source.feed.n_counters = XE_STALL_COUNTERS;
	return &s->source;
}
