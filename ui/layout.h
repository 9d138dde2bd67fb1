/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From sizes to rectangles; pure, so that its properties are tested over many sizes. A rectangle of
 * height 0 is absent. */
#ifndef UI_LAYOUT_H
#define UI_LAYOUT_H

#include <stdbool.h>

#include "ui/canvas.h"

#define LAYOUT_PANES 8
/* The size that a screen needs to show more than one number. */
#define LAYOUT_MIN_W 20
#define LAYOUT_MIN_H 4

struct screen_layout {
	bool number_only;	/* the screen is smaller than that, and body is all of it */
	struct rect header, tabs, body, info, footer;
};

/* extra_info: a third line at the bottom is wanted where there is room. */
void layout_screen(struct screen_layout *l, int w, int h, bool extra_info);

struct pane_layout {
	bool single;		/* only the focused pane has a rectangle */
	bool framed;
	struct rect pane[LAYOUT_PANES];
	int n_graphs;
	struct rect graph[LAYOUT_PANES];	/* large history graphs in what is left */
};

/* rows: what each of the n panes needs inside its frame. Panes that do not fit are cut fairly,
 * never below three rows. */
void layout_panes(struct pane_layout *l, struct rect body, int n, const int *rows, int focus);

/* Returns the first visible row so that selected is among visible of count rows; it moves as little
 * as possible from top. */
int layout_scroll(int top, int selected, int visible, int count);
/* Says whether the cell x, y lies in r. */
bool layout_hits(const struct rect *r, int x, int y);

#endif
