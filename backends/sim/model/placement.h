/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the model deals the groups of a launch: in turn to the subslices, a group's threads in turn
 * to the EUs of its subslice, as eu_array does, which keeps only sums. */
#pragma once

#include "backends/sim/model/eu_array.h"
#include "core/value/device.h"
#include "core/work/placement.h"

/* Fills in where the groups of one launch run. The topology says which subslices there are. */
void placement_of_launch(struct placement *out, const struct eu_config *c,
	const struct topology *t, const struct kernel *k, int groups, int items);
