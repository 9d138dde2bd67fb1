/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which kernels reach which roof, and what their runs say of it. */
#pragma once

#include "cli/kernel_names.h"
#include "cmd/load/jobs.h"
#include "core/roofline/roofline.h"

#define ROOF_TARGET_KERNELS 4
/* How long a run for a roof is: clocks need a part of it to rise. */
#define ROOF_RUN_NS (300 * NS_PER_MS)

/* Plain data. on_cpu is the roof's name where OpenCL runs on the CPU, which has other caches. NULL
 * means that there is no such roof, because local memory is a cache there. */
struct roof_target {
	enum roof_role role;
	const char *name, *on_cpu;
	const char *kernels[ROOF_TARGET_KERNELS];	/* patterns; NULL ends them */
};

/* A row with the name NULL ends the table. */
extern const struct roof_target roof_targets[];

/* Adds the kernels that reach a roof. Those that the device does not support are left out. */
void roof_target_pick(const struct roof_target *t, const struct kernel_info *kernels, size_t n,
	struct kernel_names *out);
/* Returns the FLOP/s or B/s of a run. A run counts only when it can be believed, could have been
 * the best, and says something of this roof where it ran; else NAN. */
double roof_target_value(
	const struct session *ses, const struct roof_target *t, const struct job_result *r);
/* Returns what the structure of the open device allows, in FLOP/s or B/s at the clock of the run,
 * because the last window may have had another clock, or the device may have become idle. NAN where
 * no device is open or nothing is known. */
double roof_target_theory(
	const struct session *ses, const struct roof_target *t, const struct job_result *r);
