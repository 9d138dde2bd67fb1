/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes and reads the records of constants, roofs, feeds and their samples. Nothing that a file
 * says is trusted. */
#include "config.h"

#include "core/record/device_records.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

#define MAX_RECORD_BYTES 65528	/* 16 bits for the size, a multiple of 8 */
#define CELLS_OF_RECORD 8000	/* numbers that fit into a record of their own */
#define TIME_MAX_NS (INT64_MAX / 4)

struct const_row {
	char name[40];
	double v, reach;
	uint8_t source, uncertain, disproved, pad[5];
	char origin[96];
};

struct roofs_head {
	char device[96], runner[128];
};

struct roof_row {
	char name[16];
	uint32_t role, pad;
	double value, clock_hz;
	int64_t wall_ns;
	char kernel[48];
};

struct feed_head {
	char name[16], how[80], scope[12];
	uint32_t n_instances;
};

/* What version 2 adds to the head. */
struct feed_more {
	uint8_t estimated, n_code, pad[6];
};

struct counter_row {
	char name[48], unit[16];
	uint8_t bits, kind, pad[6];
};

struct sample_head {
	int64_t t0_ns, t1_ns, window_ns;
	uint64_t reports, lost;
	uint32_t quality, n_instances;
	uint8_t why, pad[7];
};

/* What version 2 adds to the head, and to each row. */
struct sample_more {
	int64_t half_ns;
	uint64_t clock_low_hz, clock_high_hz;
	uint8_t tells_clock, has_half, pad[6];
};

/* What version 3 adds to the head; the places and their rest follow the values of instances. */
struct sample_code {
	uint32_t n_places; /* with the rest, which is the last one; 0: they are not told */
	uint8_t n_counts, exact, pad[2];
};

struct cells_head {
	uint32_t first, n;
};

struct value_row {
	uint64_t value;
	uint8_t why, pad[7];
};

_Static_assert(sizeof(struct rec_part) == 16, "head of a part");
_Static_assert(sizeof(struct const_row) == 160, "constant");
_Static_assert(sizeof(struct roof_row) == 96, "roof");
_Static_assert(sizeof(struct feed_head) == 112, "feed");
_Static_assert(sizeof(struct feed_more) == 8, "more of a feed");
_Static_assert(sizeof(struct counter_row) == 72, "counter");
_Static_assert(sizeof(struct sample_head) == 56, "sample");
_Static_assert(sizeof(struct sample_more) == 32, "more of a sample");
_Static_assert(sizeof(struct sample_code) == 8, "places of a sample");
_Static_assert(sizeof(struct cells_head) == 8, "cells");
_Static_assert(sizeof(struct value_row) == 16, "value");

/* Reasons by their numbers in files, which never change; new ones are added at the end. */
static const enum why whys[] = { WHY_OK, WHY_NOT_YET, WHY_NO_SOURCE, WHY_NOT_IN_SET,
	WHY_UNSUPPORTED, WHY_UNKNOWN_CONST, WHY_PERMISSION, WHY_BUSY, WHY_ASLEEP, WHY_GONE,
	WHY_OTHER_CONTEXT, WHY_LOST, WHY_STALE, WHY_DIV_ZERO, WHY_NO_COUNTER, WHY_GAP,
	WHY_OUT_OF_RANGE, WHY_DISPROVED, WHY_STANDS_STILL, WHY_DISAGREES, WHY_NOT_BY_CONTEXT,
	WHY_DIVIDED };

_Static_assert(ARRAY_LEN(whys) == WHY_COUNT, "each reason has its number");

uint8_t rec_why_code(enum why why)
{
	for (size_t i = 0; i < ARRAY_LEN(whys); i++)
		if (whys[i] == why)
			return (uint8_t)i;
	return 1;
}

/* A reason of a newer program is one all the same. */
enum why rec_why_of(uint8_t code)
{
	return code < ARRAY_LEN(whys) ? whys[code] : WHY_UNSUPPORTED;
}

/* --- writing --- */

size_t rec_part_begin(struct strbuf *out, uint32_t type, const struct rec_part *part)
{
	const struct rec_header h = { .type = type };
	size_t at = out->len;

	strbuf_addn(out, (const char *)&h, sizeof(h));
	strbuf_addn(out, (const char *)part, sizeof(*part));
	return at;
}

