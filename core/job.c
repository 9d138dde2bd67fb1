/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The phases of a job and their names. */
#include "config.h"

#include "core/job.h"

#include "base/mem.h"

bool job_is_on(enum job_phase phase)
{
	return phase != JOB_IDLE && phase != JOB_DONE && phase != JOB_FAILED;
}

const char *job_phase_name(enum job_phase phase)
{
	static const char *const names[] = { "idle", "starting", "building", "tuning", "running",
		"stopping", "done", "failed" };

	return (size_t)phase < ARRAY_LEN(names) ? names[phase] : "";
}
