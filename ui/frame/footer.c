/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last line names keys and what they do: the screen's own come before those of all screens. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/mem.h"
#include "ui/frame/screen.h"

/* The most useful keys come first. Where the line is short, the last ones go, but not Quit. */
static const struct footer_key common_keys[] = {
	{ CMD_HELP, CMD_NONE, N_("Help") },
	{ CMD_PANE_NEXT, CMD_NONE, N_("Pane") },
	{ CMD_EXPLAIN, CMD_NONE, N_("Explain") },
	{ CMD_PAUSE, CMD_NONE, N_("Pause") },
	{ CMD_FASTER, CMD_SLOWER, N_("Rate") },
	{ CMD_SETS, CMD_NONE, N_("Set") },
	{ CMD_SETUP, CMD_NONE, N_("Setup") },
	{ CMD_RECORD, CMD_NONE, N_("Record") },
	{ CMD_QUIT, CMD_NONE, N_("Quit") },
	{ CMD_SCREEN_DEVICES, CMD_NONE, N_("Devices") },
	{ CMD_SAVE, CMD_NONE, N_("Save") },
	{ CMD_COLOR, CMD_NONE, N_("Colour") },
};

#define COMMON_SETUP 6
#define COMMON_QUIT 8

/* These are added where there are two views. */
static const struct footer_key pair_keys[] = {
	/* TRANSLATORS: to the other one of two halves of the screen */
	{ CMD_OTHER_HALF, CMD_NONE, N_("Switch") },
	{ CMD_CLOSE_OTHER, CMD_NONE, N_("Close other") },
};

/* These are added where the screen can find or filter. */
static const struct footer_key list_keys[] = {
	{ CMD_FIND, CMD_NONE, N_("Find") },
	{ CMD_FILTER, CMD_NONE, N_("Filter") },
};

/* How keys are named, from the widest to the narrowest. */
static const struct footer_form {
	bool function, letter;
	int gap;
} footer_forms[] = { { true, true, 2 }, { true, false, 2 }, { false, true, 2 },
	{ false, true, 1 } };

/* What digits do, where a screen has fields for numbers. */
static const struct footer_key digit_keys[] = {
	{ CMD_NONE, CMD_NONE, N_("Value") },
	{ CMD_NONE, CMD_NONE, N_("Screens") },
};

/* "F1 h", "+ -". A command without a key of that kind is named by its first key. */
static void key_text(
	const struct footer_key *k, const struct footer_form *form, char *buf, size_t size)
{
	char first[8] = "", second[8] = "";

	if (k->command == CMD_NONE) {
		snprintf(buf, size, "%s", k == &digit_keys[0] ? "0-9" : "1-8");
		return;
	}
	if (form->function)
		key_of_command(k->command, true, first, sizeof(first));
	if (form->letter && (*first || !form->function))
		key_letter_of(k->command, *first ? second : first, sizeof(first));
	if (!*first)
		key_of_command(k->command, false, first, sizeof(first));
	/* Of a pair both keys are of one kind. */
	if (k->other && form->letter && !form->function && strlen(first) == 1)
		key_letter_of(k->other, second, sizeof(second));
	if (k->other && !*second)
		key_of_command(k->other, false, second, sizeof(second));
	snprintf(buf, size, *second ? "%s %s" : "%s%s", i18n_optional(first),
		i18n_optional(second));
}

/* What the line shows, best first, in one form. Keys up to quit are not given up. */
struct line {
	const struct footer_key *key[24];
	char text[24][24];
	int columns[24];	/* of the key, a blank and the title */
	int n, quit;
};

static void add_key(struct line *l, const struct footer_key *k)
{
	for (int i = 0; i < l->n; i++)
		if (k->command != CMD_NONE && l->key[i]->command == k->command)
			return;
	if (l->n < (int)ARRAY_LEN(l->key))
		l->key[l->n++] = k;
}

static void make_line(struct line *l, const struct screen *s)
{
	const struct screen_ops *screen = s->tabs[s->v->screen].ops;

	l->n = 0;
	add_key(l, &common_keys[0]);
	for (size_t i = 0; i < ARRAY_LEN(pair_keys) && s->m->of_two > 0; i++)
		add_key(l, &pair_keys[i]);
	bool is_empty = screen->metric && screen->metric(s->v, s->m) == EXPLAIN_NOTHING;
	for (int i = 0; i < screen->n_footer; i++)
		if (!is_empty || (screen->footer[i].command != CMD_EXPLAIN &&
					 screen->footer[i].command != CMD_PANE_NEXT))
			add_key(l, &screen->footer[i]);
	if (screen->takes_digits)
		add_key(l, &digit_keys[!screen->takes_digits(s->v, s->m)]);
	if (screen->n_footer && screen->find)
		add_key(l, &list_keys[0]);
	if (screen->n_footer && screen->filter_at)
		add_key(l, &list_keys[1]);
	if (!screen->n_footer) {
		for (size_t i = 1; i < COMMON_QUIT; i++)
			add_key(l, &common_keys[i]);
	}
	l->quit = l->n;
	for (size_t i = COMMON_QUIT; i < ARRAY_LEN(common_keys); i++) {
		add_key(l, &common_keys[i]);
		if (i == COMMON_QUIT && screen->n_footer)
			add_key(l, &common_keys[COMMON_SETUP]);
	}
}

static void spell_key(struct line *l, int i, const struct footer_form *form)
{
	key_text(l->key[i], form, l->text[i], sizeof(l->text[i]));
	l->columns[i] = format_columns(l->text[i]) + 1 + format_columns(_(l->key[i]->title));
}

/* Spells the keys in the widest form that shows everything up to quitting, else in the narrowest. */
static const struct footer_form *choose_form(struct line *l, int room)
{
	const struct footer_form *form = NULL;

	for (int columns = room + 1, n = 0; columns > room && n < (int)ARRAY_LEN(footer_forms); n++) {
		form = &footer_forms[n];
		columns = l->quit * form->gap;
		for (int i = 0; i <= l->quit; i++) {
			spell_key(l, i, form);
			columns += l->columns[i];
		}
	}
	for (int i = l->quit + 1; i < l->n; i++)
		spell_key(l, i, form);
	return form;
}

void footer_draw(struct screen *s, struct rect r)
{
	struct line l;
	int x = r.x;

	make_line(&l, s);
	const struct footer_form *form = choose_form(&l, r.w);
	int quit = l.columns[l.quit] + form->gap;
	for (int i = 0; i < l.n; i++) {
		int end = x + l.columns[i];

		if (end > r.x + r.w || (i < l.quit && end + quit > r.x + r.w))
			continue;
		int after = x + canvas_text(s->c, x, r.y, ROLE_KEY, l.text[i]) + 1;
		canvas_text(s->c, after, r.y, ROLE_DIM, _(l.key[i]->title));
		offer_command(s, (struct rect){ x, r.y, l.columns[i], 1 }, l.key[i]->command);
		x = end + form->gap;
	}
}
