/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notes in the cells of a frame what a click on them does, and reads that. */
#include "config.h"

#include <assert.h>

#include "base/minmax.h"
#include "ui/frame/screen.h"

/* What a cell offers: a command, or a row of a list with 1 more. */
#define OFFERS_COMMAND 0x8000
#define OFFERS_ROWS 0x1000
#define OFFERS_LISTS 7

static void offer(const struct screen *s, struct rect r, int what)
{
	int x0 = clamp(r.x, 0, s->c->w), x1 = clamp(r.x + r.w, x0, s->c->w);
	int y0 = clamp(r.y, 0, s->c->h), y1 = clamp(r.y + r.h, y0, s->c->h);

	for (int y = y0; y < y1; y++)
		for (int x = x0; x < x1; x++)
			s->c->cells[y * s->c->w + x].offer = (uint16_t)what;
}

void offer_command(const struct screen *s, struct rect r, enum command cmd)
{
	offer(s, r, OFFERS_COMMAND | (int)cmd);
}

void offer_row(struct screen *s, struct rect r, int list, int row)
{
	assert(list < OFFERS_LISTS);
	if (row >= 0 && row < OFFERS_ROWS)
		offer(s, r, (list + 1) * OFFERS_ROWS + row);
}

static int offer_at(const struct canvas *c, int x, int y)
{
	if (x < 0 || y < 0 || x >= c->w || y >= c->h)
		return 0;
	return c->cells[y * c->w + x].offer;
}

enum command view_command_at(const struct canvas *frame, int x, int y)
{
	int what = offer_at(frame, x, y);

	return what & OFFERS_COMMAND ? (enum command)(what & ~OFFERS_COMMAND) : CMD_NONE;
}

bool offered_row(const struct canvas *frame, int x, int y, int *list, int *row)
{
	int what = offer_at(frame, x, y);

	*list = what / OFFERS_ROWS - 1;
	*row = what % OFFERS_ROWS;
	return what && !(what & OFFERS_COMMAND);
}
