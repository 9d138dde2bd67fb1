/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The standard DRM keys of one fdinfo file, whatever the driver (Linux
 * Documentation/gpu/drm-usage-stats.rst). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/work/client.h"

/* One engine class. A driver tells time (has_time), or cycles of its own against those that passed
 * (has_cycles), or both. */
struct fdinfo_engine {
	char name[16];
	uint64_t time_ns, cycles, total_cycles;
	uint32_t capacity;	/* engines in the class, 1 when the driver does not say */
	bool has_time, has_cycles, has_total_cycles;
};

/* Plain data. */
struct fdinfo_keys {
	char driver[24];	/* "" : not a DRM file, or a driver without the standard keys */
	char pdev[24];		/* PCI address, "" when not told */
	bool has_client_id;
	uint64_t client_id;
	struct fdinfo_engine engines[CLIENT_MAX_ENGINES];
	int n_engines;
	uint64_t total_bytes, resident_bytes;	/* over all regions; UINT64_MAX: not told */
	/* of the regions that are known by name, as a struct client_row has them */
	struct client_memory memory[CLIENT_REGIONS];
	bool has_memory[CLIENT_REGIONS];
};

/* text: the whole file, NUL-terminated. Lines that make no sense are passed over; false without
 * drm-driver. */
bool fdinfo_parse(const char *text, struct fdinfo_keys *out);
