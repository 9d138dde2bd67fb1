/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The drawing characters are in two tables: Unicode's and those of 7 bits. */
#include "config.h"

#include "ui/draw/glyphs.h"

#include <stdio.h>

#include "base/format.h"

static const struct glyphs unicode = {
	.across = 0x2500,
	.down = 0x2502,
	.top_left = 0x256d,
	.top_right = 0x256e,
	.bottom_left = 0x2570,
	.bottom_right = 0x256f,
	.bar_full = 0x2501,
	.bar_half = 0x257e,
	.bar_empty = 0x2500,
	.bar_wait = 0x2550,
	.marker = 0x25b8,
	.more_up = 0x25b4,
	.more_down = 0x25be,
	.tick = 0x2524,
	.point = 0x25cf,
	.point_hollow = 0x25cb,
	.kernel = { 0x22c4, 0x25c7, 0x25c6 },
	.ellipsis = 0x2026,
	.ellipsis_w = 1,
	.braille = true,
};

static const struct glyphs seven_bits = {
	.across = '-',
	.down = '|',
	.top_left = '+',
	.top_right = '+',
	.bottom_left = '+',
	.bottom_right = '+',
	.bar_full = '#',
	.bar_half = 0,
	.bar_empty = '.',
	.bar_wait = '=',
	.marker = '>',
	.more_up = '^',
	.more_down = 'v',
	.tick = '|',
	.point = '@',
	.point_hollow = 'O',
	.kernel = { 'x', 'X', '#' },
	.ellipsis = '.',
	.ellipsis_w = 3,
	.braille = false,
};

const struct glyphs *glyphs_for(bool ascii)
{
	return ascii ? &seven_bits : &unicode;
}

void glyphs_force_ascii(struct canvas *c)
{
	size_t n = (size_t)c->w * (size_t)c->h;

	for (size_t i = 0; i < n; i++)
		if (c->cells[i].ch > 0x7e || c->cells[i].ch == 0)
			c->cells[i].ch = '?';
}

void glyphs_field(struct canvas *c, const struct glyphs *g, int x, int y, int width, enum role role,
	const char *s)
{
	int dots = width >= 3 * g->ellipsis_w ? g->ellipsis_w : 1;

	if (width < 1)
		return;
	canvas_field(c, x, y, width, false, role, s);
	if (format_columns(s) <= width)
		return;
	for (int i = 1; i <= dots; i++)
		canvas_put(c, x + width - i, y, g->ellipsis, role);
}

void glyphs_sentence(struct canvas *c, const struct glyphs *g, int x, int y, int width,
	enum role role, const char *s)
{
	char text[512];
	size_t len = 0;

	if (format_columns(s) > width)
		len = format_clause(s, width);
	if (!len || len >= sizeof(text)) {
		glyphs_field(c, g, x, y, width, role, s);
		return;
	}
	snprintf(text, sizeof(text), "%.*s", (int)len, s);
	canvas_field(c, x, y, width, false, role, text);
}
