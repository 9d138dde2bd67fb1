/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The phases of a job. */
#include "config.h"

#include "core/job.h"

bool job_is_on(enum job_phase phase)
{
	return phase != JOB_IDLE && phase != JOB_DONE && phase != JOB_FAILED;
}
