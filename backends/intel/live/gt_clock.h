/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock limits and the source "freq" (clock and RC6 residency) of a card of either driver, from
 * sysfs files that everybody may read. */
#ifndef BACKENDS_INTEL_LIVE_GT_CLOCK_H
#define BACKENDS_INTEL_LIVE_GT_CLOCK_H

#include "backends/common/backend.h"

/* Fills min_hz and max_hz of the device: the lowest clock in force, and the highest that the part can
 * do, also where somebody has set a lower one. 0 means unknown. Fills in clock_files. */
void gt_clock_limits(const struct fsroot *fs, const char *card, struct device *d);
/* Opens the source. Returns NULL when none of its files can be read. A file that is missing costs
 * only its own counter. */
struct source *gt_clock_open(const char *card, const struct open_options *o);

#endif
