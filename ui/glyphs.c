/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two tables of drawing characters. */
#include "config.h"

#include "ui/glyphs.h"

static const struct glyphs unicode = {
	.across = 0x2500, .down = 0x2502, .top_left = 0x256d, .top_right = 0x256e, .bottom_left = 0x2570, .bottom_right = 0x256f,
	.bar_full = 0x2501, .bar_half = 0x257e, .bar_empty = 0x2500,
	.marker = 0x25b8, .more_up = 0x25b4, .more_down = 0x25be, .tick = 0x2524, .braille = true,
};

static const struct glyphs seven_bits = {
	.across = '-', .down = '|', .top_left = '+', .top_right = '+', .bottom_left = '+', .bottom_right = '+',
	.bar_full = '#', .bar_half = 0, .bar_empty = '.',
	.marker = '>', .more_up = '^', .more_down = 'v', .tick = '|', .braille = false,
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
