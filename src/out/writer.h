/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The forms of batch output. Never translated, always the C locale's numbers. */
#ifndef OUT_WRITER_H
#define OUT_WRITER_H

#include <math.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "core/device.h"
#include "core/metric.h"
#include "core/snapshot.h"

/* What every window of a run has in common. */
struct writer_run {
	const struct device *device;
	const struct metric_set *set;
	const char *how;
	const struct cell_map *maps;	/* of the snapshots to come, without their values */
	int n_maps;
	int columns;		/* text: lines are cut to metrics that fit; 0: no limit */
	int rows;		/* text: the head is repeated after so many lines */
	int lines;		/* text: written since the head */
};

/* begin: what stands once at the top. window: a whole snapshot. Both append whole lines. */
struct writer {
	void (*begin)(struct writer_run *run, struct strbuf *out);
	void (*window)(struct writer_run *run, const struct snapshot *s, struct strbuf *out);
};

extern const struct writer text_writer;
extern const struct writer json_writer;
extern const struct writer csv_writer;

/* Metrics that a file gets: all but the hidden ones. */
static inline bool writer_shows(const struct metric *m)
{
	return !(m->flags & METRIC_HIDDEN);
}
/* Files and lines are never translated. */
static inline const char *writer_label(const struct metric *m)
{
	return m->label ? m->label : m->name;
}

static inline const char *writer_unit(const struct metric *m)
{
	return m->unit_text ? m->unit_text : "";
}

/* NAN when there is no number. */
static inline double writer_number(struct value v)
{
	return v.why == WHY_OK ? v.v : NAN;
}

/* Why there is no number, as a word of files; NULL when there is one. */
static inline const char *writer_why(struct value v)
{
	if (v.why != WHY_OK)
		return why_name(v.why);
	return isfinite(v.v) ? NULL : why_name(WHY_OUT_OF_RANGE);
}

#endif
