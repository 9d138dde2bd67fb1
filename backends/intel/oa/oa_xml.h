/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Imports Intel's public metric sets (oa-*.xml, plain or gzip) as metric sets. */
#ifndef BACKENDS_INTEL_OA_OA_XML_H
#define BACKENDS_INTEL_OA_OA_XML_H

#include "core/metric/metric.h"

/* Adds every set of the file whose chipset is read. Metric names are the symbol names in
 * snake_case. Register blocks become "block" directives with their test ("NOA $SliceMask 1 AND"),
 * which "registers" directives follow ("NOA 9888 104F00E0"), and the guid becomes a "guid"
 * directive. Sets hold what any device may have. Returns false when the XML itself is broken; err
 * names the file and line. */
bool oa_xml_load(struct metric_lib *lib, const char *path, metric_problem_fn *problem, void *ctx,
	struct err *err);
/* Does the same from memory (already decompressed), for tests and fuzzing. Messages use name. */
bool oa_xml_load_text(struct metric_lib *lib, const char *name, const char *text, size_t len,
	metric_problem_fn *problem, void *ctx, struct err *err);
/* Fits an imported set to a device whose topology is known, and does nothing to other sets or with
 * other devices: counters that the device lacks get no number, and with hide they are not shown
 * either. Others may read them still. */
void oa_xml_fit(struct metric_set *set, const struct device *dev, bool hide);
/* Turns "GtiReadThroughput" into "gti_read_throughput", "Fpu0Active" into "fpu0_active", "L3Misses"
 * into "l3_misses". Returns buf. */
const char *oa_xml_snake_case(const char *symbol, char *buf, size_t size);

#endif
