/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The register that has a bit for each EU of one subslice, and the order of its bits. */
#ifndef BACKENDS_INTEL_I915_ROW_INSTDONE_H
#define BACKENDS_INTEL_I915_ROW_INSTDONE_H

#include "backends/intel/platform/platform.h"

/* It is replicated for each subslice or dual subslice; a read gets that of the one which steering
 * names (PRM TGL vol. 13, "Multicast Steering and Die Recovery"; Linux intel_engine_cs.c,
 * intel_engine_get_instdone() reads it so). A bit is 1 when its unit is done. */
#define ROW_INSTDONE 0xe164u
#define ROW_INSTDONE_EUS 16

/* Returns the bit of an EU of the subslice, by the number that topologies give it; -1 when the
 * register of that platform has none, or is not known. */
int row_instdone_bit(const struct intel_platform *p, int eu);

#endif
