/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of a table are as wide as what stands in them; one of them takes what is left. */
#pragma once

#include <stdbool.h>

#include "ui/frame/screen.h"

/* A column with w 0 has no room. */
struct table_column {
	const char *head;
	int x, w;
	bool right;	/* the text is aligned right */
	int least;	/* of a flexible one, before other columns vanish; 0: as usual */
};

/* Returns w, or the columns of the text when that is more. */
int table_longest(int w, const char *text);
/* Translates the heads, and makes their columns at least as wide. */
void table_heads(struct table_column *k, int n);
/* Places columns side by side, with two blanks between them. The flexible one (-1: none) takes what
 * is left; the last ones vanish when there is no room. */
void table_place(struct table_column *k, int n, int flexible, int x, int w);
/* Columns in this order keep their widths as long as there is room for them and the blanks between
 * them, the others get none. Returns what is left of w. */
int table_fit(struct table_column *k, const int *order, int n, int w);
/* Places columns from x on as wide as they are. */
void table_lay(struct table_column *k, int n, int x);
/* Draws one cell. Text that is too long ends with an ellipsis. */
void table_cell(
	struct screen *s, const struct table_column *k, int y, enum role role, const char *text);
/* Draws a number as long as its column has room for. */
void table_number(
	struct screen *s, const struct table_column *k, int y, enum role role, double v);
/* Makes line y of a pane a row of the screen's list 0: a click there chooses it, and the row that
 * is selected now has a mark at x. */
void table_row(struct screen *s, struct rect pane, int x, int y, int row, bool now);
void table_heads_draw(struct screen *s, const struct table_column *k, int n, int y);
