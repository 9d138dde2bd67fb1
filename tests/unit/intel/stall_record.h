/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes EU stall records: the way back from xe_stall_read(), for tests and the fake kernel. */
#pragma once

#include <string.h>

#include "backends/intel/xe/xe_stall_records.h"

/* Writes one record of XE_STALL_RECORD_BYTES with the counts in the layout's order. The address is that
 * of eight bytes of code. */
static inline void make_stall_record(const struct xe_stall_layout *l, uint64_t address,
	const uint8_t counts[STALL_REASONS], void *record)
{
	uint8_t *p = record;

	memset(p, 0, XE_STALL_RECORD_BYTES);
	for (int bit = 0; bit < l->address_bits; bit++)
		p[bit / 8] |= (uint8_t)((address >> bit & 1) << bit % 8);
	for (int i = 0; i < l->n; i++)
		for (int b = 0; b < 8; b++) {
			int bit = l->address_bits + 8 * i + b;

			p[bit / 8] |= (uint8_t)((counts[l->order[i]] >> b & 1) << bit % 8);
		}
}
