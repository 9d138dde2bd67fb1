/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where moving commands and searches lead among rows. */
#ifndef UI_SELECT_H
#define UI_SELECT_H

#include <stdbool.h>

#include "core/command.h"

bool select_is_move(enum command cmd);
/* Returns where a moving command leads in a list of count rows, page of them visible. */
int select_move(enum command cmd, int now, int page, int count);
/* Says whether text contains part; the case of ASCII letters does not matter. */
bool select_contains(const char *text, const char *part);

/* n rows, of which number now is selected. */
struct select_rows {
	const void *rows;
	int n, now;
	bool (*has)(const void *rows, int row, const char *text);
};

/* The next row (step 1), or this or the next one (step 0), around from the selected one, that has
 * the text; -1 when there is none. */
int select_find(const struct select_rows *r, const char *text, int step);

#endif
