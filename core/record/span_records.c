/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes and reads spans. Nothing that a file says is trusted. */
#include "config.h"

#include "core/record/span_records.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "core/record/stream_records.h"
#include "core/record/device_records.h"

#define NAME_MAX_BYTES 1024 /* with its 0; longer ones are cut */
#define NAMES_MAX 65536
#define SLOTS (2 * NAMES_MAX)
#define OTHERS "(other kernels)"
#define QUEUES_MAX 65536
#define ROWS_MAX 512
/* A file that holds more between two looks is none of ours: how many spans it has beyond is
 * told. */
#define KEPT_MAX (64u << 20)

struct queue_head {
	uint32_t number, pid;
	uint8_t out_of_order, is_own, by_reports, pad[5];
	char device[64], pci_address[16], maker[16];
};

struct spans_head {
	int64_t until_ns;
	uint64_t lost, nonsense;
	int64_t around_ns; /* up to then the next ones are known; enum span_others; 0: nothing is */
	uint32_t clients, engines;
};

struct span_line {
	uint32_t queue, name;
	uint32_t is_kernel, pad;
	uint64_t index, items;
	int64_t queued, start, end, before, after, seen;
};

_Static_assert(sizeof(struct queue_head) == 112, "queue");
_Static_assert(sizeof(struct spans_head) == 40, "spans");
_Static_assert(sizeof(struct span_line) == 80, "span");

/* --- writing --- */

void span_writer_queue(struct span_writer *w, const struct span_place *p, bool is_own)
{
	const struct rec_part part = { .version = 1, .head_bytes = sizeof(struct queue_head) };
	struct queue_head head = { .number = (uint32_t)p->number,
		.pid = p->pid,
		.out_of_order = p->out_of_order,
		.by_reports = p->by_reports,
		.is_own = is_own };
	size_t at = rec_part_begin(&w->records, REC_SPAN_QUEUE, &part);

	snprintf(head.device, sizeof(head.device), "%s", p->device);
	snprintf(head.pci_address, sizeof(head.pci_address), "%s", p->pci_address);
	snprintf(head.maker, sizeof(head.maker), "%s", p->maker);
	strbuf_addn(&w->records, (const char *)&head, sizeof(head));
	rec_part_end(&w->records, at);
}

/* Returns where the number of a name, plus 1, stands or has room. */
static uint32_t *slot_of(const struct span_writer *w, const char *name)
{
	uint64_t at = hash_add_text(HASH_START, name) % SLOTS;

	while (w->by_name[at] && strcmp(w->names[w->by_name[at] - 1], name))
		at = (at + 1) % SLOTS;
	return &w->by_name[at];
}

/* Writes a name before the first span that has it; the last one stands for all that come later. */
static uint32_t name_of(struct span_writer *w, const char *name)
{
	const struct rec_part part = { .version = 1, .head_bytes = sizeof(uint32_t) };
	uint32_t n = w->n_names;

	if (!w->by_name)
		w->by_name = xcalloc(SLOTS, sizeof(*w->by_name));
	uint32_t *slot = slot_of(w, name);
	if (!*slot && n >= NAMES_MAX - 1) {
		name = OTHERS;
		slot = slot_of(w, name);
	}
	if (*slot)
		return *slot - 1;
	*slot = n + 1;
	w->names = array_grow(w->names, n, &w->cap_names, sizeof(*w->names));
	w->names[w->n_names++] = xstrdup(name);
	size_t at = rec_part_begin(&w->records, REC_SPAN_NAME, &part);
	strbuf_addn(&w->records, (const char *)&n, sizeof(n));
	strbuf_addn(&w->records, name, strnlen(name, NAME_MAX_BYTES - 1));
	rec_part_end(&w->records, at);
	return n;
}

