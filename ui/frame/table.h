/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of a table are as wide as what stands in them; one of them takes what is left. */
#ifndef UI_FRAME_TABLE_H
#define UI_FRAME_TABLE_H

#include <stdbool.h>

#include "ui/frame/screen.h"

/* A column with w 0 has no room. */
struct table_column {
	const char *head;
	int x, w;
	bool right;	/* the text is aligned right */
};

/* Returns w, or the columns of the text when that is more. */
int table_longest(int w, const char *text);
/* Translates the heads, and makes their columns at least as wide. */
void table_heads(struct table_column *k, int n);
/* Places columns side by side, with two blanks between them. The flexible one (-1: none) takes what
 * is left; the last ones vanish when there is no room. */
void table_place(struct table_column *k, int n, int flexible, int x, int w);
/* Draws one cell. Text that is too long ends with an ellipsis. */
void table_cell(
	struct screen *s, const struct table_column *k, int y, enum role role, const char *text);
void table_heads_draw(struct screen *s, const struct table_column *k, int n, int y);

#endif
