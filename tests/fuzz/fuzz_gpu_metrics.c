/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as amdgpu's table gpu_metrics: what is read stays within the table, and what is absent has no
 * number. */
#include "config.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backends/amdgpu/gpu_metrics.h"
#include "base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* A copy without a byte behind it: a sanitizer then sees each step beyond the end. */
	uint8_t *copy = xcalloc(size + !size, 1);
	struct gpu_metrics m;
	struct err err = { 0 };

	if (size)
		memcpy(copy, data, size);
	bool good = gpu_metrics_parse(copy, size, &m, &err);
	if (good == (err.code != ERR_NONE))
		abort();
	for (int i = 0; i < GPU_METRIC_COUNT; i++)
		if ((!good && m.has[i]) || (!m.has[i] && m.values[i]))
			abort();
	free(copy);
	return 0;
}
