/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source "freq" of an i915 card: clock and RC6 residency from sysfs, readable by everybody. */
#ifndef BACKENDS_INTEL_I915_FREQ_H
#define BACKENDS_INTEL_I915_FREQ_H

#include "backends/backend.h"

/* NULL when none of its files can be read. A file that is missing costs only its own counter. */
struct source *i915_freq_open(const char *card, const struct open_options *o);

#endif
