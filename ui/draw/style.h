/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Roles to colours, per scheme. The terminal's own background is always kept. */
#pragma once

#include <stdbool.h>

#include "ui/draw/canvas.h"

enum scheme {
	SCHEME_DEFAULT,
	SCHEME_MONO,
	SCHEME_BLUE_ORANGE /* colour-blind safe */,
	SCHEME_LIGHT,
	SCHEME_COUNT
};

/* fg: -1 default, 0-7 ANSI, 8-255 of the 256-colour palette with its 8-colour stand-in in fg8. */
struct style {
	short fg, fg8;
	bool bold, reverse, underline;
	bool dim;		/* where there is no colour of the palette for it */
	unsigned rgb;		/* for pictures */
};

const struct style *style_of(enum scheme scheme, enum role role);
const char *scheme_name(enum scheme scheme);	/* "default", "mono", "blue-orange", "light" */
int scheme_by_name(const char *name);		/* -1 when unknown */
