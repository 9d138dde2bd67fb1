/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a topology and as records of an OA stream, for every report format of i915 and every
 * path of the accumulator. */
#include "config.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backends/intel/oa/oa_records.h"
#include "backends/intel/platform/platform.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void walk(int format, int graphics_ver, const uint8_t *data, size_t size, struct sample *out)
{
	struct device d = { .oa_format = format, .timestamp_hz = 12000000 };
	struct oa_stream s;

	if (!oa_stream_init(&s, &d, graphics_ver, OA_BY_I915, NULL))
		abort();
	oa_stream_records(&s, data, size, NULL);
	oa_stream_records(&s, data, size, NULL);
	oa_stream_take(&s, out);
}

/* First byte: format and generation. The rest: records. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const int versions[] = { 7, 8, 9, 11, 12 };
	struct sample plain, fast;
	struct topology t = { .subslice_mask_stride = 3 };
	int format, version;

	intel_topology_parse(&t, data, size, NULL);
	if (size == 0)
		return 0;
	format = 1 + data[0] % 14;
	version = versions[data[0] / 14 % 5];
	memset(&plain, 0, sizeof(plain));
	memset(&fast, 0, sizeof(fast));
	oa_accum_force_path("c");
	walk(format, version, data + 1, size - 1, &plain);
	if (oa_accum_force_path("avx2"))
		walk(format, version, data + 1, size - 1, &fast);
	else
		fast = plain;
	if (memcmp(plain.values, fast.values, sizeof(plain.values)) ||
		plain.window_ns != fast.window_ns || plain.why != fast.why)
		abort();
	return 0;
}
