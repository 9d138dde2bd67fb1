/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of OA register addresses. */
#include "config.h"

#include "backends/intel/oa_regs.h"

#include <stddef.h>

#include "base/mem.h"

/* Enabled, with a report format that no driver selects: we ask for no reports, and the control register tells whose unit it is. */
#define ENABLED_BY_US OA_CONTROL_ENABLE
#define PRM_GEN8 "PRM CHV/SKL vol. 2c OAPERF_*, *_FREE; Linux i915_perf_oa_regs.h; Linux intel_gt_regs.h GEN8_MCR_SELECTOR"
#define PRM_GEN11 "as Gen8; Linux intel_gt_regs.h GEN11_MCR_*"
#define PRM_GEN12 "PRM TGL vol. 13 symmetrical registers; Linux i915_perf_oa_regs.h GEN12_OAG_*; Mesa intel_perf_regs.h"

/* The manual's table of replicated registers (PRM TGL vol. 13) has EU_PERF_CNT_CTL in it, and none of the counters: they are sums
 * over all subslices, so that steering can tell what each subslice is programmed to count, but not what each has counted. */
static const struct oa_reg_set reg_sets[] = {
	{
		.unit = "OA", .first_verx10 = 80, .last_verx10 = 100,
		.control = 0x2b00, .control_on = ENABLED_BY_US, .run = 0x2360, .run_on = 1, .ticks = 0x2910,
		.runs = { { 'A', 0, 32, 0x2800, 8 }, { 'A', 32, 4, 0x2900, 4 }, { 'B', 0, 8, 0x2920, 4 }, { 'C', 0, 8, 0x2940, 4 } },
		.free = { { 4, 0x2960, 0x2964 }, { 6, 0x2968, 0x296c }, { 19, 0x2970, 0x2974 }, { 20, 0x2978, 0x297c } },
		.steering = { 0xfdc, 26, 24, 0x3, 0x3 },
		.source = PRM_GEN8,
	},
	{
		.unit = "OA", .first_verx10 = 110, .last_verx10 = 119,
		.control = 0x2b00, .control_on = ENABLED_BY_US, .run = 0x2360, .run_on = 1, .ticks = 0x2910,
		.runs = { { 'A', 0, 32, 0x2800, 8 }, { 'A', 32, 4, 0x2900, 4 }, { 'B', 0, 8, 0x2920, 4 }, { 'C', 0, 8, 0x2940, 4 } },
		.free = { { 4, 0x2960, 0x2964 }, { 6, 0x2968, 0x296c }, { 19, 0x2970, 0x2974 }, { 20, 0x2978, 0x297c } },
		.steering = { 0xfdc, 27, 24, 0xf, 0x7 },
		.source = PRM_GEN11,
	},
	{
		/* OAR, at the addresses of Gen8, belongs to the command streamer: reading it from the CPU may have side effects (PRM). */
		.unit = "OAG", .first_verx10 = 120, .last_verx10 = 120,
		.control = 0xdaf4, .control_on = ENABLED_BY_US, .run = 0x2b28, .run_on = 1, .ticks = 0xda90,
		.runs = { { 'A', 0, 32, 0xd980, 8 }, { 'A', 32, 4, 0xda80, 4 }, { 'B', 0, 8, 0xda94, 4 }, { 'C', 0, 8, 0xdab4, 4 } },
		.steering = { 0xfdc, 27, 24, 0xf, 0x7 },
		.source = PRM_GEN12,
	},
};

const struct oa_reg_set *oa_reg_set_of(const struct intel_platform *p)
{
	for (size_t i = 0; p && i < ARRAY_LEN(reg_sets); i++)
		if (p->graphics_verx10 >= reg_sets[i].first_verx10 && p->graphics_verx10 <= reg_sets[i].last_verx10)
			return &reg_sets[i];
	return NULL;
}

uint32_t oa_reg_counter(const struct oa_reg_set *r, char bank, int number, uint32_t *high)
{
	for (const struct oa_reg_run *b = r->runs; b->count > 0; b++) {
		uint32_t low = b->low + (uint32_t)b->stride * (uint32_t)(number - b->first);

		if (b->bank != bank || number < b->first || number >= b->first + b->count)
			continue;
		*high = b->stride == 8 ? low + 4 : 0;
		return low;
	}
	return 0;
}

uint32_t oa_reg_free_counter(const struct oa_reg_set *r, char bank, int number, uint32_t *high)
{
	for (int i = 0; bank == 'A' && i < OA_FREE_COUNTERS && r->free[i].low; i++)
		if (r->free[i].number == number) {
			*high = r->free[i].high;
			return r->free[i].low;
		}
	return 0;
}
