/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes results of commands as rows of aligned text, CSV or JSON lines, all from one description
 * of the columns. */
#pragma once

#include <stdbool.h>

#include "cli/options.h"
#include "core/value/unit.h"
#include "base/strbuf.h"

/* One column. name is the key in CSV and JSON and is never translated. head is the head in the text
 * form, not yet translated; with NULL the text form leaves the column out. */
struct column {
	const char *name, *head;
	int width;		/* of the text form */
	bool is_text;		/* left-aligned, quoted in JSON */
};

/* The caller owns this struct. */
struct rows {
	enum output_form form;	/* OUTPUT_NONE is text */
	const struct column *columns;
	int n_columns;
	struct strbuf *out;
	int at;			/* next column */
	/* text form: blanks that are due before the next cell, so that no line ends with blanks */
	int pad;
	struct unit_form unit;	/* of the cells that follow */
};

/* Starts the output. Text and CSV get a head; JSON has none. */
void rows_begin(struct rows *r, enum output_form form, const struct column *columns, int n_columns,
	struct strbuf *out);
/* These add cells in the order of the columns. NAN or a NULL text is written as "--", an empty cell
 * or null. */
void rows_text(struct rows *r, const char *text);
void rows_number(struct rows *r, double v);
/* The same for what is counted in 1e9 (GFLOP/s): text has each number with the prefix that suits it. */
void rows_giga(struct rows *r, double v);
/* Sets the unit of the cells that follow in the row. Text has them in that which suits the largest
 * value or the roof. */
void rows_in(struct rows *r, const char *unit, double largest);
/* These add that unit, and a number in it. */
void rows_unit(struct rows *r);
void rows_scaled(struct rows *r, double v, bool estimated);
/* The same for what is counted in whole numbers: text has no decimals. */
void rows_count(struct rows *r, double v);
/* Lines of text have the number as it is written here. */
void rows_written(struct rows *r, double v, const char *text);
void rows_bool(struct rows *r, bool v);
/* Ends a row; it has to follow the last cell. */
void rows_end(struct rows *r);
