/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs of stress kernels that have ended, newest last. */
#ifndef CORE_WORK_JOB_LOG_H
#define CORE_WORK_JOB_LOG_H

#include <stdint.h>

#include "core/work/job.h"

#define JOB_LOG_RUNS 64

struct job_run {
	int64_t wall_ns;	/* when it ended */
	double watts;		/* mean of the package, NAN when unknown */
	struct job_state state;	/* at its end */
};

/* A zero-initialised struct is empty; free it with job_log_release(). */
struct job_log {
	struct job_run *runs;	/* [JOB_LOG_RUNS], NULL before the first one */
	uint64_t count;		/* ever; the newest is runs[(count - 1) % JOB_LOG_RUNS] */
	enum job_phase phase;	/* the phase at the last look */
};

/* Looks at a job; if it has just ended, adds it as a run and returns true. */
bool job_log_update(struct job_log *l, const struct job_state *now, int64_t wall_ns);
void job_log_release(struct job_log *l);
/* Returns the number of runs kept, at most JOB_LOG_RUNS. */
int job_log_len(const struct job_log *l);
/* age 0 is the newest run. Returns NULL beyond the oldest. */
const struct job_run *job_log_get(const struct job_log *l, int age);
/* Returns the newest good run of a kernel, or NULL. */
const struct job_run *job_log_find(const struct job_log *l, const char *kernel);

#endif
