/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The help box: every command of the table, and what the marks beside numbers mean. */
#include "config.h"

#include <string.h>

#include "base/format.h"
#include "base/mem.h"
#include "ui/screen.h"

#define HELP_W 96

/* Group names as core/command.h writes them. */
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
	{ "!", N_("reports were lost in this window") },
	{ "?", N_("the number is too old") },
	{ "SIM REC", N_("a simulated device, a recording: nothing here is live hardware") },
};

static const char *group_title(const char *group)
{
	for (size_t i = 0; i < ARRAY_LEN(groups); i++)
		if (!strcmp(groups[i].group, group))
			return _(groups[i].title);
	/* TRANSLATORS: keys that work only on the screen that is shown */
	return *group == 'o' ? _("here") : group;
}

/* The help as rows: the commands of this screen, of each other group those that have keys, then a row per mark. */
struct help_row {
	const char *group, *keys, *text;
};

static int add_group(struct help_row *rows, int n, int max, const char *group)
{
	for (int i = 0; i < CMD_COUNT - 1 && n < max; i++)
		if (!strcmp(command_table[i].group, group) && *command_table[i].keys)
			rows[n++] = (struct help_row){ command_table[i].group, command_table[i].keys, _(command_table[i].help) };
	return n;
}

static int help_rows(enum view_screen screen, struct help_row *rows, int max)
{
	const char *local = screen_table[screen]->keys;
	int n = local ? add_group(rows, 0, max, local) : 0;

	for (size_t g = 0; g < ARRAY_LEN(groups); g++)
		n = add_group(rows, n, max, groups[g].group);
	for (size_t i = 0; i < ARRAY_LEN(marks) && n < max; i++)
		rows[n++] = (struct help_row){ _("marks"), marks[i].mark, _(marks[i].text) };
	return n;
}

#define HELP_ROWS (CMD_COUNT + (int)ARRAY_LEN(marks))

int box_help_max_top(enum view_screen screen, int w, int h)
{
	struct help_row rows[HELP_ROWS];
	int n = help_rows(screen, rows, HELP_ROWS), inside = box_place(w, h, HELP_W, n + 2).h - 2;

	return n > inside ? n - inside : 0;
}

void box_help_draw(struct screen *s)
{
	struct help_row rows[HELP_ROWS];
	int n = help_rows(s->v->screen, rows, HELP_ROWS), keys_w = 0, group_w = 0, top, max = box_help_max_top(s->v->screen, s->c->w, s->c->h);
	struct rect in = box_over(s->c, s->g, HELP_W, n + 2, _("Help   any other key closes"));

	for (int i = 0; i < n; i++) {
		int k = format_columns(rows[i].keys), g = format_columns(group_title(rows[i].group));

		keys_w = k > keys_w ? k : keys_w;
		group_w = g > group_w ? g : group_w;
	}
	if (in.w < 60)
		group_w = -1;
	top = s->v->help_top < 0 ? 0 : s->v->help_top > max ? max : s->v->help_top;
	canvas_clip(s->c, in);
	for (int i = 0; i < in.h && top + i < n; i++) {
		const struct help_row *r = &rows[top + i];

		if (group_w > 0 && (i == 0 || strcmp(r->group, r[-1].group)))
			canvas_text(s->c, in.x + 1, in.y + i, ROLE_TITLE, group_title(r->group));
		canvas_field(s->c, in.x + group_w + 3, in.y + i, keys_w, false, ROLE_KEY, r->keys);
		canvas_text(s->c, in.x + group_w + keys_w + 5, in.y + i, ROLE_TEXT, r->text);
	}
	canvas_unclip(s->c);
	box_scroll_mark(s->c, s->g, box_place(s->c->w, s->c->h, HELP_W, n + 2), top, in.h, n);
}
