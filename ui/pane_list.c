/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which metrics stand in which pane, and which one the user has chosen. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "ui/pane_meters.h"
#include "ui/range.h"

static void add_metric(struct pane *p, int metric)
{
	if (p->n < PANE_METRICS)
		p->metric[p->n++] = (short)metric;
}

static void add_group(
	struct pane_list *l, const struct metric_set *set, const struct metric_group *group)
{
	struct pane *p = &l->pane[l->n];

	p->name = group->name;
	p->title = group->title && *group->title ? group->title : group->name;
	p->subtitle = group->subtitle;
	p->n = 0;
	for (int i = 0; i < set->n_metrics; i++) {
		const struct metric *m = &set->metrics[i];

		if (!(m->flags & METRIC_HIDDEN) && m->group && !strcmp(m->group, group->name))
			add_metric(p, i);
	}
	l->n += p->n > 0;
}

/* Whether one of the panes made so far has the metric. */
static bool has_pane(const struct pane_list *l, int metric)
{
	for (int p = 0; p < l->n; p++)
		for (int i = 0; i < l->pane[p].n; i++)
			if (l->pane[p].metric[i] == metric)
				return true;
	return false;
}

/* The rest are metrics of groups that the set does not declare or for which there was no pane. A
 * hidden pane's metrics and, in a set with groups, those without one are left out on purpose. */
static void add_rest(struct pane_list *l, const struct view *v, const struct metric_set *set)
{
	struct pane *p = &l->pane[l->n];

	p->name = p->subtitle = NULL;
	p->n = 0;
	p->title = set->label;
	if (l->n)
		p->title = N_("More");
	else if (!set->label || !*set->label)
		p->title = set->name;
	for (int i = 0; i < set->n_metrics; i++) {
		const struct metric *m = &set->metrics[i];
		bool shown = m->group || !set->n_groups;

		if (m->flags & METRIC_HIDDEN || has_pane(l, i))
			continue;
		for (int g = 0; g < set->n_groups && m->group; g++)
			if (!strcmp(set->groups[g].name, m->group))
				shown = !view_hides(v, m->group);
		if (shown)
			add_metric(p, i);
	}
	l->n += p->n > 0;
}

static void make_panes(struct pane_list *l, const struct view *v, const struct metric_set *set)
{
	for (int i = 0; i < set->n_groups && l->n < LAYOUT_PANES - (set->n_groups > LAYOUT_PANES);
		i++)
		if (!view_hides(v, set->groups[i].name))
			add_group(l, set, &set->groups[i]);
	if (l->n < LAYOUT_PANES)
		add_rest(l, v, set);
}

void pane_list_make(struct pane_list *l, const struct view *v, const struct metric_set *set)
{
	static const struct view shows_all;

	l->n = 0;
	if (!set)
		return;
	make_panes(l, v, set);
	if (!l->n)
		make_panes(l, &shows_all, set);
}

/* An index among n, 0 when that is none. */
static int index_among(int v, int n)
{
	return clamp(v, 0, n - 1);
}

int pane_focus(const struct pane_list *l, const struct view *v)
{
	return index_among(v->focus, l->n);
}

int pane_selected(const struct pane_list *l, const struct view *v, int pane)
{
	return index_among(v->selected[pane], l->pane[pane].n);
}

int pane_focused_metric(const struct pane_list *l, const struct view *v)
{
	int p = pane_focus(l, v);

	if (!l->n || !l->pane[p].n)
		return -1;
	return l->pane[p].metric[pane_selected(l, v, p)];
}
