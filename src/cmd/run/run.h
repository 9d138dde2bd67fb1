/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command run measures counters, power and time around another program, as perf stat does. */
#ifndef CMD_RUN_RUN_H
#define CMD_RUN_RUN_H

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
/* Whether the metric reads a counter that grows since the device was opened, which says nothing of
 * a command or a window: that is the total of the rate beside it. */
bool run_cmd_is_since_opening(const struct metric_binding *b, const struct metric *m);

#endif
