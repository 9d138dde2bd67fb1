/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stress kernels as all code but the worker sees them: which there are, what is wanted, and how a
 * job goes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* What a kernel does. */
struct kernel_work {
	double flop;
	double read_bytes, write_bytes;	/* from and to global memory */
	double local_bytes;		/* from and to SLM */
	double ops;			/* operations other than FLOP: atomics, pointer steps */
};

/* One kernel of the catalogue. Numbers are per work-item of one launch with one repetition of the
 * body. */
struct kernel_info {
	char name[48];		/* "flops.private.mad.sp.x4", as people type it */
	char family[16];	/* "private", "triad", "mix", ... */
	char op[12];		/* "mad", "copy" */
	char type[8];		/* "sp", "dp", "hp", "int" */
	int width;		/* 1 2 4 8 16 */
	char text[160];		/* a sentence */
	struct kernel_work work;
	/* the device that would run it supports it; if not, reason says why */
	bool supported;
	char reason[160];
};

/* What the compiler made of a kernel, as the driver tells it; NAN where it does not. */
struct kernel_made {
	double simd;		/* work-items that share an instruction */
	/* memory of a work-item that registers had no room for; that it has for itself */
	double spill_bytes, private_bytes;
};

/* What the caller asks for. Where a member is zero, the tuner or the catalogue chooses. */
struct job {
	char kernel[48];
	char device[96];	/* "", "P:D", "name", "pci:0000:00:02.0" */
	char binaries[160];	/* the folder for the compiled program; "": nobody wants it */
	uint64_t groups, group_size;
	uint64_t repeat;	/* body repetitions per work-item of one launch */
	uint64_t launches;	/* stop after so many; 0: the time decides */
	/* stop after so long; 0: only on request (interactive runs always have a limit) */
	int64_t limit_ns;
	bool verify;
	bool tune;		/* look for the best shape first, and remember it */
	bool where;		/* ask in a launch of the same shape where its groups run */
	/* a kernel of the catalogue that the processor runs meanwhile, where the device has a
	 * processor of its own (a simulated one); "": none */
	char beside[48];
	bool waits;		/* the host waits for each launch before it starts the next one */
};

enum job_phase {
	JOB_IDLE,
	JOB_STARTING,
	JOB_BUILDING,
	JOB_TUNING,
	JOB_RUNNING,
	JOB_STOPPING,
	JOB_DONE,
	JOB_FAILED
};

enum job_flag {
	/* a rate is above what the measured clock allows, so it cannot be right */
	JOB_ABOVE_BOUND = 1 << 0,
	JOB_CLOCKS_DISAGREE = 1 << 1,	/* event times and wall clock differ by more than 2 % */
	JOB_SIMULATED = 1 << 2,
	JOB_ON_CPU = 1 << 3,		/* the OpenCL device is the CPU */
	JOB_OTHER_DEVICE = 1 << 4,	/* it does not load the device on the screen */
	JOB_DISTURBED = 1 << 5,		/* slices were uneven, or other programs had the processors */
	JOB_TUNED_BUSY = 1 << 6,	/* so it was when the shape was looked for */
};

/* How far a job has come, by what runs it. Rates are NAN when unknown. Plain data. */
struct job_progress {
	int64_t elapsed_ns;
	uint64_t launches_done;
	int64_t counted_ns;		/* elapsed when the last of these ended; 0: elapsed_ns */
	/* over the last half second or so, by the events' clock */
	double flop_per_s, bytes_per_s, ops_per_s;
	double mean_flop_per_s, mean_bytes_per_s, mean_ops_per_s;	/* since the start */
	double bound_flop_per_s;	/* from the measured clock */
	double clock_hz;		/* measured */
	double launch_ns;		/* mean length of a launch by event clock */
	double gap_ns;			/* host time between slices */
	double beside_bytes_per_s, beside_ops_per_s;	/* of job.beside */
	uint64_t verified;		/* checks passed */
	uint64_t mismatches;
};

/* Nothing has run: no rate is known. */
extern const struct job_progress job_progress_unknown;
/* Nothing is known of what the compiler made. */
extern const struct kernel_made kernel_made_unknown;

/* How a job goes. Plain data. */
struct job_state {
	enum job_phase phase;
	uint32_t flags;
	struct job job;			/* as asked for, and with the choices that were made */
	struct kernel_info kernel;
	struct kernel_made made;
	char device[128];		/* OpenCL device and driver */
	int64_t pid;			/* of the process that runs it; 0: the device is simulated */
	int64_t start_mono_ns;
	struct job_progress progress;
	double predicted_flop_per_s, predicted_bytes_per_s;	/* NAN when unknown */
	double build_ns;		/* NAN when unknown */
	double energy_uj;		/* over the run: of the package, or a card's GPU; NAN when unknown */
	bool energy_is_gpus;
	struct err err;			/* JOB_FAILED: what failed, and the way out */
};

struct placement;
struct runner;

struct runner_ops {
	size_t size; /* of the runner's own struct, in bytes */
	/* Returns the catalogue for that OpenCL device, as struct job names it ("" for the one that
	 * matches the open device), which is the same in every call. The array belongs to the runner. */
	const struct kernel_info *(*kernels)(struct runner *r, const char *device, size_t *n);
	/* Fills in what start() would choose, as far as that is known before the start; what is not
	 * stays zero. NULL: nothing is known. */
	void (*choose)(struct runner *r, struct job *job);
	/* Starts a job and does not wait for it. Returns false with err when the job makes no sense
	 * or one is running. */
	bool (*start)(struct runner *r, const struct job *job, int64_t now_ns, struct err *err);
	/* Asks the job to stop: it does within two slices. If not, ready() takes harder measures by
	 * itself. */
	void (*stop)(struct runner *r, int64_t now_ns);
	/* The caller calls it when fd is readable and at every tick. It takes messages and watches
	 * deadlines, and never blocks. */
	void (*ready)(struct runner *r, int64_t now_ns);
	void (*state)(struct runner *r, struct job_state *out);
	/* Returns where the groups of the last job ran, once it runs and when it asked for that;
	 * NULL before. Valid until the next start. */
	const struct placement *(*placement)(struct runner *r);
	/* Stops any running job, for certain, and gives back what it holds beside its memory. */
	void (*close)(struct runner *r);
};

/* The beginning of the runner's own struct. */
struct runner {
	const struct runner_ops *ops;
	int fd;		/* for poll, or -1; may change after start() */
};

/* Returns the zeroed struct of the kind that ops describes, without a descriptor. */
void *runner_new(const struct runner_ops *ops);
/* Closes it and frees its memory; NULL is none. */
void runner_close(struct runner *r);

/* Whether the job is between its start and its end. */
bool job_is_on(enum job_phase phase);

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
