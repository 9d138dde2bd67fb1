/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which metrics the first screen shows, and in which order. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "ui/screens/overview.h"
#include "base/minmax.h"

#define KEPT_NS (60 * NS_PER_S)	/* a row that loses its source keeps its place for so long */

static const char *const pane_names[OVERVIEW_PANES] = { "utilization", "flops", "bandwidth",
	"power" };

static int pane_by_name(const char *name)
{
	for (int i = 0; i < OVERVIEW_PANES && name; i++)
		if (!strcmp(pane_names[i], name))
			return i;
	return -1;
}

/* Where no group says it, the role or the unit tells where a metric belongs. */
static enum overview_pane pane_by_kind(const struct metric *m)
{
	const struct unit *u = &m->unit;

	if (m->limit.role == LIMIT_REASON || m->limit.role == LIMIT_FAN ||
		u->exp[UNIT_JOULE] || u->exp[UNIT_KELVIN] ||
		(u->exp[UNIT_CYCLE] == 1 && u->exp[UNIT_SECOND] == -1))
		return OVERVIEW_POWER;
	if (u->exp[UNIT_FLOP])
		return OVERVIEW_FLOPS;
	if (u->exp[UNIT_BYTE])
		return OVERVIEW_BANDWIDTH;
	return OVERVIEW_UTILIZATION;
}

enum overview_pane overview_pane_of(const struct metric_set *set, const struct metric *metric)
{
	int pane = pane_by_name(metric->group), group = metric_set_group(set, metric->group);

	if (pane < 0 && group >= 0)
		pane = pane_by_name(set->groups[group].pane);
	if (pane >= 0)
		return (enum overview_pane)pane;
	return pane_by_kind(metric);
}

/* A number that is missing now, but comes again with other work or in the next windows. */
static bool comes_again(enum why why)
{
	switch (why) {
	case WHY_OK:
	case WHY_NOT_YET:
	case WHY_OTHER_CONTEXT:
	case WHY_LOST:
	case WHY_STALE:
	case WHY_DIV_ZERO:
	case WHY_GAP:
	case WHY_OUT_OF_RANGE: return true;
	default: return false;
	}
}

static bool had_number(const struct view_model *m, int metric)
{
	int n = history_len(m->history);

	if (isnan(meter_max(m, metric)))
		return false;
	if (m->delay_ns > 0)
		n = (int)fmin(n, (double)(KEPT_NS / m->delay_ns));
	for (int age = 0; age < n; age++)
		if (!isnan(history_get(m->history, metric, age)))
			return true;
	return false;
}

bool overview_has_no_row(const struct view_model *m, int metric)
{
	return !comes_again(m->snap->values[metric].why) &&
		!(m->history && had_number(m, metric));
}

static bool is_apart(const struct metric_set *set, int metric)
{
	const struct metric *m = &set->metrics[metric];

	return set->n_groups > 0 && !m->group && !m->rank;
}

/* Metrics that stand apart come last. */
static int rank_of(const struct metric_set *set, int metric)
{
	if (set->metrics[metric].rank)
		return set->metrics[metric].rank;
	return INT16_MAX + is_apart(set, metric);
}

/* Behind all that are as important. Where there is no room, the last one goes. */
static void insert_row(struct pane *p, const struct metric_set *set, int metric)
{
	int at = p->n, rank = rank_of(set, metric);

	for (; at > 0 && rank_of(set, p->metric[at - 1]) > rank; at--)
		if (at < PANE_METRICS)
			p->metric[at] = p->metric[at - 1];
	if (at == PANE_METRICS)
		return;
	p->metric[at] = (short)metric;
	p->n = min_of(p->n + 1, PANE_METRICS);
}

/* The bar stands in the row of the working part; the other two have no rows. */
static void make_bar(struct overview_list *l)
{
	struct overview_rows *r = &l->rows[OVERVIEW_UTILIZATION];
	int n = 0;

	r->bar = -1;
	if (l->slot[LIMIT_WORKING] < 0 || l->slot[LIMIT_WAITING] < 0)
		return;
	for (int i = 0; i < r->pane.n; i++) {
		int metric = r->pane.metric[i];

		if (metric == l->slot[LIMIT_WAITING] || metric == l->slot[LIMIT_EMPTY]) {
			r->in_bar++;
			continue;
		}
		if (metric == l->slot[LIMIT_WORKING])
			r->bar = n;
		r->pane.metric[n++] = (short)metric;
	}
	r->pane.n = n;
}

/* Takes the words of the group with the pane's name, or of the first with a subtitle that stands
 * with it. */
static void take_words(struct pane *p, const struct metric_set *set, enum overview_pane pane)
{
	for (int i = 0; i < set->n_groups; i++) {
		const struct metric_group *g = &set->groups[i];
		bool same = pane_by_name(g->name) == (int)pane;

		if (same || (!(p->subtitle && *p->subtitle) && pane_by_name(g->pane) == (int)pane)) {
			p->subtitle = g->subtitle;
			p->why_empty = g->why_empty;
		}
		if (same)
			return;
	}
}

void overview_list_make(
	struct overview_list *l, const struct view *v, const struct view_model *m)
{
	memset(l, 0, sizeof(*l));
	for (int i = 0; i < LIMIT_ROLES; i++)
		l->slot[i] = -1;
	for (int i = 0; i < OVERVIEW_PANES; i++) {
		l->rows[i].bar = -1;
		l->rows[i].hidden = view_hides(v, pane_names[i]);
		l->rows[i].pane.name = pane_names[i];
		l->rows[i].pane.title = overview_pane_title((enum overview_pane)i);
		l->rows[i].pane.subtitle = "";
		if (m->set)
			take_words(&l->rows[i].pane, m->set, (enum overview_pane)i);
	}
	if (!m->set || !m->snap || m->snap->set != m->set)
		return;
	for (int i = 0; i < m->set->n_metrics; i++) {
		const struct metric *x = &m->set->metrics[i];
		struct overview_rows *r = &l->rows[overview_pane_of(m->set, x)];
		bool known = !overview_has_no_row(m, i);
		int *slot = &l->slot[x->limit.role];

		if (known && x->limit.role &&
			(*slot < 0 || rank_of(m->set, *slot) > rank_of(m->set, i)))
			*slot = i;
		if (x->flags & METRIC_HIDDEN)
			continue;
		if (known)
			insert_row(&r->pane, m->set, i);
		else if (m->snap->values[i].why == WHY_PERMISSION)
			r->denied++;
		else
			r->unavailable++;
	}
	make_bar(l);
	for (int i = 0; i < OVERVIEW_PANES; i++)
		for (int k = 0; k < l->rows[i].pane.n; k++)
			l->rows[i].apart += is_apart(m->set, l->rows[i].pane.metric[k]);
}