void span_writer_flush(struct span_writer *w, int64_t until_ns)
{
	const struct rec_part part = { .version = 1,
		.count = (uint16_t)w->n_rows,
		.head_bytes = sizeof(struct spans_head),
		.row_bytes = sizeof(struct span_line) };
	const struct spans_head head = { .until_ns = until_ns,
		.lost = w->lost,
		.nonsense = w->nonsense,
		.around_ns = w->around.t1_ns,
		.clients = w->around.clients,
		.engines = w->around.engines };
	size_t at = rec_part_begin(&w->records, REC_SPANS, &part);

	strbuf_addn(&w->records, (const char *)&head, sizeof(head));
	if (w->rows.len)
		strbuf_addn(&w->records, w->rows.s, w->rows.len);
	rec_part_end(&w->records, at);
	strbuf_clear(&w->rows);
	w->n_rows = 0;
	w->lost = w->nonsense = 0;
}

uint64_t rec_spans_of(const struct rec *rec)
{
	struct spans_head head;
	struct rec_view v;

	if (!rec_part_look(
		    rec, offsetof(struct spans_head, around_ns), sizeof(struct span_line), &v))
		return 0;
	memcpy(&head, v.head, offsetof(struct spans_head, around_ns));
	return v.part.count + head.lost;
}

void rec_add_lost_spans(struct strbuf *out, uint64_t n)
{
	struct span_writer w = { .lost = n };

	span_writer_flush(&w, 0);
	strbuf_addn(out, w.records.s, w.records.len);
	span_writer_release(&w);
}

void span_writer_span(struct span_writer *w, const struct span *s)
{
	const struct span_line line = { .queue = (uint32_t)s->queue,
		.name = name_of(w, s->name),
		.is_kernel = s->is_kernel,
		.index = s->index,
		.items = s->items,
		.queued = s->queued,
		.start = s->start,
		.end = s->end,
		.before = s->before,
		.after = s->after,
		.seen = s->seen };

	strbuf_addn(&w->rows, (const char *)&line, sizeof(line));
	if (++w->n_rows == ROWS_MAX)
		span_writer_flush(w, 0);
}

static void free_names(char **names, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
}

void span_writer_release(struct span_writer *w)
{
	strbuf_release(&w->records);
	strbuf_release(&w->rows);
	free_names(w->names, w->n_names);
	free(w->by_name);
	*w = (struct span_writer){ 0 };
}

/* --- reading --- */

bool span_reader_knows(uint32_t type)
{
	return type == REC_SPAN_QUEUE || type == REC_SPAN_NAME || type == REC_SPANS;
}

void span_kept_add(struct span_kept *k, const struct rec *rec)
{
	size_t size = rec->size + sizeof(struct rec_header);

	if (k->records.len + size <= KEPT_MAX)
		strbuf_addn(
			&k->records, (const char *)rec->payload - sizeof(struct rec_header), size);
	else if (rec->type == REC_SPANS)
		k->lost += rec_spans_of(rec);
}

void span_kept_take(struct span_kept *k, struct span_kept *from)
{
	struct strbuf empty = k->records;
	struct rec rec;

	if (empty.len == 0) {
		k->records = from->records;
		from->records = empty;
	}
	for (size_t at = 0; rec_at(&from->records, &at, &rec);)
		span_kept_add(k, &rec);
	k->lost += from->lost;
	strbuf_clear(&from->records);
	from->lost = 0;
}

void span_reader_learn(struct span_reader *r, const struct span_kept *from)
{
	struct rec rec;

	for (size_t at = 0; rec_at(&from->records, &at, &rec);)
		if (rec.type != REC_SPANS)
			span_kept_add(&r->kept, &rec);
}

static void tell_queue(struct span_reader *r, const struct rec *rec, const struct span_sink *sink)
{
	struct queue_head head;
	struct rec_view v;

	if (!rec_part_look(rec, sizeof(head), 0, &v) || r->n_queues == QUEUES_MAX)
		return;
	memcpy(&head, v.head, sizeof(head));
	/* Read again behind a jump. */
	if (head.number != (uint32_t)r->n_queues)
		return;
	struct span_place p = { .number = r->n_queues++,
		.pid = head.pid,
		.out_of_order = head.out_of_order != 0,
		.by_reports = head.by_reports != 0 };
	utf8_copy_plain(p.device, sizeof(p.device), head.device, sizeof(head.device));
	utf8_copy_plain(
		p.pci_address, sizeof(p.pci_address), head.pci_address, sizeof(head.pci_address));
	utf8_copy_plain(p.maker, sizeof(p.maker), head.maker, sizeof(head.maker));
	if (head.is_own)
		snprintf(p.pci_address, sizeof(p.pci_address), "%s", SPAN_OWN_DEVICE);
	sink->queue(sink->ctx, &p);
}

