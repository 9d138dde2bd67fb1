/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a canvas as text, for golden pictures and for saving a screen. */
#include "config.h"

#include "ui/draw/canvas.h"
#include "ui/draw/text.h"

/* The longest character, with the NUL that text_encode() adds. */
#define CHAR_BYTES 8

/* Appends the first so many cells of a row, many at a time. */
static void add_cells(struct strbuf *out, const struct cell *row, int n)
{
	char buf[256];
	size_t used = 0;

	for (int x = 0; x < n; x++) {
		if (used > sizeof(buf) - CHAR_BYTES) {
			strbuf_addn(out, buf, used);
			used = 0;
		}
		if (text_is_plain(row[x].ch))
			buf[used++] = (char)row[x].ch;
		else if (row[x].ch)
			used += (size_t)text_encode(buf + used, row[x].ch);
	}
	strbuf_addn(out, buf, used);
}

void canvas_dump_text(const struct canvas *c, struct strbuf *out)
{
	for (int y = 0; y < c->h; y++) {
		const struct cell *row = c->cells + (size_t)y * (size_t)c->w;
		int end = c->w;

		while (end > 0 && row[end - 1].ch == ' ')
			end--;
		add_cells(out, row, end);
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
