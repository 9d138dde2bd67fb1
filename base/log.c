/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bounded ring of messages for the log screen. */
#include "config.h"

#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

/* The size of a message; an error with its hint fits. */
#define TEXT_MAX 320

void log_add(struct log *l, int64_t wall_ns, enum log_level level, const char *fmt, ...)
{
	char text[TEXT_MAX];
	va_list ap;

	if (!l)
		return;
	struct log_line *line = &l->lines[l->count++ % LOG_LINES];
	line->wall_ns = wall_ns;
	line->level = level;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	free(line->text);
	line->text = xstrdup(text);
}

void log_release(struct log *l)
{
	for (int i = 0; i < LOG_LINES; i++)
		free(l->lines[i].text);
	*l = (struct log){ .count = 0 };
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
	if (l->count < LOG_LINES)
		return (int)l->count;
	return LOG_LINES;
}

const struct log_line *log_get(const struct log *l, int i)
{
	return &l->lines[(l->count - (uint64_t)log_count(l) + (uint64_t)i) % LOG_LINES];
}
