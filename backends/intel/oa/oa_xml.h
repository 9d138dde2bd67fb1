/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Imports Intel's public metric sets (oa-*.xml, plain or gzip) as metric sets. */
#ifndef BACKENDS_INTEL_OA_OA_XML_H
#define BACKENDS_INTEL_OA_OA_XML_H

#include "core/metric.h"

/* Adds every set of the file whose chipset is read; counters whose availability test fails on this
 * device are left out. Metric names are the symbol names in snake_case. Register blocks become
 * "registers" directives ("NOA 9888 104F00E0"; of several blocks of one kind the last available one
 * counts), and the guid becomes a "guid" directive. When dev is NULL, every counter is taken as
 * available. Returns false when the XML itself is broken; err names the file and line. */
bool oa_xml_load(struct metric_lib *lib, const char *path, const struct device *dev,
	metric_problem_fn *problem, void *ctx, struct err *err);
/* Does the same from memory (already decompressed), for tests and fuzzing. Messages use name. */
bool oa_xml_load_text(struct metric_lib *lib, const char *name, const char *text, size_t len,
	const struct device *dev, metric_problem_fn *problem, void *ctx, struct err *err);
/* Turns "GtiReadThroughput" into "gti_read_throughput", "Fpu0Active" into "fpu0_active", "L3Misses"
 * into "l3_misses". Returns buf. */
const char *oa_xml_snake_case(const char *symbol, char *buf, size_t size);

#endif
