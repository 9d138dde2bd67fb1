/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the groups of a launch ran, as rows: one for each subslice that had any. */
#ifndef CMD_LOAD_PLACEMENT_TABLE_H
#define CMD_LOAD_PLACEMENT_TABLE_H

#include "cmd/load/jobs.h"
#include "core/work/placement.h"
#include "out/lines/rows.h"

#define WHERE_COLUMNS 6		/* before those of the EUs */

/* where_init() starts it. It holds the description of the columns. */
struct where {
	struct rows rows;
	struct column columns[WHERE_COLUMNS + PLACEMENT_EUS];
	char names[PLACEMENT_EUS][8], heads[PLACEMENT_EUS][8];
	enum output_form form;
	bool begun;
	int eus, subslices;	/* of the device; 0: not known */
	struct strbuf *out;
};

/* Makes rows that go to out; t is of the device that runs the launches, or NULL. */
void where_init(struct where *w, enum output_form form, const struct topology *t,
	struct strbuf *out);
/* Adds the rows of one job, and in text a sentence about them. Returns false with err when nobody
 * knows where its groups ran. */
bool where_rows(struct where *w, const struct job_result *job, const struct placement *p,
	struct err *err);

#endif
