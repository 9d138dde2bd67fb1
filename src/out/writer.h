/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The forms of batch output. Never translated, always the C locale's numbers. */
#ifndef OUT_WRITER_H
#define OUT_WRITER_H

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

#endif
