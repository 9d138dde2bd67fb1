/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The forms of batch output. They are never translated and use the C locale's numbers. */
#pragma once

#include <math.h>
#include <stdbool.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "core/metric/metric.h"
#include "core/snapshot/rotation.h"
#include "core/snapshot/snapshot.h"
#include "core/value/device.h"

/* What all windows of one device's run have in common. */
struct writer_run {
	const char *name;	/* of the device, in this output */
	bool several;		/* other devices write here, too: each line says whose it is */
	bool per_report;	/* a window is what lies between two reports */
	bool engine_classes;	/* engines of a class are one, where the form asks for it */
	bool lists_contexts;	/* what each context does was asked for */
	const struct device *device;
	const struct metric_set *set;
	const struct rotation *rotation;	/* tells which metrics are amounts */
	const char *how;
	/* the metrics that are written, in this order; heap, see writer_run_show() */
	int *shown;
	int n_shown;
	bool is_chosen;		/* the user named them */
	bool units;		/* CSV: a second line has the units */
	const struct cell_map *maps;	/* of the snapshots to come, without their values */
	int n_maps;
	int columns;		/* text: lines are cut to metrics that fit; 0: no limit */
	int rows;		/* text: the head is repeated after so many lines */
	int lines;		/* text: written since the head */
	/* text, set by begin(): the metrics of a line, in order, and how wide each column is with
	 * the blank before it; heap */
	struct {
		int metric, width;
	} *cells;
	int n_cells;
	bool has_context;	/* CSV, set by begin(): rows name the context of two reports */
	/* CSV, set by begin(): a row, heap, and its columns, which all devices share and the first
	 * one frees */
	double *row;
	int n_row;
	char **names;
	bool has_names;
};

/* begin() appends what stands once at the top, for all n runs. window() appends a whole snapshot of
 * one of them. Both append whole lines. */
struct writer {
	void (*begin)(struct writer_run *runs, int n, struct strbuf *out);
	void (*window)(struct writer_run *run, const struct snapshot *s, struct strbuf *out);
	void (*end)(struct strbuf *out);	/* what stands once at the end; NULL: nothing */
};

/* Says which metrics of the set are written; with NULL all that files have. The run frees the list. */
void writer_run_show(struct writer_run *run, int *shown, int n);
/* Says whether a metric is among them. */
bool writer_has(const struct writer_run *run, int metric);
/* Frees what begin() has left in a run. */
void writer_run_release(struct writer_run *run);

extern const struct writer text_writer;
extern const struct writer json_writer;
extern const struct writer csv_writer;
extern const struct writer gpu_top_writer;	/* of one device */

/* Says whether a file gets the metric: all but the hidden ones, and old names of metrics. */
static inline bool writer_shows(const struct metric *m)
{
	return !(m->flags & METRIC_HIDDEN) || m->flags & METRIC_OLD_NAME;
}
/* Returns a label, which is never translated in files and lines. The screen shows how busy a device
 * is of all time; lines have the metric, which is of the clocks that ran. */
static inline const char *writer_label(const struct metric *m)
{
	if (m->limit.while_awake && m->limit.role == LIMIT_BUSY)
		return "GPU busy awake";
	return text_or(m->label, m->name);
}

static inline const char *writer_unit(const struct metric *m)
{
	return text_or(m->unit_text, "");
}

/* Returns the context that ran between the two reports of a window; NULL when that is not told. */
static inline const struct context_row *writer_context(const struct snapshot *s)
{
	for (int i = 0; s->contexts && i < s->contexts->n; i++)
		if (s->contexts->rows[i].reports)
			return &s->contexts->rows[i];
	return NULL;
}

/* Returns the number, or NAN when there is none. */
static inline double writer_number(struct value v)
{
	return v.why == WHY_OK ? v.v : NAN;
}

/* Returns the reason why there is no number, as a word of files; NULL when there is one. */
static inline const char *writer_why(struct value v)
{
	if (v.why != WHY_OK)
		return why_name(v.why);
	return isfinite(v.v) ? NULL : why_name(WHY_OUT_OF_RANGE);
}
