/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the node of an xe card reports about the GPU. */
#pragma once

#include <stddef.h>

#include "backends/card/drm_node.h"
#include "backends/intel/xe/xe_uapi.h"
#include "core/value/device.h"

#define XE_MAX_ENGINES 128	/* more than any card has */

/* Facts about the GT that renders and computes. Plain data. */
struct xe_facts {
	uint16_t gt_id;
	bool has_engine;
	struct xe_engine_instance engine;	/* one whose time stamp can be read */
	int compute_engines, copy_engines;
	int other_tiles;	/* GTs that render or compute, beside the one that is counted */
	int media_units;	/* OA units of media engines */
	bool has_oa;
	uint32_t oa_unit;
	uint64_t stall_record_bytes;	/* 0: the kernel or the GPU samples no stalls */
	uint64_t stall_core_bytes;	/* of the ring that each Xe core has for its samples */
	uint64_t stall_cycles;		/* between two samples, at the slowest rate that there is */
};

/* Fills in PCI id, revision, topology and OA time stamp frequency as the kernel knows them, and the
 * constants that follow from them. The error names what the kernel does not report. */
bool xe_node_identify(
	const struct drm_node *n, struct device *d, struct xe_facts *f, struct err *err);
/* Lists the engines that the driver knows, whichever of the hardware's are switched off by fuses.
 * Returns how many; 0 when it does not tell. Asking wakes a card that sleeps. */
int xe_node_engines(const struct drm_node *n, struct xe_engine_instance *list, int room);
/* Reads the command streamers' time stamp and CLOCK_MONOTONIC at one moment. The clock of OA
 * reports may be faster by a power of two. */
bool xe_node_correlate(const struct drm_node *n, const struct xe_facts *f, uint64_t *cpu_ns,
	uint64_t *gpu_timestamp, struct err *err);

/* Puts the answer of the topology query, as far as it is about that GT, into a device.
 * dss_per_slice > 0. Tests use it as well. */
bool xe_topology_parse(struct device *d, uint16_t gt_id, int dss_per_slice, const void *answer,
	size_t len, struct err *err);
/* Finds the OA unit that counts what renders and computes. Returns false when there is none. */
bool xe_oa_units_parse(struct xe_facts *f, struct device *d, const void *answer, size_t len);
