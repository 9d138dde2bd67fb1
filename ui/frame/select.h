/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says where moving commands and searches lead among rows. */
#ifndef UI_FRAME_SELECT_H
#define UI_FRAME_SELECT_H

#include <stdbool.h>

#include "ui/draw/key_commands.h"

bool select_is_move(enum command cmd);
/* Returns where a moving command leads in a list of count rows, page of them visible. */
int select_move(enum command cmd, int now, int page, int count);
/* Says whether text contains part; the case of ASCII letters does not matter. */
bool select_contains(const char *text, const char *part);

/* There are n rows, of which number now is selected. */
struct select_rows {
	const void *rows;
	int n, now;
	bool (*has)(const void *rows, int row, const char *text);
};

/* Returns the next row (step 1), or this or the next one (step 0), that has the text. The search
 * goes around from the selected row; -1 means that no row has it. */
int select_find(const struct select_rows *r, const char *text, int step);

#endif
