/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks, in this order: the card, the table of cards, the machine's firmware. */
#include "config.h"

#include "backends/intel/memory_roof.h"

#include <stdio.h>
#include <string.h>

#include "backends/intel/platform/platform.h"
#include "backends/intel/pmt.h"
#include "backends/memory/machine_memory.h"

/* --- the card's own word: Intel's Platform Monitoring Technology --- */

/* Battlemage's word of its memory (Intel's compute-runtime, product helper of bmg): the upper half
 * is the peak, in 100 Mbit/s. */
#define PEAK_AT 56
#define PEAK_UNIT_BITS 100e6

double memory_roof_of_telemetry(const uint8_t *telem, size_t len)
{
	if (len < PEAK_AT + 4)
		return 0;
	return (telem[PEAK_AT + 2] | telem[PEAK_AT + 3] << 8) * PEAK_UNIT_BITS / 8;
}

static bool ask_card(struct device *d, const struct fsroot *fs)
{
	/* G21 and G31, by revision */
	static const char *const guids[] = { "0x1e2f8200", "0x1e2f8201", "0x1e2f8202", "0x1e2f8301",
		"0x1e2f8302", NULL };
	uint8_t telem[PEAK_AT + 4];
	char path[PMT_PATH_SIZE];
	double peak = 0;
	ssize_t n = -1;

	if (pmt_find(fs, d->pci_address, guids, path) >= 0)
		n = pmt_read(fs, path, telem, sizeof(telem), NULL);
	if (n > 0)
		peak = memory_roof_of_telemetry(telem, (size_t)n);
	if (!(peak > 0))
		return false;
	device_set_roof(d, DRAM_ROOF, peak, ROOF_READ, false, "the card's telemetry (PMT)");
	return true;
}

/* --- the table --- */

static bool ask_table(struct device *d, uint64_t local_bytes, struct err *why)
{
	bool fits;
	const struct intel_card_memory *row =
		intel_card_memory(d->pci_device, local_bytes, &fits);
	const struct device_const *type = device_const(d, "hwconfig_memory_type");
	const struct device_const *channels = device_const(d, "memory_channel_count");
	const char *said = type ? intel_hwconfig_memory((uint32_t)type->v) : NULL;
	char origin[sizeof(type->origin)];

	if (!row)
		return err_set(why, ERR_UNSUPPORTED,
			"nobody publishes the memory bandwidth of card 8086:%04x",
			d->pci_device);
	if (said && strcmp(said, row->type) != 0)
		return err_set(why, ERR_UNSUPPORTED,
			"the table says %s, but the card's firmware says %s", row->type, said);
	snprintf(origin, sizeof(origin), "%s", row->source);
	if (said && channels)
		snprintf(origin, sizeof(origin), "%s; firmware: %s, %.0f channels", row->source,
			said, channels->v);
	device_set_roof(d, DRAM_ROOF, row->bytes_per_s, ROOF_DATA_SHEET, row->uncertain || !fits,
		origin)->reach = row->reach;
	return true;
}

bool memory_roof_find(
	struct device *d, const struct fsroot *fs, uint64_t local_bytes, struct err *why)
{
	if (!local_bytes && !intel_platform_is_card(d->platform))
		return dram_roof_of_machine(d, fs, intel_memory_reach(d->platform), why);
	return ask_card(d, fs) || ask_table(d, local_bytes, why);
}
