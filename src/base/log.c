/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bounded ring of messages for the log screen. */
#include "config.h"

#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

void log_add(struct log *l, int64_t wall_ns, enum log_level level, const char *fmt, ...)
{
	struct log_line *line;
	va_list ap;

	if (!l)
		return;
	line = &l->lines[l->count++ % LOG_LINES];
	line->wall_ns = wall_ns;
	line->level = level;
	va_start(ap, fmt);
	vsnprintf(line->text, sizeof(line->text), fmt, ap);
	va_end(ap);
}

void log_err(struct log *l, int64_t wall_ns, const struct err *e)
{
	if (e->hint[0])
		log_add(l, wall_ns, LOG_ERROR, "%s (%s)", e->msg, e->hint);
	else
		log_add(l, wall_ns, LOG_ERROR, "%s", e->msg);
}

int log_count(const struct log *l)
{
	return l->count < LOG_LINES ? (int)l->count : LOG_LINES;
}

const struct log_line *log_get(const struct log *l, int i)
{
	return &l->lines[(l->count - (uint64_t)log_count(l) + (uint64_t)i) % LOG_LINES];
}
