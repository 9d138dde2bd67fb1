/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeping the GPU's power wells up while registers are read: a sleeping one answers 0. */
#ifndef BACKENDS_INTEL_I915_FORCEWAKE_H
#define BACKENDS_INTEL_I915_FORCEWAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/intel/i915/mmio_guard.h"
#include "backends/intel/platform/platform.h"
#include "base/err.h"
#include "base/fsroot.h"

#define FORCEWAKE_DOMAINS 2

struct forcewake_domain {
	const char *name;	/* NULL: no more */
	uint32_t request, ack;
};

/* The domains that OA and render registers of a platform lie in; {NULL} ends. NULL: no table for
 * it. */
const struct forcewake_domain *forcewake_domains(const struct intel_platform *p);

/* The kernel's own handle for it in debugfs: held as long as the descriptor is open, so given back
 * however the program ends. -1 where there is none, or no permission. */
int forcewake_open_handle(const struct fsroot *fs, const char *card);
/* By the request registers, with the bit that is meant for programs; the guard drops it at the end.
 * Waits up to 50 ms. */
bool forcewake_request(struct mmio *m, struct mmio_guard *g, const struct forcewake_domain *domains,
	struct err *err);

#endif
