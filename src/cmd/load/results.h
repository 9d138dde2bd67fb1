/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of jobs as rows: the table of columns and what each of them holds. */
#pragma once

#include "cmd/load/jobs.h"
#include "core/metric/metric.h"
#include "out/lines/rows.h"

enum result_columns {
	RESULTS_STRESS = 1 << 0,
	RESULTS_SWEEP = 1 << 1,
	RESULTS_CALIBRATE = 1 << 2,	/* what a roof says of its runs, behind its own columns */
	RESULTS_PROFILE = 1 << 3,	/* times of the parts of a run */
};

#define RESULTS_MAX_COLUMNS (64 + JOB_METRICS)

/* What the rows of a command are like. */
struct results_shape {
	enum output_form form;
	unsigned columns;		/* bits of enum result_columns */
	enum power_plane plane;		/* of the watts that efficiency is computed from */
	int runs;			/* that a row stands for, at most */
	/* columns that the command writes itself before results_row() adds the others */
	const struct column *lead;
	int n_lead;
	/* The metrics of this set get columns as well; NULL: none. The text form shows the first
	 * n_text of them, and what an option asked for. */
	const struct metric_set *metrics;
	int n_text;
};

/* results_begin() starts it. It holds the description of the columns. */
struct results {
	struct rows rows;
	struct column columns[RESULTS_MAX_COLUMNS];
	/* for each column its row of the table, or ~index of its metric */
	int which[RESULTS_MAX_COLUMNS];
	int n, n_lead;
	enum power_plane plane;
	/* S of the curve that groups follow, and the EUs; NAN when they are not known */
	double subslices, eus;
};

/* Begins the rows. */
void results_begin(struct results *r, const struct results_shape *shape, struct strbuf *out);
/* Writes a row for n runs of one job, with the medians of their numbers, the smallest and the
 * largest. run is the number of the run (from 1), or 0 where the row stands for all of them. */
void results_row(struct results *r, const struct job_result *runs, int n, int run);
/* Returns the median of one number of a row by the name of its column. NAN when no run has it. */
double results_number(
	const struct results *r, const char *column, const struct job_result *runs, int n);
/* Returns the run whose texts a row has: the first bad one, else the one whose rate is in the middle. */
const struct job_result *results_one(const struct job_result *runs, int n);
/* Returns buf with what the reader must know about a run: "simulated, above the bound", or "" when
 * there is nothing. */
const char *results_note(const struct job_result *run, char *buf, size_t size);
/* The same of all runs of a row. */
const char *results_notes(const struct job_result *runs, int n, char *buf, size_t size);

/* All of them return NAN where the name has no such number. */
/* Returns the bytes of a working set, as in "lat.chase.64k". */
double kernel_size_bytes(const char *kernel);
/* Returns the elements from one item's to the next one's, as in "mem.stride.s4". */
double kernel_stride(const char *kernel);
/* Returns the FLOP for each byte, as in "mix.sp.ai-0.25". */
double kernel_intensity(const char *kernel);
