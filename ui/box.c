/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames, boxes and wrapped text. */
#include "config.h"

#include "ui/box.h"

#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/i18n.h"
#include "ui/text.h"

static void frame_lines(struct canvas *c, const struct glyphs *g, struct rect r, enum role role)
{
	int right = r.x + r.w - 1, bottom = r.y + r.h - 1;

	for (int x = r.x + 1; x < right; x++) {
		canvas_put(c, x, r.y, g->across, role);
		canvas_put(c, x, bottom, g->across, role);
	}
	for (int y = r.y + 1; y < bottom; y++) {
		canvas_put(c, r.x, y, g->down, role);
		canvas_put(c, right, y, g->down, role);
	}
	canvas_put(c, r.x, r.y, g->top_left, role);
	canvas_put(c, right, r.y, g->top_right, role);
	canvas_put(c, r.x, bottom, g->bottom_left, role);
	canvas_put(c, right, bottom, g->bottom_right, role);
}

/* Text with a blank on each side; returns the columns used. */
static int spaced(struct canvas *c, const struct glyphs *g, int x, int y, int room, enum role role,
	const char *s)
{
	int w = format_columns(s);

	if (w > room - 2)
		w = room - 2;
	if (w < 1)
		return 0;
	canvas_put(c, x, y, ' ', role);
	glyphs_field(c, g, x + 1, y, w, role, s);
	canvas_put(c, x + 1 + w, y, ' ', role == ROLE_TITLE ? ROLE_TEXT : role);
	return w + 2;
}

struct rect box_frame(struct canvas *c, const struct glyphs *g, struct rect r, bool focus,
	const char *title, const char *extra)
{
	int x = r.x + 2, end = r.x + r.w - 2;

	if (r.w < 2 || r.h < 2)
		return (struct rect){ r.x, r.y, 0, 0 };
	frame_lines(c, g, r, focus ? ROLE_FOCUS : ROLE_BORDER);
	if (title && *title)
		x += spaced(c, g, x, r.y, end - x, focus ? ROLE_FOCUS : ROLE_TITLE, title);
	if (extra && *extra && end - x >= 6)
		spaced(c, g, x > r.x + 2 ? x - 1 : x, r.y, end - x + 1, ROLE_DIM, extra);
	return (struct rect){ r.x + 1, r.y + 1, r.w - 2, r.h - 2 };
}

int box_title_columns(const char *title, const char *extra)
{
	return 3 + (title && *title ? format_columns(title) + 2 : 0) +
		(extra && *extra ? format_columns(extra) + 2 : 0);
}

void box_note(struct canvas *c, const struct glyphs *g, struct rect r, int used, enum role role,
	const char *note)
{
	int w = format_columns(note) + 2;

	if (*note && w <= r.w - used - 2)
		spaced(c, g, r.x + r.w - 1 - w, r.y, w, role, note);
}

void box_scroll_mark(
	struct canvas *c, const struct glyphs *g, struct rect r, int top, int visible, int count)
{
	int y = r.y + r.h - 1, x;
	char buf[64];

	if (count <= visible || r.w < 24)
		return;
	snprintf(buf, sizeof(buf), _("%d-%d of %d"), top + 1, top + visible, count);
	x = r.x + r.w - 5 - format_columns(buf) - 2;
	spaced(c, g, x, y, r.w, ROLE_DIM, buf);
	canvas_put(c, r.x + r.w - 4, y, top > 0 ? g->more_up : g->across, ROLE_DIM);
	canvas_put(c, r.x + r.w - 3, y, top + visible < count ? g->more_down : g->across, ROLE_DIM);
}

struct rect box_place(int screen_w, int screen_h, int w, int h)
{
	w = w > screen_w ? screen_w : w;
	h = h > screen_h ? screen_h : h;
	return (struct rect){ (screen_w - w) / 2, (screen_h - h) / 2, w, h };
}

struct rect box_over(struct canvas *c, const struct glyphs *g, int w, int h, const char *title)
{
	struct rect r = box_place(c->w, c->h, w, h);

	canvas_fill(c, r, ' ', ROLE_TEXT);
	return box_frame(c, g, r, true, title, NULL);
}

/* Bytes of the longest piece of s (no newline inside) that fits into w columns, broken at a blank
 * where there is one. */
static size_t wrap_at(const char *s, size_t len, int w)
{
	int columns = 0;
	size_t blank = 0;
	const char *p = s;

	while (p < s + len) {
		const char *start = p;
		int n = text_columns(text_next(&p));

		columns += n < 0 ? 1 : n;
		if (columns > w)
			return blank ? blank : start > s ? (size_t)(start - s) : (size_t)(p - s);
		if (*start == ' ' && start > s && start[-1] != ' ')
			blank = (size_t)(start - s);
	}
	return len;
}

static void draw_piece(struct canvas *c, struct rect r, int row, int indent, enum role role,
	const char *s, size_t len)
{
	int x = r.x + indent;
	const char *end = s + len;

	while (s < end) {
		uint32_t ch = text_next(&s);
		int n = text_columns(ch);

		canvas_put(c, x, r.y + row, ch, role);
		x += n < 0 ? 1 : n;
	}
}

/* Continuations start below the second column of a "name   text" line, else below its first word. */
static int hanging_indent(const char *s, size_t len, int w)
{
	size_t lead = strspn(s, " "), gap = lead;

	while (gap + 1 < len && !(s[gap] == ' ' && s[gap + 1] == ' '))
		gap++;
	if (gap + 1 < len && gap > lead) {
		while (gap < len && s[gap] == ' ')
			gap++;
		if (gap < len && (int)gap <= w / 3)
			return (int)gap;
	}
	return (int)lead <= w / 3 ? (int)lead : 0;
}

/* all: role of all of it; -1: titles and text tell themselves apart. */
static int wrap_text(struct canvas *c, struct rect r, int top, int all, const char *text)
{
	int line = 0;

	if (r.w < 1)
		return 0;
	while (*text) {
		size_t len = strcspn(text, "\n");
		int hang = hanging_indent(text, len, r.w), indent = 0;
		enum role role = all >= 0 ? (enum role)all
			: len && text[0] != ' ' && text[len] && text[len + 1] == ' ' ? ROLE_TITLE
										     : ROLE_TEXT;
		size_t done = 0;

		do {
			size_t n = wrap_at(text + done, len - done, r.w - indent);

			if (c && line >= top && line < top + r.h)
				draw_piece(c, r, line - top, indent, role, text + done, n);
			line++;
			done += n;
			while (done < len && text[done] == ' ')
				done++;
			indent = hang;
		} while (done < len);
		text += len + (text[len] == '\n');
	}
	return line;
}

int box_text(struct canvas *c, struct rect r, int top, const char *text)
{
	return wrap_text(c, r, top, -1, text);
}

int box_text_role(struct canvas *c, struct rect r, int top, enum role role, const char *text)
{
	return wrap_text(c, r, top, (int)role, text);
}
