/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of a screen share: the canvas, the glyphs, the model; inside ui/ only. */
#ifndef UI_SCREEN_H
#define UI_SCREEN_H

#include "ui/box.h"
#include "ui/canvas.h"
#include "ui/glyphs.h"
#include "ui/layout.h"
#include "ui/view.h"

/* One frame being drawn. */
struct screen {
	const struct view *v;
	const struct view_model *m;
	struct canvas *c;
	const struct glyphs *g;
	struct screen_layout l;
};

/* chrome.c: the lines around every screen. */
void chrome_layout(struct screen_layout *l, const struct view_model *m, int w, int h);
void chrome_draw(struct screen *s);
/* The command of the tab or function key that is drawn at the cell; CMD_NONE when there is none. */
enum command chrome_hit(const struct view *v, const struct view_model *m, int x, int y, int w, int h);

/* The screens proper, inside s->l.body. */
void screen_overview_draw(struct screen *s);
void screen_devices_draw(struct screen *s);
void screen_log_draw(struct screen *s);
/* Row of the device list that is drawn on line y, -1 when there is none. */
int screen_devices_row_at(const struct view *v, const struct view_model *m, int y, int w, int h);
/* Rows of the log that fit at this height. */
int screen_log_rows(const struct screen_layout *l);

/* Boxes over a screen, and how far they can scroll at this size. */
void box_help_draw(struct screen *s);
int box_help_max_top(int w, int h);
void box_explain_draw(struct screen *s);
int box_explain_max_top(const struct view *v, const struct view_model *m, int w, int h);

#endif
