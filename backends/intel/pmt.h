/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables that a card's firmware shows through the kernel (Intel's Platform Monitoring
 * Technology): finding one by its GUID, and reading it. Only root may read them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/fsroot.h"

#define PMT_PATH_SIZE 128

/* Finds the card's table that has one of these GUIDs ("0x1e2f8201"; NULL ends the list), and writes
 * the path of its file, without the prefix of fs. Returns the index of the GUID, or -1. */
int pmt_find(const struct fsroot *fs, const char *pci_address, const char *const *guids,
	char path[PMT_PATH_SIZE]);
/* Reads the beginning of a table. Returns how many bytes there are, or -1 with err, which may be
 * NULL. A card that sleeps is not woken, and gives ENODATA (err->sys). */
ssize_t pmt_read(
	const struct fsroot *fs, const char *path, uint8_t *buf, size_t size, struct err *err);

/* Bytes that a card moved to and from its own memory and over its PCIe link, as its firmware counts
 * them: without any OA stream, and for everybody who uses the card. */

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
/* Returns the bytes a second that a PCIe link of that speed and width moves in one direction,
 * before the heads of packets; 0: no such speed. */
double card_traffic_link(double gt_per_s, double lanes);
