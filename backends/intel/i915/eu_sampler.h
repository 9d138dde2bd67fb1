/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks at the EUs of every subslice many times in a window, through ROW_INSTDONE, and counts how
 * often each of them held a thread. */
#ifndef BACKENDS_INTEL_I915_EU_SAMPLER_H
#define BACKENDS_INTEL_I915_EU_SAMPLER_H

#include "backends/common/backend.h"

/* Its counters, of each EU: how often it was looked at, and how often it held a thread. */
enum { EU_SAMPLES, EU_LOADED_SAMPLES, EU_SAMPLER_COUNTERS };
extern const struct counter_desc eu_sampler_counters[EU_SAMPLER_COUNTERS];

/* Whether an equation of the set reads one of these counters: nobody else is looked at. */
bool eu_sampler_wanted(const struct metric_set *set);
/* Opens the source "eus", which has an instance for each EU that is there. d has the topology that
 * the kernel told. It reads and writes registers as --access mmio does, under the same
 * conditions. Returns NULL with err. */
struct source *eu_sampler_open(
	const char *card, struct device *d, const struct open_options *o, struct err *err);

#endif
