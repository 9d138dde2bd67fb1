/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes and reads the records of streams. Nothing that a stream says is trusted. */
#include "config.h"

#include "core/record/stream_records.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/utf8.h"
#include "core/record/span_records.h"

/* No count of parts and no id of PCI is larger. */
#define WORD_MAX 0xffff
#define CLIENTS_OF_RECORD 120	/* rows that fit into a record */
#define CLIENTS_MAX 32768	/* no machine has more of them in a window */

struct stream_head {
	uint32_t version, n_devices;
	char program[32];
};

struct clients_head {
	uint32_t why, hidden;
	int64_t t_ns;
	char engines[CLIENT_MAX_ENGINES][16];
	uint32_t n_engines, continued;	/* rows of the same window stand before */
};

struct client_line {
	int64_t pid;
	uint64_t client_id;
	uint32_t uid, n_clients;
	char user[32], name[16], command[160];
	float busy_pct[CLIENT_MAX_ENGINES];
	uint64_t time_ns[CLIENT_MAX_ENGINES];
	uint64_t total_bytes, resident_bytes;
	float cpu_pct, pad;
};

struct context_line {
	uint32_t kind, id, whole, pad;
	uint64_t reports, switches, clocks;
	int64_t ran_ns;
};

struct window_head {
	int64_t end_ns;
	uint64_t left_out;
};

_Static_assert(sizeof(struct stream_head) == 40, "head of a stream");
_Static_assert(sizeof(struct clients_head) == 152, "head of clients");
_Static_assert(sizeof(struct context_line) == 48, "context");
_Static_assert(sizeof(struct client_line) == 352, "client");

/* The numbers of a device, by their names in the text. */
static const struct number {
	const char *name;
	size_t at, size;
} numbers[] = {
#define NAMED(name, m) { name, offsetof(struct device, m), sizeof(((struct device *)0)->m) }
#define MEMBER(m) NAMED(#m, m)
	MEMBER(pci_vendor), MEMBER(pci_device), MEMBER(pci_revision), MEMBER(simulated),
	MEMBER(has_oa_reports), MEMBER(is_processor),
	MEMBER(timestamp_hz), MEMBER(min_hz), MEMBER(max_hz), MEMBER(topology.slices),
	MEMBER(topology.subslices), MEMBER(topology.eus), MEMBER(topology.threads_per_eu),
	MEMBER(topology.max_subslices), MEMBER(topology.max_eus_per_subslice),
	MEMBER(topology.slice_mask), MEMBER(topology.subslice_mask),
	MEMBER(topology.subslice_mask_stride), NAMED("recorded_epoch_ns", recording.epoch_ns),
	NAMED("recorded_turn", recording.turn),
};

static const struct text {
	const char *name;
	size_t at, size;
} texts[] = {
	MEMBER(id), MEMBER(name), MEMBER(driver), MEMBER(platform), MEMBER(generation), MEMBER(gt),
	MEMBER(counters), MEMBER(pci_address), NAMED("recorded_set", recording.set),
	NAMED("recorded_guid", recording.guid), NAMED("recorded_events", recording.events),
	NAMED("recorded_booleans", recording.booleans), MEMBER(vendor),
	NAMED("recorded_turns", recording.turns),
#undef MEMBER
#undef NAMED
};

static uint64_t number_of(const struct device *d, const struct number *n)
{
	const char *at = (const char *)d + n->at;
	uint64_t wide;
	uint32_t word;

	if (n->size == sizeof(wide)) {
		memcpy(&wide, at, sizeof(wide));
		return wide;
	}
	if (n->size == 1)
		return *(const uint8_t *)at;
	memcpy(&word, at, sizeof(word));
	return word;
}

static void set_number(struct device *d, const struct number *n, uint64_t v)
{
	uint32_t word = (uint32_t)(v < WORD_MAX ? v : WORD_MAX);
	char *at = (char *)d + n->at;

	if (n->size == sizeof(v))
		memcpy(at, &v, sizeof(v));
	else if (n->size == 1)
		*at = v != 0;
	else
		memcpy(at, &word, sizeof(word));
}

