/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of OA register addresses. */
#include "config.h"

#include "backends/intel/i915/oa_regs.h"

#include <stddef.h>
#include <string.h>

#include "base/mem.h"

/* The unit is enabled, with a report format that no driver selects: we ask for no reports, and so
 * the control register shows whose unit it is. */
#define ENABLED_BY_US OA_CONTROL_ENABLE
#define PRM_GEN8 "PRM CHV/SKL vol. 2c OAPERF_*, *_FREE; Linux i915_perf_oa_regs.h; Linux intel_gt_regs.h GEN8_MCR_SELECTOR"
#define PRM_GEN11 "as Gen8; Linux intel_gt_regs.h GEN11_MCR_*"
#define PRM_GEN12 "PRM TGL vol. 13 symmetrical registers; Linux i915_perf_oa_regs.h GEN12_OAG_*; Mesa intel_perf_regs.h"

/* The unit of Gen8, which Gen11 still has. */
#define UNIT_GEN8 \
	.unit = "OA", .control = 0x2b00, .control_on = ENABLED_BY_US, .run = 0x2360, .run_on = 1, \
	.ticks = 0x2910, \
	.runs = { { 'A', 0, 32, 0x2800, 8 }, { 'A', 32, 4, 0x2900, 4 }, \
		{ 'B', 0, 8, 0x2920, 4 }, { 'C', 0, 8, 0x2940, 4 } }, \
	.free = { { 4, 0x2960, 0x2964 }, { 6, 0x2968, 0x296c }, { 19, 0x2970, 0x2974 }, \
		{ 20, 0x2978, 0x297c } }

/* The manual's table of replicated registers (PRM TGL vol. 13) has EU_PERF_CNT_CTL in it, and none
 * of the counters. Each exists once, so that steering can show what each subslice is programmed to
 * count, but not what each has counted: the A counters are sums over all subslices. What single
 * subslices do is on the lanes that B and C count, by lists that choose units (data/oa), and in
 * ROW_INSTDONE, which is replicated (eu_sampler.h). */
static const struct oa_reg_set reg_sets[] = {
	{
		UNIT_GEN8,
		.first_verx10 = 80,
		.last_verx10 = 100,
		.steering = { 0xfdc, 26, 24, 0x3, 0x3, 0 },
		.source = PRM_GEN8,
	},
	{
		UNIT_GEN8,
		.first_verx10 = 110,
		.last_verx10 = 119,
		.steering = { 0xfdc, 27, 24, 0xf, 0x7, 1u << 31 },
		.source = PRM_GEN11,
	},
	{
		/* OAR, at the addresses of Gen8, belongs to the command streamer: reading it from
		 * the CPU may have side effects (PRM). */
		.unit = "OAG",
		.first_verx10 = 120,
		.last_verx10 = 120,
		.control = 0xdaf4,
		.control_on = ENABLED_BY_US,
		.run = 0x2b28,
		.run_on = 1,
		.ticks = 0xda90,
		.runs = { { 'A', 0, 32, 0xd980, 8 }, { 'A', 32, 4, 0xda80, 4 },
			{ 'B', 0, 8, 0xda94, 4 }, { 'C', 0, 8, 0xdab4, 4 } },
		.steering = { 0xfdc, 27, 24, 0xf, 0x7, 1u << 31 },
		.source = PRM_GEN12,
	},
};

