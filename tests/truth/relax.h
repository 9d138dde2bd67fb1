/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The right answer for a load, as the model gives it. */
#pragma once

#include <stdbool.h>

struct answer {
	char kinds[128], bounds[64];
	double least, most;	/* headroom; NAN: any */
	double at_highest;	/* how much faster it is at the highest clock, where that is held down; else 1 */
	double round_ns;	/* how long its launches take, with pauses; 0: no matter */
	char why[200];
	char causes[64];	/* words between '|' of which one has to be said; "" */
};

struct err;

/* Fills in what is right for a spec as after "sim:". False: err, where there is no such load. */
bool answer_of(struct answer *a, const char *spec, struct err *err);
/* Sets kinds and resources, with '|' between several, and the headroom, of which some per cent are
 * measuring; NAN: any. */
void answer(struct answer *a, const char *kinds, const char *bounds, double headroom);
/* Fills in the answer for a load of the simulated Mali; false: there is no such load. */
bool answer_mali(struct answer *a, const char *load);
/* The same for specs of simulated AMD and NVIDIA GPUs. */
bool answer_amd(struct answer *a, const char *spec, struct err *err);
bool answer_nvidia(struct answer *a, const char *spec, struct err *err);

/* How much faster the load at least becomes when only what that answer names delivers its roof (waits: when they
 * are hidden; a held clock: at the highest one; what waits for work: without waiting); NAN where the model has no
 * such number: other vendors' have it in the answer itself. */
double answer_gain(const char *spec, const char *kind, const char *bound);
