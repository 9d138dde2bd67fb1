/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames with titles, boxes over the screen, and text that scrolls inside them. */
#ifndef UI_BOX_H
#define UI_BOX_H

#include <stdbool.h>

#include "ui/canvas.h"
#include "ui/glyphs.h"

/* Draws the frame and the titles that fit; title and extra may be NULL. Returns the inside. */
struct rect box_frame(struct canvas *c, const struct glyphs *g, struct rect r, bool focus,
	const char *title, const char *extra);
/* Words at the right end of the upper line, when they fit beside used columns of titles. */
void box_note(struct canvas *c, const struct glyphs *g, struct rect r, int used, enum role role,
	const char *note);
/* Columns that the titles of box_frame() use. */
int box_title_columns(const char *title, const char *extra);
/* "1-6 of 14" and arrows in the lower line, when something is hidden. */
void box_scroll_mark(
	struct canvas *c, const struct glyphs *g, struct rect r, int top, int visible, int count);
/* A frame in the middle of the screen, at most w x h, over blanked cells. */
struct rect box_over(struct canvas *c, const struct glyphs *g, int w, int h, const char *title);
/* Where box_over() puts it, frame included. */
struct rect box_place(int screen_w, int screen_h, int w, int h);

/* Text wrapped at blanks to w columns: draws the lines from top on (h of them) and returns how many
 * there are in all. A line's continuation is indented like its first word. c NULL: only counts. A
 * line without a leading blank before one with it is a title. */
int box_text(struct canvas *c, struct rect r, int top, const char *text);
/* The same, all of it in one role. */
int box_text_role(struct canvas *c, struct rect r, int top, enum role role, const char *text);

#endif
