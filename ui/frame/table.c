/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives columns their places and widths, and draws a cell of a table. */
#include "config.h"

#include "ui/frame/table.h"

#include "base/format.h"
#include "base/minmax.h"

#define FIRST_MIN 6
#define FLEXIBLE_MIN 12

int table_longest(int w, const char *text)
{
	return max_of(w, format_columns(text));
}

void table_heads(struct table_column *k, int n)
{
	for (int i = 0; i < n; i++) {
		/* The translation of "" is the head of the catalogue. */
		if (*k[i].head)
			k[i].head = _(k[i].head);
		k[i].w = table_longest(k[i].w, k[i].head);
	}
}

void table_heads_draw(struct screen *s, const struct table_column *k, int n, int y)
{
	for (int i = 0; i < n; i++)
		table_cell(s, &k[i], y, ROLE_DIM, k[i].head);
}

void table_row(struct screen *s, struct rect pane, int x, int y, int row, bool now)
{
	if (now)
		canvas_put(s->c, x, y, s->g->marker, ROLE_FOCUS);
	offer_row(s, (struct rect){ pane.x, y, pane.w, 1 }, 0, row);
}

int table_fit(struct table_column *k, const int *order, int n, int w)
{
	for (int i = 0; i < n; i++) {
		struct table_column *c = &k[order[i]];

		if (c->w + 2 > w)
			c->w = 0;
		else
			w -= c->w + 2 * (c->w > 0);
	}
	return w;
}

void table_lay(struct table_column *k, int n, int x)
{
	for (int i = 0; i < n; i++) {
		k[i].x = x;
		x += k[i].w + 2 * (k[i].w > 0);
	}
}

void table_place(struct table_column *k, int n, int flexible, int x, int w)
{
	int left = w + 2, least = FLEXIBLE_MIN;

	if (flexible >= 0 && k[flexible].least)
		least = k[flexible].least;
	for (int i = 0; i < n; i++) {
		if (i == flexible)
			left -= least + 2;
		else
			left -= k[i].w + 2 * (k[i].w > 0);
	}
	for (int i = n - 1; left < 0 && i > flexible; i--) {
		left += k[i].w + 2 * (k[i].w > 0);
		k[i].w = 0;
	}
	if (left < 0 && flexible > 0) {
		int cut = max_of(min_of(-left, k[0].w - FIRST_MIN), 0);

		k[0].w -= cut;
		left += cut;
	}
	if (flexible >= 0)
		k[flexible].w = min_of(k[flexible].w, max_of(left + least, 0));
	table_lay(k, n, x);
}

void table_cell(
	struct screen *s, const struct table_column *k, int y, enum role role, const char *text)
{
	if (k->w && format_columns(text) > k->w)
		glyphs_field(s->c, s->g, k->x, y, k->w, role, text);
	else if (k->w)
		canvas_field(s->c, k->x, y, k->w, k->right, role, text);
}

void table_number(
	struct screen *s, const struct table_column *k, int y, enum role role, double v)
{
	char buf[32];

	table_cell(s, k, y, role, format_number(buf, sizeof(buf), v, k->w));
}
