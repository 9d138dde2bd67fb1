/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the box of a menu and gives it the commands that are about its lines. */
#include "config.h"

#include "ui/frame/menu.h"

#include "base/format.h"
#include "base/minmax.h"

#define MENU_W 64
#define LABEL_W 28

static const struct menu_ops *const menus[MENU_COUNT] = {
	[MENU_SETUP] = &menu_setup,
	[MENU_SETS] = &menu_sets,
	[MENU_DRAWN] = &menu_drawn,
	[MENU_SORT] = &menu_sort,
};

/* No line was moved to yet: the one that applies is selected. */
#define ROW_NOW (-1)

static int selected(const struct screen *s, const struct menu_ops *ops)
{
	int n = ops->count(s);
	struct menu_line line = { .now = false };

	if (s->v->menu_row != ROW_NOW || !ops->chooses)
		return clamp(s->v->menu_row, 0, max_of(n - 1, 0));
	for (int i = 0; i < n; i++) {
		ops->line(s, i, &line);
		if (line.now)
			return i;
	}
	return 0;
}

/* The lines may be made after the menu was opened: which of them applies is asked when it is drawn. */
void menu_open(struct view *v, enum view_menu menu)
{
	v->menu = menu;
	v->menu_row = ROW_NOW;
}

bool menu_command(struct view *v, const struct screen *s, enum command cmd, enum command *out)
{
	const struct menu_ops *ops = menus[v->menu];
	int n = ops->count(s), row = selected(s, ops), step = 1;

	*out = CMD_NONE;
	if (select_is_move(cmd)) {
		v->menu_row = select_move(cmd, row, s->h / 2, n);
		return true;
	}
	switch (cmd) {
	case CMD_LEFT:
	case CMD_RIGHT:
		if (ops->chooses)
			return true;
		if (cmd == CMD_LEFT)
			step = -1;
		break;
	case CMD_ENTER:
	case CMD_PAUSE: break;
	case CMD_CLOSE: v->menu = MENU_NONE; return true;
	default: v->menu = MENU_NONE; *out = cmd; return false;
	}
	if (ops->chooses)
		v->menu = MENU_NONE;
	if (n)
		*out = ops->change(v, s, row, step);
	return true;
}

/* Holds the lines, and below them the text about the selected one. */
struct menu_text {
	int n, now, about_lines;
	struct strbuf about;
};

static void text_make(struct menu_text *t, const struct screen *s, const struct menu_ops *ops)
{
	struct rect inside = { .w = max_of(box_place(s, MENU_W, 3).w - 4, 1) };

	*t = (struct menu_text){ .n = ops->count(s) };
	t->now = selected(s, ops);
	if (ops->about && t->n)
		ops->about(s, t->now, &t->about);
	if (t->about.len)
		t->about_lines = 1 + box_text(NULL, inside, 0, strbuf_str(&t->about));
}

static void draw_line(struct screen *s, struct rect in, int label_w, int y, bool now,
	const struct menu_line *line)
{
	enum role role = ROLE_LABEL;

	if (now) {
		canvas_put(s->c, in.x, y, s->g->marker, ROLE_FOCUS);
		role = ROLE_SELECTED;
	}
	if (line->now)
		canvas_put(s->c, in.x + 1, y, '*', ROLE_GOOD);
	glyphs_field(s->c, s->g, in.x + 2, y, *line->value ? label_w : in.w - 2, role, line->label);
	glyphs_field(s->c, s->g, in.x + label_w + 4, y, in.w - label_w - 5, ROLE_VALUE,
		line->value);
}

void menu_draw(struct screen *s)
{
	const struct menu_ops *ops = menus[s->v->menu];
	int label_w, widest = 0, rows, top;
	struct menu_text t;
	struct menu_line line;

	text_make(&t, s, ops);
	struct rect r = box_place(s, MENU_W, t.n + t.about_lines + 2);
	struct rect in = box_over(s, MENU_W, t.n + t.about_lines + 2, _(ops->title));
	rows = min_of(t.n, max_of(in.h - t.about_lines, min_of(in.h, 3)));
	top = layout_scroll(0, t.now, rows, t.n);
	for (int i = 0; i < t.n; i++) {
		line = (struct menu_line){ .now = false };
		ops->line(s, i, &line);
		widest = max_of(widest, format_columns(line.value));
	}
	/* Where labels and values do not both fit, labels are cut. */
	label_w = min_of(max_of(in.w - 5 - widest, in.w / 3), LABEL_W);
	canvas_clip(s->c, in);
	for (int i = 0; i < rows; i++) {
		line = (struct menu_line){ .now = false };
		ops->line(s, top + i, &line);
		draw_line(s, in, label_w, in.y + i, top + i == t.now, &line);
		offer_row(s, (struct rect){ in.x, in.y + i, in.w, 1 }, OFFER_MENU, top + i);
	}
	if (t.about_lines && in.h > rows + 1)
		box_text(s->c,
			(struct rect){ in.x + 1, in.y + rows + 1, max_of(in.w - 2, 1),
				in.h - rows - 1 },
			0, strbuf_str(&t.about));
	canvas_unclip(s->c);
	box_scroll_mark(s, r, top, rows, t.n);
	strbuf_release(&t.about);
}
