/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Model of EU stall sampling (Linux xe_eu_stall.c): at fixed distances in clocks each Xe core looks
 * at one of its EUs, in turn, and counts what it finds.
 *
 * Modelled: the mean of what is found, exactly. Assumed: one EU of each Xe core at a time; idle EUs
 * give no sample. An EU of the model is active, waits for a message (scoreboard), or for a result
 * (distance); other reasons do not happen. */
#ifndef BACKENDS_SIM_MODEL_STALL_SAMPLER_H
#define BACKENDS_SIM_MODEL_STALL_SAMPLER_H

#include <stdint.h>

#include "backends/sim/model/course.h"

struct stall_sampler {
	int eus_per_subslice;
	uint64_t cycles;		/* between two samples */
	uint64_t before[STALL_FINDINGS];	/* samples up to the last look */
};

/* Starts the sampler: samples are counted from t_ns on. */
void stall_sampler_start(struct stall_sampler *s, const struct course *cs, int64_t t_ns);
/* Gives how often each was found since the last look. */
void stall_sampler_look(struct stall_sampler *s, const struct course *cs, int64_t t_ns,
	uint64_t found[STALL_FINDINGS]);

#endif
