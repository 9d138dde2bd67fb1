/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums up slices. */
#include "config.h"

#include "kernels/worker/steady.h"

#include <math.h>

/* Fewer slices say nothing. */
#define SLICES_MIN 6
/* On a quiet machine the mean of slices is within some percent of the fastest one, and a processor
 * that works for nobody else is missed for a few percent of the time, between slices. */
#define LOSS_MAX 0.15
#define CPU_SHARE_MIN 0.9
#define BUSY_SHARE 0.25
#define OUTDATED_SHARE 0.9

void steady_add(struct steady *s, double launch_ns)
{
	if (!(launch_ns > 0))
		return;
	s->sum_ns += launch_ns;
	if (s->slices == 0 || launch_ns < s->fastest_ns)
		s->fastest_ns = launch_ns;
	s->slices++;
}

void steady_add_cpu(struct steady *s, int64_t cpu_ns, int64_t wall_ns)
{
	s->cpu_ns += (double)cpu_ns;
	s->wall_ns += (double)wall_ns;
}

double steady_loss(const struct steady *s)
{
	if (s->slices < SLICES_MIN)
		return NAN;
	return 1 - s->fastest_ns * (double)s->slices / s->sum_ns;
}

double steady_cpu_share(const struct steady *s, double processors)
{
	if (!(s->wall_ns > 0) || !(processors > 0))
		return NAN;
	return s->cpu_ns / (s->wall_ns * processors);
}

bool steady_is_disturbed(const struct steady *s, double processors)
{
	return steady_loss(s) > LOSS_MAX || steady_cpu_share(s, processors) < CPU_SHARE_MIN;
}

bool steady_tuned_busy(double disturbed_trials)
{
	return disturbed_trials > BUSY_SHARE;
}

bool steady_is_outdated(
	const struct steady *s, double processors, double disturbed_trials, double reached)
{
	if (isnan(disturbed_trials) || s->slices < SLICES_MIN || steady_is_disturbed(s, processors))
		return false;
	return steady_tuned_busy(disturbed_trials) || reached < OUTDATED_SHARE;
}