void rec_add_stream(struct strbuf *out, const struct rec_stream *s)
{
	const struct rec_part part = { .version = 1, .head_bytes = sizeof(struct stream_head) };
	struct stream_head head = { .version = s->version, .n_devices = (uint32_t)s->n_devices };
	size_t at = rec_part_begin(out, REC_STREAM, &part);

	snprintf(head.program, sizeof(head.program), "%s", s->program);
	strbuf_addn(out, (const char *)&head, sizeof(head));
	rec_part_end(out, at);
}

void rec_add_device(struct strbuf *out, const struct device *d, int n_feeds)
{
	const struct rec_part part = { .version = 1 };
	size_t at = rec_part_begin(out, REC_DEVICE, &part);

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		strbuf_addf(out, "%s=%s\n", texts[i].name, (const char *)d + texts[i].at);
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		strbuf_addf(out, "%s=%llu\n", numbers[i].name,
			(unsigned long long)number_of(d, &numbers[i]));
	strbuf_addf(out, "feeds=%d\n", n_feeds);
	strbuf_addc(out, '\0');
	rec_part_end(out, at);
}

/* Appends a record of n rows. */
static void add_client_rows(
	struct strbuf *out, const struct client_table *t, bool whole, size_t first, size_t n)
{
	const struct rec_part part = { .version = 1, .count = (uint16_t)n,
		.head_bytes = sizeof(struct clients_head), .row_bytes = sizeof(struct client_line) };
	struct clients_head head = { .why = rec_why_code(t->why),
		.hidden = (uint32_t)t->hidden, .t_ns = t->t_ns,
		.n_engines = (uint32_t)t->n_engines, .continued = first > 0 };
	size_t at = rec_part_begin(out, REC_CLIENTS, &part);

	memcpy(head.engines, t->engines, sizeof(head.engines));
	strbuf_addn(out, (const char *)&head, sizeof(head));
	for (size_t i = 0; i < n; i++) {
		const struct client_row *r = &t->rows[first + i];
		struct client_line line = { .pid = r->pid, .client_id = r->client_id,
			.n_clients = (uint32_t)r->n_clients, .total_bytes = r->total_bytes,
			.resident_bytes = r->resident_bytes, .cpu_pct = r->cpu_pct,
			.uid = UINT32_MAX };

		memcpy(line.name, r->name, sizeof(line.name));
		memcpy(line.busy_pct, r->busy_pct, sizeof(line.busy_pct));
		memcpy(line.time_ns, r->time_ns, sizeof(line.time_ns));
		if (whole) {
			line.uid = r->uid;
			memcpy(line.user, r->user, sizeof(line.user));
			memcpy(line.command, r->command, sizeof(line.command));
		}
		strbuf_addn(out, (const char *)&line, sizeof(line));
	}
	rec_part_end(out, at);
}

void rec_add_clients(struct strbuf *out, const struct client_table *t, bool whole)
{
	size_t first = 0, n;

	do {
		n = t->n_rows - first;
		if (n > CLIENTS_OF_RECORD)
			n = CLIENTS_OF_RECORD;
		add_client_rows(out, t, whole, first, n);
		first += n;
	} while (first < t->n_rows);
}

void rec_add_contexts(struct strbuf *out, const struct feed *f, const struct sample *s)
{
	size_t counts = sizeof(uint64_t) * (size_t)f->n_counters;
	const struct rec_part part = { .version = 1, .count = (uint16_t)s->n_contexts,
		.row_bytes = (uint16_t)(sizeof(struct context_line) + counts) };
	size_t at = rec_part_begin(out, REC_CONTEXTS, &part);

	for (int i = 0; i < s->n_contexts; i++) {
		const struct hw_context *c = &s->contexts[i];
		const struct context_line line = { .kind = c->kind, .id = c->id, .whole = c->whole,
			.reports = c->reports, .switches = c->switches, .clocks = c->clocks,
			.ran_ns = c->ran_ns };

		strbuf_addn(out, (const char *)&line, sizeof(line));
		strbuf_addn(out, (const char *)c->values, counts);
	}
	rec_part_end(out, at);
}

