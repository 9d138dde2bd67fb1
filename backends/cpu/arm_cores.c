/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of Arm's cores. */
#include "config.h"

#include "backends/cpu/arm_cores.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "backends/cpu/cpu_info.h"
#include "base/mem.h"

#define ARM 0x41
#define CAVIUM 0x43
#define FUJITSU 0x46
#define NVIDIA 0x4e
#define QUALCOMM 0x51
#define APPLE 0x61
#define AMPERE 0xc0
#define PART(implementer, part) ((uint32_t)(implementer) << 16 | (part))

/* Parts: Linux arch/arm64/include/asm/cputype.h and tools/perf/pmu-events/arch/arm64/mapfile.csv.
 * counts_flops: their lists of events have FP_SCALE_OPS_SPEC and FP_FIXED_OPS_SPEC (the same folder).
 * vector_bits: of SVE, which FP_SCALE_OPS_SPEC counts by 128; 0: it has none, or nobody says. */
static const struct arm_core {
	uint32_t part;
	const char *name;
	bool counts_flops;
	int vector_bits;
} cores[] = {
	{ PART(ARM, 0xd03), "Cortex-A53", false, 0 },
	{ PART(ARM, 0xd04), "Cortex-A35", false, 0 },
	{ PART(ARM, 0xd05), "Cortex-A55", false, 0 },
	{ PART(ARM, 0xd07), "Cortex-A57", false, 0 },
	{ PART(ARM, 0xd08), "Cortex-A72", false, 0 },
	{ PART(ARM, 0xd09), "Cortex-A73", false, 0 },
	{ PART(ARM, 0xd0a), "Cortex-A75", false, 0 },
	{ PART(ARM, 0xd0b), "Cortex-A76", false, 0 },
	{ PART(ARM, 0xd0c), "Neoverse-N1", false, 0 },
	{ PART(ARM, 0xd0d), "Cortex-A77", false, 0 },
	{ PART(ARM, 0xd40), "Neoverse-V1", true, 256 },
	{ PART(ARM, 0xd41), "Cortex-A78", false, 0 },
	{ PART(ARM, 0xd44), "Cortex-X1", false, 0 },
	{ PART(ARM, 0xd46), "Cortex-A510", false, 128 },
	{ PART(ARM, 0xd47), "Cortex-A710", true, 128 },
	{ PART(ARM, 0xd48), "Cortex-X2", true, 128 },
	{ PART(ARM, 0xd49), "Neoverse-N2", true, 128 },
	{ PART(ARM, 0xd4a), "Neoverse-E1", false, 0 },
	{ PART(ARM, 0xd4d), "Cortex-A715", false, 128 },
	{ PART(ARM, 0xd4e), "Cortex-X3", false, 128 },
	{ PART(ARM, 0xd4f), "Neoverse-V2", true, 128 },
	{ PART(ARM, 0xd83), "Neoverse-V3", true, 128 },
	{ PART(ARM, 0xd8e), "Neoverse-N3", true, 128 },
	{ PART(CAVIUM, 0x0af), "ThunderX2", false, 0 },
	{ PART(FUJITSU, 0x001), "A64FX", true, 512 },
	{ PART(QUALCOMM, 0x001), "Oryon", false, 0 },
	{ PART(APPLE, 0x022), "Icestorm", false, 0 },
	{ PART(APPLE, 0x023), "Firestorm", false, 0 },
	{ PART(AMPERE, 0xac3), "AmpereOne", false, 0 },
};

/* Rows by what can be counted; a processor whose kinds of cores differ in it counts no operations. */
static const struct cpu_family plain = { .name = "Armv8", .platform = "cpu-arm", .source = "arm64 mapfile.csv" };
static const struct cpu_family flops[] = {
	{ .name = "Armv8, SVE 128", .platform = "cpu-arm-sve128", .source = "arm64 mapfile.csv" },
	{ .name = "Armv8, SVE 256", .platform = "cpu-arm-sve256", .source = "arm64 mapfile.csv" },
	{ .name = "Armv8, SVE 512", .platform = "cpu-arm-sve512", .source = "arm64 mapfile.csv" },
};

static const struct arm_core *core_of(uint32_t part)
{
	for (size_t i = 0; i < ARRAY_LEN(cores); i++)
		if (cores[i].part == part)
			return &cores[i];
	return NULL;
}

static void add_name(uint32_t part, int count, char *name, size_t size)
{
	const struct arm_core *core = core_of(part);
	size_t len = strlen(name);

	if (len)
		len += (size_t)snprintf(name + len, size - len, ", ");
	if (len >= size)
		return;
	if (core)
		snprintf(name + len, size - len, "%d x %s", count, core->name);
	else
		snprintf(name + len, size - len, "%d x Arm core 0x%x:0x%x", count, part >> 16,
			part & 0xffff);
}

const struct cpu_family *arm_cores_row(const uint32_t *parts, int n, char *name, size_t size)
{
	int bits = -1;

	name[0] = '\0';
	for (int i = 0; i < n; i++) {
		const struct arm_core *core = core_of(parts[i]);
		int own = core && core->counts_flops ? core->vector_bits : 0, count = 0;
		bool is_new = true;

		if (bits >= 0 && own != bits)
			own = 0;
		bits = bits == 0 ? 0 : own;
		for (int k = 0; k < i; k++)
			is_new &= parts[k] != parts[i];
		for (int k = i; k < n && is_new; k++)
			count += parts[k] == parts[i];
		if (is_new)
			add_name(parts[i], count, name, size);
	}
	for (int i = 0; i < 3; i++)
		if (bits == 128 << i)
			return &flops[i];
	return &plain;
}
