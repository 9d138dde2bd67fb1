/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks at the EUs of every subslice many times in a window, through ROW_INSTDONE, and counts how
 * often each of them held a thread. */
#pragma once

#include "backends/common/backend.h"
#include "backends/intel/platform/platform.h"

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

/* The register that has a bit for each EU of one subslice, and the order of its bits. */

/* It is replicated for each subslice or dual subslice; a read gets that of the one which steering
 * names (PRM TGL vol. 13, "Multicast Steering and Die Recovery"; Linux intel_engine_cs.c,
 * intel_engine_get_instdone() reads it so). A bit is 1 when its unit is done. */
#define ROW_INSTDONE 0xe164u
#define ROW_INSTDONE_EUS 16

/* Returns the bit of an EU of the subslice, by the number that topologies give it; -1 when the
 * register of that platform has none, or is not known. */
int row_instdone_bit(const struct intel_platform *p, int eu);
