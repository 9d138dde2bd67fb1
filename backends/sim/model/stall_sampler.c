/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes samples as a function of time. */
#include "config.h"

#include "backends/sim/model/stall_sampler.h"

static void samples_at(const struct stall_sampler *s, const struct course *cs, int64_t t_ns,
	uint64_t n[STALL_FINDINGS])
{
	uint64_t q[Q_COUNT];

	course_values(cs, t_ns, q);
	for (int i = 0; i < STALL_FINDINGS; i++)
		n[i] = q[Q_STALL + i] / (uint64_t)s->eus_per_subslice / s->cycles;
}

void stall_sampler_start(struct stall_sampler *s, const struct course *cs, int64_t t_ns)
{
	samples_at(s, cs, t_ns, s->before);
}

void stall_sampler_look(struct stall_sampler *s, const struct course *cs, int64_t t_ns,
	uint64_t found[STALL_FINDINGS])
{
	uint64_t now[STALL_FINDINGS];

	samples_at(s, cs, t_ns, now);
	for (int i = 0; i < STALL_FINDINGS; i++) {
		found[i] = now[i] - s->before[i];
		s->before[i] = now[i];
	}
}