int rec_take_contexts(
	const struct rec *rec, const struct feed *f, struct hw_context *rows, uint64_t *values)
{
	size_t counts = (size_t)f->n_counters;
	struct rec_view v;

	if (!rec_part_look(rec, 0, sizeof(struct context_line) + counts * sizeof(*values), &v) ||
		v.part.count > HW_CONTEXTS_MAX)
		return -1;
	for (int i = 0; i < v.part.count; i++) {
		const uint8_t *at = v.rows + (size_t)i * v.part.row_bytes;
		struct context_line line;

		memcpy(&line, at, sizeof(line));
		if (line.kind > HW_CONTEXT_OTHERS || line.ran_ns < 0)
			return -1;
		rows[i] = (struct hw_context){ .kind = (enum hw_context_kind)line.kind,
			.id = line.id, .whole = line.whole, .reports = line.reports,
			.switches = line.switches, .clocks = line.clocks, .ran_ns = line.ran_ns,
			.values = values + (size_t)i * counts };
		memcpy(values + (size_t)i * counts, at + sizeof(line), counts * sizeof(*values));
	}
	return v.part.count;
}

void rec_add_stream_window(struct strbuf *out, int64_t end_ns, uint64_t left_out)
{
	const struct rec_part part = { .version = 2, .head_bytes = sizeof(struct window_head) };
	const struct window_head head = { end_ns, left_out };
	size_t at = rec_part_begin(out, REC_WINDOW, &part);

	strbuf_addn(out, (const char *)&head, sizeof(head));
	rec_part_end(out, at);
}

void rec_of_device(char *buf, size_t len, int device)
{
	uint16_t number = (uint16_t)device;
	struct rec_header h;

	for (size_t at = 0; at + sizeof(h) + sizeof(struct rec_part) <= len; at += h.size) {
		memcpy(&h, buf + at, sizeof(h));
		memcpy(buf + at + sizeof(h) + offsetof(struct rec_part, device), &number,
			sizeof(number));
		if (h.size < sizeof(h))
			return;
	}
}

int rec_device_of(const struct rec *rec)
{
	struct rec_part part;

	if (rec->type < REC_CONSTS || rec->type > REC_CELLS || rec->size < sizeof(part))
		return -1;
	memcpy(&part, rec->payload, sizeof(part));
	return part.device;
}

bool rec_at(const struct strbuf *records, size_t *at, struct rec *out)
{
	struct rec_header h;

	if (*at + sizeof(h) > records->len)
		return false;
	memcpy(&h, records->s + *at, sizeof(h));
	*out = (struct rec){ .type = h.type,
		.payload = records->s + *at + sizeof(h),
		.size = h.size - sizeof(h) };
	*at += h.size;
	return true;
}

bool rec_is_fact(uint32_t type)
{
	return type == REC_DEVICE || type == REC_FEED || type == REC_CONSTS || type == REC_ROOFS;
}

void rec_drop_old(struct strbuf *records)
{
	/* where the last record of each kind begins; a device comes before its feeds */
	size_t last[REC_STREAM_MAX_DEVICES][REC_CELLS - REC_CONSTS + 1] = { { 0 } };
	uint64_t spans[REC_STREAM_MAX_DEVICES] = { 0 };
	struct strbuf kept = { 0 };
	struct rec rec;

	for (size_t end = 0, at = 0; rec_at(records, &end, &rec); at = end)
		last[rec_device_of(&rec)][rec.type - REC_CONSTS] = at;
	for (size_t end = 0, at = 0; rec_at(records, &end, &rec); at = end) {
		int device = rec_device_of(&rec);
		uint32_t leader = rec.type == REC_FEED ? REC_DEVICE : rec.type;

		if (rec.type == REC_SPANS) {
			/* As a reader does, which reads those of one device. */
			rec_of_device(records->s + at, end - at, 0);
			spans[device] += rec_spans_of(&rec);
		} else if (!rec_is_fact(rec.type) || at >= last[device][leader - REC_CONSTS]) {
			strbuf_addn(&kept, records->s + at, end - at);
		}
	}
	for (int device = 0; device < REC_STREAM_MAX_DEVICES; device++) {
		size_t at = kept.len;

		if (!spans[device])
			continue;
		rec_add_lost_spans(&kept, spans[device]);
		rec_of_device(kept.s + at, kept.len - at, device);
	}
	strbuf_release(records);
	*records = kept;
}

bool rec_take_stream(const struct rec *rec, struct rec_stream *out)
{
	struct stream_head head;
	struct rec_view v;

	if (rec->type != REC_STREAM || !rec_part_look(rec, sizeof(head), 0, &v))
		return false;
	memcpy(&head, v.head, sizeof(head));
	if (head.n_devices == 0 || head.n_devices > REC_STREAM_MAX_DEVICES)
		return false;
	*out = (struct rec_stream){ .version = head.version, .n_devices = (int)head.n_devices };
	utf8_copy_plain(out->program, sizeof(out->program), head.program, sizeof(head.program));
	return true;
}

