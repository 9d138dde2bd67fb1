/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Model of EU stall sampling (Linux xe_eu_stall.c): at fixed distances in clocks each Xe core looks
 * at one of its EUs, in turn, and counts what it finds.
 *
 * Modelled: the mean of what is found, exactly. Assumed: one EU of each Xe core at a time; idle EUs
 * give no sample. An EU of the model is active, waits for a message (scoreboard), or for a result
 * (distance); other reasons do not happen. The code is a loop of STALL_SPOTS instructions: each
 * eighth one waits for a message, the one four before it for a result, and what comes earlier waits
 * longer. */
#pragma once

#include <stdint.h>

#include "backends/sim/model/course.h"

struct stall_sampler {
	int eus_per_subslice;
	uint64_t cycles;		/* between two samples */
	uint64_t before[STALL_FINDINGS];	/* samples up to the last look */
};

#define STALL_SPOTS 80

/* An instruction of the model's kernel. */
struct stall_spot {
	uint32_t address;
	enum stall_finding finding;
	/* of "of" samples with its finding those with the numbers from "from" to below "to" */
	uint32_t from, to, of;
};

/* Fills in all of them, in the order of their addresses. */
void stall_spots(struct stall_spot out[STALL_SPOTS]);
/* Returns how many of the samples with its finding were found there. Those of all spots are all of
 * them. */
uint64_t stall_spot_samples(const struct stall_spot *s, uint64_t found);

/* Starts the sampler: samples are counted from t_ns on. */
void stall_sampler_start(struct stall_sampler *s, const struct course *cs, int64_t t_ns);
/* Gives how often each was found since the last look. */
void stall_sampler_look(struct stall_sampler *s, const struct course *cs, int64_t t_ns,
	uint64_t found[STALL_FINDINGS]);
