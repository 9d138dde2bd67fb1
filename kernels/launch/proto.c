/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of fields describes the messages; they are written and read by it. */
#include "config.h"

#include "kernels/launch/proto.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/mem.h"
#include "base/parse.h"

enum kind { KIND_U64, KIND_I64, KIND_BOOL, KIND_F64, KIND_TEXT };

struct field {
	enum proto_verb verb;
	const char *key;
	enum kind kind;
	size_t offset;		/* in struct proto_message */
	size_t size;
};

static const char *const verbs[PROTO_VERBS] = {
	[PROTO_HELLO] = "hello",
	[PROTO_QUERY] = "query",
	[PROTO_RUN] = "run",
	[PROTO_STOP] = "stop",
	[PROTO_DEVICE] = "device",
	[PROTO_PHASE] = "phase",
	[PROTO_SHAPE] = "shape",
	[PROTO_PLACE] = "place",
	[PROTO_PROGRESS] = "progress",
	[PROTO_DONE] = "done",
	[PROTO_FAIL] = "fail",
};

#define MEMBER(m) offsetof(struct proto_message, m), sizeof(((struct proto_message *)0)->m)

/* DONE carries the last progress. */
#define PROGRESS_FIELDS(verb) \
	{ verb, "flags", KIND_U64, MEMBER(progress.flags) }, \
	{ verb, "elapsed_ns", KIND_I64, MEMBER(progress.now.elapsed_ns) }, \
	{ verb, "launches", KIND_U64, MEMBER(progress.now.launches_done) }, \
	{ verb, "flop_per_s", KIND_F64, MEMBER(progress.now.flop_per_s) }, \
	{ verb, "bytes_per_s", KIND_F64, MEMBER(progress.now.bytes_per_s) }, \
	{ verb, "ops_per_s", KIND_F64, MEMBER(progress.now.ops_per_s) }, \
	{ verb, "mean_flop_per_s", KIND_F64, MEMBER(progress.now.mean_flop_per_s) }, \
	{ verb, "mean_bytes_per_s", KIND_F64, MEMBER(progress.now.mean_bytes_per_s) }, \
	{ verb, "mean_ops_per_s", KIND_F64, MEMBER(progress.now.mean_ops_per_s) }, \
	{ verb, "bound_flop_per_s", KIND_F64, MEMBER(progress.now.bound_flop_per_s) }, \
	{ verb, "clock_hz", KIND_F64, MEMBER(progress.now.clock_hz) }, \
	{ verb, "launch_ns", KIND_F64, MEMBER(progress.now.launch_ns) }, \
	{ verb, "gap_ns", KIND_F64, MEMBER(progress.now.gap_ns) }, \
	{ verb, "verified", KIND_U64, MEMBER(progress.now.verified) }, \
	{ verb, "mismatches", KIND_U64, MEMBER(progress.now.mismatches) }

/* The work-items of one EU. */
#define EU(i) { PROTO_PLACE, "eu" #i, KIND_U64, MEMBER(place.items[i]) }

