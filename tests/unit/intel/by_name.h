/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds rows of tables by the names that tests and the oracle write. */
#pragma once

#include <string.h>

#include "backends/intel/oa/oa_format.h"
#include "backends/mali/product.h"
#include "base/mem.h"

static inline const struct oa_format *oa_format_by_name(const char *name)
{
	for (size_t i = 0; i < oa_format_count; i++)
		if (!strcmp(oa_formats[i].name, name))
			return &oa_formats[i];
	return NULL;
}

/* Returns the index of "A7", "B0", "TIMESTAMP", ..., or -1 when the format lacks it. */
static inline int oa_format_index(const struct oa_format *f, const char *name)
{
	struct counter_desc desc[OA_MAX_COUNTERS];
	int n = oa_format_counters(f, desc);

	for (int i = 0; *name && i < n; i++)
		if (!strcmp(desc[i].name, name))
			return i;
	return -1;
}

/* Returns the name of the lowest reason that is set, as i915-perf-reader prints it: "timer",
 * "trigger1", "context-switch", "unknown", ... */
static inline const char *oa_reason_name(unsigned reasons)
{
	static const char *const names[] = { "timer", "trigger1", "trigger2", "context-switch",
		"go-transition", "clock-ratio-change", "mmio-trigger" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (reasons & 1u << i)
			return names[i];
	return "unknown";
}

static inline const struct mali_product *mali_product_by_platform(const char *platform)
{
	for (int i = 0; i < mali_product_count; i++)
		if (!strcmp(mali_products[i].platform, platform))
			return &mali_products[i];
	return NULL;
}
