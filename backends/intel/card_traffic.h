/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes that a card moved to and from its own memory and over its PCIe link, as its firmware counts
 * them: without any OA stream, and for everybody who uses the card. */
#ifndef BACKENDS_INTEL_CARD_TRAFFIC_H
#define BACKENDS_INTEL_CARD_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/common/backend.h"

enum {
	TRAFFIC_GPU_READ,
	TRAFFIC_GPU_WRITTEN,
	TRAFFIC_OTHERS,		/* display and everything else, both ways */
	TRAFFIC_LINK_RX,
	TRAFFIC_LINK_TX,
	TRAFFIC_COUNTERS
};

/* Adds up what a table of that layout (high_first: the upper half of a count comes first) holds.
 * Returns false when it is too short. */
bool card_traffic_sum(
	const uint8_t *table, size_t len, bool high_first, uint64_t out[TRAFFIC_COUNTERS]);
/* Returns the bytes a second that a PCIe link of that speed and width moves in one direction, before
 * the heads of packets; 0: no such speed. */
double card_traffic_link(double gt_per_s, double lanes);

#endif
