/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames, boxes and wrapped text. */
#include "config.h"

#include "ui/frame/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/i18n.h"
#include "base/minmax.h"
#include "ui/draw/text.h"

/* Text with a blank on each side, in at most room.w columns; returns the columns used. */
static int spaced(const struct screen *s, struct rect room, enum role role, const char *text)
{
	int w = min_of(format_columns(text), room.w - 2);

	if (w < 1)
		return 0;
	canvas_put(s->c, room.x, room.y, ' ', role);
	glyphs_field(s->c, s->g, room.x + 1, room.y, w, role, text);
	canvas_put(s->c, room.x + 1 + w, room.y, ' ', role == ROLE_TITLE ? ROLE_TEXT : role);
	return w + 2;
}

struct rect box_frame(
	const struct screen *s, struct rect r, bool focus, const char *title, const char *extra)
{
	enum role lines = ROLE_BORDER, words = ROLE_TITLE;
	struct rect room = { r.x + 2, r.y, r.w - 4, 1 };
	const struct glyphs *g = s->g;
	int used = 0, right = r.x + r.w - 1, bottom = r.y + r.h - 1;

	if (r.w < 2 || r.h < 2)
		return (struct rect){ r.x, r.y, 0, 0 };
	if (focus)
		lines = words = ROLE_FOCUS;
	canvas_fill(s->c, (struct rect){ r.x + 1, r.y, r.w - 2, 1 }, g->across, lines);
	canvas_fill(s->c, (struct rect){ r.x + 1, bottom, r.w - 2, 1 }, g->across, lines);
	canvas_fill(s->c, (struct rect){ r.x, r.y + 1, 1, r.h - 2 }, g->down, lines);
	canvas_fill(s->c, (struct rect){ right, r.y + 1, 1, r.h - 2 }, g->down, lines);
	canvas_put(s->c, r.x, r.y, g->top_left, lines);
	canvas_put(s->c, right, r.y, g->top_right, lines);
	canvas_put(s->c, r.x, bottom, g->bottom_left, lines);
	canvas_put(s->c, right, bottom, g->bottom_right, lines);
	if (title && *title)
		used = spaced(s, room, words, title);
	room.w -= used;
	if (extra && *extra && room.w >= 6) {
		room.x += max_of(used - 1, 0); /* one blank between the two */
		room.w++;
		spaced(s, room, ROLE_DIM, extra);
	}
	return (struct rect){ r.x + 1, r.y + 1, r.w - 2, r.h - 2 };
}

int box_title_columns(const char *title, const char *extra)
{
	int columns = 3;

	if (title && *title)
		columns += format_columns(title) + 2;
	if (extra && *extra)
		columns += format_columns(extra) + 2;
	return columns;
}

void box_note(const struct screen *s, struct rect r, int used, enum role role, const char *note)
{
	int w = format_columns(note) + 2;

	if (*note && w <= r.w - used - 2)
		spaced(s, (struct rect){ r.x + r.w - 1 - w, r.y, w, 1 }, role, note);
}

void box_scroll_mark(const struct screen *s, struct rect r, int top, int visible, int count)
{
	int y = r.y + r.h - 1, right = r.x + r.w;
	uint32_t up = s->g->across, down = up;
	char buf[64];

	if (count <= visible || r.w < 24)
		return;
	snprintf(buf, sizeof(buf), _("%d-%d of %d"), top + 1, top + visible, count);
	spaced(s, (struct rect){ right - 7 - format_columns(buf), y, r.w, 1 }, ROLE_DIM, buf);
	if (top > 0)
		up = s->g->more_up;
	if (top + visible < count)
		down = s->g->more_down;
	canvas_put(s->c, right - 4, y, up, ROLE_DIM);
	canvas_put(s->c, right - 3, y, down, ROLE_DIM);
}

struct rect box_place(const struct screen *s, int w, int h)
{
	w = min_of(w, s->w);
	h = min_of(h, s->h);
	return (struct rect){ (s->w - w) / 2, (s->h - h) / 2, w, h };
}

struct rect box_over(const struct screen *s, int w, int h, const char *title)
{
	struct rect r = box_place(s, w, h);

	canvas_fill(s->c, r, ' ', ROLE_TEXT);
	offer_command(s, r, CMD_NONE);
	return box_frame(s, r, true, title, NULL);
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
		int n = text_columns(text_next(&p)); /* -1: not shown, takes one */

		columns += abs(n);
		if (columns > w && blank)
			return blank;
		if (columns > w)
			return (size_t)((start > s ? start : p) - s);
		if (*start == ' ' && start > s && start[-1] != ' ')
			blank = (size_t)(start - s);
	}
	return len;
}

static void draw_piece(struct canvas *c, struct rect at, enum role role, const char *s, size_t len)
{
	const char *end = s + len;

	while (s < end) {
		uint32_t ch = text_next(&s);
		int n = text_columns(ch);

		canvas_put(c, at.x, at.y, ch, role);
		at.x += abs(n);
	}
}

/* A line goes on below the second column of "name   text", or else below its first word. */
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
	if ((int)lead > w / 3)
		return 0;
	return (int)lead;
}

/* All of it has this role; with ROLE_COUNT titles and text have their own. */
static int wrap_text(struct canvas *c, struct rect r, int top, enum role role, const char *text)
{
	int line = 0;

	if (r.w < 1)
		return 0;
	while (*text) {
		size_t len = strcspn(text, "\n"), done = 0;
		int hang = hanging_indent(text, len, r.w), indent = 0;
		bool title = len && text[0] != ' ' && text[len] && text[len + 1] == ' ';
		enum role this = role;

		if (role == ROLE_COUNT && title)
			this = ROLE_TITLE;
		else if (role == ROLE_COUNT)
			this = ROLE_TEXT;
		do {
			size_t n = wrap_at(text + done, len - done, r.w - indent);

			if (c && line >= top && line < top + r.h)
				draw_piece(c, (struct rect){ r.x + indent, r.y + line - top, 0, 0 },
					this, text + done, n);
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
	return wrap_text(c, r, top, ROLE_COUNT, text);
}

int box_text_role(struct canvas *c, struct rect r, int top, enum role role, const char *text)
{
	return wrap_text(c, r, top, role, text);
}
