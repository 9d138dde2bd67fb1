/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A load in the model, run with some of its resources a million times faster. */
#pragma once

#include <stdbool.h>

#include "backends/intel/platform/platform.h"
#include "backends/sim/spec.h"
#include "base/err.h"

/* What can be made faster. The ways of the memory are in the order of increasing distance. */
enum resource {
	FPU0,
	FPU1,
	XMX,
	SAMPLER,
	RASTERIZER,
	SEND,
	L3,
	SLM,
	GTI_READ,
	GTI_WRITE,
	DRAM,
	LATENCY,	/* of a thread by itself: instructions, results, memory */
	RESOURCES
};

#define BIT(r) (1u << (r))
/* A load on a device, and the clock that the model gives it. */
struct scene {
	struct sim_spec spec;
	struct device device;
	const struct intel_platform *platform;
	struct workload_hardware hw;
	struct course_state clock;
};

/* What a round of launches is. Shares are of EU cycles while the GPU is busy. */
struct outcome {
	double hz;		/* the clock */
	double ns;		/* with gaps and pauses */
	double busy;		/* share of ns */
	double pause_ns;	/* of ns, in which nothing is submitted */
	double loaded, occupancy, active;
	double thread_life_ns;
	double group_threads;	/* threads of a group */
	double seen_occupancy;	/* of the first EUs of a row, which are all that Gen12 counts */
	double lines, slm_lines, reads, writes, dram_lines;
	double queue_full;	/* share of busy cycles */
	double fpu0, fpu1, send, xmx;	/* busy shares of all EUs and cycles */
};

/* What is left of the time when resources are made faster, and what they need by themselves. */
struct trial {
	unsigned resources;	/* bits */
	double speedup;
	double alone;		/* share of the time */
};

/* Opens a spec as after "sim:", and finds the clock that the model gives the load. */
bool scene_open(struct scene *s, const char *text, struct err *err);
/* One round of the load's launches at that clock with so many times its groups; relaxed: bits of
 * the resources that are faster. False: it does not fit. */
bool trial_run(const struct scene *s, double hz, unsigned relaxed, int more, struct outcome *o);
/* The same with a resource that delivers its roof, while nothing else changes: the memory what is printed, L3
 * without turnarounds. */
bool trial_at_roof(const struct scene *s, double hz, enum resource r, struct outcome *o);
/* Fills in a trial of t->resources; o: the load as it is. */
bool trial_of(const struct scene *s, const struct outcome *o, struct trial *t);
