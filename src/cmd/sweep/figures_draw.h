/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the figures of a paper from tables of results, and compares its numbers with them. */
#ifndef CMD_SWEEP_FIGURES_DRAW_H
#define CMD_SWEEP_FIGURES_DRAW_H

#include "cmd/load/csv_table.h"
#include "cmd/sweep/figures.h"
#include "cli/options.h"

/* What was measured: one table, or several that are drawn into the same pictures. Plain data. */
struct figure_data {
	const struct csv_table *tables;
	int n_tables;
	const char *power;	/* the column of power; see --power-plane */
	const char *power_words;	/* "package less cores less DRAM" */
	const char *plane;	/* as --power-plane has it */
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

/* The label of a kernel among others: those parts of its name in which they differ. */
void figure_label(char *buf, size_t size, const char *kernel, const char *const *others, int n);

/* Takes a number from the first table; NAN where it has none. loop is the paper's. */
double figure_take(const struct take *t, const struct figure_data *d, uint64_t loop);

/* Appends the table of published numbers, and in the text form what they come to. */
void figures_compare(const struct paper *p, const struct figure_data *d, enum output_form form,
	struct strbuf *out);

#endif
