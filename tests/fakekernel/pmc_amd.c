/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds what happens in a cycle to the counters that look at it. */
#include "config.h"

#include "tests/fakekernel/pmc_amd.h"

#include <stdbool.h>

#define BITS 48
#define MASK ((UINT64_C(1) << BITS) - 1)
#define CTL_USR (UINT64_C(1) << 16)
#define CTL_ENABLE (UINT64_C(1) << 22)
#define MOST_IN_A_CYCLE 15
#define MOST_OF_A_PAIR 255

unsigned pmc_amd_event(uint64_t ctl)
{
	return (unsigned)(ctl & 0xff) | (unsigned)(ctl >> 24 & 0xf00);
}

static bool is_merged(const struct pmc_amd *p, unsigned i)
{
	return i % 2 == 0 && p->ctl[i + 1] & CTL_ENABLE &&
		pmc_amd_event(p->ctl[i + 1]) == PMC_AMD_MERGE;
}

static unsigned increment(const struct pmc_amd *p, unsigned i, const struct pmc_amd_cycle *c)
{
	unsigned most = is_merged(p, i) ? MOST_OF_A_PAIR : MOST_IN_A_CYCLE, n = 0;

	if (!(p->ctl[i] & CTL_ENABLE) || !(p->ctl[i] & CTL_USR))
		return 0;
	if (pmc_amd_event(p->ctl[i]) == PMC_AMD_FLOPS)
		n = c->flops;
	else if (pmc_amd_event(p->ctl[i]) == PMC_AMD_INSTRUCTIONS)
		n = c->instructions;
	return n < most ? n : most;
}

uint64_t pmc_amd_read(const struct pmc_amd *p, unsigned i)
{
	return is_merged(p, i) ? p->ctr[i + 1] << BITS | (p->ctr[i] & MASK) : p->ctr[i] & MASK;
}

static void add(struct pmc_amd *p, unsigned i, uint64_t n)
{
	uint64_t sum = pmc_amd_read(p, i) + n;

	p->ctr[i] = sum & MASK;
	if (is_merged(p, i))
		p->ctr[i + 1] = sum >> BITS;
}

void pmc_amd_run(struct pmc_amd *p, const struct pmc_amd_cycle *pattern, size_t n, uint64_t turns)
{
	for (unsigned i = 0; i < PMC_AMD_COUNTERS; i++) {
		uint64_t sum = 0;

		for (size_t k = 0; k < n; k++)
			sum += increment(p, i, &pattern[k]);
		add(p, i, sum * turns);
	}
}
