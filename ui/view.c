/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the screen, and turns commands and clicks into the user's place on it. */
#include "config.h"

#include "ui/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "ui/range.h"
#include "ui/screen.h"

const struct screen_ops *const screen_table[VIEW_SCREENS] = {
	[VIEW_OVERVIEW] = &screen_overview,
	[VIEW_MAP] = &screen_map,
	[VIEW_ROOFLINE] = &screen_roofline,
	[VIEW_STRESS] = &screen_stress,
	[VIEW_PROCS] = &screen_procs,
	[VIEW_DEVICES] = &screen_devices,
	[VIEW_LOG] = &screen_log,
};

const char *view_screen_name(enum view_screen screen)
{
	return screen_table[screen]->name;
}

int view_screen_by_name(const char *name)
{
	for (int i = 0; i < VIEW_SCREENS; i++)
		if (!strcmp(screen_table[i]->name, name))
			return i;
	return -1;
}

const char *view_keys(const struct view *v)
{
	return v->help || v->explain || v->setup ? NULL : screen_table[v->screen]->keys;
}

/* Where the name stands between its commas, or NULL. */
static char *find_hidden(const struct view *v, const char *group)
{
	char name[48];

	snprintf(name, sizeof(name), ",%.40s,", group);
	return strstr(v->hidden, name);
}

bool view_hides(const struct view *v, const char *group)
{
	return find_hidden(v, group);
}

void view_hide(struct view *v, const char *group, bool hidden)
{
	char *at = find_hidden(v, group);
	size_t len = strlen(group), used = strlen(v->hidden);

	if (hidden == !!at)
		return;
	if (at)
		memmove(at, at + len + 1, strlen(at + len + 1) + 1);
	else if (used + len + 3 <= sizeof(v->hidden))
		snprintf(v->hidden + used, sizeof(v->hidden) - used, "%s%s,", used ? "" : ",",
			group);
}

void view_init(struct view *v, bool ascii, enum scheme scheme)
{
	*v = (struct view){ .screen = VIEW_OVERVIEW, .ascii = ascii, .scheme = scheme };
	/* looking for them costs more than all the rest */
	view_hide(v, VIEW_PANE_PROCESSES, true);
	v->procs.choice.by_process = true;
	v->procs.details = true;
	v->stress.form = (struct job){ .limit_ns = 10 * NS_PER_S, .verify = true };
}

void view_draw(const struct view *v, const struct view_model *m, struct canvas *c)
{
	struct screen s = { .v = v, .m = m, .c = c, .g = glyphs_for(v->ascii) };

	canvas_unclip(c);
	canvas_clear(c);
	chrome_layout(&s.l, m, c->w, c->h);
	screen_table[s.l.number_only ? VIEW_OVERVIEW : v->screen]->draw(&s);
	chrome_draw(&s);
	if (v->explain && !s.l.number_only)
		box_explain_draw(&s);
	if (v->setup && !s.l.number_only)
		box_setup_draw(&s);
	if (v->help && !s.l.number_only)
		box_help_draw(&s);
	if (v->ascii)
		glyphs_force_ascii(c);
}

int view_move(enum command cmd, int now, int page, int count)
{
	int last = count > 0 ? count - 1 : 0;

	page = max_of(page, 1);
	switch (cmd) {
	case CMD_UP: now--; break;
	case CMD_DOWN: now++; break;
	case CMD_PAGE_UP: now -= page; break;
	case CMD_PAGE_DOWN: now += page; break;
	case CMD_TOP: now = 0; break;
	case CMD_BOTTOM: now = last; break;
	default: break;
	}
	return clamp(now, 0, last);
}

int view_metric(const struct view *v, const struct view_model *m)
{
	const struct screen_ops *screen = screen_table[v->screen];

	return screen->metric ? screen->metric(v, m) : -1;
}

bool view_is_move(enum command cmd)
{
	return cmd == CMD_UP || cmd == CMD_DOWN || cmd == CMD_PAGE_UP || cmd == CMD_PAGE_DOWN ||
		cmd == CMD_TOP || cmd == CMD_BOTTOM;
}