void rec_part_end(struct strbuf *out, size_t at)
{
	struct rec_header h;

	while ((out->len - at) % 8)
		strbuf_addc(out, '\0');
	memcpy(&h, out->s + at, sizeof(h));
	h.size = (uint16_t)(out->len - at);
	memcpy(out->s + at, &h, sizeof(h));
}

void rec_add_consts(struct strbuf *out, const struct device *d)
{
	const struct rec_part part = {
		.version = 1, .count = (uint16_t)d->n_consts, .row_bytes = sizeof(struct const_row)
	};
	size_t at = rec_part_begin(out, REC_CONSTS, &part);

	for (int i = 0; i < d->n_consts; i++) {
		const struct device_const *c = &d->consts[i];
		struct const_row row = { .v = c->v, .reach = c->reach, .source = (uint8_t)c->source,
			.uncertain = c->uncertain, .disproved = c->disproved };

		snprintf(row.name, sizeof(row.name), "%s", c->name);
		snprintf(row.origin, sizeof(row.origin), "%s", c->origin);
		strbuf_addn(out, (const char *)&row, sizeof(row));
	}
	rec_part_end(out, at);
}

void rec_add_roofs(struct strbuf *out, const struct roof_file *f)
{
	const struct rec_part part = { .version = 1, .count = (uint16_t)f->n,
		.head_bytes = sizeof(struct roofs_head), .row_bytes = sizeof(struct roof_row) };
	struct roofs_head head = { { 0 }, { 0 } };
	size_t at = rec_part_begin(out, REC_ROOFS, &part);

	snprintf(head.device, sizeof(head.device), "%s", f->device);
	snprintf(head.runner, sizeof(head.runner), "%s", f->runner);
	strbuf_addn(out, (const char *)&head, sizeof(head));
	for (int i = 0; i < f->n; i++) {
		const struct roof_record *r = &f->records[i];
		struct roof_row row = { .role = r->role, .value = r->value,
			.clock_hz = r->clock_hz, .wall_ns = r->wall_ns };

		snprintf(row.name, sizeof(row.name), "%s", r->name);
		snprintf(row.kernel, sizeof(row.kernel), "%s", r->kernel);
		strbuf_addn(out, (const char *)&row, sizeof(row));
	}
	rec_part_end(out, at);
}

void rec_add_feed(struct strbuf *out, int id, const struct feed *f)
{
	const struct feed_more more = { .estimated = f->estimated, .n_code = (uint8_t)f->n_code };
	const struct rec_part part = { .version = 2, .id = (uint16_t)id,
		.count = (uint16_t)f->n_counters,
		.head_bytes = sizeof(struct feed_head) + sizeof(more),
		.row_bytes = sizeof(struct counter_row) };
	struct feed_head head = { .n_instances = (uint32_t)f->n_instances };
	size_t at = rec_part_begin(out, REC_FEED, &part);

	snprintf(head.name, sizeof(head.name), "%s", f->name);
	snprintf(head.how, sizeof(head.how), "%s", f->how);
	snprintf(head.scope, sizeof(head.scope), "%s", f->scope);
	strbuf_addn(out, (const char *)&head, sizeof(head));
	strbuf_addn(out, (const char *)&more, sizeof(more));
	for (int i = 0; i < f->n_counters; i++) {
		struct counter_row row = {
			.bits = f->counters[i].bits, .kind = f->counters[i].kind
		};

		snprintf(row.name, sizeof(row.name), "%s", f->counters[i].name);
		snprintf(row.unit, sizeof(row.unit), "%s", f->counters[i].unit);
		strbuf_addn(out, (const char *)&row, sizeof(row));
	}
	for (int i = 0; i < f->n_instances; i++)
		strbuf_addn(out, f->instances[i], sizeof(f->instances[i]));
	rec_part_end(out, at);
}

