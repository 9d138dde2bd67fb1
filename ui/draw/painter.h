/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns what changed between two pictures into the bytes that a terminal draws it from. */
#pragma once

#include <stdbool.h>

#include "base/strbuf.h"
#include "ui/draw/canvas.h"
#include "ui/draw/style.h"

/* How a role looks on the terminal. */
struct look {
	unsigned attributes;	/* bits of enum attribute */
	short color;	/* -1: the terminal's own */
};

/* Strings of the terminal's description; NULL where it has none. */
struct terminal {
	const char *place, *along, *clear, *clear_right;
	const char *plain, *color, *own_color;
	const char *attribute[4];
	bool plain_resets_color;
};

/* painter_open() begins a painter, painter_release() ends it. In between the description that
 * setupterm() has loaded must stay. */
struct painter {
	struct terminal terminal;
	struct strbuf text;	/* what is to be sent */
	struct cell *sent;	/* what is on the screen, w * h */
	int w, h;
	bool clear;	/* the next picture begins with an empty screen */
	bool utf8;	/* characters beyond ASCII can be sent */
	int x, y;	/* of the cursor; x is -1 where that is not known */
	struct look now;	/* what the next character would have */
	bool is_look_known;
	struct look looks[ROLE_COUNT];
};

/* Returns a string of the terminal's description, NULL when it has none. */
const char *terminal_string(const char *name);
/* Appends it without the padding that it asks for. Returns false where there is none. */
bool terminal_add(struct strbuf *out, const char *s);

void painter_open(struct painter *p);
void painter_release(struct painter *p);
/* What was on the screen is forgotten, and the next picture clears it. */
void painter_resize(struct painter *p, int w, int h);
/* The next picture is drawn as a whole, on an empty screen. */
void painter_forget(struct painter *p);
/* From now on roles look like this. */
void painter_scheme(struct painter *p, enum scheme scheme);
/* Appends to p->text what leads from the last picture to this one. */
void painter_draw(struct painter *p, const struct canvas *c);
