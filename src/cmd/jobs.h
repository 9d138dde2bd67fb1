/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs one after the other, without a screen, with what the counters see meanwhile. */
#ifndef CMD_JOBS_H
#define CMD_JOBS_H

#include "session/session.h"
#include "session/source_watch.h"
#include "base/loop.h"
#include "core/job.h"

/* Metrics of the set that a result keeps. */
#define JOB_METRICS 96

/* What one job was measured to do. Rates are NAN when unknown. */
struct job_result {
	struct job_state state;		/* at its end */
	double clock_hz;		/* counted, else the runner's */
	double package_w, gpu_w;
	double busy_ns;			/* GPU busy for each launch, by the counters' clock */
	double wall_ns;			/* for each launch, by the machine's clock */
	double counted_flop_per_s;	/* by the counters */
	/* of the set's metrics by index, in their units; NAN beyond the set */
	double metrics[JOB_METRICS];
};

/* jobs_open/jobs_close. The session needs no open device: then nobody counts. */
struct jobs {
	struct session *session;
	struct loop *loop;
	struct source_watch watch;
	struct window_sum sum;		/* of the last job, evaluated */
	bool has_sum;
	int watched_fd;
	bool ticked;
	int signo;			/* the signal that ended the last job, or 0 */
	/* gets each window of a running job; NULL: nobody wants them */
	void (*window)(void *ctx, const struct snapshot *s);
	void *window_ctx;
};

bool jobs_open(struct jobs *j, struct session *ses, struct err *err);
void jobs_close(struct jobs *j);
/* The catalogue, once it is known what the device supports. NULL when a signal came. */
const struct kernel_info *jobs_kernels(struct jobs *j, size_t *n, struct err *err);
/* Runs one job until it ends. False when it could not be started or has failed, and err says why;
 * or when a signal came: then signo is set and the job was stopped. */
bool jobs_run(struct jobs *j, const struct job *job, struct job_result *out, struct err *err);
/* Opens the device of the options for jobs. Where there is no GPU at all, that is no failure:
 * kernels run on what OpenCL offers, and nothing counts; no_device of the session says why.
 * limit_ns: the length of a job, so that several windows fit. */
bool jobs_open_device(struct session *ses, int64_t limit_ns, struct err *err);
/* GFLOP/s over W and the like: NAN when either is unknown. */
double jobs_per(double a, double b);
/* The exit status of a command whose work was good or not. Prints the error that ended it; a signal
 * and a reader that went away are none. */
enum status jobs_status(const struct jobs *j, bool good, const struct err *err);

#endif
