/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts about Intel GPUs as tables: PCI ids, names, topology, clocks, peaks. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "core/value/device.h"

/* One row for each metric platform. Zero means unknown. */
struct intel_platform {
	const char *name;		/* "kblgt2" */
	const char *generation;		/* "gen9.5" */
	const char *codename;		/* "Kaby Lake" */
	uint8_t graphics_ver;		/* 7, 8, 9, 10, 11, 12, 20 */
	uint16_t graphics_verx10;	/* 75, 80, 90, 95, 100, 110, 120, 125, 126, 127, 200, 201 */
	uint32_t oa_format;		/* oa_format_by_number() */
	uint8_t threads_per_eu;
	/* of the bits of one slice in masks: 3 below Gen11, 8 up to Gen12.0; 0: as the kernel
	 * numbers Xe cores, slice after slice */
	uint8_t subslice_mask_stride;
	/* size of the kernel's topology masks: slices, subslices of each, EUs of each */
	uint8_t max_slices, max_subslices, max_eus;
	uint32_t timestamp_hz;		/* the usual value; that of the kernel wins */
	double sp_flop_per_cycle_eu;
	double dp_flop_per_cycle_eu;	/* 0: not native, or unknown */
	double slm_bytes_per_cycle_subslice, l3_bytes_per_cycle_subslice;
	double gti_read_bytes_per_cycle, gti_write_bytes_per_cycle;
	const char *source;
};

/* One row for each PCI id. */
struct intel_pci_id {
	uint16_t id;
	char platform[16];		/* empty: a known part without metric sets */
	char name[32];			/* "HD Graphics 620" */
	char gt[8];			/* "GT2" */
	/* the full configuration, with subslices per slice */
	uint8_t slices, subslices, eus_per_subslice;
};

extern const struct intel_platform intel_platforms[];
extern const int intel_platform_count;
extern const struct intel_pci_id intel_pci_ids[];
extern const int intel_pci_id_count;

/* The memory of a discrete card, one row for each PCI id and size that was sold. */
struct intel_card_memory {
	uint16_t id, gib;
	/* "GDDR6", as intel_hwconfig_memory() names it */
	const char *type;
	double bytes_per_s;
	bool uncertain;			/* no source that can be looked up */
	double reach;			/* the share of it that was measured; 0: unknown */
	const char *source;
};

#define INTEL_PCI_VENDOR 0x8086

/* The kernel driver of a live card. */
enum intel_driver { INTEL_NO_DRIVER, INTEL_I915, INTEL_XE };

/* Returns the driver; INTEL_NO_DRIVER for simulated and recorded devices, too. */
enum intel_driver intel_driver_of(const struct device *d);

/* Find a row by its name, or id; NULL when there is none. */
const struct intel_platform *intel_platform_by_name(const char *name);
const struct intel_pci_id *intel_pci_id(uint32_t id);

/* Whether parts of the platform are cards with memory of their own. */
bool intel_platform_is_card(const char *platform);
/* Finds the row of a card by its id and its local memory; 0 bytes: not known. *fits tells whether
 * the size is the row's. Where it is not, the row is the first one of the id, and a guess. NULL:
 * the id has no row. */
const struct intel_card_memory *intel_card_memory(uint32_t id, uint64_t local_bytes, bool *fits);
/* Returns the share of the memory's peak that integrated graphics of the platform were measured to
 * reach, or 0. */
double intel_memory_reach(const char *platform);
/* Names keys of the firmware's table of hardware facts. */
enum intel_hwconfig_key {
	HWCONFIG_MAX_SLICES = 1,
	HWCONFIG_MEMORY_CHANNELS = 10,
	HWCONFIG_MEMORY_TYPE = 11,
	HWCONFIG_THREADS_PER_EU = 15,
	HWCONFIG_MAX_SUBSLICES = 70,
};

/* Finds an attribute of one word; returns false when the table has none. */
bool intel_hwconfig(
	const uint32_t *table, size_t words, enum intel_hwconfig_key key, uint32_t *out);
/* Sets the constants memory_channel_count and hwconfig_memory_type where the table has them. */
void intel_hwconfig_memory_consts(struct device *d, const uint32_t *table, size_t words);
/* Returns the name of a type of memory as that table numbers it, or NULL when the number means
 * nothing. */
const char *intel_hwconfig_memory(uint32_t type);

/* Returns by which power of two the command streamers' clock is slower than that of OA reports, as
 * a rule: the kernel says what it is on a card. */
int intel_cs_clock_shift(const struct intel_platform *p);

/* The platform of a card that a driver drives and no metric set names, for the set of what stands
 * beside its counters. It has no row. */
#define INTEL_NO_SETS "intel"

/* Fills name, platform, generation, gt, oa_format, timestamp_hz (when 0), threads and the full
 * topology (when eus is 0) from the PCI id, then every constant that equations may name. Returns
 * false when the id is unknown or has no metric platform. */
bool intel_device_identify(struct device *d, struct err *err);
/* Computes again the constants eu_count, slice_count, subslice_count, threads_per_eu, timestamp_hz,
 * min_clock_hz, max_clock_hz, sp_flop_per_cycle_eu, ..., slice_mask, subslice_mask from the fields
 * of d. */
void intel_device_set_consts(struct device *d);
/* Counts groups of so many bits of a mask of which at least one is set. */
int intel_mask_groups(uint64_t mask, int bits);
/* Sets what equations for Xe2 and later need to know of L3 nodes, pipes and copy engines; the mask
 * of L3 banks is that of the kernel, 0 when it gives none. */
void intel_device_set_units(struct device *d, uint64_t l3_banks, int subslices_per_slice);

/* Turns a drm_i915_query_topology_info image into counts and masks. threads_per_eu and stride are
 * kept. */
bool intel_topology_parse(struct topology *t, const void *raw, size_t len, struct err *err);
/* Returns whether the image has that EU of that subslice of that slice. */
bool intel_topology_has_eu(const struct topology *t, int slice, int subslice, int eu);
/* Fills the topology from masks of subslices, numbered through all slices, and of the EUs that each
 * of them has. The image is made up. */
bool intel_topology_from_masks(struct topology *t, const uint8_t *subslices, size_t subslice_bytes,
	const uint8_t *eus, size_t eu_bytes, int per_slice, struct err *err);
/* Goes the way back, for models: makes raw from slices, subslices per slice and EUs per subslice,
 * all of them present. */
void intel_topology_make(struct topology *t, int slices, int subslices_per_slice,
	int eus_per_subslice, int max_slices, int max_subslices, int max_eus);
