/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a view remembers whatever screen is shown: its defaults, hidden panes, and its place in the
 * past. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/minmax.h"
#include "ui/screens/overview.h"
#include "ui/frame/screen.h"

#define FAR_NS (30 * NS_PER_S)

void view_init(struct view *v, bool ascii, enum scheme scheme)
{
	*v = (struct view){ .screen = VIEW_OVERVIEW,
		.ascii = ascii,
		.scheme = scheme,
		.focus = OVERVIEW_ANSWER };
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

/* Returns the time of the window that is shown, or -1 without one. */
static int64_t shown_window(const struct view *v, const struct view_model *m)
{
	/* A recording is walked through by its own time. */
	if (m->playback)
		return m->playback->position_ns;
	if (!m->history || !m->history->count)
		return -1;
	return history_time(m->history, v->back);
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

/* Shows the window that was to windows before the newest, as far as the past is kept. Going back
 * pauses, so that the past stands still while it is looked at. */
static enum command go_back_to(struct view *v, const struct view_model *m, int64_t to)
{
	int oldest = max_of(history_len(m->history) - 1, 0);

	v->back = (int)min_i64(to, oldest);
	if (v->back < 0)
		v->back = 0;
	return v->back > 0 && !m->paused ? CMD_PAUSE : CMD_NONE;
}

/* Goes so far from the window that is shown, and at least by one. */
static enum command go_far(struct view *v, const struct view_model *m, int step)
{
	double ago_ns = history_ago_ns(m->history, v->back, m->delay_ns) + step * (double)FAR_NS;
	int64_t to = llround(history_age_of(m->history, fmax(ago_ns, 0), m->delay_ns));

	return go_back_to(v, m, to == v->back ? v->back + step : to);
}

static enum command seek(struct view *v, int64_t position_ns)
{
	v->back = 0;
	v->seek_ns = position_ns;
	return CMD_SEEK;
}

/* A recording is walked through by playing it from another place. A window back is two places
 * back and one window forward. */
static enum command walk_recording(struct view *v, const struct view_model *m, enum command cmd)
{
	const struct playback *p = m->playback;
	int64_t window_ns = (int64_t)((double)m->delay_ns * p->speed);

	switch (cmd) {
	case CMD_LEFT:
	case CMD_BACK:
		v->seek_ns = p->position_ns - 2 * window_ns;
		return CMD_BACK;
	case CMD_RIGHT:
	case CMD_FORTH: return CMD_FORTH;
	case CMD_BACK_FAR: return seek(v, p->position_ns - FAR_NS);
	case CMD_FORTH_FAR: return seek(v, p->position_ns + FAR_NS);
	case CMD_NOW: return m->paused ? CMD_PAUSE : CMD_NONE;
	default: break;
	}
	int64_t mark_ns = next_mark(v, p->position_ns, cmd == CMD_MARK_PREVIOUS);
	if (mark_ns == p->position_ns)
		return CMD_NONE;
	/* The window that was marked ends there; what plays goes on from there. */
	return seek(v, mark_ns - (m->paused ? window_ns : 0));
}

int view_age_of_mark(const struct view_model *m, int64_t mark_ns)
{
	for (int age = 0; m->history && age < history_len(m->history); age++)
		if (history_time(m->history, age) == mark_ns)
			return age;
	return -1;
}

enum command view_walk_past(struct view *v, const struct view_model *m, enum command cmd)
{
	int64_t now = shown_window(v, m);

	if (now < 0)
		return CMD_NONE;
	if (m->playback)
		return walk_recording(v, m, cmd);
	switch (cmd) {
	case CMD_LEFT:
	case CMD_BACK: return go_back_to(v, m, v->back + 1);
	case CMD_BACK_FAR: return go_far(v, m, 1);
	case CMD_FORTH_FAR: return go_far(v, m, -1);
	case CMD_NOW:
		v->back = 0;
		return m->paused ? CMD_PAUSE : CMD_NONE;
	case CMD_RIGHT:
	case CMD_FORTH:
		/* Forward from the newest window is the next one, where the session is paused. */
		if (!v->back && m->paused && cmd == CMD_FORTH)
			return CMD_FORTH;
		return go_back_to(v, m, v->back - 1);
	default: break;
	}
	int64_t mark_ns = next_mark(v, now, cmd == CMD_MARK_PREVIOUS);
	int to = view_age_of_mark(m, mark_ns);
	/* A mark of another set, or of what is no longer kept, is no place. */
	return to < 0 ? CMD_NONE : go_back_to(v, m, to);
}

/* Reads "12:30" or "12:30:15" as a time of day before now. Returns how long ago that was in s, -1
 * when it is no time. */
static double ago_of_clock(const struct view_model *m, const char *text)
{
	char now_text[24];
	int hour, minute, second = 0, now[3];
	int64_t ago_s;

	if (sscanf(text, "%2d:%2d:%2d", &hour, &minute, &second) < 2 || hour < 0 || hour > 23 ||
		minute < 0 || minute > 59 || second < 0 || second > 60)
		return -1;
	clock_format_local(m->wall_ns, now_text);
	if (sscanf(now_text, "%d:%d:%d", &now[0], &now[1], &now[2]) != 3)
		return -1;
	ago_s = (now[0] - hour) * 3600 + (now[1] - minute) * 60 + now[2] - second;
	if (ago_s < 0)
		ago_s += 86400;
	return (double)ago_s;
}

/* A place behind the end is none; seek_ns says which one was asked for. */
static enum command seek_inside(struct view *v, const struct playback *p, int64_t position_ns)
{
	if (position_ns <= p->total_ns)
		return seek(v, position_ns);
	v->seek_ns = position_ns;
	return CMD_GOTO_TIME;
}

/* "12:30" and "1:12:30" are places of a recording, "-45" is so many seconds before this one. */
static enum command go_to_place(struct view *v, const struct playback *p, const char *text)
{
	/* Six digits of hours are a time that 64 bits hold. */
	int a, b, c, n = sscanf(text, "%6d:%2d:%2d", &a, &b, &c);
	size_t len = strlen(text);
	char *end;
	double number = strtod(text, &end);

	while (*end == ' ')
		end++;
	if (n == 3 && a >= 0 && b >= 0 && c >= 0)
		return seek_inside(v, p, (a * 3600LL + b * 60 + c) * NS_PER_S);
	if (n == 2 && a >= 0 && b >= 0)
		return seek_inside(v, p, (a * 60LL + b) * NS_PER_S);
	if (len && !strcmp(end, "%") && number >= 0 && number <= 100)
		return seek(v, (int64_t)(number / 100 * (double)p->total_ns));
	if (len && !*end && number < 0 && number > -1e9)
		return seek(v, p->position_ns + (int64_t)(number * NS_PER_S));
	if (len && !*end && number >= 0 && number < 1e9)
		return seek_inside(v, p, (int64_t)(number * NS_PER_S));
	v->seek_ns = -1;
	return CMD_GOTO_TIME;
}

enum command view_go_to(struct view *v, const struct view_model *m, const char *text)
{
	size_t len = strlen(text);
	double ago_s = -1, number;
	char *end;

	if (shown_window(v, m) < 0 || m->delay_ns <= 0)
		return CMD_NONE;
	if (m->playback)
		return go_to_place(v, m->playback, text);
	number = strtod(text, &end);
	while (*end == ' ')
		end++;
	if (len && !strcmp(end, "%") && number >= 0 && number <= 100)
		return go_back_to(v, m,
			(int64_t)((history_len(m->history) - 1) * (100 - number) / 100 + 0.5));
	if (len && !*end && number <= 0)
		ago_s = -number;
	else if (strchr(text, ':'))
		ago_s = ago_of_clock(m, text);
	v->seek_ns = -1;
	if (!(ago_s >= 0))
		return CMD_GOTO_TIME;
	const double kept_ns =
		history_ago_ns(m->history, history_len(m->history) - 1, m->delay_ns);
	if (ago_s * NS_PER_S < kept_ns + (double)m->delay_ns)
		return go_back_to(v, m,
			llround(history_age_of(m->history, ago_s * NS_PER_S, m->delay_ns)));
	v->seek_ns = (int64_t)kept_ns;
	return CMD_GOTO_TIME;
}

bool view_find_row(struct view *v, const struct screen *s, const struct select_rows *rows,
	const char *text, int step)
{
	int row = select_find(rows, text, step);

	if (row < 0)
		return false;
	s->tabs[v->screen].ops->choose(v, s->m, 0, row);
	v->explain_top = 0;
	return true;
}
