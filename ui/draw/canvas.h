/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A grid of styled cells in memory: panes draw into it, painter.c draws it on a terminal, tests and
 * dumps read it. It knows no terminal. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

/* The role of a cell says what it means; ui/draw/style.c turns roles into colours for each scheme.
 * Colour only repeats what the text says. */
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
	ROLE_BAR,
	ROLE_BAR_EMPTY,
	ROLE_GRAPH,
	ROLE_GRAPH_FILL,
	ROLE_SELECTED,
	ROLE_MESSAGE,
	ROLE_COUNT
};

/* ch is one Unicode code point of width 1, or of width 2 followed by a cell with ch 0. Combining
 * marks are dropped. offer says what a click on the cell chooses, as ui/frame/screen.h has it. */
struct cell {
	uint32_t ch;
	uint8_t role;
	uint16_t offer;
};

struct rect {
	int x, y, w, h;
};

/* The caller owns the canvas; canvas_release() frees its cells. Every drawing call clips to the
 * canvas and to clip. */
struct canvas {
	int w, h;
	struct cell *cells;	/* they lie row by row */
	struct rect clip;
};

/* Gives the canvas a size; w and h are at least 1. A canvas of the same size keeps its memory. All
 * cells become blanks of ROLE_TEXT. */
void canvas_resize(struct canvas *c, int w, int h);
void canvas_clear(struct canvas *c);
void canvas_release(struct canvas *c);
/* Copies all of from, with its upper left cell at x, y; cells outside the canvas are left out. */
void canvas_copy(struct canvas *c, int x, int y, const struct canvas *from);
void canvas_clip(struct canvas *c, struct rect r);
void canvas_unclip(struct canvas *c);
void canvas_put(struct canvas *c, int x, int y, uint32_t ch, enum role role);
/* Draws UTF-8 text from column x on; returns how many columns it takes, clipped ones included. */
int canvas_text(struct canvas *c, int x, int y, enum role role, const char *s);
int canvas_textf(struct canvas *c, int x, int y, enum role role, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
/* Clips the text to width columns and fills the rest with blanks; right aligns it at the right
 * end. */
void canvas_field(
	struct canvas *c, int x, int y, int width, bool right, enum role role, const char *s);
void canvas_fill(struct canvas *c, struct rect r, uint32_t ch, enum role role);

/* Writes the text plane as UTF-8. Rows lose their trailing blanks, and each ends with '\n'. */
void canvas_dump_text(const struct canvas *c, struct strbuf *out);
/* Writes the text plane, then "--- roles" and one letter for each cell ('A' + role, '.' for
 * ROLE_TEXT); rows lose their trailing dots. */
void canvas_dump_golden(const struct canvas *c, struct strbuf *out);
/* Writes a self-contained SVG picture: braille, blocks and box drawing become shapes, text becomes
 * runs of text. scheme is one of style.h. */
void canvas_dump_svg(const struct canvas *c, int scheme, struct strbuf *out);
