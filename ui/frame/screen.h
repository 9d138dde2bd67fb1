/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of a screen share: the canvas, the glyphs, the model; inside ui/ only. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "ui/draw/canvas.h"
#include "ui/draw/glyphs.h"
#include "ui/draw/key_commands.h"
#include "ui/draw/layout.h"
#include "ui/frame/view.h"

/* Says where moving commands and searches lead among rows. */

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

/* One frame: it is drawn, or a key or a click is about it. */
struct screen {
	const struct view *v;
	const struct view_model *m;
	struct canvas *c;			/* NULL while nothing is drawn */
	/* where a frame notes what later keys need of it: rows that fit, where lists begin; NULL
	 * while nothing is drawn */
	struct view *note;
	const struct glyphs *g;
	const struct screen_tab *tabs;		/* by enum view_screen */
	int w, h;
	struct screen_layout l;
};

/* chrome.c: the lines around every screen. */
void chrome_layout(struct screen *s);
void chrome_draw(struct screen *s);
/* footer.c: draws the keys. */
void footer_draw(struct screen *s, struct rect r);

/* offer.c: notes what a click on these cells of the frame does: it carries out a command, or it
 * chooses a row of one of the screen's lists, which the screen numbers. What was noted before at
 * these cells is forgotten. */
void offer_command(const struct screen *s, struct rect r, enum command cmd);
void offer_row(struct screen *s, struct rect r, int list, int row);
/* The list of a menu's lines, on every screen. */
#define OFFER_MENU 6
/* Whether a row is offered at a cell, and which one of which list. */
bool offered_row(const struct canvas *frame, int x, int y, int *list, int *row);

/* A key that the last line names. other is its counterpart, named by its key only, or CMD_NONE. */
struct footer_key {
	enum command command, other;
	const char *title;	/* untranslated */
};

/* The footer of a screen, whose find and filter, when it has them, add their own keys. */
#define SCREEN_FOOTER(table) .footer = (table), .n_footer = (int)ARRAY_LEN(table)

/* A line of the menu of what a screen draws: it has its own functions, or switches a bool. */
struct drawn_line {
	const char *label;	/* untranslated */
	void (*value)(const struct view *v, const struct view_model *m, char *buf, size_t size);
	/* Changes it, by a step of -1 or 1. Returns what app has to do. */
	enum command (*change)(struct view *v, const struct view_model *m, int step);
	size_t bool_at;		/* of struct view, where the functions are NULL */
	const char *words[2];	/* what false and true mean, untranslated */
};

#define DRAWN_LINE(label, value, change) { (label), (value), (change), 0, { NULL, NULL } }
#define DRAWN_SWITCH(label, member, off, on) \
	{ (label), NULL, NULL, offsetof(struct view, member), { (off), (on) } }

#define SCREEN_DRAWN(table) .drawn = (table), .n_drawn = (int)ARRAY_LEN(table)
/* What Enter explains where it is no metric. */
enum explain { EXPLAIN_NOTHING = -1, EXPLAIN_ANSWER = -2, EXPLAIN_KERNEL = -3 };

/* A screen. Functions that are NULL do nothing. */
struct screen_ops {
	/* keys for the last line, best first; none: those that work everywhere */
	const struct footer_key *footer;
	int n_footer;
	/* what the menu of CMD_DRAWN changes */
	const struct drawn_line *drawn;
	int n_drawn;
	/* The metric that CMD_EXPLAIN is about, or one of enum explain. */
	int (*metric)(const struct view *v, const struct view_model *m);
	/* The user turns to it from another screen. */
	void (*enter)(struct view *v, const struct view_model *m);
	/* Draws into s->l.body. */
	void (*draw)(struct screen *s);
	/* Moves, and what Enter and other keys do here; v is s->v, to be changed. False: not
	 * its; *out: what app has to do. */
	bool (*command)(struct view *v, const struct screen *s, enum command cmd,
		enum command *out);
	/* Whether a field for numbers is selected, and takes a digit of one; NULL: digits always
	 * turn to screens. */
	bool (*takes_digits)(const struct view *v, const struct view_model *m);
	void (*digit)(struct view *v, char digit);
	/* Selects the next (step 1) or this or the next (step 0) row that contains the text. False:
	 * there is none. */
	bool (*find)(struct view *v, const struct screen *s, const char *text, int step);
	/* Where in struct view the screen's filter stands, VIEW_FILTER bytes; 0: it has none. */
	size_t filter_at;
	/* By what rows can be sorted, untranslated; where in struct view stand which of these holds
	 * now (an int) and whether the order is turned round (a bool). */
	const char *const *sorts;
	int n_sorts;
	size_t sort_at, invert_at;
	/* The user points at a row that a frame has offered. The model may have changed since. */
	void (*choose)(struct view *v, const struct view_model *m, int list, int row);
};

#define S(p, id, ui, name, keys, title, help) extern const struct screen_ops screen_##ui;
SCREEN_LIST(S, )
#undef S

struct screen_tab {
	const struct screen_ops *ops;
	enum command turn;		/* turns to it */
	const char *name;		/* in settings */
	const char *title;		/* untranslated */
};

/* Turns a bool of the view round, which stands at this offset. */
static inline void view_switch(struct view *v, size_t bool_at)
{
	bool *b = (bool *)((char *)v + bool_at);

	*b = !*b;
}

/* view_state.c: goes to the next row (step 1), or to this or the next one (step 0), that has the
 * text, by the screen's choose. False: no row of its list has it. */
bool view_find_row(struct view *v, const struct screen *s, const struct select_rows *rows,
	const char *text, int step);

/* A frame without a canvas. */
struct screen view_frame(const struct view *v, const struct view_model *m, int w, int h);

/* view_state.c: marks the window that is shown, or takes its mark away. */
void view_mark(struct view *v, const struct view_model *m);
/* Returns how many windows before the newest a mark is, -1 where the past that is kept has no such
 * window: it is too old, or of another set. */
int view_age_of_mark(const struct view_model *m, int64_t mark_ns);
/* Carries out the commands that walk through the past. Returns what is left to do. */
enum command view_walk_past(struct view *v, const struct view_model *m, enum command cmd);
/* Goes to the time that was typed, as far as the past is kept. */
enum command view_go_to(struct view *v, const struct view_model *m, const char *text);
/* screen_roofline.c: keeps the point of the level that is looked at. */
void roof_mark(struct view *v, const struct view_model *m);

/* playback_bar.c: where a recording plays; the model has a playback. */
void playback_bar_draw(struct screen *s, struct rect line);
/* Writes the same place in words: "recording 00:02.1 of 00:16.0". Returns buf. */
const char *playback_place(const struct playback *p, char *buf, size_t size);

/* Draws who uses the GPU most, in a frame. */
void procs_pane_draw(struct screen *s, struct rect box);

/* answer.c: what limits the device in what is shown; storage is used where no window says it. */
const struct verdict *answer_of(const struct view_model *m, struct verdict *storage);
/* Writes it as one line, which says where it is the answer of an earlier window. Returns buf. */
const char *answer_sentence(const struct view_model *m, char *buf, size_t size);

/* Boxes over a screen, and how far they can scroll in a frame of this size. */
void box_help_draw(struct screen *s);
int box_help_max_top(const struct screen *s);
/* metric is the one to explain, or one of enum explain. */
void box_explain_draw(struct screen *s, int metric);
int box_explain_max_top(const struct screen *s, int metric);

/* Frames with titles, boxes over the screen, and text that scrolls inside them. */

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
