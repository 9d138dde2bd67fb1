/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of papers: what they are made of, drawn and compared. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "cmd/load/csv_table.h"
#include "cli/options.h"

#define FIGURE_MAX_Y 4
#define FIGURE_WORD 24
#define FIGURE_PATTERNS 160

enum figure_style { FIGURE_LINES, FIGURE_BARS };

/* One picture. All texts are copies. */
struct figure {
	char number[FIGURE_WORD];	/* "4.07-sp": it becomes fig-4.07-sp.svg */
	char title[112];
	char kernels[FIGURE_PATTERNS];	/* patterns between blanks */
	char x[FIGURE_WORD];		/* a column of the results */
	char y[FIGURE_MAX_Y][FIGURE_WORD];	/* columns; "power" is that of the plane */
	int n_y;
	enum figure_style style;
	bool collapse;			/* kernels of one operation are one curve, the best of them */
	bool by_family;			/* kernels that differ in their last word are one curve */
	bool log_x, log_y;
	uint64_t loop;			/* 0: the paper's */
};

enum take_how {
	TAKE_NONE,
	TAKE_MAX,	/* the largest of all points */
	TAKE_MEAN,	/* the mean over kernels of the largest of each */
	TAKE_AT,	/* the largest at one number of work-groups */
	/* the mean over kernels of the smallest value(k + 1) / value(k): 1 without teeth */
	TAKE_TEETH,
	/* (largest - smallest) / mean over kernels of the largest of each */
	TAKE_SPREAD,
};

/* How a number is taken from the results. */
struct take {
	enum take_how how;
	double groups;			/* the only number that counts, or 0; TAKE_AT has one */
	char column[FIGURE_WORD];
	char kernels[FIGURE_PATTERNS];
	uint64_t loop;			/* 0: the paper's */
};

/* One published number, or an order: which kernel has the largest or smallest of a column. */
struct figure_check {
	char text[112], where[FIGURE_WORD];
	double value, within_pct;
	bool above;			/* no value is published but that it is more than this one */
	char unit[FIGURE_WORD];
	struct take take, over;		/* over: what it is divided by, or TAKE_NONE */
	char width[8];			/* of an order: "x2"; else "" */
	bool lowest;
};

/* paper_free() frees it. */
struct paper {
	char name[FIGURE_WORD], title[160], machine[160];
	char plane[FIGURE_WORD];	/* of power, as --power-plane has it; "": the default */
	double rounds;			/* of the subslices, within which every number is a point */
	uint64_t group_size, loop;
	struct figure *figures;
	size_t n_figures, figures_cap;
	struct figure_check *checks;
	size_t n_checks, checks_cap;
};

/* Reads a paper that is part of the program, by its name, or a file, by its path (which has a slash
 * or ends in .figures). Errors name file and line. */
struct paper *paper_read(const char *name, struct err *err);
void paper_free(struct paper *p);
/* Appends the papers that are part of the program, a line each. */
void paper_list(struct strbuf *out);
/* Whether a kernel is one of those that the patterns between blanks mean. */
bool figure_has(const char *patterns, const char *kernel);

/* What was measured: one table, or several that are drawn into the same pictures. Plain data. */
struct figure_data {
	const struct csv_table *tables;
	int n_tables;
	const char *power;	/* the column of power; see --power-plane */
	const char *power_words;	/* "package less cores less DRAM" */
	const char *plane;	/* as --power-plane has it */
	char date[16];		/* of the drawing, local */
};

/* What became of a figure: how many curves it has, and whether any of its kernels ran. */
struct figure_drawn {
	int curves;
	bool ran;
};

/* Draws one figure into a file. Without any curve no file is written. Where the
 * loop of figure and paper is 0, every row counts, and where the paper has no rounds, every x. */
bool figure_draw(const struct paper *p, const struct figure *f, const struct figure_data *d,
	const char *path, struct figure_drawn *drawn, struct err *err);

/* Returns the number of a row that a word of a figure or check means: a column, "power", or A-B,
 * the difference of two columns. */
double figure_cell(const struct figure_data *d, const struct csv_table *t, size_t row,
	const char *word);

/* Tells whether a word means watts or what is divided by them. */
bool figure_is_power(const char *word);

/* Returns what stands at the axis of a column, in the user's language. */
const char *figure_axis(const char *column);

/* Appends the table of published numbers, and in the text form what they come to. */
void figures_compare(const struct paper *p, const struct figure_data *d, enum output_form form,
	struct strbuf *out);
