/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layouts of EU stall records as rows of a table, their decoding. */
#include "config.h"

#include "backends/intel/xe/xe_stall_records.h"

#include <string.h>

#include "base/mem.h"

#define COUNT_BITS 8
#define ADDRESS_SHIFT 3

const struct counter_desc xe_stall_counters[XE_STALL_COUNTERS] = {
	[STALL_ACTIVE] = { "stall_active", "1", 64, COUNTER_CUMULATIVE },
	[STALL_TDR] = { "stall_tdr", "1", 64, COUNTER_CUMULATIVE },
	[STALL_OTHER] = { "stall_other", "1", 64, COUNTER_CUMULATIVE },
	[STALL_CONTROL] = { "stall_control", "1", 64, COUNTER_CUMULATIVE },
	[STALL_PIPE] = { "stall_pipe", "1", 64, COUNTER_CUMULATIVE },
	[STALL_SEND] = { "stall_send", "1", 64, COUNTER_CUMULATIVE },
	[STALL_DIST_ACC] = { "stall_dist_acc", "1", 64, COUNTER_CUMULATIVE },
	[STALL_SBID] = { "stall_sbid", "1", 64, COUNTER_CUMULATIVE },
	[STALL_SYNC] = { "stall_sync", "1", 64, COUNTER_CUMULATIVE },
	[STALL_FETCH] = { "stall_fetch", "1", 64, COUNTER_CUMULATIVE },
	[STALL_SAMPLES] = { "stall_samples", "1", 64, COUNTER_CUMULATIVE },
};

/* Ponte Vecchio has no TDR. */
#define REASONS_OF_XE2 { STALL_TDR, STALL_OTHER, STALL_CONTROL, STALL_PIPE, STALL_SEND, STALL_DIST_ACC, STALL_SBID, STALL_SYNC, \
	STALL_FETCH, STALL_ACTIVE }

static const struct xe_stall_layout layouts[] = {
	{ 126, 126, 29, 9, { STALL_ACTIVE, STALL_OTHER, STALL_CONTROL, STALL_PIPE, STALL_SEND, STALL_DIST_ACC, STALL_SBID, STALL_SYNC,
	  STALL_FETCH } },
	{ 200, 349, 29, 10, REASONS_OF_XE2 },
	{ 350, 999, 61, 10, REASONS_OF_XE2 },
};

const struct xe_stall_layout *xe_stall_layout(int graphics_verx10)
{
	for (size_t i = 0; i < ARRAY_LEN(layouts); i++)
		if (graphics_verx10 >= layouts[i].first_verx10 &&
			graphics_verx10 <= layouts[i].last_verx10)
			return &layouts[i];
	return NULL;
}

uint64_t xe_stall_read(
	const struct xe_stall_layout *l, const void *record, uint64_t counts[XE_STALL_COUNTERS])
{
	uint64_t address;

	memset(counts, 0, XE_STALL_COUNTERS * sizeof(*counts));
	for (int i = 0; i < l->n; i++) {
		/* eight bits from any position on */
		int bit = l->address_bits + COUNT_BITS * i;
		const uint8_t *p = (const uint8_t *)record + bit / 8;
		unsigned count = (p[0] >> bit % 8 | (unsigned)p[1] << (8 - bit % 8)) & 0xff;

		counts[l->order[i]] = count;
		counts[STALL_SAMPLES] += count;
	}
	memcpy(&address, record, sizeof(address));
	return (address & (UINT64_MAX >> (64 - l->address_bits))) << ADDRESS_SHIFT;
}
