/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that put a load on a device. */
#ifndef CMD_LOAD_LOAD_H
#define CMD_LOAD_LOAD_H

#include "session/session.h"
#include "cmd/load/jobs.h"
#include "cmd/load/results.h"
#include "out/lines/output.h"
#include "cli/kernel_names.h"

/* Runs the command. *signo is the signal that ended it, or 0. Returns STATUS_CHECK when a result
 * was wrong. */
enum status stress_cmd(struct session *ses, enum output_form form, int *signo);

/* Stress, sweep and calibrate share what follows. */
/* Returns the job that the options describe, without its kernel. default_ns is its length where the
 * options give none. */
struct job stress_job(const struct session *ses, int64_t default_ns);
/* Fills in what the options say of rows: the plane of power, how many runs a row stands for, times,
 * columns of counters. The device is open. */
void stress_shape(const struct session *ses, struct results_shape *shape);
/* Says whether a run's results were wrong, or could not be checked although they had to be. */
bool stress_is_bad(const struct session *ses, const struct job_result *r);
/* Writes rows unless --quiet keeps them from standard output. line is empty then. */
bool stress_write(
	const struct session *ses, struct output *out, struct strbuf *line, struct err *err);
/* Says which check failed, on standard error. */
void stress_tell_bad(const struct session *ses);
/* Picks kernels by the words of the command line, or by the NULL-terminated defaults where there
 * are none. */
bool stress_pick(
	struct jobs *j, struct kernel_names *p, const char *const *defaults, struct err *err);

/* Runs the kernels of the command line on the first device of the options, then on the second, and
 * writes a row for each kernel. *signo is the signal that ended it, or 0. Returns STATUS_CHECK when
 * a result was wrong. */
enum status stress_pair_cmd(struct session *ses, enum output_form form, int *signo);

/* Runs the command. *signo is the signal that ended it, or 0; what was measured until then is
 * kept, of a simulated device only with --keep. */
enum status calibrate_cmd(struct session *ses, enum output_form form, int *signo);

#endif
