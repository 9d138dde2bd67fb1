/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The processor of a simulated machine, which runs a kernel beside the GPU and shares the last-level
 * cache and the memory with it.
 *
 * Modelled (Gera et al., 2018, as cited in ch. 2.3 of H. Duarte's thesis): the memory serves both
 * alike, so each gets what it wants or half; a GPU whose data are in the caches does not notice the
 * processor; the processor loses part of the last-level cache to a GPU whose data go through it.
 * Assumed: all cores together want three quarters of what the memory reaches; a load takes 15 ns
 * where the last-level cache has the line and 80 ns where it does not; a GPU that takes all of the
 * memory's rate takes half of that cache. */
#ifndef BACKENDS_SIM_SIM_PROCESSOR_H
#define BACKENDS_SIM_SIM_PROCESSOR_H

#include "base/err.h"
#include "backends/sim/model/workload.h"

/* What the processor reaches. Plain data. */
struct sim_processor {
	double dram_bytes_per_s;	/* that it takes from the GPU */
	double bytes_per_s, ops_per_s;	/* as the kernel counts them, NAN: it does none */
};

/* Fills in what the kernel reaches beside a GPU that wants to move so much through the memory. No
 * kernel ("") reaches nothing. */
bool sim_processor_run(struct sim_processor *p, const struct memory_config *m, const char *kernel,
	double gpu_bytes_per_s, struct err *err);

#endif
