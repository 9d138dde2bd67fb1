/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two views on one screen: where they stand, the line between them, and the keys below both. */
#pragma once

#include "ui/draw/canvas.h"
#include "ui/frame/view.h"

/* A rectangle of height 0 is absent. */
struct halves {
	struct rect half[2];	/* left and right on a wide screen, else upper and lower */
	struct rect line;	/* between left and right */
	struct rect keys;	/* of the half that has the focus */
};

/* False when there is no room for two: a half has at least LAYOUT_MIN_W columns and LAYOUT_MIN_H
 * rows. */
bool halves_layout(struct halves *l, int w, int h);
/* Returns the half at a cell, -1 when there is none. */
int halves_at(const struct halves *l, int x, int y);
/* Copies two pictures, each of its half's size, into the blank canvas c, and draws the line between
 * them and the keys of this view. */
void halves_draw(const struct halves *l, const struct canvas *const part[2], const struct view *v,
	const struct view_model *m, struct canvas *c);
