/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws into a grid of cells, clips, and keeps every double-width character whole. */
#include "config.h"

#include "ui/draw/canvas.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/minmax.h"
#include "ui/draw/text.h"

#define BLANK ((struct cell){ .ch = ' ', .role = ROLE_TEXT })

void canvas_resize(struct canvas *c, int w, int h)
{
	w = max_of(w, 1);
	h = max_of(h, 1);
	if (!c->cells || c->w != w || c->h != h)
		c->cells = xreallocarray(c->cells, (size_t)w * (size_t)h, sizeof(*c->cells));
	c->w = w;
	c->h = h;
	canvas_unclip(c);
	canvas_clear(c);
}

void canvas_clear(struct canvas *c)
{
	for (int x = 0; x < c->w && c->h > 0; x++)
		c->cells[x] = BLANK;
	size_t row_bytes = (size_t)c->w * sizeof(*c->cells);
	for (int y = 1; y < c->h; y++)
		memcpy(c->cells + (size_t)y * (size_t)c->w, c->cells, row_bytes);
}

void canvas_release(struct canvas *c)
{
	free(c->cells);
	*c = (struct canvas){ 0 };
}

void canvas_clip(struct canvas *c, struct rect r)
{
	int x0 = clamp(r.x, 0, c->w), y0 = clamp(r.y, 0, c->h);
	int x1 = clamp(r.x + r.w, x0, c->w), y1 = clamp(r.y + r.h, y0, c->h);

	c->clip = (struct rect){ x0, y0, x1 - x0, y1 - y0 };
}

void canvas_unclip(struct canvas *c)
{
	c->clip = (struct rect){ 0, 0, c->w, c->h };
}

void canvas_copy(struct canvas *c, int x, int y, const struct canvas *from)
{
	int x0 = clamp(x, 0, c->w), x1 = clamp(x + from->w, x0, c->w);
	int y0 = clamp(y, 0, c->h), y1 = clamp(y + from->h, y0, c->h);

	for (int row = y0; row < y1; row++)
		memcpy(c->cells + (size_t)row * (size_t)c->w + x0,
			from->cells + (size_t)(row - y) * (size_t)from->w + (x0 - x),
			(size_t)(x1 - x0) * sizeof(*c->cells));
}

static bool inside(const struct rect *r, int x, int y)
{
	return x >= r->x && x < r->x + r->w && y >= r->y && y < r->y + r->h;
}

/* The character at x is about to be overwritten. When it is half of a wide one, its other half must
 * not stay behind. */
static inline void split_wide(struct canvas *c, int x, int y)
{
	struct cell *row = c->cells + (size_t)y * (size_t)c->w;

	if (row[x].ch == 0 && x > 0)
		row[x - 1].ch = ' ';
	else if (x + 1 < c->w && row[x + 1].ch == 0)
		row[x + 1].ch = ' ';
}

/* What the cell offers stays. */
static inline void set_cell(struct cell *cell, uint32_t ch, enum role role)
{
	cell->ch = ch;
	cell->role = (uint8_t)role;
}

static inline void put_narrow(struct canvas *c, int x, int y, uint32_t ch, enum role role)
{
	if (!inside(&c->clip, x, y))
		return;
	split_wide(c, x, y);
	set_cell(&c->cells[(size_t)y * (size_t)c->w + (size_t)x], ch, role);
}

/* Returns how many columns were used. Where half of a wide character is clipped, the other half is
 * drawn as a blank. */
static int put(struct canvas *c, int x, int y, uint32_t ch, enum role role)
{
	int columns = text_columns(ch);

	if (columns == 0)
		return 0;
	if (columns < 0) {
		ch = '?';
		columns = 1;
	}
	if (columns == 1) {
		put_narrow(c, x, y, ch, role);
		return 1;
	}
	if (!inside(&c->clip, x, y) || !inside(&c->clip, x + 1, y)) {
		put_narrow(c, x, y, ' ', role);
		put_narrow(c, x + 1, y, ' ', role);
		return 2;
	}
	split_wide(c, x, y);
	split_wide(c, x + 1, y);
	set_cell(&c->cells[(size_t)y * (size_t)c->w + (size_t)x], ch, role);
	set_cell(&c->cells[(size_t)y * (size_t)c->w + (size_t)x + 1], 0, role);
	return 2;
}

void canvas_put(struct canvas *c, int x, int y, uint32_t ch, enum role role)
{
	if (text_is_narrow(ch))
		put_narrow(c, x, y, ch, role);
	else
		put(c, x, y, ch, role);
}

int canvas_text(struct canvas *c, int x, int y, enum role role, const char *s)
{
	int x0 = x;
	uint32_t ch;

	for (;;) {
		while (text_is_plain((unsigned char)*s))
			put_narrow(c, x++, y, (uint32_t)*s++, role);
		ch = text_next(&s);
		if (!ch)
			return x - x0;
		x += put(c, x, y, ch, role);
	}
}

int canvas_textf(struct canvas *c, int x, int y, enum role role, const char *fmt, ...)
{
	char buf[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	return canvas_text(c, x, y, role, buf);
}

void canvas_field(
	struct canvas *c, int x, int y, int width, bool right, enum role role, const char *s)
{
	const char *rest = s;
	int used = 0, pad = width;
	uint32_t ch;

	/* A character that cannot be shown becomes a '?'. */
	while (right && (ch = text_next(&rest)))
		pad -= abs(text_columns(ch));
	for (; right && used < pad; used++)
		put_narrow(c, x + used, y, ' ', role);
	while (used < width) {
		if (text_is_plain((unsigned char)*s)) {
			put_narrow(c, x + used++, y, (uint32_t)*s++, role);
			continue;
		}
		ch = text_next(&s);
		if (!ch || used + text_columns(ch) > width)
			break;
		used += put(c, x + used, y, ch, role);
	}
	for (; used < width; used++)
		put_narrow(c, x + used, y, ' ', role);
}

void canvas_fill(struct canvas *c, struct rect r, uint32_t ch, enum role role)
{
	int step = text_columns(ch) == 2 ? 2 : 1;

	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x += step)
			canvas_put(c, x, y, ch, role);
}
