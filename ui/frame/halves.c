/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides the screen between two views. */
#include "config.h"

#include "ui/frame/halves.h"

#include "ui/frame/screen.h"

/* Room for a pane of numbers with bars beside each other. */
#define SIDE_BY_SIDE_W 100

bool halves_layout(struct halves *l, int w, int h)
{
	bool side = w >= SIDE_BY_SIDE_W;
	int least = LAYOUT_MIN_H * (2 - side), keys = h > least;

	*l = (struct halves){ 0 };
	if (w < LAYOUT_MIN_W || h < least)
		return false;
	h -= keys;
	l->half[0] = l->half[1] = (struct rect){ 0, 0, w, h };
	if (side) {
		l->half[0].w = (w - 1) / 2;
		l->line = (struct rect){ l->half[0].w, 0, 1, h };
		l->half[1].x = l->half[0].w + 1;
		l->half[1].w -= l->half[1].x;
	} else {
		l->half[0].h = l->half[1].y = (h + 1) / 2;
		l->half[1].h -= l->half[1].y;
	}
	l->keys = (struct rect){ 0, h, w, keys };
	return true;
}

int halves_at(const struct halves *l, int x, int y)
{
	for (int i = 0; i < 2; i++)
		if (layout_hits(&l->half[i], x, y))
			return i;
	return -1;
}

void halves_draw(const struct halves *l, const struct canvas *const part[2], const struct view *v,
	const struct view_model *m, struct canvas *c)
{
	struct screen s;

	for (int i = 0; i < 2; i++)
		canvas_copy(c, l->half[i].x, l->half[i].y, part[i]);
	canvas_fill(c, l->line, glyphs_for(v->ascii)->down, ROLE_BORDER);
	if (l->keys.h) {
		s = view_frame(v, m, c->w, c->h);
		s.c = c;
		footer_draw(&s, l->keys);
	}
	if (v->ascii)
		glyphs_force_ascii(c);
}
