/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the command run gathers around a program, and its report. */
#ifndef CMD_RUN_AROUND_H
#define CMD_RUN_AROUND_H

#include <sys/resource.h>
#include <sys/types.h>

#include "session/session.h"
#include "session/source_watch.h"
#include "base/loop.h"

/* What one run of the command gave. */
struct one_run {
	double seconds, user_s, system_s;
	struct verdict verdict;	/* of its whole time */
	struct value *values;	/* [set->n_metrics] */
};

struct around {
	struct session *session;
	struct loop *loop;
	struct source_watch watch;
	struct window_sum sum;
	struct one_run *runs;	/* heap, as many as --repeat asks for */
	int n_runs;		/* that have ended */
	pid_t pid;		/* 0: not started, or gone */
	int status;		/* as wait() gives it, of the running command */
	/* the same of the first run that failed, but a signal's comes before all; 0: none has */
	int bad;
	struct rusage used;
	uint64_t windows, lost;	/* of all runs */
	bool started;
	int signo;		/* the signal that came before the command was started, or 0 */
	bool ending;		/* a signal that ends programs came: no further run */
	struct err err;
};

/* Writes to standard error, so that the command's output stays what it is, or where -o says. */
bool run_report(struct around *r, enum output_form form);

#endif
