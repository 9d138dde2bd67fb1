/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The constant dram_bytes_per_s of devices that use the machine's memory, and the row of checks that
 * says where any device's roof of memory comes from. */
#ifndef BACKENDS_MEMORY_DRAM_ROOF_H
#define BACKENDS_MEMORY_DRAM_ROOF_H

#include "backends/common/backend.h"

#define DRAM_ROOF "dram_bytes_per_s"

/* Sets the constant by what the machine's firmware tells. reach is the share of it that such a device
 * is known to reach, 0: not known. Returns false with the reason when it stays unknown. */
bool dram_roof_of_machine(
	struct device *d, const struct fsroot *fs, double reach, struct err *why);
/* Appends the row; refusal says why the roof is not known. */
void dram_roof_check(struct open_device *dev, const struct err *refusal);

#endif
