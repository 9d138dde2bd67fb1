/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A canvas as text, for golden pictures and for saving a screen. */
#include "config.h"

#include "ui/canvas.h"
#include "ui/text.h"

static void dump_row(const struct canvas *c, int y, struct strbuf *out)
{
	const struct cell *row = c->cells + (size_t)y * (size_t)c->w;
	int end = c->w;
	char buf[8];

	while (end > 0 && row[end - 1].ch == ' ')
		end--;
	for (int x = 0; x < end; x++)
		if (row[x].ch)
			strbuf_addn(out, buf, (size_t)text_encode(buf, row[x].ch));
	strbuf_addc(out, '\n');
}

void canvas_dump_text(const struct canvas *c, struct strbuf *out)
{
	for (int y = 0; y < c->h; y++)
		dump_row(c, y, out);
}

static void dump_roles(const struct canvas *c, int y, struct strbuf *out)
{
	const struct cell *row = c->cells + (size_t)y * (size_t)c->w;
	int end = c->w;

	while (end > 0 && row[end - 1].role == ROLE_TEXT)
		end--;
	for (int x = 0; x < end; x++) {
		if (row[x].role == ROLE_TEXT)
			strbuf_addc(out, '.');
		else
			strbuf_addc(out, (char)('A' + row[x].role));
	}
	strbuf_addc(out, '\n');
}

void canvas_dump_golden(const struct canvas *c, struct strbuf *out)
{
	canvas_dump_text(c, out);
	strbuf_add(out, "--- roles\n");
	for (int y = 0; y < c->h; y++)
		dump_roles(c, y, out);
}
