/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A number explains itself: equation, raw counters of this window, range and source. For "--" the
 * reason is given. */
#pragma once

#include "base/strbuf.h"
#include "core/value/history.h"
#include "core/metric/metric.h"
#include "core/snapshot/snapshot.h"

/* Appends lines of text (translated headings, separated by '\n'). snap and history may be NULL;
 * then only the static part is added. */
void explain_metric(struct strbuf *out, const struct metric_set *set, int metric,
	const struct snapshot *snap, const struct history *history);

/* Appends what a raw counter of the set counts, and which metrics read it. Returns false when no
 * equation of the set names such a counter. */
bool explain_counter(struct strbuf *out, const struct metric_set *set, const char *name);

/* Appends where the metric's roof comes from on that device: a line for the source, one where
 * nothing confirms it, one for what such devices reach. Nothing when it is computed. */
void explain_bound(
	struct strbuf *out, const struct metric_set *set, int metric, const struct device *dev);

/* Whether the metric reads a counter that a source of that feed has no number for in this
 * window. */
bool explain_lacks(
	const struct metric_set *set, int metric, const struct snapshot *snap, const char *feed);
