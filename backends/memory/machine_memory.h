/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine's own memory: its modules and their peak bandwidth, as its firmware describes them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/common/backend.h"
#include "base/err.h"
#include "base/fsroot.h"

#define MEMORY_MAX_MODULES 64

/* One module, or one package that is soldered. Zeros and empty strings are unknown. */
struct memory_module {
	bool absent;		/* the slot is empty */
	unsigned mega_transfers;	/* per second, as configured */
	unsigned data_bits;
	char type[24];		/* "DDR4", "LPDDR5" */
	char locator[64], bank[64];
};

struct machine_memory {
	struct memory_module modules[MEMORY_MAX_MODULES];
	int n;
	/* of all populated channels; filled by machine_memory_peak() */
	int channels, data_bits, sockets;
	unsigned mega_transfers;
	const char *source;		/* "udev", "SMBIOS" or "EDAC" */
};

/* Reads what the machine tells of its modules: udev's database, which everybody may read, else the
 * firmware's table, which needs rights, else EDAC's folders. Returns false with the reason when
 * nothing does. */
bool machine_memory_read(struct machine_memory *m, const struct fsroot *fs, struct err *why);
/* Returns the bytes per second that all populated channels move together. Returns 0 with the reason
 * when the description is incomplete or makes no sense. */
double machine_memory_peak(struct machine_memory *m, struct err *why);

/* The two readers by themselves, for tests: the text of udev's database, the firmware's table. */
void memory_parse_udev(struct machine_memory *m, const char *text);
void memory_parse_smbios(struct machine_memory *m, const uint8_t *table, size_t len);

/* The constant dram_bytes_per_s of devices that use the machine's memory, and the row of checks
 * that says where any device's roof of memory comes from. */

#define DRAM_ROOF "dram_bytes_per_s"

/* Sets the constant by what the machine's firmware tells. reach is the share of it that such a
 * device is known to reach, 0: not known. Returns false with the reason when it stays unknown. */
bool dram_roof_of_machine(
	struct device *d, const struct fsroot *fs, double reach, struct err *why);
/* Appends the row; refusal says why the roof is not known. */
void dram_roof_check(struct open_device *dev, const struct err *refusal);