static const struct field fields[] = {
	{ PROTO_HELLO, "version", KIND_U64, MEMBER(hello.version) },
	{ PROTO_QUERY, "device", KIND_TEXT, MEMBER(run.job.device) },
	{ PROTO_QUERY, "pci", KIND_TEXT, MEMBER(run.pci) },
	{ PROTO_RUN, "kernel", KIND_TEXT, MEMBER(run.job.kernel) },
	{ PROTO_RUN, "device", KIND_TEXT, MEMBER(run.job.device) },
	{ PROTO_RUN, "pci", KIND_TEXT, MEMBER(run.pci) },
	{ PROTO_RUN, "groups", KIND_U64, MEMBER(run.job.groups) },
	{ PROTO_RUN, "group_size", KIND_U64, MEMBER(run.job.group_size) },
	{ PROTO_RUN, "repeat", KIND_U64, MEMBER(run.job.repeat) },
	{ PROTO_RUN, "launches", KIND_U64, MEMBER(run.job.launches) },
	{ PROTO_RUN, "limit_ns", KIND_I64, MEMBER(run.job.limit_ns) },
	{ PROTO_RUN, "verify", KIND_BOOL, MEMBER(run.job.verify) },
	{ PROTO_RUN, "tune", KIND_BOOL, MEMBER(run.job.tune) },
	{ PROTO_RUN, "where", KIND_BOOL, MEMBER(run.job.where) },
	{ PROTO_RUN, "binaries", KIND_TEXT, MEMBER(run.job.binaries) },
	{ PROTO_RUN, "waits", KIND_BOOL, MEMBER(run.job.waits) },
	{ PROTO_RUN, "beside", KIND_TEXT, MEMBER(run.job.beside) },
	{ PROTO_DEVICE, "name", KIND_TEXT, MEMBER(device.name) },
	{ PROTO_DEVICE, "pci", KIND_TEXT, MEMBER(device.pci) },
	{ PROTO_DEVICE, "cpu", KIND_BOOL, MEMBER(device.cpu) },
	{ PROTO_DEVICE, "other", KIND_BOOL, MEMBER(device.other) },
	{ PROTO_DEVICE, "dp", KIND_BOOL, MEMBER(device.dp) },
	{ PROTO_DEVICE, "hp", KIND_BOOL, MEMBER(device.hp) },
	{ PROTO_DEVICE, "matrix", KIND_BOOL, MEMBER(device.matrix) },
	{ PROTO_DEVICE, "compute_units", KIND_U64, MEMBER(device.compute_units) },
	{ PROTO_DEVICE, "max_group_size", KIND_U64, MEMBER(device.max_group_size) },
	{ PROTO_DEVICE, "local_bytes", KIND_U64, MEMBER(device.local_bytes) },
	{ PROTO_DEVICE, "max_alloc_bytes", KIND_U64, MEMBER(device.max_alloc_bytes) },
	{ PROTO_PHASE, "phase", KIND_U64, MEMBER(phase.phase) },
	{ PROTO_PHASE, "build_ns", KIND_F64, MEMBER(phase.build_ns) },
	{ PROTO_SHAPE, "kernel", KIND_TEXT, MEMBER(shape.kernel) },
	{ PROTO_SHAPE, "text", KIND_TEXT, MEMBER(shape.text) },
	{ PROTO_SHAPE, "groups", KIND_U64, MEMBER(shape.groups) },
	{ PROTO_SHAPE, "group_size", KIND_U64, MEMBER(shape.group_size) },
	{ PROTO_SHAPE, "repeat", KIND_U64, MEMBER(shape.repeat) },
	{ PROTO_SHAPE, "flop", KIND_F64, MEMBER(shape.work.flop) },
	{ PROTO_SHAPE, "read_bytes", KIND_F64, MEMBER(shape.work.read_bytes) },
	{ PROTO_SHAPE, "write_bytes", KIND_F64, MEMBER(shape.work.write_bytes) },
	{ PROTO_SHAPE, "local_bytes", KIND_F64, MEMBER(shape.work.local_bytes) },
	{ PROTO_SHAPE, "ops", KIND_F64, MEMBER(shape.work.ops) },
	{ PROTO_SHAPE, "predicted_flop_per_s", KIND_F64, MEMBER(shape.predicted_flop_per_s) },
	{ PROTO_SHAPE, "predicted_bytes_per_s", KIND_F64, MEMBER(shape.predicted_bytes_per_s) },
	{ PROTO_SHAPE, "simd", KIND_F64, MEMBER(shape.made.simd) },
	{ PROTO_SHAPE, "spill_bytes", KIND_F64, MEMBER(shape.made.spill_bytes) },
	{ PROTO_SHAPE, "private_bytes", KIND_F64, MEMBER(shape.made.private_bytes) },
	{ PROTO_PLACE, "slice", KIND_U64, MEMBER(place.slice) },
	{ PROTO_PLACE, "subslice", KIND_U64, MEMBER(place.subslice) },
	{ PROTO_PLACE, "groups", KIND_U64, MEMBER(place.groups) },
	EU(0), EU(1), EU(2), EU(3),
	EU(4), EU(5), EU(6), EU(7),
	EU(8), EU(9), EU(10), EU(11),
	EU(12), EU(13), EU(14), EU(15),
	EU(16), EU(17), EU(18), EU(19),
	EU(20), EU(21), EU(22), EU(23),
	EU(24), EU(25), EU(26), EU(27),
	EU(28), EU(29), EU(30), EU(31),
	{ PROTO_PLACE, "reason", KIND_TEXT, MEMBER(place.reason) },
	PROGRESS_FIELDS(PROTO_PROGRESS),
	PROGRESS_FIELDS(PROTO_DONE),
	{ PROTO_FAIL, "code", KIND_U64, MEMBER(fail.code) },
	{ PROTO_FAIL, "msg", KIND_TEXT, MEMBER(fail.msg) },
	{ PROTO_FAIL, "hint", KIND_TEXT, MEMBER(fail.hint) },
};

