/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The menu of the setup: a row for each thing that can be set, changed with the arrows, saved only
 * on request. */
#include "config.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/mem.h"
#include "ui/frame/pane_meters.h"
#include "ui/frame/menu.h"

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
static int row_count(const struct screen *s)
{
	int n = ROW_PANES + (int)ARRAY_LEN(own_panes) + 1;

	if (s->m->set)
		n += s->m->set->n_groups;
	return n;
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

static void row_text(const struct screen *s, int row, struct menu_line *t)
{
	const struct view *v = s->v;
	const struct view_model *m = s->m;
	const char *title, *pane = pane_of(m, row, &title), *value = "";
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
	snprintf(t->value, sizeof(t->value), "%s", value);
	if (row == ROW_DELAY)
		snprintf(t->value, sizeof(t->value), "%g s", (double)m->delay_ns / NS_PER_S);
	if (row < ROW_PANES)
		snprintf(t->label, sizeof(t->label), "%s", _(labels[row]));
	else if (pane)
		snprintf(t->label, sizeof(t->label), _("pane %s"), title);
	else
		snprintf(t->label, sizeof(t->label), _("save all this (%s)"),
			key_of_command(CMD_SAVE, true, key, sizeof(key)));
}

/* Changes a row, up or down. Returns what app has to do. */
static enum command change(struct view *v, const struct screen *s, int row, int step)
{
	const struct view_model *m = s->m;
	const char *title, *pane = pane_of(m, row, &title);

	switch (row) {
	case ROW_DELAY: return step > 0 ? CMD_SLOWER : CMD_FASTER;
	case ROW_SET: return CMD_NEXT_SET;
	case ROW_UNITS:
		v->units = (enum view_units)((v->units + UNITS_COUNT + (unsigned)step) % UNITS_COUNT);
		return CMD_NONE;
	case ROW_SCHEME:
		v->scheme = (enum scheme)((v->scheme + SCHEME_COUNT + (unsigned)step) % SCHEME_COUNT);
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

const struct menu_ops menu_setup = {
	.title = N_("Setup   Left and Right change, Esc closes"),
	.count = row_count,
	.line = row_text,
	.change = change,
};
