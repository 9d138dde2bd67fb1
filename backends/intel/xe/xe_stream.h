/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source "oa" of an xe card: its OA unit programmed for a metric set and read through the
 * kernel's stream. */
#ifndef BACKENDS_INTEL_XE_XE_STREAM_H
#define BACKENDS_INTEL_XE_XE_STREAM_H

#include "backends/common/backend.h"
#include "backends/intel/xe/xe_node.h"

/* Opens the stream. The node is open and identified; the stream takes it over, and closes it on
 * failure. Returns NULL on failure; err names the object, the reason and the way out. ERR_PARSE and
 * ERR_USAGE are mistakes in the set, everything else is a refusal by the machine. */
struct source *xe_stream_open(struct drm_node *n, const struct xe_facts *f, const struct device *d,
	const struct open_options *o, struct err *err);
/* Makes the stream count another set. When it returns false with err, the stream counts what it did
 * before. */
bool xe_stream_reprogram(struct source *s, const struct device *d, const struct metric_set *set,
	struct err *err);

#endif
