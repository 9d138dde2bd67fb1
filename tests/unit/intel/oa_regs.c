/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Register tables: every platform with OA formats of Gen8 to Gen12.0 has one, counters do not
 * overlap, and known addresses are right. */
#include "config.h"

#include "backends/intel/i915/oa_regs.h"

#include <string.h>

#include "backends/intel/i915/mmio.h"
#include "backends/intel/oa/oa_format.h"
#include "tests/tap.h"
#include "tests/unit/intel/by_name.h"

static const struct oa_reg_set *set_of(const char *platform)
{
	return oa_reg_set_of(intel_platform_by_name(platform));
}

static void test_addresses(void)
{
	static const struct {
		const char *platform;
		char bank;
		int number;
		uint32_t low, high;
	} rows[] = {
		/* PRM CHV/SKL vol. 2c OAPERF_A7_LOWER ... */
		{ "chv", 'A', 7, 0x2838, 0x283c }, { "kblgt2", 'A', 31, 0x28f8, 0x28fc }, { "kblgt2", 'A', 32, 0x2900, 0 },
		{ "kblgt2", 'A', 35, 0x290c, 0 }, { "sklgt2", 'B', 0, 0x2920, 0 }, { "icl", 'C', 7, 0x295c, 0 },
		/* Linux i915_perf_oa_regs.h GEN12_OAG_PERF_COUNTER_* */
		{ "tglgt2", 'A', 0, 0xd980, 0xd984 }, { "tglgt2", 'A', 18, 0xda10, 0xda14 }, { "adl", 'B', 7, 0xdab0, 0 },
		{ "tglgt1", 'C', 0, 0xdab4, 0 }, { "tglgt2", 'A', 36, 0, 0 }, { "chv", 'C', 8, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t high = 0;

		is_int(oa_reg_counter(
			       set_of(rows[i].platform), rows[i].bank, rows[i].number, &high),
			rows[i].low, "%s %c%d", rows[i].platform, rows[i].bank, rows[i].number);
		is_int(rows[i].low ? high : 0, rows[i].high, "  ... and its upper byte");
	}
}

static void test_free(void)
{
	uint32_t high = 0;

	is_int(oa_reg_free_counter(set_of("kblgt2"), 'A', 19, &high), 0x2970,
		"A19 has a register that always counts");
	is_int(high, 0x2974, "  ... of 40 bits");
	is_int(oa_reg_free_counter(set_of("kblgt2"), 'A', 5, &high), 0, "A5 has none");
	is_int(oa_reg_free_counter(set_of("kblgt2"), 'B', 4, &high), 0, "nor B4");
	is_int(oa_reg_free_counter(set_of("tglgt2"), 'A', 4, &high), 0,
		"those of Gen12 are not in the public manual");
}

/* No address belongs to two counters. */
static bool is_disjoint(const struct oa_reg_set *r)
{
	static bool used[0x10000 / 4];

	memset(used, 0, sizeof(used));
	used[r->ticks / 4] = true;
	for (const struct oa_reg_run *b = r->runs; b->count; b++)
		for (uint32_t a = b->low; a < b->low + (uint32_t)b->count * b->stride; a += 4) {
			if (used[a / 4])
				return false;
			used[a / 4] = true;
		}
	return true;
}

static void test_platforms(void)
{
	for (int i = 0; i < intel_platform_count; i++) {
		const struct intel_platform *p = &intel_platforms[i];
		const struct oa_reg_set *r = oa_reg_set_of(p);

		if (p->graphics_verx10 < 80 || p->graphics_verx10 > 120) {
			ok(!r, "%s has no table", p->name);
			continue;
		}
		ok(r && is_disjoint(r), "%s has one register for each counter", p->name);
		ok(forcewake_domains(p) && forcewake_domains(p)[0].name, "  ... and power wells");
		ok(r && r->control_on >> 2 != oa_format_by_name("A32u40_A4u32_B8_C8")->select,
			"  ... and is not taken for the driver's");
	}
	ok(!oa_reg_set_of(NULL), "an unknown platform has no table");
	is_int(forcewake_domains(intel_platform_by_name("chv"))[0].request, 0x1300b0,
		"Cherry View has wells of its own");
	is_int(forcewake_domains(intel_platform_by_name("bdw"))[0].request, 0xa188,
		"Broadwell has one for all");
}

static bool may_write(const char *platform, enum oa_reg_kind kind, uint32_t address)
{
	return oa_reg_may_write(
		intel_platform_by_name(platform), &(struct oa_reg){ kind, address, 0 });
}

/* Linux 6.12 i915_perf.c, one address at each end of some ranges and beyond. */
static void test_writable(void)
{
	ok(may_write("kblgt2", OA_REG_FLEX, 0xe458) && may_write("tglgt2", OA_REG_FLEX, 0xe65c),
		"events may be written");
	ok(!may_write("kblgt2", OA_REG_FLEX, 0xe460), "  ... and nothing beside them");
	ok(may_write("kblgt2", OA_REG_OA, 0x2710) && may_write("chv", OA_REG_OA, 0x27ac),
		"triggers and custom events");
	ok(!may_write("kblgt2", OA_REG_OA, 0x2b00) && !may_write("kblgt2", OA_REG_OA, 0x27b0),
		"  ... but not the control register");
	ok(!may_write("kblgt2", OA_REG_OA, 0x2711), "  ... and whole registers only");
	ok(may_write("chv", OA_REG_NOA, 0x1823a4) && !may_write("bdw", OA_REG_NOA, 0x182300),
		"Cherry View's signals are its own");
	ok(!may_write("chv", OA_REG_NOA, 0x0d04) && may_write("bdw", OA_REG_NOA, 0x0d04),
		"  ... and it lacks those of its neighbours");
	ok(may_write("icl", OA_REG_NOA, 0x91dc) && !may_write("sklgt2", OA_REG_NOA, 0x91dc),
		"Gen11 has more of them");
	ok(may_write("tglgt2", OA_REG_OA, 0xd97c) && !may_write("tglgt2", OA_REG_OA, 0x2710),
		"Gen12 has them elsewhere");
	ok(!may_write("tglgt2", OA_REG_NOA, 0x0d08) && !may_write("tglgt2", OA_REG_NOA, 0x9800),
		"  ... and fewer signals");
	ok(!may_write("hsw", OA_REG_OA, 0x2710) && !may_write("acmgt1", OA_REG_OA, 0xd900),
		"nothing where there is no table");
}

int main(void)
{
	test_writable();
	test_addresses();
	test_free();
	test_platforms();
	return done_testing();
}
