/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes and reads marks. Nothing that a file says is trusted. */
#include "config.h"

#include "core/record/mark_records.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "core/record/device_records.h"

struct mark_head {
	int64_t t_ns, started_ns, length_ns, user_us, system_us;
	uint32_t kind;
	int32_t wait_status;
};

_Static_assert(sizeof(struct mark_head) == 48, "mark");

/* A file that names more without a window between them is none of ours. */
#define MARKS_MAX 65536

void rec_add_mark(struct strbuf *out, const struct rec_mark *m)
{
	const struct rec_part part = { .version = 1, .head_bytes = sizeof(struct mark_head) };
	const struct mark_head head = { .t_ns = m->t_ns,
		.started_ns = m->started_ns,
		.length_ns = m->length_ns,
		.user_us = m->user_us,
		.system_us = m->system_us,
		.kind = m->kind,
		.wait_status = m->wait_status };
	size_t at = rec_part_begin(out, REC_MARK, &part);

	strbuf_addn(out, (const char *)&head, sizeof(head));
	strbuf_addn(out, m->text, strnlen(m->text, sizeof(m->text) - 1));
	rec_part_end(out, at);
}

bool rec_take_mark(const struct rec *rec, struct rec_mark *out)
{
	struct mark_head head;
	struct rec_view v;

	if (!rec_part_look(rec, sizeof(head), 0, &v))
		return false;
	memcpy(&head, v.head, sizeof(head));
	if (head.kind < REC_MARK_BEGIN || head.kind > REC_MARK_END || head.length_ns < 0 ||
		head.user_us < 0 || head.system_us < 0)
		return false;
	*out = (struct rec_mark){ .kind = (enum rec_mark_kind)head.kind,
		.t_ns = head.t_ns,
		.started_ns = head.started_ns,
		.length_ns = head.length_ns,
		.user_us = head.user_us,
		.system_us = head.system_us,
		.wait_status = head.wait_status };
	size_t len = strnlen((const char *)v.tail, v.tail_bytes);
	if (len >= sizeof(out->text))
		len = sizeof(out->text) - 1;
	memcpy(out->text, v.tail, len);
	utf8_make_plain(out->text, "\t");
	return true;
}

void rec_marks_add(struct rec_marks *q, const struct rec *rec)
{
	struct rec_mark m;

	if (q->first == q->n)
		q->first = q->n = 0;
	if (q->n == MARKS_MAX || !rec_take_mark(rec, &m))
		return;
	q->marks = array_grow(q->marks, q->n, &q->cap, sizeof(*q->marks));
	q->marks[q->n++] = m;
}

bool rec_marks_next(struct rec_marks *q, struct rec_mark *out)
{
	if (q->first == q->n)
		return false;
	*out = q->marks[q->first++];
	return true;
}

void rec_marks_release(struct rec_marks *q)
{
	free(q->marks);
	*q = (struct rec_marks){ 0 };
}
