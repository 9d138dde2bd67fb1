/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a snapshot as OpenMetrics text (openmetrics.io, version 1.0.0), or in the older text
 * format that node_exporter's textfile collector reads (Prometheus exposition format 0.0.4). Values
 * are in base units, as their names say. */
#ifndef OUT_OPENMETRICS_H
#define OUT_OPENMETRICS_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "core/metric.h"
#include "core/snapshot.h"

#define OPENMETRICS_TYPE "application/openmetrics-text; version=1.0.0; charset=utf-8"

/* One of the devices in the text. */
struct openmetrics_about {
	const char *name;
	const struct device *device;
	const struct metric_set *set;
	const char *how;
	const struct snapshot *snap;	/* NULL before the first complete window */
};

/* Appends the whole text of n devices. */
void openmetrics_write(
	const struct openmetrics_about *about, int n, bool legacy, struct strbuf *out);

#endif
