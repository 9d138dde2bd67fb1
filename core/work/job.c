/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The phases of a job, what is known of it before it runs, and the runs that have ended. */
#include "config.h"

#include "core/work/job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

const struct kernel_made kernel_made_unknown = {
	.simd = NAN, .spill_bytes = NAN, .private_bytes = NAN
};

const struct job_progress job_progress_unknown = {
	.flop_per_s = NAN,
	.bytes_per_s = NAN,
	.ops_per_s = NAN,
	.mean_flop_per_s = NAN,
	.mean_bytes_per_s = NAN,
	.mean_ops_per_s = NAN,
	.bound_flop_per_s = NAN,
	.clock_hz = NAN,
	.launch_ns = NAN,
	.gap_ns = NAN,
	.beside_bytes_per_s = NAN,
	.beside_ops_per_s = NAN,
};

void *runner_new(const struct runner_ops *ops)
{
	struct runner *r = xcalloc(1, ops->size);

	r->ops = ops;
	r->fd = -1;
	return r;
}

void runner_close(struct runner *r)
{
	if (r)
		r->ops->close(r);
	free(r);
}

bool job_is_on(enum job_phase phase)
{
	return phase != JOB_IDLE && phase != JOB_DONE && phase != JOB_FAILED;
}

bool job_log_update(struct job_log *l, const struct job_state *now, int64_t wall_ns)
{
	bool was_on = job_is_on(l->phase);

	l->phase = now->phase;
	if (!was_on || job_is_on(now->phase))
		return false;
	if (!l->runs)
		l->runs = xcalloc(JOB_LOG_RUNS, sizeof(*l->runs));
	struct job_run *run = &l->runs[l->count++ % JOB_LOG_RUNS];
	run->wall_ns = wall_ns;
	run->state = *now;
	run->watts = NAN;
	if (now->progress.elapsed_ns > 0)
		run->watts = now->energy_uj * 1000 / (double)now->progress.elapsed_ns;
	return true;
}

void job_log_release(struct job_log *l)
{
	free(l->runs);
	*l = (struct job_log){ .count = 0 };
}

int job_log_len(const struct job_log *l)
{
	return l->count < JOB_LOG_RUNS ? (int)l->count : JOB_LOG_RUNS;
}

const struct job_run *job_log_get(const struct job_log *l, int age)
{
	return age >= 0 && age < job_log_len(l)
		? &l->runs[(l->count - 1 - (uint64_t)age) % JOB_LOG_RUNS]
		: NULL;
}

const struct job_run *job_log_find(const struct job_log *l, const char *kernel)
{
	for (int i = 0; i < job_log_len(l); i++) {
		const struct job_run *run = job_log_get(l, i);

		if (run->state.phase == JOB_DONE && !strcmp(run->state.kernel.name, kernel))
			return run;
	}
	return NULL;
}
