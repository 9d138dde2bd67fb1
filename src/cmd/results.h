/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of jobs as rows: which columns there are, and what stands in them. */
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

/* results_begin() to start; the columns' description lives here. */
struct results {
	struct rows rows;
	struct column columns[RESULTS_MAX_COLUMNS];
	/* for each column its row of the table, or ~index of its metric */
	int which[RESULTS_MAX_COLUMNS];
	int n;
	/* S of the curve that groups follow; NAN when it is not known */
	double subslices;
};

/* columns: bits of enum result_columns. metrics: the metrics of this set get columns as well, of
 * which the text form shows the first n_text; NULL: none do. */
void results_begin(struct results *r, enum output_form form, unsigned columns,
	const struct metric_set *metrics, int n_text, struct strbuf *out);
/* A row of n runs of one job, with medians of their numbers. run: the number of the run (from 1), 0
 * where the row stands for all of them. */
void results_row(struct results *r, const struct job_result *runs, int n, int run);
/* One number of a row by the name of its column. */
double results_number(const struct results *r, const char *column, const struct job_result *run);
/* What must be said of a run: "simulated, above the bound", "" for nothing. Returns buf. */
const char *results_note(const struct job_state *state, char *buf, size_t size);

#endif