const struct oa_reg_set *oa_reg_set_of(const struct intel_platform *p)
{
	for (size_t i = 0; p && i < ARRAY_LEN(reg_sets); i++)
		if (p->graphics_verx10 >= reg_sets[i].first_verx10 &&
			p->graphics_verx10 <= reg_sets[i].last_verx10)
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

uint32_t oa_steering_to(
	const struct oa_steering *s, uint32_t before, uint32_t slice, uint32_t subslice)
{
	uint32_t fields = s->slice_mask << s->slice_shift | s->subslice_mask << s->subslice_shift;

	return (before & ~fields) | slice << s->slice_shift | subslice << s->subslice_shift;
}

bool oa_steering_next(const struct oa_steering *s, const struct topology *t, int *at,
	uint32_t *slice, uint32_t *subslice)
{
	while (t->subslice_mask_stride && *at < 64) {
		int bit = (*at)++;

		*slice = (uint32_t)(bit / t->subslice_mask_stride);
		*subslice = (uint32_t)(bit % t->subslice_mask_stride);
		if (t->subslice_mask >> bit & 1 && *slice <= s->slice_mask &&
			*subslice <= s->subslice_mask)
			return true;
	}
	return false;
}

/* From Linux i915_perf.c, gen7_is_valid_b_counter_addr() and its neighbours. NULL stands for every
 * platform of these versions; "!chv" for all but that one. */
static const struct writable_range {
	uint16_t first_verx10, last_verx10;
	const char *platform;
	enum oa_reg_kind kind;
	uint32_t first, last;
} writable_ranges[] = {
	{ 80, 119, NULL, OA_REG_OA, 0x2710, 0x272c },	/* start triggers */
	{ 80, 119, NULL, OA_REG_OA, 0x2740, 0x275c },	/* report triggers */
	{ 80, 119, NULL, OA_REG_OA, 0x2770, 0x27ac },	/* custom events */
	{ 80, 119, NULL, OA_REG_NOA, 0x91b8, 0x91cc },
	{ 80, 119, NULL, OA_REG_NOA, 0x9800, 0x9888 },
	{ 80, 119, NULL, OA_REG_NOA, 0xe180, 0xe180 },
	{ 80, 119, "!chv", OA_REG_NOA, 0x0d00, 0x0d2c },
	{ 80, 119, "!chv", OA_REG_NOA, 0x20cc, 0x20cc },
	{ 80, 80, "chv", OA_REG_NOA, 0x182300, 0x1823a4 },
	{ 110, 119, NULL, OA_REG_NOA, 0x91c8, 0x91dc },
	{ 120, 120, NULL, OA_REG_OA, 0x2b2c, 0x2b2c },
	{ 120, 120, NULL, OA_REG_OA, 0xd900, 0xd91c },
	{ 120, 120, NULL, OA_REG_OA, 0xd920, 0xd93c },
	{ 120, 120, NULL, OA_REG_OA, 0xd940, 0xd97c },
	{ 120, 120, NULL, OA_REG_OA, 0xdc00, 0xdc44 },
	{ 120, 120, NULL, OA_REG_NOA, 0x0d00, 0x0d04 },
	{ 120, 120, NULL, OA_REG_NOA, 0x0d0c, 0x0d2c },
	{ 120, 120, NULL, OA_REG_NOA, 0x9840, 0x9840 },
	{ 120, 120, NULL, OA_REG_NOA, 0x9884, 0x9888 },
	{ 120, 120, NULL, OA_REG_NOA, 0x20cc, 0x20cc },
};

static bool is_for(const struct writable_range *w, const struct intel_platform *p)
{
	if (p->graphics_verx10 < w->first_verx10 || p->graphics_verx10 > w->last_verx10)
		return false;
	if (!w->platform)
		return true;
	if (w->platform[0] == '!')
		return strcmp(w->platform + 1, p->name) != 0;
	return strcmp(w->platform, p->name) == 0;
}

static bool is_flex(uint32_t address)
{
	for (int i = 0; i < OA_FLEX_REGS; i++)
		if (oa_flex_addresses[i] == address)
			return true;
	return false;
}

bool oa_reg_may_write(const struct intel_platform *p, const struct oa_reg *r)
{
	if (r->kind == OA_REG_FLEX)
		return is_flex(r->address);
	for (size_t i = 0; i < ARRAY_LEN(writable_ranges); i++) {
		const struct writable_range *w = &writable_ranges[i];

		if (w->kind == r->kind && r->address >= w->first && r->address <= w->last &&
			is_for(w, p))
			return r->address % 4 == 0;
	}
	return false;
}
