/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From sizes to rectangles; pure, so that its properties are tested over many sizes. A rectangle of
 * height 0 is absent. */
#pragma once

#include <stdbool.h>

#include "ui/draw/canvas.h"

/* The size that a screen needs to show more than one number. */
#define LAYOUT_MIN_W 20
#define LAYOUT_MIN_H 4

struct screen_layout {
	bool number_only;	/* the screen is smaller than that, and body is all of it */
	struct rect header, tabs, body, info, footer;
};

/* most_info: how many lines are wanted above the keys, where there is room. */
void layout_screen(struct screen_layout *l, int w, int h, int most_info);

/* Returns the first visible row so that selected is among visible of count rows; it moves as little
 * as possible from top. */
int layout_scroll(int top, int selected, int visible, int count);
/* Says whether the cell x, y lies in r. */
bool layout_hits(const struct rect *r, int x, int y);
