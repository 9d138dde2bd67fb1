/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results go to standard output or a file. Whole lines are written in as few calls as possible. */
#ifndef OUT_LINES_OUTPUT_H
#define OUT_LINES_OUTPUT_H

#include <stdbool.h>

#include "base/err.h"
#include "base/strbuf.h"

/* This is plain data; output_open() begins it and output_close() ends it. */
struct output {
	int fd;
	const char *path;	/* NULL: standard output */
	bool has_old;		/* old results, which the first write removes: a head waits for rows */
};

enum output_mode { OUTPUT_TRUNCATE, OUTPUT_APPEND };

/* Opens path; NULL or "-" is standard output. A file that exists keeps its content until something
 * is written: results that never come do not destroy older ones. */
bool output_open(struct output *o, const char *path, enum output_mode mode, struct err *err);
/* Writes and empties b. Returns false with code ERR_END when the reader of a pipe went away because
 * it has seen enough. */
bool output_write(struct output *o, struct strbuf *b, struct err *err);
/* Closes after work that was good or not, and returns whether everything was good. err says what
 * failed first. */
bool output_close(struct output *o, bool good, struct err *err);

#endif
