/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a canvas as text, for golden pictures and for saving a screen. */
#include "config.h"

#include "ui/canvas.h"
#include "ui/text.h"

void canvas_dump_text(const struct canvas *c, struct strbuf *out)
{
	char buf[8];

	for (int y = 0; y < c->h; y++) {
		const struct cell *row = c->cells + (size_t)y * (size_t)c->w;
		int end = c->w;

		while (end > 0 && row[end - 1].ch == ' ')
			end--;
		for (int x = 0; x < end; x++)
			if (row[x].ch)
				strbuf_addn(out, buf, (size_t)text_encode(buf, row[x].ch));
		strbuf_addc(out, '\n');
	}
}

void canvas_dump_golden(const struct canvas *c, struct strbuf *out)
{
	canvas_dump_text(c, out);
	strbuf_add(out, "--- roles\n");
	for (int y = 0; y < c->h; y++) {
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
}
