/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a source of the stream of EU stall records. */
#include "config.h"

#include "backends/intel/xe/xe_device.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/intel/platform/platform.h"
#include "backends/intel/xe/xe_stall_records.h"
#include "base/call_watch.h"
#include "base/mem.h"
#include "base/minmax.h"

/* A read takes the ring of a whole Xe core, 512 KiB up to Xe3, so that one read frees it. */
#define MIN_READ_BYTES (512u << 10)
#define MAX_READ_BYTES (16u << 20)
#define MAX_READS 256		/* two for each of 128 cores; the rest waits for the next turn */
#define MAX_RECORD_BYTES 256

bool xe_stall_wanted(const struct metric_set *set)
{
	return metric_set_reads(set, xe_stall_counters, XE_STALL_COUNTERS);
}

struct stall_source {
	struct source source;
	char card[32];
	const struct xe_stall_layout *layout;
	size_t record_bytes;
	int64_t window_ns;
	int64_t counted_to_ns, held_ns;	/* when samples came: the last that count, and those that are held */
	bool collected, failed;
	uint64_t sums[XE_STALL_COUNTERS];
	uint64_t held[XE_STALL_COUNTERS];	/* of the last turn that brought samples */
	uint64_t records, held_records, lost;
	struct code_table code, held_code;
	struct code_list code_list;
	uint8_t *buf;
	size_t buf_bytes;		/* whole records */
};

static bool fail_read(struct stall_source *s, struct err *err)
{
	s->failed = true;
	if (errno != ENODEV)
		return err_sys(err, "%s: cannot read its EU stall samples", s->card);
	err_set(err, ERR_SYS, "%s: EU stall sampling ended: the GPU was reset or is gone (%s)",
		s->card, strerror(ENODEV));
	return err_hint(
		err, "sudo dmesg | grep xe tells why; it is opened again every few seconds");
}

/* After a reset of the GPU, kernels before 2026 read the rest of each ring a second time, and then
 * nothing ever (Linux xe_eu_stall.c, before reset_detected). So samples count when later ones have
 * come, and the window ends where they begin that do not count yet. */
static void release_held(struct stall_source *s)
{
	for (int i = 0; i < XE_STALL_COUNTERS; i++)
		s->sums[i] += s->held[i];
	s->records += s->held_records;
	memset(s->held, 0, sizeof(s->held));
	s->held_records = 0;
	code_table_move(&s->code, &s->held_code);
}

static void hold(struct stall_source *s, const uint8_t *record)
{
	uint64_t counts[XE_STALL_COUNTERS], address = xe_stall_read(s->layout, record, counts);

	for (int i = 0; i < XE_STALL_COUNTERS; i++)
		s->held[i] += counts[i];
	if (counts[STALL_SAMPLES])
		code_table_add(&s->held_code, address, counts);
	s->held_records++;
}

/* EIO means that a core had no room for samples and dropped some. The kernel says it before each
 * read until the last such core was read, so there may be many in a turn; each is a loss (Linux
 * xe_eu_stall.c, xe_eu_stall_stream_read_locked()). */
static bool stall_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct stall_source *s = (struct stall_source *)src;
	const size_t each = s->record_bytes;
	bool has_new = false;

	for (int i = 0; i < MAX_READS; i++) {
		ssize_t n = driver_read(src->fd, s->buf, s->buf_bytes);

		s->failed = false;
		if (n == 0 || (n < 0 && errno == EAGAIN))
			break;
		if (n < 0 && errno == EIO)
			s->lost++;
		else if (n < 0 && errno != EINTR)
			return fail_read(s, err);
		if (n > 0 && !has_new) {
			release_held(s);
			s->counted_to_ns = s->held_ns;
			s->held_ns = now_ns;
			has_new = true;
		}
		for (ssize_t at = 0; at + (ssize_t)each <= n; at += (ssize_t)each)
			hold(s, s->buf + at);
	}
	return true;
}

static void stall_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct stall_source *s = (struct stall_source *)src;

	int64_t end_ns = s->held_records ? s->counted_to_ns : now_ns;

	source_window(out, &s->window_ns, max_i64(end_ns, s->window_ns));
	if (s->failed)
		out->why = WHY_STALE;
	out->reports = s->records;
	out->lost = s->lost;
	if (s->lost)
		out->quality |= SAMPLE_LOST;
	if (!s->collected)
		out->quality |= SAMPLE_PARTIAL;
	memcpy(out->values, s->sums, sizeof(s->sums));
	code_table_list(&s->code, &s->code_list);
	out->code = &s->code_list;
	code_table_clear(&s->code);
	memset(s->sums, 0, sizeof(s->sums));
	s->records = s->lost = 0;
	s->collected = true;
}

static void stall_close(struct source *src)
{
	struct stall_source *s = (struct stall_source *)src;

	driver_close(src->fd);
	free(s->buf);
	code_table_release(&s->code);
	code_table_release(&s->held_code);
}

static const struct source_ops stall_ops = {
	.size = sizeof(struct stall_source),
	.ready = stall_ready, .collect = stall_collect, .close = stall_close,
};

static bool open_stream(
	struct stall_source *s, const struct drm_node *n, const struct xe_facts *f, struct err *err)
{
	if (!f->stall_record_bytes || !s->layout) {
		err_set(err, ERR_UNSUPPORTED, "%s: this kernel or GPU samples no EU stalls",
			n->card);
		return err_hint(err,
			"Linux 6.15 is the first that does, on Ponte Vecchio, Lunar Lake, "
			"Battlemage and later");
	}
	if (f->stall_record_bytes < XE_STALL_RECORD_BYTES ||
		f->stall_record_bytes > MAX_RECORD_BYTES)
		return err_set(err, ERR_UNSUPPORTED,
			"%s: EU stall records of %llu bytes are not known", n->card,
			(unsigned long long)f->stall_record_bytes);
	s->record_bytes = (size_t)f->stall_record_bytes;
	size_t core_bytes = (size_t)min_u64(
		max_u64(f->stall_core_bytes, MIN_READ_BYTES), MAX_READ_BYTES);
	s->buf_bytes = core_bytes - core_bytes % s->record_bytes;
	s->buf = xcalloc(1, s->buf_bytes);
	s->source.fd = xe_stall_open(n, f, err);
	return s->source.fd >= 0;
}

struct source *xe_stall_source_open(const struct drm_node *n, const struct xe_facts *f,
	const struct device *d, const struct open_options *o, struct err *err)
{
	const struct intel_platform *p = intel_platform_by_name(d->platform);
	struct stall_source *s = source_new(&stall_ops);

	s->source.feed = (struct feed){ .name = "stall", .how = "xe EU stall sampling",
		.counters = xe_stall_counters, .n_counters = XE_STALL_COUNTERS,
		.n_code = STALL_REASONS };
	code_table_init(&s->code, STALL_REASONS);
	code_table_init(&s->held_code, STALL_REASONS);
	s->layout = xe_stall_layout(p->graphics_verx10);
	s->window_ns = s->held_ns = o->now_ns;
	snprintf(s->card, sizeof(s->card), "%s", n->card);
	if (open_stream(s, n, f, err))
		return &s->source;
	source_close(&s->source);
	return NULL;
}
