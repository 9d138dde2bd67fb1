/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The worked example of Linux commit 5738891229a2: 100 million vaddps of eight floats, with and
 * without the Merge event. */
#include "config.h"

#include "tests/fakekernel/pmc_amd.h"
#include "tests/tap.h"

#define TURNS 100000000u
#define FLOPS_PER_TURN 8
/* The kernel's first value of a counter: -(2^47 - 1) in 48 bits. */
#define PRELOAD 0x0000800000000001

/* Two turns of the loop retire in one cycle, none in the next. */
static const struct pmc_amd_cycle burst[] = { { 2 * FLOPS_PER_TURN, 6 }, { 0, 0 } };

static void test_pair(void)
{
	struct pmc_amd p = { .ctl = { 0x53ff03, 0xf004000ff }, .ctr = { PRELOAD } };

	is_int(pmc_amd_event(p.ctl[0]), PMC_AMD_FLOPS, "0x53ff03 is event 0x003");
	is_int(pmc_amd_event(p.ctl[1]), PMC_AMD_MERGE, "0xf004000ff is event 0xfff");
	pmc_amd_run(&p, burst, 2, TURNS / 2);
	is_int(p.ctr[0], 0x80002faf0801, "PERF_CTR0 after the loop");
	is_int(pmc_amd_read(&p, 0) - PRELOAD, 800000000, "800,000,000 FLOPs");
}

static void test_alone(void)
{
	struct pmc_amd p = { .ctl = { 0x53ff03, 0x5300c0 }, .ctr = { PRELOAD, PRELOAD } };

	pmc_amd_run(&p, burst, 2, TURNS / 2);
	is_int(pmc_amd_read(&p, 0) - PRELOAD, 750000000,
		"without Merge 15 of each 16 arrive, and nothing tells");
	is_int(pmc_amd_read(&p, 1) - PRELOAD, 300000000, "instructions need no pair");
	p = (struct pmc_amd){ .ctl = { 0, 0x53ff03, 0xf004000ff } };
	pmc_amd_run(&p, burst, 2, TURNS / 2);
	is_int(pmc_amd_read(&p, 1), 750000000, "a Merge event in the even counter merges nothing");
}

static void test_width(void)
{
	struct pmc_amd pair = { .ctl = { 0x53ff03, 0xf004000ff }, .ctr = { 0xfffffffffff0 } };
	struct pmc_amd one = { .ctl = { 0x53ff03 }, .ctr = { 0xfffffffffff0 } };

	pmc_amd_run(&pair, burst, 2, 2);
	is_int(pmc_amd_read(&pair, 0), 0x1000000000010, "a pair goes on past 48 bits");
	is_int(pair.ctr[1], 1, "  ... in its odd counter");
	pmc_amd_run(&one, burst, 2, 2);
	is_int(pmc_amd_read(&one, 0), 14, "one counter wraps at 48");
}

static void test_enabled(void)
{
	struct pmc_amd p = { .ctl = { 0x13ff03, 0xf004000ff, 0x52ff03 } };

	pmc_amd_run(&p, burst, 2, 10);
	is_int(pmc_amd_read(&p, 0), 0, "without bit 22 nothing counts");
	is_int(pmc_amd_read(&p, 2), 0, "without bit 16 nothing counts in user mode");
}

int main(void)
{
	test_pair();
	test_alone();
	test_width();
	test_enabled();
	return done_testing();
}
