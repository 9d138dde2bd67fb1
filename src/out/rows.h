/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of commands as rows: aligned text, CSV or JSON lines, from one description of the
 * columns. */
#ifndef OUT_ROWS_H
#define OUT_ROWS_H

#include <stdbool.h>

#include "cli/options.h"
#include "base/strbuf.h"

/* One column. name: the key in CSV and JSON, never translated. head: the head in the text form, not
 * yet translated; NULL: the text form leaves the column out. */
struct column {
	const char *name, *head;
	int width;		/* of the text form */
	bool is_text;		/* left-aligned, quoted in JSON */
};

/* Caller-owned. */
struct rows {
	enum output_form form;	/* OUTPUT_NONE is text */
	const struct column *columns;
	int n_columns;
	struct strbuf *out;
	int at;			/* next column */
	/* text: blanks that are due before the next cell, so that no line ends with blanks */
	int pad;
};

/* Starts the output: head of text and CSV; JSON has none. */
void rows_begin(struct rows *r, enum output_form form, const struct column *columns, int n_columns,
	struct strbuf *out);
/* Cells in the order of the columns. NAN is --, an empty cell or null; text NULL likewise. */
void rows_text(struct rows *r, const char *text);
void rows_number(struct rows *r, double v);
void rows_bool(struct rows *r, bool v);
/* After the last cell. */
void rows_end(struct rows *r);

#endif
