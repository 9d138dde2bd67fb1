/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where results go: standard output or a file; whole lines in as few calls as the kernel takes. */
#ifndef OUT_OUTPUT_H
#define OUT_OUTPUT_H

#include <stdbool.h>

#include "base/err.h"
#include "base/strbuf.h"

/* Plain data; output_open/output_close. */
struct output {
	int fd;
	const char *path;	/* NULL: standard output */
};

enum output_mode { OUTPUT_TRUNCATE, OUTPUT_APPEND };

/* path NULL or "-" is standard output. */
bool output_open(struct output *o, const char *path, enum output_mode mode, struct err *err);
/* Writes and empties b. False with code ERR_END when the reader of a pipe went away: it has seen
 * enough. */
bool output_write(struct output *o, struct strbuf *b, struct err *err);
/* Closes after work that was good or not, and returns whether all was good. err tells what failed
 * first. */
bool output_close(struct output *o, bool good, struct err *err);

#endif
