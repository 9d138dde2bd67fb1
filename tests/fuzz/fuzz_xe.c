/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as what the xe driver answers: topology, OA units, records of its report formats (also
 * of one context), stall records. */
#include "config.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backends/intel/oa/oa_records.h"
#include "backends/intel/xe/xe_node.h"
#include "backends/intel/xe/xe_stall_records.h"
#include "core/value/code_table.h"
#include "tests/unit/intel/by_name.h"

#define SELECTOR_BYTES 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_records(const struct oa_format *f, int graphics_ver, bool has_context,
	const uint8_t *data, size_t size)
{
	struct device d = { .oa_format = oa_format_number(f), .timestamp_hz = 19200000 };
	struct sample out = { .why = WHY_OK };
	struct oa_stream s;

	if (!oa_stream_init(&s, &d, graphics_ver, OA_BY_XE, NULL))
		abort();
	if (has_context && oa_stream_set_context(&s, 7, NULL) != (graphics_ver >= 8))
		abort();
	oa_stream_records(&s, data, size, NULL);
	oa_stream_records(&s, data, size, NULL);
	oa_stream_take(&s, &out);
	if (out.window_ns < 0)
		abort();
}

static void try_answers(uint16_t gt_id, int per_slice, const uint8_t *data, size_t size)
{
	static struct device d;
	struct xe_facts f = { .gt_id = gt_id };

	memset(&d, 0, sizeof(d));
	d.topology.threads_per_eu = 8;
	d.topology.subslice_mask_stride = 8;
	xe_topology_parse(&d, gt_id, per_slice, data, size, NULL);
	if (xe_oa_units_parse(&f, &d, data, size) != f.has_oa)
		abort();
}

static void try_stalls(int verx10, const uint8_t *data, size_t size)
{
	const struct xe_stall_layout *l = xe_stall_layout(verx10);
	uint64_t counts[XE_STALL_COUNTERS], all = 0, told;
	struct code_table code;
	struct code_list list;

	code_table_init(&code, STALL_REASONS);
	for (size_t at = 0; l && at + XE_STALL_RECORD_BYTES <= size; at += XE_STALL_RECORD_BYTES) {
		uint64_t address = xe_stall_read(l, data + at, counts);

		all += counts[STALL_SAMPLES];
		code_table_add(&code, address, counts);
	}
	code_table_list(&code, &list);
	told = list.rest.sum;
	for (int i = 0; i < list.n; i++)
		told += list.places[i].sum;
	if (told != all)
		abort();
	code_table_release(&code);
}

/* First four bytes: format, generation, GT and whether a context is asked for, subslices in a
 * slice. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const int versions[] = { 12, 20, 30 };
	static const int stalls[] = { 126, 200, 350 };

	if (size < SELECTOR_BYTES)
		return 0;
	try_answers(data[2] & 1, 1 + data[3] % 16, data + SELECTOR_BYTES, size - SELECTOR_BYTES);
	try_stalls(stalls[data[1] % 3], data + SELECTOR_BYTES, size - SELECTOR_BYTES);
	try_records(&oa_formats[data[0] % oa_format_count], versions[data[1] % 3], data[2] & 2,
		data + SELECTOR_BYTES, size - SELECTOR_BYTES);
	return 0;
}
