/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A metric set of events that the user chose, as the text of a metric file. */
#ifndef BACKENDS_INTEL_OA_OA_CUSTOM_H
#define BACKENDS_INTEL_OA_OA_CUSTOM_H

#include <stdbool.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "core/device.h"

#define OA_CUSTOM_SET "custom"

/* Appends the set: on parts before Xe2 A(7 + i) counts event i, which gets a metric of its own, named after it. note
 * receives the manual's warnings about events; NULL: they are not wanted. Returns false when the
 * device has no flexible EU counters, or when an event is unknown, given twice or one too many. */
bool oa_custom_set(struct strbuf *out, const struct device *d, const char *const *events, int n,
	void (*note)(void *ctx, const struct err *err), void *ctx, struct err *err);
/* What the function above does for Xe2 and later, where an event is any of oa_pes_names, on a counter
 * that sees it. */
bool oa_custom_pes_set(struct strbuf *out, const struct device *d, const char *const *events, int n,
	struct err *err);

#endif
