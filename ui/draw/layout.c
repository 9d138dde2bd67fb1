/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where things stand for every size from 1x1 up. */
#include "config.h"

#include "ui/draw/layout.h"

#include "base/minmax.h"

void layout_screen(struct screen_layout *l, int w, int h, int most_info)
{
	int top = 0, bottom = h, info;

	*l = (struct screen_layout){ .number_only = w < LAYOUT_MIN_W || h < LAYOUT_MIN_H,
		.body = { 0, 0, w, h } };
	if (l->number_only)
		return;
	info = min_of((h >= 12) + (h >= 18) + (h >= 22), most_info);
	l->header = (struct rect){ 0, top++, w, 1 };
	if (h >= 14)
		l->tabs = (struct rect){ 0, top++, w, 1 };
	if (h >= 6)
		l->footer = (struct rect){ 0, --bottom, w, 1 };
	bottom -= info;
	l->info = (struct rect){ 0, bottom, w, info };
	l->body = (struct rect){ 0, top, w, bottom - top };
}

int layout_scroll(int top, int selected, int visible, int count)
{
	if (visible < 1)
		return selected;
	top = min_of(top, selected);
	top = max_of(top, selected - visible + 1);
	return max_of(0, min_of(top, count - visible));
}

bool layout_hits(const struct rect *r, int x, int y)
{
	return x >= r->x && x < r->x + r->w && y >= r->y && y < r->y + r->h;
}
