/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes samples as a function of time. */
#include "config.h"

#include "backends/sim/model/stall_sampler.h"

#define CODE_BASE 0x100
#define INSTRUCTION_BYTES 16

static enum stall_finding finding_at(int i)
{
	if (i % 8 == 7)
		return FOUND_MESSAGE;
	return i % 8 == 3 ? FOUND_RESULT : FOUND_ACTIVE;
}

void stall_spots(struct stall_spot out[STALL_SPOTS])
{
	uint32_t sums[STALL_FINDINGS] = { 0 };

	for (int i = 0; i < STALL_SPOTS; i++) {
		enum stall_finding f = finding_at(i);

		out[i] = (struct stall_spot){ .address = (uint32_t)(CODE_BASE + INSTRUCTION_BYTES * i),
			.finding = f,
			.from = sums[f] };
		sums[f] += f == FOUND_ACTIVE ? 1 : (uint32_t)(STALL_SPOTS - i);
		out[i].to = sums[f];
	}
	for (int i = 0; i < STALL_SPOTS; i++)
		out[i].of = sums[out[i].finding];
}

uint64_t stall_spot_samples(const struct stall_spot *s, uint64_t found)
{
	return found * s->to / s->of - found * s->from / s->of;
}

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
