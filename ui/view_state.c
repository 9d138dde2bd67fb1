/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a view remembers whatever screen is shown: its defaults, hidden panes, and its place in the
 * past. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "ui/screen.h"

void view_init(struct view *v, bool ascii, enum scheme scheme)
{
	*v = (struct view){ .screen = VIEW_OVERVIEW, .ascii = ascii, .scheme = scheme };
	/* Looking for processes costs more than all the rest. */
	view_hide(v, VIEW_PANE_PROCESSES, true);
	v->procs.choice.by_process = true;
	v->procs.details = true;
	v->stress.form = (struct job){ .limit_ns = 10 * NS_PER_S, .verify = true };
}

/* Returns where the name stands between its commas, or NULL. */
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

/* Returns the number of the window that is shown, in the order of the history, or -1 without
 * one. */
static int64_t shown_window(const struct view *v, const struct view_model *m)
{
	if (!m->history || !m->history->count)
		return -1;
	return (int64_t)m->history->count - 1 - v->back;
}

/* Marks are kept in order. When there is no room for one more, the oldest goes; marking a window
 * again removes its mark. */
void view_mark(struct view *v, const struct view_model *m)
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

/* Going back pauses, so that the past stands still while it is looked at. */
enum command view_walk_past(struct view *v, const struct view_model *m, enum command cmd)
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
	if (to < oldest)
		to = oldest;
	if (to > newest)
		to = newest;
	v->back = (int)(newest - to);
	return v->back > 0 && !m->paused ? CMD_PAUSE : CMD_NONE;
}
