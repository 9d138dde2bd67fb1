/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source "oa" of an xe card: its OA unit programmed for a metric set and read through the
 * kernel's stream. */
#ifndef BACKENDS_INTEL_XE_XE_STREAM_H
#define BACKENDS_INTEL_XE_XE_STREAM_H

#include "backends/backend.h"
#include "backends/intel/xe/xe_node.h"

/* The node is open and identified; the stream takes it over, and closes it when it fails. NULL with
 * err: the object, the reason, the way out; ERR_PARSE and ERR_USAGE are mistakes in the set,
 * everything else is the machine's refusal. */
struct source *xe_stream_open(struct drm_node *n, const struct xe_facts *f, const struct device *d,
	const struct open_options *o, struct err *err);
/* Makes it count another set. False with err: it counts what it did. */
bool xe_stream_reprogram(struct source *s, const struct metric_set *set, struct err *err);

#endif
