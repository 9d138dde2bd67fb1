/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of jobs as rows: the table of columns and what each of them holds. */
#ifndef CMD_RESULTS_H
#define CMD_RESULTS_H

#include "cmd/jobs.h"
#include "out/rows.h"
#include "core/metric.h"

enum result_columns {
	RESULTS_STRESS = 1 << 0,
	RESULTS_SWEEP = 1 << 1,
	RESULTS_PROFILE = 1 << 2,	/* times of the parts of a run */
};

#define RESULTS_MAX_COLUMNS (40 + JOB_METRICS)

/* results_begin() starts it. It holds the description of the columns. */
struct results {
	struct rows rows;
	struct column columns[RESULTS_MAX_COLUMNS];
	/* for each column its row of the table, or ~index of its metric */
	int which[RESULTS_MAX_COLUMNS];
	int n;
	/* S of the curve that groups follow; NAN when it is not known */
	double subslices;
};

/* Begins the rows. columns has bits of enum result_columns. The metrics of the set in metrics get
 * columns as well, and the text form shows the first n_text of them; with NULL there are none. */
void results_begin(struct results *r, enum output_form form, unsigned columns,
	const struct metric_set *metrics, int n_text, struct strbuf *out);
/* Writes a row for n runs of one job, with the medians of their numbers. run is the number of the
 * run (from 1), or 0 where the row stands for all of them. */
void results_row(struct results *r, const struct job_result *runs, int n, int run);
/* Returns one number of a row by the name of its column. */
double results_number(const struct results *r, const char *column, const struct job_result *run);
/* Returns buf with what the reader must know about a run: "simulated, above the bound", or "" when
 * there is nothing. */
const char *results_note(const struct job_state *state, char *buf, size_t size);

#endif