static void take_name(struct span_reader *r, const struct rec *rec)
{
	char text[NAME_MAX_BYTES];
	struct rec_view v;
	uint32_t n;

	if (!rec_part_look(rec, sizeof(n), 0, &v))
		return;
	memcpy(&n, v.head, sizeof(n));
	if (n != r->n_names || n == NAMES_MAX)
		return;
	utf8_copy_plain(text, sizeof(text), (const char *)v.tail, v.tail_bytes);
	r->names = array_grow(r->names, n, &r->cap_names, sizeof(*r->names));
	r->names[r->n_names++] = xstrdup(text_or(text, "?"));
}

static bool is_time(int64_t ns)
{
	return ns >= 0 && ns < INT64_MAX / 4;
}

static void tell_spans(struct span_reader *r, const struct rec *rec, const struct span_sink *sink)
{
	struct spans_head head = { .around_ns = 0 };
	struct rec_view v;

	/* Older ones do not know what worked beside. */
	if (!rec_part_look(
		    rec, offsetof(struct spans_head, around_ns), sizeof(struct span_line), &v))
		return;
	memcpy(&head, v.head,
		v.part.head_bytes < sizeof(head) ? offsetof(struct spans_head, around_ns)
						 : sizeof(head));
	for (int i = 0; i < v.part.count; i++) {
		struct span_line l;

		memcpy(&l, v.rows + (size_t)i * v.part.row_bytes, sizeof(l));
		if (l.queue >= (uint32_t)r->n_queues || l.name >= r->n_names ||
			!is_time(l.queued) || !is_time(l.start) || !is_time(l.end) ||
			!is_time(l.before) || !is_time(l.after) || !is_time(l.seen)) {
			sink->nonsense(sink->ctx, 1);
			continue;
		}
		const struct span s = { .queue = (int)l.queue,
			.name = r->names[l.name],
			.is_kernel = l.is_kernel != 0,
			.index = l.index,
			.items = l.items,
			.queued = l.queued,
			.start = l.start,
			.end = l.end,
			.before = l.before,
			.after = l.after,
			.seen = l.seen };

		sink->span(sink->ctx, &s);
	}
	if (head.lost)
		sink->lost(sink->ctx, head.lost);
	if (head.nonsense)
		sink->nonsense(sink->ctx, head.nonsense);
	if (sink->around && is_time(head.around_ns) && head.around_ns > 0 &&
		head.clients <= OTHERS_BUSY && head.engines <= OTHERS_BUSY)
		sink->around(sink->ctx,
			&(struct span_around){ .t1_ns = head.around_ns,
				.clients = head.clients,
				.engines = head.engines });
	/* Behind a jump back it is an earlier one. */
	if (is_time(head.until_ns) && head.until_ns > 0)
		r->until_ns = head.until_ns;
}

int64_t span_reader_tell(struct span_reader *r, const struct span_sink *sink)
{
	struct rec rec;

	for (size_t at = 0; rec_at(&r->kept.records, &at, &rec);) {
		if (rec.type == REC_SPAN_QUEUE)
			tell_queue(r, &rec, sink);
		else if (rec.type == REC_SPAN_NAME)
			take_name(r, &rec);
		else
			tell_spans(r, &rec, sink);
	}
	if (r->kept.lost)
		sink->lost(sink->ctx, r->kept.lost);
	strbuf_clear(&r->kept.records);
	r->kept.lost = 0;
	return r->until_ns;
}

void span_reader_release(struct span_reader *r)
{
	strbuf_release(&r->kept.records);
	free_names(r->names, r->n_names);
	*r = (struct span_reader){ 0 };
}
