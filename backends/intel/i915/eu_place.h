/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the event registers of the EUs in one subslice alone.
 *
 * An experiment. EU_PERF_CNT_CTL0 to 6 lie in a range that the Tiger Lake manual lists as replicated
 * for each dual subslice (PRM TGL vol. 13, "Force Wake and Steering Table"), and while the multicast
 * bit of the steering register is clear a write goes to the chosen instance only (the same,
 * "Multicast Steering and Die Recovery"; Linux intel_gt_mcr.c writes single instances so from Gen11
 * on). When one subslice holds the events and all others hold "off", A7 to A20 count that subslice.
 * Nobody has shown this on hardware. */
#ifndef BACKENDS_INTEL_I915_EU_PLACE_H
#define BACKENDS_INTEL_I915_EU_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/intel/i915/mmio.h"
#include "backends/intel/i915/mmio_guard.h"
#include "backends/intel/i915/oa_regs.h"
#include "backends/intel/oa/oa_program.h"
#include "core/value/device.h"
#include "core/metric/metric.h"

/* EU_PERF_CNT_CTL has no more bits (PRM Observability). */
#define EU_EVENT_BITS 0x03ffffffu

/* The subslice that counts. given false: all of them do. */
struct eu_place {
	bool given;
	uint32_t slice, subslice;
	struct oa_steering steering;
	const struct topology *topology;
	uint32_t off;		/* a register whose two counters count nothing */
};

enum eu_place_state {
	EU_PLACE_HOLDS,		/* its events are there, and all others are off */
	EU_PLACE_LOST,		/* somebody else has written them */
	EU_PLACE_UNKNOWN,	/* the kernel has steered elsewhere meanwhile */
};

/* Returns whether the event registers still hold what p writes, or all of them this one value
 * instead. A context that is switched in brings its own events. Reads the subslice that steering
 * names. */
bool eu_events_are(struct mmio *m, const struct oa_profile *p, const uint32_t *instead);
/* Reads from the set's directives whether one subslice is to count, and gives the device the constant
 * that tells how many EUs it has. Returns false with err (ERR_USAGE) when the device has
 * no such subslice, or its writes cannot be steered. d must outlive the place. */
bool eu_place_find(
	struct eu_place *out, const struct metric_set *set, struct device *d, struct err *err);
/* Writes the event registers of p: off everywhere, then the events in the place, and makes sure of
 * both. The guard gives them back, and the steering at once. Returns false with err (ERR_BUSY) when
 * the kernel has steered elsewhere each time that it was tried. */
bool eu_place_write(const struct eu_place *place, struct mmio *m, struct mmio_guard *g,
	const struct oa_profile *p, struct err *err);
/* Looks at the event registers of all subslices that are there. */
enum eu_place_state eu_place_look(const struct eu_place *place, struct mmio *m,
	struct mmio_guard *g, const struct oa_profile *p);

#endif
