/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results go to standard output or a file. Whole lines are written in as few calls as possible. */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "base/outlet.h"
#include "base/strbuf.h"

/* output_open() begins it and output_close() ends it. One that was not opened writes to fd. */
struct output {
	int fd;
	struct outlet outlet;
	const char *path;	/* NULL: standard output */
	bool has_old;		/* old results, which the first write removes: a head waits for rows */
	bool is_live;		/* what comes late is left out: time does not wait */
	bool told_slow;
};

enum output_mode { OUTPUT_TRUNCATE, OUTPUT_APPEND };

/* Opens path; NULL or "-" is standard output. A file that exists keeps its content until something
 * is written: results that never come do not destroy older ones. */
bool output_open(struct output *o, const char *path, enum output_mode mode, struct err *err);
/* From now on nothing waits for the reader: the loop writes what it has not taken yet, and what
 * finds the queue full is left out and counted. NULL: there is time again. */
void output_live(struct output *o, struct loop *loop);
/* Writes and empties b. Returns false with code ERR_END when the reader of a pipe went away because
 * it has seen enough. */
bool output_write(struct output *o, struct strbuf *b, struct err *err);
/* Whether something was left out that err then tells of; it is told once. */
bool output_is_slow(struct output *o, struct err *err);
/* Waits for the reader to take the rest, and closes, after work that was good or not. Returns
 * whether everything was good. err says what failed first. */
bool output_close(struct output *o, bool good, struct err *err);
