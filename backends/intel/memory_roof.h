/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the roof of an Intel GPU's memory: the constant dram_bytes_per_s, and where it comes
 * from. */
#pragma once

#include "base/err.h"
#include "base/fsroot.h"
#include "core/value/device.h"

/* Looks for the roof: the card's own word, else the table of cards; for GPUs that use the machine's
 * memory what its firmware tells. local_bytes is the card's memory; 0: not known. Leaves the
 * constant unknown and returns false with the reason when nothing is known. Reads no file that
 * would wake a card. */
bool memory_roof_find(
	struct device *d, const struct fsroot *fs, uint64_t local_bytes, struct err *why);
/* Takes the peak from what Battlemage's telemetry holds; 0: it holds none. */
double memory_roof_of_telemetry(const uint8_t *telem, size_t len);