/* Writes what version 2 and 3 have in the head. Returns the version. */
static int add_heads(struct strbuf *out, const struct feed *f, const struct sample *s, bool whole)
{
	struct sample_more more = { .half_ns = 0 };
	struct sample_code code = { .n_counts = (uint8_t)f->n_code };

	if (whole)
		more = (struct sample_more){ .half_ns = s->half_ns, .clock_low_hz = s->clock_low_hz,
			.clock_high_hz = s->clock_high_hz, .tells_clock = s->tells_clock,
			.has_half = s->half != NULL };
	if (whole || s->code)
		strbuf_addn(out, (const char *)&more, sizeof(more));
	if (!s->code)
		return whole ? 2 : 1;
	code.n_places = (uint32_t)s->code->n + 1;
	code.exact = s->code->exact;
	strbuf_addn(out, (const char *)&code, sizeof(code));
	return 3;
}

static void add_place(struct strbuf *out, const struct feed *f, const struct code_place *p)
{
	strbuf_addn(out, (const char *)&p->address, sizeof(p->address));
	strbuf_addn(out, (const char *)p->counts, (size_t)f->n_code * sizeof(*p->counts));
}

static void add_cells(struct strbuf *out, int id, const uint64_t *values, size_t n)
{
	const struct rec_part part = {
		.version = 1, .id = (uint16_t)id, .head_bytes = sizeof(struct cells_head)
	};

	for (size_t first = 0; first < n; first += CELLS_OF_RECORD) {
		size_t here = n - first < CELLS_OF_RECORD ? n - first : CELLS_OF_RECORD;
		const struct cells_head head = { (uint32_t)first, (uint32_t)here };
		size_t at = rec_part_begin(out, REC_CELLS, &part);

		strbuf_addn(out, (const char *)&head, sizeof(head));
		strbuf_addn(out, (const char *)(values + first), here * sizeof(*values));
		rec_part_end(out, at);
	}
}

void rec_add_sample(
	struct strbuf *out, int id, const struct feed *f, const struct sample *s, bool whole)
{
	struct strbuf heads = { 0 };
	int version = add_heads(&heads, f, s, whole);
	size_t row_bytes = sizeof(struct value_row),
	       head_bytes = sizeof(struct sample_head) + heads.len;
	bool has_half = whole && s->half;

	if (has_half)
		row_bytes += sizeof(*s->half);
	const struct rec_part part = { .version = (uint16_t)version, .id = (uint16_t)id,
		.count = (uint16_t)f->n_counters, .head_bytes = (uint16_t)head_bytes,
		.row_bytes = (uint16_t)row_bytes };
	struct sample_head head = { .t0_ns = s->t0_ns, .t1_ns = s->t1_ns,
		.window_ns = s->window_ns, .reports = s->reports, .lost = s->lost,
		.quality = s->quality & ~(uint32_t)SAMPLE_LAST, .why = rec_why_code(s->why) };
	size_t rows = row_bytes * (size_t)f->n_counters,
	       cells = sizeof(uint64_t) * (size_t)f->n_counters * (size_t)f->n_instances;

	if (!s->instances || s->why != WHY_OK)
		cells = 0;
	if (cells && cells + rows + head_bytes + sizeof(part) + 16 +
			(s->code ? sizeof(*s->code) : 0) > MAX_RECORD_BYTES) {
		add_cells(out, id, s->instances, cells / sizeof(uint64_t));
		cells = 0;
	}
	size_t at = rec_part_begin(out, REC_SOURCE_SAMPLE, &part);
	if (cells)
		head.n_instances = (uint32_t)f->n_instances;
	strbuf_addn(out, (const char *)&head, sizeof(head));
	if (heads.len)
		strbuf_addn(out, heads.s, heads.len);
	strbuf_release(&heads);
	for (int i = 0; i < f->n_counters; i++) {
		const struct value_row row = {
			.value = s->values[i], .why = rec_why_code(sample_why(s, i))
		};

		strbuf_addn(out, (const char *)&row, sizeof(row));
		if (has_half)
			strbuf_addn(out, (const char *)&s->half[i], sizeof(s->half[i]));
	}
	if (cells)
		strbuf_addn(out, (const char *)s->instances, cells);
	for (int i = 0; s->code && i < s->code->n; i++)
		add_place(out, f, &s->code->places[i]);
	if (s->code)
		add_place(out, f, &s->code->rest);
	rec_part_end(out, at);
}

