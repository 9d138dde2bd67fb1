/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Core performance counters of AMD families 17h and later, at the level of their registers.
 *
 * Modelled, after Linux commit 5738891229a2 (arch/x86/events/amd/core.c) and its worked example: six pairs PERF_CTL/PERF_CTR
 * (MSR 0xC0010200 + 2n and + 2n + 1), counters of 48 bits, of which one adds at most 15 in a cycle (4 bits); an even counter whose odd
 * neighbour counts event 0xFFF (Merge) adds up to 255 in a cycle and is 64 bits wide, the upper 16 in the neighbour.
 * Assumed: what does not fit into the 4 bits is lost. Manuals only say that such a count is of no use. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define PMC_AMD_COUNTERS 6
#define PMC_AMD_FLOPS 0x003
#define PMC_AMD_MERGE 0xfff
#define PMC_AMD_INSTRUCTIONS 0x0c0

/* The registers. Plain data. */
struct pmc_amd {
	uint64_t ctl[PMC_AMD_COUNTERS];
	uint64_t ctr[PMC_AMD_COUNTERS];
};

/* What happens in a cycle. */
struct pmc_amd_cycle {
	unsigned flops;
	unsigned instructions;
};

/* The event of a PERF_CTL value: bits 35:32 and 7:0. */
unsigned pmc_amd_event(uint64_t ctl);
/* The pattern of n cycles, turns times. User mode. */
void pmc_amd_run(struct pmc_amd *p, const struct pmc_amd_cycle *pattern, size_t n, uint64_t turns);
/* The count of a counter: of the pair, where it is one. */
uint64_t pmc_amd_read(const struct pmc_amd *p, unsigned i);
