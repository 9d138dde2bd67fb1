/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that put a load on a device. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cli/kernel_names.h"
#include "cmd/load/jobs.h"
#include "cmd/load/results.h"
#include "out/lines/output.h"
#include "session/session.h"

/* Runs the command. *signo is the signal that ended it, or 0. Returns STATUS_CHECK when a result
 * was wrong. */
enum status stress_cmd(struct session *ses, enum output_form form, int *signo);

/* What commands have in common that run jobs and write rows of their results. load_run_init() sets
 * it up, load_run_end() ends it. */
struct load_run {
	struct session *session;
	struct jobs jobs;
	struct output out;
	struct strbuf line;		/* what out gets next */
	struct job_result *runs;	/* of one row */
	int n_runs;
	bool bad;			/* a result was wrong, or could not be checked although it had to be */
	struct err err;
};

void load_run_init(struct load_run *r, struct session *ses);
/* Opens the device for jobs of this length, and what runs them. */
bool load_run_open(struct load_run *r, int64_t limit_ns);
/* Picks kernels by the words of the command line, or by the NULL-terminated defaults where there
 * are none. */
bool load_run_pick(struct load_run *r, struct kernel_names *p, const char *const *defaults);
/* Runs a job and looks at its results. */
bool load_run_once(struct load_run *r, const struct job *job, struct job_result *out);
/* Writes the line unless --quiet keeps it from standard output. It is empty then. */
bool load_run_write(struct load_run *r);
/* Says which check failed, on standard error. */
void load_run_tell_bad(const struct load_run *r);
/* Ends jobs and output, and says what went wrong. Returns the exit status of a command whose work
 * was good or not, STATUS_CHECK when a result was wrong. */
enum status load_run_end(struct load_run *r, bool good);

/* Returns the job that the options describe, without its kernel. default_ns is its length where the
 * options give none. */
struct job load_job(const struct session *ses, int64_t default_ns);
/* Fills in what the options say of rows: the plane of power, how many runs a row stands for, times,
 * columns of counters. The device is open. */
void load_shape(const struct session *ses, struct results_shape *shape);

/* Runs the kernels of the command line on the first device of the options, then on the second, and
 * writes a row for each kernel. *signo is the signal that ended it, or 0. Returns STATUS_CHECK when
 * a result was wrong. */
enum status stress_pair_cmd(struct session *ses, enum output_form form, int *signo);

/* Runs the command. *signo is the signal that ended it, or 0; what was measured until then is
 * kept, of a simulated device only with --keep. */
enum status calibrate_cmd(struct session *ses, enum output_form form, int *signo);

/* This is plain data; nothing needs to be freed. */
struct progress {
	bool shown;		/* standard error is a terminal and may be used */
	int total, done;
	int start;		/* done when it began: work of an earlier run costs no time */
	int64_t start_ns;
};

/* Begins with total steps, of which an earlier run has already done some. */
void progress_begin(struct progress *p, int total, int done, bool quiet);
/* Says that one more step begins. what describes it: "mem.copy.sp.x4, 12 groups". */
void progress_step(struct progress *p, const char *what);
/* Removes the line from the terminal. */
void progress_end(struct progress *p);