void proto_encode(struct strbuf *b, const struct proto_message *m)
{
	strbuf_add(b, verbs[m->verb]);
	for (const struct field *f = fields; f < fields + ARRAY_LEN(fields); f++) {
		const void *at = (const char *)m + f->offset;

		if (f->verb != m->verb)
			continue;
		strbuf_addf(b, " %s=", f->key);
		switch (f->kind) {
		case KIND_U64:
			strbuf_addf(b, "%llu", (unsigned long long)*(const uint64_t *)at);
			break;
		case KIND_I64:
			strbuf_addf(b, "%lld", (long long)*(const int64_t *)at);
			break;
		case KIND_BOOL:
			strbuf_addf(b, "%d", *(const bool *)at);
			break;
		case KIND_F64:
			strbuf_add_double(b, *(const double *)at);
			break;
		case KIND_TEXT:
			for (const unsigned char *s = at; *s; s++) {
				if (*s <= ' ' || *s == '%' || *s == 0x7f)
					strbuf_addf(b, "%%%02x", *s);
				else
					strbuf_addc(b, (char)*s);
			}
			break;
		}
	}
	strbuf_addc(b, '\n');
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/* Reads a text. Control characters may be sent, but become '?', for the text ends on a terminal. */
static bool read_text(const char *s, char *out, size_t size)
{
	size_t n = 0;

	for (; *s; s++) {
		int c = (unsigned char)*s;

		if (c == '%') {
			if (hex_digit(s[1]) < 0 || hex_digit(s[2]) < 0)
				return false;
			c = hex_digit(s[1]) * 16 + hex_digit(s[2]);
			s += 2;
		}
		if (n + 1 >= size)
			return false;
		if (c < ' ' || c == 0x7f)
			c = '?';
		out[n++] = (char)c;
	}
	out[n] = '\0';
	return true;
}

static bool read_value(const struct field *f, const char *s, void *at)
{
	uint64_t v;

	switch (f->kind) {
	case KIND_U64:
		return parse_u64(s, at);
	case KIND_I64:
		if (!parse_u64_range(s, 0, INT64_MAX, &v))
			return false;
		*(int64_t *)at = (int64_t)v;
		return true;
	case KIND_BOOL:
		if (!parse_u64_range(s, 0, 1, &v))
			return false;
		*(bool *)at = v;
		return true;
	case KIND_F64:
		if (!strcmp(s, "null")) {
			*(double *)at = NAN;
			return true;
		}
		return parse_double(s, at);
	case KIND_TEXT:
		return read_text(s, at, f->size);
	}
	return false;
}

static bool is_word(const char *name, const char *word, size_t len)
{
	return strlen(name) == len && !memcmp(name, word, len);
}

/* Reads a word "key=value" into the message. */
static bool read_pair(struct proto_message *m, const char *word, size_t len)
{
	const char *equals = memchr(word, '=', len);
	const struct field *f = fields, *end = fields + ARRAY_LEN(fields);

	if (!equals)
		return false;
	while (f < end && (f->verb != m->verb || !is_word(f->key, word, (size_t)(equals - word))))
		f++;
	if (f == end)
		return false;
	char *value = xstrndup(equals + 1, len - (size_t)(equals + 1 - word));
	bool good = read_value(f, value, (char *)m + f->offset);
	free(value);
	return good;
}

bool proto_decode(const char *line, struct proto_message *out, struct err *err)
{
	struct proto_message m = { 0 };
	const char *word, *rest = line;
	size_t len;
	int v = 0;

	if (!parse_word(&rest, &word, &len))
		return err_set(err, ERR_PARSE, "an empty message");
	while (v < PROTO_VERBS && !is_word(verbs[v], word, len))
		v++;
	if (v == PROTO_VERBS)
		return err_set(err, ERR_PARSE, "an unknown message: '%.60s'", line);
	m.verb = (enum proto_verb)v;
	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		if (fields[i].verb == m.verb && fields[i].kind == KIND_F64)
			*(double *)((char *)&m + fields[i].offset) = NAN;
	}
	while (parse_word(&rest, &word, &len)) {
		if (!read_pair(&m, word, len))
			return err_set(err, ERR_PARSE, "'%.*s' in a message '%s' is not understood",
				len < 60 ? (int)len : 60, word, verbs[v]);
	}
	*out = m;
	return true;
}

