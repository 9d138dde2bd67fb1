/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the simulated GPU is given to do: scenes of launches and pauses with a clock, as segments of
 * a course.
 *
 * Modelled: `idle` (lowest clock, RC6 if allowed), `desktop` (60 frames a second: vertices, three
 * layers of a full screen of pixels, a blur on the compute pipe), every kernel of the catalogue as
 * launches one after the other, several such queues of contexts that take turns, and `tour`:
 * memory-bound, compute-bound, power-limited and idle for five seconds each. The clock is the
 * lowest for idle, a quarter up for desktop, the highest for kernels, lowered in steps of 50 MHz
 * until the package power limit is kept. A cap on the clock may be the temperature's, the current's
 * or the user's; nothing is modelled of what leads to it.
 *
 * Fitted: a host that waits for each launch takes 125 us to start the next one. The thesis (ch.
 * 4.2) sees no teeth over work-groups where the loop has 1024 passes, which take 16 to 62 us, and
 * clear ones where it has 8192; its times go from one batch of commands to another.
 *
 * Assumed: 1.5 us between two launches of one queue; the CPU's power; what a frame consists of.
 *
 * Not modelled: a governor that ramps, contexts that preempt each other, copy and video engines. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "backends/sim/model/power.h"
#include "backends/sim/model/course.h"

/* Describes the hardware that loads run on; it is plain data. */
struct workload_hardware {
	struct eu_config eu;
	struct power_config power;
	double cores_idle_w, cores_busy_w;
};

struct workload_options {
	/* "idle", "desktop", "tour", or names of kernels with '+'; '/' begins another context, and
	 * '>' the next of loads one after the other (turns.h) */
	char load[128];
	int groups;		/* work groups of a launch, 0: 21 for each subslice */
	int items;		/* of a work group */
	int n;			/* loop count of kernels */
	bool rc6;		/* allowed in pauses */
	bool waits;		/* the host waits for each launch before it starts the next one */
	bool sizes;		/* each context launches as many times the groups as its number */
	bool resumes;		/* the last of several contexts is the first one, which goes on */
	double pause_ns;	/* between two launches, in which nothing is submitted */
	double cores_w;		/* what the CPU's cores take, 0: as the scene says */
	double cap_hz;		/* no clock is higher, 0: none; and why */
	enum clock_reason cap_reason;
	bool walk;		/* the clock changes each 500 ms */
	uint64_t seed;		/* of the walk */
	double others_bytes_per_s;	/* that the processor moves through the same memory */
};

#define WORKLOAD_GAP_NS 1500	/* between two launches of one queue */
#define WORKLOAD_ROUND_TRIP_NS 125000	/* from one launch to the next where the host waits */
#define WORKLOAD_MAX_GROUPS 65536
#define WORKLOAD_MAX_ITEMS 1024
#define WORKLOAD_MAX_N 1048576

/* How long a launch takes at the highest clock, and what it moves through the memory. */
struct workload_launch {
	double ns, gti_bytes;
};
bool workload_launch(const struct workload_hardware *hw, const struct kernel *k, int groups,
	int items, struct workload_launch *out, struct err *err);
/* Returns the groups of a launch. */
int workload_groups(const struct workload_hardware *hw, const struct workload_options *o);
/* Returns the same where all launches of the load are kernels of that many groups, else 0. */
int workload_groups_of_all(const struct workload_hardware *hw, const struct workload_options *o);
/* Adds the segments of the load; the caller seals the course. select and ctx: see
 * course_add_pattern(). */
bool workload_build(struct course *cs, const struct workload_hardware *hw,
	const struct workload_options *o, course_select_fn *select, void *ctx, struct err *err);
