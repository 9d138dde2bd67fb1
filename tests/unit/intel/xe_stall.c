/* SPDX-License-Identifier: GPL-3.0-or-later */
/* EU stall records: bit positions of each generation, counts that survive the way there and
 * back. */
#include "config.h"

#include "backends/intel/xe/xe_device.h"
#include "backends/intel/xe/xe_stall_records.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/metric/metric.h"
#include "tests/tap.h"
#include "tests/unit/intel/stall_record.h"

/* Where the bits of a count begin, from the structures of Linux xe_eu_stall.c. */
static const struct row {
	int verx10;
	enum xe_stall_counter counter;
	int first_bit;
} rows[] = {
	{ 126, STALL_ACTIVE, 29 }, { 126, STALL_OTHER, 37 }, { 126, STALL_SEND, 61 }, { 126, STALL_SBID, 77 }, { 126, STALL_FETCH, 93 },
	{ 200, STALL_TDR, 29 }, { 200, STALL_PIPE, 53 }, { 200, STALL_SEND, 61 }, { 200, STALL_DIST_ACC, 69 }, { 201, STALL_SYNC, 85 },
	{ 300, STALL_ACTIVE, 101 }, { 350, STALL_TDR, 61 }, { 350, STALL_SBID, 109 }, { 350, STALL_ACTIVE, 133 },
};

static void test_positions(void)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct row *r = &rows[i];
		uint8_t record[XE_STALL_RECORD_BYTES] = { 0 };
		uint64_t sums[XE_STALL_COUNTERS];

		for (int b = 0; b < 8; b++)	/* 0xa5 */
			record[(r->first_bit + b) / 8] |= (uint8_t)((0xa5 >> b & 1)
				<< (r->first_bit + b) % 8);
		is_int(xe_stall_read(xe_stall_layout(r->verx10), record, sums), 0,
			"%d: a count is no part of an address", r->verx10);
		is_int(sums[r->counter], 0xa5, "%d: %s at bit %d", r->verx10,
			xe_stall_counters[r->counter].name, r->first_bit);
		is_int(sums[STALL_SAMPLES], 0xa5, "  ... and nothing else");
	}
	ok(!xe_stall_layout(120) && !xe_stall_layout(125) && !xe_stall_layout(127),
		"Tiger Lake, DG2 and Meteor Lake sample nothing");
}

static void test_round_trip(void)
{
	static const int versions[] = { 126, 200, 300, 350 };

	for (size_t v = 0; v < ARRAY_LEN(versions); v++) {
		const struct xe_stall_layout *l = xe_stall_layout(versions[v]);
		uint64_t want[XE_STALL_COUNTERS] = { 0 }, got[XE_STALL_COUNTERS] = { 0 };
		uint64_t most = l->address_bits < 64 - 3 ? (UINT64_C(1) << l->address_bits) - 1
							 : UINT64_MAX >> 3;
		int wrong = 0;

		srand(7);
		for (int n = 0; n < 200; n++) {
			uint8_t counts[STALL_REASONS], record[XE_STALL_RECORD_BYTES];

			for (int i = 0; i < STALL_REASONS; i++)
				counts[i] = versions[v] == 126 && i == STALL_TDR ? 0
										 : (uint8_t)rand();
			for (int i = 0; i < STALL_REASONS; i++)
				want[i] += counts[i], want[STALL_SAMPLES] += counts[i];
			uint64_t address = ((uint64_t)rand() << 40 | (uint64_t)rand() << 9) & most,
				 one[XE_STALL_COUNTERS];
			make_stall_record(l, address, counts, record);
			wrong += xe_stall_read(l, record, one) != address << 3;
			for (int i = 0; i < XE_STALL_COUNTERS; i++)
				got[i] += one[i];
		}
		is_int(wrong, 0, "%d: addresses come back, in steps of eight bytes", versions[v]);
		ok(!memcmp(want, got, sizeof(want)), "%d: counts of 200 records add up",
			versions[v]);
	}
}

static void test_wanted(void)
{
	struct metric_input inputs[] = { { .name = (char *)"P0", .kind = INPUT_COUNTER },
		{ .name = (char *)"stall_sbid", .kind = INPUT_CONST } };
	struct metric_set set = { .inputs = inputs, .n_inputs = 2 };

	ok(!xe_stall_wanted(&set), "a set without the counters does not ask for them");
	inputs[1].kind = INPUT_COUNTER;
	ok(xe_stall_wanted(&set), "one with them does");
}

int main(void)
{
	test_positions();
	test_round_trip();
	test_wanted();
	return done_testing();
}
