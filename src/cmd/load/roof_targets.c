/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the table of kernels that reach roofs. */
#include "config.h"

#include "cmd/load/roof_targets.h"

#include <math.h>

/* Other processes that take more of the device leave less of it. */
#define OTHERS_PCT 5

const struct roof_target roof_targets[] = {
	{ ROOF_FLOP, "sp.mad", "sp.mad", { "flops.private.mad.sp.x*" } },
	{ ROOF_FLOP, "sp.add", "sp.add", { "flops.private.add.sp.x*" } },
	{ ROOF_FLOP, "dp.mad", "dp.mad", { "flops.private.mad.dp.x*" } },
	{ ROOF_FLOP, "dp.add", "dp.add", { "flops.private.add.dp.x*" } },
	{ ROOF_FLOP, "hp.mad", "hp.mad", { "flops.private.mad.hp.x*" } },
	{ ROOF_FLOP, "hp.add", "hp.add", { "flops.private.add.hp.x*" } },
	{ ROOF_BYTES, "SLM", NULL, { "slm.swap.sp.x*", "slm.read.sp.x*" } },
	{ ROOF_BYTES, "L3", "cache", { "mem.copy.sp.x*" } },
	{ ROOF_BYTES, "DRAM", "DRAM",
	  { "mem.stream.sp.x*", "mem.triad*.sp.x*", "mem.update.sp.x*", "mem.read.sp.x*" } },
	{ .name = NULL },
};

void roof_target_pick(const struct roof_target *t, const struct kernel_info *kernels, size_t n,
	struct kernel_names *out)
{
	for (int k = 0; k < ROOF_TARGET_KERNELS && t->kernels[k]; k++)
		kernel_names_add(out, kernels, n, t->kernels[k], NULL);
}

/* Whether something kept the run from what the device can do. A rate that follows the clock is kept
 * with it. */
static bool was_kept_back(
	const struct session *ses, const struct roof_target *t, const struct job_result *r)
{
	const struct roof *roof = NULL;

	if (ses->dev)
		roof = roofline_roof(&ses->now->roofline, t->role, t->name);
	return r->state.flags & (JOB_CLOCKS_DISAGREE | JOB_DISTURBED) ||
		r->others_pct > OTHERS_PCT || (r->held && !(roof && roof->follows_clock));
}

double roof_target_value(
	const struct session *ses, const struct roof_target *t, const struct job_result *r)
{
	const struct job_state *st = &r->state;
	bool is_elsewhere = st->flags & JOB_OTHER_DEVICE || (st->flags & JOB_ON_CPU && !t->on_cpu);

	if (st->flags & JOB_ABOVE_BOUND || st->progress.mismatches || is_elsewhere ||
		was_kept_back(ses, t, r))
		return NAN;
	if (t->role == ROOF_FLOP)
		return st->progress.mean_flop_per_s;
	return st->progress.mean_bytes_per_s;
}

double roof_target_theory(
	const struct session *ses, const struct roof_target *t, const struct job_result *r)
{
	const struct roofline *all = &ses->now->roofline;
	const struct roof *roof = NULL;
	double hz = all->clock_hz;

	if (ses->dev)
		roof = roofline_roof(all, t->role, t->name);
	if (!roof || roof->theory.why != WHY_OK)
		return NAN;
	if (roof->nominal)
		hz = all->max_hz;
	if (roof->follows_clock && r->clock_hz > 0 && hz > 0)
		return roof->theory.v * (r->clock_hz / hz);
	return roof->theory.v;
}