bool rec_take_device(const struct rec *rec, struct rec_stream_device *out)
{
	struct device d = { .recorded = true };
	char text[4096], word[720];
	struct rec_view v;
	uint64_t n;

	if (!rec_part_look(rec, 0, 0, &v))
		return false;
	size_t len = strnlen((const char *)v.tail, v.tail_bytes);
	if (len >= sizeof(text))
		return false;
	memcpy(text, v.tail, len);
	text[len] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (parse_pair(text, '\n', texts[i].name, word, sizeof(word)))
			utf8_copy_plain(
				(char *)&d + texts[i].at, texts[i].size, word, strlen(word));
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		if (parse_pair(text, '\n', numbers[i].name, word, sizeof(word)) && parse_u64(word, &n))
			set_number(&d, &numbers[i], n);
	if (!*d.id || !*d.platform || !parse_pair(text, '\n', "feeds", word, sizeof(word)) ||
		!parse_u64_range(word, 1, REC_MAX_FEEDS, &n))
		return false;
	*out = (struct rec_stream_device){ .device = d, .n_feeds = (int)n };
	return true;
}

static float known(float f)
{
	return isfinite(f) ? f : NAN;
}

static void take_row(struct client_row *r, const struct client_line *line)
{
	*r = (struct client_row){ .pid = line->pid, .client_id = line->client_id, .uid = line->uid,
		.n_clients = (int)(line->n_clients & 0xffff), .total_bytes = line->total_bytes,
		.resident_bytes = line->resident_bytes, .cpu_pct = known(line->cpu_pct) };
	utf8_copy_plain(r->user, sizeof(r->user), line->user, sizeof(line->user));
	utf8_copy_plain(r->name, sizeof(r->name), line->name, sizeof(line->name));
	utf8_copy_plain(r->command, sizeof(r->command), line->command, sizeof(line->command));
	/* What older versions left out was 0, which is root's. */
	if (!*r->user && !line->uid)
		r->uid = UINT32_MAX;
	for (int i = 0; i < CLIENT_MAX_ENGINES; i++)
		r->busy_pct[i] = known(line->busy_pct[i]);
	memcpy(r->time_ns, line->time_ns, sizeof(r->time_ns));
}

bool rec_take_clients(const struct rec *rec, struct client_table *out)
{
	struct clients_head head;
	struct rec_view v;

	if (!rec_part_look(rec, sizeof(head), sizeof(struct client_line), &v))
		return false;
	memcpy(&head, v.head, sizeof(head));
	if (head.n_engines > CLIENT_MAX_ENGINES || head.why > UINT8_MAX)
		return false;
	out->why = rec_why_of((uint8_t)head.why);
	out->hidden = (int)(head.hidden & INT32_MAX);
	out->t_ns = head.t_ns;
	out->n_engines = (int)head.n_engines;
	for (int i = 0; i < CLIENT_MAX_ENGINES; i++)
		utf8_copy_plain(out->engines[i], sizeof(out->engines[i]), head.engines[i],
			sizeof(head.engines[i]));
	if (!head.continued)
		out->n_rows = 0;
	for (int i = 0; i < v.part.count && out->n_rows < CLIENTS_MAX; i++) {
		struct client_line line;

		memcpy(&line, v.rows + (size_t)i * v.part.row_bytes, sizeof(line));
		out->rows = array_grow(out->rows, out->n_rows, &out->cap_rows, sizeof(*out->rows));
		take_row(&out->rows[out->n_rows++], &line);
	}
	return true;
}

bool rec_take_stream_window(const struct rec *rec, int64_t *end_ns, uint64_t *left_out)
{
	struct window_head head;
	struct rec_view v;

	if (!rec_part_look(rec, sizeof(head), 0, &v))
		return false;
	memcpy(&head, v.head, sizeof(head));
	/* No machine runs for so long. */
	if (head.end_ns < INT64_MIN / 4 || head.end_ns > INT64_MAX / 4)
		return false;
	*end_ns = head.end_ns;
	*left_out = head.left_out;
	return true;
}
