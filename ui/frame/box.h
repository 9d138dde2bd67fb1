/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames with titles, boxes over the screen, and text that scrolls inside them. */
#ifndef UI_FRAME_BOX_H
#define UI_FRAME_BOX_H

#include <stdbool.h>

#include "ui/draw/canvas.h"

struct screen;

/* Draws the frame and the titles that fit; title and extra may be NULL. Returns the inside. */
struct rect box_frame(
	const struct screen *s, struct rect r, bool focus, const char *title, const char *extra);
/* Draws note at the right end of the upper line, if it fits beside used columns of titles. */
void box_note(const struct screen *s, struct rect r, int used, enum role role, const char *note);
/* Returns the columns that the titles of box_frame() use. */
int box_title_columns(const char *title, const char *extra);
/* Draws "1-6 of 14" and arrows in the lower line, when something is hidden. */
void box_scroll_mark(const struct screen *s, struct rect r, int top, int visible, int count);
/* Draws a frame in the middle of the screen, at most w x h, over blanked cells. */
struct rect box_over(const struct screen *s, int w, int h, const char *title);
/* Returns where box_over() puts the box, frame included. */
struct rect box_place(const struct screen *s, int w, int h);

/* Wraps text at blanks to r.w columns, draws r.h lines of it from line top on, and returns how many
 * there are in all; with c NULL it only counts. Where a line goes on, it is indented like its first
 * word. A line without a leading blank before one with a blank is a title. */
int box_text(struct canvas *c, struct rect r, int top, const char *text);
/* The same with all text in one role. */
int box_text_role(struct canvas *c, struct rect r, int top, enum role role, const char *text);

#endif
