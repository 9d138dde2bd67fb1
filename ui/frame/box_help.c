/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The help box: every command of the table, and what the marks beside numbers mean. */
#include "config.h"

#include <string.h>

#include "base/format.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "ui/frame/screen.h"

#define HELP_W 96

/* Group names as ui/draw/key_commands.h writes them. */
static const struct {
	const char *group, *title;
} groups[] = {
	{ "screen", N_("screens") },
	{ "display", N_("display") },
	{ "data", N_("data") },
	{ "load", N_("load") },
	{ "find", N_("find") },
	{ "device", N_("device") },
	{ "leave", N_("leave") },
};

static const struct {
	const char *mark, *text;
} marks[] = {
	{ "--", N_("no number; Enter says why, and what would allow it") },
	{ "~", N_("estimated from other counters") },
	{ "<", N_("at most: a level of memory is not known") },
	{ "!", N_("reports were lost in this window") },
	{ "?", N_("the number is too old") },
	{ "SIM REC", N_("a simulated device, a recording: nothing here is live hardware") },
};

static const char *group_title(const char *group)
{
	for (size_t i = 0; i < ARRAY_LEN(groups); i++)
		if (!strcmp(groups[i].group, group))
			return _(groups[i].title);
	return group;
}

/* The rows of the help: commands of all groups that have keys, then marks. */
struct help_row {
	const char *group, *keys, *text;
};

#define HELP_ROWS (CMD_COUNT + (int)ARRAY_LEN(marks))

/* The rows, their columns inside the box, and how many lines they take: a long text goes on
 * below. */
struct help {
	struct help_row rows[HELP_ROWS];
	int n, lines;
	int row_lines[HELP_ROWS];
	int group_w, keys_w;	/* group_w -1: no room for it */
	int text_x, text_w;
};

static void add_group(struct help *h, const char *group)
{
	for (int i = 0; i < CMD_COUNT - 1 && h->n < HELP_ROWS; i++)
		if (!strcmp(command_table[i].group, group) && *command_table[i].keys)
			h->rows[h->n++] = (struct help_row){ command_table[i].group,
				command_table[i].keys, _(command_table[i].help) };
}

/* The title of a group stands in its first row. */
static bool begins_group(const struct help *h, int row)
{
	return row == 0 || strcmp(h->rows[row].group, h->rows[row - 1].group) != 0;
}

static void help_layout(struct help *h, const struct screen *s)
{
	int inside = box_place(s, HELP_W, 2).w - 2;

	*h = (struct help){ 0 };
	for (size_t g = 0; g < ARRAY_LEN(groups); g++)
		add_group(h, groups[g].group);
	for (size_t i = 0; i < ARRAY_LEN(marks) && h->n < HELP_ROWS; i++)
		h->rows[h->n++] =
			(struct help_row){ _("marks"), marks[i].mark, _(marks[i].text) };
	for (int i = 0; i < h->n; i++) {
		const char *title = group_title(h->rows[i].group);

		h->keys_w = max_of(h->keys_w, format_columns(h->rows[i].keys));
		if (begins_group(h, i))
			h->group_w = max_of(h->group_w, format_columns(title));
	}
	if (inside < 60)
		h->group_w = -1;
	h->text_x = h->group_w + h->keys_w + 5;
	h->text_w = inside - h->text_x - 1;
	for (int i = 0; i < h->n; i++) {
		struct rect r = { .w = h->text_w };

		h->row_lines[i] = max_of(1, box_text(NULL, r, 0, h->rows[i].text));
		h->lines += h->row_lines[i];
	}
}

static int max_top(const struct help *help, const struct screen *s)
{
	int inside = box_place(s, HELP_W, help->lines + 2).h - 2;

	return max_of(help->lines - inside, 0);
}

int box_help_max_top(const struct screen *s)
{
	struct help help;

	help_layout(&help, s);
	return max_top(&help, s);
}

void box_help_draw(struct screen *s)
{
	struct help h;
	int top, line;

	help_layout(&h, s);
	struct rect in = box_over(s, HELP_W, h.lines + 2, _("Help   any other key closes"));
	top = clamp(s->v->help_top, 0, max_top(&h, s));
	line = -top;
	canvas_clip(s->c, in);
	for (int i = 0; i < h.n && line < in.h; i++) {
		const struct help_row *r = &h.rows[i];
		int above = max_of(-line, 0), y = in.y + line + above;

		if (!above && h.group_w > 0 && begins_group(&h, i))
			canvas_text(s->c, in.x + 1, y, ROLE_TITLE, group_title(r->group));
		if (!above)
			canvas_field(s->c, in.x + h.group_w + 3, y, h.keys_w, false, ROLE_KEY,
				r->keys);
		box_text(s->c, (struct rect){ in.x + h.text_x, y, h.text_w, in.y + in.h - y },
			above, r->text);
		line += h.row_lines[i];
	}
	canvas_unclip(s->c);
	box_scroll_mark(s, box_place(s, HELP_W, h.lines + 2), top, in.h, h.lines);
}
