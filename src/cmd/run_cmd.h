/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command run measures counters, power and time around another program, as perf stat does. */
#ifndef CMD_RUN_CMD_H
#define CMD_RUN_CMD_H

#include "session/session.h"

/* The status for a command that cannot be started; shells, env and timeout use the same. */
#define STATUS_CANNOT_EXECUTE 126
#define STATUS_NOT_FOUND 127

/* Runs the names of the options as a command and returns its exit status. *signo is the signal that
 * it died by. */
int run_cmd(struct session *ses, enum output_form form, int *signo);

#endif