/* Cuts off the line that starts at r->used, when it is complete. */
static enum proto_got cut_line(struct proto_reader *r, const char **line, struct err *err)
{
	char *start = r->buf + r->used;
	char *end = memchr(start, '\n', r->len - r->used);

	if (!end)
		return PROTO_GOT_NOTHING;
	*end = '\0';
	if (strlen(start) != (size_t)(end - start)) {
		err_set(err, ERR_PARSE, "a message holds a NUL");
		return PROTO_GOT_ERROR;
	}
	*line = start;
	r->used += (size_t)(end - start) + 1;
	return PROTO_GOT_LINE;
}

enum proto_got proto_next(struct proto_reader *r, int fd, const char **line, struct err *err)
{
	for (;;) {
		enum proto_got got = cut_line(r, line, err);

		if (got != PROTO_GOT_NOTHING)
			return got;
		memmove(r->buf, r->buf + r->used, r->len - r->used);
		r->len -= r->used;
		r->used = 0;
		if (r->len == sizeof(r->buf)) {
			err_set(err, ERR_PARSE, "a message is longer than %zu bytes",
				sizeof(r->buf));
			return PROTO_GOT_ERROR;
		}
		ssize_t n = recv(fd, r->buf + r->len, sizeof(r->buf) - r->len, MSG_DONTWAIT);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return PROTO_GOT_NOTHING;
		if (n == 0 || (n < 0 && errno == ECONNRESET))
			return PROTO_GOT_END;
		if (n < 0) {
			err_sys(err, "cannot read a message");
			return PROTO_GOT_ERROR;
		}
		r->len += (size_t)n;
	}
}

bool proto_send(int fd, const struct proto_message *m, struct err *err)
{
	struct strbuf b = { 0 };
	size_t sent = 0;
	bool good = true;

	proto_encode(&b, m);
	while (good && sent < b.len) {
		ssize_t n = send(fd, b.s + sent, b.len - sent, MSG_NOSIGNAL);

		if (n >= 0)
			sent += (size_t)n;
		else if (errno != EINTR)
			good = err_sys(err, "cannot send a message");
	}
	strbuf_release(&b);
	return good;
}
