/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep makes of its results in the end: pictures, and a paper's figures and numbers. */
#ifndef CMD_SWEEP_SWEEP_PICTURES_H
#define CMD_SWEEP_SWEEP_PICTURES_H

#include "cmd/load/power_plane.h"
#include "cmd/sweep/sweep_plan.h"

struct sweep_end {
	const struct options *opt;
	enum power_plane plane;
	const struct sweep_wish *wish;
	const char *csv;	/* all rows with their head */
};

/* Draws pictures over the column that was swept: FILE.svg gives FILE-gflops.svg and so on. */
bool sweep_draw_over(const struct sweep_end *e, struct err *err);
/* Draws the figures of the paper beside the file of rows, and appends the table of its numbers to
 * out in the form of the options. */
bool sweep_draw_figures(const struct sweep_end *e, const char *file, struct strbuf *out,
	struct err *err);

#endif
