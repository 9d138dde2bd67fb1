/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Problems and time of a session. */
#include "config.h"

#include "session/session.h"

#include <stdlib.h>

#include "session/program.h"
#include "base/mem.h"
#include "base/outlet.h"
#include "base/parse.h"
#include "base/utf8.h"

bool session_has_left(const struct program *p, const struct session *ses)
{
	return ses->opened.entry >= 0 && p->devices.entries[ses->opened.entry].gone;
}

struct session *session_of_entry(const struct program *p, int entry)
{
	for (int k = 0; k < p->n_sessions; k++)
		if (p->sessions[k]->opened.entry == entry)
			return p->sessions[k];
	return NULL;
}

void session_problem(struct session *ses, const struct err *err)
{
	ses->n_problems++;
	log_err(&ses->log, clock_wall_ns(&ses->clock), err);
	if (ses->program->print_problems)
		session_print_err(err);
}

void session_metric_problem(void *session, const struct err *err)
{
	session_problem(session, err);
}

/* Prints a line without control characters: messages quote files, whose contents must not command
 * the terminal. */
static void print_line(const char *text)
{
	char *line = xstrdup(text);

	utf8_make_plain(line, "");
	outlet_say("rooftop: %s\n", line);
	free(line);
}

void session_print_err(const struct err *err)
{
	print_line(err->msg);
	if (err->hint[0])
		print_line(err->hint);
}

enum status session_fail(const struct err *err)
{
	session_print_err(err);
	switch (err->code) {
	case ERR_USAGE: return STATUS_USAGE;
	case ERR_UNSUPPORTED:
	case ERR_NO_DEVICE: return STATUS_NO_DEVICE;
	case ERR_PERMISSION: return STATUS_NO_PERMISSION;
	case ERR_NONE:
	case ERR_SYS:
	case ERR_PARSE:
	case ERR_BUSY:
	case ERR_ASLEEP:
	case ERR_END:
		break;
	}
	return STATUS_FAILURE;
}

void session_virtual_clock(struct session *ses, int64_t start_wall_ns)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	int64_t wall_ns = start_wall_ns ? start_wall_ns : clock_wall_ns(&ses->clock);
	uint64_t seconds;

	if (epoch && parse_u64_range(epoch, 0, INT64_MAX / NS_PER_S / 2, &seconds))
		wall_ns = (int64_t)seconds * NS_PER_S;
	/* Monotonic time starts at a round number, so that what a script or a replay prints does
	 * not depend on when it runs. */
	clock_init_virtual(&ses->clock, 1000 * NS_PER_S, wall_ns);
}
