/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The roof of the machine's memory, and its row of checks. */
#include "config.h"

#include "backends/memory/dram_roof.h"

#include <stdio.h>

#include "backends/memory/machine_memory.h"

bool dram_roof_of_machine(
	struct device *d, const struct fsroot *fs, double reach, struct err *why)
{
	struct machine_memory m;
	struct device_const *c;
	char origin[sizeof(c->origin)];
	double peak;

	if (!machine_memory_read(&m, fs, why))
		return false;
	peak = machine_memory_peak(&m, why);
	if (!(peak > 0))
		return false;
	snprintf(origin, sizeof(origin), "%s: %u MT/s, %d bits on %d channels", m.source,
		m.mega_transfers, m.data_bits, m.channels);
	/* Firmware may err, and cores, graphics and display share what there is. */
	c = device_set_roof(d, DRAM_ROOF, peak, ROOF_READ, true, origin);
	c->reach = reach;
	return true;
}

void dram_roof_check(struct open_device *dev, const struct err *refusal)
{
	const struct device_const *roof = device_const(&dev->device, DRAM_ROOF);
	struct device_check c;
	char gives[sizeof(c.gives)];

	snprintf(gives, sizeof(gives), "%s", "roof of the memory's bandwidth");
	if (roof)
		snprintf(gives, sizeof(gives), "%s%.1f GB/s: %s", roof->uncertain ? "~" : "",
			roof->v / 1e9, roof->origin);
	c = device_check_of("", "memory roof", gives, roof ? NULL : refusal);
	open_device_check(dev, &c);
}
