/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Peak bandwidth of the memory of discrete Intel cards by their data sheets, and what parts are
 * known to reach of it. */
#include "config.h"

#include "backends/intel/platform/platform.h"

#include <string.h>

#include "base/mem.h"

#define FX "FluidX3D README (8986874e), column of data sheets"
#define FB "fpsbench.com (TechPowerUp data)"
#define NONE "no source found: from memory"
#define STACK "4 HBM2e modules x 128 B x 3.2 GHz, one stack (Level Zero's formula)"

/* The columns are PCI id, GiB, type, bytes per second, uncertain, share reached, source. The shares
 * are those of FluidX3D's stream in FP32, whose bytes are the least that it can move. Cards whose
 * bandwidth nobody publishes (A530M, A60M, A30M, Max 1450) have no row. */
/* clang-format off */
static const struct intel_card_memory rows[] = {
	{ 0x4905, 4, "LPDDR4X", 68.3e9, false, 0.56, FB },
	{ 0x4907, 8, "LPDDR4X", 68.3e9, true, 0, NONE },
	{ 0x4908, 4, "LPDDR4X", 68.3e9, true, 0, NONE },
	{ 0x4909, 4, "LPDDR4X", 68.3e9, true, 0, NONE },
	{ 0x56a6, 4, "GDDR6", 124e9, false, 0, FB },
	{ 0x56a5, 6, "GDDR6", 186e9, false, 0.51, "Intel's sheet, by svethardware.cz" },
	{ 0x56a2, 8, "GDDR6", 512e9, false, 0.76, "Intel's sheet, by svethardware.cz" },
	{ 0x56a1, 8, "GDDR6", 512e9, false, 0.76, "Intel's sheet, by svethardware.cz" },
	{ 0x56a0, 16, "GDDR6", 560e9, false, 0.73, "Intel's sheet, by svethardware.cz" },
	{ 0x56a0, 8, "GDDR6", 512e9, true, 0, NONE },
	{ 0x5690, 16, "GDDR6", 512e9, false, 0, FB },
	{ 0x5691, 12, "GDDR6", 336e9, false, 0, "14 Gbit/s on 192 bits (purepc.pl)" },
	{ 0x5692, 8, "GDDR6", 224e9, false, 0, FB },
	{ 0x5693, 4, "GDDR6", 112e9, true, 0, "14 Gbit/s on 64 bits from memory; alldbin.com has 96 GB/s" },
	{ 0x5694, 4, "GDDR6", 112e9, false, 0, FB },
	{ 0x5696, 8, "GDDR6", 224e9, false, 0, FB },
	{ 0x56b1, 6, "GDDR6", 192e9, false, 0.47, FX },
	{ 0x56b3, 12, "GDDR6", 384e9, false, 0, FB },
	{ 0x56c0, 16, "GDDR6", 576e9, true, 0, NONE },
	{ 0x56c1, 6, "GDDR6", 168e9, true, 0, NONE },
	{ 0x0bd5, 128, "HBM2e", 1638.4e9, false, 0, STACK },
	{ 0x0bd5, 64, "HBM2e", 1638.4e9, false, 0, STACK },
	{ 0x0bd6, 128, "HBM2e", 1638.4e9, false, 0, STACK },
	{ 0x0bd6, 64, "HBM2e", 1638.4e9, false, 0, STACK },
	{ 0x0bd9, 48, "HBM2e", 1228.8e9, false, 0, "Intel's SKU page 232876" },
	{ 0x0bda, 48, "HBM2e", 1228.8e9, false, 0, "Intel's SKU page 232876" },
	{ 0x0bdb, 48, "HBM2e", 1228.8e9, false, 0, "Intel's SKU page 232876" },
	{ 0xe209, 12, "GDDR6", 456e9, false, 0.86, FX },
	{ 0xe20b, 12, "GDDR6", 456e9, false, 0.86, FX },
	{ 0xe20c, 10, "GDDR6", 380e9, false, 0.84, FX },
	{ 0xe211, 24, "GDDR6", 456e9, false, 0.85, FX },
	{ 0xe212, 16, "GDDR6", 224e9, false, 0.87, FX },
	{ 0xe222, 32, "GDDR6", 608e9, false, 0, "zolotukhin.ai, citing Intel" },
	{ 0xe223, 32, "GDDR6", 608e9, false, 0.85, FX },
};
/* clang-format on */

/* What the driver names is less than what was sold: the firmware takes some of it. */
#define SIZE_LEAST 0.85
#define SIZE_MOST 1.01

bool intel_platform_is_card(const char *platform)
{
	static const char *const cards[] = { "dg1", "acmgt1", "acmgt2", "acmgt3", "pvc", "bmg" };

	for (size_t i = 0; i < ARRAY_LEN(cards); i++)
		if (!strcmp(cards[i], platform))
			return true;
	return false;
}

const struct intel_card_memory *intel_card_memory(uint32_t id, uint64_t local_bytes, bool *fits)
{
	const struct intel_card_memory *first = NULL;

	*fits = true;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		double share = (double)local_bytes / ((double)rows[i].gib * (1 << 30));

		if (rows[i].id != id)
			continue;
		if (share >= SIZE_LEAST && share <= SIZE_MOST)
			return &rows[i];
		if (!first)
			first = &rows[i];
	}
	*fits = false;
	return first;
}

double intel_memory_reach(const char *platform)
{
	/* FluidX3D README (8986874e): UHD 630, UHD 770 (Iris Xe of the same set: 68 %), Arc of an
	 * Ultra 9 185H, 140V, B390. */
	static const struct { const char *platform; double reach; } measured[] = {
		{ "cflgt2", 0.45 }, { "adl", 0.58 }, { "mtlgt3", 0.46 }, { "lnl", 0.71 }, { "ptl", 0.80 },
	};

	for (size_t i = 0; i < ARRAY_LEN(measured); i++)
		if (!strcmp(measured[i].platform, platform))
			return measured[i].reach;
	return 0;
}

const char *intel_hwconfig_memory(uint32_t type)
{
	/* Intel's compute-runtime, shared/source/os_interface/linux/system_info.h */
	static const char *const types[] = { "LPDDR4X", "LPDDR5", "HBM2", "HBM2e", "GDDR6" };

	return type < ARRAY_LEN(types) ? types[type] : NULL;
}
