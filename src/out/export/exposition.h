/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes families of samples in the two forms that Prometheus reads: its own text format 0.0.4, and
 * OpenMetrics 1.0.0 (openmetrics.io). */
#pragma once

#include <stdbool.h>

#include "base/strbuf.h"
#include "core/metric/metric.h"
#include "core/value/device.h"

enum exposition_form {
	EXPOSITION_OPENMETRICS,
	EXPOSITION_TEXT,	/* what node_exporter, promtool and older readers take */
	EXPOSITION_FORMS
};

enum exposition_type { EXPOSITION_GAUGE, EXPOSITION_COUNTER, EXPOSITION_INFO };

/* Zeroed but for form and out, which the caller sets. */
struct exposition {
	enum exposition_form form;
	struct strbuf *out;
	char sample[176];	/* name of the samples of the family that was begun last */
	bool has_labels;	/* of the sample that was begun last */
};

/* Begins a family. name has neither the "_total" of a counter nor the "_info" of an info family;
 * these are added where the form wants them. unit is a part of name at its end, or "". */
void exposition_family(struct exposition *e, const char *name, enum exposition_type type,
	const char *unit, const char *help);
/* A sample of that family: begin, any number of labels, end. Bytes of a value that are no UTF-8,
 * which would make a reader refuse the whole text, become U+FFFD. */
void exposition_begin(struct exposition *e);
/* The same with the labels of a device, which say when it is not live hardware. */
void exposition_begin_of(struct exposition *e, const char *name, const struct device *d);
void exposition_label(struct exposition *e, const char *name, const char *value);
void exposition_end(struct exposition *e, double v);
/* Ends the text. */
void exposition_finish(struct exposition *e);

/* What a metric is called in Prometheus, in what unit, and whether it is a counter there. */

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
