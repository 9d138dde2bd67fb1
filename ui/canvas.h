/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A grid of styled cells in memory: panes draw here, term.c sends it to curses, tests and dumps
 * read it. Knows no terminal. */
#ifndef UI_CANVAS_H
#define UI_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

/* What a cell means; ui/style.c turns roles into colours per scheme. Colour only
 * repeats what the text says. */
enum role {
	ROLE_TEXT,
	ROLE_DIM,
	ROLE_TITLE,
	ROLE_BORDER,
	ROLE_FOCUS,
	ROLE_HEADER,
	ROLE_SIM,
	ROLE_KEY,
	ROLE_LABEL,
	ROLE_VALUE,
	ROLE_UNIT,
	ROLE_NONE_VALUE,
	ROLE_GOOD,
	ROLE_WARN,
	ROLE_BAD,
	ROLE_BAR_LOW,
	ROLE_BAR_MID,
	ROLE_BAR_HIGH,
	ROLE_BAR_EMPTY,
	ROLE_GRAPH,
	ROLE_GRAPH_FILL,
	ROLE_SELECTED,
	ROLE_MESSAGE,
	ROLE_COUNT
};

/* ch: one Unicode code point of width 1, or of width 2 followed by a cell with ch 0; combining
 * marks are dropped. */
struct cell {
	uint32_t ch;
	uint8_t role;
};

struct rect {
	int x, y, w, h;
};

/* Caller-owned; release frees the cells. Every drawing call clips to the canvas and to clip. */
struct canvas {
	int w, h;
	struct cell *cells;	/* row by row */
	struct rect clip;
};

/* w and h at least 1; a canvas of the same size keeps its memory. Contents become blanks of
 * ROLE_TEXT. */
void canvas_resize(struct canvas *c, int w, int h);
void canvas_clear(struct canvas *c);
void canvas_release(struct canvas *c);
/* Copies all of from, with its upper left cell at x, y; cells outside the canvas are left out. */
void canvas_copy(struct canvas *c, int x, int y, const struct canvas *from);
void canvas_clip(struct canvas *c, struct rect r);
void canvas_unclip(struct canvas *c);
void canvas_put(struct canvas *c, int x, int y, uint32_t ch, enum role role);
/* UTF-8 text from x on; returns the columns used, clipped ones included. */
int canvas_text(struct canvas *c, int x, int y, enum role role, const char *s);
int canvas_textf(struct canvas *c, int x, int y, enum role role, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
/* Clips the text to width columns and fills the rest with blanks; right aligns it right. */
void canvas_field(
	struct canvas *c, int x, int y, int width, bool right, enum role role, const char *s);
void canvas_fill(struct canvas *c, struct rect r, uint32_t ch, enum role role);

/* Writes the text plane as UTF-8: rows without trailing blanks, '\n' after each. */
void canvas_dump_text(const struct canvas *c, struct strbuf *out);
/* Text plane, then "--- roles" and one letter a cell ('A' + role, '.' for ROLE_TEXT), rows without
 * trailing dots. */
void canvas_dump_golden(const struct canvas *c, struct strbuf *out);
/* A self-contained SVG picture: braille, blocks and box drawing as shapes, text as text runs.
 * scheme as in style.h. */
void canvas_dump_svg(const struct canvas *c, int scheme, struct strbuf *out);

#endif
