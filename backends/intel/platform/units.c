/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many units of a kind Xe2 and later have, by the rules of Intel's own library
 * (intel/metrics-discovery 80cc115, md_driver_ifc_linux_common.cpp and md_driver_ifc_linux_xe.cpp). */
#include "config.h"

#include "backends/intel/platform/platform.h"
#include "base/mem.h"

/* Parts that differ from the rest of their platform; 0 leaves the rule as it is. */
static const struct odd_part {
	uint16_t first_id, last_id;
	uint8_t banks_per_node, sqidi;
} odd_parts[] = {
	{ 0xb090, 0xb090, 0, 2 }, { 0xb0a0, 0xb0a0, 0, 2 },	/* small Panther Lake */
	{ 0xfd80, 0xfd81, 0, 2 },				/* Wildcat Lake */
	{ 0xd740, 0xd740, 2, 2 }, { 0xd743, 0xd743, 2, 2 },	/* Nova Lake-S and -HX */
	{ 0xd741, 0xd742, 0, 2 }, { 0xd744, 0xd74f, 0, 2 },	/* Nova Lake-U and -H */
};

static struct odd_part oddities(uint32_t pci_device)
{
	for (size_t i = 0; i < ARRAY_LEN(odd_parts); i++)
		if (pci_device >= odd_parts[i].first_id && pci_device <= odd_parts[i].last_id)
			return odd_parts[i];
	return (struct odd_part){ 0 };
}

int intel_mask_groups(uint64_t mask, int bits)
{
	int n = 0;

	for (int at = 0; at < 64; at += bits)
		n += (mask >> at & ((UINT64_C(1) << bits) - 1)) != 0;
	return n;
}

void intel_device_set_units(struct device *d, uint64_t l3_banks, int subslices_per_slice)
{
	const struct intel_platform *p = intel_platform_by_name(d->platform);
	struct odd_part odd = oddities(d->pci_device);
	int per_node = odd.banks_per_node ? odd.banks_per_node : 4;
	int slices = d->topology.slices, pipes = 2 * slices;

	if (!p || p->graphics_ver < 20)
		return;
	/* Where a slice has so few, the whole part has one of each pipe. */
	if (subslices_per_slice <= 2)
		slices = pipes = 1;
	device_set_const(d, "geometry_pipe_count", slices);
	device_set_const(d, "color_pipe_count", pipes);
	device_set_const(d, "depth_pipe_count", pipes);
	if (!l3_banks)
		return;
	int nodes = intel_mask_groups(l3_banks, per_node);
	device_set_roof(d, "l3_bytes_per_cycle", 64 * __builtin_popcountll(l3_banks), ROOF_COMPUTED, true,
		"64 bytes a bank and clock, the size of the requests that are counted");
	device_set_const(d, "l3_node_count", nodes);
	device_set_const(d, "sqidi_count", odd.sqidi ? odd.sqidi : nodes);
	/* One copy engine belongs to two nodes, however many instances the driver lists. */
	device_set_const(d, "copy_engine_count", intel_mask_groups(l3_banks, 2 * per_node));
}
