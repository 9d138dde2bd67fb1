/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boxes of lines to choose from or to change: setup, sets, what a screen draws, how it sorts. */
#pragma once

#include "base/strbuf.h"
#include "ui/frame/screen.h"

struct menu_line {
	char label[96], value[160];
	bool now;	/* it is what holds now */
};

struct menu_ops {
	const char *title;	/* untranslated */
	/* Enter chooses a line and closes the box; else Left, Right and Enter change it. */
	bool chooses;
	int (*count)(const struct screen *s);
	void (*line)(const struct screen *s, int i, struct menu_line *out);
	/* Changes or chooses line i; step is -1 or 1, v is s->v, to be changed. Returns what app
	 * has to do. */
	enum command (*change)(struct view *v, const struct screen *s, int i, int step);
	/* Optional. Adds a text about line i, which stands below the lines. */
	void (*about)(const struct screen *s, int i, struct strbuf *out);
};

extern const struct menu_ops menu_setup, menu_sets, menu_drawn, menu_sort;

/* Opens a menu; where one of its lines is chosen, at the one that holds now. */
void menu_open(struct view *v, enum view_menu menu);
void menu_draw(struct screen *s);
/* out is what the view or app still has to do. False: the command is not the menu's, which
 * closes. */
bool menu_command(struct view *v, const struct screen *s, enum command cmd, enum command *out);
