/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the GPU's power wells up while registers are read: a sleeping register answers 0. */
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

/* Returns the domains that a platform's OA and render registers lie in; {NULL} ends them. Returns
 * NULL when there is no table for the platform. */
const struct forcewake_domain *forcewake_domains(const struct intel_platform *p);

/* Opens the kernel's own handle for forcewake in debugfs. It holds as long as the descriptor is
 * open, so it is given back however the program ends. Returns -1 where there is none, or no
 * permission. */
int forcewake_open_handle(const struct fsroot *fs, const char *card);
/* Asks by the request registers, with the bit that is meant for programs. It is dropped when the
 * last user closes m. Another program that uses the bit may drop it before, so it is asked for again
 * at each look. Waits up to 50 ms. */
bool forcewake_request(struct mmio *m, const struct forcewake_domain *domains, struct err *err);

#endif