void rec_add_window(struct strbuf *out, int64_t end_ns)
{
	const struct rec_part part = { .version = 1, .head_bytes = sizeof(end_ns) };
	size_t at = rec_part_begin(out, REC_WINDOW, &part);

	strbuf_addn(out, (const char *)&end_ns, sizeof(end_ns));
	rec_part_end(out, at);
}

/* --- reading --- */

bool rec_part_look(const struct rec *rec, size_t head_bytes, size_t row_bytes, struct rec_view *v)
{
	size_t left = rec->size;

	if (left < sizeof(v->part))
		return false;
	memcpy(&v->part, rec->payload, sizeof(v->part));
	left -= sizeof(v->part);
	if (v->part.device != 0 || v->part.version == 0 || v->part.head_bytes < head_bytes ||
		v->part.row_bytes < row_bytes || left < v->part.head_bytes)
		return false;
	left -= v->part.head_bytes;
	if (v->part.row_bytes && left / v->part.row_bytes < v->part.count)
		return false;
	v->head = (const uint8_t *)rec->payload + sizeof(v->part);
	v->rows = v->head + v->part.head_bytes;
	v->tail = v->rows + (size_t)v->part.count * v->part.row_bytes;
	v->tail_bytes = left - (size_t)v->part.count * v->part.row_bytes;
	return true;
}

bool rec_take_window(const struct rec *rec, int64_t *end_ns)
{
	struct rec_view v;

	if (!rec_part_look(rec, sizeof(*end_ns), 0, &v))
		return false;
	memcpy(end_ns, v.head, sizeof(*end_ns));
	return true;
}

static const uint8_t *row_at(const struct rec_view *v, int i)
{
	return v->rows + (size_t)i * v->part.row_bytes;
}

#define COPY_TEXT(to, from) utf8_copy_plain(to, sizeof(to), from, sizeof(from))

bool rec_take_consts(const struct rec *rec, struct device *d)
{
	struct rec_view v;

	if (!rec_part_look(rec, 0, sizeof(struct const_row), &v))
		return false;
	/* A list is whole: a limit that it does not name has been switched off. */
	for (int i = d->n_consts - 1; i >= 0; i--)
		if (d->consts[i].source == ROOF_READ)
			device_drop_const(d, d->consts[i].name);
	for (int i = 0; i < v.part.count; i++) {
		struct const_row row;
		char name[40], origin[96];

		memcpy(&row, row_at(&v, i), sizeof(row));
		COPY_TEXT(name, row.name);
		COPY_TEXT(origin, row.origin);
		if (!*name || !isfinite(row.v) || row.source > ROOF_ASSUMED ||
			(d->n_consts == DEVICE_MAX_CONSTS && !device_const(d, name)))
			continue;
		struct device_const *c =
			device_set_roof(d, name, row.v, row.source, row.uncertain, origin);
		c->disproved = row.disproved;
		if (row.reach > 0 && row.reach <= 1)
			c->reach = row.reach;
	}
	return true;
}

bool rec_take_roofs(const struct rec *rec, struct roof_file *out)
{
	struct roofs_head head;
	struct rec_view v;

	if (!rec_part_look(rec, sizeof(head), sizeof(struct roof_row), &v))
		return false;
	memcpy(&head, v.head, sizeof(head));
	*out = (struct roof_file){ .n = 0 };
	COPY_TEXT(out->device, head.device);
	COPY_TEXT(out->runner, head.runner);
	for (int i = 0; i < v.part.count && out->n < ROOF_FILE_MAX; i++) {
		struct roof_record *r = &out->records[out->n];
		struct roof_row row;

		memcpy(&row, row_at(&v, i), sizeof(row));
		if ((row.role != ROOF_FLOP && row.role != ROOF_BYTES) || !isfinite(row.value) ||
			!(row.value > 0) || !(row.clock_hz >= 0))
			continue;
		r->role = (enum roof_role)row.role;
		r->value = row.value;
		r->clock_hz = row.clock_hz;
		r->wall_ns = row.wall_ns;
		COPY_TEXT(r->name, row.name);
		COPY_TEXT(r->kernel, row.kernel);
		out->n++;
	}
	return true;
}

