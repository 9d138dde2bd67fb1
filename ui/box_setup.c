/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The setup box: a row for each thing that can be set, changed with the arrows, saved only on
 * request. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/mem.h"
#include "ui/pane_meters.h"
#include "ui/screen.h"

#define SETUP_W 64
#define LABEL_W 28

enum setup_row { ROW_DELAY, ROW_SET, ROW_UNITS, ROW_SCHEME, ROW_ASCII, ROW_MOUSE, ROW_PANES };

static const char *const labels[ROW_PANES] = { N_("window"), N_("metric set"), N_("rates"),
	N_("colours"), N_("only ASCII"), N_("mouse") };

/* TRANSLATORS: how rates are shown */
static const char *const units[UNITS_COUNT] = {
	N_("in their own unit"),
	N_("per cycle"),
	/* xgettext:no-c-format */
	N_("in % of their roof"),
};

/* Panes of the overview that every set has. */
static const struct {
	const char *name, *title;
} own_panes[] = {
	{ VIEW_PANE_ROOFLINE, N_("Roofline") },
	{ VIEW_PANE_PROCESSES, N_("Processes") },
};

/* Fixed rows, a row per pane of the set and of our own, and saving. */
static int row_count(const struct view_model *m)
{
	return ROW_PANES + (m->set ? m->set->n_groups : 0) + (int)ARRAY_LEN(own_panes) + 1;
}

static int selected(const struct view *v, const struct view_model *m)
{
	int n = row_count(m);

	return v->setup_row < 0 ? 0 : v->setup_row >= n ? n - 1 : v->setup_row;
}

/* The name of a row's pane, NULL when the row is none; *title: translated. */
static const char *pane_of(const struct view_model *m, int row, const char **title)
{
	int i = row - ROW_PANES, n = m->set ? m->set->n_groups : 0;
	const struct metric_group *g;

	if (i < 0 || i >= n + (int)ARRAY_LEN(own_panes))
		return NULL;
	if (i >= n) {
		*title = _(own_panes[i - n].title);
		return own_panes[i - n].name;
	}
	g = &m->set->groups[i];
	*title = g->title && *g->title ? _(g->title) : g->name;
	return g->name;
}

static const char *yes_no(bool on)
{
	return on ? _("yes") : _("no");
}

static void row_text(const struct view *v, const struct view_model *m, int row, char *label,
	size_t label_size, char *value, size_t value_size)
{
	const char *title, *pane = pane_of(m, row, &title);
	char key[8];

	snprintf(label, label_size, "%s", row < ROW_PANES ? _(labels[row]) : "");
	*value = '\0';
	switch (row) {
	case ROW_DELAY: snprintf(value, value_size, "%g s", (double)m->delay_ns / NS_PER_S); return;
	case ROW_SET: snprintf(value, value_size, "%s", m->set ? m->set->name : "--"); return;
	case ROW_UNITS: snprintf(value, value_size, "%s", _(units[v->units])); return;
	case ROW_SCHEME: snprintf(value, value_size, "%s", _(scheme_name(v->scheme))); return;
	case ROW_ASCII: snprintf(value, value_size, "%s", yes_no(v->ascii)); return;
	case ROW_MOUSE: snprintf(value, value_size, "%s", yes_no(m->mouse)); return;
	default: break;
	}
	if (pane) {
		snprintf(label, label_size, _("pane %s"), title);
		snprintf(value, value_size, "%s", view_hides(v, pane) ? _("hidden") : _("shown"));
	} else {
		snprintf(label, label_size, _("save all this (%s)"),
			key_of_command(CMD_SAVE, true, key, sizeof(key)));
	}
}

/* A change of one row, up or down; what app has to do. */
static enum command change(struct view *v, const struct view_model *m, bool more)
{
	int row = selected(v, m), step = more ? 1 : -1;
	const char *title, *pane = pane_of(m, row, &title);

	switch (row) {
	case ROW_DELAY: return more ? CMD_SLOWER : CMD_FASTER;
	case ROW_SET: return CMD_NEXT_SET;
	case ROW_UNITS:
		v->units = (enum view_units)((v->units + UNITS_COUNT + step) % UNITS_COUNT);
		return CMD_NONE;
	case ROW_SCHEME:
		v->scheme = (enum scheme)((v->scheme + SCHEME_COUNT + step) % SCHEME_COUNT);
		return CMD_NONE;
	case ROW_ASCII: return CMD_ASCII;
	case ROW_MOUSE: return CMD_MOUSE;
	default: break;
	}
	if (!pane)
		return CMD_SAVE;
	view_hide(v, pane, !view_hides(v, pane));
	return CMD_NONE;
}

bool box_setup_command(
	struct view *v, const struct view_model *m, enum command cmd, int h, enum command *out)
{
	int row = selected(v, m);
	bool save = row == row_count(m) - 1;

	*out = CMD_NONE;
	if (select_is_move(cmd)) {
		v->setup_row = select_move(cmd, row, h / 2, row_count(m));
		return true;
	}
	switch (cmd) {
	case CMD_BACK:
	case CMD_FORTH:
		if (!save)
			*out = change(v, m, cmd == CMD_FORTH);
		return true;
	case CMD_EXPLAIN:
	case CMD_PAUSE: *out = change(v, m, true); return true;
	case CMD_SETUP:
	case CMD_CLOSE: v->setup = false; return true;
	default: v->setup = false; *out = cmd; return false;
	}
}

/* Columns of the labels in w columns: the values come first where both do not fit. */
static int label_room(const struct view *v, const struct view_model *m, int w)
{
	char label[96], value[96];
	int room, widest = 0;

	for (int i = 0; i < row_count(m); i++) {
		row_text(v, m, i, label, sizeof(label), value, sizeof(value));
		widest = format_columns(value) > widest ? format_columns(value) : widest;
	}
	room = w - 5 - widest;
	return room > LABEL_W ? LABEL_W : room < w / 3 ? w / 3 : room;
}

void box_setup_draw(struct screen *s)
{
	int n = row_count(s->m), now = selected(s->v, s->m), top, label_w;
	struct rect r = box_place(s, SETUP_W, n + 2);
	struct rect in = box_over(
		s, SETUP_W, n + 2, _("Setup   Left and Right change, Esc closes"));

	top = layout_scroll(0, now, in.h, n);
	label_w = label_room(s->v, s->m, in.w);
	canvas_clip(s->c, in);
	for (int i = 0; i < in.h && top + i < n; i++) {
		char label[96], value[96];

		row_text(s->v, s->m, top + i, label, sizeof(label), value, sizeof(value));
		if (top + i == now)
			canvas_put(s->c, in.x, in.y + i, s->g->marker, ROLE_FOCUS);
		glyphs_field(s->c, s->g, in.x + 2, in.y + i, *value ? label_w : in.w - 2,
			top + i == now ? ROLE_SELECTED : ROLE_LABEL, label);
		glyphs_field(s->c, s->g, in.x + label_w + 4, in.y + i, in.w - label_w - 5,
			ROLE_VALUE, value);
	}
	canvas_unclip(s->c);
	box_scroll_mark(s, r, top, in.h, n);
}
