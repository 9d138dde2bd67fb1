/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The drawing characters, once in Unicode and once in 7 bits. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ui/draw/canvas.h"

struct glyphs {
	uint32_t across, down, top_left, top_right, bottom_left, bottom_right;
	uint32_t bar_full, bar_half, bar_empty;	/* bar_half 0: bars end at whole cells */
	uint32_t bar_wait;			/* the waiting part of a bar of time */
	uint32_t marker;			/* before the selected row */
	uint32_t more_up, more_down;		/* rows are hidden there */
	uint32_t tick;				/* on the axis of a graph */
	uint32_t point, point_hollow;		/* in a plot: what is measured, what is expected */
	uint32_t kernel[3];			/* there: a kernel, by its share of time */
	uint32_t ellipsis;			/* at the end of a text that is cut */
	int ellipsis_w;				/* how often */
	bool braille;				/* graphs of 2x4 dots a cell */
};

const struct glyphs *glyphs_for(bool ascii);
/* Replaces every code point above 0x7e by '?': names come from outside and know nothing of the
 * flag. */
void glyphs_force_ascii(struct canvas *c);

/* Text in width columns, the rest blanks, with an ellipsis where it is cut. */
void glyphs_field(struct canvas *c, const struct glyphs *g, int x, int y, int width, enum role role,
	const char *s);
/* The same for a sentence: where it is too long it ends at a clause, if one fits. */
void glyphs_sentence(struct canvas *c, const struct glyphs *g, int x, int y, int width,
	enum role role, const char *s);
