/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks in recordings: where a command began and ended, and what it called its phases. A mark
 * stands behind the window that it ends. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "core/record/record_file.h"

/* Numbers in files, which never change. */
enum rec_mark_kind {
	REC_MARK_BEGIN = 1,	/* of a command; text: its words, with tabs between them */
	REC_MARK_PHASE,		/* text: the name of what begins, "" where a phase only ends */
	REC_MARK_END,		/* text: its clients' "ENGINE SECONDS" with tabs, "none", "": unknown */
};

#define REC_MARK_TEXT 1024

struct rec_mark {
	enum rec_mark_kind kind;
	/* CPU time, before the sources were read for the window that it ends */
	int64_t t_ns;
	int64_t started_ns;	/* BEGIN: when the command started */
	int64_t length_ns;	/* BEGIN: of windows; END: of the command */
	int64_t user_us, system_us;	/* END */
	int32_t wait_status;	/* END; as wait() gives it */
	char text[REC_MARK_TEXT];	/* what is longer is cut */
};

/* Appends a whole record. */
void rec_add_mark(struct strbuf *out, const struct rec_mark *m);
/* Returns false, and leaves the output as it is, when the record is of another device or makes no
 * sense. */
bool rec_take_mark(const struct rec *rec, struct rec_mark *out);

/* Marks in the order in which they were read; zero-initialised is empty. */
struct rec_marks {
	struct rec_mark *marks;		/* heap */
	size_t n, cap, first;		/* first: the next one that is taken */
};

/* Adds the mark of a record that makes sense. */
void rec_marks_add(struct rec_marks *q, const struct rec *rec);
bool rec_marks_next(struct rec_marks *q, struct rec_mark *out);
void rec_marks_release(struct rec_marks *q);