/* An open box takes moves and closes on everything else; true when the command is done with. */
static bool box_command(struct view *v, const struct view_model *m, enum command cmd, int w, int h)
{
	if (v->help) {
		if (view_is_move(cmd)) {
			v->help_top = view_move(
				cmd, v->help_top, h - 4, box_help_max_top(v->screen, w, h) + 1);
			return true;
		}
		v->help = false;
		return cmd == CMD_HELP || cmd == CMD_CLOSE || cmd == CMD_EXPLAIN;
	}
	if (v->explain) {
		if (view_is_move(cmd)) {
			v->explain_top = view_move(
				cmd, v->explain_top, h - 4, box_explain_max_top(v, m, w, h) + 1);
			return true;
		}
		if (cmd == CMD_CLOSE || cmd == CMD_EXPLAIN) {
			v->explain = false;
			return true;
		}
	}
	return false;
}

bool view_contains(const char *text, const char *part)
{
	size_t len = strlen(part);

	for (; text && *text; text++)
		if (!strncasecmp(text, part, len))
			return true;
	return false;
}

int view_find_row(const char *text, int step, int now, int n,
	bool (*has)(const void *rows, int row, const char *text), const void *rows)
{
	for (int i = step; i < n + step; i++)
		if (has(rows, (now + i) % n, text))
			return (now + i) % n;
	return -1;
}

/* False: nothing on this screen contains it. */
static bool find(struct view *v, const struct view_model *m, int step, int w, int h)
{
	const struct screen_ops *screen = screen_table[v->screen];

	return !*v->find || (screen->find && screen->find(v, m, v->find, step, w, h));
}

static char *filter_of(struct view *v, size_t *size)
{
	const struct screen_ops *screen = screen_table[v->screen];

	return screen->filter ? screen->filter(v, size) : NULL;
}

static void open_filter(struct view *v)
{
	size_t size;
	const char *filter = filter_of(v, &size);

	if (filter)
		prompt_open(&v->prompt, PROMPT_FILTER, _("Filter"), filter);
}

/* What is typed works at once. A filter that is left is taken away. */
static void prompt_changed(
	struct view *v, const struct view_model *m, enum prompt_kind kind, bool left, int w, int h)
{
	size_t size;
	char *filter = kind == PROMPT_FILTER ? filter_of(v, &size) : NULL;

	if (filter)
		snprintf(filter, size, "%s", left ? "" : v->prompt.text);
	if (kind == PROMPT_FIND && !left) {
		snprintf(v->find, sizeof(v->find), "%s", v->prompt.text);
		v->prompt.no_hit = !find(v, m, 0, w, h);
	}
}

/* Number of the window that is shown, in the order of the history; -1 without one. */
static int64_t shown_window(const struct view *v, const struct view_model *m)
{
	return m->history && m->history->count ? (int64_t)m->history->count - 1 - v->back : -1;
}

/* Marks stand in order; one more than fit pushes the oldest out. A second one at the same place
 * takes it away. */
static void mark(struct view *v, const struct view_model *m)
{
	int64_t now = shown_window(v, m);
	int at = 0;

	if (now < 0)
		return;
	while (at < v->n_marks && v->marks[at] < (uint64_t)now)
		at++;
	if (at < v->n_marks && v->marks[at] == (uint64_t)now) {
		memmove(&v->marks[at], &v->marks[at + 1],
			(size_t)(v->n_marks - at - 1) * sizeof(v->marks[0]));
		v->n_marks--;
		return;
	}
	if (v->n_marks == VIEW_MARKS) {
		memmove(&v->marks[0], &v->marks[1], (VIEW_MARKS - 1) * sizeof(v->marks[0]));
		v->n_marks--;
		at -= at > 0;
	}
	memmove(&v->marks[at + 1], &v->marks[at], (size_t)(v->n_marks - at) * sizeof(v->marks[0]));
	v->marks[at] = (uint64_t)now;
	v->n_marks++;
}

static int64_t next_mark(const struct view *v, int64_t now, bool before)
{
	int64_t found = now;

	for (int i = 0; i < v->n_marks; i++) {
		int64_t at = (int64_t)v->marks[i];

		if (before && at < now)
			found = at;
		else if (!before && at > now)
			return at;
	}
	return found;
}

/* The past stands still while it is looked at: going back pauses. */
static enum command walk_past(struct view *v, const struct view_model *m, enum command cmd)
{
	int64_t now = shown_window(v, m), newest = now + v->back, oldest, to = now;

	if (now < 0)
		return CMD_NONE;
	oldest = newest + 1 - history_len(m->history);
	switch (cmd) {
	case CMD_BACK: to = now - 1; break;
	case CMD_FORTH: to = now + 1; break;
	default: to = next_mark(v, now, cmd == CMD_MARK_PREVIOUS); break;
	}
	to = to < oldest ? oldest : to > newest ? newest : to;
	v->back = (int)(newest - to);
	return v->back > 0 && !m->paused ? CMD_PAUSE : CMD_NONE;
}

