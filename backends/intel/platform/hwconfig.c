/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of hardware facts that the firmware of Intel GPUs keeps: attributes of key, length in
 * words, words (Linux i915 intel_hwconfig_types.h). */
#include "config.h"

#include "backends/intel/platform/platform.h"

bool intel_hwconfig(
	const uint32_t *table, size_t words, enum intel_hwconfig_key key, uint32_t *out)
{
	for (size_t i = 0; i + 2 < words && table[i + 1] < words; i += 2 + (size_t)table[i + 1]) {
		if (table[i] != (uint32_t)key || table[i + 1] != 1)
			continue;
		*out = table[i + 2];
		return true;
	}
	return false;
}

void intel_hwconfig_memory_consts(struct device *d, const uint32_t *table, size_t words)
{
	uint32_t v;

	if (intel_hwconfig(table, words, HWCONFIG_MEMORY_CHANNELS, &v))
		device_set_const(d, "memory_channel_count", v);
	if (intel_hwconfig(table, words, HWCONFIG_MEMORY_TYPE, &v))
		device_set_const(d, "hwconfig_memory_type", v);
}