bool rec_take_feed(const struct rec *rec, int *id, struct rec_feed *out)
{
	struct feed_more more = { 0 };
	struct feed_head head;
	struct rec_view v;

	if (!rec_part_look(rec, sizeof(head), sizeof(struct counter_row), &v))
		return false;
	memcpy(&head, v.head, sizeof(head));
	if (v.part.id >= REC_MAX_FEEDS || v.part.count > FEED_MAX_COUNTERS ||
		head.n_instances > v.tail_bytes / sizeof(out->instances[0]))
		return false;
	if (v.part.head_bytes >= sizeof(head) + sizeof(more))
		memcpy(&more, v.head + sizeof(head), sizeof(more));
	*id = v.part.id;
	*out = (struct rec_feed){ .feed = { .n_counters = v.part.count,
		.n_instances = (int)head.n_instances, .estimated = more.estimated } };
	if (more.n_code <= CODE_COUNTS && more.n_code <= v.part.count)
		out->feed.n_code = more.n_code;
	COPY_TEXT(out->feed.name, head.name);
	COPY_TEXT(out->feed.how, head.how);
	COPY_TEXT(out->feed.scope, head.scope);
	for (int i = 0; i < v.part.count; i++) {
		struct counter_row row;

		memcpy(&row, row_at(&v, i), sizeof(row));
		COPY_TEXT(out->counters[i].name, row.name);
		COPY_TEXT(out->counters[i].unit, row.unit);
		out->counters[i].bits = row.bits;
		out->counters[i].kind = row.kind <= COUNTER_TOTAL ? row.kind : COUNTER_GAUGE;
	}
	if (head.n_instances)
		out->instances = xcalloc(head.n_instances, sizeof(out->instances[0]));
	for (uint32_t i = 0; i < head.n_instances; i++)
		utf8_copy_plain(out->instances[i], sizeof(out->instances[i]),
			(const char *)v.tail + i * sizeof(out->instances[i]),
			sizeof(out->instances[i]));
	return true;
}

void rec_take_feed_news(const struct rec *rec, struct rec_feed *known)
{
	struct rec_feed feed;
	int id;

	if (!rec_take_feed(rec, &id, &feed))
		return;
	if (feed.feed.n_counters == known->feed.n_counters &&
		feed.feed.n_instances == known->feed.n_instances) {
		memcpy(known->counters, feed.counters, sizeof(known->counters));
		memcpy(known->feed.how, feed.feed.how, sizeof(known->feed.how));
		known->feed.estimated = feed.feed.estimated;
	}
	free(feed.instances);
}

int rec_feed_of(const struct rec *rec)
{
	struct rec_view v;

	if (!rec_part_look(rec, 0, 0, &v) || v.part.id >= REC_MAX_FEEDS)
		return -1;
	return v.part.id;
}

/* Reads what version 2 has in addition. */
static void take_more(const struct rec_view *v, struct rec_sample *out)
{
	struct sample_more more = { 0 };

	if (v->part.head_bytes < sizeof(struct sample_head) + sizeof(more))
		return;
	memcpy(&more, v->head + sizeof(struct sample_head), sizeof(more));
	out->sample.clock_low_hz = more.clock_low_hz;
	out->sample.clock_high_hz = more.clock_high_hz;
	out->sample.tells_clock = more.tells_clock;
	if (!more.has_half || more.half_ns < 0 || more.half_ns > out->sample.window_ns ||
		v->part.row_bytes < sizeof(struct value_row) + sizeof(out->half[0]))
		return;
	for (int i = 0; i < v->part.count; i++)
		memcpy(&out->half[i], row_at(v, i) + sizeof(struct value_row), sizeof(out->half[i]));
	out->sample.half = out->half;
	out->sample.half_ns = more.half_ns;
}

static void take_place(const uint8_t *from, int n_counts, struct code_place *p)
{
	*p = (struct code_place){ 0 };
	memcpy(&p->address, from, sizeof(p->address));
	memcpy(p->counts, from + sizeof(p->address), (size_t)n_counts * sizeof(*p->counts));
	for (int i = 0; i < n_counts; i++)
		p->sum += p->counts[i];
}

