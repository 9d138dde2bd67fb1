/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command stress: kernels one after the other, and what they were measured to do. */
#ifndef CMD_STRESS_H
#define CMD_STRESS_H

#include "session/session.h"
#include "cmd/jobs.h"
#include "cli/kernel_names.h"

/* *signo: the signal that ended it, or 0. STATUS_CHECK when a result was wrong. */
enum status stress_cmd(struct session *ses, enum output_form form, int *signo);

/* Of stress, sweep and calibrate. */
/* The job that the options describe, without its kernel. default_ns: its length where they do not
 * say it. */
struct job stress_job(const struct session *ses, int64_t default_ns);
/* Kernels by the words of the command line, or by the NULL-terminated defaults where there are
 * none. */
bool stress_pick(
	struct jobs *j, struct kernel_names *p, const char *const *defaults, struct err *err);

#endif
