/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The menus behind the keys of sets, of what a screen draws, and of how it sorts. */
#include "config.h"

#include <stdio.h>

#include "base/i18n.h"
#include "base/mem.h"
#include "ui/frame/menu.h"

static const struct screen_ops *ops_of(const struct screen *s)
{
	return s->tabs[s->v->screen].ops;
}

/* --- metric sets --- */

static int count_sets(const struct screen *s)
{
	return s->m->n_sets;
}

static void set_line(const struct screen *s, int i, struct menu_line *out)
{
	const struct set_summary *set = &s->m->sets[i];

	snprintf(out->label, sizeof(out->label), "%s", set->name);
	snprintf(out->value, sizeof(out->value), "%s", text_or(set->label, ""));
	out->now = set->current;
}

static enum command use_set(struct view *v, const struct screen *s, int i, int step)
{
	(void)s;
	(void)step;
	v->chosen_set = i;
	return CMD_USE_SET;
}

static void about_set(const struct screen *s, int i, struct strbuf *out)
{
	const struct set_summary *set = &s->m->sets[i];

	if (set->text && *set->text)
		strbuf_addf(out, "%s\n", set->text);
	/* TRANSLATORS: what a metric set counts and lacks: names of resources follow */
	strbuf_addf(out, "%s  %s\n", _("counts"), text_or(set->counts, "--"));
	if (*set->lacks)
		strbuf_addf(out, "%s  %s\n", _("lacks"), set->lacks);
	if (set->map)
		strbuf_addf(out, "%s\n", _("It has a map of the device's parts."));
}

const struct menu_ops menu_sets = {
	.title = N_("Metric sets   Enter uses one, Esc closes"),
	.chooses = true,
	.count = count_sets,
	.line = set_line,
	.change = use_set,
	.about = about_set,
};

/* --- what the screen draws --- */

static int count_drawn(const struct screen *s)
{
	return ops_of(s)->n_drawn;
}

static void drawn_line(const struct screen *s, int i, struct menu_line *out)
{
	const struct drawn_line *line = &ops_of(s)->drawn[i];

	snprintf(out->label, sizeof(out->label), "%s", _(line->label));
	if (line->value)
		line->value(s->v, s->m, out->value, sizeof(out->value));
	else
		snprintf(out->value, sizeof(out->value), "%s",
			_(line->words[*(const bool *)((const char *)s->v + line->bool_at)]));
}

static enum command change_drawn(struct view *v, const struct screen *s, int i, int step)
{
	const struct drawn_line *line = &ops_of(s)->drawn[i];

	if (line->change)
		return line->change(v, s->m, step);
	view_switch(v, line->bool_at);
	return CMD_NONE;
}

const struct menu_ops menu_drawn = {
	.title = N_("This screen draws   Left and Right change, Esc closes"),
	.count = count_drawn,
	.line = drawn_line,
	.change = change_drawn,
};

/* --- order of rows --- */

static int count_sorts(const struct screen *s)
{
	return ops_of(s)->n_sorts;
}

static void sort_line(const struct screen *s, int i, struct menu_line *out)
{
	snprintf(out->label, sizeof(out->label), "%s", _(ops_of(s)->sorts[i]));
	out->now = *(const int *)((const char *)s->v + ops_of(s)->sort_at) == i;
}

static enum command sort_by(struct view *v, const struct screen *s, int i, int step)
{
	(void)step;
	*(int *)((char *)v + ops_of(s)->sort_at) = i;
	return CMD_NONE;
}

const struct menu_ops menu_sort = {
	.title = N_("Sort by   Enter chooses, I inverts, Esc closes"),
	.chooses = true,
	.count = count_sorts,
	.line = sort_line,
	.change = sort_by,
};
