/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source "units": which units of an AMD GPU have work, by looks at its status register. */
#ifndef BACKENDS_AMDGPU_UNIT_SAMPLER_H
#define BACKENDS_AMDGPU_UNIT_SAMPLER_H

#include "backends/amdgpu/dev_info.h"
#include "backends/common/backend.h"

/* Tells whether the set reads what only looks tell. They are expensive: the driver keeps the GPU
 * from its deepest idle state for each. */
bool amd_units_wanted(const struct metric_set *set);
/* Returns the source; NULL with err when the driver does not answer, the generation is not known,
 * or the card sleeps. */
struct source *amd_units_open(const struct device *d, const struct amd_core *core,
	const struct open_options *o, struct err *err);

#endif
