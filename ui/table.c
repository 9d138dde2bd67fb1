/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ui/table.h"

#include "base/format.h"

#define FLEXIBLE_MIN 12

int table_longest(int w, const char *text)
{
	int n = format_columns(text);

	return n > w ? n : w;
}

void table_place(struct table_column *k, int n, int flexible, int x, int w)
{
	int used = 2 * (n - 1);

	for (int i = 0; i < n; i++)
		used += i == flexible ? FLEXIBLE_MIN : k[i].w;
	for (int i = n - 1; used > w && i > flexible; i--) {
		used -= k[i].w + 2;
		k[i].w = 0;
	}
	if (used > w && flexible > 0) {
		int cut = used - w < k[0].w - 6 ? used - w : k[0].w - 6;

		k[0].w -= cut > 0 ? cut : 0;
		used -= cut > 0 ? cut : 0;
	}
	if (flexible >= 0 && w - used + FLEXIBLE_MIN < k[flexible].w)
		k[flexible].w = w - used + FLEXIBLE_MIN > 0 ? w - used + FLEXIBLE_MIN : 0;
	for (int i = 0; i < n; i++) {
		k[i].x = x;
		x += k[i].w ? k[i].w + 2 : 0;
	}
}

void table_cell(
	struct screen *s, const struct table_column *k, int y, enum role role, const char *text)
{
	if (k->w && format_columns(text) > k->w)
		glyphs_field(s->c, s->g, k->x, y, k->w, role, text);
	else if (k->w)
		canvas_field(s->c, k->x, y, k->w, k->right, role, text);
}
