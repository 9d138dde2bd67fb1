/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an AMD GPU is: its name, its generation, its units and its memory. */
#ifndef BACKENDS_AMDGPU_DEV_INFO_H
#define BACKENDS_AMDGPU_DEV_INFO_H

#include <stdbool.h>

#include "base/fsroot.h"
#include "core/value/device.h"

/* The version of the graphics core: 11.0.2; all 0: unknown. */
struct amd_core {
	unsigned major, minor, revision;
};

/* Finds the name of the part in libdrm's list, by PCI id and revision. False: it is not there. */
bool amd_part_name(const struct fsroot *fs, const struct device *d, char *name, size_t size);
/* Reads the version from the table that the card carries (sysfs ip_discovery). Wakes nothing. */
struct amd_core amd_core_read(const struct fsroot *fs, const char *card);
/* Whether the energy counter of gpu_metrics is in units of 2^-16 J there. Elsewhere its unit is not
 * said by anybody. */
bool amd_energy_is_known(const struct amd_core *core);
/* Sets clocks and what follows from them as constants of *d: by the card's node (it must be awake),
 * else by the driver's files. False with err when the node told nothing. */
bool amd_set_consts(
	struct device *d, const struct amd_core *core, const struct fsroot *fs, struct err *err);

#endif