/* Reads what version 3 has in addition, which stands behind a number of bytes. */
static void take_code(const struct rec_view *v, const struct feed *f, size_t behind,
	struct rec_sample *out)
{
	size_t at = sizeof(struct sample_head) + sizeof(struct sample_more),
	       each = (size_t)(1 + f->n_code) * sizeof(uint64_t);
	struct sample_code code;

	if (f->n_code == 0 || v->part.head_bytes < at + sizeof(code))
		return;
	memcpy(&code, v->head + at, sizeof(code));
	if (code.n_places < 1 || code.n_places > CODE_PLACES + 1 || code.n_counts != f->n_code ||
		v->tail_bytes - behind < code.n_places * each)
		return;
	if (!out->code)
		out->code = xcalloc(1, sizeof(*out->code));
	out->code->n = (int)code.n_places - 1;
	out->code->exact = code.exact;
	for (int i = 0; i < out->code->n; i++)
		take_place(v->tail + behind + (size_t)i * each, f->n_code, &out->code->places[i]);
	take_place(v->tail + behind + (size_t)out->code->n * each, f->n_code, &out->code->rest);
	out->sample.code = out->code;
}

void rec_take_cells(const struct rec *rec, const struct feed *f, struct rec_sample *out)
{
	size_t cells = (size_t)f->n_counters * (size_t)f->n_instances;
	struct cells_head head;
	struct rec_view v;

	if (!rec_part_look(rec, sizeof(head), 0, &v))
		return;
	memcpy(&head, v.head, sizeof(head));
	if (head.first == 0)
		out->n_before = 0;	/* what was told before may be of a sample that never came */
	if (head.first != out->n_before || head.n > cells - out->n_before ||
		v.tail_bytes < head.n * sizeof(uint64_t))
		return;
	if (!out->instances)
		out->instances = xcalloc(cells, sizeof(*out->instances));
	memcpy(out->instances + head.first, v.tail, head.n * sizeof(uint64_t));
	out->n_before += head.n;
}

bool rec_take_sample(const struct rec *rec, const struct feed *f, struct rec_sample *out)
{
	size_t cells = (size_t)f->n_counters * (size_t)f->n_instances;
	struct sample_head head;
	struct rec_view v;

	if (!rec_part_look(rec, sizeof(head), sizeof(struct value_row), &v) ||
		v.part.count != f->n_counters)
		return false;
	memcpy(&head, v.head, sizeof(head));
	if (head.window_ns < 0 || head.t1_ns < head.t0_ns || head.t0_ns < -TIME_MAX_NS ||
		head.t1_ns > TIME_MAX_NS ||
		(head.n_instances && (head.n_instances != (uint32_t)f->n_instances ||
					     v.tail_bytes < cells * sizeof(uint64_t))))
		return false;
	out->sample = (struct sample){ .why = rec_why_of(head.why),
		.quality = head.quality & ~(uint32_t)SAMPLE_LAST,
		.t0_ns = head.t0_ns, .t1_ns = head.t1_ns, .window_ns = head.window_ns,
		.reports = head.reports, .lost = head.lost, .whys = out->whys };
	for (int i = 0; i < f->n_counters; i++) {
		struct value_row row;

		memcpy(&row, row_at(&v, i), sizeof(row));
		out->sample.values[i] = row.value;
		out->whys[i] = rec_why_of(row.why);
	}
	take_more(&v, out);
	if (cells && !out->instances)
		out->instances = xcalloc(cells, sizeof(*out->instances));
	for (size_t i = out->n_before; i < cells && !head.n_instances; i++)
		out->instances[i] = SAMPLE_NONE;
	out->n_before = 0;
	if (head.n_instances)
		memcpy(out->instances, v.tail, cells * sizeof(uint64_t));
	if (cells)
		out->sample.instances = out->instances;
	take_code(&v, f, head.n_instances ? cells * sizeof(uint64_t) : 0, out);
	return true;
}

void rec_sample_release(struct rec_sample *s)
{
	free(s->instances);
	free(s->code);
	*s = (struct rec_sample){ .instances = NULL };
}
