/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command run measures counters, power and time around another program, as perf stat does. */
#pragma once

#include <stdbool.h>
#include <sys/time.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "out/lines/output.h"
#include "session/session.h"

/* Runs the names of the options as a command and returns its exit status. missing says why nothing
 * can be counted; NULL: a device is looked for. *signo is the signal that it died by. */
int run_cmd(struct session *ses, enum output_form form, const struct err *missing, int *signo);
/* The same with --task: only the command is counted, by events of the processor. */
int run_task_cmd(struct session *ses, enum output_form form, int *signo);

/* Makes the unit of an amount, which is a rate times the time; "" for a metric that has none: it is
 * no rate, what could be at most, or a clock that was asked for. */
void run_cmd_amount_unit(
	const struct metric_set *set, const struct metric *m, char *buf, size_t size);

/* The command that rooftop run measures: looked for, started, reported and ended, whatever counts
 * it. */

struct loop;
struct options;
struct rusage;

/* The status for a command that cannot be started, and for a failure of our own before its start;
 * shells, env and timeout use the same. */
#define STATUS_NOT_STARTED 125
#define STATUS_CANNOT_EXECUTE 126
#define STATUS_NOT_FOUND 127

/* Says what is wrong before any device is looked for: no command, or none that could be found.
 * *status is then what a shell would give. */
bool measured_check(const struct options *o, int *status, struct err *err);
/* Starts a command; on failure *pid is 0 and *status what a shell would give. */
bool measured_start(char **argv, pid_t *pid, int *status, struct err *err);
/* Whether the command has ended, which is asked without waiting. */
bool measured_reap(pid_t pid, int *status, struct rusage *used);
/* Passes on a signal that somebody sends to us, because it is meant for the command, if there is
 * one. A key of the terminal reaches a command of our group by itself. */
void measured_pass_on(pid_t pid, const struct loop *loop, int signo);
double measured_seconds(const struct timeval *t);
/* Opens the file of --output, or standard error, so that the command's output stays what it is. It
 * is called before the command is started: a report that nobody can read is not waited for. */
bool run_command_output(const struct options *o, struct output *out, struct err *err);
/* Writes the report, and closes. */
bool measured_report(struct output *out, struct strbuf *text, struct err *err);

/* How it ended. */
struct run_end {
	bool good;		/* it was started, measured and reported */
	int signo;		/* the signal that came before the command was started, or 0 */
	bool started;
	int wait_status;	/* of the command, as wait() gives it */
	int status;		/* what to return when it did not run */
};

/* Tells the error, if there is one to tell, and returns the exit status: that of the command where
 * it ran. *signo is the signal that it died by, or that came before it. */
int measured_end(const struct run_end *e, const struct err *err, int *signo);

/* Begins the first line of a report in JSON: what is the same for every command that was measured. */
void measured_json_begin(char *const *words, int n, struct strbuf *out);
/* Adds how the command ended: its status, or the signal that it died by. */
void measured_json_status(int wait_status, struct strbuf *out);
