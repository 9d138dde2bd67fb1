/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layouts of records of what EU threads wait for. They are pure: the source, the simulated
 * device, the fake kernel and the tests share them.
 *
 * The hardware looks at threads at fixed distances in GPU clocks and counts what it finds for each
 * instruction address. A record has an address and a count for each reason. Records do not say
 * which Xe core they come from. The layouts are from Linux xe_eu_stall.c. */
#pragma once

#include <stdint.h>

#include "core/value/counter.h"

enum xe_stall_counter {
	STALL_ACTIVE,
	STALL_TDR,
	STALL_OTHER,
	STALL_CONTROL,
	STALL_PIPE,
	STALL_SEND,
	STALL_DIST_ACC,
	STALL_SBID,
	STALL_SYNC,
	STALL_FETCH,
	STALL_REASONS,
	STALL_SAMPLES = STALL_REASONS,	/* the sum */
	XE_STALL_COUNTERS,
};

/* The counters "stall_active", ..., "stall_samples". */
extern const struct counter_desc xe_stall_counters[XE_STALL_COUNTERS];

/* A record holds the address, then counts of 8 bits, one behind the other, lowest bits first. */
struct xe_stall_layout {
	int first_verx10, last_verx10;	/* the generations that have it */
	int address_bits;
	int n;				/* counts */
	uint8_t order[STALL_REASONS];
};

/* Returns the layout of a generation's records, or NULL when it has none. */
const struct xe_stall_layout *xe_stall_layout(int graphics_verx10);
#define XE_STALL_RECORD_BYTES 64	/* at least; the bytes behind them are not used */
/* Fills counts with those of one record, and with their sum. Returns the address of the instruction,
 * from where the driver has begun to put code on: the hardware leaves out its lowest three bits. */
uint64_t xe_stall_read(
	const struct xe_stall_layout *l, const void *record, uint64_t counts[XE_STALL_COUNTERS]);
