/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The phases of a job, and what is known of it before it runs. */
#include "config.h"

#include "core/work/job.h"

#include <math.h>

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

bool job_is_on(enum job_phase phase)
{
	return phase != JOB_IDLE && phase != JOB_DONE && phase != JOB_FAILED;
}
