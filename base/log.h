/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bounded ring of messages for the log screen. Code below the session does not print: it adds a
 * message here or fills an err. */
#pragma once

#include <stdint.h>

#include "base/err.h"

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

#define LOG_LINES 200

struct log_line {
	int64_t wall_ns;
	enum log_level level;
	char *text;
};

/* A zero-initialised struct is empty; log_release() frees the texts. */
struct log {
	struct log_line lines[LOG_LINES];
	/* messages ever written; the newest is lines[(count - 1) % LOG_LINES] */
	uint64_t count;
};

/* Adds a message with that time; the oldest one is dropped when LOG_LINES are kept. When l is NULL,
 * nothing is kept. */
void log_add(struct log *l, int64_t wall_ns, enum log_level level, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Adds an error as "msg (hint)". */
void log_err(struct log *l, int64_t wall_ns, const struct err *e);
void log_release(struct log *l);
/* Returns the number of lines kept; log_get(l, 0) is the oldest of them. */
int log_count(const struct log *l);
const struct log_line *log_get(const struct log *l, int i);