/* As in a pager the letter leaves what lies on top; F10 and ^C leave the program from anywhere. */
static bool closes_box(const struct view *v, const struct key_event *k)
{
	return k->code == KEY_CHAR && k->ch == 'q' && (v->help || v->explain || v->setup);
}

enum command view_key(
	struct view *v, const struct view_model *m, const struct key_event *k, int w, int h)
{
	enum prompt_kind kind = v->prompt.kind;
	enum prompt_result result;
	enum command answer;

	if (kind == PROMPT_NONE || k->code == KEY_RESIZE_ || k->code == KEY_EOF_)
		return view_command(
			v, m, closes_box(v, k) ? CMD_CLOSE : key_command(k, view_keys(v)), w, h);
	result = prompt_key(&v->prompt, k, &answer);
	if (result == PROMPT_CHANGED || result == PROMPT_LEFT)
		prompt_changed(v, m, kind, result == PROMPT_LEFT, w, h);
	return answer == CMD_NONE ? CMD_NONE : view_command(v, m, answer, w, h);
}

enum command view_command(
	struct view *v, const struct view_model *m, enum command cmd, int w, int h)
{
	const struct screen_ops *screen = screen_table[v->screen];
	enum command out = CMD_NONE;

	if (v->setup && !v->help && box_setup_command(v, m, cmd, h, &cmd) && cmd == CMD_NONE)
		return CMD_NONE;
	if (box_command(v, m, cmd, w, h))
		return CMD_NONE;
	if (screen->command && screen->command(v, m, cmd, w, h, &out))
		return out;
	for (int i = 0; i < VIEW_SCREENS; i++)
		if (screen_table[i]->turn == cmd) {
			v->screen = (enum view_screen)i;
			v->explain = false;
			return CMD_NONE;
		}
	switch (cmd) {
	case CMD_HELP: v->help = true; v->help_top = 0; break;
	case CMD_PANE_NEXT:
	case CMD_PANE_PREVIOUS:
	case CMD_UP:
	case CMD_DOWN:
	case CMD_PAGE_UP:
	case CMD_PAGE_DOWN:
	case CMD_TOP:
	case CMD_BOTTOM:
	case CMD_CLOSE: break;	/* nothing to do on a screen that did not take it */
	case CMD_EXPLAIN: v->explain = view_metric(v, m) >= 0; v->explain_top = 0; break;
	case CMD_FIND: prompt_open(&v->prompt, PROMPT_FIND, _("Find"), ""); break;
	case CMD_FIND_NEXT: find(v, m, 1, w, h); break;
	case CMD_FILTER: open_filter(v); break;
	case CMD_SETUP: v->setup = true; break;
	case CMD_UNITS: v->units = (enum view_units)((v->units + 1) % UNITS_COUNT); break;
	case CMD_BACK:
	case CMD_FORTH:
	case CMD_MARK_PREVIOUS:
	case CMD_MARK_NEXT: return walk_past(v, m, cmd);
	case CMD_MARK: mark(v, m); break;
	case CMD_COLOR: v->scheme = (enum scheme)((v->scheme + 1) % SCHEME_COUNT); break;
	/* a terminal of single bytes has no other glyphs */
	case CMD_ASCII: v->ascii = !v->ascii || MB_CUR_MAX == 1; break;
	default: return cmd;
	}
	return CMD_NONE;
}

bool view_in_rect(const struct rect *r, int x, int y)
{
	return x >= r->x && x < r->x + r->w && y >= r->y && y < r->y + r->h;
}

enum command view_click(
	struct view *v, const struct view_model *m, const struct key_event *k, int w, int h)
{
	enum command cmd;

	if (k->code != KEY_MOUSE_)
		return CMD_NONE;
	if (v->prompt.kind != PROMPT_NONE) {
		v->prompt.kind = PROMPT_NONE;
		return CMD_NONE;
	}
	if (k->ch == 4 || k->ch == 5)
		return view_command(v, m, k->ch == 4 ? CMD_UP : CMD_DOWN, w, h);
	cmd = chrome_hit(v, m, k->x, k->y, w, h);
	if (cmd != CMD_NONE)
		return view_command(v, m, cmd, w, h);
	if (v->help || v->explain || v->setup)
		v->help = v->explain = v->setup = false;
	else if (screen_table[v->screen]->click)
		screen_table[v->screen]->click(v, m, k, w, h);
	return CMD_NONE;
}

int view_selected_device(const struct view *v)
{
	return v->device_row;
}
