/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why the hardware holds the clock of an Intel GPU down, sampled from files of i915 and xe. */
#ifndef BACKENDS_INTEL_THROTTLE_H
#define BACKENDS_INTEL_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fsroot.h"

/* What is counted: samples that were taken, and those of them with a reason of that kind. A sample
 * may have several. */
enum throttle_kind {
	THROTTLE_SAMPLES,
	THROTTLE_HEAT,
	THROTTLE_POWER,
	THROTTLE_CURRENT,
	THROTTLE_OTHER,		/* a reason that this program does not know, or none is named */
	THROTTLE_KINDS
};

#define THROTTLE_MAX_REASONS 32

struct throttle {
	const struct fsroot *fs;
	char folder[128], prefix[24];	/* "/sys/...", "reason_" */
	char clock[160];		/* the file of the actual clock, 0 while the GPU rests */
	char status[160];	/* the file that says whether there is any reason; "": none */
	char reasons[THROTTLE_MAX_REASONS][32];	/* names behind the prefix */
	int n;
	uint64_t counts[THROTTLE_KINDS];
};

/* Looks for the files; returns false when the card has none. */
bool throttle_find(struct throttle *t, const struct fsroot *fs, const char *card);
/* Takes a sample, unless the GPU rests: its reasons would be old, and asking could wake it. The
 * caller has made sure that the card is not switched off. */
void throttle_sample(struct throttle *t);

#endif
