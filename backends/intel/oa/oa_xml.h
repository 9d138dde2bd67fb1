/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Import of Intel's public metric sets (oa-*.xml, plain or gzip) as metric sets. */
#ifndef BACKENDS_INTEL_OA_OA_XML_H
#define BACKENDS_INTEL_OA_OA_XML_H

#include "core/metric.h"

/* Adds every set of the file whose chipset is read; counters whose availability test fails on this
 * device are left out. Metric names are the symbol names in snake_case. Register blocks become
 * "registers" directives ("NOA 9888 104F00E0"; of several blocks of one kind the last available one
 * counts), the guid a "guid" directive. dev may be NULL: then every counter is taken as available.
 * False with err naming the file and line when the XML itself is broken. */
bool oa_xml_load(struct metric_lib *lib, const char *path, const struct device *dev,
	metric_problem_fn *problem, void *ctx, struct err *err);
/* As above from memory (already decompressed), for tests and fuzzing. name is used in messages. */
bool oa_xml_load_text(struct metric_lib *lib, const char *name, const char *text, size_t len,
	const struct device *dev, metric_problem_fn *problem, void *ctx, struct err *err);
/* "GtiReadThroughput" -> "gti_read_throughput", "Fpu0Active" -> "fpu0_active", "L3Misses" ->
 * "l3_misses". Returns buf. */
const char *oa_xml_snake_case(const char *symbol, char *buf, size_t size);

#endif
