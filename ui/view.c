/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the screen, and turns commands and clicks into the user's place on it. */
#include "config.h"

#include "ui/frame/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/mem.h"
#include "ui/frame/menu.h"

static const struct screen_tab screen_table[VIEW_SCREENS] = {
#define S(p, id, ui, name, keys, title, help) \
	{ &screen_##ui, CMD_SCREEN_##id, name, title },
	SCREEN_LIST(S, )
#undef S
};

const char *view_screen_name(enum view_screen screen)
{
	return screen_table[screen].name;
}

int view_screen_by_name(const char *name)
{
	for (int i = 0; i < VIEW_SCREENS; i++)
		if (!strcmp(screen_table[i].name, name))
			return i;
	return -1;
}

struct screen view_frame(const struct view *v, const struct view_model *m, int w, int h)
{
	struct screen s = { .v = v,
		.m = m,
		.g = glyphs_for(v->ascii),
		.tabs = screen_table,
		.w = w,
		.h = h };

	chrome_layout(&s);
	return s;
}

static int explained_metric(const struct view *v, const struct view_model *m)
{
	const struct screen_ops *screen = screen_table[v->screen].ops;

	if (!screen->metric)
		return EXPLAIN_NOTHING;
	return screen->metric(v, m);
}

void view_draw(struct view *v, const struct view_model *m, struct canvas *c)
{
	struct screen s = view_frame(v, m, c->w, c->h);

	s.c = c;
	s.note = v;
	canvas_unclip(c);
	canvas_clear(c);
	if (s.l.number_only) {
		screen_overview.draw(&s);
		chrome_draw(&s);
	} else {
		screen_table[v->screen].ops->draw(&s);
		chrome_draw(&s);
		if (v->explain)
			box_explain_draw(&s, explained_metric(v, m));
		if (v->menu)
			menu_draw(&s);
		if (v->help)
			box_help_draw(&s);
	}
	if (v->ascii)
		glyphs_force_ascii(c);
}

/* An open box takes moves, and everything else closes it. True: nobody else gets the command. */
static bool box_command(struct view *v, const struct screen *s, enum command cmd)
{
	if (v->help) {
		if (select_is_move(cmd)) {
			v->help_top = select_move(
				cmd, v->help_top, s->h - 4, box_help_max_top(s) + 1);
			return true;
		}
		v->help = false;
		return cmd == CMD_HELP || cmd == CMD_CLOSE || cmd == CMD_ENTER;
	}
	if (v->explain) {
		if (select_is_move(cmd)) {
			v->explain_top = select_move(cmd, v->explain_top, s->h - 4,
				box_explain_max_top(s, explained_metric(v, s->m)) + 1);
			return true;
		}
		if (cmd == CMD_CLOSE || cmd == CMD_EXPLAIN || cmd == CMD_ENTER) {
			v->explain = false;
			return true;
		}
	}
	return false;
}

/* Goes to the next row with the text that is looked for. False: this screen has none. */
static bool find(struct view *v, const struct screen *s, int step)
{
	const struct screen_ops *screen = screen_table[v->screen].ops;

	return !*v->find || (screen->find && screen->find(v, s, v->find, step));
}

/* What is left with Esc is as it was, unless another screen was pointed at meanwhile. */
static void end_find(struct view *v, bool is_left)
{
	struct view *before = v->before_find;

	v->before_find = NULL;
	if (is_left && before && before->screen == v->screen) {
		memcpy(before->find, v->find, sizeof(v->find));
		*v = *before;
	}
	free(before);
}

static void begin_find(struct view *v)
{
	end_find(v, false);
	struct view *before = xmalloc(sizeof(*before));
	*before = *v;
	v->before_find = before;
	prompt_open(&v->prompt, PROMPT_FIND, _("Find"), "");
}

void view_release(struct view *v)
{
	end_find(v, false);
}

/* What is typed into the prompt is the filter, as a whole. */
_Static_assert(sizeof(((struct view *)0)->procs.choice.filter) == VIEW_FILTER, "filters");

static char *filter_of(struct view *v)
{
	size_t at = screen_table[v->screen].ops->filter_at;

	return at ? (char *)v + at : NULL;
}

/* Whether a key is a digit that the screen takes, because a field for numbers is selected. */
static bool takes_digit(
	const struct view *v, const struct view_model *m, const struct key_event *k)
{
	const struct screen_ops *screen = screen_table[v->screen].ops;

	return k->code == KEY_CHAR && k->ch >= '0' && k->ch <= '9' && !v->help && !v->explain &&
		!v->menu && screen->takes_digits && screen->takes_digits(v, m);
}

enum command view_key(
	struct view *v, const struct view_model *m, const struct key_event *k, int w, int h)
{
	enum prompt_kind kind = v->prompt.kind;
	enum command answer;
	struct screen s;

	/* What something else has written over is drawn anew with all that is open on it. */
	if (key_command(k) == CMD_REDRAW)
		return CMD_REDRAW;
	if (kind == PROMPT_NONE || k->code == KEY_EOF_) {
		answer = key_command(k);
		if (takes_digit(v, m, k)) {
			screen_table[v->screen].ops->digit(v, (char)k->ch);
			return CMD_NONE;
		}
		/* As in a pager q leaves what lies on top; F10 and ^C leave the program from
		 * anywhere. */
		if (k->code == KEY_CHAR && k->ch == 'q' && (v->help || v->explain || v->menu))
			answer = CMD_CLOSE;
		return view_command(v, m, answer, w, h);
	}
	enum prompt_result result = prompt_key(&v->prompt, k, &answer);
	/* What is typed takes effect at once. Leaving a filter takes it away. */
	char *filter = filter_of(v);
	if (filter && kind == PROMPT_FILTER && result == PROMPT_LEFT) {
		*filter = '\0';
	} else if (filter && kind == PROMPT_FILTER && result == PROMPT_CHANGED) {
		memcpy(filter, v->prompt.text, VIEW_FILTER);
	} else if (kind == PROMPT_FIND && result == PROMPT_CHANGED) {
		s = view_frame(v, m, w, h);
		snprintf(v->find, sizeof(v->find), "%s", v->prompt.text);
		v->prompt.no_hit = !find(v, &s, 0);
	} else if (kind == PROMPT_FIND && result != PROMPT_GOES_ON) {
		end_find(v, result == PROMPT_LEFT);
	}
	if (answer == CMD_NONE)
		return CMD_NONE;
	return view_command(v, m, answer, w, h);
}

/* Opens a menu of the screen, when it has lines for it. */
static void open_own_menu(struct view *v, enum view_menu menu, int lines)
{
	if (lines)
		menu_open(v, menu);
}

/* What a command does on every screen. Returns what is left to do. */
static enum command common_command(struct view *v, const struct screen *s, enum command cmd)
{
	const struct screen_ops *screen = screen_table[v->screen].ops;
	const struct view_model *m = s->m;
	const char *filter;

	switch (cmd) {
	case CMD_HELP: v->help = true; v->help_top = 0; break;
	case CMD_PANE_NEXT:
	case CMD_PANE_PREVIOUS:
	case CMD_CLOSE: break;	/* a screen that did not take it has nothing to do */
	case CMD_ENTER:
	case CMD_EXPLAIN:
		v->explain = explained_metric(v, m) != EXPLAIN_NOTHING;
		v->explain_top = 0;
		return v->explain || cmd == CMD_ENTER ? CMD_NONE : cmd;
	case CMD_FIND: begin_find(v); break;
	case CMD_FIND_NEXT: find(v, s, 1); break;
	case CMD_FILTER:
		filter = filter_of(v);
		if (filter)
			prompt_open(&v->prompt, PROMPT_FILTER, _("Filter"), filter);
		break;
	case CMD_SETUP: menu_open(v, MENU_SETUP); break;
	case CMD_DRAWN: open_own_menu(v, MENU_DRAWN, screen->n_drawn); break;
	case CMD_SORT: open_own_menu(v, MENU_SORT, screen->n_sorts); break;
	case CMD_INVERT:
		if (screen->invert_at)
			view_switch(v, screen->invert_at);
		break;
	case CMD_SETS:
		menu_open(v, MENU_SETS);
		return cmd;
	case CMD_UNITS: v->units = (enum view_units)((v->units + 1) % UNITS_COUNT); break;
	case CMD_LEFT:
	case CMD_RIGHT:
	case CMD_BACK:
	case CMD_FORTH:
	case CMD_BACK_FAR:
	case CMD_FORTH_FAR:
	case CMD_MARK_PREVIOUS:
	case CMD_MARK_NEXT:
	case CMD_NOW: return view_walk_past(v, m, cmd);
	case CMD_GOTO:
		/* TRANSLATORS: 12:30 is 12 minutes and 30 seconds behind the start of a recording */
		prompt_open(&v->prompt, PROMPT_VALUE,
			m->playback ? _("Go to (12:30 from the start, -45 s, 50 %)") :
				      _("Go to (12:30 o'clock, -45 s, 50 %)"),
			"");
		v->prompt.command = CMD_GOTO_TIME;
		break;
	case CMD_GOTO_TIME: return view_go_to(v, m, v->prompt.text);
	case CMD_MARK:
		view_mark(v, m);
		roof_mark(v, m);
		return cmd;
	case CMD_FORGET: v->n_marks = v->roof.n_marks = 0; break;
	case CMD_COLOR: v->scheme = (enum scheme)((v->scheme + 1) % SCHEME_COUNT); break;
	/* a terminal of single bytes has no other glyphs */
	case CMD_ASCII: v->ascii = !v->ascii || MB_CUR_MAX == 1; break;
	default: return select_is_move(cmd) ? CMD_NONE : cmd;
	}
	return CMD_NONE;
}

enum command view_command(
	struct view *v, const struct view_model *m, enum command cmd, int w, int h)
{
	const struct screen_ops *screen = screen_table[v->screen].ops;
	struct screen s = view_frame(v, m, w, h);
	enum command out = CMD_NONE;

	if (v->menu && !v->help && menu_command(v, &s, cmd, &cmd) && cmd == CMD_NONE)
		return CMD_NONE;
	if (box_command(v, &s, cmd))
		return CMD_NONE;
	if (screen->command && screen->command(v, &s, cmd, &out))
		return out;
	for (int i = 0; i < VIEW_SCREENS; i++)
		if (screen_table[i].turn == cmd) {
			if (screen_table[i].ops->enter && (int)v->screen != i)
				screen_table[i].ops->enter(v, m);
			v->screen = (enum view_screen)i;
			v->explain = false;
			return CMD_NONE;
		}
	return common_command(v, &s, cmd);
}

enum command view_click(struct view *v, const struct view_model *m, const struct key_event *k,
	const struct canvas *frame)
{
	static const enum command wheel[] = { CMD_UP, CMD_DOWN };
	const struct screen_ops *screen = screen_table[v->screen].ops;
	enum command cmd;
	bool on_row;
	int list, row;

	if (k->code != KEY_MOUSE_)
		return CMD_NONE;
	if (v->prompt.kind != PROMPT_NONE) {
		v->prompt.kind = PROMPT_NONE;
		return CMD_NONE;
	}
	if (k->ch == 4 || k->ch == 5)
		cmd = wheel[k->ch - 4];
	else
		cmd = view_command_at(frame, k->x, k->y);
	if (cmd != CMD_NONE)
		return view_command(v, m, cmd, frame->w, frame->h);
	on_row = offered_row(frame, k->x, k->y, &list, &row);
	if (on_row && list == OFFER_MENU && v->menu && !v->help) {
		v->menu_row = row;
		return view_command(v, m, CMD_ENTER, frame->w, frame->h);
	}
	if (v->help || v->explain || v->menu) {
		v->help = v->explain = false;
		v->menu = MENU_NONE;
	} else if (screen->choose && on_row && list != OFFER_MENU) {
		screen->choose(v, m, list, row);
	}
	return CMD_NONE;
}

int view_selected_line(const struct view *v, const struct view_model *m)
{
	if (v->screen != VIEW_ALL || v->all_row < 0 || v->all_row >= m->n_lines)
		return -1;
	return v->all_row;
}

char view_screen_digit(enum view_screen screen)
{
	return command_info(screen_table[screen].turn)->keys[0];
}

int view_selected_device(const struct view *v)
{
	return v->device_row;
}
