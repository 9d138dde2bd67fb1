/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs jobs one after the other, without a screen, and gathers what the counters see meanwhile. */
#pragma once

#include "base/loop.h"
#include "cli/options.h"
#include "core/work/job.h"
#include "out/export/export.h"
#include "session/session.h"
#include "session/window/session_ticks.h"
#include "session/window/window_sum.h"

/* In the order of power_planes. */
enum power_plane {
	PLANE_PACKAGE,
	PLANE_GPU,
	/* package less cores less DRAM: equation 4.3 of H. Duarte's thesis (2018) */
	PLANE_DUARTE,
	POWER_PLANE_COUNT
};

/* How a plane is called in outputs. */
struct power_plane_words {
	const char *w, *w_min, *w_max;	/* keys of columns */
	const char *head;		/* of w in the text form */
	const char *words;		/* in pictures */
};

extern const struct power_plane_words power_plane_words[POWER_PLANE_COUNT];

/* Returns the plane that the options choose, else that of the device: a card is no part of the
 * package. dev may be NULL. */
enum power_plane power_plane_of(const struct options *o, const struct open_device *dev);
/* Returns the mean power over the joined windows in W. It needs window_sum_eval() first. Where the
 * power is not known it returns NAN and sets why. */
double power_plane_w(const struct window_sum *s, enum power_plane plane, enum why *why);
/* Says on standard error what the chosen plane does not mean, where that is easily mistaken. */
void power_plane_warn(enum power_plane plane);

/* How many metrics of the set a result keeps. */
#define JOB_METRICS 160

enum result_note {
	RESULT_SHORT_POWER = 1 << 0,	/* the energy counter made too few steps */
	RESULT_NO_POWER = 1 << 1,	/* the plane that was asked for is not counted */
	RESULT_STAMP_OFF = 1 << 2,	/* the time stamp has another rate than the machine */
	RESULT_CLOCK_MOVED = 1 << 3,	/* from window to window */
	/* the kernel has one size of launches, of groups, or no loop */
	RESULT_NO_BLOCKS = 1 << 4,
	RESULT_NO_TPB = 1 << 5,
	RESULT_NO_LOOP = 1 << 6,
};

/* What was measured for one job. Rates are NAN when they are unknown. */
struct job_result {
	struct job_state state;		/* at its end */
	double clock_hz;		/* counted, else the runner's */
	double clock_min_hz, clock_max_hz;	/* counted, of a window */
	double clock_limit_hz;		/* the highest that is allowed; NAN: nobody tells */
	const char *asked;		/* what all points of a sweep were to be; NULL */
	double plane_w[POWER_PLANE_COUNT];
	enum power_plane plane;		/* the one that the user wants */
	enum why power_why;		/* why that plane has no power */
	unsigned notes;			/* bits of enum result_note */
	/* The length of a launch by four clocks: events (in the state), the machine's, the time
	 * stamp of the GPU's reports, and the GPU's cycles over its clock as the driver gives it.
	 * The last two cover the time in which the GPU was busy. */
	double wall_ns, timestamp_ns, cycles_ns;
	double stamp_rate;		/* seconds of the time stamp in a second of the machine */
	double stamp_doubt;		/* by how much that may be wrong, because reports end windows */
	double counted_flop_per_s;	/* by the counters */
	const char *held;		/* what held the clock down beside power; NULL: nothing */
	double others_pct;		/* of the device's time, that other processes took */
	const char *beside;		/* what the processor ran meanwhile, NULL: nothing */
	double beside_bytes_per_s, beside_ops_per_s;
	/* what limited the device, as outputs spell it; "" when nothing was counted */
	char limit[24], bound[VERDICT_WORD_SIZE];
	double headroom;
	/* the subslices that had more groups than others; "" where all had as many, or nobody
	 * knows */
	char busiest[64];
	/* values of the set's metrics by index, in their units; NAN beyond the set */
	double metrics[JOB_METRICS];
};

/* A kernel that the processor runs while jobs run on the GPU: both share the last-level cache and
 * the memory. It begins as zeros. */
struct cpu_load {
	struct runner *runner;		/* a worker of its own; NULL: nothing runs beside */
	struct job_state state;
};

/* jobs_open() sets it up; jobs_close() ends it. The session needs no open device, but then nobody
 * counts. */
struct jobs {
	struct session *session;
	struct loop *loop;
	struct session_ticks ticks;
	struct keeper kept;		/* what -w and --trace ask for */
	struct window_sum sum;		/* of the last job, evaluated */
	struct cpu_load cpu_load;
	bool has_sum;
	bool ticked;
	int signo;			/* the signal that ended the last job, or 0 */
	int n_jobs, n_moved;		/* that ran; whose clock moved */
	double slowest_hz;		/* of their windows */
	/* gets each window of a running job; NULL: nobody wants them */
	void (*window)(void *ctx, const struct snapshot *s);
	void *window_ctx;
};

/* Tells whether kernels can run on the session's device. A simulated one without a model of kernels
 * must not have those of the machine that it runs on. */
bool jobs_can_run(const struct session *ses, struct err *err);
bool jobs_open(struct jobs *j, struct session *ses, struct err *err);
void jobs_close(struct jobs *j);
/* Ends what -w and --trace have kept. Returns good, unless something could not be kept: then false,
 * and err says why. */
bool jobs_kept(struct jobs *j, bool good, struct err *err);
/* Returns how often a job runs for one row: --repeat, else 10 times with --power-smoothing. */
int jobs_runs(const struct options *o);
/* Returns the catalogue of kernels after waiting until it is known what the device supports.
 * Returns NULL when a signal came. */
const struct kernel_info *jobs_kernels(struct jobs *j, size_t *n, struct err *err);
/* Runs one job until it ends. Where its power counts (--power-smoothing, or a kernel for power), it
 * lasts long enough for that unless --time or --launches say how long it is. Returns false when it
 * could not be started or has failed, and err says why. Also returns false when a signal came:
 * signo is then set and the job was stopped. */
bool jobs_run(struct jobs *j, const struct job *wanted, struct job_result *out, struct err *err);
/* Gathers the windows of so long without a job, and evaluates them. Returns false when a signal
 * came. */
bool jobs_look(struct jobs *j, int64_t ns, struct err *err);
/* Returns what held the clock down for more than percent of the last job: "heat", "current", or
 * "power", which belongs to a device; or "setting", a limit below the highest clock. Returns NULL
 * when nothing did, or nothing counts it. */
const char *jobs_held_by(const struct jobs *j, double percent, bool by_power_too);
/* Says on standard error, unless --quiet, that the clock moved during jobs, and what fixes it. */
void jobs_tell_clock(const struct jobs *j);
/* Opens the device of the options for jobs. A machine without any GPU is no failure: kernels then
 * run on what OpenCL offers, there are no counters, and the session's no_device says why. limit_ns
 * is the length of a job; it sets the window so that several fit. */
bool jobs_open_device(struct session *ses, int64_t limit_ns, struct err *err);
/* Whether the clock of a window was well below that of another one. */
bool jobs_clock_moved(const struct job_result *r);
/* Divides, as in GFLOP/s over W. The result is NAN when either number is unknown. */
double jobs_per(double a, double b);
/* Returns the exit status of a command whose work was good or not. Prints the error that ended it;
 * a signal and a reader that went away are no errors. */
enum status jobs_status(const struct jobs *j, bool good, const struct err *err);
