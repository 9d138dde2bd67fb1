/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of a screen share: the canvas, the glyphs, the model; inside ui/ only. */
#ifndef UI_SCREEN_H
#define UI_SCREEN_H

#include "base/mem.h"
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
/* footer.c: draws (or, with c NULL, only measures) the keys; the one at column hit is written to
 * *found. */
void footer_walk(const struct view *v, const struct view_model *m, struct canvas *c, struct rect r,
	int hit, enum command *found);
/* The first function key of a command, or the first of its other keys; "" when it has none. Returns
 * buf. */
const char *chrome_key_of(enum command cmd, bool function, char *buf, size_t size);
/* The command of the tab or function key that is drawn at the cell; CMD_NONE when there is none. */
enum command chrome_hit(
	const struct view *v, const struct view_model *m, int x, int y, int w, int h);

/* A key named in the last line. other: its counterpart, named by its key only, or CMD_NONE. */
struct footer_key {
	enum command command, other;
	const char *title;	/* untranslated */
};

/* The footer of a screen, whose find and filter, when it has them, add their own keys. */
#define SCREEN_FOOTER(table) .footer = (table), .n_footer = (int)ARRAY_LEN(table)

/* A screen. Functions that are NULL do nothing. */
struct screen_ops {
	const char *name;		/* in settings */
	/* of its tab; brief where the line is short; untranslated */
	const char *title, *brief;
	enum command turn;		/* turns to it */
	/* group of the commands that work only here ("on-processes"), or NULL */
	const char *keys;
	/* what the last line names here, best first; none: what works everywhere */
	const struct footer_key *footer;
	int n_footer;
	/* The metric that Enter explains, -1 when there is none; NULL function: Enter does
	 * something else, or nothing. */
	int (*metric)(const struct view *v, const struct view_model *m);
	/* Draws into s->l.body. */
	void (*draw)(struct screen *s);
	/* Moves, and the commands of its own group. False: not its; *out: what app has to do. */
	bool (*command)(struct view *v, const struct view_model *m, enum command cmd, int w, int h,
		enum command *out);
	/* Selects the next (step 1) or this or the next (step 0) row that contains the text. False:
	 * there is none. */
	bool (*find)(struct view *v, const struct view_model *m, const char *text, int step, int w,
		int h);
	/* Where the screen's filter stands, PROMPT_TEXT bytes at most; NULL function: it has
	 * none. */
	char *(*filter)(struct view *v, size_t *size);
	/* A click inside the body. */
	void (*click)(struct view *v, const struct view_model *m, const struct key_event *k, int w,
		int h);
};

extern const struct screen_ops screen_overview, screen_map, screen_roofline, screen_stress,
	screen_procs, screen_devices, screen_log;
/* By enum view_screen. */
extern const struct screen_ops *const screen_table[VIEW_SCREENS];

/* The metric that Enter explains on the screen that is shown, -1 when there is none. */
int view_metric(const struct view *v, const struct view_model *m);
/* Who uses the GPU most, in a frame. */
void procs_pane_draw(struct screen *s, struct rect box);
bool view_is_move(enum command cmd);
/* Where a moving command leads in a list of count rows, page of them visible. */
int view_move(enum command cmd, int now, int page, int count);
/* text contains part, whatever the case of ASCII letters. */
bool view_contains(const char *text, const char *part);
/* The next one (step 1), or this or the next one (step 0), of n rows around from now whose text
 * contains it; -1: there is none. */
int view_find_row(const char *text, int step, int now, int n,
	bool (*has)(const void *rows, int row, const char *text), const void *rows);
/* x, y lies in r. */
bool view_in_rect(const struct rect *r, int x, int y);

/* Boxes over a screen, and how far they can scroll at this size. */
void box_help_draw(struct screen *s);
int box_help_max_top(enum view_screen screen, int w, int h);
void box_setup_draw(struct screen *s);
/* False, and the box is closed: not its command. *out: what is still to be done, by the view or by
 * app. */
bool box_setup_command(
	struct view *v, const struct view_model *m, enum command cmd, int h, enum command *out);
void box_explain_draw(struct screen *s);
int box_explain_max_top(const struct view *v, const struct view_model *m, int w, int h);

#endif
