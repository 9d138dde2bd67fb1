/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a metric is called in Prometheus, in what unit, and whether it is a counter there. */
#ifndef OUT_EXPORT_METRIC_FAMILY_H
#define OUT_EXPORT_METRIC_FAMILY_H

#include "core/metric/metric.h"
#include "out/export/exposition.h"

/* Plain data. */
struct metric_family {
	char name[160];		/* "rooftop_gti_read_throughput_bytes_per_second" */
	char unit[64];		/* "bytes_per_second"; "" for plain numbers */
	enum exposition_type type;
	/* the metric's values are those of single windows, and the family is their sum */
	bool is_summed;
};

/* of_cells: a number for each cell of a map. */
void metric_family_of(const struct metric *m, bool of_cells, struct metric_family *out);

#endif
