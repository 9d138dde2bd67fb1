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
#include "ui/range.h"
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

/* There are fixed rows, a row for each pane of the set and of our own, and one that saves. */
static int row_count(const struct view_model *m)
{
	int n = ROW_PANES + (int)ARRAY_LEN(own_panes) + 1;

	if (m->set)
		n += m->set->n_groups;
	return n;
}

static int selected(const struct view *v, const struct view_model *m)
{
	return clamp(v->setup_row, 0, row_count(m) - 1);
}

/* The name of the pane that a row is about, or NULL; *title is translated. */
static const char *pane_of(const struct view_model *m, int row, const char **title)
{
	int i = row - ROW_PANES, own = i;

	if (m->set)
		own -= m->set->n_groups;
	if (i < 0 || own >= (int)ARRAY_LEN(own_panes))
		return NULL;
	if (own >= 0) {
		*title = _(own_panes[own].title);
		return own_panes[own].name;
	}
	const struct metric_group *g = &m->set->groups[i];
	*title = g->title && *g->title ? _(g->title) : g->name;
	return g->name;
}

static const char *const no_yes[] = { N_("no"), N_("yes") };

struct row_text {
	char label[96], value[96];
};

static struct row_text row_text(const struct view *v, const struct view_model *m, int row)
{
	const char *title, *pane = pane_of(m, row, &title), *value = "";
	struct row_text t = { "", "" };
	char key[8];

	switch (row) {
	case ROW_DELAY:
		break;
	case ROW_SET:
		value = m->set ? m->set->name : "--";
		break;
	case ROW_UNITS:
		value = _(units[v->units]);
		break;
	case ROW_SCHEME:
		value = _(scheme_name(v->scheme));
		break;
	case ROW_ASCII:
		value = _(no_yes[v->ascii]);
		break;
	case ROW_MOUSE:
		value = _(no_yes[m->mouse]);
		break;
	default:
		if (pane)
			value = view_hides(v, pane) ? _("hidden") : _("shown");
		break;
	}
	snprintf(t.value, sizeof(t.value), "%s", value);
	if (row == ROW_DELAY)
		snprintf(t.value, sizeof(t.value), "%g s", (double)m->delay_ns / NS_PER_S);
	if (row < ROW_PANES)
		snprintf(t.label, sizeof(t.label), "%s", _(labels[row]));
	else if (pane)
		snprintf(t.label, sizeof(t.label), _("pane %s"), title);
	else
		snprintf(t.label, sizeof(t.label), _("save all this (%s)"),
			key_of_command(CMD_SAVE, true, key, sizeof(key)));
	return t;
}

/* Changes the selected row, up or down. Returns what app has to do. */
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

void box_setup_draw(struct screen *s)
{
	int n = row_count(s->m), now = selected(s->v, s->m), top, label_w, widest = 0;
	struct rect r = box_place(s, SETUP_W, n + 2);
	struct rect in = box_over(
		s, SETUP_W, n + 2, _("Setup   Left and Right change, Esc closes"));

	top = layout_scroll(0, now, in.h, n);
	for (int i = 0; i < n; i++)
		widest = max_of(widest, format_columns(row_text(s->v, s->m, i).value));
	/* Where labels and values do not both fit, labels are cut. */
	label_w = min_of(max_of(in.w - 5 - widest, in.w / 3), LABEL_W);
	canvas_clip(s->c, in);
	for (int i = 0; i < in.h && top + i < n; i++) {
		struct row_text t = row_text(s->v, s->m, top + i);

		enum role role = ROLE_LABEL;

		if (top + i == now) {
			canvas_put(s->c, in.x, in.y + i, s->g->marker, ROLE_FOCUS);
			role = ROLE_SELECTED;
		}
		glyphs_field(s->c, s->g, in.x + 2, in.y + i, *t.value ? label_w : in.w - 2, role,
			t.label);
		glyphs_field(s->c, s->g, in.x + label_w + 4, in.y + i, in.w - label_w - 5,
			ROLE_VALUE, t.value);
	}
	canvas_unclip(s->c);
	box_scroll_mark(s, r, top, in.h, n);
}
