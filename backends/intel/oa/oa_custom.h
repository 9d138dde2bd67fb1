/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A metric set of events that the user chose, as the text of a metric file. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "core/value/device.h"

/* The option that asks for one subslice, "SLICE.SUBSLICE", to count alone. */
#define OA_CUSTOM_IN_OPTION "eu-events-in"
/* The constant of an open device that tells how many EUs that subslice has. */
#define OA_CUSTOM_IN_EUS "eus_in_subslice"

/* Parses "0.3", which is subslice 3 of slice 0; both are below 100. */
bool oa_custom_place(const char *text, uint32_t *slice, uint32_t *subslice);
/* Returns how many EUs the subslice of an open device has; 0 with err, which names those that are
 * there, when it has none. */
int oa_custom_eus_in(const struct device *d, uint32_t slice, uint32_t subslice, struct err *err);
/* Appends the set: on parts before Xe2 A(7 + i) counts event i, which gets a metric of its own,
 * named after it. in is the one subslice that counts ("0.3"), NULL: all of them do. The caller adds
 * the directive. note receives the manual's warnings about events; NULL: they are not wanted.
 * Returns false when the device has no flexible EU counters, when an event is unknown, given twice
 * or one too many, or when there is no such subslice. */
bool oa_custom_set(struct strbuf *out, const struct device *d, const char *const *events, int n,
	const char *in, void (*note)(void *ctx, const struct err *err), void *ctx, struct err *err);
/* What the function above does for Xe2 and later, where an event is any of oa_pes_names, on a
 * counter that sees it. */
bool oa_custom_pes_set(struct strbuf *out, const struct device *d, const char *const *events, int n,
	struct err *err);
